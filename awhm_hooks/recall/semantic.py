"""The prompt's vector and the stored rows nearest to it, from a cold process.

Everything native happens on one thread beside the main one: opening ONNX Runtime takes 30 ms and needs no interpreter.
A hook that has used this leaves by `os._exit`: the thread may still be inside the library.
"""

import _thread
import os
import sys
import time

from awhm_hooks import wire_json
from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths
from awhm_hooks.recall import onnx_c, wordpiece
from awhm_hooks.recall.vectors import WIDTH, Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MANIFEST_FORMAT = 1
MANIFEST = "current.json"
QUERY, SCORE, VOCABULARY = "query.onnx", "score.onnx", "vocab.bin"
DEADLINE_S = 0.25
SWITCH_INTERVAL_S = 0.0001
QUERY_INPUTS, QUERY_OUTPUTS = ("ids",), ("vector", "row")
SCORE_INPUTS, SCORE_OUTPUTS = ("vector", "rows", "k"), ("cosines", "indices")


class ModelUnusable(AwhmError):
    """No prepared model, or not one that was verified with the library that is here."""


class Answer:
    """What the model made of a text.

    `vector`: 384 float32, unit length; `row`: the same as a row of 384 bytes; `hits`: for each set of rows that was
    asked about, its (row number, cosine), best first.
    """

    __slots__ = ("hits", "row", "vector")

    def __init__(self, vector: bytes, row: bytes, hits: list[list[tuple[int, float]]]) -> None:
        self.vector = vector
        self.row = row
        self.hits = hits


class Model:
    """The prepared model in memory; every method is called from one thread."""

    __slots__ = ("_directory", "_library", "_query", "_score", "_vocabulary")

    def __init__(self, manifest: "dict[str, Any]", directory: str) -> None:
        """Open the library and the graphs that a checked manifest names. Raises AwhmError, OSError or ValueError."""
        self._directory = directory
        with open(f"{directory}/{VOCABULARY}", "rb") as file:
            self._vocabulary = wordpiece.Vocabulary(file.read())
        self._library = onnx_c.Library(manifest["library"]["path"], manifest["onnxruntime"])
        self._query = self._session(QUERY, QUERY_INPUTS, QUERY_OUTPUTS)
        self._score: onnx_c.Session | None = None

    def _session(self, name: str, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> onnx_c.Session:
        return onnx_c.Session(self._library, f"{self._directory}/{name}", inputs, outputs)

    def embed(self, text: str) -> tuple[bytes, bytes]:
        """(vector, row) of a text. Raises OnnxError."""
        ids = wordpiece.encode(text, self._vocabulary)
        tensor = self._library.tensor
        vector, row = bytearray(4 * WIDTH), bytearray(WIDTH)
        given = [tensor(bytearray(onnx_c.integers(ids)), onnx_c.INT64, (1, len(ids)))]
        taken = [tensor(vector, onnx_c.FLOAT, (1, WIDTH)), tensor(row, onnx_c.UINT8, (1, WIDTH))]
        self._run(self._query, given, taken)
        return bytes(vector), bytes(row)

    def score(self, vector: bytes, rows: Rows, k: int) -> list[tuple[int, float]]:
        """The k rows nearest to a vector, as (row number, cosine), best first. Raises OnnxError."""
        k = min(k, rows.count)
        if k <= 0:
            return []
        if self._score is None:
            self._score = self._session(SCORE, SCORE_INPUTS, SCORE_OUTPUTS)
        tensor = self._library.tensor
        cosines, indices = bytearray(4 * k), bytearray(8 * k)
        given = [
            tensor(bytearray(vector), onnx_c.FLOAT, (1, WIDTH)),
            tensor(rows.buffer, onnx_c.UINT8, (rows.count, WIDTH), rows.offset),
            tensor(bytearray(onnx_c.integers((k,))), onnx_c.INT64, (1,)),
        ]
        self._run(self._score, given, [tensor(cosines, onnx_c.FLOAT, (k,)), tensor(indices, onnx_c.INT64, (k,))])
        pairs = zip(memoryview(indices).cast("q").tolist(), memoryview(cosines).cast("f").tolist(), strict=True)
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def _run(self, session: onnx_c.Session, given: list[onnx_c.Tensor], taken: list[onnx_c.Tensor]) -> None:
        try:
            session.run(given, taken)
        finally:
            for tensor in given + taken:
                tensor.close()

    def close(self) -> None:
        self._query.close()
        if self._score is not None:
            self._score.close()


Job = tuple[str | None, bytes, list[Rows], int]


class Semantic:
    """Semantic recall that never raises: `reason` says why there is none, and is empty while there is."""

    __slots__ = ("_answer", "_asked", "_done", "_job", "_thread", "_todo", "_unguard", "deadline", "reason")

    def __init__(self, paths: Paths, deadline: float | None = None) -> None:
        """Begin to load on a thread of its own; `deadline` is a reading of `time.monotonic`."""
        self.reason = ""
        self.deadline = time.monotonic() + DEADLINE_S if deadline is None else deadline
        self._job: Job | None = None
        self._answer: Answer | None = None
        self._asked = False
        self._thread = -1
        self._unguard: Callable[[], None] | None = None
        self._todo, self._done = _thread.allocate_lock(), _thread.allocate_lock()
        self._todo.acquire()
        self._done.acquire()
        try:
            manifest, directory = checked_manifest(paths)
            # the thread has a dozen short turns of Python to take: at 5 ms each it would wait longer than it works
            sys.setswitchinterval(SWITCH_INTERVAL_S)
            onnx_c.one_arena()
            self._unguard = onnx_c.guard(self._crashed)
            _thread.start_new_thread(self._serve, (manifest, directory))
        except (AwhmError, OSError, RuntimeError) as error:
            self.reason = str(error)

    def ask(self, text: str, rows: list[Rows], k: int) -> None:
        """Have a text embedded and its k nearest in each set of rows found; returns at once."""
        self._hand_over((text, b"", rows, k))

    def answer(self) -> Answer | None:
        """What came of the last question, waiting until the deadline; None where `reason` says why."""
        answered = self._asked and self._wait(self.deadline - time.monotonic())
        self._asked = False
        if self.reason:
            self._recover()
        return self._answer if answered and not self.reason else None

    def embed(self, text: str) -> bytes | None:
        """384 float32 of unit length, or None."""
        self.ask(text, [], 0)
        answer = self.answer()
        return answer.vector if answer else None

    def score(self, vector: bytes, rows: Rows, k: int) -> list[tuple[int, float]]:
        """The k rows nearest to a vector, as (row number, cosine), best first; empty where there is no answer."""
        self._hand_over((None, vector, [rows], k))
        answer = self.answer()
        return answer.hits[0] if answer else []

    def close(self) -> None:
        """End the thread, in a process that goes on; a hook needn't. After this there are no answers."""
        if self._asked:
            self.answer()
        self.reason = self.reason or "closed"
        self._job = None
        _release(self._todo)
        self._recover()

    def _hand_over(self, job: Job) -> None:
        if self._asked:
            self.answer()  # one question at a time: this one takes the place of the last
        if not self.reason:
            self._job = job
            self._asked = True
            self._todo.release()

    def _wait(self, seconds: float) -> bool:
        if self.reason or self._done.acquire(True, max(0.0, seconds)):
            return True
        self.reason = self.reason or "the deadline passed before the model answered"
        return False

    def _recover(self) -> None:
        """Signals as they were; after a crash this also says that the main thread is alive."""
        if self._unguard is not None:
            self._unguard()
            self._unguard = None

    def _serve(self, manifest: "dict[str, Any]", directory: str) -> None:
        self._thread = _thread.get_ident()
        try:
            model = Model(manifest, directory)
            self._todo.acquire()
            while self._job is not None:
                self._answer = _answered(model, self._job)
                _release(self._done)
                self._todo.acquire()
            model.close()
        except (AwhmError, OSError, ValueError, TypeError, LookupError, MemoryError) as error:
            self.reason = f"{type(error).__name__}: {error}"
        _release(self._done)

    def _crashed(self, number: int) -> bool:
        """Called on the thread that got a fatal signal; True keeps it from going on, False lets the process die."""
        if _thread.get_ident() != self._thread:
            return False
        self.reason = f"native code crashed with signal {number}"
        _release(self._done)
        return True


def _release(lock: "_thread.LockType") -> None:
    if lock.locked():
        lock.release()


def _answered(model: Model, job: Job) -> Answer:
    text, vector, row_sets, k = job
    row = b""
    if text is not None:
        vector, row = model.embed(text)
    return Answer(vector, row, [model.score(vector, rows, k) for rows in row_sets])


def read_manifest(paths: Paths) -> "tuple[dict[str, Any], str]":
    """(manifest, directory of its files) of the model in force. Raises ModelUnusable."""
    path = f"{paths.models}/{MANIFEST}"
    try:
        with open(path, encoding="utf-8") as file:
            manifest = wire_json.loads(file.read())
    except FileNotFoundError:
        raise ModelUnusable("no model is prepared: run `awhm model prepare`") from None
    except (OSError, ValueError) as error:
        raise ModelUnusable(f"{path}: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != MANIFEST_FORMAT:
        raise ModelUnusable(f"{path} is not of format {MANIFEST_FORMAT}: run `awhm model prepare`")
    return manifest, f"{paths.models}/{manifest.get('generation')}"


def checked_manifest(paths: Paths) -> "tuple[dict[str, Any], str]":
    """The same, where it was verified and the library and every file are still what they were. Raises ModelUnusable."""
    manifest, directory = read_manifest(paths)
    if not manifest.get("verified"):
        raise ModelUnusable("the model is not verified: run `awhm model verify`")
    try:
        library = manifest["library"]
        sizes = [(name, entry["size"]) for name, entry in manifest["files"].items()]
        known = [library["size"], library["mtime_ns"]]
        path = library["path"]
    except (LookupError, TypeError, AttributeError):
        raise ModelUnusable("the model's manifest is damaged: run `awhm model prepare`") from None
    if file_stamp(path) != known:
        raise ModelUnusable("ONNX Runtime is not the one that was verified: run `awhm model verify`")
    for name, size in sizes:
        if file_stamp(f"{directory}/{name}")[0] != size:
            raise ModelUnusable(f"{directory}/{name} is missing or damaged: run `awhm model prepare`")
    return manifest, directory


def file_stamp(path: str) -> list[int]:
    """[size, time of change in ns] of a file, [-1, 0] where there is none: a shortened file crashes who maps it."""
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0]
    return [found.st_size, found.st_mtime_ns]
