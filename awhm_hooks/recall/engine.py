"""Recall: from buffers and graph what is current, in scope, to the point, and not in the context window yet."""

from awhm_hooks.graph import model
from awhm_hooks.recall import buffered, context, lexical, rank, small_talk
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import asks_back, beside_first_question, is_lone_question, names_a_time
from awhm_hooks.recall.memory import Memory, of_node
from awhm_hooks.recall.names import holds, names
from awhm_hooks.recall.tokens import tokenise
from awhm_hooks.recall.turns import Turns

_REPHRASED_CHARS = 40  # "please …, thank you"
_REPEATED = 0.5
_REPLY_CHARS = 120
_FOLLOWED = 3  # of the kept ones: three are told at most
_FOLLOWED_TERMS = 12
_RARE = 8  # documents that hold a term


def recall(graph: "Graph | None", request: "Request", paths: "Paths", config: "AWHMConfig") -> list[Memory]:
    """The memories to hand back, best first; [] to stay silent.

    Unasked, statements come before messages' snippets, and the buffers' before the graph's.
    """
    if request.unasked and small_talk.is_small_talk(request.text):
        return []
    meaning = request.meaning
    if meaning:
        meaning.ask(request.meant, graph, paths.graph, request.buffers())
    if not request.terms and not meaning:
        return []
    scopes = graph.scope_ids(request.project) if graph else []
    result = lexical.search(graph, scopes, [*request.terms, *request.kin]) if graph else lexical.NOTHING
    cosines = meaning.collect(graph, scopes) if meaning else {}
    query = rank.Query(request, result)
    memories = buffered.memories(request, cosines, paths)
    if graph:
        found = _candidates(graph, result, request)
        if config.neighbor_expansion:
            found += _associated(graph, result, found, request, config)
        memories += _without_contradicted(graph, found, request)
    has_meaning = bool(meaning and meaning.is_answered)
    if not request.unasked:
        from awhm_hooks.recall import asked

        return _distinct(asked.answer(memories, query, result, graph, request, has_meaning, config), request)
    rank.score(memories, query, has_meaning, config)
    is_asking_back = asks_back(request.text)
    if is_asking_back and names_a_time(request.text):
        from awhm_hooks.recall import timeframe

        timeframe.prefer(memories, request.text, request.now)
    memories = [memory for memory in memories if not _is_question(memory)]
    memories = _without_repeated(memories, request, is_asking_back)
    levels = rank.RECALLING if is_asking_back else rank.UNASKED
    wanted, unwanted = names(request.text)
    if unwanted:
        memories = [one for one in memories if not holds(one.text, unwanted) or holds(one.text, wanted)]
    kept = _named(rank.near_the_best(rank.abstain(memories, query, levels, has_meaning)), wanted, graph)
    if not kept:
        return []
    kept = _assented(kept, memories, graph)
    kept.sort(key=_first_told, reverse=True)
    if graph and meaning and has_meaning:
        later = _following(graph, meaning, kept, memories, scopes, result, request)
        memories = memories + [one for one in later if not holds(one.text, unwanted)]
    return _distinct(_current(kept, memories, query, graph, meaning), request)


def _following(
    graph: "Graph",
    meaning: "Meaning",
    kept: list[Memory],
    known: list[Memory],
    scopes: list[int],
    result: lexical.LexicalResult,
    request: "Request",
) -> list[Memory]:
    """What tells of a change and names what a kept memory does: "we dropped Redux" tells nothing of "the state".

    Up to 1.5 ms among 10,000 memories; where words alone decide it would replace nothing.
    """
    from awhm_hooks.recall.said import Said
    from awhm_hooks.recall.supersession import tells_of_a_change

    first = [one for one in kept[:_FOLLOWED] if one.role != "assistant"]
    own = [Said(one.text, one.terms).own_terms()[:_FOLLOWED_TERMS] for one in first]
    naming = lexical.look_up(graph, scopes, [term for terms in own for term in terms])
    led: dict[int, list[Memory]] = {}
    for one, terms in zip(first, own, strict=True):
        for number in _holding_rare(terms, naming):
            led.setdefault(number, []).append(one)
    there = {one.node: one for one in known}
    unknown = [number for number in led if number not in there]
    found = []
    for number, node in graph.nodes(unknown).items() if unknown else ():
        if node.family == model.MESSAGE and node.role == "user" and request.is_shown(node):
            memory = there[number] = of_node(node, result.terms_held(number))
            memory.cosine = meaning.nodes.get(number, meaning.floor)
            found.append(memory)
    for number, leading in led.items():
        later = there.get(number)
        if later and any(one.at < later.at for one in leading) and tells_of_a_change(later.text):
            later.follows = True
    return [one for one in found if one.follows]


def _current(
    kept: list[Memory],
    candidates: list[Memory],
    query: rank.Query,
    graph: "Graph | None",
    meaning: "Meaning | None",
) -> list[Memory]:
    """What is kept without what a newer memory replaces."""
    from awhm_hooks.recall import outdated

    if meaning is None or not meaning.is_answered:
        return outdated.without_outdated(kept, candidates, query.weights, None)

    def rows(memories: list[Memory]) -> dict[tuple[int, str, str], bytes]:
        return meaning.rows_of(graph, memories, True)

    return outdated.without_outdated(kept, candidates, query.weights, rows)


def _is_question(memory: Memory) -> bool:
    """What the user asked once, and said nothing besides ("Again."), tells nothing; the reply to it does."""
    if memory.family != model.MESSAGE or memory.role != "user":
        return False
    if is_lone_question(memory.text):
        return True
    beside = beside_first_question(memory.text)
    return beside is not None and all(is_generic(term) for term in tokenise(beside))


def _without_repeated(memories: list[Memory], request: "Request", asks: bool) -> list[Memory]:
    """Without what the prompt says itself: an order that is typed again tells nothing, and neither does a rule.

    A question may hold the words of its answer, so what it repeats is told.
    """
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


def _named(memories: list[Memory], wanted: set[str], graph: "Graph | None") -> list[Memory]:
    """Without what is about another name than the wanted ones, where the best holds one of these; see `names`."""
    named = {memory.node for memory in memories if wanted and holds(memory.text, wanted)}
    if not named or not holds(max(memories, key=_score).text, wanted):
        return memories
    if graph:
        named.update(turn for pair in graph.successions([node for node in named if node]) for turn in pair)
    return [memory for memory in memories if memory.node in named or memory.origin != "graph"]


def _assented(kept: list[Memory], candidates: list[Memory], graph: "Graph | None") -> list[Memory]:
    """What the user said in place of a short reply to it: "Gladly, I have added the two columns" says less."""
    replies = {one.node: one for one in kept if one.node and one.role == "assistant" and len(one.text) <= _REPLY_CHARS}
    if not graph or not replies:
        return kept
    said = {one.node: one for one in candidates if one.role == "user" and one.family == model.MESSAGE}
    for before, node in graph.successions(list(replies)):
        if node in replies and before in said:
            said[before].score = max(said[before].score, replies[node].score)
            kept[kept.index(replies[node])] = said[before]
    return list(dict.fromkeys(kept))


def _score(memory: Memory) -> float:
    return memory.score


def _first_told(memory: Memory) -> tuple[bool, bool, float, float]:
    return memory.family != model.MESSAGE, memory.origin == "buffer", round(memory.score, 3), memory.at


def _candidates(graph: "Graph", result: lexical.LexicalResult, request: "Request") -> list[Memory]:
    """The nodes that lead by words or by meaning, and the turns beside them.

    Entities lead to others and are never shown themselves.
    """
    cosines = request.meaning.nodes if request.meaning else {}
    floor = request.meaning.floor if request.meaning else 0.0
    limit = rank.UNASKED_CANDIDATES if request.unasked else rank.CANDIDATES
    nearest = sorted(cosines, key=cosines.__getitem__, reverse=True)[:limit]
    numbers = list(dict.fromkeys(result.best(limit) + nearest + (_rare(request, result) if request.unasked else [])))
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


def _rare(request: "Request", result: lexical.LexicalResult) -> list[int]:
    """What holds a word of the prompt that few documents hold; what shares more of its everyday words outnumbers it."""
    return _holding_rare([term for term in request.terms if not is_generic(term)], result)


def _holding_rare(terms: list[str], result: lexical.LexicalResult) -> list[int]:
    few = [term for term in terms if 0 < result.frequencies.get(term, 0) <= _RARE]
    return list(dict.fromkeys(node for term in few for node, _ in result.holding(term)))


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

    def is_known(memory: Memory) -> bool:
        return context.is_told(memory, marks) or _is_in_window(memory, request)

    for memory in memories:
        if memory.later and is_known(memory.later):
            memory.later = None
        told = memory.later if is_known(memory) else memory
        if told:
            kept.append(told)
            marks.update(mark for one in context.with_later([told]) for mark in context.injection_marks(one))
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
