"""What holds for a question that was put to memory, and not for a prompt of a hook.

Whether it is answered at all is for the best candidate to say; then all of them are handed back, best first. A question
may say what it does not mean ("the current policy rather than the retired one"), and so may a memory ("for caching,
not for persistent data"); and it may refer to what was said just before it.
"""

from math import log

from awhm_hooks.recall.generic import GENERIC
from awhm_hooks.recall.request import MAX_TERMS, Request
from awhm_hooks.recall.tokens import STOP_WORDS, tokenise

# What the best candidate must show, in cosine and half its relevance. The nearest of many is nearer by chance than the
# nearest of few.
_LEAST_EVIDENCE = 0.24
_MOST_EVIDENCE = 0.4
_FEW_DOCS = 20
_EVIDENCE_A_LOG = 0.05
_QUESTION_EVIDENCE = 0.8  # an earlier question alone says less
_LOOKUP_RELEVANCE = 0.18
_LOOKUP_COSINE = 0.5
_UNKNOWN_COSINE = 0.4

_FAR_BEHIND = 0.45

_MY = frozenset("my mi mis mein meine meinen meinem meiner".split())
_OWNED = 3  # words that may name what is somebody's
_OTHER = (", not ", " rather than ", " as opposed to ")
_NOT_FOR = (", not for ", " but not for ", ", never for ")
_CLAUSE_ENDS = ".,;:!?\n"
_REFERRING = frozenset("it that this those these they them he she him her its their his then there one".split())
_DECIDING = frozenset("decid choos chos pick agre schedul settl".split())
_FEW_TERMS = 2


def answers(memories: "list[Memory]", query: "Query") -> bool:
    """Some candidate shows enough for the question to be answered.

    A row of keywords is looked up by its words. What somebody calls theirs must be known, unless something comes near.
    """
    least = _LEAST_EVIDENCE + _EVIDENCE_A_LOG * max(0.0, log(max(1, query.docs) / _FEW_DOCS))
    least = min(least, _MOST_EVIDENCE)
    is_lookup = _is_row_of_keywords(query.text)
    is_unknown = _is_unknown(query)
    for memory in memories:
        trust = _QUESTION_EVIDENCE if memory.asks else 1.0
        relevance = memory.features["relevance"]
        if trust * (memory.cosine + 0.5 * relevance) < least:
            continue
        if is_lookup and relevance < _LOOKUP_RELEVANCE and memory.cosine < _LOOKUP_COSINE:
            continue
        if is_unknown and trust * memory.cosine < _UNKNOWN_COSINE:
            continue
        return True
    return False


def leading(memories: "list[Memory]") -> "list[Memory]":
    """The memories, best first, down to where they fall far behind the best."""
    memories.sort(key=lambda memory: (round(memory.score, 3), memory.at), reverse=True)
    return [memory for memory in memories if memory.score >= _FAR_BEHIND * memories[0].score]


def note_sessions(memories: "list[Memory]", query: "Query") -> None:
    """Give each memory the share of the query's weight in the terms that its session's candidates hold together."""
    held: dict[str, set[str]] = {}
    for memory in memories:
        held.setdefault(memory.session, set()).update(memory.terms)
    shares = {session: query.relevance(list(terms)) for session, terms in held.items()}
    for memory in memories:
        memory.features["session"] = shares[memory.session]


def _is_row_of_keywords(text: str) -> bool:
    """Words to look up, not a sentence: no question mark, and none of the words that join a sentence."""
    return not ("?" in text or "？" in text) and not any(word in STOP_WORDS for word in text.lower().split())


def _is_unknown(query: "Query") -> bool:
    """The question is about something of the asker's that no memory names: "what is my birthday?"."""
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


def discount_denied(memories: "list[Memory]", query: "Query") -> None:
    """Take from a memory the words of what it says it is not for."""
    for memory in memories:
        if not memory.terms or "not for " not in memory.text and "never for " not in memory.text:
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
    from awhm_hooks.recall.memory import Memory
    from awhm_hooks.recall.rank import Query
