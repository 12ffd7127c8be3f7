"""Statements people make in passing -> candidate memories, in English, Spanish and German.

`capture` reads sentences, not substrings: a question, a hypothetical, a quotation, code, pasted text or a request bound
to the task at hand is no standing statement. When in doubt it captures nothing.
"""

MAX_STATEMENTS = 40

_CONFIDENCE = {"fact": 0.8, "preference": 0.75, "policy": 0.75, "outcome": 0.65}
_CORRECTION_CONFIDENCE = 0.9


_MAX_QUESTION_CHARS = 300
_BREAKS = (". ", "! ", "? ", ";", ":", "\n", " - ", "—", "(")
_QUESTION_WORDS = frozenset(
    (
        "what which who whose where when why how is are was were do does did can could should would will has have"
        " ¿qué ¿cuál ¿quién ¿dónde ¿cuándo ¿cómo ¿por was welche welcher welches wer wo wann warum wie ist sind kann"
    ).split()
)


class Statement:
    """One statement: its words without the correction marker, where they stand, and the slot they fill."""

    __slots__ = (
        "categories",
        "change",
        "confidence",
        "end",
        "family",
        "is_correction",
        "key",
        "language",
        "scope",
        "start",
        "text",
    )

    def __init__(
        self,
        text: str,
        family: str,
        *,
        is_correction: bool = False,
        categories: tuple[str, ...] = (),
        key: str | None = None,
        scope: str = "project",
        start: int = 0,
        end: int = 0,
        language: str = "en",
        change: bool = False,
    ) -> None:
        self.text = text
        self.family = family
        self.is_correction = is_correction
        self.categories = categories
        self.key = key
        self.scope = scope
        self.confidence = _CORRECTION_CONFIDENCE if is_correction else _CONFIDENCE[family]
        self.start = start
        self.end = end
        self.language = language
        self.change = change

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statement):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.text, self.family, self.start, self.end))

    def __repr__(self) -> str:
        return "Statement(" + ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__) + ")"


def capture(text: str) -> list[Statement]:
    """The standing statements of one message, in order of appearance, at most MAX_STATEMENTS.

    Huge messages are read at both ends only (see sentences.py). A text without a trigger word loads no pattern, nor
    does one that is a question and nothing else: the patterns' first load costs 2.5 ms, beside the answer that is due.
    """
    if _only_asks(text):
        return []
    from awhm_hooks.journal.patterns import languages, sentences

    words: set[str] = set()
    for _offset, stretch in sentences.windows(text):
        words |= languages.word_set(languages.fold(stretch))
    codes = languages.spoken(words)
    if not codes:
        return []
    from awhm_hooks.journal.patterns.reading import read

    return read(text, [languages.load(code) for code in codes], MAX_STATEMENTS)


def _only_asks(text: str) -> bool:
    """One sentence that a question word opens and a question mark ends."""
    asked = text.strip()
    if len(asked) > _MAX_QUESTION_CHARS or not asked.endswith("?"):
        return False
    return asked.split(None, 1)[0].lower() in _QUESTION_WORDS and not any(mark in asked[:-1] for mark in _BREAKS)
