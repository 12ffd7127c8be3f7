"""BM25 over stored postings.

The score of a document is the sum over the query's terms of

    idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))

with Lucene's idf, log(1 + (N - n + 0.5) / (n + 0.5)) (Robertson et al. 1994; Kamphuis et al. 2020): the same number
that rank-bm25's `BM25Okapi` gives with that idf.

Terms are taken from the rarest on; once enough postings were read, the
common ones only add to the documents that lead by then (after MaxScore, Turtle and Flood 1995).
"""

from _bisect import bisect_left  # the C module alone: `bisect` is one more file to find and to read
from math import log

from awhm_hooks.recall.tokens import tokenise

# The defaults of Anserini (Yang et al. 2018) but for a still smaller b: chat turns are short, and length says little.
# On the LoCoMo half that was tuned on, nDCG@10 50.2 with the seed's 1.5 and 0.75, 53.6 with these.
K1 = 0.9
B = 0.3
MAX_POSTINGS = 4_000
_LEADING = 200
_LENGTH_MASK = (1 << 20) - 1

IDENTIFIER_BOOST = 1.5
COMMON_WEIGHT = 0.1
_COMMON_SHARE = 0.05
_LEAST_COMMON = 5  # documents: of a handful, any word is in many


class LexicalResult:
    """The scores of all documents that hold a term of the query, by node; `frequencies` are documents by term.

    `common` are the terms that tell nothing apart, see `common_identifier_terms`.
    """

    __slots__ = ("_chunks", "_counts", "common", "docs", "frequencies", "mean_length", "scores", "weights")

    def __init__(
        self,
        scores: dict[int, float],
        chunks: "dict[str, Parts]",
        frequencies: dict[str, int],
        docs: int,
        mean_length: float = 1.0,
    ) -> None:
        self.mean_length = mean_length
        self._counts: dict[int, dict[str, int]] = {}
        self.scores = scores
        self.frequencies = frequencies
        self.docs = docs
        self.common = common_identifier_terms(frequencies, docs)
        self.weights = term_weights(frequencies, docs, self.common)
        self._chunks = chunks

    def best(self, limit: int) -> list[int]:
        """The nodes with the best scores, best first; of equals the newer."""
        return _best(self.scores, limit)

    def counts(self, node: int) -> dict[str, int]:
        """How often each of the query's terms stands in a document; those that do not are left out."""
        known = self._counts.get(node)
        if known is None:
            found = [(term, _find(parts, node)) for term, parts in self._chunks.items()]
            known = self._counts[node] = {term: packed >> 20 for term, packed in found if packed}
        return known

    def holding(self, term: str) -> "Iterator[tuple[int, int]]":
        """(node, how often the term stands in it) of the documents that hold a term of the query."""
        for count, words in self._chunks.get(term, ()):
            yield from ((node, packed >> 20) for node, packed in zip(words[:count], words[count:], strict=True))

    def terms_held(self, node: int) -> list[str]:
        """The query's terms in a document."""
        return list(self.counts(node))


def idf(docs: int, holding: int) -> float:
    """Lucene's inverse document frequency; never negative."""
    return log(1.0 + (docs - holding + 0.5) / (holding + 0.5))


def search(graph: "Graph", scopes: list[int], terms: list[str]) -> LexicalResult:
    """Score the documents in these scopes for the terms (each counted once)."""
    docs, total_terms = graph.sizes(scopes)
    if not docs or not terms:
        return LexicalResult({}, {}, {}, docs)
    chunks, frequencies = _postings(graph, scopes, terms)
    mean_length = total_terms / docs or 1.0
    scores: dict[int, float] = {}
    read = 0
    leading: list[int] = []
    for term in sorted(frequencies, key=frequencies.__getitem__):
        weight = idf(docs, frequencies[term])
        if read and read + frequencies[term] > MAX_POSTINGS:
            leading = leading or _best(scores, _LEADING)
            _add_late(scores, leading, chunks[term], weight, mean_length)
        else:
            _add(scores, chunks[term], weight, mean_length)
        read += frequencies[term]
    return LexicalResult(scores, chunks, frequencies, docs, mean_length)


def look_up(graph: "Graph", scopes: list[int], terms: list[str]) -> LexicalResult:
    """Where the terms stand, without scores: these take the most of a search's time."""
    chunks, frequencies = _postings(graph, scopes, terms) if terms else ({}, {})
    return LexicalResult({}, chunks, frequencies, graph.sizes(scopes)[0])


def _postings(graph: "Graph", scopes: list[int], terms: list[str]) -> "tuple[dict[str, Parts], dict[str, int]]":
    chunks = graph.postings(scopes, list(dict.fromkeys(terms)))
    return chunks, {term: sum(count for count, _ in parts) for term, parts in chunks.items()}


def is_identifier(term: str) -> bool:
    """A term that names one thing: it has a digit, or an inner joint."""
    return not term.isalpha()


def term_weights(frequencies: dict[str, int], docs: int, common: set[str]) -> dict[str, float]:
    """Each term's idf; what names one thing weighs half as much again.

    An identifier that many documents hold is the name of the project, say: it is in every question and tells nothing
    apart, neither whole nor in its parts.
    """
    weights = {term: idf(docs, count) for term, count in frequencies.items()}
    for term in frequencies:
        if is_identifier(term):
            weights[term] *= IDENTIFIER_BOOST
    for term in common:
        weights[term] = idf(docs, frequencies[term]) * COMMON_WEIGHT
    return weights


def common_identifier_terms(frequencies: dict[str, int], docs: int) -> set[str]:
    """The identifiers that more than one document in twenty holds, and their parts."""
    common: set[str] = set()
    for term, count in frequencies.items():
        if count > _LEAST_COMMON and count > _COMMON_SHARE * docs and is_identifier(term):
            common.update(part for part in (term, *tokenise(term)) if part in frequencies)
    return common


def _weight(packed: int, idf_of_term: float, mean_length: float) -> float:
    return idf_of_term * saturated(packed >> 20, packed & _LENGTH_MASK, mean_length)


def saturated(frequency: float, length: float, mean_length: float) -> float:
    """BM25's share of a term's idf for its frequency in a document of this length."""
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean_length))


def _add(scores: dict[int, float], parts: "Parts", idf_of_term: float, mean_length: float) -> None:
    known: dict[int, float] = {}
    look = scores.get
    for count, words in parts:
        for node, packed in zip(words[:count], words[count:], strict=True):
            weight = known.get(packed)
            if weight is None:
                weight = known[packed] = _weight(packed, idf_of_term, mean_length)
            scores[node] = look(node, 0.0) + weight


def _add_late(
    scores: dict[int, float], leading: list[int], parts: "Parts", idf_of_term: float, mean_length: float
) -> None:
    """Add a common term's weight to the documents that lead by the rarer ones."""
    for node in leading:
        packed = _find(parts, node)
        if packed:
            scores[node] += _weight(packed, idf_of_term, mean_length)


def _best(scores: dict[int, float], limit: int) -> list[int]:
    newest_first = sorted(scores, reverse=True)
    return sorted(newest_first, key=scores.__getitem__, reverse=True)[:limit]


def _find(parts: "Parts", node: int) -> int:
    """A document's packed word in a term's chunks (each sorted by document), or 0."""
    for count, words in parts:
        place = bisect_left(words, node, 0, count)
        if place < count and words[place] == node:
            return words[count + place]
    return 0


NOTHING = LexicalResult({}, {}, {}, 0)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.graph.store import Graph

    Parts = list[tuple[int, memoryview]]
