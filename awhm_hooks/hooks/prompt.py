"""UserPromptSubmit: log what was typed, recall, reply."""

from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import AwhmError
from awhm_hooks.graph import sqlite, store
from awhm_hooks.hooks import reply
from awhm_hooks.hooks.payload import HookEvent
from awhm_hooks.hooks.session import log_session, project_for
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, redact, wal
from awhm_hooks.paths import Paths
from awhm_hooks.recall import context, engine, rank


def run(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], now: float) -> None:
    """Log first, then the write-ahead log, then the answer. Raises OSError where the log cannot be written."""
    if redact.is_machine_prompt(event.prompt):
        return
    text = redact.clean(event.prompt).strip()
    if not text:
        return
    session = log_session(event)
    quiet = redact.is_command(text) or redact.is_control(text)
    appended = raw_log.append_message(
        paths, session, raw_log.USER, text, now, event.prompt_id, project_for(event, environ), event.cwd, quiet
    )
    if appended.duplicate or quiet:
        return
    records, wal_size = wal.read_tail(paths.wal_file(session))
    window = config.correction_window_messages
    own = buffers.fold(session, records, window)
    healed = buffers.heal(paths, own, appended.begin)
    if healed:
        own = buffers.fold(session, records + healed, window)
    said = buffers.message_record(appended, raw_log.USER, text, now)
    answer, injection = _recalled(text, appended, own, said, paths, config, now)
    _remember(paths, session, own, [*healed, said, *injection], wal_size)
    if answer:
        reply.with_context(answer)


def _recalled(
    text: str,
    appended: raw_log.Appended,
    own: buffers.Buffer,
    said: dict[str, object],
    paths: Paths,
    config: AWHMConfig,
    now: float,
) -> tuple[str, list[dict[str, object]]]:
    """The context for the model, and the record of it; ("", []) for silence."""
    window = config.correction_window_messages
    request = engine.Request(text, appended.project, rank.UNASKED, now)
    request.own = own
    request.pending = engine.pending_buffers(paths, own.session, window)
    request.current = buffers.fold(own.session, [said], window).statements
    request.injected = set(own.injected)
    graph = _open_graph(paths)
    try:
        if graph:
            request.injected.update(graph.injected_marks(own.session) if not own.boundary_at else ())
        memories = engine.recall(graph, request, paths, config)
    except sqlite.Error as problem:
        error_log.note(paths, "prompt", problem, now)
        memories = engine.recall(None, request, paths, config)
    answer, taken = context.render(memories, request.terms, config)
    if not taken:
        return "", []
    return answer, [_injection(appended.message_id, taken, now)]


def _injection(message_id: str, taken: list[rank.Memory], now: float) -> dict[str, object]:
    return {
        "k": wal.INJECTION,
        "for": message_id,
        "at": now,
        "marks": [mark for memory in taken for mark in context.injection_marks(memory)],
        "uids": [memory.uid for memory in taken if memory.uid],
        "why": [{"id": memory.uid or memory.message_id, **_rounded(memory)} for memory in taken],
    }


def _rounded(memory: rank.Memory) -> dict[str, object]:
    return {"score": round(memory.score, 3), **{name: round(value, 3) for name, value in memory.features.items()}}


def _open_graph(paths: Paths) -> store.Graph | None:
    """The graph, or None where it cannot be used: recall goes on with the buffer."""
    try:
        return store.open_graph(paths.graph_db)
    except (AwhmError, sqlite.Error) as problem:
        error_log.note(paths, "prompt", problem)
        return None


def _remember(paths: Paths, session: str, own: buffers.Buffer, records: list[dict[str, object]], wal_size: int) -> None:
    """Append to the write-ahead log; from time to time with a checkpoint, so that it need not be read whole.

    A log that cannot be written costs no answer: the raw log has the message, and the next hook heals from it.
    """
    try:
        size = wal.append(paths, session, records)
        if size // wal.CHECKPOINT_BYTES > wal_size // wal.CHECKPOINT_BYTES:
            folded, _ = wal.read_tail(paths.wal_file(session))
            wal.append(paths, session, [buffers.checkpoint_record(buffers.fold(session, folded, 3))])
    except OSError as problem:
        error_log.note(paths, "prompt", problem)
