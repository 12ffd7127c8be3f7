"""The worker: one at a time, detached, from raw logs to the graph.

It takes every session whose log has grown past what the graph holds. A session is committed in one transaction that
also notes how much of its log it holds, so a worker killed at any point leaves nothing half done and the next goes on.
"""

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

from awhm_hooks import code_cache, error_log
from awhm_hooks import config as configuration
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import completion, tombstone_file, unheard
from awhm_hooks.consolidate.attempts import Attempts
from awhm_hooks.entry import GUARDS
from awhm_hooks.errors import AwhmError, LockTimeout, StoreCorrupt
from awhm_hooks.files import locked
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.writer import GraphWriter, open_writer, set_aside
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths, decode_name, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from awhm_hooks.consolidate.by_hand import ByHand
    from awhm_hooks.consolidate.indexing import TextEmbedder
    from awhm_hooks.consolidate.linking import EntityLinker
    from awhm_hooks.consolidate.ner import Recogniser
    from awhm_hooks.consolidate.stage1 import Tally
    from awhm_hooks.consolidate.stage2 import Outcome, Wish
    from awhm_hooks.consolidate.tombstones import Tombstones


_HEAD_BYTES = 65_536


@dataclass
class Report:
    """What a run did: sessions consolidated, sessions that failed (with the reason), and the sums over all.

    `stage2` is None where Stage 2 is off.
    """

    sessions: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    stage2: "Outcome | None" = None

    def __post_init__(self) -> None:
        self._names: set[str] = set()

    def add(self, session: str, tally: "Tally") -> None:
        """Add what was done for a session; one that is consolidated again after Stage 2 counts once."""
        self._names.add(session)
        self.sessions = len(self._names)
        for name, count in vars(tally).items():
            self.counts[name] = self.counts.get(name, 0) + count


def main() -> None:
    """The detached process. What goes wrong in it is one line in the error log."""
    if any(guard in os.environ for guard in GUARDS):  # started from within a model call of our own
        return
    paths = resolve(dict(os.environ))
    if not os.path.isdir(paths.data_dir):  # deleted since the hook started this process: it stays deleted
        return

    def note(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        error_log.note(paths, "worker", problem)

    sys.excepthook = note
    if hasattr(os, "nice"):
        os.nice(5)
    with suppress(OSError):  # the package may lie where this person cannot write
        code_cache.refresh()
    run(paths, configuration.salvaged(paths, dict(os.environ)), wait_s=0.0)


def pending(paths: Paths, config: AWHMConfig, writer: GraphWriter) -> list[str]:
    """The sessions whose raw log holds more than the graph, or that fell silent without an end.

    The one that began first is first; files' dates do not tell: an import logs today what was said last year.
    """
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
                waiting.append((_begun_at(entry.path, state.st_mtime), session))
    return [session for _, session in sorted(waiting)]


def _begun_at(log: str, otherwise: float) -> float:
    first = next(raw_log.read(log, 0, _HEAD_BYTES), None)
    return first.at if first else otherwise


def _is_idle(at: float, config: AWHMConfig) -> bool:
    return bool(time.time() - at > config.session_idle_hours * 3600)


def run(
    paths: Paths,
    config: AWHMConfig,
    wait_s: float,
    progress: "Progress | None" = None,
    insist: bool = False,
    embedder: "TextEmbedder | None" = None,
    only: str | None = None,
    stage2: "Wish | None" = None,
) -> Report:
    """Consolidate every waiting session, or `only` this one; where a person insists, also one that failed before.

    Another worker at work makes this one return at once, or after `wait_s`. A session that ends while the lock is held
    is seen by the holder: it looks again after it has let go. `embedder` takes the place of the prepared model. Where
    it is switched on, Stage 2 follows; `stage2` says about what. Raises AwhmError where the store cannot be used.
    """
    report = Report()

    def consolidate() -> None:
        _run_stage1(paths, config, wait_s, progress, insist, embedder, only, report)

    if not config.stage2_enabled or (only and stage2 is None):
        consolidate()
        return report
    from awhm_hooks.consolidate.stage2 import Wish
    from awhm_hooks.consolidate.stage2 import run as run_stage2

    report.stage2 = run_stage2(paths, config, stage2 or Wish(), consolidate, wait_s)
    return report


def _run_stage1(
    paths: Paths,
    config: AWHMConfig,
    wait_s: float,
    progress: "Progress | None",
    insist: bool,
    embedder: "TextEmbedder | None",
    only: str | None,
    report: Report,
) -> None:
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    attempts = Attempts(paths, insist)
    while True:
        try:
            with locked(paths.worker_lock, wait_s):
                writer = _open_or_rebuild(paths)
                try:
                    _finish_deletion(paths, config, writer)
                    _reload_base(paths, writer)
                    _Run(paths, config, writer, attempts, report, progress, embedder, only).work()
                finally:
                    writer.db.close()
        except LockTimeout:
            return
        writer = open_writer(paths)
        waiting = [one for one in pending(paths, config, writer) if one not in report.failed and attempts.may_try(one)]
        writer.db.close()
        if only or not waiting:
            return


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


def _finish_deletion(paths: Paths, config: AWHMConfig, writer: GraphWriter) -> None:
    """A deletion that was interrupted is done before anything else is read."""
    if os.path.exists(tombstone_file.unfinished_file(paths)):
        from awhm_hooks.manage.deletion import finish

        finish(paths, config, writer)


def _reload_base(paths: Paths, writer: GraphWriter) -> None:
    """An empty store first gets back what is in no raw log: what a restore or an import of a graph brought."""
    if os.path.isdir(paths.snapshots) and not writer.db.execute("SELECT 1 FROM sessions LIMIT 1").fetchone():
        from awhm_hooks.manage.restoring import reload_base

        try:
            reload_base(paths, writer)
        except (AwhmError, OSError) as problem:
            error_log.note(paths, "worker base", problem)


@dataclass
class _Run:
    """One turn with the lock held. `rows` are vectors that hooks have made of messages, by node."""

    paths: Paths
    config: AWHMConfig
    writer: GraphWriter
    attempts: Attempts
    report: Report
    progress: "Progress | None"
    embedder: "TextEmbedder | None"
    only: str | None = None
    rows: dict[int, bytes] = field(default_factory=dict)
    forgotten: "Tombstones" = field(init=False)
    by_hand: "ByHand" = field(init=False)

    def work(self) -> None:
        waiting = [one for one in pending(self.paths, self.config, self.writer) if self.attempts.may_try(one)]
        if self.only:
            waiting = [one for one in waiting if one == self.only]
        if waiting:
            self._consolidate_all(waiting)
        if self.config.semantic and self.writer.without_vectors(1):
            self._index()

    def _consolidate_all(self, waiting: list[str]) -> None:
        from awhm_hooks.consolidate import by_hand

        self.forgotten = tombstone_file.load(self.paths)
        self.by_hand = by_hand.ByHand.read(self.paths)
        linker = self._linker(is_needed=waiting != [by_hand.SESSION])
        for number, session in enumerate(waiting):
            if self.progress:
                self.progress(number, len(waiting))
            self.attempts.begin(session)
            try:
                self.report.add(session, self._consolidate(linker, session))
            except (sqlite.Error, OSError, ValueError, AwhmError) as problem:
                self.report.failed[session] = f"{type(problem).__name__}: {problem}"
                error_log.note(self.paths, f"worker session {session}", problem)
                continue
            self.attempts.succeeded(session)
        with self.writer.transaction():
            self.writer.refresh_access_p90()

    def _linker(self, is_needed: bool) -> "EntityLinker":
        """Entity recognition and linking; without labels, or without the model, no entities are looked for."""
        from awhm_hooks.consolidate.linking import EntityLinker

        labels = tuple(label for label in self.config.ner_labels if label and is_needed)
        return EntityLinker(self.writer, self._recogniser(labels) if labels else None)

    def _recogniser(self, labels: tuple[str, ...]) -> "Recogniser | None":
        from awhm_hooks.consolidate.ner import Recogniser

        recogniser = Recogniser(labels)
        try:
            recogniser.load()
        except AwhmError as problem:
            error_log.note(self.paths, "worker", problem)
            return None
        return recogniser

    def _consolidate(self, linker: "EntityLinker", session: str) -> "Tally":
        from awhm_hooks.consolidate import by_hand, stage2_record
        from awhm_hooks.consolidate.stage1 import SessionRun, Tally
        from awhm_hooks.manage import injections

        log = self.paths.log_file(session)
        records = list(raw_log.read(log))
        if is_over(records, self.config):  # a live session's transcript may be ahead of its hooks
            heard_not = unheard.Unheard(self.paths, self.config, records[0].project if records else "", records)
            completion.complete(self.paths, self.writer, session, records, self.forgotten, heard_not)
        size = raw_log.whole_bytes(log)  # before reading, so that what comes in between is left for the next run
        records = list(raw_log.read(log, 0, size))
        wal_records = wal.read_all(self.paths.wal_file(session))
        if not records:
            with self.writer.transaction():
                self.writer.note_session(session, "", 0.0, 0.0, size, True)
            return Tally()
        project = next((record.project for record in records if record.project), "")
        over = is_over(records, self.config)
        kept = self.forgotten.filtered(session, project, raw_log.in_force(records))
        with self.writer.transaction():
            if session == by_hand.SESSION:
                tally = by_hand.apply(self.writer, self.config, kept)
            else:
                stage1 = SessionRun(self.writer, session, project, self.config, linker)
                stage1.by_hand, stage1.forgotten = self.by_hand, self.forgotten
                tally = stage1.run(kept)
                stage2_record.replay(stage1, kept)
                stage2_record.note_state(self.writer, session, kept)
            for record in wal_records:
                if record.get("k") == wal.INJECTION:
                    self.writer.note_injections(session, record["marks"], record["uids"], float(record["at"]))
            times = [record.at for record in records]
            self.writer.note_session(session, project, min(times), max(times), size, over)
        if self.config.semantic:
            self._take_vectors(session, wal_records)
        if over:
            injections.keep(self.paths, self.writer, session, wal_records)
            wal.remove_if(self.paths.wal_file(session), lambda: raw_log.whole_bytes(log) == size)
        return tally

    def _take_vectors(self, session: str, wal_records: list[dict[str, "Any"]]) -> None:
        if any("vec" in record for record in wal_records):
            from awhm_hooks.consolidate.indexing import known_rows

            self.rows.update(known_rows(wal_records, self.writer.message_nodes(session)))

    def _index(self) -> None:
        """Vectors for what has none; without a model recall stays lexical, and the log says why."""
        from awhm_hooks.consolidate import indexing

        try:
            embedder = self.embedder or _prepared_embedder(self.paths)
            indexing.index(self.paths, self.writer, embedder, self.rows)
        except (AwhmError, OSError) as problem:
            error_log.note(self.paths, "worker vectors", problem)


def _prepared_embedder(paths: Paths) -> "TextEmbedder":
    """The prepared model, which the first worker prepares. Raises AwhmError, OSError."""
    from awhm_hooks.consolidate.embed import Embedder
    from awhm_hooks.manage import model

    model.prepare(paths)
    return Embedder(paths)


def _is_live(record: Record) -> bool:
    """A message that a hook logged, not one that was completed from the transcript or imported."""
    return record.kind == "message" and "uuid" not in record.fields


def is_over(records: list[Record], config: AWHMConfig) -> bool:
    """The newest mark or message is an end, or is so old that no end will come."""
    marks = [record for record in records if record.kind in (raw_log.START, raw_log.END) or _is_live(record)]
    if not marks:
        return True
    newest = max(marks, key=lambda record: record.begin)  # the order of the log: clocks are put back at times
    return newest.kind == raw_log.END or _is_idle(newest.at, config)


if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int], None]
