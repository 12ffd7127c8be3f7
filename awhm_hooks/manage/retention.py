"""What is old and may go: raw logs of sessions that are in the graph, superseded statements, copies of damaged stores.

The memories of a session stay when its raw log goes. Nothing goes that the graph does not hold, that a session still
writes, or that a person did by hand.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import by_hand
from awhm_hooks.errors import UsageError
from awhm_hooks.files import lock_fd, locked
from awhm_hooks.graph.removal import Removal
from awhm_hooks.graph.writer import GraphWriter, open_writer
from awhm_hooks.manage import deletion_graph
from awhm_hooks.manage.deletion import LOCK_WAIT_S
from awhm_hooks.paths import Paths, decode_name

_DAY_S = 86_400.0
_UNITS_S = {"d": _DAY_S, "w": 7 * _DAY_S, "m": 30 * _DAY_S, "y": 365 * _DAY_S}
_UNITS_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9}
_LEFTOVER_S = _DAY_S
_LOCK_WAIT_S = 1.0


@dataclass(frozen=True)
class Rules:
    """Ages in seconds and a size in bytes from which things go; 0 keeps them for ever."""

    log_age_s: float
    log_bytes: float
    superseded_age_s: float
    damaged_age_s: float


@dataclass(frozen=True)
class OldFile:
    """A file that may go; `at` is when it was written last."""

    kind: str
    path: str
    bytes: int
    at: float
    session: str = ""


@dataclass
class Found:
    """What may go, or went."""

    logs: list[OldFile] = field(default_factory=list)
    damaged: list[OldFile] = field(default_factory=list)
    leftovers: list[OldFile] = field(default_factory=list)
    statements: int = 0

    def total_bytes(self) -> int:
        return sum(file.bytes for file in [*self.logs, *self.damaged, *self.leftovers])

    def is_nothing(self) -> bool:
        return not (self.logs or self.damaged or self.leftovers or self.statements)


def rules(config: AWHMConfig, older_than: str | None = None, max_size: str | None = None) -> Rules:
    """The configuration's rules, or a person's for this once ("90d", "500MB"). Raises UsageError."""
    return Rules(
        _seconds(older_than) if older_than else config.retention_log_days * _DAY_S,
        _bytes(max_size) if max_size else config.retention_log_mb * 1e6,
        config.retention_superseded_days * _DAY_S,
        config.retention_damaged_days * _DAY_S,
    )


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([dwmy]?)", text.strip().lower())
    if not found:
        raise UsageError(f"{text}: an age is a number of days, or like 90d, 12w, 6m, 2y")
    return float(found[1]) * _UNITS_S[found[2] or "d"]


def _bytes(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(kb|mb|gb)", text.strip().lower())
    if not found:
        raise UsageError(f"{text}: a size is like 500MB or 2GB")
    return float(found[1]) * _UNITS_BYTES[found[2]]


def collect(paths: Paths, config: AWHMConfig, wanted: Rules, now: float, apply: bool) -> Found:
    """Find what may go, and let it go where `apply` says so. Raises AwhmError, sqlite.Error, OSError."""
    if not os.path.exists(paths.graph_db):
        return Found()
    with locked(paths.worker_lock, LOCK_WAIT_S):
        writer = open_writer(paths)
        with contextlib.closing(writer.db):
            found = Found(
                _old_logs(paths, writer, wanted, now),
                list(_old_damaged(paths, wanted, now)),
                list(_leftovers(paths, now)),
            )
            found.statements = _superseded(paths, writer, wanted, now, apply)
            if apply:
                found.logs = [log for log in found.logs if _let_log_go(paths, writer, log)]
                for file in [*found.damaged, *found.leftovers]:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(file.path)
    return found


def _old_logs(paths: Paths, writer: GraphWriter, wanted: Rules, now: float) -> list[OldFile]:
    """Logs that are too old, then the oldest of the others until the rest fits."""
    logs = sorted(_settled_logs(paths, writer), key=lambda log: log.at)
    old = [log for log in logs if wanted.log_age_s and now - log.at > wanted.log_age_s]
    if not wanted.log_bytes:
        return old
    total = sum(entry.stat().st_size for entry in os.scandir(paths.logs)) - sum(log.bytes for log in old)
    for log in logs[len(old) :]:
        if total <= wanted.log_bytes:
            break
        old.append(log)
        total -= log.bytes
    return old


def _settled_logs(paths: Paths, writer: GraphWriter) -> Iterator[OldFile]:
    """The logs of sessions that have ended and are in the graph to the last byte."""
    settled = dict(writer.db.execute("SELECT id, consumed FROM sessions WHERE ended = 1"))
    for entry in _entries(paths.logs):
        session = decode_name(entry.name.removesuffix(".jsonl"))
        state = entry.stat()
        is_open = os.path.exists(paths.wal_file(session))
        is_log = entry.name.endswith(".jsonl") and session != by_hand.SESSION
        if is_log and not is_open and settled.get(session, -1) >= state.st_size:
            yield OldFile("raw log", entry.path, state.st_size, state.st_mtime, session)


def _old_damaged(paths: Paths, wanted: Rules, now: float) -> Iterator[OldFile]:
    for entry in _entries(paths.graph):
        state = entry.stat()
        if ".damaged-" in entry.name and wanted.damaged_age_s and now - state.st_mtime > wanted.damaged_age_s:
            yield OldFile("damaged", entry.path, state.st_size, state.st_mtime)


def _leftovers(paths: Paths, now: float) -> Iterator[OldFile]:
    """Temporary files of processes that were killed in the middle of a write."""
    for folder in (paths.data_dir, paths.logs, paths.wal, paths.graph, paths.snapshots, paths.meta):
        for entry in _entries(folder):
            state = entry.stat()
            if entry.name.endswith(".tmp") and now - state.st_mtime > _LEFTOVER_S:
                yield OldFile("leftover", entry.path, state.st_size, state.st_mtime)


def _entries(directory: str) -> "list[os.DirEntry[str]]":
    try:
        return sorted((entry for entry in os.scandir(directory) if entry.is_file()), key=lambda entry: entry.name)
    except FileNotFoundError:
        return []


def _superseded(paths: Paths, writer: GraphWriter, wanted: Rules, now: float, apply: bool) -> int:
    """Statements that stopped being true so long ago; the messages that said them stay."""
    if not wanted.superseded_age_s:
        return 0
    rows = writer.db.execute(
        "SELECT id FROM nodes WHERE family NOT IN ('message', 'entity') AND status != 'active'"
        " AND coalesce(valid_to, said_at) < ?",
        (now - wanted.superseded_age_s,),
    ).fetchall()
    if rows and apply:
        with writer.transaction():
            removal = Removal(writer, deletion_graph.Again(), revives=False)
            for (node,) in rows:
                removal.drop_node(node)
            removal.finish()
        deletion_graph.erase_vectors(paths, writer)
    return len(rows)


def _let_log_go(paths: Paths, writer: GraphWriter, log: OldFile) -> bool:
    """Remove a log under its lock, unless its session has gone on meanwhile; a later log of it begins at byte 0."""
    try:
        fd = os.open(log.path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        if not lock_fd(fd, _LOCK_WAIT_S) or os.fstat(fd).st_size != log.bytes:
            return False
        with writer.transaction():
            writer.db.execute("UPDATE sessions SET consumed = 0 WHERE id = ?", (log.session,))
        os.unlink(log.path)
    finally:
        os.close(fd)
    return True
