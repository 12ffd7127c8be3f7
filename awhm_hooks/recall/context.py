"""What the model is told: budget, wording, and stored text made harmless."""

import time
from binascii import crc32

from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.journal.redact import INJECTION_HEADER

MAX_UTF16_UNITS = 9_000
_MARKUP = "/!?"
_OCCURRENCES = 200
_SHORT_CHARS = 400


def injection_mark(text: str) -> int:
    """Checksum by which a text is known to have been injected, however it was spaced, cased or closed."""
    return crc32(comparable(text).encode("utf-8", "replace"))


def comparable(text: str) -> str:
    """A text without what spacing, capitals and the punctuation at its end make different."""
    return " ".join(text.lower().split()).rstrip(".!;,")


def injection_marks(memory: "Memory") -> list[int]:
    """The marks of a memory that was injected: its own, and that of its message, told with it."""
    kind = "message" if memory.family == MESSAGE else "statement"
    return [injection_mark(memory.text), _source_mark(kind, memory)]


def with_later(memories: "list[Memory]") -> "list[Memory]":
    """Memories, and what is told behind them."""
    return [one for memory in memories for one in (memory, memory.later) if one]


def is_told(memory: "Memory", marks: set[int]) -> bool:
    """The memory, or what amounts to it, is among what was injected."""
    if injection_mark(memory.text) in marks:
        return True
    if memory.family == MESSAGE:
        return len(memory.text) <= _SHORT_CHARS and _source_mark("statement", memory) in marks
    return _source_mark("message", memory) in marks


def _source_mark(kind: str, memory: "Memory") -> int:
    return injection_mark(f"{kind} {memory.session} {memory.message_id}")


def estimated_tokens(text: str) -> int:
    """About four characters of English a token, and a token for nearly each character of other scripts."""
    plain = sum(1 for character in text if character < "\u0250")
    return plain // 4 + (len(text) - plain) * 4 // 5 + 1


def render(memories: "list[Memory]", query_terms: list[str], config: "AWHMConfig") -> tuple[str, "list[Memory]"]:
    """The context for the model, and the memories told in it; ("", []) for none. Best first, whole items only."""
    lines = [INJECTION_HEADER]
    taken: list[Memory] = []
    tokens = estimated_tokens(INJECTION_HEADER)
    units = _utf16_units(INJECTION_HEADER)
    for memory in memories[: config.hook_max_memories]:
        line = _line(memory, query_terms, config.snippet_max_chars)
        tokens += estimated_tokens(line)
        units += _utf16_units(line) + 1
        if units > MAX_UTF16_UNITS or tokens > config.hook_max_tokens:
            break
        lines.append(line)
        taken.append(memory)
    return ("\n".join(lines), with_later(taken)) if taken else ("", [])


def _utf16_units(text: str) -> int:
    return len(text) + sum(1 for character in text if character > "\uffff")


def _line(memory: "Memory", query_terms: list[str], max_chars: int) -> str:
    line = "- " + _told(memory, query_terms, max_chars)
    if memory.later:
        line += f" (this may have changed since: {_told(memory.later, query_terms, max_chars)})"
    return line


def _told(memory: "Memory", query_terms: list[str], max_chars: int) -> str:
    local = time.localtime(memory.at)
    date = f"{local.tm_year:04d}-{local.tm_mon:02d}-{local.tm_mday:02d}"
    text, is_pasted = excerpt(memory, query_terms, max_chars)
    if memory.family != MESSAGE:
        return f"[{date}, {_source(memory)}] {text}"
    who = "the assistant said" if memory.role == "assistant" else "the user pasted" if is_pasted else "the user said"
    return f"[{date}, {_source(memory)}, {who}] {text}"


def excerpt(memory: "Memory", query_terms: list[str], max_chars: int) -> tuple[str, bool]:
    """(what is shown of a memory, on one line; whether all of it is another's words that the user pasted).

    Words that a user's message quotes are not the user's: where the cut or the single line would hide that, it is said.
    """
    text = memory.shown
    begin, end = _window(text, query_terms, max_chars)
    before, after = ("…" if begin > 0 else ""), ("…" if end < len(text) else "")
    if memory.family != MESSAGE or memory.role == "assistant" or not (before or "\n" in text):
        return before + harmless(text[begin:end]) + after, False
    from awhm_hooks.journal.patterns import sentences

    spans = sentences.pasted(text, begin, end)
    if not spans:
        return before + sentences.open_quote(text, begin) + harmless(text[begin:end]) + after, False
    if len(spans) == 1 and not (text[begin : spans[0][0]] + text[spans[0][1] : end]).strip():
        return before + harmless(text[begin:end]) + after, True
    parts = []
    own = begin
    for start, stop in spans:
        parts += [harmless(text[own:start]), _as_pasted(harmless(text[start:stop]))]
        own = stop
    parts.append(harmless(text[own:end]))
    return before + " ".join(part for part in parts if part) + after, False


def _as_pasted(text: str) -> str:
    """Marked at both ends; what stands between cannot end it."""
    return f"[pasted text: {text.replace('pasted text', 'pasted-text')} end of pasted text]"


def _source(memory: "Memory") -> str:
    return "about the user" if memory.user_scope else "this project"


def harmless(text: str) -> str:
    """Text on one line, whose markup opens and closes nothing."""
    text = " ".join(text.split())
    out = []
    for i, character in enumerate(text):
        following = text[i + 1 : i + 2]
        is_tag = character == "<" and (following.isalpha() or (following and following in _MARKUP))
        out.append("&lt;" if is_tag else character)
    return "".join(out)


def snippet(text: str, query_terms: list[str], max_chars: int) -> str:
    """At most `max_chars` of a text around what the query asks for, cut between words and marked with "…"."""
    begin, end = _window(text, query_terms, max_chars)
    return ("…" if begin > 0 else "") + text[begin:end].strip() + ("…" if end < len(text) else "")


def _window(text: str, query_terms: list[str], max_chars: int) -> tuple[int, int]:
    """Where to cut: (0, length) of a text that is short enough."""
    if len(text) <= max_chars:
        return 0, len(text)
    begin = _densest(text, query_terms, max_chars)
    end = begin + max_chars - 2
    if begin > 0:
        space = text.find(" ", begin, begin + 40)
        begin = space + 1 if space >= 0 else begin
    if end < len(text):
        space = text.rfind(" ", max(begin, end - 40), end)
        end = space if space > begin else end
    return begin, end


def _densest(text: str, wanted: list[str], max_chars: int) -> int:
    """Where the window of `max_chars` begins that holds the most distinct query terms; the earliest of equals.

    Terms are stems and are looked for as pieces of words: good enough to choose a window, and quick in long texts.
    """
    lower = text.lower()
    places = sorted((at, term) for term in wanted for at in _occurrences(lower, term))
    best, begin, first = 0, 0, 0
    inside: dict[str, int] = {}
    for at, term in places:
        inside[term] = inside.get(term, 0) + 1
        while at - places[first][0] > max_chars * 3 // 4:
            gone = places[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if len(inside) > best:
            best, begin = len(inside), max(0, places[first][0] - max_chars // 8)
    return min(begin, max(0, len(text) - max_chars + 2))


def _occurrences(lower: str, term: str) -> "Iterator[int]":
    at = lower.find(term)
    for _ in range(_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = lower.find(term, at + len(term))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.recall.memory import Memory
