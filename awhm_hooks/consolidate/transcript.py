"""Claude Code's transcript files: the messages of people and model in them, and nothing else.

What counts is taken from the line types of the client (1.0.55 to 2.1.332): a human prompt is a `user` line with text,
no tool result, no `isMeta`, no `isCompactSummary`, of human or SDK origin; a reply's text blocks are `assistant` lines.
A subagent's lines (`isSidechain`; older clients wrote them into the session's own file) and all other types, and
whatever a later client adds, are passed over.
"""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from awhm_hooks.journal import raw_log, redact
from awhm_hooks.journal.raw_log import ASSISTANT, USER

_MACHINE_ORIGINS = ("task-notification", "task_notification", "system", "harness")
_NOT_TYPED = ("toolUseResult", "isMeta", "isCompactSummary", "repeatsCompactSummary")


@dataclass(frozen=True)
class Line:
    """One message of a transcript. `at` is epoch seconds; `text` is redacted already.

    `is_dated` says that the time is the line's own and not that of the line before it, or of the first that has one.
    """

    uuid: str
    role: str
    text: str
    at: float
    prompt_id: str
    cwd: str
    session: str
    is_dated: bool = True


@dataclass(frozen=True)
class BadLine:
    """A line that is no record: its number from 1 on, and what is wrong with it."""

    number: int
    reason: str


def read(path: str) -> Iterator[Line | BadLine]:
    """The messages of a transcript in the file's order; a missing file has none. Raises OSError."""
    if not os.path.exists(path):
        return
    reading = _Reading()
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip() and not _is_of_no_interest(raw):
                yield from reading.take(number, raw)
    yield from reading.left_undated()


def _is_of_no_interest(raw: str) -> bool:
    """A whole line of another type: three of four in a file, and some hold megabytes; parsing them would cost most."""
    return '"user"' not in raw and '"assistant"' not in raw and '"type"' in raw and raw.rstrip().endswith("}")


@dataclass
class _Reading:
    """What the lines of a file so far say about the next: the time, and which prompt is being answered."""

    at: float | None = None
    prompt_id: str = ""
    undated: list[tuple[int, Line]] = field(default_factory=list)

    def take(self, number: int, raw: str) -> Iterator[Line | BadLine]:
        """What a line holds: nothing, a message (and those that waited for its time), or that it is none."""
        fields = _parsed(number, raw)
        if isinstance(fields, BadLine):
            yield fields
            return
        at = moment(fields.get("timestamp"))
        if at is not None and self.at is None:
            yield from (replace(line, at=at) for _, line in self.undated)
            self.undated.clear()
        self.at = self.at if at is None else at
        line = _message(number, fields, self.at or 0.0, at is not None, self.prompt_id)
        if isinstance(line, BadLine):
            yield line
        elif line is not None:
            self.prompt_id = line.prompt_id if line.role == USER else self.prompt_id
            if self.at is None:
                self.undated.append((number, line))
            else:
                yield line

    def left_undated(self) -> Iterator[BadLine]:
        """The messages of a file without a single time: a file's own date says when it was copied, not more."""
        for number, _ in self.undated:
            yield BadLine(number, "no timestamp, and no other line of the file has one")


def _parsed(number: int, raw: str) -> dict[str, object] | BadLine:
    try:
        fields = json.loads(raw)
    except json.JSONDecodeError as problem:
        cut = "" if raw.endswith("\n") else "cut off, "
        return BadLine(number, f"{cut}no JSON: {problem.msg} at column {problem.colno}")
    except (ValueError, RecursionError) as problem:
        return BadLine(number, f"no JSON: {problem}")
    if not isinstance(fields, dict):
        return BadLine(number, "not a JSON object")
    if not isinstance(fields.get("type"), str):
        return BadLine(number, "no type")
    return fields


def _message(
    number: int, fields: dict[str, object], at: float, is_dated: bool, last_prompt_id: str
) -> Line | BadLine | None:
    role = fields["type"]
    if role not in (USER, ASSISTANT) or fields.get("isSidechain") is True:
        return None
    if _is_not_typed(fields) if role == USER else fields.get("isApiErrorMessage"):
        return None
    content = _content(fields)
    if content is None:
        return BadLine(number, f"a line of type {role} without a message")
    raw = content if isinstance(content, str) else _joined_text(content)
    if not raw.strip() or (role == USER and redact.is_machine_prompt(raw)):
        return None
    text = redact.clean(raw).strip()
    if not text:
        return None
    prompt_id = _string(fields, "promptId") or ("" if role == USER else last_prompt_id)
    uuid, cwd, session = (_string(fields, name) for name in ("uuid", "cwd", "sessionId"))
    return Line(uuid, str(role), text, at, prompt_id, cwd, session, is_dated)


def _is_not_typed(fields: dict[str, object]) -> bool:
    """A `user` line that no person wrote."""
    if any(fields.get(name) for name in _NOT_TYPED):
        return True
    origin = fields.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return kind in _MACHINE_ORIGINS or fields.get("turnOrigin") in _MACHINE_ORIGINS


def _content(fields: dict[str, object]) -> str | list[dict[str, object]] | None:
    """A message's text or blocks (plain strings among them count as text); None where there is no message."""
    message = fields.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    blocks: list[dict[str, object]] = []
    for block in content:
        if isinstance(block, dict):
            blocks.append(block)
        elif isinstance(block, str):
            blocks.append({"type": "text", "text": block})
    return blocks


def _joined_text(blocks: list[dict[str, object]]) -> str:
    """The text blocks; of what a tool answered, nothing."""
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def as_record(line: Line, project: str) -> dict[str, object]:
    """The raw log's record of a message, as a hook would have written it; its id is made of what does not change."""
    mark = raw_log.fingerprint(line.role, line.text)
    record: dict[str, object] = {
        "kind": "message",
        "role": line.role,
        "text": line.text,
        "at": round(line.at, 3),
        "utc_offset_s": time.localtime(line.at).tm_gmtoff,
        "prompt_id": line.prompt_id,
        "cwd": line.cwd,
        "uuid": line.uuid,
    }
    if line.role == USER and (redact.is_command(line.text) or redact.is_control(line.text)):
        record["quiet"] = True
    return {
        **record,
        "project": project,
        "id": f"u{line.uuid}:{mark}" if line.uuid else f"t{int(line.at * 1000)}:{mark}",
    }


def _string(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def moment(stamp: object) -> float | None:
    """An ISO 8601 time with a zone as epoch seconds; None for anything else, and for what no clock of ours shows."""
    if not isinstance(stamp, str):
        return None
    try:
        parsed = datetime.fromisoformat(stamp)
        at = parsed.timestamp() if parsed.tzinfo is not None else 0.0
    except (ValueError, OverflowError):
        return None
    return at if at > 0 else None
