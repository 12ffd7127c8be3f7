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
_MARKDOWN_FENCES = ("```", "~~~")
_FENCES = ("```", "~~~", '"""', "'''")
_MAIL_HEADERS = ("Subject: ", "Betreff: ", "Asunto: ")
_LONGEST_QUOTE = 2_000
_AROUND_CHARS = 1_000  # how far before and behind a stretch is read to tell whose words it is

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern

# What a line is: prose, part of a paste, a shell's prompt, or something to leave out by itself: another's words (a
# quoted or fenced line), or a heading.
_PROSE, _PASTED, _PROMPT, _QUOTED, _APART = range(5)

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
    r"\b(?:pasted|copied|forwarded|received|kopiert|bekommen|erhalten|copie|copiado|pegado|pegue|recibi|recibido)"
    r"\b[^.!?:]{0,40}:\s*$|"
    r"\b(?:say|says|said|wrote|writes|reads|output|log|logs|stack ?trace|traceback|error|message|readme|docs?|ticket|issue|spec|"
    r"email|mail|letter|page|website|article|post|blog|thread|transcript|prompt|description|example|snippet|diff|quote|comment|dice|dijo|escribio|salida|registro|"
    r"mensaje|ejemplo|correo|sagt|sagte|schrieb|ausgabe|meldung|fehlermeldung|beispiel|nachricht|kommentar)"
    r"\b[^.!?:]{0,40}:\s*$"
)
_OWN_WORDS = (
    r"\b(?:rules?|polic(?:y|ies)|preferences?|conventions?|decisions?|my|we|our|reglas?|regeln?|preferencias"
    r"|i(?! (?:just |have |had |also )?(?:got|found|copied|pasted|received|saw|read|downloaded|was|been)\b))\b"
)

_SOURCES = {
    "pasted": rf"(?:{_PASTED_LINE})",
    "statement_end": r"[;{]$|\);$|=> ?[{(]|\) ?=>",
    "introduction": _INTRODUCTION,
    "own_words": _OWN_WORDS,
    "bullet": r"[ \t]*(?:[-*•–]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,2}[.)]\s+)",
    "irregular": r"\s\s|\*\*|__|[\t\r\n]",
    "quoted": r">(?!>)",
    "apart": r"#{1,6}\s",
    "tag": r"<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>",
    "prompt": r"[$❯➜%]\s|>>>|PS [A-Z]:|[\w.-]+@[\w.-]+[:~]",
    "code": r"```[^\n]{1,4000}?```|`[^`\n]{1,300}`",
    "quote": (
        r"\"[^\"\n]{1,2000}\"|“[^”]{1,2000}”|„[^“”]{1,2000}[“”]|«[^»]{1,2000}»|»[^«\n]{1,2000}«"
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
    rows = _lines(text, 0, len(text), "", patterns)
    return [(start, end) if kind == _PROSE else None for start, end, kind in rows]


def _lines(
    text: str, begin: int, stop: int, fence: str, patterns: "dict[str, Pattern[str]]"
) -> list[tuple[int, int, int]]:
    """(start, end, kind) of the lines of text[begin:stop], in order, with an empty one where a paragraph ends.

    `fence` is what closes a fence that is open as they begin: its own mark, or the end tag of an element.
    """
    rows: list[tuple[int, int, int]] = []
    paragraph: list[tuple[int, int, int]] = []
    unclosed: set[str] = set()
    quoting = False
    position = begin
    for line in text[begin:stop].split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        stripped = line.strip()
        opened = "" if fence else _opened(text, end, stripped, unclosed, patterns)
        if opened and opened[0] != "<" and not stripped.startswith(opened):  # "Review this: ```"
            cut = line.rindex(opened)
            paragraph.append((start, start + cut, _kind(line[:cut], line[:cut].strip(), patterns)))
            start += cut
        if fence or opened or not stripped:
            rows.extend(_prose_of(paragraph))
            quoting = quoting and not paragraph
            paragraph = []
            if fence or opened:
                rows.append((start, end, _QUOTED))
            is_closed = bool(fence) and (fence in stripped if fence[0] == "<" else _stands_at_an_edge(fence, stripped))
            fence = "" if is_closed else fence or opened
            continue
        kind = _PASTED if quoting else _kind(line, stripped, patterns)
        paragraph.append((start, end, kind))
        if kind == _PROSE and _introduces_a_paste(stripped, patterns):
            rows.extend(_prose_of(paragraph))
            paragraph, quoting = [], True
    rows.extend(_prose_of(paragraph))
    return rows


def _stands_at_an_edge(mark: str, stripped: str) -> bool:
    return stripped.startswith(mark) or stripped.endswith(mark)


def _opened(text: str, end: int, stripped: str, unclosed: set[str], patterns: "dict[str, Pattern[str]]") -> str:
    """What will close the fence or the element that a line opens and does not close; "" where it opens none.

    A fence of Markdown's at a line's start may stay open to the end of the message; all else is closed, or is none.
    `unclosed` remembers what is looked for in vain, lest a page of open elements be searched once a line.
    """
    for mark in _FENCES:
        if mark not in stripped or stripped.count(mark) % 2 == 0:
            continue
        if (mark in _MARKDOWN_FENCES and stripped.startswith(mark)) or text.find(mark, end) >= 0:
            return mark
    if stripped[:1] == "<" and (tag := patterns["tag"].match(stripped)):
        closing = f"</{tag.group(1)}>"
        if closing in stripped or closing in unclosed:
            return ""
        if text.find(closing, end) >= 0:
            return closing
        unclosed.add(closing)
    return ""


def _introduces_a_paste(stripped: str, patterns: "dict[str, Pattern[str]]") -> bool:
    if not stripped.endswith(":"):
        return stripped.startswith(_MAIL_HEADERS)
    folded = fold(stripped)
    return bool(patterns["introduction"].search(folded)) and not patterns["own_words"].search(folded)


def _kind(line: str, stripped: str, patterns: "dict[str, Pattern[str]]") -> int:
    if patterns["quoted"].match(stripped):
        return _QUOTED
    if len(line) > MAX_LINE_CHARS or patterns["apart"].match(stripped):
        return _APART
    if patterns["prompt"].match(stripped):
        return _PROMPT
    if patterns["pasted"].match(stripped) or patterns["statement_end"].search(stripped):
        return _PASTED
    indented = line.startswith(("    ", "\t")) and not patterns["bullet"].match(line)
    return _PASTED if indented or stripped.count(" | ") > 1 else _PROSE


def _prose_of(paragraph: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """A paragraph's lines: those between pasted ones belong to the paste, and so does all that follows a prompt."""
    pasted = [index for index, row in enumerate(paragraph) if row[2] in (_PASTED, _PROMPT)]
    first, last = (pasted[0], pasted[-1]) if pasted else (0, -1)
    if any(row[2] == _PROMPT for row in paragraph):
        last = len(paragraph)
    rows = [
        (start, end, _PASTED if kind == _PROSE and first <= index <= last else kind)
        for index, (start, end, kind) in enumerate(paragraph)
    ]
    return [*rows, (0, 0, _APART)]


def pasted(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """The stretches of text[begin:end] that are another's words: fenced, quoted line by line, or plainly a paste.

    White space between two of them belongs to them. Of a long text the paragraphs around the stretch are read.
    """
    patterns = regexes.group("sentences", _SOURCES)
    origin, fence = _origin(text, begin, patterns)
    close = text.find("\n\n", end, end + _AROUND_CHARS)
    close = close if close >= 0 else text.find("\n", end + _AROUND_CHARS)
    found: list[tuple[int, int]] = []
    for first, last, kind in _lines(text, origin, close if close >= 0 else len(text), fence, patterns):
        if kind not in (_PASTED, _PROMPT, _QUOTED) or max(first, begin) >= min(last, end):
            continue
        if found and not text[found[-1][1] : first].strip():
            found[-1] = found[-1][0], min(last, end)
        else:
            found.append((max(first, begin), min(last, end)))
    return found


def _origin(text: str, begin: int, patterns: "dict[str, Pattern[str]]") -> tuple[int, str]:
    """Where to begin to read: two paragraphs before a place; and what closes the fence that is open there."""
    if begin <= _AROUND_CHARS:
        return 0, ""
    least = begin - _AROUND_CHARS
    before = text.rfind("\n\n", least, begin)
    origin = text.rfind("\n\n", least, max(before, least))
    origin = (origin if origin >= 0 else text.rfind("\n", 0, least)) + 1
    for mark in _FENCES:
        if text.count(mark, 0, origin) % 2:
            return origin, mark
    for tag in patterns["tag"].finditer(text, 0, origin):
        closing = f"</{tag.group(1)}>"
        if text.find(closing, tag.end(), origin) < 0 <= text.find(closing, origin):
            return origin, closing
    return origin, ""


def open_quote(text: str, position: int) -> str:
    """The mark that opens the quotation in whose midst the position stands; "" where in none."""
    quote = regexes.group("sentences", _SOURCES)["quote"]
    start = text.rfind("\n", 0, max(position - _LONGEST_QUOTE, 0)) + 1
    for match in quote.finditer(text, max(start, position - 2 * _LONGEST_QUOTE), position + _LONGEST_QUOTE):
        if match.start() >= position:
            break
        if match.end() > position:
            return match.group()[0]
    return ""


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
