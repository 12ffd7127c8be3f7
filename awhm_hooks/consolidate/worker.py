"""The worker: one at a time, detached, from raw logs to the graph.

It takes every session whose log has grown past what the graph holds. A session is committed in one transaction that
also notes how much of its log it holds, so a worker killed at any point leaves nothing half done and the next goes on.
"""

import os
import sys
import time
from dataclasses import dataclass, field
from types import TracebackType

from awhm_hooks import config as configuration
from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import completion
from awhm_hooks.consolidate.attempts import Attempts
from awhm_hooks.errors import AwhmError, LockTimeout, StoreCorrupt
from awhm_hooks.files import locked
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.writer import GraphWriter, open_writer, set_aside
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths, decode_name, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.linking import EntityLinker
    from awhm_hooks.consolidate.ner import Recogniser
    from awhm_hooks.consolidate.stage1 import Tally


@dataclass
class Report:
    """What a run did: sessions consolidated, sessions that failed (with the reason), and the sums over all."""

    sessions: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, tally: "Tally") -> None:
        self.sessions += 1
        for name, count in vars(tally).items():
            self.counts[name] = self.counts.get(name, 0) + count


def main() -> None:
    """The detached process. What goes wrong in it is one line in the error log."""
    paths = resolve(dict(os.environ))

    def note(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        error_log.note(paths, "worker", problem)

    sys.excepthook = note
    if hasattr(os, "nice"):
        os.nice(5)
    run(paths, configuration.load(paths, dict(os.environ)), wait_s=0.0)


def pending(paths: Paths, config: AWHMConfig, writer: GraphWriter) -> list[str]:
    """The sessions whose raw log holds more than the graph, or that fell silent without an end; oldest log first."""
    known = {row[0]: row[1:] for row in writer.db.execute("SELECT id, consumed, ended FROM sessions")}
    waiting: list[tuple[float, str]] = []
    try:
        entries = list(os.scandir(paths.logs))
    except FileNotFoundError:
        return []
    for entry in entries:
        if entry.name.endswith(".jsonl") and entry.is_file():
            session = decode_name(entry.name[: -len(".jsonl")])
            state = entry.stat()
            consumed, ended = known.get(session, (0, 0))
            has_grown = state.st_size > consumed and raw_log.whole_bytes(entry.path, consumed) > consumed
            if has_grown or (not ended and _is_idle(state.st_mtime, config)):
                waiting.append((state.st_mtime, session))
    return [session for _, session in sorted(waiting)]


def _is_idle(at: float, config: AWHMConfig) -> bool:
    return bool(time.time() - at > config.session_idle_hours * 3600)


def run(
    paths: Paths, config: AWHMConfig, wait_s: float, progress: "Progress | None" = None, insist: bool = False
) -> Report:
    """Consolidate every waiting session; where a person insists, also one that failed before.

    Another worker at work makes this one return at once, or after `wait_s`. A session that ends while the lock is held
    is seen by the holder: it looks again after it has let go. Raises AwhmError where the store cannot be used.
    """
    report = Report()
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    attempts = Attempts(paths, insist)
    while True:
        try:
            with locked(paths.worker_lock, wait_s):
                writer = _open_or_rebuild(paths)
                try:
                    _consolidate_all(paths, config, writer, attempts, report, progress)
                finally:
                    writer.db.close()
        except LockTimeout:
            return report
        writer = open_writer(paths)
        waiting = [one for one in pending(paths, config, writer) if one not in report.failed and attempts.may_try(one)]
        writer.db.close()
        if not waiting:
            return report


def _open_or_rebuild(paths: Paths) -> GraphWriter:
    """The store; a damaged one is moved aside and made anew from the raw logs, which this run then does."""
    try:
        writer = open_writer(paths)
        check = writer.db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if check == "ok":
            return writer
        writer.db.close()
        problem = StoreCorrupt(f"{paths.graph_db}: {check}")
    except StoreCorrupt as found:
        problem = found
    except (sqlite.DatabaseError, UnicodeDecodeError) as found:
        if isinstance(found, sqlite.OperationalError):
            raise
        problem = StoreCorrupt(f"{paths.graph_db}: {found}")
    kept = set_aside(paths.graph_db, time.time())
    error_log.note(paths, "worker", f"{problem}; moved to {kept} and rebuilt from the raw logs")
    return open_writer(paths)


def _consolidate_all(
    paths: Paths,
    config: AWHMConfig,
    writer: GraphWriter,
    attempts: Attempts,
    report: Report,
    progress: "Progress | None",
) -> None:
    waiting = [session for session in pending(paths, config, writer) if attempts.may_try(session)]
    if not waiting:
        return
    linker = _linker(paths, config, writer)
    for number, session in enumerate(waiting):
        if progress:
            progress(number, len(waiting))
        attempts.begin(session)
        try:
            report.add(_consolidate(paths, config, writer, linker, session))
        except (sqlite.Error, OSError, ValueError, AwhmError) as problem:
            report.failed[session] = f"{type(problem).__name__}: {problem}"
            error_log.note(paths, f"worker session {session}", problem)
            continue
        attempts.succeeded(session)
    with writer.transaction():
        writer.refresh_access_p90()


def _linker(paths: Paths, config: AWHMConfig, writer: GraphWriter) -> "EntityLinker":
    """Entity recognition and linking; without labels, or without the model, no entities are looked for."""
    from awhm_hooks.consolidate.linking import EntityLinker

    labels = tuple(label for label in config.ner_labels if label)
    return EntityLinker(writer, _recogniser(paths, labels) if labels else None)


def _recogniser(paths: Paths, labels: tuple[str, ...]) -> "Recogniser | None":
    from awhm_hooks.consolidate.ner import Recogniser

    recogniser = Recogniser(labels)
    try:
        recogniser.load()
    except AwhmError as problem:
        error_log.note(paths, "worker", problem)
        return None
    return recogniser


def _consolidate(
    paths: Paths, config: AWHMConfig, writer: GraphWriter, linker: "EntityLinker", session: str
) -> "Tally":
    from awhm_hooks.consolidate.stage1 import SessionRun, Tally

    log = paths.log_file(session)
    records = list(raw_log.read(log))
    if is_over(records, config):  # a live session's transcript may be ahead of its hooks
        completion.complete(paths, writer, session, records)
    size = raw_log.whole_bytes(log)  # before reading, so that what comes in between is left for the next run
    records = list(raw_log.read(log, 0, size))
    wal_records = wal.read_all(paths.wal_file(session))
    if not records:
        with writer.transaction():
            writer.note_session(session, "", 0.0, 0.0, size, True)
        return Tally()
    project = next((record.project for record in records if record.project), "")
    over = is_over(records, config)
    with writer.transaction():
        tally = SessionRun(writer, session, project, config, linker).run(records)
        for record in wal_records:
            if record.get("k") == wal.INJECTION:
                writer.note_injections(session, record["marks"], record["uids"], float(record["at"]))
        times = [record.at for record in records]
        writer.note_session(session, project, min(times), max(times), size, over)
    if over:
        wal.remove_if(paths.wal_file(session), lambda: raw_log.whole_bytes(log) == size)
    return tally


def is_over(records: list[Record], config: AWHMConfig) -> bool:
    """The newest mark or message is an end, or is so old that no end will come."""
    marks = [record for record in records if record.kind in ("message", raw_log.START, raw_log.END)]
    if not marks:
        return True
    newest = max(marks, key=lambda record: (record.at, record.begin))
    return newest.kind == raw_log.END or _is_idle(newest.at, config)


if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int], None]
