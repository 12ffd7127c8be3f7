"""The write-ahead log: one a session, for what the hooks derive from the raw log and what they did.

A line is `crc32 json`. Kinds of record:

    m  a message: its id, role, time, place in the raw log, terms and captured statements
    i  an injection: what a prompt was answered with
    b  a boundary: the context window was emptied (compaction), what was injected may be injected again
    k  a checkpoint: what a reader needs of everything before it, so that reading stays bounded

All but the injections can be derived from the raw log again. A line whose checksum does not fit is passed over.
"""

import os
from binascii import crc32

from awhm_hooks import wire_json
from awhm_hooks.files import lock_fd, read_at
from awhm_hooks.paths import Paths

MESSAGE = "m"
INJECTION = "i"
BOUNDARY = "b"
CHECKPOINT = "k"

READ_BYTES = 131_072
CHECKPOINT_BYTES = 49_152
_LOCK_WAIT_S = 0.5


def append(paths: Paths, session: str, records: list[dict[str, object]]) -> tuple[int, int]:
    """Add records in one write; the file's size before and after it. Raises OSError."""
    data = b"".join(line_of(record) for record in records)
    while True:
        fd = _open(paths, session)
        try:
            lock_fd(fd, _LOCK_WAIT_S)
            state = os.fstat(fd)
            if not state.st_nlink:  # the worker removed the file between our opening and locking it
                continue
            if state.st_size and read_at(fd, 1, state.st_size - 1) != b"\n":
                data = b"\n" + data
            os.write(fd, data)
            return state.st_size, state.st_size + len(data)
        finally:
            os.close(fd)


def _open(paths: Paths, session: str) -> int:
    path = paths.wal_file(session)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        paths.make(paths.wal)
        return os.open(path, flags, 0o600)


def remove_if(path: str, is_settled: "Callable[[], bool]") -> bool:
    """Remove a log under its lock when `is_settled()` still holds then; True when it is gone."""
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        if not lock_fd(fd, _LOCK_WAIT_S) or not is_settled():
            return False
        os.unlink(path)
        return True
    finally:
        os.close(fd)


def read_all(path: str) -> list[dict[str, "Any"]]:
    """Every whole record of a log, oldest first."""
    try:
        with open(path, "rb") as file:
            return records_in(file.read())
    except FileNotFoundError:
        return []


def records_in(data: bytes) -> list[dict[str, "Any"]]:
    """Every whole record in a log's bytes."""
    return [record for record in map(_parse, data.split(b"\n")) if record is not None]


def line_of(record: dict[str, object]) -> bytes:
    """A record as it stands in the file."""
    body = wire_json.dumps(record).encode("ascii")
    return b"%08x %b\n" % (crc32(body), body)


def read_tail(path: str, limit: int = READ_BYTES) -> tuple[list[dict[str, "Any"]], int]:
    """The whole records in the last `limit` bytes, oldest first, from the last checkpoint on; and the file's size.

    A missing file has no records.
    """
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return [], 0
    try:
        size = os.fstat(fd).st_size
        data = read_at(fd, min(size, limit), max(0, size - limit))
    finally:
        os.close(fd)
    lines = data.split(b"\n")
    if size > limit:
        lines = lines[1:]
    records: list[dict[str, Any]] = []
    for line in reversed(lines):
        record = _parse(line)
        if record is None:
            continue
        records.append(record)
        if record.get("k") == CHECKPOINT:
            break
    records.reverse()
    return records, size


def _parse(line: bytes) -> "dict[str, Any] | None":
    if len(line) < 10 or line[8:9] != b" ":
        return None
    body = line[9:]
    try:
        if int(line[:8], 16) != crc32(body):
            return None
        record = wire_json.loads(body.decode("ascii"))
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
