"""Vectors of memories, made by the worker: the float weights, in batches, with two threads."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths
from awhm_hooks.recall import wordpiece
from awhm_hooks.recall.onnx_c import NO_TELEMETRY
from awhm_hooks.recall.semantic import QUERY, VOCABULARY, read_manifest
from awhm_hooks.recall.vectors import WIDTH

DOCUMENT = "document.onnx"
THREADS = 2
BATCH_TOKENS = 4096
WINDOW_TOKENS = 192
OVERLAP_TOKENS = 48
WORD_CHARS = 64  # a Hangul syllable is three tokens: so many characters fit a window in any script

Vectors = np.ndarray[Any, np.dtype[np.float32]]


class EmbeddingFailed(AwhmError):
    """ONNX Runtime or the prepared model is missing or refuses to run."""


class Embedder:
    """Vectors with the same tokens, pooling and truncation as a hook's: in float, or as fast as a hook's own."""

    def __init__(self, paths: Paths, precise: bool = True) -> None:
        """Load the model in force. Raises ModelUnusable or EmbeddingFailed.

        Not precise is the hook's int8 model: cosine 0.9975 to float, a third of the time; for masses of text.
        """
        self._load(Path(read_manifest(paths)[1]), precise)

    @classmethod
    def of_directory(cls, directory: Path) -> Embedder:
        """The model in a directory that is not in force yet. Raises EmbeddingFailed."""
        embedder = cls.__new__(cls)
        embedder._load(directory, precise=True)
        return embedder

    def _load(self, directory: Path, precise: bool) -> None:
        self._precise = precise
        self._vocabulary = _vocabulary(directory)
        graph = directory / (DOCUMENT if precise else QUERY)
        # products of one short text are too small to be shared out
        threads = min(THREADS, os.cpu_count() or 1) if precise else 1
        self._session = _session(graph, threads, optimised=True)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, unit rows, in the order of the texts. Raises EmbeddingFailed."""
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        encoded = [wordpiece.encode(text, self._vocabulary) for text in texts]
        if not self._precise:
            for index, tokens in enumerate(encoded):
                vectors[index] = _run(self._session, "vector", {"ids": np.array([tokens], np.int64)})
            return vectors
        for batch in _batches(encoded):
            longest = max(len(encoded[index]) for index in batch)
            ids = np.zeros((len(batch), longest), np.int64)
            mask = np.zeros((len(batch), longest), np.int32)
            for place, index in enumerate(batch):
                ids[place, : len(encoded[index])] = encoded[index]
                mask[place, : len(encoded[index])] = 1
            vectors[batch] = _run(self._session, "vectors", {"ids": ids, "mask": mask})
        return vectors

    def windows(self, text: str) -> list[str]:
        """The text itself where it fits, else overlapping stretches of it."""
        return windows(text, self._vocabulary)


def _batches(encoded: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Indices of texts of about the same length, so many that a batch stays within its tokens."""
    batch: list[int] = []
    for index in sorted(range(len(encoded)), key=lambda index: -len(encoded[index])):
        if batch and (len(batch) + 1) * len(encoded[batch[0]]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def windows(text: str, vocabulary: wordpiece.Vocabulary) -> list[str]:
    """The text itself where it fits, else stretches of at most 192 tokens that overlap by 48 or fewer.

    A stretch ends at a line or sentence end where one lies in its last third.
    """
    if len(wordpiece.encode(text, vocabulary)) < wordpiece.MAX_TOKENS:
        return [text]
    words = list(_words(text, vocabulary))
    found: list[str] = []
    first = 0
    while first < len(words):
        last = _window_end(text, words, first)
        found.append(text[words[first][0] : words[last - 1][1]])
        if last == len(words):
            break
        first = _next_start(words, first, last)
    return found


Word = tuple[int, int, int]  # start and end in the text, and its number of tokens


def _words(text: str, vocabulary: wordpiece.Vocabulary) -> Iterator[Word]:
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        for cut in range(start, at, WORD_CHARS):
            end = min(cut + WORD_CHARS, at)
            yield cut, end, len(wordpiece.encode(text[cut:end], vocabulary)) - 2


def _window_end(text: str, words: list[Word], first: int) -> int:
    """The index after the last word of the window that begins at `first`."""
    last, room = first, WINDOW_TOKENS
    while last < len(words) and (last == first or words[last][2] <= room):
        room -= words[last][2]
        last += 1
    if last == len(words):
        return last
    for end in range(last, first + (last - first) * 2 // 3, -1):
        stop, following = words[end - 1][1], words[end][0]
        if text[stop - 1] in ".!?" or "\n" in text[stop:following]:
            return end
    return last


def _next_start(words: list[Word], first: int, last: int) -> int:
    start, overlap = last, 0
    while start - 1 > first and overlap + words[start - 1][2] <= OVERLAP_TOKENS:
        start -= 1
        overlap += words[start][2]
    return start


def python_vectors(directory: Path, texts: Sequence[str]) -> Vectors:
    """The hook's query model, run by the Python binding with the hook's own settings. Raises EmbeddingFailed."""
    vocabulary = _vocabulary(directory)
    session = _session(directory / QUERY, 1, optimised=False)
    encoded = [np.array([wordpiece.encode(text, vocabulary)], np.int64) for text in texts]
    return np.concatenate([_run(session, "vector", {"ids": ids}) for ids in encoded])


def runtime() -> Any:
    """The Python binding of ONNX Runtime, which sends nothing home. Raises EmbeddingFailed."""
    os.environ[NO_TELEMETRY] = "1"
    try:
        ort = importlib.import_module("onnxruntime")
    except ImportError as error:
        raise EmbeddingFailed(f"onnxruntime cannot be imported: {error}") from error
    ort.disable_telemetry_events()
    return ort


def _vocabulary(directory: Path) -> wordpiece.Vocabulary:
    try:
        return wordpiece.Vocabulary((directory / VOCABULARY).read_bytes())
    except (OSError, ValueError) as error:
        raise EmbeddingFailed(f"{directory / VOCABULARY}: {error}") from error


def load_graph(graph: bytes) -> Any:
    """A session of the Python binding over a graph that is not in a file. Raises EmbeddingFailed."""
    return _session(graph, THREADS, optimised=False)


def _session(graph: Path | bytes, threads: int, optimised: bool) -> Any:
    ort = runtime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if not optimised:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_session_config_entry("session.disable_prepacking", "1")
    try:
        model = graph if isinstance(graph, bytes) else str(graph)
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _runtime_errors() as error:
        raise EmbeddingFailed(f"the graph cannot be loaded: {error}") from error


def _run(session: Any, output: str, feeds: dict[str, Any]) -> Vectors:
    try:
        found: Vectors = session.run([output], feeds)[0]
    except _runtime_errors() as error:
        raise EmbeddingFailed(str(error)) from error
    return found


def _runtime_errors() -> tuple[type[Exception], ...]:
    """ONNX Runtime's exceptions: one class for each status code, without a base of their own."""
    binding = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    own = [kind for kind in vars(binding).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    return (RuntimeError, ValueError, OSError, *own)
