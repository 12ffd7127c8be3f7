"""From a message to the sentences its writer meant as prose.

Code, quotations, pastes and headings are blanked out with stand-in characters of the same length, so that every
offset stays that of the message. A stand-in still reads as a name: "the port variable is `PORT`" keeps its value.
"""

from awhm_hooks import regexes
from awhm_hooks.journal.patterns.languages import fold

WINDOW_CHARS = 20_000
MAX_LINE_CHARS = 1_000
CODE = "\ue000"
QUOTE = "\ue001"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern

# What a line is: prose, part of a paste, a shell's prompt, or something to leave out by itself (a quote, a heading).
_PROSE, _PASTED, _PROMPT, _APART = range(4)

# One line that nobody writes as prose; matched against the stripped line.
_PASTED_LINE = "|".join(
    (
        r"\||#!|#\[|#include",
        r"\+{1,3}\s|@@|---\s\S|diff --git|index [0-9a-f]{7}",
        r"\.\.\.\s",
        r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d",
        r"\W{0,2}(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|FAIL|FAILED|SEVERE)\b\W",
        r"Traceback \(|File \"|at .{1,200}:\d+\)?$|[\w.]*(?:Error|Exception|Warning)\b ?[:(\[]",
        r"(?:error|fatal|warning|panic)(?:\[\w+\])?:|npm (?:ERR!|error|warn)",
        r"```|[\[\](){},;]+$|\"[^\"]{1,100}\"\s*:|</?[A-Za-z!?]|//|/\*|\*/|;;|--$",
        r"[A-Z][A-Z0-9_]+=\S|[\w.]+\s*(?:=|:=|\+=)\s*\S|@\w+(?:\(|$)",
        r"(?:FROM|RUN|COPY|ENV|CMD|EXPOSE|WORKDIR|SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER|DROP) \S+.*",
        r"(?:def|class|for|while|if|elif|else|try|except|with|switch|case)\b[^.!?]{0,200}:$",
        r"(?:import|export|const|let|var|function|return|public|private|static|async|fn|func|struct|type|use)\b"
        r"[^.!?]{0,200}[;{}()=<>]\s*$",
        r"(?:test|it|describe|expect)\(|\w+\([^)]{0,100}\)[;{]?$",
    )
)

# What a writer says before pasting another's words.
_INTRODUCTION = (
    r"\b(?:say|says|said|wrote|writes|reads|output|log|logs|stack ?trace|traceback|error|message|readme|docs?|ticket|issue|spec|"
    r"email|mail|transcript|prompt|description|example|snippet|diff|quote|comment|dice|dijo|escribio|salida|registro|"
    r"mensaje|ejemplo|correo|sagt|sagte|schrieb|ausgabe|meldung|fehlermeldung|beispiel|nachricht|kommentar)"
    r"\b[^.!?:]{0,40}:\s*$"
)
_OWN_WORDS = (
    r"\b(?:rules?|polic(?:y|ies)|preferences?|conventions?|decisions?|i|my|we|our|reglas?|regeln?|preferencias)\b"
)

_SOURCES = {
    "pasted": rf"(?:{_PASTED_LINE})",
    "statement_end": r"[;{]$|\);$|=> ?[{(]|\) ?=>",
    "introduction": _INTRODUCTION,
    "own_words": _OWN_WORDS,
    "bullet": r"[ \t]*(?:[-*•–]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,2}[.)]\s+)",
    "irregular": r"\s\s|\*\*|__|[\t\r\n]",
    "apart": r">(?!>)|#{1,6}\s",
    "prompt": r"[$❯➜%]\s|>>>|PS [A-Z]:|[\w.-]+@[\w.-]+[:~]",
    "code": r"`[^`\n]{1,300}`",
    "quote": (
        r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|»[^«\n]{1,400}«"
        r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|(?<!\w)‘[^’\n]{1,200}’(?!\w)"
    ),
    "end": r"[.!?…]+[)\]\"'*]*(?=\s|$)|;(?=\s)",
    "abbreviation": (
        r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|dr|mr|mrs|ms|prof|nr|ca|approx|inc|ltd|z\.b|z|d\.h|u\.a|bzw|usw|vgl"
        r"|p\.ej|ej|sr|sra|st|(?:der|den|dem|am|vom|zum|bis) \d{1,2})\.$"
    ),
}


class Block:
    """A paragraph of prose. `text` has single spaces and no emphasis marks; `shown` is that with stand-ins, `folded`
    the same in lower case without accents; `sentences` are spans in it."""

    __slots__ = ("_places", "_start", "folded", "sentences", "shown", "text")

    def __init__(self, text: str, shown: str, start: int, places: list[int] | None) -> None:
        self.text = text
        self.shown = shown
        self.folded = fold(shown)
        self.sentences: list[tuple[int, int]] = []
        self._start = start
        self._places = places

    def place(self, index: int) -> int:
        """Where in the message a character of the block stands."""
        return self._start + (index if self._places is None else self._places[index])


def windows(text: str) -> list[tuple[int, str]]:
    """The parts of a message that are looked at: all of it, or whole lines of its first and last stretch."""
    if len(text) <= 2 * WINDOW_CHARS:
        return [(0, text)]
    head = text[: max(text.rfind("\n", 0, WINDOW_CHARS), 0)]
    after = text.find("\n", len(text) - WINDOW_CHARS)
    start = len(text) if after < 0 else after + 1
    fenced = (text.count("```", 0, start) % 2) == 1
    tail = text[start:]
    if fenced:
        closed = tail.find("```")
        skipped = len(tail) if closed < 0 else closed + 3
        start, tail = start + skipped, tail[skipped:]
    return [(0, head), (start, tail)]


def blocks(text: str) -> list[Block]:
    """The message's prose, in order, paragraph by paragraph."""
    patterns = regexes.group("sentences", _SOURCES)
    found = []
    for offset, part in windows(text):
        shown = _with_stand_ins(part, patterns)
        for start, end in _blocks(part, _prose_lines(part, patterns), patterns):
            block = _block(part[start:end], shown[start:end], offset + start, patterns)
            block.sentences = _split(block.folded, patterns)
            found.append(block)
    return found


def _block(text: str, shown: str, start: int, patterns: "dict[str, Pattern[str]]") -> Block:
    """Runs of white space made one space, emphasis marks left out; the places of what remains are kept."""
    if not patterns["irregular"].search(text):
        return Block(text, shown, start, None)
    places: list[int] = []
    before = " "
    for index, char in enumerate(text):
        emphasis = char in "*_" and (text[index - 1 : index] == char or text[index + 1 : index + 2] == char)
        white = char.isspace()
        if emphasis or (white and before == " "):
            continue
        before = " " if white else char
        places.append(index)
    places.append(len(text))
    kept = places[:-1]
    return Block(
        "".join(" " if text[index].isspace() else text[index] for index in kept),
        "".join(shown[index] for index in kept),
        start,
        places,
    )


def _with_stand_ins(text: str, patterns: "dict[str, Pattern[str]]") -> str:
    if "`" in text:
        text = patterns["code"].sub(_as_code, text)
    return patterns["quote"].sub(_as_quote, text)


def _as_code(match: "Match[str]") -> str:
    return CODE * len(match.group())


def _as_quote(match: "Match[str]") -> str:
    return QUOTE * len(match.group())


def _prose_lines(text: str, patterns: "dict[str, Pattern[str]]") -> list[tuple[int, int] | None]:
    """Spans of the lines worth reading, in order; None where a break stands (a blank line or a paste)."""
    rows: list[tuple[int, int] | None] = []
    paragraph: list[tuple[int, int, int]] = []
    fence = ""
    quoting = False
    position = 0
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        stripped = line.strip()
        mark = stripped[:3]
        fencing = mark in ("```", "~~~") and stripped.find(mark, 3) < 0
        if fence or fencing or not stripped:
            if fencing and fence in ("", mark):
                fence = "" if fence else mark
            rows.extend(_prose_of(paragraph))
            quoting = quoting and not paragraph
            paragraph = []
            continue
        kind = _PASTED if quoting else _kind(line, stripped, patterns)
        paragraph.append((start, end, kind))
        if kind == _PROSE and _introduces_a_paste(stripped, patterns):
            rows.extend(_prose_of(paragraph))
            paragraph, quoting = [], True
    rows.extend(_prose_of(paragraph))
    return rows


def _introduces_a_paste(stripped: str, patterns: "dict[str, Pattern[str]]") -> bool:
    if not stripped.endswith(":"):
        return False
    folded = fold(stripped)
    return bool(patterns["introduction"].search(folded)) and not patterns["own_words"].search(folded)


def _kind(line: str, stripped: str, patterns: "dict[str, Pattern[str]]") -> int:
    if len(line) > MAX_LINE_CHARS or patterns["apart"].match(stripped):
        return _APART
    if patterns["prompt"].match(stripped):
        return _PROMPT
    if patterns["pasted"].match(stripped) or patterns["statement_end"].search(stripped):
        return _PASTED
    indented = line.startswith(("    ", "\t")) and not patterns["bullet"].match(line)
    return _PASTED if indented or stripped.count(" | ") > 1 else _PROSE


def _prose_of(paragraph: list[tuple[int, int, int]]) -> list[tuple[int, int] | None]:
    """A paragraph's prose: lines between pasted ones belong to the paste, and all that follows a shell's prompt."""
    pasted = [index for index, row in enumerate(paragraph) if row[2] in (_PASTED, _PROMPT)]
    first, last = (pasted[0], pasted[-1]) if pasted else (0, -1)
    if any(row[2] == _PROMPT for row in paragraph):
        last = len(paragraph)
    rows = [
        (start, end) if kind == _PROSE and not first <= index <= last else None
        for index, (start, end, kind) in enumerate(paragraph)
    ]
    return [*rows, None]


def _blocks(
    text: str, lines: list[tuple[int, int] | None], patterns: "dict[str, Pattern[str]]"
) -> list[tuple[int, int]]:
    """Lines joined where one plainly runs on into the next (text wrapped by an editor), bullets cut off."""
    blocks: list[tuple[int, int]] = []
    joinable = False
    for span in lines:
        if span is None:
            joinable = False
            continue
        start, end = span
        bullet = patterns["bullet"].match(text, start, end)
        if bullet:
            start = bullet.end()
        line = text[start:end].rstrip()
        if joinable and not bullet and line[:1].islower():
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
        joinable = len(line) >= 50 and line[-1:] not in ".!?:;"
    return blocks


def _split(folded: str, patterns: "dict[str, Pattern[str]]") -> list[tuple[int, int]]:
    sentences = []
    begin, end = 0, len(folded)
    for stop in patterns["end"].finditer(folded):
        if stop.group() == "." and _abbreviated(folded, begin, stop.end(), end, patterns):
            continue
        sentences.append((begin, stop.end()))
        begin = stop.end()
    sentences.append((begin, end))
    return [span for span in sentences if folded[span[0] : span[1]].strip(" .!?;")]


def _abbreviated(folded: str, begin: int, stop: int, end: int, patterns: "dict[str, Pattern[str]]") -> bool:
    if not patterns["abbreviation"].search(folded, max(begin, stop - 12), stop):
        return False
    return folded[stop:end].strip() != ""
