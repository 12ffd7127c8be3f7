"""Texts as a person means them who asks for one to be forgotten: no case, no line ends, one form of each letter."""

import re
import unicodedata
from collections.abc import Iterator

Span = tuple[int, int]


def folded(text: str) -> str:
    """The text in lower case and NFKC, with single spaces and none at its ends."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(_folded_piece(text).split())


def _folded_piece(piece: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", piece).casefold())


def find(text: str, needle: str) -> list[Span]:
    """Where a folded needle stands in a text, as offsets into the text itself; spans do not overlap.

    A needle that only the whole text's folded form holds, not that of its letters one by one, takes the whole text.
    """
    if not needle or needle not in folded(text):
        return []
    if text.isascii():  # as long in lower case as it is
        pattern = re.compile(r"\s+".join(map(re.escape, needle.split())))
        return [found.span() for found in pattern.finditer(text.lower())]
    plain, places = _with_places(text)
    found = []
    at = plain.find(needle)
    while at >= 0:
        found.append((places[at][0], places[at + len(needle) - 1][1]))
        at = plain.find(needle, at + len(needle))
    return found or [(0, len(text))]


def span_at(text: str, at: int, length: int) -> Span:
    """The stretch of a text whose folded form is `folded(text)[at:at + length]`; the whole text where it has none."""
    plain, places = _with_places(text)
    if plain != folded(text):
        return 0, len(text)
    return places[at][0], places[at + length - 1][1]


def _with_places(text: str) -> tuple[str, list[Span]]:
    """The folded text, and for each of its characters the stretch of the text that it comes from."""
    characters: list[str] = []
    places: list[Span] = []
    gap: Span | None = None
    for begin, end in _clusters(text):
        for character in _folded_piece(text[begin:end]):
            if character.isspace():
                gap = gap or (begin, end)
                continue
            if gap and characters:
                characters.append(" ")
                places.append(gap)
            gap = None
            characters.append(character)
            places.append((begin, end))
    return "".join(characters), places


def _clusters(text: str) -> Iterator[Span]:
    """Each character with the marks, vowel signs and Hangul letters that may join it in a composed form."""
    begin = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not _joins(text[at]):
            yield begin, at
            begin = at


def _joins(character: str) -> bool:
    return character > "\u02ff" and ("\u1160" <= character <= "\u11ff" or unicodedata.category(character)[0] == "M")
