"""Recall: buffer first, then the graph; what is current, in scope, to the point, and not in the context window yet."""

import os

from awhm_hooks.graph import model
from awhm_hooks.graph.validity import valid_at
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.paths import decode_name
from awhm_hooks.recall import context, lexical, rank
from awhm_hooks.recall.tokens import tokenise

MAX_QUERY_TERMS = 64
PENDING_SESSIONS = 8
PENDING_BYTES = 65_536
_PENDING_MESSAGES = 12
_QUERY_EDGE_CHARS = 2_000


class Request:
    """What is asked, from where, and what is in the context window already.

    `project` None sees every project. `now` is epoch seconds; `as_of`, such a moment, asks for what was true then.
    """

    __slots__ = ("as_of", "current", "history", "injected", "now", "own", "pending", "project", "terms", "threshold")

    def __init__(self, text: str, project: str | None, threshold: rank.Abstention, now: float) -> None:
        self.terms = query_terms(text)
        self.project = project
        self.threshold = threshold
        self.now = now
        self.own: buffers.Buffer | None = None
        self.pending: list[buffers.Buffer] = []
        self.current: list[buffers.BufferedStatement] = []
        self.injected: set[int] = set()
        self.history = False
        self.as_of: float | None = None

    def is_shown(self, node: "Node") -> bool:
        """What was true at the moment that is asked about; all but retracted nodes where history is asked for.

        A statement may be superseded from a day on that is still to come: until then it holds.
        """
        if self.history and self.as_of is None:
            return True
        moment = self.now if self.as_of is None else self.as_of
        if node.status == model.RETRACTED or not valid_at(node.valid_from, node.valid_to, moment):
            return False
        return node.status == model.ACTIVE or self.as_of is not None or node.valid_to is not None


def query_terms(text: str) -> list[str]:
    """The distinct terms of a prompt; of a long one, those of its beginning and end, where the question stands."""
    if len(text) > 2 * _QUERY_EDGE_CHARS:
        text = text[:_QUERY_EDGE_CHARS] + "\n" + text[-_QUERY_EDGE_CHARS:]
    return list(dict.fromkeys(tokenise(text)))[:MAX_QUERY_TERMS]


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


def recall(graph: "Graph | None", request: Request, paths: "Paths", config: "AWHMConfig") -> list[rank.Memory]:
    """The memories to hand back, best first, statements before messages' snippets; [] to stay silent."""
    if not request.terms:
        return []
    scopes = graph.scope_ids(request.project) if graph else []
    result = lexical.LexicalResult([], {}, {}, 0)
    if graph:
        result = lexical.search(graph, scopes, request.terms, rank.CANDIDATES)
    query = rank.Query(request.terms, result.frequencies, result.docs)
    memories = _buffered(request, paths)
    if graph:
        found = rank.from_graph(graph, result, request.is_shown)
        if config.neighbor_expansion:
            found += _neighbours(graph, result, found, request, config)
        memories += _without_contradicted(graph, found, request)
    rank.score(memories, query, config)
    kept = rank.abstain(memories, query, request.threshold)
    kept.sort(key=_order, reverse=True)
    return _distinct(kept, request)


def _order(memory: rank.Memory) -> tuple[bool, bool, float, float]:
    return memory.family != model.MESSAGE, memory.origin == "buffer", round(memory.score, 3), memory.at


def _buffered(request: Request, paths: "Paths") -> list[rank.Memory]:
    wanted = set(request.terms)
    memories: list[rank.Memory] = []
    if request.as_of is not None:
        return memories
    if request.own:
        memories += rank.from_statements(request.own.statements, wanted)
        before = [message for message in request.own.messages if message.at <= request.own.boundary_at]
        memories += _messages(before, request.own.project, wanted, paths)
    for buffer in request.pending:
        is_here = request.project is None or buffer.project == request.project
        shown = [one for one in buffer.statements if is_here or one.scope == "user"]
        memories += rank.from_statements(shown, wanted)
        if is_here:
            memories += _messages(buffer.messages, buffer.project, wanted, paths)
    latest: dict[str, float] = {}
    for memory in memories:
        if memory.key:
            latest[memory.key] = max(latest.get(memory.key, 0.0), memory.at)
    return [memory for memory in memories if not memory.key or memory.at >= latest[memory.key]]


def _messages(
    messages: list[buffers.BufferedMessage], project: str, wanted: set[str], paths: "Paths"
) -> list[rank.Memory]:
    """Messages that wait in the raw log and share a term with the query; their texts are read from there."""
    scored = [(len(wanted.intersection(message.terms)), message) for message in messages]
    scored = [pair for pair in scored if pair[0]]
    scored.sort(key=lambda pair: (pair[0], pair[1].at), reverse=True)
    memories = []
    for _, message in scored[:_PENDING_MESSAGES]:
        record = next(raw_log.read(paths.log_file(message.session), message.begin, message.end), None)
        if record is None or record.message_id != message.message_id:
            continue
        memory = rank.Memory("log", model.MESSAGE, record.text, message.at, [t for t in message.terms if t in wanted])
        memory.message_id = message.message_id
        memory.session = message.session
        memory.role = message.role
        memory.project = project
        memories.append(memory)
    return memories


def _neighbours(
    graph: "Graph", result: lexical.LexicalResult, found: list[rank.Memory], request: Request, config: "AWHMConfig"
) -> list[rank.Memory]:
    """Nodes one hop from the lexical anchors, with what their edges say for them.

    Known entities may be anchors though they are never shown, so that a name leads to all that is known about it.
    """
    if not result.hits:
        return []
    least = result.hits[0].score * config.bm25_anchor_ratio
    anchors = {hit.node: hit for hit in result.hits if hit.score >= least}
    shown = {memory.node for memory in found}
    evidence: dict[int, tuple[float, list[str]]] = {}
    for anchor, other, kind, weight in graph.neighbours(list(anchors)):
        if other in shown or kind == model.ABSTRACTION:
            continue
        hit = anchors[anchor]
        strength = weight * config.neighbor_decay * hit.score / result.hits[0].score
        if strength > evidence.get(other, (0.0, hit.terms))[0]:
            evidence[other] = strength, hit.terms
    nodes = graph.nodes(list(evidence)[: rank.CANDIDATES])
    memories = []
    for node in nodes.values():
        if node.family in (model.ENTITY, model.MESSAGE) or not request.is_shown(node):
            continue
        strength, terms = evidence[node.id]
        memory = rank.of_node(node, terms)
        memory.features["association"] = strength
        memory.features["lexical"] = 0.0
        memories.append(memory)
    return memories


def _without_contradicted(graph: "Graph", found: list[rank.Memory], request: Request) -> list[rank.Memory]:
    """Graph memories that nothing said since, and not consolidated yet, contradicts."""
    if request.history or request.as_of is not None:
        return found
    newest: dict[str, float] = {}
    for one in _unconsolidated(request):
        if one.key:
            newest[one.key] = max(newest.get(one.key, 0.0), one.at)
    if not newest:
        return found
    keys = graph.statement_keys([memory.node for memory in found if memory.family == model.MESSAGE])

    def is_stale(memory: rank.Memory) -> bool:
        own = [memory.key] if memory.key else [key for key, _ in keys.get(memory.node, ())]
        return any(newest.get(key, 0.0) > memory.at for key in own if key)

    return [memory for memory in found if not is_stale(memory)]


def _unconsolidated(request: Request) -> "Iterator[buffers.BufferedStatement]":
    yield from request.current
    if request.own:
        yield from request.own.statements
    for buffer in request.pending:
        for one in buffer.statements:
            if request.project is None or buffer.project == request.project or one.scope == "user":
                yield one


def _distinct(memories: list[rank.Memory], request: Request) -> list[rank.Memory]:
    """Each text once; nothing that is in the context window already; no message beside its own statement."""
    kept: list[rank.Memory] = []
    marks = set(request.injected)
    for memory in memories:
        if context.is_told(memory, marks) or _is_in_window(memory, request):
            continue
        marks.update(context.injection_marks(memory))
        kept.append(memory)
    return kept


def _is_in_window(memory: rank.Memory, request: Request) -> bool:
    """A message of the asking session stands in its context window, unless that was emptied since."""
    own = request.own
    return bool(
        own and memory.family == model.MESSAGE and memory.session == own.session and memory.at > own.boundary_at
    )


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.graph.model import Node
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.paths import Paths
