"""Which of our hooks stand in which settings file, and whether they can run."""

import ast
import json
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from awhm_hooks.errors import SettingsRefused
from awhm_hooks.manage.hook_block import MARK, Owner
from awhm_hooks.manage.settings_entries import Entry, entries
from awhm_hooks.manage.settings_record import read_record, record_path
from awhm_hooks.manage.settings_text import Document

_SWITCHES = ("disableAllHooks", "allowManagedHooksOnly")
_LONGEST_TIMEOUT_S = 600
_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": r"C:\Program Files\ClaudeCode"}
_PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}"


@dataclass(frozen=True)
class HookReport:
    """One hook that runs awhm."""

    event: str
    path: str
    line: int
    handler: dict[str, Any]
    """The entry as it stands in the file."""
    mixed: bool
    """A shell line that runs something else too; uninstall leaves it."""
    plugin: bool
    missing: tuple[str, ...]
    """Paths that it needs and that are gone: the interpreter, directories, the package in them."""
    problems: tuple[str, ...]
    """What else keeps the client from running it, as phrases."""


@dataclass(frozen=True)
class FileReport:
    """One settings file."""

    path: str
    exists: bool
    error: str | None
    """Why it cannot be read, None where it can."""
    hooks: tuple[HookReport, ...]
    switches: tuple[str, ...]
    """Those of disableAllHooks and allowManagedHooksOnly that are on."""


@dataclass(frozen=True)
class Double:
    """An event with several hooks of ours."""

    event: str
    hooks: tuple[HookReport, ...]
    runs: int
    """How many the client starts: identical entries of settings files run once, a plugin's always counts."""


@dataclass(frozen=True)
class Survey:
    """All files looked at, in the order given."""

    files: tuple[FileReport, ...]

    @property
    def hooks(self) -> tuple[HookReport, ...]:
        return tuple(hook for file in self.files for hook in file.hooks)

    @property
    def events(self) -> frozenset[str]:
        """The events for which some hook of ours is registered."""
        return frozenset(hook.event for hook in self.hooks)

    @property
    def doubles(self) -> tuple[Double, ...]:
        by_event: dict[str, list[HookReport]] = defaultdict(list)
        for hook in self.hooks:
            by_event[hook.event].append(hook)
        return tuple(
            Double(event, tuple(hooks), len({_identity(hook) for hook in hooks}))
            for event, hooks in by_event.items()
            if len(hooks) > 1
        )


def _identity(hook: HookReport) -> str:
    return (hook.path if hook.plugin else "") + json.dumps(hook.handler, sort_keys=True)


def inspect(
    paths: Iterable[str],
    plugins: Iterable[str] = (),
    record_dir: str | None = None,
    search_path: str | None = None,
) -> Survey:
    """Look at settings files, and at the hooks.json of plugins; a missing or unreadable file is reported, not raised.

    `record_dir` as in `install`; `search_path` is the client's PATH, for a hook that names no directory.
    """
    reports = [_file_report(path, False, record_dir, search_path) for path in dict.fromkeys(paths)]
    reports += [_file_report(path, True, record_dir, search_path) for path in dict.fromkeys(plugins)]
    return Survey(tuple(reports))


def _file_report(path: str, plugin: bool, record_dir: str | None, search_path: str | None) -> FileReport:
    try:
        with open(path, "rb") as file:
            document = Document(path, file.read())
        record = read_record(record_path(os.path.realpath(path), record_dir))
        found = entries(document, record.commands if record else ())
    except FileNotFoundError:
        return FileReport(path, False, None, (), ())
    except OSError as error:
        return FileReport(path, True, f"{path}: {error.strerror}", (), ())
    except SettingsRefused as error:
        return FileReport(path, True, str(error), (), ())
    hooks = tuple(_hook_report(document, entry, plugin, search_path) for entry in found)
    return FileReport(path, True, None, hooks, switches_on(document))


def switches_on(document: Document) -> tuple[str, ...]:
    """The settings of this file that keep our hooks from running."""
    settings = {} if document.blank else document.root().value
    return tuple(key for key in _SWITCHES if isinstance(settings, dict) and settings.get(key) is True)


def _hook_report(document: Document, entry: Entry, plugin: bool, search_path: str | None) -> HookReport:
    handler: dict[str, Any] = entry.handler.value
    return HookReport(
        event=entry.event,
        path=document.path,
        line=document.line_of(entry.handler),
        handler=handler,
        mixed=entry.owner is Owner.MIXED,
        plugin=plugin,
        missing=tuple(_missing(handler, search_path)),
        problems=tuple(_problems(handler)),
    )


def _missing(handler: dict[str, Any], search_path: str | None) -> Iterator[str]:
    program, args = handler["command"], handler.get("args")
    if not isinstance(args, list):  # a shell line: what it starts is not told from outside
        return
    if _PLUGIN_ROOT not in program and shutil.which(program, path=search_path) is None:
        yield program
    for code in (arg for arg in args if isinstance(arg, str) and MARK in arg):
        directories = import_directories(code)
        yield from (directory for directory in directories if not os.path.isdir(directory))
        package = [os.path.join(directory, *MARK.split(".")) + ".py" for directory in directories]
        if package and not any(os.path.isfile(path) for path in package):
            yield os.path.dirname(package[0])


def import_directories(code: str) -> list[str]:
    """The directories that a hook's launch code adds to the import path."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return []
    lists = [node.value for node in ast.walk(tree) if isinstance(node, ast.AugAssign | ast.Assign)]
    items = [item for value in lists if isinstance(value, ast.List) for item in value.elts]
    return [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _problems(handler: dict[str, Any]) -> Iterator[str]:
    timeout = handler.get("timeout", 0)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        yield f"its timeout, {json.dumps(timeout)}, is not a number: the client skips it"
    elif timeout > _LONGEST_TIMEOUT_S:
        yield f"its timeout is {timeout} seconds, not milliseconds"
    if handler.get("type") != "command":
        yield 'its type is not "command"'
    if handler.get("async") is True:
        yield "it is async: the client ends it before it has done anything"


# Files beside a person's own settings.


def managed_settings_path(platform: str = sys.platform) -> str:
    """The settings that an administrator sets for a whole machine."""
    return os.path.join(_MANAGED.get(platform, "/etc/claude-code"), "managed-settings.json")


def plugin_hook_files(config_dir: str) -> list[str]:
    """The hooks.json files of the plugins installed below `config_dir` and not switched off in its settings."""
    installed = _load(os.path.join(config_dir, "plugins", "installed_plugins.json"), "plugins")
    enabled = _load(os.path.join(config_dir, "settings.json"), "enabledPlugins")
    found = []
    for name, copies in installed.items():
        if enabled.get(name) is False:
            continue
        for copy in copies if isinstance(copies, list) else [copies]:
            root = copy.get("installPath") if isinstance(copy, dict) else None
            if isinstance(root, str):
                found.append(os.path.join(root, "hooks", "hooks.json"))
    return [path for path in dict.fromkeys(found) if os.path.isfile(path)]


def _load(path: str, key: str) -> dict[str, Any]:
    """An object within a JSON file; empty where it or the file cannot be had."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read().decode("utf-8-sig")).get(key)
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
