"""Vectors of new memories: from the write-ahead log where a hook has made them already, else embedded.

The graph's transaction names the rows after they were written and synced; a worker killed in between leaves rows that
nobody names, and the next one writes over them.
"""

import base64
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from awhm_hooks.consolidate import vectors_write
from awhm_hooks.consolidate.disclosures import disclosures
from awhm_hooks.graph.writer import GraphWriter
from awhm_hooks.paths import Paths
from awhm_hooks.recall.glossary import in_english, with_english
from awhm_hooks.recall.vectors import FIRST_SENTENCE, IN_ENGLISH, WIDTH, VectorsUnusable

BATCH = 256
_EDGE_CHARS = 16_000
Rows = np.ndarray[Any, np.dtype[np.uint8]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]


class TextEmbedder(Protocol):
    """What makes vectors of texts; `embed.Embedder` is the real one."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, unit rows."""

    def windows(self, text: str) -> list[str]:
        """The text itself, or the overlapping windows of a long one."""


def known_rows(wal_records: list[dict[str, Any]], message_nodes: dict[str, int]) -> dict[int, bytes]:
    """Node -> row, of the messages whose vectors a hook has put into the write-ahead log."""
    found: dict[int, bytes] = {}
    for record in wal_records:
        node = message_nodes.get(str(record.get("id")))
        row = base64.b64decode(record.get("vec") or "")
        if node is not None and len(row) == WIDTH:
            found[node] = row
    return found


def index(paths: Paths, writer: GraphWriter, embedder: TextEmbedder, known: dict[int, bytes]) -> int:
    """Give every memory that has none its vector; the number of rows added. Raises AwhmError, OSError."""
    generation, count = _usable_file(paths, writer)
    added = 0
    while waiting := writer.without_vectors(BATCH):
        named, rows = _rows(waiting, embedder, known)
        vectors_write.append_rows(paths.graph, generation, count, rows)
        with writer.transaction():
            writer.note_vectors(generation, count, named)
        count += len(named)
        added += len(named)
    return added


def _usable_file(paths: Paths, writer: GraphWriter) -> tuple[int, int]:
    """(generation, rows) of a file that can take more; one that is lost or damaged is begun anew."""
    generation, count = writer.vectors_in_force()
    try:
        vectors_write.check(paths.graph, generation, count)
    except VectorsUnusable:
        generation += 1
        vectors_write.create(paths.graph, generation)
        with writer.transaction():
            writer.drop_vectors(generation)
        vectors_write.remove_others(paths.graph, generation)
        return generation, 0
    return generation, count


def _edges(text: str) -> str:
    """What is embedded of a very long text: a paste of a million characters would take minutes."""
    if len(text) <= 2 * _EDGE_CHARS:
        return text
    return text[:_EDGE_CHARS] + "\n" + text[-_EDGE_CHARS:]


def _rows(
    waiting: list[tuple[int, str, bool]], embedder: TextEmbedder, known: dict[int, bytes]
) -> tuple[list[tuple[int, int]], Rows]:
    """((node, window) of each row, the rows) of some memories."""
    named: list[tuple[int, int]] = []
    texts: list[str] = []
    ready: dict[int, bytes] = {}
    for node, text, is_users in waiting:
        windows = [with_english(window) for window in embedder.windows(_edges(text))]
        if len(windows) == 1 and node in known:
            ready[len(named)] = known[node]
        parts = list(enumerate(windows))
        if is_users:
            parts += list(enumerate(disclosures(_edges(text)), FIRST_SENTENCE))
            english = in_english(text)
            if " " in english:
                parts.append((IN_ENGLISH, english))
        for number, window in parts:
            if len(named) not in ready:
                texts.append(window)
            named.append((node, number))
    rows = np.zeros((len(named), WIDTH), np.uint8)
    for place, row in ready.items():
        rows[place] = np.frombuffer(row, np.uint8)
    if texts:
        rows[[place for place in range(len(named)) if place not in ready]] = vectors_write.to_rows(
            embedder.embed(texts)
        )
    return named, rows
