"""UserPromptSubmit: log what was typed, recall, reply."""

from binascii import b2a_base64

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
from awhm_hooks.recall import buffered, context, engine, settled
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.recall.meaning import Meaning


def run(event: HookEvent, paths: Paths, config: AWHMConfig, environ: dict[str, str], clock: "Clock") -> None:
    """Log first, then the write-ahead log, then the answer. Raises OSError where the log cannot be written."""
    if redact.is_machine_prompt(event.prompt):
        return
    meaning = _begin_loading(paths, config, clock)
    text = redact.clean(event.prompt).strip()
    if not text:
        return
    session = log_session(event)
    quiet = redact.is_command(text) or redact.is_control(text)
    appended = raw_log.append_message(
        paths, session, raw_log.USER, text, clock.now, event.prompt_id, project_for(event, environ), event.cwd, quiet
    )
    if appended.duplicate or quiet:
        return
    graph = _open_graph(paths)
    own, healed = _own_buffer(paths, session, appended, graph, config)
    said = buffers.message_record(appended, raw_log.USER, text, clock.now)
    request = _request(text, appended, own, said, paths, config, clock.now)
    request.meaning = meaning
    memories = _recalled(graph, request, paths, config)
    answer, taken = context.render(memories, request.terms, config)
    if meaning and meaning.row:
        said["vec"] = b2a_base64(meaning.row, newline=False).decode("ascii")
    injection = [_injection(appended.message_id, taken, clock.now)] if taken else []
    _remember(paths, session, [*healed, said, *injection], config)
    if answer:
        reply.with_context(answer)
    if meaning and meaning.reason:
        error_log.note_once(paths, "prompt recalls by words alone:", meaning.reason)


def _begin_loading(paths: Paths, config: AWHMConfig, clock: "Clock") -> "Meaning | None":
    """Opening ONNX Runtime takes longest of all: it begins at once, on a thread of its own."""
    if not config.semantic:
        return None
    from awhm_hooks.recall.meaning import Meaning
    from awhm_hooks.recall.semantic import Semantic

    return Meaning(Semantic(paths, clock.started + config.semantic_deadline_ms / 1000))


def _own_buffer(
    paths: Paths, session: str, appended: raw_log.Appended, graph: store.Graph | None, config: AWHMConfig
) -> tuple[buffers.Buffer, list[dict[str, object]]]:
    """The session's buffer, and the records that its write-ahead log lacked, oldest first."""
    records, _ = wal.read_tail(paths.wal_file(session))
    window = config.correction_window_messages
    own = buffers.fold(session, records, window)
    if not own.log_end and graph:
        own.log_end = _consumed(graph, session)
    healed = buffers.heal(paths, own, appended.begin)
    if healed:
        own = buffers.fold(session, records + healed, window)
    return own, healed


def _consumed(graph: store.Graph, session: str) -> int:
    try:
        return graph.consumed(session)
    except sqlite.Error:
        return 0


def _request(
    text: str,
    appended: raw_log.Appended,
    own: buffers.Buffer,
    said: dict[str, object],
    paths: Paths,
    config: AWHMConfig,
    now: float,
) -> Request:
    window = config.correction_window_messages
    request = Request(text, appended.project, True, now)
    request.own = own
    request.pending = buffered.pending_buffers(paths, own.session, window)
    request.current = buffers.fold(own.session, [said], window).statements
    request.injected = set(own.injected)
    return request


def _recalled(graph: store.Graph | None, request: Request, paths: Paths, config: AWHMConfig) -> list[Memory]:
    """Recall; where the graph turns out to be damaged, from the buffers alone."""
    try:
        own = request.own
        if graph and own and not own.boundary_at:
            request.injected.update(graph.injected_marks(own.session))
        if graph:
            settled.without_settled(graph, request.buffers())
        return engine.recall(graph, request, paths, config)
    except (sqlite.Error, UnicodeDecodeError) as problem:
        error_log.note(paths, "prompt", problem)
        return engine.recall(None, request, paths, config)


def _injection(message_id: str, taken: list[Memory], now: float) -> dict[str, object]:
    return {
        "k": wal.INJECTION,
        "for": message_id,
        "at": now,
        "marks": [mark for memory in taken for mark in context.injection_marks(memory)],
        "uids": [memory.uid for memory in taken if memory.uid],
        "why": [{**_named(memory), **_rounded(memory)} for memory in taken],
    }


def _named(memory: Memory) -> dict[str, object]:
    """Which memory: its id in the graph, or its message in the log of a session that waits for consolidation."""
    if memory.uid:
        return {"id": memory.uid}
    return {"id": memory.message_id, "session": memory.session, "family": memory.family}


def _rounded(memory: Memory) -> dict[str, object]:
    return {"score": round(memory.score, 3), **{name: round(value, 3) for name, value in memory.features.items()}}


def _open_graph(paths: Paths) -> store.Graph | None:
    """The graph, or None where it cannot be used: recall goes on with the buffer."""
    try:
        return store.open_graph(paths.graph_db, sqlite.HOOK_WAIT_S)
    except (AwhmError, sqlite.Error) as problem:
        error_log.note(paths, "prompt", problem)
        return None


def _remember(paths: Paths, session: str, records: list[dict[str, object]], config: AWHMConfig) -> None:
    """A log that cannot be written costs no answer: the raw log has the message, and the next hook heals from it."""
    try:
        buffers.remember(paths, session, records, config.correction_window_messages)
    except OSError as problem:
        error_log.note(paths, "prompt", problem)


if TYPE_CHECKING:
    from awhm_hooks.hooks.session import Clock
