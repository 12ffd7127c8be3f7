"""Vectors of texts, each made once a run: the same session stands in dozens of haystacks."""

import functools
import os
import sqlite3
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from awhm_hooks.consolidate.embed import Embedder, Vectors
from awhm_hooks.paths import Paths
from awhm_hooks.recall.vectors import WIDTH

_WAIT_S = 60.0
_PART = 500  # SQLite takes so many parameters at least


class CachedEmbedder:
    """The worker's embedder before a cache in a SQLite file, which several processes may share."""

    def __init__(self, paths: Paths, cache: sqlite3.Connection) -> None:
        self._inner = Embedder(paths)
        self._cache = cache
        self._windows: dict[str, list[str]] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, unit rows, in the order of the texts. Raises EmbeddingFailed."""
        keys = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = self._inner.embed(list(missing.values()))
            rows = [(key, row.tobytes()) for key, row in zip(missing, made, strict=True)]
            with self._cache:
                self._cache.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            known |= dict(rows)
        data = b"".join(known[key] for key in keys)
        return np.frombuffer(data, np.float32).reshape(len(texts), WIDTH)

    def _known(self, keys: list[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _PART):
            part = keys[start : start + _PART]
            marks = ",".join("?" * len(part))
            found.update(self._cache.execute(f"SELECT text, vector FROM vectors WHERE text IN ({marks})", part))
        return found

    def windows(self, text: str) -> list[str]:
        """The text itself where it fits, else overlapping stretches of it."""
        found = self._windows.get(text)
        if found is None:
            found = self._windows[text] = self._inner.windows(text)
        return found


@functools.cache
def shared_embedder(models: str, file: str) -> CachedEmbedder:
    """The embedder of a folder's model over a cache in a file, one a process. Raises ModelUnusable, EmbeddingFailed."""
    cache = sqlite3.connect(file, timeout=_WAIT_S)
    cache.execute("PRAGMA journal_mode = WAL")
    cache.execute("PRAGMA synchronous = OFF")  # what is lost is made again
    cache.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
    return CachedEmbedder(Paths(os.path.dirname(models), models), cache)
