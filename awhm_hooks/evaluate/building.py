"""A store as the product makes it: raw logs as the hooks write them, and the real worker over them."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import worker
from awhm_hooks.errors import AwhmError
from awhm_hooks.evaluate.corpus import Session, Store
from awhm_hooks.graph.writer import GraphWriter, open_writer
from awhm_hooks.journal import raw_log, redact
from awhm_hooks.paths import Paths

_LOCK_WAIT_S = 10.0
_ASKED = "asked"  # the reason that `awhm supersede` notes
_MEMORY_DISK = "/dev/shm"
_ROOM_BYTES = 1 << 30


@contextmanager
def data_directory(models: str | None = None) -> Iterator[Paths]:
    """A data directory for one store, removed after it. `models` is a folder with a prepared model, to be shared.

    It is kept in memory where there is room: the worker syncs twice a session, which is most of its time on some disks.
    """
    with tempfile.TemporaryDirectory(prefix="awhm-eval-", dir=_fast_directory()) as directory:
        yield Paths(directory, models or "")


def _fast_directory() -> str | None:
    try:
        has_room = shutil.disk_usage(_MEMORY_DISK).free > _ROOM_BYTES
    except OSError:
        return None
    return _MEMORY_DISK if has_room and os.access(_MEMORY_DISK, os.W_OK) else None


def build(paths: Paths, store: Store, config: AWHMConfig, embedder: "TextEmbedder | None" = None) -> None:
    """Log the store's sessions and consolidate them. Raises AwhmError where a session could not be."""
    for session in store.sessions:
        _log(paths, session)
    report = worker.run(paths, config, _LOCK_WAIT_S, embedder=embedder)
    if report.failed:
        name, reason = next(iter(report.failed.items()))
        raise AwhmError(f"the worker could not consolidate {len(report.failed)} sessions; {name}: {reason}")
    _nothing_noted(paths)
    _fill_slots(paths, store)


def _nothing_noted(paths: Paths) -> None:
    """The worker goes on without vectors, and says so in the log alone: that is not what is to be measured."""
    noted = error_log.last(paths)
    if noted:
        raise AwhmError(f"the worker noted: {noted}")


def _log(paths: Paths, session: Session) -> None:
    """Write a session's raw log, each message cleaned as the hooks clean it; the file is as old as the session."""
    records: list[dict[str, object]] = []
    for turn in session.turns:
        text = redact.clean(turn.text).strip()
        if text:
            records.append(
                {
                    "kind": "message",
                    "role": turn.role,
                    "text": text,
                    "at": round(turn.at, 3),
                    "prompt_id": "",
                    "cwd": session.project,
                    "project": session.project,
                    "id": turn.id,
                }
            )
    end = max((turn.at for turn in session.turns), default=0.0)
    records.append({"kind": raw_log.END, "at": round(end, 3), "reason": "other", "project": session.project})
    raw_log.append_lines(paths, session.id, records)
    os.utime(paths.log_file(session.id), (end, end))  # the worker takes the oldest log first


def _fill_slots(paths: Paths, store: Store) -> None:
    """What `awhm supersede` does, for statements that were remembered with a key: the newest of a slot stands."""
    slots: dict[tuple[str, str], list[Session]] = {}
    for session in store.sessions:
        if session.slot:
            slots.setdefault((session.project, session.slot), []).append(session)
    contested = [sessions for sessions in slots.values() if len(sessions) > 1]
    if not contested:
        return
    writer = open_writer(paths)
    try:
        with writer.transaction():
            for sessions in contested:
                *older, newest = sorted(sessions, key=lambda session: session.turns[0].at)
                for session in older:
                    _supersede(writer, session, newest)
    finally:
        writer.db.close()


def _supersede(writer: GraphWriter, older: Session, newer: Session) -> None:
    replacement = writer.message_nodes(newer.id).get(newer.turns[-1].id)
    if replacement is not None:
        for node in writer.message_nodes(older.id).values():
            writer.supersede(replacement, node, newer.turns[0].at, _ASKED)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.indexing import TextEmbedder
