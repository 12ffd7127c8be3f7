"""Import of history: the messages of Claude Code's transcripts into the raw logs, from where the worker takes them.

A transcript's session becomes the log of that session, `claude-<id>`; to one that was captured live only what it lacks
is added. A message is known by the id of its transcript line, wherever it stands (a fork and a resumed session repeat
the lines of another), by its time, role and text (older clients gave copied lines new ids), and in its own session by
role and text, the n-th of equals to the n-th, as the hooks have logged it. All that is needed to go on after an
interruption is in the raw logs: no other note of what was imported is kept.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import completion, tombstone_file, transcript
from awhm_hooks.consolidate.transcript import BadLine, Line
from awhm_hooks.consolidate.unheard import Unheard
from awhm_hooks.consolidate.worker import is_over
from awhm_hooks.errors import AwhmError
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.scope import project_of
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.manage.restoring import logged_sessions, note_set_aside
from awhm_hooks.paths import Paths

Progress = Callable[[int, int], None]

_SUBAGENTS = "subagents"
_AGENT_FILE = "agent-"
_EDGE_BYTES = 65_536
_STAMP = re.compile(rb'"timestamp"\s*:\s*"([^"]{10,40})"')


@dataclass(frozen=True)
class Wanted:
    """Which messages are asked for: those of one project (its key), those said at or after a moment."""

    project: str | None = None
    since: float | None = None


@dataclass(frozen=True)
class Rejected:
    """A line that was passed over: `path:line: reason`."""

    path: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


@dataclass
class SessionCount:
    """One session's share: messages that are new, that were known, and that were said before the moment asked for.

    `deleted` were deleted here and stay so, `unheard` were said where or when memory was off. `live` says that the
    session is still going on: what it says since its log began is left to its hooks.
    """

    session: str
    project: str
    first_at: float
    last_at: float
    new: int = 0
    known: int = 0
    earlier: int = 0
    deleted: int = 0
    unheard: int = 0
    live: bool = False


@dataclass
class Report:
    """What an import did, or would do. `others` counts sessions of other projects than the one asked for."""

    files: int = 0
    sessions: list[SessionCount] = field(default_factory=list)
    others: int = 0
    rejected: list[Rejected] = field(default_factory=list)

    def total(self, name: str) -> int:
        return sum(getattr(one, name) for one in self.sessions)


def files_of(places: Iterable[str]) -> list[str]:
    """The transcripts named, or in the folders named; subagents' files are left out. Raises AwhmError."""
    found: dict[str, None] = {}
    for place in places:
        path = os.path.abspath(os.path.expanduser(place))
        if os.path.isdir(path):
            found.update(dict.fromkeys(_transcripts_in(path)))
        elif os.path.exists(path):
            found[path] = None
        else:
            raise AwhmError(f"{place}: no such file or directory")
    return list(found)


def _transcripts_in(directory: str) -> Iterator[str]:
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != _SUBAGENTS)
        for name in sorted(names):
            if name.endswith(".jsonl") and not name.startswith(_AGENT_FILE):
                yield os.path.join(folder, name)


def import_transcripts(
    paths: Paths,
    config: AWHMConfig,
    files: list[str],
    wanted: Wanted,
    now: float,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Add to the raw logs what these transcripts have and the logs lack, oldest first. Raises OSError, AwhmError.

    `progress` is told bytes read and bytes in all. A dry run writes nothing.
    """
    work = _Import(paths, config, wanted, now, dry_run)
    sizes = {path: _size(path) for path in files}
    done, total = 0, sum(sizes.values())
    for path in sorted(files, key=_age):
        if progress:
            progress(done, total)
        work.take(path)
        done += sizes[path]
    if progress:
        progress(done, total)
    return work.report


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _age(path: str) -> tuple[float, float, str]:
    """Files by their first message; of a session and its fork, which begin alike, the one that fell silent first."""
    try:
        with open(path, "rb") as file:
            head = file.read(_EDGE_BYTES)
            file.seek(max(0, os.fstat(file.fileno()).st_size - _EDGE_BYTES))
            tail = file.read()
    except OSError:
        return 0.0, 0.0, path
    return min(_moments(head), default=float("inf")), max(_moments(tail), default=0.0), path


def _moments(lines: bytes) -> Iterator[float]:
    for stamp in _STAMP.findall(lines):
        at = transcript.moment(stamp.decode("ascii", "replace"))
        if at is not None:
            yield at


@dataclass
class _Log:
    """A session's raw log as it is, and as it is going to be.

    `uuids` maps transcript lines to message ids; `unmatched` holds the ids of what hooks logged, by role and text;
    `out` are the ids that a restore has set aside.
    """

    records: list[Record] = field(default_factory=list)
    project: str = ""
    hooks_since: float = float("inf")
    ids: set[str] = field(default_factory=set)
    uuids: dict[str, str] = field(default_factory=dict)
    unmatched: dict[str, list[str]] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    unheard: Unheard | None = None


@dataclass
class _News:
    """What is to be written to one log: new messages, ids of known ones' lines, and what is brought back."""

    records: list[dict[str, object]] = field(default_factory=list)
    matched: dict[str, str] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)


class _Import:
    """One import. `uuids` and `said` are the lines, and the (milliseconds, role and text), that are known anywhere."""

    def __init__(self, paths: Paths, config: AWHMConfig, wanted: Wanted, now: float, dry_run: bool) -> None:
        self.paths = paths
        self.config = config
        self.wanted = wanted
        self.now = now
        self.dry_run = dry_run
        self.report = Report()
        self.forgotten = tombstone_file.load(paths)
        self.uuids = _uuids_of_graph(paths)
        self.said: set[tuple[int, str]] = set()
        self._logs: dict[str, _Log] = {}
        self._counts: dict[str, SessionCount] = {}
        self._projects: dict[str, str] = {}
        self._others: set[str] = set()
        for session in logged_sessions(paths):
            for record in raw_log.read(paths.log_file(session)):
                self._learn(record)

    def _learn(self, record: Record) -> None:
        self.uuids.update(uuid for _, uuid in _message_uuids(record))
        if record.kind == "message":
            self.said.add((round(record.at * 1000), raw_log.fingerprint(record.role, record.text)))

    def take(self, path: str) -> None:
        """One file. Its sessions are those that its lines name; a line without one belongs to the file's name."""
        self.report.files += 1
        if not os.path.exists(path):
            self.report.rejected.append(Rejected(path, 0, "no such file"))
            return
        sessions: dict[str, list[Line]] = {}
        stem = os.path.basename(path).removesuffix(".jsonl")
        try:
            for line in transcript.read(path):
                if isinstance(line, BadLine):
                    self.report.rejected.append(Rejected(path, line.number, line.reason))
                else:
                    sessions.setdefault(line.session or stem, []).append(line)
        except OSError as problem:
            self.report.rejected.append(Rejected(path, 0, str(problem.strerror)))
        for name, lines in sessions.items():
            self._take_session(raw_log.CLIENT_PREFIX + name, lines)

    def _take_session(self, session: str, lines: list[Line]) -> None:
        log = self._log(session)
        if not log.project:
            log.project = self._project_of(next((line.cwd for line in lines if line.cwd), ""))
        if log.unheard is None:
            log.unheard = Unheard(self.paths, self.config, log.project, log.records)
            log.records = []
        if self.wanted.project not in (None, log.project):
            self._others.add(session)
            self.report.others = len(self._others)
            return
        count = self._count(session, log, lines)
        news = _News()
        for line in lines:
            if self.wanted.since is not None and line.at < self.wanted.since:
                count.earlier += 1
            elif line.at >= log.hooks_since:
                count.live = True
            else:
                self._take_line(session, log, line, news, count)
        if not self.dry_run:
            self._write(session, log, news)

    def _kept(self, session: str, record: dict[str, object]) -> dict[str, object] | None:
        """A record without what was deleted here; None where all of it was."""
        return self.forgotten.kept_fields(session, record) if self.forgotten else record

    def _take_line(self, session: str, log: _Log, line: Line, news: _News, count: SessionCount) -> None:
        record = self._kept(session, transcript.as_record(line, log.project))
        if record is None:
            count.deleted += 1
            return
        record_id, mark = str(record["id"]), raw_log.fingerprint(line.role, str(record["text"]))
        known = self._known_as(log, line, record_id, mark, news)
        if known is not None and known not in log.out:
            count.known += 1
            return
        if log.unheard and log.unheard.holds(line):
            count.unheard += 1
            return
        count.new += 1
        if known is None:
            self._note(log, line, record_id, mark)
            news.records.append({"imported_at": round(self.now, 3), **record})
        else:
            news.back.add(known)

    def _known_as(self, log: _Log, line: Line, record_id: str, mark: str, news: _News) -> str | None:
        """The id under which a message is known, "" where another session holds it; None for a new one."""
        if line.uuid in log.uuids:
            return log.uuids[line.uuid]
        if record_id in log.ids:
            return record_id
        if log.unmatched.get(mark):
            known = log.unmatched[mark].pop(0)
            if line.uuid:
                news.matched[known] = line.uuid
            self._note(log, line, known, mark)
            return known
        is_copy = line.uuid in self.uuids or (line.is_dated and (round(line.at * 1000), mark) in self.said)
        return "" if is_copy else None

    def _note(self, log: _Log, line: Line, record_id: str, mark: str) -> None:
        log.ids.add(record_id)
        self.said.add((round(line.at * 1000), mark))
        if line.uuid:
            log.uuids[line.uuid] = record_id
            self.uuids.add(line.uuid)

    def _write(self, session: str, log: _Log, news: _News) -> None:
        records = list(news.records)
        if news.matched:
            records.append({"kind": raw_log.TRANSCRIPT, "at": round(self.now, 3), "uuids": news.matched})
        if records:
            raw_log.append_lines(self.paths, session, records)
        if news.back:
            log.out -= news.back
            note_set_aside(self.paths, session, log.out, self.now)

    def _count(self, session: str, log: _Log, lines: list[Line]) -> SessionCount:
        first, last = min(line.at for line in lines), max(line.at for line in lines)
        count = self._counts.get(session)
        if count is None:
            count = self._counts[session] = SessionCount(session, log.project, first, last)
            self.report.sessions.append(count)
        count.first_at, count.last_at = min(count.first_at, first), max(count.last_at, last)
        return count

    def _log(self, session: str) -> _Log:
        if session not in self._logs:
            self._logs[session] = self._read_log(session)
        return self._logs[session]

    def _read_log(self, session: str) -> _Log:
        records = list(raw_log.read(self.paths.log_file(session)))
        log = _Log(records, out=raw_log.set_aside(records))
        if not records:
            return log
        log.project = next((record.project for record in records if record.project), "")
        hooked = [record for record in records if _is_of_hook(record)]
        if hooked and not is_over(records, self.config):
            log.hooks_since = completion.begins_at(hooked)
        for record in records:
            for message, uuid in _message_uuids(record):
                log.uuids[uuid] = message
        lined = set(log.uuids.values())
        for record in records:
            if record.kind == "message":
                log.ids.add(record.message_id)
                if record.message_id not in lined:
                    mark = raw_log.fingerprint(record.role, record.text)
                    log.unmatched.setdefault(mark, []).append(record.message_id)
        return log

    def _project_of(self, directory: str) -> str:
        """The project of a session's first directory, which need not be there any more, nor be of this machine."""
        if directory not in self._projects:
            is_ours = os.path.isabs(directory)
            self._projects[directory] = project_of(directory) if is_ours else directory
        return self._projects[directory]


def _is_of_hook(record: Record) -> bool:
    return record.kind in (raw_log.START, raw_log.END) or (record.kind == "message" and "uuid" not in record.fields)


def _uuids_of_graph(paths: Paths) -> set[str]:
    """The lines behind messages that came with another store's graph; a graph that cannot be read has none."""
    try:
        graph = open_graph(paths.graph_db)
        if graph is None:
            return set()
        with contextlib.closing(graph):
            return {row[0] for row in graph.db.execute("SELECT uuid FROM messages WHERE uuid IS NOT NULL")}
    except (AwhmError, sqlite.DatabaseError):
        return set()


def _message_uuids(record: Record) -> Iterator[tuple[str, str]]:
    """(message id, uuid of its transcript line) as a record tells them."""
    uuids = record.fields.get("uuids")
    if isinstance(uuids, dict):
        yield from ((str(message), str(uuid)) for message, uuid in uuids.items())
    uuid = record.fields.get("uuid")
    if isinstance(uuid, str) and uuid:
        yield record.message_id, uuid
