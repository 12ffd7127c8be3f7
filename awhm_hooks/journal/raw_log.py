"""The raw log: one append-only JSONL file a session, the ground truth.

A line is one `write()`; a torn last line is tolerated and never joined to the next. A message is kept once however
often a hook was started for it: the record ends with the message's id, and a writer looks for that id in the log's
last bytes under the log's lock before it appends.
"""

import errno
import os
import time
from binascii import crc32

from awhm_hooks import wire_json
from awhm_hooks.files import lock_fd, read_at
from awhm_hooks.paths import Paths

CLIENT_PREFIX = "claude-"
"""Before the client's id of a session, in the name by which it goes here."""

USER = "user"
ASSISTANT = "assistant"

START = "start"
END = "end"
TRANSCRIPT = "transcript"
RESTORED = "restored"
SILENT = "silent"

DELETED = "[deleted]"
"""What stands in a message for a stretch of it that was deleted."""

_TAIL_BYTES = 32_768
_LOCK_WAIT_S = 1.0
_SAME_PROMPT_MS = 2_000


class Appended:
    """Where a record went. `duplicate` says that the message was there already and nothing was written."""

    __slots__ = ("begin", "duplicate", "end", "message_id", "project")

    def __init__(self, message_id: str, begin: int, end: int, project: str, duplicate: bool) -> None:
        self.message_id = message_id
        self.begin = begin
        self.end = end
        self.project = project
        self.duplicate = duplicate


class Record:
    """One line of a log. `kind` is "message" or one of the constants START to SILENT; `at` is epoch seconds."""

    __slots__ = ("at", "begin", "end", "fields", "kind", "message_id", "project", "prompt_id", "role", "text")

    def __init__(self, fields: dict[str, object], begin: int, end: int) -> None:
        self.fields = fields
        self.begin = begin
        self.end = end
        self.kind = _text(fields, "kind")
        self.message_id = _text(fields, "id")
        self.role = _text(fields, "role")
        self.text = _text(fields, "text")
        self.project = _text(fields, "project")
        self.prompt_id = _text(fields, "prompt_id")
        at = fields.get("at")
        self.at = float(at) if isinstance(at, int | float) else 0.0


def _text(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def fingerprint(role: str, text: str) -> str:
    """Role and content of a message in a few characters."""
    data = text.encode("utf-8", "replace")
    return f"{role[:1]}:{crc32(data):08x}{len(data):x}"


def append_message(
    paths: Paths,
    session: str,
    role: str,
    text: str,
    at: float,
    prompt_id: str,
    project: str,
    cwd: str,
    quiet: bool = False,
) -> Appended:
    """Log a message unless it is there already. `project` counts for a session's first record only.

    A quiet message (a command, a bare "yes") is part of the log and nothing is learned from it. Raises OSError where
    nothing could be written.
    """
    mark = fingerprint(role, text)
    message_id = f"{prompt_id}:{mark}" if prompt_id else f"t{int(at * 1000)}:{mark}"

    def is_repeated(tail: bytes) -> bool:
        if prompt_id:
            return f'"id":"{message_id}"'.encode() in tail
        return _repeats_recent(tail, role, mark, at)

    fields = {
        "kind": "message",
        "role": role,
        "text": text,
        "at": round(at, 3),
        **_here(at),
        "prompt_id": prompt_id,
        "cwd": cwd,
    }
    if quiet:
        fields["quiet"] = True
    return _append(paths, session, fields, message_id, project, is_repeated)


def _here(at: float) -> dict[str, object]:
    """The offset of local time from UTC, in seconds: "yesterday" is to be read where it was said."""
    return {"utc_offset_s": time.localtime(at).tm_gmtoff}


def append_mark(paths: Paths, session: str, kind: str, at: float, project: str, fields: dict[str, object]) -> Appended:
    """Log that a session started ("start") or ended ("end"), with what else the payload says. Raises OSError."""
    body = {"kind": kind, "at": round(at, 3), **fields}
    return _append(paths, session, body, f"{kind}:{int(at * 1000)}", project, lambda tail: False)


def append_lines(paths: Paths, session: str, records: list[dict[str, object]]) -> None:
    """Log several records in one write, as the worker does. Raises OSError."""
    fd = _open_locked(paths, session)
    try:
        size = os.fstat(fd).st_size
        lines = "".join(wire_json.dumps(fields) + "\n" for fields in records)
        _write_all(fd, _joint(fd, size) + lines.encode("ascii"), size)
    finally:
        os.close(fd)


def _append(
    paths: Paths,
    session: str,
    fields: dict[str, object],
    message_id: str,
    project: str,
    is_repeated: "Callable[[bytes], bool]",
) -> Appended:
    fd = _open_locked(paths, session)
    try:
        size = os.fstat(fd).st_size
        tail = b""
        if size:
            tail = read_at(fd, _TAIL_BYTES, max(0, size - _TAIL_BYTES))
            project = _first_project(fd, tail, size) or project
            if is_repeated(tail):
                return Appended(message_id, size, size, project, True)
        line = wire_json.dumps({**fields, "project": project, "id": message_id}) + "\n"
        joint = b"" if not tail or tail.endswith(b"\n") else b"\n"
        data = joint + line.encode("ascii")
        _write_all(fd, data, size)
        return Appended(message_id, size + len(joint), size + len(data), project, False)
    finally:
        os.close(fd)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def _open_locked(paths: Paths, session: str) -> int:
    """The log, open and locked; after a second without the lock it is written all the same: readers drop repetitions.

    A deletion replaces the file under its lock: whoever waited for the old one opens the new.
    """
    while True:
        fd = _open(paths, session)
        lock_fd(fd, _LOCK_WAIT_S)
        if os.fstat(fd).st_nlink:
            return fd
        os.close(fd)


def _open(paths: Paths, session: str) -> int:
    path = paths.log_file(session)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        paths.make(paths.data_dir)
        paths.make(paths.logs)
        return os.open(path, flags, 0o600)


def _joint(fd: int, size: int) -> bytes:
    """A line end where the last writer was cut off in the middle of a line."""
    return b"\n" if size and read_at(fd, 1, size - 1) != b"\n" else b""


def _write_all(fd: int, data: bytes, size: int) -> None:
    """One write; what the disk took of a line that did not fit is taken back."""
    if os.write(fd, data) == len(data):
        return
    os.ftruncate(fd, size)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _first_project(fd: int, tail: bytes, size: int) -> str:
    """The project that a session began in: `cwd` follows `cd`, and a session is not split over projects."""
    head = tail if size <= _TAIL_BYTES else read_at(fd, 4096, 0)
    # The first record of a session may be a long prompt, so the key is looked for from the line's end.
    line = head.split(b"\n", 1)[0]
    start = line.rfind(b'"project":"')
    if start < 0:
        return _project_of_long_line(fd, size) if size > _TAIL_BYTES else ""
    return _project_at(line, start)


def _project_of_long_line(fd: int, size: int) -> str:
    line = read_at(fd, min(size, 1 << 21), 0).split(b"\n", 1)[0]
    return _project_at(line, line.rfind(b'"project":"'))


def _project_at(line: bytes, start: int) -> str:
    if start < 0:
        return ""
    try:
        fields = wire_json.loads("{" + line[start:].decode("ascii"))
    except ValueError:
        return ""
    return _text(fields, "project") if isinstance(fields, dict) else ""


def _repeats_recent(tail: bytes, role: str, mark: str, at: float) -> bool:
    """Without a prompt id: the same reply twice in a row, or the same prompt within two seconds."""
    at_end = tail.rfind(b'"id":"')
    last_id = tail[at_end + 6 :].split(b'"', 1)[0].decode("ascii", "replace")
    if role == ASSISTANT:
        return last_id.endswith(f":{mark}")
    needle = f':{mark}"'.encode()
    found = tail.rfind(needle)
    if found < 0:
        return False
    stamp = tail[tail.rfind(b'"id":"', 0, found) + 6 : found].decode("ascii", "replace")
    return stamp[1:].isdigit() and abs(at * 1000 - int(stamp[1:])) < _SAME_PROMPT_MS


def read(path: str, begin: int = 0, end: int | None = None) -> "Iterator[Record]":
    """The records of a log between two byte offsets, in the file's order.

    Lines that are no record (torn, or damaged) are passed over, and so is a message whose id came before. A missing
    file has no records. `begin` must be the start of a line.
    """
    try:
        with open(path, "rb") as file:
            file.seek(begin)
            data = file.read() if end is None else file.read(end - begin)
    except FileNotFoundError:
        return
    seen: set[str] = set()
    offset = begin
    for line in data.split(b"\n"):
        start, offset = offset, offset + len(line) + 1
        record = _parse(line, start, min(offset, begin + len(data)))
        if record is None:
            continue
        if record.kind == "message":
            if record.message_id in seen:
                continue
            seen.add(record.message_id)
        yield record


def set_aside(records: "Iterable[Record]") -> set[str]:
    """The ids of what the last restore of an earlier state has set aside: still in the log, and not remembered."""
    found: set[str] = set()
    for record in records:
        if record.kind == RESTORED:
            out = record.fields.get("out")
            found = set(out) if isinstance(out, list) else set()
    return found


def in_force(records: "list[Record]") -> "list[Record]":
    """A log's records without those that were set aside."""
    out = set_aside(records)
    return [record for record in records if record.message_id not in out] if out else records


def whole_bytes(path: str, begin: int = 0) -> int:
    """The offset behind the last whole line of a log: what a torn or unfinished last line has is not counted."""
    try:
        with open(path, "rb") as file:
            file.seek(begin)
            data = file.read()
    except FileNotFoundError:
        return begin
    return begin + data.rfind(b"\n") + 1


def _parse(line: bytes, begin: int, end: int) -> Record | None:
    if not line:
        return None
    try:
        fields = wire_json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return Record(fields, begin, end) if isinstance(fields, dict) else None
