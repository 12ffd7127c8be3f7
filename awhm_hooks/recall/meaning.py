"""Recall by meaning, as the engine uses it: one question to the model, over the graph's rows and the buffers'."""

from awhm_hooks.recall import vectors
from awhm_hooks.recall.semantic import Semantic

NEAREST = 200
_SENTENCE_DISCOUNT = 0.05  # it says less than a message, so it comes nearer to whatever it is about


class Meaning:
    """A question that was put to the model. Loading it has begun earlier; nothing here raises."""

    __slots__ = ("_answered", "_buffered", "_nearest", "_rows", "_semantic", "_stored", "floor", "nodes", "row")

    def __init__(self, semantic: Semantic) -> None:
        self._semantic = semantic
        self._buffered: list[tuple[str, str]] = []
        self._rows: dict[tuple[str, str], bytes] = {}
        self._nearest: dict[int, int] = {}
        self._stored: vectors.Rows | None = None
        self._answered = False
        self.row = b""
        self.nodes: dict[int, float] = {}
        self.floor = 0.0

    @property
    def reason(self) -> str:
        """Why there is no answer; "" where there is one."""
        return self._semantic.reason

    def ask(self, text: str, graph: "Graph | None", directory: str, buffers: "list[Buffer]") -> None:
        """Put the question; the model works while the caller goes on. A vectors file that does not fit is left out."""
        pairs = [((m.session, m.message_id), m.vector_row) for b in buffers for m in b.messages if m.vector_row]
        self._buffered = [pair[0] for pair in pairs]
        self._rows = dict(pairs)
        sets = [vectors.joined([row for _, row in pairs])]
        if graph:
            generation, count = graph.vectors_in_force()
            if count:
                try:
                    path = vectors.path_of(directory, generation)
                    self._stored = vectors.open_rows(path, generation, count)
                    sets.append(self._stored)
                except vectors.VectorsUnusable as problem:
                    self._semantic.reason = self._semantic.reason or str(problem)
        self._semantic.ask(text, sets, NEAREST)

    def collect(self, graph: "Graph | None", scopes: list[int]) -> "dict[tuple[str, str], float]":
        """Wait for the answer: node -> cosine into `nodes`, and (session, message) -> cosine of buffered messages.

        `floor` is the least cosine that was returned: what was not returned lies below it.
        """
        answer = self._semantic.answer()
        if answer is None:
            return {}
        self._answered = True
        self.row = answer.row
        if graph and len(answer.hits) > 1 and answer.hits[1]:
            cosines = dict(answer.hits[1])
            self.floor = answer.hits[1][-1][1] if len(cosines) >= NEAREST else 0.0
            for row, node, window in graph.nodes_of_rows(list(cosines), scopes):
                cosine = cosines[row]
                if window >= vectors.FIRST_SENTENCE:
                    cosine = max(cosine - _SENTENCE_DISCOUNT, self.floor)
                if cosine > self.nodes.get(node, -1.0):
                    self.nodes[node] = cosine
                    self._nearest[node] = row
        return {self._buffered[n]: cosine for n, cosine in answer.hits[0]}

    def rows_of(
        self, graph: "Graph | None", memories: "list[Memory]", pertinent: bool = False
    ) -> "dict[tuple[int, str, str], bytes]":
        """A stored row of each memory that has any, by `row_key`: the first, or the one nearest to the question."""
        found = {(0, *pair): row for pair, row in self._rows.items()}
        keys = {memory.node: memory.row_key() for memory in memories if memory.node}
        if graph and self._stored and keys:
            buffer, start = self._stored.buffer, self._stored.offset
            chosen = dict(graph.first_rows(list(keys)))
            if pertinent:
                chosen.update((node, row) for node, row in self._nearest.items() if node in chosen)
            for node, row in chosen.items():
                if row < self._stored.count:
                    begin = start + row * vectors.WIDTH
                    found[keys[node]] = bytes(buffer[begin : begin + vectors.WIDTH])
        return found

    @property
    def is_answered(self) -> bool:
        return self._answered

    def close(self) -> None:
        """For a process that goes on; a hook leaves by `os._exit`."""
        self._semantic.close()


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.journal.buffer import Buffer
    from awhm_hooks.recall.memory import Memory
