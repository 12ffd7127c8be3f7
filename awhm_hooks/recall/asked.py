"""What holds for a question that was put to memory, and not for a prompt of a hook.

Whether it is answered at all is for the best candidate to say; then all of them are handed back, best first. A question
may say what it does not mean ("the current policy rather than the retired one"), and so may a memory ("for caching,
not for persistent data"); and it may refer to what was said just before it.
"""

import os
from _operator import mul
from math import log, sqrt

from awhm_hooks.recall import lexical, rank, timeframe
from awhm_hooks.recall.context import comparable
from awhm_hooks.recall.generic import GENERIC
from awhm_hooks.recall.intent import names_a_time
from awhm_hooks.recall.names import holds, names, speaker
from awhm_hooks.recall.request import MAX_TERMS, Request
from awhm_hooks.recall.tokens import STOP_WORDS, tokenise
from awhm_hooks.recall.vectors import STEP, WIDTH, ZERO

# What the best candidate must show, in cosine and half its relevance. The nearest of many is nearer by chance than the
# nearest of few.
_LEAST_EVIDENCE = 0.22
_MOST_EVIDENCE = 0.3
_FEW_DOCS = 20
_EVIDENCE_A_LOG = 0.045
_QUESTION_EVIDENCE = 0.8  # an earlier question alone says less
_ANCHOR_RELEVANCE = 0.18  # of a word that is no everyday one: enough by itself
_EVERYDAY_RELEVANCE = 0.5  # where every word of the question is an everyday one
_LOOKUP_COSINE = 0.5
_UNKNOWN_COSINE = 0.4

_FAR_BEHIND = 0.45
_SMALL_STORE = 60  # documents: fewer than there are candidates
_PROJECT_BONUS = 0.5
_OTHER_NAME_PENALTY = 0.15
_BRIDGES = 2
_TWIN_SHARE = 0.5
_TWIN_CHARS = 400

_FEEDBACK = 15
_LIKENESS = 0.5
_COUNTING_LIKENESS = 1.5
_COUNTING = ("how many", "how much", "total", "order of", "average", "percentage")

_MY = frozenset("my mi mis mein meine meinen meinem meiner".split())
_SHORT_WORDS = 8
_OWNED = 3  # words that may name what is somebody's
_OTHER = (", not ", " rather than ", " as opposed to ")
_NOT_FOR = (", not for ", " but not for ", ", never for ")
_CLAUSE_ENDS = ".,;:!?\n"
_REFERRING = frozenset("it that this those these they them he she him her its their his then there one".split())
_DECIDING = frozenset("decid choos chos pick agre schedul settl".split())
_FEW_TERMS = 2


def answer(
    memories: "list[Memory]",
    query: "Query",
    result: "LexicalResult",
    graph: "Graph | None",
    request: Request,
    has_meaning: bool,
    config: "AWHMConfig",
) -> "list[Memory]":
    """The candidates with their scores, best first; [] where none of them shows enough."""
    memories = [memory for memory in memories if not _is_the_question(memory, request)]
    _discount_denied(memories, query)
    rank.score(memories, query, has_meaning, config)
    if names_a_time(request.text):
        timeframe.prefer(memories, request.text, request.now)
    memories = _by_name(memories, graph, request.text)
    if not _is_answered(memories, query):
        return []
    if request.project is None:
        _prefer_named_project(memories, request.text)
    _note_sessions(memories, graph, result)
    memories = _leading(memories, query)
    if has_meaning and request.meaning:
        _note_likeness(memories, request.meaning.rows_of(graph, memories), request.text)
    return memories


def _is_the_question(memory: "Memory", request: Request) -> bool:
    """Typed before, a question is no answer to itself."""
    said = comparable(memory.text)
    return said.endswith(("?", "？")) and said.rstrip("?？ ") == comparable(request.text).rstrip("?？ ")


def _is_answered(memories: "list[Memory]", query: "Query") -> bool:
    """Some candidate shows enough for the question to be answered.

    A row of keywords is looked up by its words. What somebody calls theirs must be known, unless something comes near.
    """
    least = _LEAST_EVIDENCE + _EVIDENCE_A_LOG * max(0.0, log(max(1, query.docs) / _FEW_DOCS))
    least = min(least, _MOST_EVIDENCE)
    is_lookup = _is_row_of_keywords(query.text)
    is_unknown = _is_unknown(query)
    least_of_everyday = 2.0 if query.specific(query.terms) else _EVERYDAY_RELEVANCE
    for memory in memories:
        trust = _QUESTION_EVIDENCE if memory.asks else 1.0
        relevance = memory.features["relevance"]
        if is_unknown and trust * memory.cosine < _UNKNOWN_COSINE:
            continue
        is_specific = query.specific(memory.terms) > 0
        if is_specific and "time" in memory.features:
            return True
        if relevance >= (_ANCHOR_RELEVANCE if is_specific else least_of_everyday):
            return True
        if is_lookup and memory.cosine < _LOOKUP_COSINE:
            continue
        if trust * (memory.cosine + 0.5 * relevance) >= least:
            return True
    return False


def _by_name(memories: "list[Memory]", graph: "Graph | None", text: str) -> "list[Memory]":
    """Put behind what holds none of the names that the question wants, and stands beside none that does; see `names`.

    What says the same of another name is left out, and so is what holds an unwanted one, where anything else is known.
    """
    wanted, unwanted = names(text)
    if unwanted:
        clean = [memory for memory in memories if not holds(memory.text, unwanted)]
        if any(holds(memory.text, wanted) for memory in clean):
            memories = clean
        else:
            memories = [memory for memory in memories if memory in clean or holds(memory.text, wanted)]
    holding = [memory for memory in memories if wanted and holds(memory.text, wanted)]
    if not holding:
        return memories
    beside = _beside(memories, graph)
    named = {memory.node for memory in holding}
    named.update([turn for node in named for turn in beside.get(node, ())])
    bridged = _bridged(holding, memories, wanted)
    others = [one for one in memories if one.node not in named and one.origin == "graph" and one not in bridged]
    twins = _twins(others, holding, beside)
    for memory in others:
        memory.score -= _OTHER_NAME_PENALTY
    return [memory for memory in memories if memory.node not in twins]


def _beside(memories: "list[Memory]", graph: "Graph | None") -> dict[int, list[int]]:
    """The turns before and after each message."""
    beside: dict[int, list[int]] = {}
    for earlier, later in graph.successions([memory.node for memory in memories if memory.node]) if graph else ():
        beside.setdefault(earlier, []).append(later)
        beside.setdefault(later, []).append(earlier)
    return beside


def _bridged(holding: "list[Memory]", memories: "list[Memory]", wanted: set[str]) -> "list[Memory]":
    """What else those say who speak of the names, where nobody of these names speaks; with a better score.

    "The pet of the engineer at Google" is the pet of who says that he works there.
    """
    speakers = {speaker(memory.text) for memory in memories}
    if len(speakers) < 2 or any(holds(one, wanted) for one in speakers):
        return []
    best = sorted(holding, key=_place, reverse=True)[:_BRIDGES]
    leading = {speaker(memory.text) for memory in best} - {""}
    bridged = [memory for memory in memories if speaker(memory.text) in leading]
    for memory in bridged:
        memory.score = (memory.score + best[0].score) / 2
    return bridged


def _twins(others: "list[Memory]", named: "list[Memory]", beside: dict[int, list[int]]) -> set[int]:
    """The nodes that say of something else what a named memory says, and of the other turns beside them.

    "Where do we stay in Tokyo?" is no answer about Kyoto, nor is the answer to it.
    """
    models = [_words(memory.text) for memory in named]
    twins = {one.node for one in others if any(_is_twin(_words(one.text), model) for model in models)}
    aside = {one.node for one in others}
    return twins.union(turn for node in twins for turn in beside.get(node, ()) if turn in aside)


def _words(text: str) -> set[str]:
    return set(text[:_TWIN_CHARS].lower().split())


def _is_twin(words: set[str], model: set[str]) -> bool:
    return len(words & model) >= _TWIN_SHARE * len(words | model)


def _prefer_named_project(memories: "list[Memory]", text: str) -> None:
    """A question over all projects that names one of them ("the tech stack of the shop-api") is about that one."""
    lower = f" {text.lower()} "
    for ending in "?.,:;'`\"":
        lower = lower.replace(ending, " ")
    names = {memory.project: _project_name(memory.project) for memory in memories}
    named = {project for project, name in names.items() if name and f" {name} " in lower}
    if len(named) < len(names):
        for memory in memories:
            if memory.project in named:
                memory.score += _PROJECT_BONUS


def _project_name(project: str) -> str:
    return os.path.basename(project.removesuffix("/.git").rstrip("/\\")).lower()


def _place(memory: "Memory") -> tuple[float, float]:
    return round(memory.score, 3), memory.at


def _leading(memories: "list[Memory]", query: "Query") -> "list[Memory]":
    """The memories, best first.

    Where the store is so small that every memory is a candidate, without what falls far behind the best and was said in
    another session than all that does not.
    """
    memories.sort(key=_place, reverse=True)
    if query.docs > _SMALL_STORE:
        return memories
    least = _FAR_BEHIND * memories[0].score
    sessions = {memory.session for memory in memories if memory.score >= least}
    return [memory for memory in memories if memory.score >= least or memory.session in sessions]


def _note_sessions(memories: "list[Memory]", graph: "Graph | None", result: "LexicalResult") -> None:
    """Give each memory its session's BM25 as one document, in terms of the best session's."""
    sessions = {memory.session for memory in memories if memory.session}
    scores = _session_bm25(graph.session_lengths(list(sessions)), result) if graph and sessions else {}
    best = max(scores.values(), default=0.0) or 1.0
    for memory in memories:
        memory.features["session"] = scores.get(memory.session, 0.0) / best


def _session_bm25(messages: list[tuple[int, str, int]], result: "LexicalResult") -> dict[str, float]:
    session_of = {node: session for node, session, _ in messages}
    lengths: dict[str, float] = {}
    for _, session, length in messages:
        lengths[session] = lengths.get(session, 0.0) + length
    mean_length = sum(lengths.values()) / (len(lengths) or 1) or 1.0
    scores: dict[str, float] = {}
    for term, weight in result.weights.items():
        counts: dict[str, int] = {}
        for node, count in result.holding(term):
            of_node = session_of.get(node)
            if of_node is not None:
                counts[of_node] = counts.get(of_node, 0) + count
        for session, count in counts.items():
            share = lexical.saturated(count, lengths[session], mean_length)
            scores[session] = scores.get(session, 0.0) + weight * share
    return scores


def _note_likeness(memories: "list[Memory]", rows: dict[tuple[int, str, str], bytes], text: str) -> None:
    """Give each memory its cosine to the centroid of the best (Rocchio's feedback), weighted.

    It finds the further sessions of one matter, so it counts most where a question sums up over several.
    """
    best: dict[str, bytes] = {}
    for memory in memories:
        row = rows.get(memory.row_key())
        if row:
            best.setdefault(memory.message_id, row)
        if len(best) >= _FEEDBACK:
            break
    centre = [sum(column) - ZERO * len(best) for column in zip(*best.values(), strict=True)] or [0] * WIDTH
    length = sqrt(sum(map(mul, centre, centre)))
    if not length:
        return
    lower = text.lower()
    weight = _COUNTING_LIKENESS if any(mark in lower for mark in _COUNTING) else _LIKENESS
    offset = ZERO * sum(centre)
    for memory in memories:
        row = rows.get(memory.row_key())
        if row:
            memory.features["likeness"] = weight * STEP * (sum(map(mul, row, centre)) - offset) / length


def _is_row_of_keywords(text: str) -> bool:
    """Words to look up, not a sentence: no question mark, and none of the words that join a sentence."""
    return not ("?" in text or "？" in text) and not any(word in STOP_WORDS for word in text.lower().split())


def _is_unknown(query: "Query") -> bool:
    """A short question is about something of the asker's that no memory names: "what is my birthday?"."""
    if len(query.text.split()) > _SHORT_WORDS:
        return False
    owned = [term for term in tokenise(_owned(query.text)) if term not in GENERIC]
    return bool(owned) and not any(query.frequencies.get(term) for term in owned)


def _owned(text: str) -> str:
    """What the asker calls theirs: "annual salary" of "what is my annual salary?"."""
    found: list[str] = []
    left = 0
    for word in text.lower().split():
        if word in _MY:
            left = _OWNED
        elif left:
            found.append(word)
            left = left - 1 if word[-1].isalnum() else 0
    return " ".join(found)


def wanted_part(text: str) -> str:
    """A question without what it says it does not mean; the whole where nothing else is left."""
    kept = _without(text, _OTHER)
    return kept if kept.strip() else text


def _discount_denied(memories: "list[Memory]", query: "Query") -> None:
    """Take from a memory the words of what it says it is not for."""
    for memory in memories:
        if not memory.terms or ("not for " not in memory.text and "never for " not in memory.text):
            continue
        left = set(tokenise(_without(memory.text, _NOT_FOR)))
        kept = [term for term in memory.terms if term in left]
        if len(kept) < len(memory.terms):
            memory.bm25 *= query.relevance(kept) / (query.relevance(memory.terms) or 1.0)
            memory.terms = kept


def _without(text: str, marks: tuple[str, ...]) -> str:
    """The text without each clause that one of the marks begins."""
    for mark in marks:
        while (start := text.find(mark)) >= 0:
            end = start + len(mark)
            while end < len(text) and text[end] not in _CLAUSE_ENDS:
                end += 1
            text = text[:start] + text[end:]
    return text


def request(text: str, project: str | None, now: float) -> Request:
    """A request whose terms leave out what the question does not mean; the model is asked the whole."""
    made = Request(text, project, False, now)
    made.terms = list(dict.fromkeys(tokenise(wanted_part(made.text))))[:MAX_TERMS]
    return made


def in_context(text: str, before: str) -> str:
    """The question as it is understood after `before`: behind it, where it names nothing itself."""
    if not before:
        return text
    own = {term for term in tokenise(text) if term not in GENERIC and term not in _DECIDING}
    refers = any(word.strip("?.,!") in _REFERRING for word in text.lower().split())
    return f"{before} {text}" if not own or (refers and len(own) <= _FEW_TERMS) else text


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.recall.lexical import LexicalResult
    from awhm_hooks.recall.memory import Memory
    from awhm_hooks.recall.rank import Query
