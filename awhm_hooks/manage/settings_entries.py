"""The hooks that run awhm in the text of a settings file: finding them, taking one out."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from awhm_hooks.manage.hook_block import EVENTS, Owner, owner_of
from awhm_hooks.manage.settings_text import Document, Place

HOOKS = "hooks"
_OWN_GROUPS = ([HOOKS], [HOOKS, "matcher"])


@dataclass(frozen=True)
class Entry:
    """One hook that runs awhm, and the way to it: four containers, each with the index of the next in it."""

    owner: Owner
    event: str
    handler: Place
    in_root: tuple[Place, int]
    in_hooks: tuple[Place, int]
    in_event: tuple[Place, int]
    in_group: tuple[Place, int]


def entries(document: Document, commands: Collection[str] = ()) -> list[Entry]:
    """Every hook that runs awhm, under any event; `commands` as in `owner_of`.

    Raises SettingsRefused where "hooks" or an event of ours has another shape than the client reads.
    """
    place = hooks_place(document)
    return [] if place is None else list(_entries(document, place, commands))


def ours(document: Document, commands: Collection[str] = ()) -> list[Entry]:
    """Those of `entries` that run nothing else."""
    return [entry for entry in entries(document, commands) if entry.owner is Owner.OURS]


def _entries(document: Document, place: tuple[Place, int, Place], commands: Collection[str]) -> Iterator[Entry]:
    root, hooks_at, hooks = place
    for event_at, event in enumerate(document.members(hooks)):
        if not isinstance(event.place.value, list):
            continue
        for group_at, group in enumerate(document.items(event.place)):
            for handlers in _handler_arrays(document, group):
                way = (root, hooks_at), (hooks, event_at), (event.place, group_at)
                for at, handler in enumerate(document.items(handlers)):
                    owner = owner_of(handler.value, commands)
                    if owner is not Owner.OTHER:
                        yield Entry(owner, event.key, handler, *way, (handlers, at))


def _handler_arrays(document: Document, group: Place) -> list[Place]:
    if not isinstance(group.value, dict):
        return []
    members = document.members(group)
    return [member.place for member in members if member.key == HOOKS and isinstance(member.place.value, list)]


def hooks_place(document: Document) -> tuple[Place, int, Place] | None:
    """The file's object, where "hooks" stands among its members, and the object of that; None where it is missing."""
    if document.blank:
        return None
    root = document.root()
    if not isinstance(root.value, dict):
        raise document.refusal("the settings are not an object", root.start)
    found = [(at, member) for at, member in enumerate(document.members(root)) if member.key == HOOKS]
    if not found:
        return None
    at, member = found[-1]
    if len(found) > 1:
        raise document.refusal(_second(HOOKS), member.start)
    if not isinstance(member.place.value, dict):
        raise document.refusal('"hooks" is not an object', member.place.start)
    _check_events(document, member.place)
    return root, at, member.place


def _check_events(document: Document, hooks: Place) -> None:
    seen = set()
    for event in document.members(hooks):
        if event.key not in EVENTS:
            continue
        if event.key in seen:
            raise document.refusal(_second(event.key), event.start)
        if not isinstance(event.place.value, list):
            raise document.refusal(f'"{event.key}" is not an array', event.place.start)
        seen.add(event.key)


def _second(key: str) -> str:
    return f'a second "{key}", of which the client reads only one'


def remove_entry(document: Document, entry: Entry, made: Collection[str] | None = None) -> None:
    """Take out a hook, its matcher group where nothing else is in it, and the empty containers that are of `made`.

    `made` names "hooks" and events; None stands for all.
    """
    document.remove(*_outermost(document, entry, made))


def _outermost(document: Document, entry: Entry, made: Collection[str] | None) -> tuple[Place, int]:
    """The largest thing that holds this hook and nothing else."""
    event, group_at = entry.in_event
    handlers = entry.in_group[0]
    keys = sorted(member.key for member in document.members(document.items(event)[group_at]))
    if len(handlers.value) > 1 or keys not in _OWN_GROUPS:
        return entry.in_group
    if len(event.value) > 1 or not (made is None or entry.event in made):
        return entry.in_event
    if len(document.members(entry.in_hooks[0])) > 1 or not (made is None or HOOKS in made):
        return entry.in_hooks
    return entry.in_root
