"""Where in a text a stretch of known length and checksum may stand, without knowing the stretch.

A polynomial checksum over all windows of a text at once (Karp and Rabin 1987), modulo 2**64, of which only 16 bits are
kept on disk: enough to pass over most of a text before the real hash is asked, too little to give the stretch away.
"""

from typing import Any

import numpy as np

_BITS = 16
_MASK = 2**64 - 1
Numbers = np.ndarray[Any, np.dtype[np.uint64]]


def checksum(text: str, salt: bytes) -> int:
    """The 16 bits of a whole text; 0 for an empty one."""
    codes = _codes(text)
    if not len(codes):
        return 0
    return int(np.sum(codes * _powers(_base(salt), len(codes)), dtype=np.uint64)) >> (64 - _BITS)


class Windows:
    """The checksums of one salt; powers of its base are kept from text to text."""

    def __init__(self, salt: bytes) -> None:
        self._base = _base(salt)
        self._inverse = pow(self._base, -1, 2**64)
        self._powers = _powers(self._base, 0)
        self._inverses = _powers(self._inverse, 0)

    def places(self, text: str, chars: int, check: int) -> list[int]:
        """Where windows of `chars` characters begin that may be the stretch."""
        if chars < 1 or len(text) < chars:
            return []
        self._grow(len(text))
        sums: Numbers = np.zeros(len(text) + 1, np.uint64)
        np.cumsum(_codes(text) * self._powers[: len(text)], out=sums[1:])
        windows = (sums[chars:] - sums[:-chars]) * self._inverses[: len(text) - chars + 1]
        return [int(at) for at in np.nonzero(windows >> np.uint64(64 - _BITS) == check)[0]]

    def _grow(self, length: int) -> None:
        if len(self._powers) < length:
            self._powers = _powers(self._base, 2 * length)
            self._inverses = _powers(self._inverse, 2 * length)


def _base(salt: bytes) -> int:
    """An odd number, which has an inverse modulo 2**64."""
    return int.from_bytes((salt + bytes(8))[:8], "little") | 1


def _codes(text: str) -> Numbers:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _powers(base: int, count: int) -> Numbers:
    found: Numbers = np.ones(count, np.uint64)
    found[1:] = np.uint64(base & _MASK)
    return np.cumprod(found, dtype=np.uint64) if count else found
