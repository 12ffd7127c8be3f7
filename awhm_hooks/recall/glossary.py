"""What a text in another language is about, in English, word by word.

The model is of English, and two languages say one thing in different words: "¿en qué puerto escucha la base de datos?"
came near to nothing that was said of the database's port. A glossary of what developers talk about leads from one to
the other (dictionary-based query translation: Ballesteros and Croft 1997), for prompts and for what is remembered. It
is a text file a language, read when the first text of that language comes: 0.7 ms. Every further text takes a tenth of
that, and one in English nothing.

A line of a file holds English words that stand for one another, a tab, and behind each word in the other language one
more. In Spanish and German these are stems, to which four letters may be added, or whole words marked with "!".
"""

import os

from awhm_hooks.recall.intent import FUNCTION_WORDS, is_cjk, is_foreign
from awhm_hooks.recall.tokens import tokenise

_DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "glossaries")
_ENDING_CHARS = 4  # that a word may have behind its stem
_LEAST_STEM = 4
_LEAST_PART = 4
_PHRASE_WORDS = 4
_CJK_CHARS = 8
_MOST_WORDS = 64
_MOST_CHARS = 400

_read: "dict[str, dict[str, list[str]]]" = {}


def glosses(text: str) -> "list[tuple[str, list[str]]]":
    """(a word or phrase of the text, lower-cased; what it is in English) of each that the glossary knows, in order."""
    language = language_of(text)
    table = _table(language) if language else {}
    if not table:
        return []
    found = _of_characters(text, table) if language in ("zh", "ja", "ko") else _of_words(text, table, language)
    return list(dict(found).items())


def in_english(text: str) -> str:
    """The English words for those of a text that the glossary knows; "" where that is none, or the text is English."""
    return _first(glosses(text)) if is_foreign(text) else ""


def with_english(text: str) -> str:
    """A text as the model is given it: behind one in another language stands what it is about."""
    return glossed(text, glosses(text)) if is_foreign(text) else text


def glossed(text: str, found: "list[tuple[str, list[str]]]") -> str:
    """The same of a text whose glosses are known."""
    return f"{text}\n{_first(found)}" if found else text


def _first(found: "list[tuple[str, list[str]]]") -> str:
    return " ".join(words[0] for _, words in found)


def english_terms(text: str) -> list[str]:
    """The terms under which a text in another language is found in English as well, each once."""
    if not is_foreign(text):
        return []
    return list(dict.fromkeys(term for _, words in glosses(text) for word in words for term in tokenise(word)))


def language_of(text: str) -> str:
    """The language of a text as its code, "" for English and those that have no glossary."""
    if is_cjk(text):
        if any("\u3040" <= char <= "\u30ff" for char in text):
            return "ja"
        return "ko" if any("\uac00" <= char <= "\ud7af" for char in text) else "zh"
    words = text.lower().replace("?", " ").replace(",", " ").replace("¿", " ").replace(".", " ").split()
    signs = {language: sum(word in own for word in words) for language, own in FUNCTION_WORDS.items()}
    best = max(signs, key=signs.__getitem__)
    return best if signs[best] else ""


def _table(language: str) -> "dict[str, list[str]]":
    """The English words by entry; {} of a language that has no glossary, or none that can be read."""
    if language not in _read:
        table: dict[str, list[str]] = {}
        try:
            with open(f"{_DIRECTORY}/{language}.txt", encoding="utf-8") as file:
                for line in file:
                    english, *entries, _ = line.split("\t")
                    table.update(dict.fromkeys(entries, english.split(", ")))
        except (OSError, ValueError):  # a damaged file is no glossary either
            table = {}
        _read[language] = table
    return _read[language]


def _of_word(word: str, table: "dict[str, list[str]]") -> list[str]:
    """By the word itself, or by its stem, the longest first; [] where the glossary knows neither."""
    found = table.get(f"{word}!") or table.get(word)
    for size in range(len(word) - 1, max(_LEAST_STEM, len(word) - _ENDING_CHARS) - 1, -1):
        if found:
            break
        found = table.get(word[:size])
    return found or []


def _of_words(text: str, table: "dict[str, list[str]]", language: str) -> "Iterator[tuple[str, list[str]]]":
    text = text[: _MOST_CHARS * 2].lower()
    words = "".join(char if char.isalpha() else " " for char in text).split()[:_MOST_WORDS]
    at = 0
    while at < len(words):
        for size in range(min(_PHRASE_WORDS, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + size])
            found = table.get(phrase) if size > 1 else _of_word(phrase, table)
            if found:
                yield phrase, found
                break
            if size == 1 and language == "de":
                yield from _of_parts(phrase, table)
        at += size


def _of_parts(word: str, table: "dict[str, list[str]]") -> "Iterator[tuple[str, list[str]]]":
    """A German compound's parts: "Rechnungsnummer" is "Rechnung" and "Nummer"."""
    for cut in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        head, tail = _of_word(word[:cut], table), _of_word(word[cut:], table)
        if head and tail:
            yield word[:cut], head
            yield word[cut:], tail
            return


def _of_characters(text: str, table: "dict[str, list[str]]") -> "Iterator[tuple[str, list[str]]]":
    """The longest entries that begin at each place, one behind the other."""
    text, at = text[:_MOST_CHARS], 0
    while at < len(text):
        if text[at].isascii():
            at += 1
            continue
        for size in range(min(_CJK_CHARS, len(text) - at), 0, -1):
            found = table.get(text[at : at + size])
            if found:
                yield text[at : at + size], found
                break
        at += size


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
