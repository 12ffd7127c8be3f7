"""Stored vectors as a hook reads them: one byte a component, memory-mapped, never parsed.

A row is 384 bytes, `round(component / STEP) + 128`. Against float32 a cosine is off by 0.0009 (standard deviation, and
0.004 at most over 440,000 pairs of LoCoMo turns and questions), and 100,000 memories are 38 MB instead of 154: a cold
process pays for pages.
"""

import os
from _operator import mul

from awhm_hooks.errors import AwhmError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

WIDTH = 384
STEP = 0.4 / 127  # no component of a unit vector of this model was seen above 0.39
ZERO = 128
MAGIC = b"AWHMVEC1"
HEADER_BYTES = 4096  # one page, so that rows start on one
FIRST_SENTENCE = 1000  # the numbers of a message's windows from here on are those of single sentences
IN_ENGLISH = 1500  # and this is what a message in another language is about, in English
_FIELDS = 40


class VectorsUnusable(AwhmError):
    """The file of vectors is missing, of another generation, or not as long as it says."""


class Rows:
    """n rows of 384 bytes in a buffer, from `offset` on."""

    __slots__ = ("buffer", "count", "offset")

    def __init__(self, buffer: "bytearray | mmap", count: int, offset: int = 0) -> None:
        self.buffer = buffer
        self.count = count
        self.offset = offset


def path_of(directory: str, generation: int) -> str:
    """The file of one generation: a compaction makes a new one beside it, and the graph says which is in force."""
    return f"{directory}/vectors.{generation}.u8"


def cosine(one: bytes, other: bytes) -> float:
    """Of two rows: the sum over (a - ZERO)(b - ZERO), expanded so that it runs in C; 12 us."""
    product = sum(map(mul, one, other)) - ZERO * (sum(one) + sum(other)) + WIDTH * ZERO * ZERO
    return float(product) * STEP * STEP


def joined(rows: list[bytes]) -> Rows:
    """Rows that are not in a file, such as those of the session's write-ahead log."""
    return Rows(bytearray(b"".join(rows)), len(rows))


def open_rows(path: str, generation: int, at_least: int = 0) -> Rows:
    """The rows of a file, mapped. Raises VectorsUnusable where it is missing, not of this generation, or too short."""
    import mmap

    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error.strerror}") from None
    try:
        found, count = read_header(os.read(fd, HEADER_BYTES), path)
        size = HEADER_BYTES + count * WIDTH
        if found != generation:
            raise VectorsUnusable(f"{path} is of generation {found}, the graph of {generation}")
        if count < at_least or os.fstat(fd).st_size < size:
            raise VectorsUnusable(f"{path} holds fewer than {max(count, at_least)} rows")
        if not count:
            return Rows(bytearray(), 0)
        # a private mapping is writable to us and never to the file: a foreign function wants a writable buffer
        return Rows(mmap.mmap(fd, size, access=mmap.ACCESS_COPY), count, HEADER_BYTES)
    except OSError as error:
        raise VectorsUnusable(f"{path}: {error}") from None
    finally:
        os.close(fd)


def header(generation: int, count: int) -> bytes:
    """The first bytes of a file; the count is written twice, so that a torn one shows."""
    numbers = (WIDTH, generation, count, count ^ (2**64 - 1))
    return MAGIC + b"".join(number.to_bytes(8, "little") for number in numbers)


def read_header(data: bytes, path: str) -> tuple[int, int]:
    """(generation, count). Raises VectorsUnusable."""
    width, generation, count, check = (int.from_bytes(data[at : at + 8], "little") for at in range(8, _FIELDS, 8))
    if data[:8] != MAGIC or width != WIDTH or count ^ check != 2**64 - 1:
        raise VectorsUnusable(f"{path} has no valid header")
    return generation, count
