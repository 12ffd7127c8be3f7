"""Whether a proposal says what is known already: by its words (rank-bm25) and, where there is a model, by its meaning.

A wrong "known" loses a memory, so both only count where the known statement has every name and number of the proposal,
in the same order, says it the same way round (negation, "before", "without"), and comes first under BM25 or cosine.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from rank_bm25 import BM25Okapi

from awhm_hooks.consolidate import dedup, support_words
from awhm_hooks.consolidate.stage2_prompt import Known
from awhm_hooks.consolidate.word_lists import RELATIONS
from awhm_hooks.journal import slots
from awhm_hooks.recall.tokens import stem, tokenise

Cosines = Callable[[str, Sequence[str]], Sequence[float]]
"""(a text, others) -> its cosine to each of them."""

COVERAGE = 0.8
_CANDIDATES = 40
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_SUBJECTS = frozenset("user users person people team project projects repository repo".split())


class LuceneBM25(BM25Okapi):  # type: ignore[misc]
    """rank-bm25 with Lucene's idf, which stays positive in small collections. Each term counts once, at any length."""

    def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
        super().__init__([sorted(set(document)) for document in corpus], b=0.0)

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for term, holding in nd.items():
            self.idf[term] = self.weight(holding)

    def weight(self, holding: int = 0) -> float:
        """The idf of a term that so many documents hold."""
        return log(1.0 + (self.corpus_size - holding + 0.5) / (holding + 0.5))

    def coverage(self, query: Sequence[str]) -> list[float]:
        """For each document, the share of the query's weight that it holds: 0 to 1."""
        terms = sorted(set(query))
        whole = sum(self.idf.get(term, self.weight()) for term in terms)
        return [float(score) / whole if whole else 0.0 for score in self.get_scores(terms)]


@dataclass(frozen=True)
class _Said:
    """A statement as it is compared. `order` is its terms as they stand; `names` are those that tell things apart."""

    text: str
    terms: tuple[str, ...]
    order: tuple[str, ...]
    telling: frozenset[str]
    names: frozenset[str]
    relations: frozenset[str]
    negated: bool
    prefers: bool


class Captured:
    """What is known, ready to be compared with."""

    def __init__(self, known: Sequence[Known], threshold: float, cosines: Cosines | None = None) -> None:
        self._said = [_read(one.text) for one in known]
        self._statements = {slots.statement_key(one.text) for one in known}
        self._threshold = threshold
        self._cosines = cosines
        self._bm25: LuceneBM25 | None = None

    def add(self, known: Known) -> None:
        self._said.append(_read(known.text))
        self._statements.add(slots.statement_key(known.text))
        self._bm25 = None

    def holds(self, content: str) -> bool:
        """Some known statement says this already."""
        if slots.statement_key(content) in self._statements:
            return True
        new = _read(content)
        if not self._said or not new.terms:
            return False
        if self._bm25 is None:
            self._bm25 = LuceneBM25([one.terms or ("",) for one in self._said])
        covered = self._bm25.coverage(new.terms)
        for share, known in sorted(zip(covered, self._said, strict=True), key=lambda pair: -pair[0])[:_CANDIDATES]:
            if share >= COVERAGE and _allows(new, known):
                return True
            if dedup.same_words(_plain(content), _plain(known.text)):
                return True
        return self._is_near(new, covered)

    def _is_near(self, new: _Said, covered: Sequence[float]) -> bool:
        if self._cosines is None:
            return False
        order = sorted(range(len(covered)), key=lambda index: (-covered[index], -index))[:_CANDIDATES]
        able = [self._said[index] for index in order if _allows(new, self._said[index])]
        if not able:
            return False
        return max(self._cosines(new.text, [one.text for one in able])) > self._threshold


def _allows(new: _Said, known: _Said) -> bool:
    """Whether the known statement lacks nothing that tells the proposal apart, and has it in the same order."""
    if (new.negated, new.prefers) != (known.negated, known.prefers):
        return False
    if not new.relations <= known.relations or not new.telling <= set(known.order):
        return False
    both = set(new.order) & set(known.order)
    if not known.relations:  # "the port for staging is 8443" says what "staging uses port 8443" says
        both &= new.names | known.names
    return [term for term in new.order if term in both] == [term for term in known.order if term in both]


def _read(text: str) -> _Said:
    words = [word.casefold() for word in _WORD.findall(text)]
    order = tuple(dict.fromkeys(tokenise(text)))
    split = text.split()
    telling = {term for word in split for term in tokenise(word) if _is_telling(word)}
    capitals = {term for word in split[1:] for term in tokenise(word) if word[:1].isupper()}
    return _Said(
        text,
        tuple(term for term in order if term not in _SUBJECT_TERMS and term not in _PREDICATE_TERMS),
        order,
        frozenset(telling),
        frozenset(telling | capitals),
        (RELATIONS - _LOOSE_RELATIONS).intersection(words),
        support_words.NEGATION.search(text) is not None,
        not _PREFERENCES.isdisjoint(words),
    )


def _is_telling(word: str) -> bool:
    """A word with a capital, a digit or a joint inside it."""
    bare = word.strip(".,;:!?()[]{}\"'“”‘’`")
    return not (bare.isalpha() and (bare.islower() or bare.istitle()))


_SUBJECT_TERMS = frozenset(stem(word) for word in _SUBJECTS)
_PREDICATE_TERMS = frozenset(stem(word) for word in support_words.PREDICATES)
_PREFERENCES = frozenset(word for word, kind in support_words.PREDICATES.items() if kind == "prefer")
# "Go with X" is "use X"; who does what to whom is in the order of the names.
_LOOSE_RELATIONS = frozenset("with to mit zu con a".split())


def _plain(text: str) -> str:
    """The statement without its subject: "The user prefers tabs" as "I prefer tabs" has it."""
    return re.sub(r"(?i)^\W*(?:the\s+)?(?:user|team|project|person)(?:['’]s)?\b", "", text)
