"""Claude Code's transcript files: the messages of people and model in them, and nothing else.

What counts is taken from the line types of the client (2.1.332): a human prompt is a `user` line with text, no tool
result, no `isMeta`, no `isCompactSummary`, of human or SDK origin; a reply's text blocks are `assistant` lines. All
other types, and whatever a later client adds, are passed over.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from awhm_hooks.journal import redact
from awhm_hooks.journal.raw_log import ASSISTANT, USER

_MACHINE_ORIGINS = ("task-notification", "task_notification", "system", "harness")


@dataclass(frozen=True)
class Line:
    """One message of a transcript. `at` is epoch seconds; `text` is redacted already."""

    uuid: str
    role: str
    text: str
    at: float
    prompt_id: str
    cwd: str
    session: str


@dataclass(frozen=True)
class BadLine:
    """A line that is no record: its number from 1 on, and what is wrong with it."""

    number: int
    reason: str


def read(path: str) -> Iterator[Line | BadLine]:
    """The messages of a transcript in the file's order; a missing file has none. Raises OSError."""
    if not os.path.exists(path):
        return
    prompt_id = ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            try:
                fields = json.loads(raw)
            except (ValueError, RecursionError) as problem:
                yield BadLine(number, str(problem))
                continue
            if not isinstance(fields, dict):
                yield BadLine(number, "not a JSON object")
                continue
            line = _message(fields, prompt_id)
            if line is not None:
                prompt_id = line.prompt_id if line.role == USER else prompt_id
                yield line


def _message(fields: dict[str, object], last_prompt_id: str) -> Line | None:
    role = fields.get("type")
    if role not in (USER, ASSISTANT) or fields.get("isSidechain") is True:
        return None
    at = moment(fields.get("timestamp"))
    raw = _prompt_text(fields) if role == USER else _reply_text(fields)
    if at is None or not raw.strip() or (role == USER and redact.is_machine_prompt(raw)):
        return None
    text = redact.clean(raw).strip()
    if not text:
        return None
    prompt_id = _string(fields, "promptId") or ("" if role == USER else last_prompt_id)
    return Line(
        _string(fields, "uuid"), str(role), text, at, prompt_id, _string(fields, "cwd"), _string(fields, "sessionId")
    )


def _prompt_text(fields: dict[str, object]) -> str:
    """What a person typed, or ""."""
    if any(fields.get(name) for name in ("toolUseResult", "isMeta", "isCompactSummary", "repeatsCompactSummary")):
        return ""
    origin = fields.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if kind in _MACHINE_ORIGINS or fields.get("turnOrigin") in _MACHINE_ORIGINS:
        return ""
    content = _content(fields)
    if isinstance(content, str):
        return content
    if any(block.get("type") == "tool_result" for block in content):
        return ""
    return _joined_text(content)


def _reply_text(fields: dict[str, object]) -> str:
    """The text blocks of a reply's line, or "" for an error that the client made up."""
    if fields.get("isApiErrorMessage"):
        return ""
    content = _content(fields)
    return content if isinstance(content, str) else _joined_text(content)


def _content(fields: dict[str, object]) -> str | list[dict[str, object]]:
    message = fields.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _joined_text(blocks: list[dict[str, object]]) -> str:
    return "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")


def _string(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def moment(stamp: object) -> float | None:
    """An ISO 8601 time with a zone as epoch seconds; None for anything else."""
    if not isinstance(stamp, str):
        return None
    try:
        parsed = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return parsed.timestamp() if parsed.tzinfo is not None else None
