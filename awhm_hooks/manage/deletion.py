"""Hard deletion: what it is to reach, what it takes away, and that nothing of it is left.

One way for all: tombstones are written first, then whatever they forget is taken out of everything that is kept. That
is why an interrupted deletion can be finished by whoever comes next, without knowing the text: `finish`. In the same
way nothing that was deleted comes back from a transcript, a snapshot or an import. What is deleted counts as never
said: what it had superseded holds again, unless something else superseded it too.
"""

import contextlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import tombstone_file
from awhm_hooks.consolidate.tombstones import Tombstone, Tombstones
from awhm_hooks.errors import AwhmError
from awhm_hooks.files import locked, write_whole
from awhm_hooks.graph import removal
from awhm_hooks.graph.removal import Removal, scrub_pages
from awhm_hooks.graph.writer import GraphWriter, open_writer
from awhm_hooks.manage import deletion_files, deletion_graph, deletion_logs, deletion_verify, injections
from awhm_hooks.manage.deletion_files import FileScrubber
from awhm_hooks.manage.deletion_logs import LogRewriter, Rewritten, WalRewriter, sessions
from awhm_hooks.manage.deletion_selection import Selected, Selection, select
from awhm_hooks.manage.deletion_verify import Needle, Scanned
from awhm_hooks.paths import Paths

LOCK_WAIT_S = 120.0
PASSES = 3


@dataclass
class Outcome:
    """What a deletion took away, or would: counts by place.

    `previews` are the first of the texts, `transcripts` the client's own files that may hold them still, `scanned` what
    was found of them afterwards; `unscrubbed` says that a reader kept SQLite's log from being emptied.
    """

    graph: removal.Counts = field(default_factory=removal.Counts)
    logs: deletion_logs.Counts = field(default_factory=deletion_logs.Counts)
    files: deletion_files.Counts = field(default_factory=deletion_files.Counts)
    previews: list[str] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)
    scanned: Scanned | None = None
    unscrubbed: bool = False

    def counts(self) -> dict[str, int]:
        """Every place with what was taken out of it."""
        return {**asdict(self.graph), **asdict(self.logs), **asdict(self.files)}

    def is_nothing(self) -> bool:
        return not any(count for name, count in self.counts().items() if name != "revived")

    def add(self, other: "Outcome") -> None:
        self.graph.add(other.graph)
        self.logs.add(other.logs)
        self.files.add(other.files)
        self.transcripts += [path for path in other.transcripts if path not in self.transcripts]
        self.unscrubbed = other.unscrubbed


def survey(paths: Paths, config: AWHMConfig, selection: Selection, now: float) -> Outcome:
    """What a deletion would take away; nothing is changed. Raises AwhmError, sqlite.Error, OSError."""
    if not _is_there(paths, selection):
        return Outcome()
    with _store(paths, config) as writer:
        selected = select(paths, writer, selection, now)
        return _Pass(paths, config, writer, selected, dry_run=True).run()


def delete(paths: Paths, config: AWHMConfig, selection: Selection, now: float) -> Outcome:
    """Delete, then look whether anything is left, and again where a hook wrote meanwhile.

    Raises AwhmError for an id that no memory has: then nothing is deleted; sqlite.Error, OSError.
    """
    if not _is_there(paths, selection):
        return Outcome()
    with _store(paths, config) as writer:
        selected = select(paths, writer, selection, now)
        outcome = _Pass(paths, config, writer, selected, dry_run=True).run()
        if outcome.is_nothing():
            return outcome
        _announce(paths, selected.stones)
        total = Outcome(previews=outcome.previews)
        for _ in range(PASSES):
            done = _Pass(paths, config, writer, selected, dry_run=False).run()
            total.add(done)
            total.scanned = deletion_verify.scan(paths, selected.texts)
            if done.is_nothing() or selection.is_bounded() or not total.scanned.real():
                break
        _note(paths, selection.kind(), total, selected.stones, now)
        os.unlink(tombstone_file.unfinished_file(paths))
        return total


def verify(paths: Paths, config: AWHMConfig, texts: list[str]) -> Scanned:
    """Look for texts in every byte of the data directory; without texts, for what the tombstones forget.

    Raises AwhmError, sqlite.Error, OSError.
    """
    if texts or not os.path.isdir(paths.data_dir):
        return deletion_verify.scan(paths, texts)
    scanned = deletion_verify.scan(paths, [])
    with _store(paths, config) as writer:
        stones = tombstone_file.load(paths)
        if stones:
            selected = Selected(stones, [], None, None)
            left = _Pass(paths, config, writer, selected, dry_run=True).run()
            scanned.findings += [
                deletion_verify.Finding(name, 0, "tombstone", f"{count} that were deleted")
                for name, count in left.counts().items()
                if count and name not in ("revived", "terms")
            ]
    return scanned


def finish(paths: Paths, config: AWHMConfig, writer: GraphWriter) -> Outcome:
    """Finish a deletion that was interrupted, from its tombstones; the worker's lock is held. Raises as `delete`."""
    marker = tombstone_file.unfinished_file(paths)
    stones = tombstone_file.load(paths, _begin_of(marker))
    outcome = Outcome()
    if stones:
        with writer.transaction():  # which places of the logs these were is not known any more: they are read again
            writer.db.execute("UPDATE sessions SET consumed = 0")
        outcome = _Pass(paths, config, writer, Selected(stones, [], None, None), dry_run=False).run()
        _note(paths, "finished", outcome, stones, time.time())
    os.unlink(marker)
    return outcome


def _is_there(paths: Paths, selection: Selection) -> bool:
    """Whether there is a data directory; none is made to delete from it. Raises UsageError, AwhmError for an id."""
    selection.check()
    is_there = os.path.isdir(paths.data_dir)
    if not is_there and selection.ids:
        raise AwhmError(f"{selection.ids[0]}: nothing is remembered yet; 0 deleted")
    return is_there


@contextlib.contextmanager
def _store(paths: Paths, config: AWHMConfig) -> "Iterator[GraphWriter]":
    """The store, with the worker kept out of it; a deletion that was interrupted is finished first."""
    paths.make(paths.meta)
    with locked(paths.worker_lock, LOCK_WAIT_S):
        writer = open_writer(paths)
        with contextlib.closing(writer.db):
            if os.path.exists(tombstone_file.unfinished_file(paths)):
                finish(paths, config, writer)
            yield writer


def _announce(paths: Paths, stones: Tombstones) -> None:
    """From here on the deletion will be carried out, by whomever: first where its tombstones begin, then they."""
    path = tombstone_file.path_of(paths)
    begin = {"from": os.path.getsize(path)}
    write_whole(tombstone_file.unfinished_file(paths), json.dumps(begin).encode())
    tombstone_file.append(paths, stones.stones)


def _begin_of(marker: str) -> int:
    """Where the tombstones of an interrupted deletion begin; 0, all of them, where that cannot be read."""
    try:
        with open(marker, encoding="ascii") as file:
            return int(json.load(file)["from"])
    except (ValueError, KeyError, TypeError):
        return 0


def _note(paths: Paths, kind: str, outcome: Outcome, stones: Tombstones, now: float) -> None:
    """The ledger: when, by what, how many in each place, and the hashes; never the content."""
    line = {
        "at": round(now, 3),
        "by": kind,
        "counts": {name: count for name, count in outcome.counts().items() if count},
        "hashes": [_hash_of(stone) for stone in stones.stones],
        "left": len(outcome.scanned.real()) if outcome.scanned else None,
    }
    tombstone_file.append_durably(tombstone_file.ledger_file(paths), (json.dumps(line) + "\n").encode("ascii"))


def _hash_of(stone: Tombstone) -> str:
    return stone.span or stone.subject or stone.message or stone.session or stone.project or stone.kind.value


@dataclass
class _Pass:
    """One way through everything that is kept; the worker's lock is held.

    The graph is committed last: until then an id that was asked for is known, and a run that was interrupted can be
    run again.
    """

    paths: Paths
    config: AWHMConfig
    writer: GraphWriter
    selected: Selected
    dry_run: bool

    def run(self) -> Outcome:
        outcome = Outcome()
        with contextlib.suppress(deletion_graph.DryRun), self.writer.transaction():
            gone = deletion_graph.forget(self.writer, self.selected.stones, self.selected.nodes)
            outcome.graph = gone.counts
            rewritten = self._rewrite_logs(gone)
            outcome.logs = rewritten.counts
            outcome.transcripts = sorted(filter(os.path.exists, rewritten.transcripts))
            outcome.files = self._scrubber().scrub()
            outcome.files.other_files += bool(injections.forget(self.paths, gone.uids, self.dry_run))
            outcome.previews = self._previews(rewritten)
            self.writer.refresh_access_p90()
            if self.dry_run:
                raise deletion_graph.DryRun
            self._note_places(rewritten)
        if not self.dry_run:
            deletion_graph.erase_vectors(self.paths, self.writer)
            outcome.unscrubbed = not scrub_pages(self.writer)
        return outcome

    def _rewrite_logs(self, gone: Removal) -> Rewritten:
        logs = LogRewriter(self.paths, self.selected.stones, gone.uids, gone.renamed, self.dry_run)
        for session in sessions(self.paths, self.paths.logs, ".jsonl"):
            if self.selected.concerns(session):
                logs.rewrite(session)
        wals = WalRewriter(
            self.paths, self.config, gone.marks | logs.found.marks, gone.uids, gone.renamed, self.dry_run
        )
        for session in sessions(self.paths, self.paths.wal, ".wal"):
            wals.rewrite(session)
        logs.found.counts.wal_records = wals.counts.wal_records
        return logs.found

    def _scrubber(self) -> FileScrubber:
        needles = [Needle(text) for text in self.selected.texts]
        stones = self.selected.stones
        holds: Callable[[bytes], bool] = (
            (lambda data: any(needle.is_in(data) for needle in needles))
            if needles
            else (lambda data: bool(stones.spans(data.decode("utf-8", "replace"), stones.anywhere)))
        )
        with_snapshots = bool(self.config.delete_snapshots_on_hard_delete)
        return FileScrubber(self.paths, stones, holds, with_snapshots, self.dry_run)

    def _previews(self, rewritten: Rewritten) -> list[str]:
        return list(dict.fromkeys([*self.selected.previews, *(record.text for record in rewritten.previews)]))

    def _note_places(self, rewritten: Rewritten) -> None:
        """How much of each rewritten log the graph holds; a session of which nothing is left is not known any more."""
        query = self.writer.db.execute
        for session, moved in rewritten.consumed.items():
            row = query("SELECT consumed FROM sessions WHERE id = ?", (session,)).fetchone()
            if row:
                query("UPDATE sessions SET consumed = ? WHERE id = ?", (moved(row[0]), session))
            if not os.path.exists(self.paths.log_file(session)):
                query("DELETE FROM stage2_sessions WHERE id = ?", (session,))
                query(
                    "DELETE FROM sessions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM nodes WHERE session = ?)",
                    (session, session),
                )
        query(
            "DELETE FROM scopes WHERE docs = 0 AND key != 'user' AND id NOT IN (SELECT scope FROM nodes)"
            " AND key NOT IN (SELECT project FROM sessions)"
        )


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
