"""Going back to a snapshot, and taking in another store's graph.

A restore replaces the graph in one SQLite transaction: the new one is made beside it and copied over it by SQLite's own
backup, so a reader sees the old state or the new one. What was said after the snapshot stays in the raw logs, where a
record says that it is set aside: it is not consolidated again, not by a rebuild either, until a later restore or an
import brings it back. What had been said before the snapshot and was not consolidated then, is consolidated now.
"""

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import vectors_write
from awhm_hooks.consolidate.worker import is_over
from awhm_hooks.errors import AwhmError, StoreCorrupt
from awhm_hooks.files import locked
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.writer import GraphWriter, open_writer, set_aside
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.manage import graph_json, snapshots
from awhm_hooks.manage.deletion_portable import without_forgotten
from awhm_hooks.manage.graph_json import PortableGraph
from awhm_hooks.manage.graph_merge import Merged, fill, merge
from awhm_hooks.paths import Paths, decode_name
from awhm_hooks.recall.vectors import VectorsUnusable

LOCK_WAIT_S = 120.0

_SCRATCH = "restoring-"
_MARKS = (raw_log.START, raw_log.END, raw_log.TRANSCRIPT, raw_log.RESTORED, raw_log.SILENT)


class _NotInEarnest(Exception):
    """Ends the transaction of a dry run."""


@dataclass(frozen=True)
class Restored:
    """What a restore did. `kept` is where the state before it is, or "" where there was none.

    `set_aside` counts the messages, and what else was done by hand, that the raw logs hold and the state lacks.
    """

    path: str
    created_at: float
    nodes: int
    deleted: int
    kept: str
    set_aside: int


@graph_json.uncollected()
def restore(paths: Paths, config: AWHMConfig, path: str | None, now: float) -> Restored:
    """Put a snapshot, the newest by default, in the place of the graph. Raises AwhmError, sqlite.Error, OSError.

    The file is read to its end before anything is changed.
    """
    newest = None if path else snapshots.latest(paths)
    source = path or (newest.path if newest else None)
    if source is None:
        raise AwhmError(f"{paths.snapshots}: no snapshot yet; `awhm snapshot create` makes one")
    graph = graph_json.read(source)
    for directory in (paths.data_dir, paths.meta, paths.graph, paths.snapshots):
        paths.make(directory)
    with locked(paths.worker_lock, LOCK_WAIT_S), contextlib.ExitStack() as stack:
        live = _usable_store(paths)
        if live:
            stack.callback(live.db.close)
        scratch = Paths(stack.enter_context(_scratch_directory(paths)))
        restored = open_writer(scratch)
        stack.callback(restored.db.close)
        deleted = without_forgotten(paths, graph)
        filled = _fill(paths, restored, graph, live)
        kept = snapshots.keep(paths, live, now, snapshots.BEFORE_RESTORE).path if live else ""
        with _logs_set_aside(paths, config, restored, graph.created_at, now) as aside:
            if live:
                restored.db.backup(live.db)
            else:
                kept = _put_in_place(paths, scratch, restored, now)
        _settle(paths, now)
    return Restored(source, graph.created_at, filled.added, deleted, kept, aside)


def _settle(paths: Paths, now: float) -> None:
    """What follows when the restored state is in force."""
    with contextlib.closing(open_writer(paths).db) as db:
        writer = GraphWriter(db, paths.graph_db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        snapshots.keep_base(paths, writer, now)
        vectors_write.remove_others(paths.graph, writer.vectors_in_force()[0])


def _usable_store(paths: Paths) -> GraphWriter | None:
    """The store as it is; None where there is none, or a damaged one."""
    if not os.path.exists(paths.graph_db):
        return None
    try:
        return snapshots.open_existing(paths)
    except StoreCorrupt:
        return None


@contextlib.contextmanager
def _scratch_directory(paths: Paths) -> "Iterator[str]":
    """A folder beside the store; what a killed restore left behind is removed first."""
    for name in os.listdir(paths.graph):
        if name.startswith(_SCRATCH):
            shutil.rmtree(f"{paths.graph}/{name}", ignore_errors=True)
    directory = tempfile.mkdtemp(prefix=_SCRATCH, dir=paths.graph)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _fill(paths: Paths, restored: GraphWriter, graph: PortableGraph, live: GraphWriter | None) -> Merged:
    restored.db.execute("PRAGMA synchronous = OFF")  # it counts for nothing until it is copied
    with restored.transaction():
        filled = fill(restored, graph)
        if live:
            _carry_over(restored, live)
        _carry_vectors(paths, restored, live)
    return filled


def _carry_over(restored: GraphWriter, live: GraphWriter) -> None:
    """What a restore does not undo: what stands in the context windows of open sessions, what models were asked."""
    for table in ("injections", *graph_json.TABLES):
        rows = live.db.execute(f"SELECT * FROM {table}").fetchall()
        if rows:
            restored.db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    restored.db.execute("UPDATE meta SET value = ? WHERE name = 'generation'", (str(live.generation() + 1),))


def _carry_vectors(paths: Paths, restored: GraphWriter, live: GraphWriter | None) -> None:
    """Vectors of texts that both states hold, in a file of the next generation; the worker makes the others."""
    generation = _next_generation(paths.graph)
    if live:
        old, count = live.vectors_in_force()
        generation = max(generation, old + 1)
        try:
            rows = vectors_write.read_rows(paths.graph, old)[:count]
        except VectorsUnusable:
            rows = None
        if rows is not None:
            named, places = _same_texts(restored, live, len(rows))
            vectors_write.create(paths.graph, generation, rows[places])
            restored.note_vectors(generation, 0, named)
            return
    restored.drop_vectors(generation)


def _same_texts(restored: GraphWriter, live: GraphWriter, count: int) -> tuple[list[tuple[int, int]], list[int]]:
    """((node, window) in the restored state, its row in the present file) of memories that are in both."""
    numbers = {(uid, text): node for node, uid, text in restored.db.execute("SELECT id, uid, text FROM nodes")}
    named, places = [], []
    for row, window, uid, text in live.db.execute(
        "SELECT v.row, v.window, n.uid, n.text FROM vector_rows v JOIN nodes n ON n.id = v.node ORDER BY v.row"
    ):
        node = numbers.get((uid, text))
        if node is not None and row < count:
            named.append((node, window))
            places.append(row)
    return named, places


def _next_generation(directory: str) -> int:
    """One above every vectors file that is there: a damaged store cannot say which was in force."""
    parts = [name.split(".") for name in os.listdir(directory) if name.startswith("vectors.")]
    return 1 + max((int(part[1]) for part in parts if part[1].isdigit()), default=0)


@contextlib.contextmanager
def _logs_set_aside(
    paths: Paths, config: AWHMConfig, restored: GraphWriter, created_at: float, now: float
) -> "Iterator[int]":
    """Note in every raw log what the restored state does not hold of it; gives how many records that is.

    Where the block fails, the logs are as they were.
    """
    total, former = 0, {}
    with restored.transaction():
        for session in logged_sessions(paths):
            out, before = _set_log_aside(paths, config, restored, session, created_at, now)
            total += len(out)
            if out != before:
                former[session] = before
    try:
        yield total
    except (sqlite.Error, OSError):
        for session, before in former.items():
            note_set_aside(paths, session, before, now)
        raise


def logged_sessions(paths: Paths) -> list[str]:
    """Every session that has a raw log."""
    try:
        names = sorted(os.listdir(paths.logs))
    except FileNotFoundError:
        return []
    return [decode_name(name.removesuffix(".jsonl")) for name in names if name.endswith(".jsonl")]


def _set_log_aside(
    paths: Paths, config: AWHMConfig, restored: GraphWriter, session: str, created_at: float, now: float
) -> tuple[set[str], set[str]]:
    """What is set aside of one log, and what was before."""
    log = paths.log_file(session)
    size = raw_log.whole_bytes(log)
    records = list(raw_log.read(log, 0, size))
    said = [record for record in records if record.message_id and record.kind not in _MARKS]
    held = set(restored.message_nodes(session))
    then = raw_log.set_aside(record for record in records if record.at <= created_at)
    out = {
        record.message_id
        for record in said
        if record.message_id not in held and (_logged_at(record) > created_at or record.message_id in then)
    }
    before = raw_log.set_aside(records)
    if out != before:
        note_set_aside(paths, session, out, now)
        _forget_buffer(paths, config, session, size)
    waiting = any(
        record.kind == "message" and not record.fields.get("quiet") and record.message_id not in held | out
        for record in said
    )
    project = next((record.project for record in records if record.project), "")
    times = [record.at for record in records] or [0.0]
    consumed = 0 if waiting else size
    restored.note_session(session, project, min(times), max(times), consumed, is_over(records, config))
    return out, before


def note_set_aside(paths: Paths, session: str, out: set[str], now: float) -> None:
    """Log which records of a session count from now on as not said; the last such line is in force. Raises OSError."""
    raw_log.append_lines(paths, session, [{"kind": raw_log.RESTORED, "at": round(now, 3), "out": sorted(out)}])


def _logged_at(record: Record) -> float:
    """When it came into the log: an imported message was said long before."""
    imported_at = record.fields.get("imported_at")
    return float(imported_at) if isinstance(imported_at, int | float) else record.at


def _forget_buffer(paths: Paths, config: AWHMConfig, session: str, log_size: int) -> None:
    """Empty the buffer of a session that is open; what stands in its context window stays noted."""
    path = paths.wal_file(session)
    if not os.path.exists(path):
        return
    folded = buffers.fold(session, wal.read_all(path), config.correction_window_messages)
    folded.statements.clear()
    folded.log_end = max(folded.log_end, log_size)
    wal.append(paths, session, [buffers.checkpoint_record(folded)])


def _put_in_place(paths: Paths, scratch: Paths, restored: GraphWriter, now: float) -> str:
    """The new store where none can be copied over; where the damaged one was kept, or ""."""
    kept = ""
    if os.path.exists(paths.graph_db):
        kept = set_aside(paths.graph_db, now)
    restored.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    restored.db.close()
    os.replace(scratch.graph_db, paths.graph_db)
    return kept


def take_in(
    paths: Paths, path: str, now: float, renamed: "Renamed | None" = None, dry_run: bool = False
) -> tuple[Merged, int]:
    """Merge another store's graph into this one; how many of its nodes were deleted here and stay so.

    `renamed` gives a project's directory there its name here. Raises AwhmError, sqlite.Error, OSError.
    """
    graph = graph_json.read(path)
    if renamed:
        for node in graph.nodes:
            node.scope = renamed(node.scope)
            node.columns["project"] = renamed(str(node.columns.get("project") or ""))
    deleted = without_forgotten(paths, graph)
    if dry_run and not os.path.exists(paths.graph_db):
        return Merged(added=len(graph.nodes)), deleted
    for directory in (paths.data_dir, paths.meta, paths.graph, paths.snapshots):
        paths.make(directory)
    merged = Merged()
    with locked(paths.worker_lock, LOCK_WAIT_S):
        writer = snapshots.open_existing(paths) if os.path.exists(paths.graph_db) else open_writer(paths)
        with contextlib.closing(writer.db):
            with contextlib.suppress(_NotInEarnest), writer.transaction():
                merged = merge(writer, graph)
                if dry_run:
                    raise _NotInEarnest
            if not dry_run:
                snapshots.keep_base(paths, writer, now)
    return merged, deleted


def reload_base(paths: Paths, writer: GraphWriter) -> None:
    """Give an empty store what it held that is in no raw log, before those are read. Raises AwhmError, OSError."""
    base = next(iter(snapshots.bases(paths)), None)
    if base is None or writer.db.execute("SELECT 1 FROM nodes UNION ALL SELECT 1 FROM sessions LIMIT 1").fetchone():
        return
    graph = graph_json.read(base.path)
    without_forgotten(paths, graph)
    with writer.transaction():
        fill(writer, graph)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Renamed = Callable[[str], str]
