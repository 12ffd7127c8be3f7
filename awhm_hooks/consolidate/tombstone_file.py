"""The file of tombstones, `meta/deletion_tombstones.jsonl`: the salt of their hashes, then one a line, append-only."""

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import fields

from awhm_hooks.consolidate.tombstones import Hasher, Kind, Tombstone, Tombstones
from awhm_hooks.errors import AwhmError
from awhm_hooks.files import write_whole
from awhm_hooks.paths import Paths


def path_of(paths: Paths) -> str:
    return f"{paths.meta}/deletion_tombstones.jsonl"


def unfinished_file(paths: Paths) -> str:
    """There while a deletion is under way, and after one that was interrupted."""
    return f"{paths.meta}/deletion_unfinished.json"


def ledger_file(paths: Paths) -> str:
    """What was deleted when, in numbers."""
    return f"{paths.meta}/deletion_ledger.jsonl"


def load(paths: Paths, begin: int = 0) -> Tombstones:
    """The tombstones of a store, from a byte of their file on. A store without any has none. Raises AwhmError."""
    path = path_of(paths)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return Tombstones(Hasher(b""), [])
    lines = [line for line in _lines(data[begin:]) if line.get("kind") != "salt"]
    return Tombstones(_hasher_in(path, data), [_stone(path, line) for line in lines])


def hasher(paths: Paths) -> Hasher:
    """The store's hashes; the file with its salt is made where there is none. Raises AwhmError, OSError."""
    path = path_of(paths)
    if not os.path.exists(path):
        paths.make(paths.data_dir)
        paths.make(paths.meta)
        write_whole(path, json.dumps({"kind": "salt", "salt": secrets.token_hex(16)}).encode() + b"\n")
    with open(path, "rb") as file:
        return _hasher_in(path, file.readline())


def append(paths: Paths, stones: list[Tombstone]) -> None:
    """Add tombstones; they are on disk when this comes back. Raises OSError."""
    data = "".join(json.dumps(stone.fields()) + "\n" for stone in stones).encode("ascii")
    append_durably(path_of(paths), data)


def append_durably(path: str, data: bytes) -> None:
    """Add whole lines to a file and sync it; a line that a crash cut off is ended first. Raises OSError."""
    fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(fd).st_size
        if size:
            os.lseek(fd, size - 1, os.SEEK_SET)
            data = data if os.read(fd, 1) == b"\n" else b"\n" + data
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _hasher_in(path: str, data: bytes) -> Hasher:
    for line in _lines(data):
        if line.get("kind") == "salt":
            return Hasher(bytes.fromhex(str(line["salt"])))
    raise AwhmError(f"{path}: its first line, the salt, is lost; put the file back from a copy, or move it away")


def _lines(data: bytes) -> Iterator[dict[str, object]]:
    for line in data.split(b"\n"):
        try:
            value = json.loads(line) if line else None
        except ValueError:  # cut off by a crash: what it would have forbidden is deleted by running the command again
            continue
        if isinstance(value, dict):
            yield value


_FIELDS = {one.name for one in fields(Tombstone)} - {"needle"}


def _stone(path: str, line: dict[str, object]) -> Tombstone:
    if line.get("kind") not in list(Kind) or not line.keys() <= _FIELDS:
        raise AwhmError(f"{path}: a tombstone of a newer version; update awhm, or what was deleted may come back")
    return Tombstone(**{**line, "kind": Kind(str(line["kind"]))})  # type: ignore[arg-type]
