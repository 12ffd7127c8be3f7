"""From a file to a corpus: read, unpacked, recognised."""

import gzip
import json
import os
from typing import Any, Protocol

from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.evaluate.corpus import Corpus
from awhm_hooks.evaluate.formats import devmembench, locomo, longmemeval, native, retrieval
from awhm_hooks.evaluate.formats.fields import Malformed

_GZIP = b"\x1f\x8b"


class Format(Protocol):
    """A module of `formats`."""

    FORMAT: str

    def matches(self, data: object) -> bool: ...

    def read(self, data: Any, name: str) -> Corpus: ...


FORMATS: tuple[Format, ...] = (longmemeval, locomo, devmembench, retrieval, native)
NAMES = tuple(one.FORMAT for one in FORMATS)


def load(path: str, format_name: str | None = None, pool: str | None = None, one_store: bool = False) -> Corpus:
    """The corpus in a file, plain or gzip; its format recognised unless it is named.

    `pool` names a recipe that gives each LongMemEval question its haystack; `one_store` puts all sessions together.
    Raises AwhmError for a file that is none of the formats, UsageError for options that exclude each other.
    """
    if pool and one_store:
        raise UsageError("--pool and --one-store exclude each other")
    data = read_json(path)
    chosen = _named(format_name) if format_name else _recognised(data, path)
    try:
        corpus = chosen.read(data, corpus_name(path))
    except Malformed as problem:
        raise AwhmError(f"{path}: not a {chosen.FORMAT} corpus: {problem}") from None
    if not any(store.questions for store in corpus.stores):
        raise AwhmError(f"{path}: holds no questions")
    if pool:
        if corpus.format != longmemeval.FORMAT:
            raise UsageError(f"--pool is for LongMemEval questions; {path} is {corpus.format}")
        return longmemeval.pooled(corpus, read_json(pool), pool)
    return corpus.in_one_store() if one_store else corpus


def read_json(path: str) -> Any:
    """The JSON in a file, unpacked where need be. Raises AwhmError."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(_GZIP):
            data = gzip.decompress(data)
        return json.loads(data.decode("utf-8-sig"))
    except FileNotFoundError:
        raise AwhmError(f"{path}: no such file") from None
    except (OSError, EOFError, ValueError) as problem:
        raise AwhmError(f"{path}: {problem}") from None


def corpus_name(path: str) -> str:
    """The file's name without its endings."""
    return os.path.basename(path).removesuffix(".gz").removesuffix(".json")


def _named(name: str) -> Format:
    for one in FORMATS:
        if name == one.FORMAT:
            return one
    raise UsageError(f"{name}: no such format; known are {', '.join(NAMES)}")


def _recognised(data: object, path: str) -> Format:
    for one in FORMATS:
        if one.matches(data):
            return one
    raise AwhmError(f"{path}: none of the known formats ({', '.join(NAMES)}); see `awhm eval --help`")
