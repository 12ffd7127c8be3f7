"""The worker's side of the vectors file: append, compact, read back. One writer at a time, under the worker's lock.

Crash safety: rows are written and synced before the header that counts them, and the graph names a row only after that.
Rows beyond those that the graph names are leftovers of a crash; the next append writes over them. A file never gets
shorter: a hook may have it mapped. A compaction makes a new file under the next generation's name; it is in force when
the graph says so, and the old one is removed after.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from awhm_hooks.recall.vectors import HEADER_BYTES, STEP, WIDTH, ZERO, VectorsUnusable, header, path_of, read_header

Rows = np.ndarray[Any, np.dtype[np.uint8]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]


def to_rows(vectors: Vectors) -> Rows:
    """(n, 384) float32 unit rows to (n, 384) uint8."""
    rows: Rows = np.clip(np.rint(vectors / STEP) + ZERO, 0, 255).astype(np.uint8)
    return rows


def to_vectors(rows: Rows) -> Vectors:
    """The reverse, rescaled to unit length."""
    vectors = (rows.astype(np.float32) - ZERO) * np.float32(STEP)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def create(directory: str, generation: int, rows: Rows | None = None) -> str:
    """A new file with these rows, or none; gives back its path. One left there by a crash is replaced."""
    path = path_of(directory, generation)
    found = np.zeros((0, WIDTH), np.uint8) if rows is None else np.ascontiguousarray(rows, np.uint8)
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    try:
        _write(fd, 0, bytes(HEADER_BYTES) + found.tobytes())
        _finish(fd, generation, len(found))
    finally:
        os.close(fd)
    os.replace(temporary, path)
    return path


def check(directory: str, generation: int, at: int) -> None:
    """Raises VectorsUnusable where the file is missing, of another generation, or holds fewer than `at` rows."""
    path = path_of(directory, generation)
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error.strerror}") from error
    try:
        _stored(fd, path, generation, at)
    finally:
        os.close(fd)


def append(directory: str, generation: int, at: int, vectors: Vectors) -> int:
    """The same as `append_rows`, of (n, 384) float32 unit rows."""
    return append_rows(directory, generation, at, to_rows(vectors))


def append_rows(directory: str, generation: int, at: int, rows: Rows) -> int:
    """Write rows from row `at` on, the number that the graph names now; gives back the new number.

    Raises VectorsUnusable where the file is missing, of another generation, or holds fewer than `at` rows.
    """
    path = path_of(directory, generation)
    try:
        fd = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error.strerror}") from error
    try:
        _stored(fd, path, generation, at)
        _write(fd, HEADER_BYTES + at * WIDTH, rows.tobytes())
        _finish(fd, generation, at + len(rows))
    finally:
        os.close(fd)
    return at + len(rows)


def erase_rows(directory: str, generation: int, rows: Sequence[int]) -> None:
    """Overwrite rows that no memory has any more: their cosine with anything is 0. Raises VectorsUnusable."""
    path = path_of(directory, generation)
    try:
        fd = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error.strerror}") from error
    try:
        _stored(fd, path, generation, max(rows, default=-1) + 1)
        for row in rows:
            _write(fd, HEADER_BYTES + row * WIDTH, bytes([ZERO]) * WIDTH)
        os.fsync(fd)
    finally:
        os.close(fd)


def read_rows(directory: str, generation: int) -> Rows:
    """(n, 384) uint8 of a file. Raises VectorsUnusable."""
    path = path_of(directory, generation)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error.strerror}") from error
    found, count = read_header(data[:HEADER_BYTES], path)
    if found != generation or len(data) < HEADER_BYTES + count * WIDTH:
        raise VectorsUnusable(f"{path} is of generation {found} or cut short")
    return np.frombuffer(data, np.uint8, count * WIDTH, HEADER_BYTES).reshape(count, WIDTH)


def compact(directory: str, generation: int, keep: Sequence[int]) -> int:
    """Write the rows `keep`, in that order, as the next generation's file; gives back that generation.

    Row i of the new file is row keep[i] of the old. Raises VectorsUnusable where the old file lacks one.
    """
    rows = read_rows(directory, generation)
    if keep and max(keep) >= len(rows):
        raise VectorsUnusable(f"{path_of(directory, generation)} holds {len(rows)} rows, not {max(keep) + 1}")
    create(directory, generation + 1, rows[list(keep)])
    return generation + 1


def remove_others(directory: str, generation: int) -> None:
    """Remove the files of all generations but the one in force; one that a hook has mapped on Windows stays for now."""
    kept = Path(path_of(directory, generation)).name
    for path in Path(directory).glob("vectors.*.u8*"):
        if path.name != kept:
            try:
                path.unlink()
            except OSError:
                continue


def _stored(fd: int, path: str, generation: int, at: int) -> None:
    """Whether the file can take rows after its first `at`. Raises VectorsUnusable."""
    found, count = read_header(os.read(fd, HEADER_BYTES), path)
    size = os.fstat(fd).st_size
    if found != generation or count < at or size < HEADER_BYTES + at * WIDTH:
        raise VectorsUnusable(
            f"{path} is of generation {found} with {count} rows in {size} bytes, not of {generation} with {at}"
        )


def _write(fd: int, offset: int, data: bytes) -> None:
    os.lseek(fd, offset, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _finish(fd: int, generation: int, count: int) -> None:
    """Sync the rows, then count them, then sync that."""
    os.fsync(fd)
    _write(fd, 0, header(generation, count))
    os.fsync(fd)
