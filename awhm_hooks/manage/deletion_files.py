"""Forgetting everywhere else: snapshots, copies of a damaged store, the error log, and whatever is left lying about.

Snapshots are read as what they are. Any other file is taken apart as little as its kind allows: a line of text or of
JSON goes with what it holds, a store that can be opened is treated as the store is, and one that cannot goes whole.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from awhm_hooks.consolidate import tombstone_file
from awhm_hooks.consolidate.tombstones import Kind, Tombstones
from awhm_hooks.files import write_whole
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA
from awhm_hooks.graph.removal import scrub_pages
from awhm_hooks.graph.writer import GraphWriter, migrate
from awhm_hooks.manage import deletion_graph, deletion_portable, graph_json
from awhm_hooks.manage.deletion_logs import cut_strings
from awhm_hooks.paths import Paths

_SQLITE_MAGIC = b"SQLite format 3\0"
_BASE = ".base."


@dataclass
class Counts:
    """What was taken out: snapshots changed and memories in them, copies of a damaged store, lines, other files."""

    snapshots: int = 0
    snapshot_nodes: int = 0
    damaged_copies: int = 0
    error_lines: int = 0
    other_files: int = 0

    def add(self, other: "Counts") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


Holds = Callable[[bytes], bool]


@dataclass
class FileScrubber:
    """`holds` tells whether bytes hold any of what is forgotten, in any form; `with_snapshots` is the configuration's.

    Where whole sessions are forgotten, all copies of a damaged store go: they cannot be asked for sessions.
    """

    paths: Paths
    stones: Tombstones
    holds: Holds
    with_snapshots: bool
    dry_run: bool

    def scrub(self) -> Counts:
        """Take what is forgotten out of every file that is neither the store nor a log. Raises OSError, AwhmError."""
        counts = Counts()
        self.remove_leftovers()
        for path in self._snapshots():
            counts.add(self._snapshot(path))
        for path in self._damaged():
            counts.add(self._damaged_copy(path))
        for path in (self.paths.error_log, self.paths.error_log + ".1"):
            counts.error_lines += self._lines(path)
        for path in self._others():
            counts.other_files += self._other(path)
        return counts

    def _snapshots(self) -> Iterator[str]:
        """All of them; those alone from which the store is rebuilt where the person wants snapshots left alone."""
        for path in _files(self.paths.snapshots):
            if self.with_snapshots or _BASE in os.path.basename(path):
                yield path

    def _snapshot(self, path: str) -> Counts:
        data = _read(path)
        nodes = self._store_copy(path) if data.startswith(_SQLITE_MAGIC) else self._graph_file(path, data)
        if (nodes and self.dry_run) or not self.stones.are_unbounded():
            return Counts(snapshots=min(nodes, 1), snapshot_nodes=nodes)
        is_left = self._other(path)  # a reason that a person gave, say
        return Counts(snapshots=1, snapshot_nodes=nodes) if nodes else Counts(other_files=is_left)

    @graph_json.uncollected()
    def _graph_file(self, path: str, data: bytes) -> int:
        try:
            whole = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return 0
        if not isinstance(whole, dict):
            return 0
        nodes = deletion_portable.forget_in_json(whole, self.stones)
        if nodes and not self.dry_run:
            _replace(path, deletion_portable.dumps(whole))
        return nodes

    def _store_copy(self, path: str) -> int:
        """A snapshot that is a store itself, of this version or an older one."""
        db = sqlite.connect(path, sqlite.WRITE_WAIT_S)
        with contextlib.closing(db):
            if db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA:
                return 0
            db.execute("PRAGMA secure_delete = ON")
            migrate(db, path)
            writer = GraphWriter(db, path)
            nodes = 0
            with contextlib.suppress(deletion_graph.DryRun), writer.transaction():
                removal = deletion_graph.forget(writer, self.stones)
                nodes = removal.counts.messages + removal.counts.spans + removal.counts.statements
                nodes += removal.counts.entities
                if self.dry_run or not nodes:
                    raise deletion_graph.DryRun
            if nodes and not self.dry_run:
                scrub_pages(writer)
        return nodes

    def _damaged(self) -> Iterator[str]:
        for path in _files(self.paths.graph):
            if ".damaged-" in path:
                yield path

    def _damaged_copy(self, path: str) -> Counts:
        """A store that was moved aside: nobody reads it, and what it holds cannot be taken out of it for sure."""
        if not any(stone.kind is Kind.ALL for stone in self.stones.anywhere) and not self.holds(_read(path)):
            return Counts()
        if not self.dry_run:
            os.unlink(path)
        return Counts(damaged_copies=1)

    def _lines(self, path: str) -> int:
        """Take the lines out of a text file that hold what is forgotten; how many."""
        try:
            lines = _read(path).splitlines(keepends=True)
        except FileNotFoundError:
            return 0
        kept = [line for line in lines if not self._holds(line)]
        if len(kept) != len(lines) and not self.dry_run:
            write_whole(path, b"".join(kept))
        return len(lines) - len(kept)

    def _holds(self, line: bytes) -> bool:
        return self.holds(line) or bool(self.stones.spans(line.decode("utf-8", "replace"), self.stones.anywhere))

    def _others(self) -> Iterator[str]:
        """Files of unknown kinds, and temporary ones that a killed process left."""
        known = (self.paths.logs, self.paths.wal, self.paths.snapshots, self.paths.models)
        store = os.path.basename(self.paths.graph_db)
        for path in _files(self.paths.data_dir, without=known):
            name = os.path.basename(path)
            is_store = os.path.dirname(path) == self.paths.graph and name.startswith((store, "vectors."))
            if not is_store and not self._is_own(path):
                yield path

    def remove_leftovers(self) -> None:
        """Logs half written by a deletion that was killed: nothing else writes such files, and the lock is ours."""
        for directory in (self.paths.logs, self.paths.wal):
            for path in _files(directory):
                if path.endswith(".tmp") and not self.dry_run:
                    os.unlink(path)

    def _is_own(self, path: str) -> bool:
        """What a deletion writes itself, the person's configuration, and the records of what an install did."""
        own = (
            tombstone_file.path_of(self.paths),
            tombstone_file.unfinished_file(self.paths),
            tombstone_file.ledger_file(self.paths),
            self.paths.config_toml,
            self.paths.worker_lock,
            self.paths.error_log,
            self.paths.error_log + ".1",
        )
        return path in own or path.startswith(f"{self.paths.meta}/settings/")

    def _other(self, path: str) -> int:
        """1 where a file held anything of what is forgotten, which is taken out of it."""
        with contextlib.suppress(FileNotFoundError):
            data = _read(path)
            if not self.holds(data):
                return 0
            if not self.dry_run:
                self._clean(path, data)
            return 1
        return 0

    def _clean(self, path: str, data: bytes) -> None:
        """A JSON value loses the strings, a text the lines; what is neither, and a leftover of a write, goes whole."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            os.unlink(path)
            return
        if path.endswith(".tmp"):
            os.unlink(path)
            return
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            self._lines(path)
            return
        cleaned = cut_strings(value, self._spans)
        _replace(
            path,
            deletion_portable.dumps(cleaned) if isinstance(cleaned, dict) else json.dumps(cleaned).encode() + b"\n",
        )

    def _spans(self, text: str) -> "list[Span]":
        return self.stones.spans(text, [stone for stone in self.stones.stones if stone.kind is Kind.MATCH])


def _replace(path: str, data: bytes) -> None:
    state = os.stat(path)
    write_whole(path, data)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _files(directory: str, without: tuple[str, ...] = ()) -> list[str]:
    found = []
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if f"{folder}/{name}" not in without]
        found += [f"{folder}/{name}" for name in sorted(names)]
    return found


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.folding import Span
