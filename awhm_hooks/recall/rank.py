"""Fusion and abstention: from evidence to a ranking, and from a ranking to what is handed back.

Ranking blends BM25 and cosine, each scaled to the best candidate's (min-max fusion), with a weight that depends on the
query: look-ups of identifiers go by words, questions in prose by both.

Handing back is another matter: a BM25 score is open upwards and a cosine has no fixed meaning, so several signals are
asked "is this about the prompt?". A candidate's relevance is the share of the query's weight in the terms that it
holds; each term weighs its idf, smoothed so that a store of three memories judges like one of thousands, and less
where it is a word that any request is made of. Unasked, a prompt's own topic is not told less of the more is known of
it: a term in three memories (what was said, the statement in it, the reply) weighs as much as one in none, and one in
many still as much as two everyday words.
"""

from math import log

from awhm_hooks.graph.model import ACTIVE, MESSAGE, PREFERENCE
from awhm_hooks.journal.raw_log import USER
from awhm_hooks.recall import lexical
from awhm_hooks.recall.generic import GENERIC, TELLING, is_generic
from awhm_hooks.recall.intent import addresses_assistant, is_cjk
from awhm_hooks.recall.small_talk import is_go_ahead
from awhm_hooks.recall.tokens import tokenise

CANDIDATES = 60  # by words, and as many by meaning
UNASKED_CANDIDATES = 40  # of which three are told at most; each costs the prompt 0.06 ms
_PRIOR_DOCS = 400  # documents without the term, assumed besides those of the store
_GENERIC_WEIGHT = 0.35
_FEW_DOCS = 3
_LEAST_WEIGHT = 3.35
_KIN_SHARE = 0.7
_PREFER_WEIGHT = 0.6
_FEW_TERMS = 12
_LEAST_PART_CHARS = 3
_PREFER_STEMS = frozenset(("prefer", "favourit", "favorit", "lik", "preferenc"))

_LEXICAL_SHARE = 0.5
_IDENTIFIER_SHARE = 0.9
LEAST_COSINE = 0.1  # of what has nothing to do with each other
_QUESTION_PENALTY = 0.1
_STATEMENT_BONUS = 0.08
# LongMemEval's evidence is mostly what the user said; where all speakers are users, as on LoCoMo, it changes nothing.
_USER_BONUS = 0.3
_OPENING_BONUS = 0.1
_ASSISTANT_ASKED = -0.05


class Query:
    """A query's terms with their weights."""

    __slots__ = (
        "docs",
        "frequencies",
        "is_cjk",
        "is_foreign",
        "lexical_share",
        "terms",
        "text",
        "to_assistant",
        "total",
        "weights",
    )

    def __init__(self, request: "Request", result: lexical.LexicalResult) -> None:
        self.text = request.text
        self.terms = terms = request.terms
        self.frequencies = result.frequencies
        self.docs = result.docs
        self.is_cjk = is_cjk(request.text)
        self.is_foreign = request.is_foreign
        self.to_assistant = addresses_assistant(request.text)
        frequency = result.frequencies.get
        self.weights = {term: _term_weight(term, frequency(term, 0), self.docs, request.unasked) for term in terms}
        for term in result.common.intersection(terms):
            self.weights[term] *= lexical.COMMON_WEIGHT
        self.total = sum(self.weights.values()) or 1.0
        named = sum(self.weights[term] for term in terms if lexical.is_identifier(term) and term not in result.common)
        self.lexical_share = _LEXICAL_SHARE + (_IDENTIFIER_SHARE - _LEXICAL_SHARE) * min(1.0, 2 * named / self.total)
        for other, own in request.kin.items():
            known = _term_weight(other, frequency(other, 0), self.docs, request.unasked)
            self.weights[other] = _KIN_SHARE * min(known, sum(self.weights[term] for term in own))

    def relevance(self, held: list[str]) -> float:
        """The share of the query's weight in the terms that a memory holds, 0 to 1."""
        return min(1.0, sum(self.weights.get(term, 0.0) for term in held) / self.total)

    def focus(self, text: str, held: list[str]) -> float:
        """The share of a statement's own terms that the query holds, 0 to 1: a long prompt may ask in passing."""
        own = set(tokenise(text)) - GENERIC
        return len(own.intersection(held)) / len(own) if own else 0.0

    def specific(self, held: list[str]) -> int:
        """How many of the held terms say what the query is about; a whole identifier counts, and not its parts too.

        A path counts twice: it names one thing.
        """
        telling = [term for term in held if term in self.weights and not is_generic(term)]
        if not 1 < len(telling) <= _FEW_TERMS:
            return len(telling)
        whole = [term for term in telling if not any(_is_part(term, other, held) for other in telling)]
        return len(whole) + sum(1 for term in whole if _is_path(term))

    def names_a_path(self, held: list[str]) -> bool:
        """Among the held terms is a path of which not much is known; words of another language it need not hold."""
        return any(_is_path(term) and self.frequencies.get(term, 0) <= 2 * _FEW_DOCS for term in held)

    def names_one_thing(self, held: list[str]) -> bool:
        """Among the held terms is an identifier."""
        return any(len(term) > 1 and lexical.is_identifier(term) for term in held)

    def rare(self, held: list[str]) -> int:
        """How many of the held terms only few documents hold."""
        return sum(1 for term in held if self.frequencies.get(term, 0) <= _FEW_DOCS and not is_generic(term))


def _is_part(term: str, whole: str, held: list[str]) -> bool:
    """As "java" is of "javascript" where "script" is held too, or "closerun" of "settlementservice.closerun"."""
    if term == whole or term not in whole:
        return False
    if not whole.isalpha():
        return True
    return (whole.startswith(term) and whole[len(term) :] in held) or (
        whole.endswith(term) and whole[: -len(term)] in held
    )


def _is_path(term: str) -> bool:
    """As "apps/sync"; not so "w/o" and "and/or"."""
    parts = term.split("/")
    return len(parts) > 1 and all(len(part) >= _LEAST_PART_CHARS for part in parts[:2])


def _term_weight(term: str, frequency: int, docs: int, unasked: bool) -> float:
    if unasked and term in TELLING:
        return 0.0
    if is_generic(term):
        return lexical.idf(docs + _PRIOR_DOCS, frequency) * _GENERIC_WEIGHT
    weight = lexical.idf(docs + _PRIOR_DOCS, max(frequency, _FEW_DOCS) if unasked else frequency)
    if term in _PREFER_STEMS:
        return weight * _PREFER_WEIGHT
    return max(weight, _LEAST_WEIGHT) if unasked else weight


def score(memories: "list[Memory]", query: Query, has_meaning: bool, config: "AWHMConfig") -> None:
    """Give each candidate its features and its score."""
    share = query.lexical_share if has_meaning else 1.0
    top_bm25 = max((memory.bm25 for memory in memories), default=0.0) or 1.0
    most = max((_near(memory) for memory in memories), default=0.0)
    span = max(most - LEAST_COSINE, 1e-6)
    for memory in memories:
        features = memory.features
        features["relevance"] = query.relevance(memory.terms)
        features["lexical"] = memory.bm25 / top_bm25 if memory.origin == "graph" else features["relevance"]
        features["semantic"] = min(1.0, max(0.0, _near(memory) - LEAST_COSINE) / span)
        if memory.family != MESSAGE:
            features["focus"] = query.focus(memory.text, memory.terms)
        memory.score = (
            share * features["lexical"] + (1.0 - share) * features["semantic"] + _prior(memory, query, config)
        )


def _near(memory: "Memory") -> float:
    return max(memory.cosine, memory.near_cosine)


def _prior(memory: "Memory", query: Query, config: "AWHMConfig") -> float:
    """What speaks for a memory besides what the query says."""
    features = memory.features
    prior: float = config.w_association * features.get("association", 0.0)
    if memory.family != MESSAGE:
        prior += _STATEMENT_BONUS * features["confidence"] + 0.1 * features["focus"]
        prior += 0.0 if query.to_assistant else _USER_BONUS
        if memory.family == PREFERENCE and any(term in _PREFER_STEMS for term in query.terms):
            prior += _STATEMENT_BONUS
    elif memory.role == USER:
        prior += _spoken(memory, query)
    if memory.asks:
        prior -= _QUESTION_PENALTY
    if memory.status != ACTIVE:
        prior -= config.contradiction_penalty
    return prior


def _spoken(memory: "Memory", query: Query) -> float:
    """What the user said tells more of the user than what was answered, and the opening message says most of it."""
    if query.to_assistant:
        return _ASSISTANT_ASKED
    if memory.asks and _is_one_sentence(memory.text):
        return 0.0
    return _USER_BONUS + (_OPENING_BONUS if memory.opens else 0.0)


def _is_one_sentence(text: str) -> bool:
    return not any(end in text for end in (". ", "! ", "? ", "\n"))


class Levels:
    """How much a memory must show to be handed back.

    `cosine` counts alone, `cosine_with_word` beside a shared word that is no everyday one, and `best_cosine` for the
    one memory that comes nearest of all. Holding `verbatim` of the query is enough, even of everyday words.
    """

    __slots__ = (
        "best_cosine",
        "cosine",
        "cosine_with_word",
        "message_relevance",
        "message_terms",
        "relevance",
        "verbatim",
    )

    def __init__(
        self,
        relevance: float,
        message_relevance: float,
        message_terms: int,
        cosine: float,
        cosine_with_word: float,
        best_cosine: float,
        verbatim: float,
    ) -> None:
        self.relevance = relevance
        self.message_relevance = message_relevance
        self.message_terms = message_terms
        self.cosine = cosine
        self.cosine_with_word = cosine_with_word
        self.best_cosine = best_cosine
        self.verbatim = verbatim


# Unasked: a prompt that wants work; one that asks back for what was settled.
UNASKED = Levels(0.34, 0.55, 2, 0.5, 0.4, 0.5, 1.1)
RECALLING = Levels(0.3, 0.45, 2, 0.36, 0.3, 0.24, 0.9)
_COSINE_WITH_RARE = 0.35
_RARE = 2
_FOCUSED = 0.5
_AS_NEAR = 0.04
_FOREIGN_COSINE = 0.3
_CHANCE_A_LOG = 0.03
_FEW_MEMORIES = 100
_ASSENT_BYTES = 25
_FAR_BEHIND = 0.6
_LEADING = 0.85
_LEADING_COSINE = 0.4
_LEADING_COSINE_FOREIGN = 0.3  # the model is of English: it tells little of other languages
_LEADING_TERMS = 2
_LEADING_TERMS_CJK = 4  # pairs of characters


def abstain(memories: "list[Memory]", query: Query, levels: Levels, has_meaning: bool) -> "list[Memory]":
    """The candidates that show enough to be handed back unasked.

    The evidence decides (`evidence`); among so few that it has no measure, or without cosines, the levels do.
    """
    memories = [memory for memory in memories if not _says_nothing(memory)]
    kept: list[Memory] = []
    if has_meaning:
        from awhm_hooks.recall import evidence

        weighed = evidence.Evidence(memories, query, levels is RECALLING)
        is_small = query.docs < _FEW_MEMORIES and levels is RECALLING
        least = evidence.LEAST_OF_FEW if is_small else evidence.LEAST
        for memory in weighed.chosen:
            if _is_known(memory):
                chance = memory.features["evidence"] = evidence.probability(weighed.signs(memory))
                if chance >= least:
                    kept.append(memory)
        if weighed.chosen:
            memories = [memory for memory in memories if not _is_known(memory)]
    nearest = max((memory.cosine for memory in memories), default=0.0)
    chance = _CHANCE_A_LOG * max(0.0, log((query.docs + 1) / _FEW_MEMORIES))
    for memory in memories:
        if (
            _is_near(memory, query, levels, nearest, chance)
            or _holds_enough(memory, query, levels, has_meaning)
            or (has_meaning and _leads(memory, query))
        ):
            kept.append(memory)
    return kept


def _says_nothing(memory: "Memory") -> bool:
    """A word of assent, "Understood.", "v3, noted.", or a go-ahead."""
    if memory.role == "assistant":
        return len(memory.text.encode("utf-8", "replace")) < _ASSENT_BYTES
    return memory.family == MESSAGE and is_go_ahead(memory.text)


def near_the_best(memories: "list[Memory]") -> "list[Memory]":
    """Without those that fall far behind the best: beside it they tell nothing."""
    least = _FAR_BEHIND * max((memory.score for memory in memories), default=0.0)
    return [memory for memory in memories if memory.score >= least]


def _is_near(memory: "Memory", query: Query, levels: Levels, nearest: float, chance: float) -> bool:
    """Its cosine tells. The nearest of many is nearer by chance than the nearest of few.

    The model is of English: of two texts one of which is in another language it tells little more than that.
    """
    cosine = memory.cosine - chance
    is_best = cosine >= levels.best_cosine and memory.cosine >= nearest - _AS_NEAR
    if cosine < min(levels.cosine, levels.cosine_with_word, _COSINE_WITH_RARE) and not is_best:
        return False
    specific = query.specific(memory.terms)
    if (query.is_foreign or is_cjk(memory.text)) and specific < _needed(query, levels, cosine):
        return False
    if is_best or cosine >= levels.cosine or (cosine >= levels.cosine_with_word and specific > 0):
        return True
    return cosine >= _COSINE_WITH_RARE and query.rare(memory.terms) >= _RARE


def _needed(query: Query, levels: Levels, cosine: float) -> int:
    """Of Chinese and Japanese, whose pairs of characters meet by chance, two; but one where it is asked back."""
    return 2 if query.is_cjk and not (levels is RECALLING and cosine >= UNASKED.cosine) else 1


def _leads(memory: "Memory", query: Query) -> bool:
    """It is first, or nearly so, by words and by meaning both, and each tells something by itself.

    Of a query in another language the words alone must lead: the model tells little of it.
    """
    features = memory.features
    by_meaning = 1.0 if query.is_foreign else features["semantic"]
    if min(features["lexical"], by_meaning) < _LEADING:
        return False
    needed = _LEADING_TERMS_CJK if query.is_cjk else _LEADING_TERMS
    least = _LEADING_COSINE_FOREIGN if query.is_foreign else _LEADING_COSINE
    return memory.cosine >= least and query.specific(memory.terms) >= needed


def _holds_enough(memory: "Memory", query: Query, levels: Levels, has_meaning: bool) -> bool:
    """Its words tell; where cosines are known, and they were said of something else, they do not."""
    if (
        has_meaning
        and _is_known(memory)
        and _near(memory) < _FOREIGN_COSINE
        and not query.names_one_thing(memory.terms)
    ):
        return False
    relevance = memory.features["relevance"]
    specific = query.specific(memory.terms)
    if relevance >= levels.verbatim or (query.is_foreign and query.names_a_path(memory.terms)):
        return True
    if memory.family == MESSAGE:
        needed = min(levels.message_terms, max(1, query.specific(query.terms)))
        return relevance >= levels.message_relevance and specific >= needed
    if specific > 1 and memory.features["focus"] >= _FOCUSED:
        return True
    return relevance >= levels.relevance and specific > 0


def _is_known(memory: "Memory") -> bool:
    """Whether the memory's own cosine is known: what was said while there was no model has none yet."""
    return memory.origin == "graph" or memory.cosine != 0.0


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.recall.memory import Memory
    from awhm_hooks.recall.request import Request
