"""Whether a statement says what a known one says.

A wrong merge loses a memory and a missed one only repeats it. A sentence embedding hardly sees what matters most here:
MiniLM gives "run tests before commit" and "run tests after commit" a cosine of 0.95, "Alice reports to Bob" and "Bob
reports to Alice" 0.99. So a cosine above the threshold only proposes; both statements must also say the same words,
light ones and word forms aside, in an order that keeps who does what to whom.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from awhm_hooks.consolidate.word_lists import LIGHT_WORDS, RELATIONS
from awhm_hooks.journal.slots import statement_key

_SAME_WORDS = (
    (re.compile(r"n['’]t\b|\b(?:dont|cannot|never|nicht|nie|niemals|kein\w*|nunca|jamás|no)\b"), " not "),
    (re.compile(r"\b(?:rather than|more than|instead of|in place of|statt|anstatt|en lugar de|en vez de)\b"), " over "),
    (re.compile(r"\b(?:like|love|favou?r|prefer)s?\b"), " prefer "),
    (re.compile(r"\b(?:decided|agreed) (?:to|that|on)\b"), " "),
    (re.compile(r"\b(?:i['’]m|we['’]re|it['’]s|that['’]s)(?!\w)|(?<=\w)['’](?:s|re|m)(?!\w)"), " "),
)
_WORD = re.compile(r"[^\s,;!?()\[\]{}\"“”„«»`]+")
_FRONT, _BACK = "'‘*", "'’*.:/"
_VOWEL = re.compile(r"[aeiouyäöüáéíóú]")


def near_duplicate(
    text: str,
    candidates: Sequence[tuple[int, str]],
    cosines: Mapping[int, float] | None = None,
    threshold: float = 0.92,
) -> int | None:
    """The id of the candidate (id, text) that says the same as the text; None where none does.

    The same normalised statement always counts. Otherwise the candidate's cosine must be above the threshold and
    `same_words` must hold; the closest such candidate is taken. Without cosines only the first rule applies.
    """
    key = statement_key(text)
    for candidate, other in candidates:
        if statement_key(other) == key:
            return candidate
    near = [
        (cosine, candidate)
        for candidate, other in candidates
        if (cosine := (cosines or {}).get(candidate, 0.0)) > threshold and same_words(text, other)
    ]
    return max(near)[1] if near else None


def same_words(one: str, other: str) -> bool:
    """Whether two statements differ only in light words, word forms and harmless order.

    A number, an identifier, a name, a negation, a tense or a preposition that only one has tells them apart.
    """
    ours, theirs = _content(one), _content(other)
    if ours == theirs:
        return True
    if Counter(ours) != Counter(theirs) or not RELATIONS.isdisjoint(ours):
        return False
    named = _named(one) | _named(other)
    return [word for word in ours if word in named] == [word for word in theirs if word in named]


def _content(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    for pattern, word in _SAME_WORDS:
        folded = pattern.sub(word, folded)
    return [_stem(word) for word in _split(folded) if word not in LIGHT_WORDS]


def _split(text: str) -> list[str]:
    words = (found.lstrip(_FRONT).rstrip(_BACK) for found in _WORD.findall(text))
    return [word for word in words if any(letter.isalnum() for letter in word)]


def _named(text: str) -> set[str]:
    """Names, numbers and identifiers: whatever has a capital after the first word, or more than letters."""
    return {
        _stem(word.casefold())
        for position, word in enumerate(_split(unicodedata.normalize("NFKC", text)))
        if not word.isalpha() or not (word.islower() or (position == 0 and word.istitle()))
    }


def _stem(word: str) -> str:
    """A word without the endings of plural and gerund; a past tense stays one."""
    if not word.isalpha():
        return word
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 4 and word.endswith("ing") and _VOWEL.search(word[:-3]):
        word = word[:-3]
    return word[:-1] if len(word) > 2 and word.endswith("e") else word
