"""What was said and is not in the graph yet: statements of the buffers, and messages that wait in the raw logs."""

import os

from awhm_hooks.graph import model
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.paths import decode_name
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.tokens import tokenise

PENDING_SESSIONS = 8
PENDING_BYTES = 65_536
_MESSAGES = 12
_LEAST_COSINE = 0.2


def pending_buffers(paths: "Paths", own_session: str, window: int) -> list[buffers.Buffer]:
    """The buffers of the sessions that wait for consolidation, the newest few, without the asking session's own."""
    try:
        names = [name for name in os.listdir(paths.wal) if name.endswith(".wal")]
    except FileNotFoundError:
        return []
    own = os.path.basename(paths.wal_file(own_session))
    dated = []
    for name in names:
        if name != own:
            try:
                dated.append((os.stat(f"{paths.wal}/{name}").st_mtime, name))
            except FileNotFoundError:
                continue
    dated.sort(reverse=True)
    found = []
    for _, name in dated[:PENDING_SESSIONS]:
        records, _ = wal.read_tail(f"{paths.wal}/{name}", PENDING_BYTES)
        found.append(buffers.fold(decode_name(name[:-4]), records, window))
    return found


def memories(request: "Request", cosines: "Cosines", paths: "Paths") -> list[Memory]:
    """Statements and messages of the buffers that share a term with the query, or come near its meaning.

    Of statements about one slot the newest counts, in whichever session it was made.
    """
    wanted = {*request.terms, *request.kin}
    found: list[Memory] = []
    if request.own:
        found += _statements(request.own.statements, wanted, cosines)
        # Its messages stand in the context window, unless that was emptied since.
        before = [message for message in request.own.messages if message.at <= request.own.boundary_at]
        found += _messages(before, request.own.project, wanted, cosines, paths)
    for buffer in request.pending:
        is_here = request.project is None or buffer.project == request.project
        shown = [one for one in buffer.statements if is_here or one.scope == "user"]
        found += _statements(shown, wanted, cosines)
        if is_here:
            found += _messages(buffer.messages, buffer.project, wanted, cosines, paths)
    latest: dict[str, float] = {}
    for one in _visible(request):
        if one.key:
            latest[one.key] = max(latest.get(one.key, 0.0), one.at)
    stale = {(one.session, one.message_id) for one in _contradicted(request, latest)}
    return [memory for memory in found if (memory.session, memory.message_id) not in stale]


def _contradicted(request: "Request", latest: dict[str, float]) -> "Iterator[buffers.BufferedStatement]":
    """Statements of the buffers that a later one contradicts; the messages that made them are stale with them."""
    for one in _visible(request):
        if one.key and (one.superseded or one.at < latest.get(one.key, 0.0)):
            yield one


def _visible(request: "Request") -> "Iterator[buffers.BufferedStatement]":
    """The buffers' statements about the user and this project."""
    for buffer in request.buffers():
        is_here = request.project is None or buffer is request.own or buffer.project == request.project
        yield from (one for one in buffer.statements if is_here or one.scope == "user")


def _statements(statements: list[buffers.BufferedStatement], wanted: set[str], cosines: "Cosines") -> list[Memory]:
    found = []
    for one in statements:
        if one.superseded:
            continue
        held = [term for term in dict.fromkeys(tokenise(one.text)) if term in wanted]
        cosine = cosines.get((one.session, one.message_id), 0.0)
        if held or cosine >= _LEAST_COSINE:
            memory = Memory("buffer", one.family, one.text, one.at, held)
            memory.key = one.key
            memory.message_id = one.message_id
            memory.session = one.session
            memory.user_scope = one.scope == "user"
            memory.features["confidence"] = one.confidence
            memory.cosine = cosine
            found.append(memory)
    return found


def _messages(
    messages: list[buffers.BufferedMessage], project: str, wanted: set[str], cosines: "Cosines", paths: "Paths"
) -> list[Memory]:
    """The nearest few; their texts are read from the raw log."""
    scored = []
    for message in messages:
        shared = len(wanted.intersection(message.terms))
        cosine = cosines.get((message.session, message.message_id), 0.0)
        if shared or cosine >= _LEAST_COSINE:
            scored.append((shared / (len(wanted) or 1) + cosine, message.at, cosine, message))
    scored.sort(key=lambda row: row[:2], reverse=True)
    found = []
    for _, _, cosine, message in scored[:_MESSAGES]:
        record = next(raw_log.read(paths.log_file(message.session), message.begin, message.end), None)
        if record is None or record.message_id != message.message_id:
            continue
        memory = Memory("log", model.MESSAGE, record.text, message.at, [t for t in message.terms if t in wanted])
        memory.message_id = message.message_id
        memory.session = message.session
        memory.role = message.role
        memory.project = project
        memory.cosine = cosine
        found.append(memory)
    return found


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.paths import Paths
    from awhm_hooks.recall.request import Request

    Cosines = dict[tuple[str, str], float]
