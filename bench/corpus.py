"""Stores of any size for the benchmarks: sentences of a made-up vocabulary with the frequencies of real text."""

import itertools
import os
import random

from awhm_hooks.graph.writer import open_writer
from awhm_hooks.paths import Paths

PROJECT = "/bench/project"
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


def build(paths: Paths, count: int) -> None:
    """A graph of `count` memories in one project: nine messages to a statement, and facts that the prompts ask for."""
    writer = open_writer(paths)
    facts = ["The staging port is 8443.", "The API endpoint is https://api.example.com/v2"]
    texts = itertools.chain(facts[:count], sentences(max(0, count - len(facts))))
    for start in range(0, count, _BATCH):
        with writer.transaction():
            scope = writer.scope_id(PROJECT)
            for n, text in enumerate(itertools.islice(texts, _BATCH), start):
                family = "fact" if n < len(facts) or n % 10 == 0 else "message"
                writer.add_node(
                    family, text, uid=f"bench{n}", scope=scope, project=PROJECT, session=f"s{n // 200}",
                    message=f"m{n}", role="user", said_at=1_700_000_000.0 + n, valid_from=1_700_000_000.0 + n,
                )  # fmt: skip
    if count:
        writer.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.db.close()
    os.makedirs(paths.meta, exist_ok=True)
