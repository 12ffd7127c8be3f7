"""What a message's place in its conversation says of it.

The words of a question are the words by which its answer is looked for, and the answer often holds none of them: so a
turn's terms count for its neighbours in part, and a question's for the turn after it in whole (the frequencies are
added before BM25 saturates them, as BM25F does with fields: Robertson et al. 2004). The question itself is seldom what
is wanted back. On the LoCoMo half that was tuned on, this took nDCG@10 from 53.6 to 60.9.
"""

from awhm_hooks.recall import lexical

NEIGHBOUR = 0.2
ANSWER = 1.0
ANSWER_COSINE = 0.6
SHORT_TERMS = 40


class Turns:
    """Some messages with the turns beside them."""

    __slots__ = ("_after", "_asks", "_before", "_lengths")

    def __init__(self, graph: "Graph", messages: list[int]) -> None:
        pairs = graph.successions(messages) if messages else []
        self._before = {later: earlier for earlier, later in pairs}
        self._after = dict(pairs)
        known = list({*messages, *self._before, *self._after})
        outlines = graph.outlines(known) if known else []
        self._lengths = {node: length for node, length, _ in outlines}
        self._asks = {node for node, _, asks in outlines if asks}

    def beside(self, message: int) -> list[int]:
        """The turns before and after a message."""
        return [turn for turn in (self._before.get(message), self._after.get(message)) if turn]

    def opens(self, message: int) -> bool:
        """The message is the first of its session."""
        return message not in self._before

    def asks(self, message: int) -> bool:
        """The message ends in a question."""
        return message in self._asks

    def bm25(self, message: int, result: lexical.LexicalResult) -> float:
        """BM25 of a message whose neighbours' terms count as its own, in part."""
        frequencies: dict[str, float] = dict(result.counts(message))
        length = float(self._lengths.get(message, 0))
        for turn, share in self._shares(message):
            for term, count in result.counts(turn).items():
                frequencies[term] = frequencies.get(term, 0.0) + share * count
            length += share * self._lengths.get(turn, 0)
        score, weights = 0.0, result.weights
        for term, frequency in frequencies.items():
            score += weights[term] * lexical.saturated(frequency, length, result.mean_length)
        return score

    def _shares(self, message: int) -> "Iterator[tuple[int, float]]":
        """What long turns lack they do not take from others, and a long one has too many words to give."""
        if self._lengths.get(message, 0) > SHORT_TERMS:
            return
        before, after = self._before.get(message), self._after.get(message)
        if before and self._lengths.get(before, 0) <= SHORT_TERMS:
            yield before, ANSWER if before in self._asks else NEIGHBOUR
        if after and self._lengths.get(after, 0) <= SHORT_TERMS:
            yield after, NEIGHBOUR

    def cosine(self, message: int, cosines: dict[int, float], floor: float) -> float:
        """A message's cosine; that of an answer leans on its question's."""
        own = cosines.get(message, floor)
        before = self._before.get(message)
        if before in self._asks and before is not None:
            return max(own, ANSWER_COSINE * cosines.get(before, floor) + (1 - ANSWER_COSINE) * own)
        return own


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.graph.store import Graph
