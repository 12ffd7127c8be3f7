"""Stores of any size for the benchmarks: sentences of a made-up vocabulary with the frequencies of real text."""

import itertools
import os
import random
import sys

import numpy as np

from awhm_hooks.consolidate import vectors_write
from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.graph.writer import GraphWriter, open_writer
from awhm_hooks.manage import model
from awhm_hooks.paths import Paths
from awhm_hooks.recall.vectors import FIRST_SENTENCE, WIDTH

PROJECT = "/bench/project"
FACTS = ["The staging port is 8443.", "The API endpoint is https://api.example.com/v2"]
_BATCH = 5_000
# Words that the benchmarks' prompts use, at the ranks that they have in coding talk: their postings are long.
_REAL = {
    2: "use",
    4: "go",
    9: "run",
    25: "service",
    40: "port",
    90: "build",
    250: "staging",
    700: "billing",
    1800: "importer",
}
_CONSONANTS = "bcdfghjklmnprstvw"
_VOWELS = "aeiou"


def vocabulary(count: int, seed: int = 7) -> list[str]:
    """`count` distinct pronounceable words."""
    chance = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = chance.randint(2, 4)
        words["".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(syllables))] = None
    ordered = list(words)
    for rank, word in _REAL.items():
        ordered[rank] = word
    return ordered


def sentences(count: int, seed: int = 11) -> "itertools.islice[str]":
    """Sentences of about 25 words whose frequencies follow Zipf's law, as those of real messages do."""
    words = vocabulary(20_000)
    weights = list(itertools.accumulate(1.0 / (rank + 2.7) for rank in range(len(words))))
    chance = random.Random(seed)

    def endless():
        while True:
            yield " ".join(chance.choices(words, cum_weights=weights, k=chance.randint(8, 42)))

    return itertools.islice(endless(), count)


def _add_vectors(paths: Paths, writer: GraphWriter, count: int) -> None:
    """Unit vectors of no meaning, for what a hook pays for them is the same; the facts have their own."""
    chance = np.random.default_rng(3)
    vectors_write.create(paths.graph, 1)
    rows = 0
    with writer.transaction():
        writer.set_vectors(1, 0)
        for begin in range(0, count, _BATCH):
            nodes = _row_nodes(begin + 1, min(_BATCH, count - begin))
            vectors = chance.standard_normal((len(nodes), WIDTH), np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            if begin == 0:
                facts = FACTS[:count]
                vectors[: len(facts)] = Embedder(paths).embed(facts)
            vectors_write.append(paths.graph, 1, rows, vectors)
            writer.note_vectors(1, rows, nodes)
            rows += len(nodes)


def _row_nodes(first: int, count: int) -> list[tuple[int, int]]:
    """(node, window) of each row: each memory has one, and every second a sentence besides, as on LoCoMo."""
    nodes = range(first, first + count)
    return [(node, 0) for node in nodes] + [(node, FIRST_SENTENCE) for node in nodes if node % 2 == 0]


def build(paths: Paths, count: int) -> None:
    """A graph of `count` memories in one project: nine messages to a statement, and facts that the prompts ask for."""
    writer = open_writer(paths)
    texts = itertools.chain(FACTS[:count], sentences(max(0, count - len(FACTS))))
    for start in range(0, count, _BATCH):
        with writer.transaction():
            scope = writer.scope_id(PROJECT)
            for n, text in enumerate(itertools.islice(texts, _BATCH), start):
                family = "fact" if n < len(FACTS) or n % 10 == 0 else "message"
                writer.add_node(
                    family, text, uid=f"bench{n}", scope=scope, project=PROJECT, session=f"s{n // 200}",
                    message=f"m{n}", role="user", said_at=1_700_000_000.0 + n, valid_from=1_700_000_000.0 + n,
                )  # fmt: skip
    if count:
        _add_vectors(paths, writer, count)
        writer.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.db.close()
    os.makedirs(paths.meta, exist_ok=True)


def main() -> None:
    """`corpus.py build DIRECTORY MODELS SIZE` makes a store, `corpus.py model DIRECTORY MODELS 0` the model."""
    what, directory, models, size = sys.argv[1:]
    if what == "model":
        model.prepare(Paths(directory, models))
        return
    build(Paths(directory, models), int(size))
    np.save(os.path.join(directory, "rows.npy"), np.zeros((len(_row_nodes(1, int(size))), WIDTH), np.float32))


if __name__ == "__main__":
    main()
