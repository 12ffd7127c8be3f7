"""Recall: from buffers and graph what is current, in scope, to the point, and not in the context window yet."""

from awhm_hooks.graph import model
from awhm_hooks.recall import buffered, context, lexical, rank
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import asks_back, names_a_time
from awhm_hooks.recall.memory import Memory, of_node
from awhm_hooks.recall.names import holds, names, speaker
from awhm_hooks.recall.tokens import tokenise
from awhm_hooks.recall.turns import Turns

_REPHRASED_CHARS = 40  # "please …, thank you"
_REPEATED = 0.5
_BRIDGES = 2
_TIME_BONUS = 0.3
_OTHER_NAME_PENALTY = 0.15


def recall(graph: "Graph | None", request: "Request", paths: "Paths", config: "AWHMConfig") -> list[Memory]:
    """The memories to hand back, best first; [] to stay silent.

    Unasked, statements come before messages' snippets, and the buffers' before the graph's.
    """
    meaning = request.meaning
    if meaning:
        meaning.ask(request.text, graph, paths.graph, request.buffers())
    if not request.terms and not meaning:
        return []
    scopes = graph.scope_ids(request.project) if graph else []
    result = lexical.search(graph, scopes, [*request.terms, *request.kin]) if graph else lexical.NOTHING
    cosines = meaning.collect(graph, scopes) if meaning else {}
    query = rank.Query(request.text, request.terms, result.frequencies, result.docs, request.kin, request.unasked)
    memories = buffered.memories(request, cosines, paths)
    if graph:
        found = _candidates(graph, result, request)
        if config.neighbor_expansion:
            found += _associated(graph, result, found, request, config)
        memories += _without_contradicted(graph, found, request)
    if not request.unasked:
        from awhm_hooks.recall import asked

        asked.discount_denied(memories, query)
    rank.score(memories, query, bool(meaning and meaning.is_answered), config)
    if names_a_time(request.text):
        _prefer_the_time(memories, request)
    if request.unasked:
        memories = [memory for memory in memories if not _is_question(memory)]
        memories = _without_repeated(memories, request)
    memories = _named(memories, request, graph, result.docs)
    if not request.unasked:
        if not asked.answers(memories, query):
            return []
        if request.project is None:
            asked.prefer_named_project(memories, request.text)
        asked.note_sessions(memories, graph, result)
        return _distinct(asked.leading(memories, query), request)
    levels = rank.RECALLING if asks_back(request.text) else rank.UNASKED
    kept = rank.near_the_best(rank.abstain(memories, query, levels))
    kept.sort(key=_first_told, reverse=True)
    return _distinct(_current(kept, memories, graph, meaning), request)


def _current(
    kept: list[Memory], candidates: list[Memory], graph: "Graph | None", meaning: "Meaning | None"
) -> list[Memory]:
    """What is kept without what a newer memory replaces."""
    if not kept:
        return kept
    from awhm_hooks.recall import outdated

    if meaning is None or not meaning.is_answered:
        return outdated.without_outdated(kept, candidates, None)
    return outdated.without_outdated(kept, candidates, lambda memories: meaning.rows_of(graph, memories))


def _prefer_the_time(memories: list[Memory], request: "Request") -> None:
    from awhm_hooks.recall import timeframe

    window = timeframe.window(request.text, request.now)
    if window:
        begin, end = window
        for memory in memories:
            if begin <= memory.at <= end:
                memory.score += _TIME_BONUS


def _is_question(memory: Memory) -> bool:
    """What the user asked once tells nothing; the reply to it does."""
    return memory.family == model.MESSAGE and memory.role == "user" and memory.text.rstrip().endswith(("?", "？"))


def _without_repeated(memories: list[Memory], request: "Request") -> list[Memory]:
    """Without what the prompt says itself: an order that is typed again tells nothing, and neither does a rule.

    A question may hold the words of its answer, so what it repeats is told.
    """
    asks = asks_back(request.text)
    prompt = context.comparable(request.text)
    terms = set(request.terms)

    def repeats(memory: Memory) -> bool:
        if memory.role == "assistant" or len(memory.text) > len(request.text) + _REPHRASED_CHARS:
            return False
        said = context.comparable(memory.text)
        if asks or said in prompt:
            return said == prompt or not asks
        if memory.family != model.MESSAGE or memory.features["relevance"] < _REPEATED:
            return False
        return terms.issuperset(term for term in tokenise(memory.text) if not is_generic(term))

    return [memory for memory in memories if not repeats(memory)]


def _named(memories: list[Memory], request: "Request", graph: "Graph | None", docs: int) -> list[Memory]:
    """Without what is about another name than the query's; see `names`.

    In an answer to a question, which is as long as is asked for, it stands further behind instead, unless the store is
    so small that the answer would hold nearly all of it.
    """
    wanted, unwanted = names(request.text)
    if unwanted and any(holds(memory.text, wanted) and not holds(memory.text, unwanted) for memory in memories):
        memories = [memory for memory in memories if not holds(memory.text, unwanted)]
    elif unwanted:
        memories = [memory for memory in memories if holds(memory.text, wanted) or not holds(memory.text, unwanted)]
    holding = [memory for memory in memories if wanted and holds(memory.text, wanted)]
    if not holding:
        return memories
    named = {memory.node for memory in holding}
    around = holding if request.unasked else memories
    pairs = graph.successions([memory.node for memory in around if memory.node]) if graph else []
    beside: dict[int, list[int]] = {}
    for earlier, later in pairs:
        beside.setdefault(earlier, []).append(later)
        beside.setdefault(later, []).append(earlier)
    named.update([turn for node in named for turn in beside.get(node, ())])
    bridged = _bridged(holding, memories, wanted)
    others = {one for one in memories if one.node not in named and one.origin == "graph" and one not in bridged}
    if request.unasked:
        return [memory for memory in memories if memory not in others]
    from awhm_hooks.recall import asked

    twins = asked.without_twins(others, holding, beside)
    for memory in others:
        memory.score -= _OTHER_NAME_PENALTY
    return [memory for memory in memories if memory not in others or memory.node not in twins]


def _bridged(holding: list[Memory], memories: list[Memory], wanted: set[str]) -> list[Memory]:
    """What else those say who speak of the names, where nobody of these names speaks; with a better score.

    "The pet of the engineer at Google" is the pet of who says that he works there.
    """
    speakers = {speaker(memory.text) for memory in memories}
    if len(speakers) < 2 or any(holds(one, wanted) for one in speakers):
        return []
    best = sorted(holding, key=_best, reverse=True)[:_BRIDGES]
    leading = {speaker(memory.text) for memory in best} - {""}
    bridged = [memory for memory in memories if speaker(memory.text) in leading]
    for memory in bridged:
        memory.score = (memory.score + best[0].score) / 2
    return bridged


def _first_told(memory: Memory) -> tuple[bool, bool, float, float]:
    return memory.family != model.MESSAGE, memory.origin == "buffer", round(memory.score, 3), memory.at


def _best(memory: Memory) -> tuple[float, float]:
    return round(memory.score, 3), memory.at


def _candidates(graph: "Graph", result: lexical.LexicalResult, request: "Request") -> list[Memory]:
    """The nodes that lead by words or by meaning, and the turns beside them.

    Entities lead to others and are never shown themselves.
    """
    cosines = request.meaning.nodes if request.meaning else {}
    floor = request.meaning.floor if request.meaning else 0.0
    nearest = sorted(cosines, key=cosines.__getitem__, reverse=True)[: rank.CANDIDATES]
    numbers = list(dict.fromkeys(result.best(rank.CANDIDATES) + nearest))
    if not numbers:
        return []
    beside = [turn for pair in graph.successions(numbers) for turn in pair]
    numbers = list(dict.fromkeys(numbers + beside))
    turns = Turns(graph, numbers)
    found = []
    for number, node in graph.nodes(numbers).items():
        if node.family == model.ENTITY or not request.is_shown(node):
            continue
        memory = of_node(node, result.terms_held(number))
        memory.cosine = cosines.get(number, floor)
        memory.near_cosine = turns.cosine(number, cosines, floor)
        memory.bm25 = turns.bm25(number, result)
        if node.family == model.MESSAGE:
            memory.asks = turns.asks(number)
            memory.opens = turns.opens(number)
        found.append(memory)
    return found


def _associated(
    graph: "Graph", result: lexical.LexicalResult, found: list[Memory], request: "Request", config: "AWHMConfig"
) -> list[Memory]:
    """Statements one hop from the lexical anchors, with what their edges say for them.

    Known entities may be anchors, so that a name leads to all that is known about it.
    """
    leading = result.best(rank.CANDIDATES)
    if not leading:
        return []
    top = result.scores[leading[0]]
    anchors = [node for node in leading if result.scores[node] >= top * config.bm25_anchor_ratio]
    shown = {memory.node for memory in found}
    evidence: dict[int, tuple[float, int]] = {}
    for anchor, other, weight in graph.associated(anchors):
        strength = weight * config.neighbor_decay * result.scores[anchor] / top
        if other not in shown and strength > evidence.get(other, (0.0, 0))[0]:
            evidence[other] = strength, anchor
    memories = []
    for node in graph.nodes(list(evidence)[: rank.CANDIDATES]).values():
        if node.family not in (model.ENTITY, model.MESSAGE) and request.is_shown(node):
            strength, anchor = evidence[node.id]
            memory = of_node(node, result.terms_held(anchor))
            memory.features["association"] = strength
            memories.append(memory)
    return memories


def _without_contradicted(graph: "Graph", found: list[Memory], request: "Request") -> list[Memory]:
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

    def is_stale(memory: Memory) -> bool:
        own = [memory.key] if memory.key else [key for key, _ in keys.get(memory.node, ())]
        return any(newest.get(key, 0.0) > memory.at for key in own if key)

    return [memory for memory in found if not is_stale(memory)]


def _unconsolidated(request: "Request") -> "Iterator[BufferedStatement]":
    yield from request.current
    for buffer in request.buffers():
        for one in buffer.statements:
            if request.project is None or buffer.project == request.project or one.scope == "user":
                yield one


def _distinct(memories: list[Memory], request: "Request") -> list[Memory]:
    """Each text once; nothing that is in the context window already; no message beside its own statement."""
    kept: list[Memory] = []
    marks = set(request.injected)
    for memory in memories:
        if context.is_told(memory, marks) or _is_in_window(memory, request):
            continue
        marks.update(context.injection_marks(memory))
        kept.append(memory)
    return kept


def _is_in_window(memory: Memory, request: "Request") -> bool:
    """A message of the asking session stands in its context window, unless that was emptied since."""
    own = request.own
    return bool(
        own and memory.family == model.MESSAGE and memory.session == own.session and memory.at > own.boundary_at
    )


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.journal.buffer import BufferedStatement
    from awhm_hooks.paths import Paths
    from awhm_hooks.recall.meaning import Meaning
    from awhm_hooks.recall.request import Request
