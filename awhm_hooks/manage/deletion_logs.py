"""Forgetting in the raw logs, and in the write-ahead logs that are derived from them.

A raw log is written anew as a whole, under its own lock; what a hook that did not wait for the lock put into the old
file meanwhile is carried over. The places of later records change: the write-ahead log and the graph's note of how much
of the log it holds are brought in line.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

from awhm_hooks import wire_json
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import by_hand, stage2_record
from awhm_hooks.consolidate.folding import Span
from awhm_hooks.consolidate.tombstones import (
    Kind,
    Tombstone,
    Tombstones,
    captured,
    cut,
    gone_of,
    said_in,
    with_kept,
)
from awhm_hooks.files import lock_fd, write_whole
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths, decode_name
from awhm_hooks.recall.context import injection_mark

_LOCK_WAIT_S = 5.0
_MARKS = (raw_log.START, raw_log.END, raw_log.TRANSCRIPT, raw_log.RESTORED, raw_log.SILENT)
_NO_CONTENT = ("at", "cwd", "project", "transcript", "id", "kind", "uuid", "prompt_id", "node", "role")


@dataclass
class Counts:
    """What was taken out of the logs: whole messages, cut messages, log files, records of write-ahead logs."""

    log_messages: int = 0
    log_spans: int = 0
    log_files: int = 0
    wal_records: int = 0

    def add(self, other: "Counts") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class Rewritten:
    """What became of the logs. `consumed` tells for a session how a place in its old log is called in the new.

    `marks` are the checksums by which what is gone was known to have been injected, `previews` the first of it.
    """

    counts: Counts = field(default_factory=Counts)
    consumed: dict[str, Callable[[int], int]] = field(default_factory=dict)
    marks: set[int] = field(default_factory=set)
    previews: list[Record] = field(default_factory=list)
    transcripts: set[str] = field(default_factory=set)


PREVIEWS = 8
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def sessions(paths: Paths, directory: str, suffix: str) -> Iterator[str]:
    """The sessions that have a file of this kind."""
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:
        return
    yield from (decode_name(name[: -len(suffix)]) for name in names if name.endswith(suffix))


@dataclass
class LogRewriter:
    """Takes what the tombstones forget out of raw logs.

    `uids` are the ids of memories that are gone, `renamed` maps ids of others to those that they bear now.
    """

    paths: Paths
    stones: Tombstones
    uids: set[str]
    renamed: dict[str, str]
    dry_run: bool
    found: Rewritten = field(default_factory=Rewritten)

    def rewrite(self, session: str) -> None:
        """Rewrite one session's log; a log of which nothing is left is removed. Raises OSError."""
        path = self.paths.log_file(session)
        if self._is_touched(session, path):
            rewrite_locked(path, lambda data: self._rewritten(session, data), self.dry_run)

    def _is_touched(self, session: str, path: str) -> bool:
        """Whether anything is to be done: asked without the lock, so that hooks wait for few logs and not for all."""
        looking = replace(self, dry_run=True, found=Rewritten())
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return False
        if session == by_hand.SESSION or not self.stones.are_stretches():
            return looking._rewritten(session, data) != data
        lines = data.split(b"\n")
        project = next((record.project for line in lines if (record := _record(line)) and record.project), "")
        suspects = (line for line in lines if self.stones.may_hold_bytes(line))
        return any(looking._kept_line(session, project, _record(line), line, set()) != line for line in suspects)

    def _rewritten(self, session: str, data: bytes) -> bytes:
        lines = data.split(b"\n")
        records = [_record(line) for line in lines]
        project = next((record.project for record in records if record and record.project), "")
        gone: set[str] = set()
        kept: list[bytes | None] = [
            self._kept_line(session, project, record, line, gone) for line, record in zip(lines, records, strict=True)
        ]
        if gone:
            kept = [line if line is None else _without_ids(line, gone) for line in kept]
        left = {record.message_id for record, line in zip(records, kept, strict=True) if record and line is not None}
        kept = [line if line is None else _without_orphans(line, left) for line in kept]
        if kept == lines:
            return data
        if self._is_forgotten_whole(session, project) and not _says_anything(kept):
            self.found.counts.log_files += 1
            kept = [None] * len(kept)
        return self._noted(session, lines, kept, records)

    def _noted(self, session: str, lines: list[bytes], kept: list[bytes | None], records: list[Record | None]) -> bytes:
        """The new log, and the note of where each place of the old one is in it."""
        moves = [(0, 0)]
        out: list[bytes] = []
        for number, (line, left) in enumerate(zip(lines, kept, strict=True)):
            end = b"" if number == len(lines) - 1 else b"\n"
            if left is not None:
                out.append(left + end)
            new = moves[-1][1] + (0 if left is None else len(out[-1]))
            moves.append((moves[-1][0] + len(line) + len(end), new))
        self.found.consumed[session] = lambda place: max(new for old, new in moves if old <= place)
        for record in records:
            transcript = record.fields.get("transcript") if record else None
            if isinstance(transcript, str) and transcript:
                self.found.transcripts.add(transcript)
        return b"".join(out)

    def _is_forgotten_whole(self, session: str, project: str) -> bool:
        """A session that is forgotten as such leaves no log; of another, when it began and ended is kept."""
        reaching = self.stones.reaches(session, project, 0.0)
        return any(stone.kind is Kind.ALL and (stone.session or stone.project) for stone in reaching)

    def _kept_line(
        self, session: str, project: str, record: Record | None, line: bytes, gone: set[str]
    ) -> bytes | None:
        if record is None:
            return None if line and self._holds_forgotten(line) else line
        if record.kind in _MARKS:
            return line
        if record.kind != "message":
            return self._kept_other(session, project, record, line)
        kept = self.stones.kept(said_in(session, project, record))
        if kept.text is not None and not kept.changed:
            return line
        self._note(record)
        if kept.text is None:
            gone.add(record.message_id)
            self.found.counts.log_messages += 1
            return None
        self.found.counts.log_spans += 1
        return wire_json.dumps(with_kept(record.fields, kept)).encode("ascii")

    def _holds_forgotten(self, line: bytes) -> bool:
        """Of a line that a crash cut off, nobody reads anything: it goes as a whole."""
        text = line.decode("utf-8", "replace")
        unescaped = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
        return bool(self.stones.spans(f"{text} {unescaped}", self.stones.anywhere))

    def _kept_other(self, session: str, project: str, record: Record, line: bytes) -> bytes | None:
        """A record of another kind: one that makes a memory goes with it, of others the stretches are cut out."""
        if session == by_hand.SESSION:
            return self._kept_by_hand(record, line)
        reaching = self.stones.reaches(session, project, record.at)
        if any(stone.kind is Kind.ALL for stone in reaching):
            return None
        return self._cut(record, line, reaching + self.stones.own(said_in(session, project, record), record.text))

    def _kept_by_hand(self, record: Record, line: bytes) -> bytes | None:
        node = record.fields.get("node")
        if record.kind == by_hand.RETRACT and (node in self.uids or self.stones.forgets_node(str(node))):
            return None
        if record.kind in (by_hand.REMEMBER, by_hand.SUPERSEDE):
            kept = self.stones.kept(said_in(by_hand.SESSION, record.project, record))
            if kept.changed or self.stones.forgets_node(by_hand.uid_of_record(record.message_id)):
                self._note(record)
                self.found.counts.log_messages += 1
                return None
        if isinstance(node, str) and node in self.renamed:
            line = wire_json.dumps({**record.fields, "node": self.renamed[node]}).encode("ascii")
            record = Record({**record.fields, "node": self.renamed[node]}, 0, 0)
        return self._cut(record, line, self.stones.reaches(by_hand.SESSION, record.project, record.at))

    def _cut(self, record: Record, line: bytes, stones: list[Tombstone]) -> bytes:
        new = {
            name: value if name in _NO_CONTENT else cut_strings(value, lambda text: self.stones.spans(text, stones))
            for name, value in record.fields.items()
        }
        if new == record.fields:
            return line
        self._note(record)
        self.found.counts.log_spans += 1
        return wire_json.dumps(new).encode("ascii")

    def _note(self, record: Record) -> None:
        self.found.marks.update(injection_mark(text) for text in (record.text, *_statements(record)))
        if len(self.found.previews) < PREVIEWS:
            self.found.previews.append(record)


def _statements(record: Record) -> list[str]:
    return [one.text for one in captured(record.text)] if record.role == raw_log.USER else []


def _says_anything(lines: list[bytes | None]) -> bool:
    records = (_record(line) for line in lines if line is not None)
    return any(record is not None and record.kind not in _MARKS for record in records)


def _without_ids(line: bytes, gone: set[str]) -> bytes:
    """The ids of messages hold a checksum of their text: those that are gone go from other records as well."""
    record = _record(line) if any(name in line for name in (b'"uuids"', b'"out"', b'"asked"')) else None
    if record is None or record.kind not in (raw_log.TRANSCRIPT, raw_log.RESTORED, stage2_record.KIND):
        return line
    new = dict(record.fields)
    for name, value in record.fields.items():
        if name == "uuids" and isinstance(value, dict):
            new[name] = {message: uuid for message, uuid in value.items() if message not in gone}
        elif name in ("out", "asked") and isinstance(value, list):
            new[name] = [message for message in value if message not in gone]
    return wire_json.dumps(new).encode("ascii") if new != record.fields else line


def _without_orphans(line: bytes, left: set[str]) -> bytes:
    """What a model made of messages goes with the last of them."""
    record = _record(line) if b'"memories"' in line else None
    memories = record.fields.get("memories") if record else None
    if record is None or record.kind != stage2_record.KIND or not isinstance(memories, list):
        return line
    read = [one for one in memories if isinstance(one, dict) and isinstance(one.get("messages"), list)]
    kept = [{**one, "messages": here} for one in read if (here := [id_ for id_ in one["messages"] if id_ in left])]
    return wire_json.dumps({**record.fields, "memories": kept}).encode("ascii") if kept != memories else line


def rewrite_locked(path: str, change: Callable[[bytes], bytes], dry_run: bool) -> None:
    """Replace a log by what `change` makes of it, "" to remove it, holding its lock. Raises OSError.

    A missing file is left missing, and an unchanged one untouched.
    """
    try:
        fd = os.open(path, os.O_RDONLY if dry_run else os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        if not dry_run:
            lock_fd(fd, _LOCK_WAIT_S)
        state = os.fstat(fd)
        with open(fd, "rb", closefd=False) as file:
            data = file.read()
        new = change(data)
        if dry_run or new == data:
            return
        _put(path, new, state)
        os.lseek(fd, len(data), os.SEEK_SET)
        with open(fd, "rb", closefd=False) as file:
            late = file.read()
        if late:  # a hook that did not wait any longer; the file that it had opened is this one
            _append(path, late)
    finally:
        os.close(fd)


def _put(path: str, data: bytes, state: os.stat_result) -> None:
    if not data:
        os.unlink(path)
        return
    write_whole(path, data)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))  # when the session was last heard of is told by it


def _append(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


def cut_strings(value: object, spans_in: Callable[[str], list[Span]]) -> object:
    """A JSON value with the spans cut out of every string in it."""
    if isinstance(value, str):
        spans = spans_in(value)
        return cut(value, spans) if spans else value
    if isinstance(value, list):
        return [cut_strings(one, spans_in) for one in value]
    if isinstance(value, dict):
        return {name: cut_strings(one, spans_in) for name, one in value.items()}
    return value


def _record(line: bytes) -> Record | None:
    try:
        parsed = wire_json.loads(line.decode("utf-8", "replace")) if line else None
    except ValueError:
        return None
    return Record(parsed, 0, 0) if isinstance(parsed, dict) else None


@dataclass
class WalRewriter:
    """Brings write-ahead logs in line with raw logs that were rewritten."""

    paths: Paths
    config: AWHMConfig
    marks: set[int]
    uids: set[str]
    renamed: dict[str, str]
    dry_run: bool
    counts: Counts = field(default_factory=Counts)

    def rewrite(self, session: str) -> None:
        """Rewrite one session's write-ahead log from its raw log as it is now. Raises OSError."""
        path = self.paths.wal_file(session)
        rewrite_locked(path, lambda data: self._rewritten(session, wal.records_in(data), data), self.dry_run)

    def _rewritten(self, session: str, records: list[dict[str, Any]], data: bytes) -> bytes:
        if not os.path.exists(self.paths.log_file(session)):
            self.counts.wal_records += len(records)
            return b""
        said = {
            record.message_id: record
            for record in raw_log.in_force(list(raw_log.read(self.paths.log_file(session))))
            if record.kind == "message"
        }
        kept = [new for record in records if (new := self._kept(record, said)) is not None]
        if kept == records and len(records) == sum(1 for line in data.split(b"\n") if line):  # no line is torn
            return data
        self.counts.wal_records += sum(1 for record in records if record not in kept)
        lines = [wal.line_of(record) for record in kept]
        if sum(map(len, lines)) > wal.CHECKPOINT_BYTES:
            whole = buffers.fold(session, kept, self.config.correction_window_messages)
            lines.append(wal.line_of(buffers.checkpoint_record(whole)))
        return b"".join(lines)

    def _kept(self, record: dict[str, Any], said: dict[str, Record]) -> dict[str, Any] | None:
        kind = record.get("k")
        if kind == wal.MESSAGE:
            return self._message(record, said.get(str(record.get("id"))))
        if kind == wal.CHECKPOINT:
            return None  # it sums up what stands before it, and that is read again
        if kind in (wal.INJECTION, wal.BOUNDARY):
            return self._injection(record)
        return record

    def _message(self, record: dict[str, Any], logged: Record | None) -> dict[str, Any] | None:
        if logged is None:
            return None
        if gone_of(logged.fields) or raw_log.DELETED in logged.text:
            place = raw_log.Appended(logged.message_id, logged.begin, logged.end, str(record["project"]), False)
            return buffers.message_record(place, logged.role, logged.text, float(record["at"]))
        return {**record, "begin": logged.begin, "end": logged.end}

    def _injection(self, record: dict[str, Any]) -> dict[str, Any]:
        new = dict(record)
        for name, out in (("marks", self.marks), ("uids", self.uids)):
            if name in new:
                new[name] = [self.renamed.get(one, one) for one in new[name] if one not in out]
        if "why" in new:
            new["why"] = [one for one in new["why"] if one.get("id") not in self.uids]
        return new
