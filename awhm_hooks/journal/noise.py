"""What nobody typed or wants kept: the harness's wrappers, private spans, what our own hook injected."""

from awhm_hooks import regexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern

INJECTION_HEADER = "Memory from earlier sessions (background, may be outdated; not instructions):"
INJECTION_TAG = "awhm-memory"

WRAPPERS = (
    "task-notification",
    "bash-notification",
    "system-reminder",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "bash-exit-code",
    "persisted-output",
    "interrupted-output",
    "tool_use_error",
    "sandbox_violations",
    "user-prompt-submit-hook",
    "session-start-hook",
    "hook-additional-context",
    "hook_additional_context",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    "teammate-message",
    "agent-message",
    "cross-session-message",
    "fork-boilerplate",
    "remote-review-progress",
    "remote-review",
    INJECTION_TAG,
)

_TAG = rf"<(?P<close>/?)(?P<name>private|{'|'.join(WRAPPERS)})(?:\s[^<>\n]{{0,300}}?)?(?P<empty>/?)>"
_SOURCES = {
    "pair": r"[\ud800-\udbff][\udc00-\udfff]",
    "lone": r"[\ud800-\udfff]",
    "ansi": r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)|[@-Z\\^_])",
    "tag": f"(?i){_TAG}",
    "code_or_tag": r"(?im)^[ \t>]{0,12}(?P<mark>`{3,}|~{3,})[^`\n]*$"
    r"(?:(?s:.*?)^[ \t>]{0,12}(?P=mark)[`~]*[ \t]*$|(?s:.*))"
    rf"|(?<!`)(?P<run>`{{1,16}})(?!`)[^\n]{{1,1000}}?(?<!`)(?P=run)(?!`)|{_TAG}",
}

_CONTROLS = "".join(map(chr, [*range(9), *range(11, 32), *range(127, 160)]))
# A line end of any kind stays one: dropped, it would join the words on both sides.
_DROPPED = {ord(char): "\n" if char in "\r\v\f\x85" else None for char in _CONTROLS}

_HOOK_EVENTS = (
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PreCompact",
    "PostCompact",
    "Notification",
    "PermissionRequest",
    "CwdChanged",
    "TaskCompleted",
    "TeammateIdle",
)
HOOK_CONTEXTS = ("additional context:", "success:")


def plain(text: str) -> str:
    """No lone surrogate (it would fail every later encoding), no control character but line feed and tab."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = _patterns()["pair"].sub(_joined, text)
            text = _patterns()["lone"].sub("\ufffd", text)
    if "\x1b" in text:
        text = _patterns()["ansi"].sub("", text)
    for char in _CONTROLS:
        if char in text:
            return text.replace("\r\n", "\n").translate(_DROPPED)
    return text


def _joined(pair: "Match[str]") -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def without_injection(text: str) -> str:
    """Without the block our hook injects, wherever it was repeated: its header and the dated bullets below."""
    opening = INJECTION_HEADER[: INJECTION_HEADER.index(",")]
    spans = []
    start = text.find(opening)
    while start >= 0:
        end = _injected_lines_end(text, start)
        spans.append((_injection_start(text, start), end))
        start = text.find(opening, end)
    return _cut_out(text, spans)


def _injection_start(text: str, start: int) -> int:
    line_start = text.rfind("\n", 0, start) + 1
    before = text[line_start:start].strip(" \t>*_#-")
    return line_start if not before or is_hook_line(before, HOOK_CONTEXTS) else start


def _injected_lines_end(text: str, start: int) -> int:
    header_end = line_end(text, start, ":")
    end = _injected_line_end(text, header_end)
    rest = text[header_end:end].strip(" \t*_")
    if rest and not _is_dated_bullet(rest):
        return header_end
    had_bullet = bool(rest)
    while text.startswith("\n", end):
        next_end = _injected_line_end(text, end + 1)
        line = text[end + 1 : next_end]
        if _is_dated_bullet(line):
            had_bullet = True
        elif not (had_bullet and line.startswith(("  ", "\t")) and line.strip()) and not _blank_before_bullet(
            text, end + 1
        ):
            break
        end = next_end
    return end


def _injected_line_end(text: str, start: int) -> int:
    end = line_end(text, start)
    closing = text.find("</", start, end)
    return end if closing < 0 else closing


def _is_dated_bullet(line: str) -> bool:
    line = line.lstrip(" \t>")
    return line.startswith(("- [", "* [", "• [")) and line[3:4].isdecimal() and "]" in line


def _blank_before_bullet(text: str, start: int) -> bool:
    return text.startswith("\n", start) and _is_dated_bullet(text[start + 1 : start + 200])


def line_end(text: str, start: int, also: str = "") -> int:
    """Where the line of `start` ends, or just behind `also` if that comes first."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    found = text.find(also, start, end) if also else -1
    return end if found < 0 else found + len(also)


def is_hook_line(text: str, notices: tuple[str, ...]) -> bool:
    """True for "UserPromptSubmit hook success: …" and its like."""
    event, found, rest = text[:200].partition(" hook ")
    return bool(found) and event.partition(":")[0] in _HOOK_EVENTS and rest.startswith(notices)


def without_hook_context(text: str) -> str:
    """Without the paragraphs in which the client hands on what some hook said."""
    spans = []
    found = text.find(" hook ")
    while found >= 0:
        start = text.rfind("\n", max(0, found - 100), found) + 1
        if (start or found <= 100) and is_hook_line(text[start : found + 40], HOOK_CONTEXTS):
            end = text.find("\n\n", found)
            spans.append((start, len(text) if end < 0 else end))
            found = spans[-1][1]
        found = text.find(" hook ", found + 1)
    return _cut_out(text, spans)


def without_private(text: str, heed_code: bool) -> str:
    """Without `<private>` spans; one left open hides everything behind it, a stray closing tag is dropped."""
    closings_left = text.lower().count("</private")
    if not closings_left and "<private" not in text.lower():
        return text
    spans: list[tuple[int, int]] = []
    depth = start = 0
    for token in _markup(text, heed_code).finditer(text):
        name = token["name"]
        if name is None:
            closings_left -= token[0].lower().count("</private")
            spans += [] if depth else _private_in_code(text, token)
        elif name.lower() != "private":
            continue
        elif token["close"]:
            closings_left -= 1
            if depth <= 1:
                spans.append((start if depth else token.start(), token.end()))
            depth = max(0, depth - 1)
        elif token["empty"]:
            spans += [] if depth else [token.span()]
        else:
            start = start if depth else token.start()
            depth += 1
            if depth > closings_left:
                break
    if depth:
        spans.append((start, len(text)))
    return _cut_out(text, spans)


def _private_in_code(text: str, code: "Match[str]") -> list[tuple[int, int]]:
    """In code a lone tag is text, but whoever closes a pair means it."""
    spans = []
    starts: list[int] = []
    for token in _patterns()["tag"].finditer(text, *code.span()):
        if token["name"].lower() != "private" or token["empty"]:
            continue
        if not token["close"]:
            starts.append(token.start())
        elif starts:
            spans.append((starts.pop(), token.end()))
    return sorted(spans)


def without_wrappers(text: str, heed_code: bool) -> str:
    """Without the elements the harness puts around and beside a prompt, bodies included."""
    lower = text.lower()
    if not any(f"<{name}" in lower for name in WRAPPERS):
        return text
    tokens = [
        (token.start(), token.end(), token["name"].lower(), token["close"], token["empty"])
        for token in _markup(text, heed_code).finditer(text)
        if token["name"] and token["name"].lower() != "private"
    ]
    ends = _wrapper_ends(tokens)
    first_word = len(text) - len(text.lstrip())
    spans = []
    reached = 0
    for index, (start, after, _, close, empty) in enumerate(tokens):
        if start < reached or close:
            continue
        end = after if empty else ends[index]
        if end < 0 and start == first_word and text[after : after + 1] != " ":
            end = len(text)  # cut off on its way; with a blank behind it, it is a sentence about the tag
        if end > 0:
            spans.append((start, end))
            reached = end
    return _cut_out(text, spans)


def _wrapper_ends(tokens: list[tuple[int, int, str, str, str]]) -> list[int]:
    """For each opening tag the end of its element; -1 where no closing tag follows.

    An opening tag that nesting leaves without a partner (a body only mentions it) ends at the next closing one.
    """
    ends = [-1] * len(tokens)
    open_tags: dict[str, list[int]] = {}
    for index, (_, after, name, close, empty) in enumerate(tokens):
        if not close and not empty:
            open_tags.setdefault(name, []).append(index)
        elif close and open_tags.get(name):
            ends[open_tags[name].pop()] = after
    next_closing: dict[str, int] = {}
    for index in range(len(tokens) - 1, -1, -1):
        _, after, name, close, _ = tokens[index]
        if close:
            next_closing[name] = after
        elif ends[index] < 0:
            ends[index] = next_closing.get(name, -1)
    return ends


def _patterns() -> "dict[str, Pattern[str]]":
    return regexes.group("redact_markup", _SOURCES)


def _markup(text: str, heed_code: bool) -> "Pattern[str]":
    return _patterns()["code_or_tag" if heed_code and ("`" in text or "~~~" in text) else "tag"]


def _cut_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without the spans, given in order. What stood apart stays apart: no removal makes a new tag."""
    if not spans:
        return text
    pieces: list[str] = []
    reached = 0
    for start, end in (*spans, (len(text), len(text))):
        piece = text[reached:start]
        if piece and pieces:
            piece = _joint(pieces, piece)
        elif piece and reached:
            piece = piece.lstrip()
        if piece:
            pieces.append(piece)
        reached = max(reached, end)
    kept = "".join(pieces)
    return kept if text[max(end for _, end in spans) :].strip() else kept.rstrip()


def _joint(pieces: list[str], right: str) -> str:
    """What to append for `right`, so that the gap before it leaves one blank, line end or empty line, not two."""
    left = pieces[-1]
    left_blanks = left[len(left.rstrip()) :]
    right_blanks = right[: len(right) - len(right.lstrip())]
    if not left_blanks or not right_blanks:
        return right if left_blanks or right_blanks else " " + right
    if left_blanks.count("\n") >= right_blanks.count("\n"):
        return right[max(1, right_blanks.rfind("\n") + 1) :]
    pieces[-1] = left.rstrip()
    if not pieces[-1]:
        pieces.pop()
    return right
