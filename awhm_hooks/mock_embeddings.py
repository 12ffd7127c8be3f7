"""Vectors made of hashes, for tests and for trying things out: no model is needed, and the same text gives the same.

They are never stored: a store that was used with them gets its real vectors from the next worker.
"""

import hashlib

import numpy as np

from awhm_hooks.consolidate.embed import Vectors
from awhm_hooks.graph.store import Graph
from awhm_hooks.journal.buffer import Buffer
from awhm_hooks.recall.meaning import NEAREST, Meaning
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.tokens import tokenise
from awhm_hooks.recall.vectors import WIDTH


def embed(texts: list[str]) -> Vectors:
    """(n, 384) float32, unit rows; a text without a word is a row of zeros."""
    rows = np.zeros((len(texts), WIDTH), np.float32)
    for number, text in enumerate(texts):
        for term in dict.fromkeys(tokenise(text)):
            rows[number] += _of_term(term)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _of_term(term: str) -> Vectors:
    """384 signs, from the term's hash."""
    digest = hashlib.shake_128(term.encode("utf-8", "replace")).digest(WIDTH // 8)
    bits = np.unpackbits(np.frombuffer(digest, np.uint8)).astype(np.float32)
    return (bits * 2 - 1).astype(np.float32)


class MockMeaning(Meaning):
    """Recall by such vectors, made anew for each question."""

    __slots__ = ("_found", "_question")

    def __init__(self) -> None:
        self.row = b""
        self.nodes: dict[int, float] = {}
        self.floor = 0.0
        self._found: dict[tuple[str, str], float] = {}
        self._question = embed([""])[0]

    @property
    def reason(self) -> str:
        return ""

    @property
    def is_answered(self) -> bool:
        return True

    def rows_of(
        self, graph: Graph | None, memories: list[Memory], pertinent: bool = False
    ) -> dict[tuple[int, str, str], bytes]:
        """None: such vectors are stored nowhere."""
        return {}

    def ask(self, text: str, graph: Graph | None, directory: str, buffers: list[Buffer]) -> None:
        self._question = embed([text])[0]
        said = [(one.session, one.message_id, " ".join(one.terms)) for buffer in buffers for one in buffer.messages]
        cosines = self._cosines([text for *_, text in said])
        self._found = {pair[:2]: cosine for pair, cosine in zip(said, cosines, strict=True)}

    def collect(self, graph: Graph | None, scopes: list[int]) -> dict[tuple[str, str], float]:
        if graph:
            marks = ",".join("?" * len(scopes))
            rows = graph.db.execute(
                f"SELECT id, text FROM nodes WHERE family != 'entity' AND scope IN ({marks})", scopes
            ).fetchall()
            nearest = sorted(zip(self._cosines([row[1] for row in rows]), rows, strict=True), reverse=True)[:NEAREST]
            self.nodes = {row[0]: cosine for cosine, row in nearest}
        return self._found

    def _cosines(self, texts: list[str]) -> list[float]:
        return [float(one) for one in embed(texts) @ self._question] if texts else []

    def close(self) -> None:
        """There is nothing to close."""
