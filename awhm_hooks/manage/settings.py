"""Install our hooks in Claude Code's settings files and take them out again, every other byte kept.

What an install did is recorded: the hash of the file that it wrote, and the splices that take it back. While the file
still has that hash, the uninstall gives back the original bytes; after other edits it removes our hooks from the
text, with the arrays and objects that the install had made for them.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from awhm_hooks.errors import SettingsRefused, UsageError
from awhm_hooks.manage.hook_block import Owner, hook_settings, hook_settings_text
from awhm_hooks.manage.settings_entries import HOOKS, Entry, entries, hooks_place, ours, remove_entry
from awhm_hooks.manage.settings_file import Change, Plan, State, apply
from awhm_hooks.manage.settings_record import Record, digest
from awhm_hooks.manage.settings_survey import inspect, managed_settings_path, plugin_hook_files, switches_on
from awhm_hooks.manage.settings_text import Document

__all__ = [
    "Change",
    "Plan",
    "Scope",
    "apply",
    "hook_settings",
    "hook_settings_text",
    "inspect",
    "install",
    "managed_settings_path",
    "plan_install",
    "plan_uninstall",
    "plugin_hook_files",
    "settings_path",
    "uninstall",
]


class Scope(StrEnum):
    """Whose settings: the person's everywhere, a project's for all, a project's on this machine."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


def settings_path(scope: str, environ: Mapping[str, str], cwd: str, config_dir: str | None = None) -> str:
    """The settings file of a scope. Raises UsageError for an unknown scope or where no home is known.

    `config_dir` stands in for $CLAUDE_CONFIG_DIR; both concern the user's file only.
    """
    if scope not in list(Scope):
        raise UsageError(f"--scope {scope}: choose from {', '.join(Scope)}")
    if scope == Scope.USER:
        directory = config_dir or environ.get("CLAUDE_CONFIG_DIR")
        home = environ.get("HOME") or environ.get("USERPROFILE")
        if not directory and not home:
            raise UsageError("neither CLAUDE_CONFIG_DIR nor HOME is set: name the directory with --config-dir")
        return os.path.join(os.path.abspath(cwd), directory or os.path.join(home or "", ".claude"), "settings.json")
    name = "settings.json" if scope == Scope.PROJECT else "settings.local.json"
    return os.path.join(_project_root(cwd), ".claude", name)


def _project_root(cwd: str) -> str:
    """The top of the git checkout (a worktree's own), else the directory itself."""
    here = start = os.path.abspath(cwd)
    while not os.path.exists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return start
        here = parent
    return here


def install(path: str, block: dict[str, Any], dry_run: bool = False, record_dir: str | None = None) -> Change:
    """Put the hooks of `block` into the settings file, beside whatever is there; nothing where they are up to date.

    An outdated hook of ours is brought up to date in its place, a second one is taken out. `record_dir` is where the
    record is kept, None for beside the file. Raises SettingsRefused for a file that is not understood, AwhmError where
    it cannot be read or written, or changes meanwhile.
    """
    plan = plan_install(path, block, record_dir)
    if not dry_run:
        apply(plan)
    return plan.change


def uninstall(path: str, dry_run: bool = False, record_dir: str | None = None) -> Change:
    """Take every hook of ours out of the settings file: the inverse of `install`, with the same errors."""
    plan = plan_uninstall(path, record_dir)
    if not dry_run:
        apply(plan)
    return plan.change


# Install.


def plan_install(path: str, block: dict[str, Any], record_dir: str | None = None) -> Plan:
    """Work out an install, as `install` makes it."""
    state = State.read(path, record_dir)
    wanted = {event: groups[0]["hooks"][0] for event, groups in block["hooks"].items()}
    commands = state.commands | {handler["command"] for handler in wanted.values() if handler["args"][0] == "hook"}
    document = state.document()
    had_ours = bool(ours(document, commands))
    if document.blank:
        document.splice(0, len(document.text), "{}" + document.style.newline)
    removed = _remove_extra(document, wanted, commands)
    replaced = _replace_outdated(document, wanted, commands)
    held = {entry.event for entry in ours(document, commands)}
    missing = [event for event in wanted if event not in held]
    made = frozenset(key for event in missing for key in _append(document, event, block["hooks"][event][0]))
    after = document.encoded()
    backup = state.backup if state.saved is not None or state.before not in (None, after) else None
    change = Change(
        path,
        state.before,
        after,
        backup,
        added=len(missing) + replaced,
        removed=removed + replaced,
        warnings=_warnings(document, commands),
    )
    record = _record(state, document, made, had_ours, commands) if change.changed else state.record
    return Plan(change, state, record, directories=state.missing_directories())


def _remove_extra(document: Document, wanted: Mapping[str, object], commands: Collection[str]) -> int:
    """Take out hooks of ours under other events and second ones under the same; returns how many."""
    count = 0
    while (extra := _extra(ours(document, commands), wanted)) is not None:
        remove_entry(document, extra)
        count += 1
    return count


def _extra(found: Sequence[Entry], wanted: Mapping[str, object]) -> Entry | None:
    """One hook too many; of several for an event the one that is up to date stays, else the first."""
    kept: dict[str, Entry] = {}
    for entry in found:
        if entry.event not in wanted:
            return entry
        other = kept.setdefault(entry.event, entry)
        if other is not entry:
            return other if entry.handler.value == wanted[entry.event] else entry
    return None


def _replace_outdated(document: Document, wanted: Mapping[str, object], commands: Collection[str]) -> int:
    outdated = [entry for entry in ours(document, commands) if entry.handler.value != wanted[entry.event]]
    for entry in reversed(outdated):  # from the end, so that the places before it stay right
        document.replace(entry.handler, wanted[entry.event])
    return len(outdated)


def _append(document: Document, event: str, group: object) -> set[str]:
    """Add a matcher group at the end of the event's array; returns which of "hooks" and the event had to be made."""
    place = hooks_place(document)
    if place is None:
        document.append_member(document.root(), HOOKS, {event: [group]})
        return {HOOKS, event}
    hooks = place[2]
    for member in document.members(hooks):
        if member.key == event:
            document.append_item(member.place, group)
            return set()
    document.append_member(hooks, event, [group])
    return {event}


def _record(state: State, document: Document, made: frozenset[str], had_ours: bool, commands: frozenset[str]) -> Record:
    """The record of an install, on top of what is on record already where hooks of that are still there."""
    known = state.record if had_ours else None
    undo = tuple(document.undo)
    if known is not None and known.installed == digest(state.before or b""):
        undo, original = undo + known.undo, known.original
    else:  # hooks that nobody recorded: going back leaves them out
        stripped = state.document()
        _remove_ours(stripped, commands, known.made if known else None)
        undo, original = undo + tuple(stripped.done), digest(stripped.encoded())
    if known is None:
        made_before = None if had_ours else frozenset[str]()
    else:
        made_before = known.made
    return Record(
        path=state.target,
        installed=digest(document.encoded()),
        original=original,
        undo=undo,
        made=None if made_before is None else made_before | made,
        made_file=known.made_file if known else state.before is None,
        made_directories=known.made_directories if known else state.missing_directories(),
        commands=commands,
    )


# Uninstall.


def plan_uninstall(path: str, record_dir: str | None = None) -> Plan:
    """Work out an uninstall, as `uninstall` makes it."""
    state = State.read(path, record_dir)
    record = state.record
    if state.before is None or (record is None and b"awhm" not in state.before.lower()):  # nothing to look for in it
        return Plan(Change(path, state.before, state.before), state, None)
    document = state.document()
    removed = len(ours(document, state.commands))
    if removed and not (record and _undo(document, record)):
        _remove_ours(document, state.commands, record.made if record else None)
    nothing_left = document.blank or document.root().value == {}
    gone = removed > 0 and record is not None and record.made_file and nothing_left
    after = None if gone else document.encoded()
    drop_backup = removed > 0 and _says_nothing_more(state, after)
    backup = state.backup if state.saved is not None and not drop_backup else None
    warnings = _warnings(document, state.commands)
    change = Change(path, state.before, after, backup, removed=removed, warnings=warnings)
    return Plan(change, state, None, drop_backup, record.made_directories if record else ())


def _undo(document: Document, record: Record) -> bool:
    """Take back what is on record; False, and nothing done, where the file is not what the install wrote."""
    if digest(document.encoded()) != record.installed:
        return False
    text = document.text
    for splice in record.undo:
        text = splice.of(text)
    if digest((document.bom + text).encode()) != record.original:
        return False
    document.splice(0, len(document.text), text)
    return True


def _remove_ours(document: Document, commands: Collection[str], made: Collection[str] | None) -> None:
    while found := ours(document, commands):
        remove_entry(document, found[0], made)


def _says_nothing_more(state: State, after: bytes | None) -> bool:
    """Whether the backup is what stays in place anyway, hooks of ours in it aside."""
    if state.saved is None or after is None:
        return False
    try:
        document = Document(state.backup, state.saved)
        _remove_ours(document, state.commands, None)
    except SettingsRefused:  # the settings were mended since
        return False
    return after in (state.saved, document.encoded())


def _warnings(document: Document, commands: Collection[str]) -> tuple[str, ...]:
    found = [f'{document.path}: "{key}" is on, so these hooks do not run' for key in switches_on(document)]
    for entry in entries(document, commands):
        if entry.owner is Owner.MIXED:
            line = document.line_of(entry.handler)
            found.append(f"{document.path}:{line}: runs awhm and something else, left alone: take awhm out by hand")
    return tuple(found)
