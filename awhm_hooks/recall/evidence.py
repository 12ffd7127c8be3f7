"""Whether a candidate is to the point of a prompt that nobody put to memory: the evidence, weighed by boosted trees.

No single sign tells: a cosine of 0.4 is much where everything else lies at 0.1 and nothing where ten others lie at
0.38, and what two shared words are worth depends on which, and on how many the prompt has. So the signs are weighed
together, by gradient-boosted regression trees on the log odds (Friedman 2001), fitted by `bench/evidence.py` on what
recall finds before the prompts of `bench/injection_sets`. The 40 trees take 10 to 15 µs a candidate, and only those
that could be told are weighed.
"""

from math import exp

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.journal.raw_log import USER
from awhm_hooks.recall.evidence_trees import BIAS, LEAF, RIGHT, ROOTS, SIGN, VALUE
from awhm_hooks.recall.generic import is_generic
from awhm_hooks.recall.intent import asks_the_world

LEAST = 0.4  # the probability from which on a memory is told; docs/quality.md has what others give
# Of a question that asks back among fewer memories than the trees were fitted on: "We use pnpm" is 0.13 probable before
# "which package manager do we use?", and the next memory 0.02.
LEAST_OF_FEW = 0.1

_FIRST, _NEAREST = 14, 4  # by score, and those by cosine alone
_FEW = 10  # different cosines: fewer give no measure of what is near
_MOST_TERMS, _MOST_RARE, _MOST_TELLING = 4, 3, 8
_MOST_WEIGHT = 8.0

SIGNS = (
    "nearest",
    "second",
    "fifth",
    "tenth",
    "relevance_of_best",
    "telling_terms",
    "prompt_chars",
    "documents",
    "asks_back",
    "asks_the_world",
    "is_cjk",
    "is_foreign",
    "cosine",
    "behind_nearest",
    "near_cosine_gain",
    "semantic",
    "lexical",
    "relevance",
    "shared_terms",
    "share_of_terms",
    "rare_terms",
    "weight_of_terms",
    "weight_of_rarest",
    "names_one_thing",
    "is_users",
    "is_statement",
    "focus",
    "asks",
)


class Evidence:
    """The signs of a prompt's candidates, which have been scored (`rank.score`)."""

    __slots__ = ("_of_prompt", "_query", "_telling", "chosen")

    def __init__(self, memories: "list[Memory]", query: "Query", asks_back: bool) -> None:
        cosines = sorted({round(memory.cosine, 4) for memory in memories}, reverse=True)
        self.chosen: list[Memory] = []
        self._query = query
        self._telling = sum(not is_generic(term) for term in query.terms)
        self._of_prompt: list[float] = []
        if len(cosines) < _FEW:
            return
        first = sorted(memories, key=lambda memory: memory.score, reverse=True)[:_FIRST]
        nearest = sorted(memories, key=lambda memory: memory.cosine, reverse=True)[:_NEAREST]
        self.chosen = list(dict.fromkeys(first + nearest))
        self._of_prompt = [
            cosines[0],
            cosines[1],
            cosines[4],
            cosines[9],
            max(memory.features["relevance"] for memory in memories),
            min(self._telling, _MOST_TELLING),
            len(query.text),
            query.docs,
            asks_back,
            asks_the_world(query.text),
            query.is_cjk,
            query.is_foreign,
        ]

    def signs(self, memory: "Memory") -> list[float]:
        """One number for each of SIGNS."""
        query, features = self._query, memory.features
        weights = [query.weights.get(term, 0.0) for term in memory.terms if not is_generic(term)]
        shared = query.specific(memory.terms)
        is_statement = memory.family != MESSAGE
        return [
            *self._of_prompt,
            memory.cosine,
            self._of_prompt[0] - memory.cosine,
            max(0.0, memory.near_cosine - memory.cosine),
            features["semantic"],
            features["lexical"],
            features["relevance"],
            min(shared, _MOST_TERMS),
            shared / max(1, self._telling),
            min(query.rare(memory.terms), _MOST_RARE),
            sum(min(weight, _MOST_WEIGHT) for weight in weights),
            max(weights, default=0.0),
            query.names_one_thing(memory.terms),
            memory.role == USER or is_statement,
            is_statement,
            features.get("focus", 0.0),
            memory.asks,
        ]


def probability(signs: list[float]) -> float:
    """The chance, 0 to 1, that a candidate with these signs is to the point."""
    odds = BIAS
    for root in ROOTS:
        node = root
        while SIGN[node] != LEAF:
            node = node + 1 if signs[SIGN[node]] <= VALUE[node] else RIGHT[node]
        odds += VALUE[node]
    return 1.0 / (1.0 + exp(-odds))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.recall.memory import Memory
    from awhm_hooks.recall.rank import Query
