"""Looking for a text in every byte of the data directory: in UTF-8, in JSON's escapes, in UTF-16, in any case.

A store is read once more as a store: a text that lies across two of its pages is in no one stretch of bytes.
"""

import contextlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from awhm_hooks.consolidate.folding import find, folded
from awhm_hooks.graph import sqlite
from awhm_hooks.paths import Paths
from awhm_hooks.recall.tokens import tokenise

_READ_BYTES = 32 * 1024 * 1024
_OVERLAP_BYTES = 128 * 1024
_MAX_PLACES = 20
_CONTEXT_BYTES = 30
_SQLITE_MAGIC = b"SQLite format 3\0"
_GAP = {
    "utf-8": rb"(?:\s|\\[nrt])+",
    "json": rb"(?:\s|\\[nrt]|\\u00a0)+",
    "utf-16-le": rb"(?:[\x09-\x0d\x20]\x00)+",
    "utf-16-be": rb"(?:\x00[\x09-\x0d\x20])+",
}
_NUMBER = re.compile(r"[0-9a-f.]+")
_INSIDE_NUMBER = b"0123456789abcdef."


@dataclass(frozen=True)
class Finding:
    """A place where the text still is. `harmless` says why it tells nothing, where it doesn't."""

    path: str
    offset: int
    form: str
    context: str
    harmless: str = ""


@dataclass
class Scanned:
    """What a scan saw: files and bytes read, and where the text was found (the first places of each file)."""

    files: int = 0
    bytes: int = 0
    findings: list[Finding] = field(default_factory=list)

    def real(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.harmless]


class Needle:
    """A text in all the forms that it may have on disk."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = folded(text)
        self._longest = max(self.folded.split(), key=len, default="")
        self._is_number = bool(_NUMBER.fullmatch(self.folded))
        self._patterns = [
            (form, max(words, key=len), re.compile(_GAP[form].join(map(re.escape, words))))
            for form, words in dict.fromkeys(_forms(text))
        ]

    def places(self, data: bytes) -> Iterator[tuple[int, int, str]]:
        """(begin, end, form) of every occurrence."""
        lower = data.lower()  # ASCII letters alone, length kept
        for form, longest, pattern in self._patterns:
            if longest in lower:
                for found in pattern.finditer(lower):
                    yield found.start(), found.end(), form

    def may_be_in(self, text: str) -> bool:
        """False for an ASCII text that certainly does not hold it."""
        return self._longest in text.lower()

    def is_in(self, data: bytes) -> bool:
        return any(not self.is_by_chance(data, begin, end) for begin, end, _ in self.places(data))

    def is_by_chance(self, data: bytes, begin: int, end: int) -> bool:
        """Digits that stand inside of a longer number, of a time or a checksum."""
        if not self._is_number:
            return False
        lower = data[max(0, begin - 1) : end + 1].lower()
        around = (lower[:1] if begin else b"") + lower[end - begin + (1 if begin else 0) :]
        return any(byte in _INSIDE_NUMBER for byte in around)


def _forms(text: str) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """The text's words in each encoding, letter case beyond ASCII and normal form; ASCII letters in lower case."""
    forms: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
    for normal in forms:
        plain = unicodedata.normalize(normal, text)
        for variant in dict.fromkeys((plain, plain.lower(), plain.upper(), plain.title(), plain.casefold())):
            words = variant.split()
            if not words:
                continue
            yield "utf-8", tuple(word.encode("utf-8", "surrogatepass").lower() for word in words)
            yield "json", tuple(_escaped(word) for word in words)
            for form in ("utf-16-le", "utf-16-be"):
                yield form, tuple(word.encode(form, "surrogatepass").lower() for word in words)


def _escaped(word: str) -> bytes:
    """A word as JSON has it in ASCII."""
    return json.dumps(word)[1:-1].lower().encode("ascii")


def scan(paths: Paths, texts: list[str]) -> Scanned:
    """Look for the texts in every file of the data directory, names of files included. Raises OSError."""
    needles = [Needle(text) for text in texts if text.strip()]
    scanned = Scanned()
    for path in _files(paths.data_dir):
        relative = os.path.relpath(path, paths.data_dir)
        for needle in needles:
            if find(relative, needle.folded):
                scanned.findings.append(Finding(relative, 0, "file name", relative))
        with contextlib.suppress(FileNotFoundError):
            _scan_file(path, relative, needles, scanned)
    return scanned


def _scan_file(path: str, relative: str, needles: list[Needle], scanned: Scanned) -> None:
    scanned.files += 1
    seen: dict[int, Finding] = {}
    head = b""
    for offset, data in _pieces(path):
        scanned.bytes += len(data)
        head = head or data[: len(_SQLITE_MAGIC)]
        for needle in needles:
            for begin, end, form in needle.places(data):
                if len(seen) < _MAX_PLACES:
                    harmless = _harmless(relative, needle.is_by_chance(data, begin, end))
                    context = _context(data, begin, end, form)
                    seen.setdefault(offset + begin, Finding(relative, offset + begin, form, context, harmless))
    scanned.findings += seen.values()
    if head == _SQLITE_MAGIC and not seen:
        scanned.findings += _in_store(path, relative, needles)


def _harmless(relative: str, by_chance: bool) -> str:
    if relative.startswith("models" + os.sep):
        return "part of the language model"
    return "inside of a longer number" if by_chance else ""


def _pieces(path: str) -> Iterator[tuple[int, bytes]]:
    """A file's bytes with their offsets; pieces of a large one overlap."""
    with open(path, "rb") as file:
        offset = 0
        while data := file.read(_READ_BYTES):
            yield offset, data
            if len(data) < _READ_BYTES:
                return
            offset += len(data) - _OVERLAP_BYTES
            file.seek(offset)


def _context(data: bytes, begin: int, end: int, form: str) -> str:
    around = data[max(0, begin - _CONTEXT_BYTES) : end + _CONTEXT_BYTES]
    text = around.decode(form if form.startswith("utf-16") else "utf-8", "replace")
    return "".join(character if character.isprintable() else "·" for character in text)


def _in_store(path: str, relative: str, needles: list[Needle]) -> Iterator[Finding]:
    """The text in the columns of a store, and its words in the index of no memory."""
    try:
        db = sqlite.connect(path, sqlite.READ_WAIT_S)
    except sqlite.Error:
        return
    with contextlib.closing(db):
        try:
            yield from _in_columns(db, relative, needles)
            yield from _in_index(db, relative, needles)
        except (sqlite.Error, UnicodeDecodeError):
            return  # a damaged store: its bytes were read


def _in_columns(db: "Connection", relative: str, needles: list[Needle]) -> Iterator[Finding]:
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")') if row[2].upper() == "TEXT"]
        if not columns or table == "postings":
            continue
        names = ", ".join(f'"{column}"' for column in columns)
        for row in db.execute(f'SELECT {names} FROM "{table}"'):
            whole = "\n".join([value for value in row if isinstance(value, str)])
            if whole.isascii() and not any(needle.may_be_in(whole) for needle in needles):
                continue
            for column, value in zip(columns, row, strict=True):
                plain = folded(value) if isinstance(value, str) else ""
                if any(needle.folded in plain for needle in needles):
                    yield Finding(relative, 0, f"{table}.{column}", value[:200])


def _in_index(db: "Connection", relative: str, needles: list[Needle]) -> Iterator[Finding]:
    """Terms of the text whose postings name a document that is not there."""
    nodes = {row[0] for row in db.execute("SELECT id FROM nodes")}
    for term in {term for needle in needles for term in tokenise(needle.text)}:
        for (data,) in db.execute("SELECT data FROM postings WHERE term = ?", (term,)):
            words = memoryview(data).cast("I")
            if not nodes.issuperset(words[: len(words) // 2]):
                yield Finding(relative, 0, "postings.term", term)


def _files(directory: str) -> Iterator[str]:
    for folder, _, names in os.walk(directory):
        yield from (os.path.join(folder, name) for name in sorted(names))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
