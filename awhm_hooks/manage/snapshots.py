"""Snapshots: the memory graph at one moment, as portable JSON in `snapshots/`.

Those that a person asks for are `snapshot_<UTC time>.json`. A restore keeps the state that it replaces as
`….before-restore.json`. What is in the store and in no raw log (it came by a restore or from another machine) is kept
as `….base.json`, from which a damaged store is rebuilt before the raw logs are read again.
"""

import contextlib
import json
import os
import time
from dataclasses import dataclass, field

from awhm_hooks.errors import AwhmError, StoreCorrupt
from awhm_hooks.files import write_whole
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.writer import GraphWriter, open_writer
from awhm_hooks.manage import graph_json
from awhm_hooks.paths import Paths

ASKED = "asked"
BEFORE_RESTORE = "before-restore"
BASE = "base"
EXPORT = "export"

_WAYS_OUT = (
    "`awhm snapshot restore` brings back the newest snapshot, `awhm consolidate` rebuilds the store from the raw logs"
)
_PREFIX = "snapshot_"
_SUFFIX = ".json"
_HEAD_BYTES = 4_096


@dataclass(frozen=True)
class Snapshot:
    """One file of `snapshots/`. `nodes` is None where nobody has read the file for it."""

    path: str
    created_at: float
    reason: str
    size: int
    nodes: int | None = None


@dataclass(frozen=True)
class Change:
    """A memory that differs between two states; the status that it has in one, or None where it is not in it."""

    id: str
    family: str
    text: str
    before: str | None
    after: str | None


@dataclass
class Difference:
    """From `before` to `after`: two files, or a file and the store as it is."""

    before: str
    after: str
    added: list[Change] = field(default_factory=list)
    removed: list[Change] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)


def create(paths: Paths, now: float) -> Snapshot:
    """Write what is remembered now. Hooks and the worker may be at work. Raises AwhmError, sqlite.Error, OSError."""
    with contextlib.closing(open_existing(paths).db) as db:
        return keep(paths, GraphWriter(db, paths.graph_db), now, ASKED)


def export(paths: Paths, path: str, now: float) -> Snapshot:
    """Write what is remembered to a file anywhere. Raises AwhmError, sqlite.Error, OSError."""
    data, nodes = exported(paths, now)
    write_whole(path, data)
    return Snapshot(path, now, EXPORT, len(data), nodes)


def exported(paths: Paths, now: float) -> tuple[bytes, int]:
    """What is remembered as a file's bytes, and how many nodes that is. Raises AwhmError, sqlite.Error."""
    with contextlib.closing(open_existing(paths).db) as db:
        return graph_json.dumped(db, now, EXPORT)


def open_existing(paths: Paths) -> GraphWriter:
    """The store, migrated where need be. Raises StoreCorrupt for a damaged one, AwhmError where there is none."""
    if not os.path.exists(paths.graph_db):
        raise AwhmError(f"{paths.graph_db}: nothing is remembered yet")
    try:
        writer = open_writer(paths)
    except StoreCorrupt as problem:
        raise StoreCorrupt(f"{problem}; {_WAYS_OUT}") from None
    try:
        check = writer.db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (sqlite.DatabaseError, UnicodeDecodeError) as problem:
        check = str(problem)
    if check == "ok":
        return writer
    writer.db.close()
    raise StoreCorrupt(f"{paths.graph_db}: {check}; {_WAYS_OUT}")


def keep(paths: Paths, writer: GraphWriter, now: float, reason: str) -> Snapshot:
    """Write the graph of an open store to a new file. Raises sqlite.Error, OSError."""
    paths.make(paths.data_dir)
    paths.make(paths.snapshots)
    path = _free_name(paths, now, reason)
    data, nodes = graph_json.dumped(writer.db, now, reason)
    write_whole(path, data)
    return Snapshot(path, now, reason, len(data), nodes)


def keep_base(paths: Paths, writer: GraphWriter, now: float) -> Snapshot:
    """Keep the store's state as that from which it is rebuilt; former ones are removed."""
    former = bases(paths)
    base = keep(paths, writer, now, BASE)
    for one in former:
        if one.path != base.path:
            os.unlink(one.path)
    return base


def _free_name(paths: Paths, now: float, reason: str) -> str:
    stem = f"{paths.snapshots}/{_PREFIX}{time.strftime('%Y%m%d_%H%M%S', time.gmtime(now))}"
    kind = "" if reason == ASKED else f".{reason}"
    path, number = f"{stem}{kind}{_SUFFIX}", 1
    while os.path.exists(path):
        path, number = f"{stem}_{number}{kind}{_SUFFIX}", number + 1
    return path


def listed(paths: Paths) -> list[Snapshot]:
    """Every snapshot, newest first. Raises OSError."""
    try:
        names = os.listdir(paths.snapshots)
    except FileNotFoundError:
        return []
    found = []
    for name in names:
        if name.startswith(_PREFIX) and name.endswith(_SUFFIX):
            with contextlib.suppress(FileNotFoundError):
                found.append(_described(f"{paths.snapshots}/{name}"))
    return sorted(found, key=lambda one: (one.created_at, one.path), reverse=True)


def latest(paths: Paths) -> Snapshot | None:
    """The newest snapshot that a person asked for."""
    return next((one for one in listed(paths) if one.reason == ASKED), None)


def bases(paths: Paths) -> list[Snapshot]:
    return [one for one in listed(paths) if one.reason == BASE]


def _described(path: str) -> Snapshot:
    """What a file's name and first line say; of a file that another program wrote, its date."""
    state = os.stat(path)
    kind = os.path.basename(path)[len(_PREFIX) : -len(_SUFFIX)].partition(".")[2]
    with open(path, "rb") as file:
        first = file.read(_HEAD_BYTES).split(b"\n", 1)[0]
    try:
        head = json.loads(first.rstrip().removesuffix(b",") + b"}")
    except ValueError:
        head = {}
    created_at = graph_json.moment(head.get("created_at")) if isinstance(head, dict) else None
    return Snapshot(path, created_at or state.st_mtime, kind or ASKED, state.st_size)


def difference(paths: Paths, before: str, after: str | None) -> Difference:
    """What changed between two files, or since a file was written. Raises AwhmError, sqlite.Error, OSError."""
    found = Difference(before, after or paths.graph_db)
    old = _states_of_file(before)
    new = _states_of_file(after) if after else _states_of_store(paths)
    for uid in dict.fromkeys([*old, *new]):
        was, now = old.get(uid), new.get(uid)
        family, text, _ = now or was or ("", "", "")
        change = Change(uid, family, text, was[2] if was else None, now[2] if now else None)
        if was is None:
            found.added.append(change)
        elif now is None:
            found.removed.append(change)
        elif was != now:
            found.changed.append(change)
    return found


def _states_of_file(path: str) -> "dict[str, State]":
    nodes = graph_json.read(path).nodes
    return {node.uid: (node.columns["family"], node.columns["text"], node.columns["status"]) for node in nodes}


def _states_of_store(paths: Paths) -> "dict[str, State]":
    with contextlib.closing(open_existing(paths).db) as db:
        return {row[0]: row[1:] for row in db.execute("SELECT uid, family, text, status FROM nodes ORDER BY id")}


TYPE_CHECKING = False
if TYPE_CHECKING:
    State = tuple[str, str, str]
