"""What Stage 2 has cost: an append-only ledger of its calls, and the sums that `awhm status` shows.

Each call is noted before it is made ("begin") and after ("end"), so that one that was cut short counts as well. The
ledger also says when a session may be asked about again: failures wait longer each time, three of them are enough.
"""

import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from awhm_hooks.consolidate.llm import Usage
from awhm_hooks.files import write_whole
from awhm_hooks.paths import Paths

FILE = "stage2_usage.jsonl"
MAX_TRIES = 3
BACK_OFF_S = (600.0, 3_600.0)
INTERRUPTED = "the call was cut short"
MAX_BYTES = 1_000_000
_KEPT_S = 40 * 86_400.0

Line = dict[str, Any]


@dataclass
class Sum:
    """Calls, and what they used. `unpriced` calls are those of a client that tells no cost."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    failed: int = 0
    admitted: int = 0

    def add(self, line: Line) -> None:
        self.calls += int(line.get("calls", 1))
        self.input_tokens += int(line.get("input_tokens", 0))
        self.output_tokens += int(line.get("output_tokens", 0))
        self.cost_usd += float(line.get("cost_usd") or 0.0)
        self.unpriced += int(line.get("unpriced", 0))
        self.failed += int(line.get("failed", 1 if line.get("error") else 0))
        self.admitted += int(line.get("admitted", 0))


@dataclass
class Spending:
    """The ledger in sums: this local day, and all of it. `refused` counts proposals by the reason."""

    today: Sum = field(default_factory=Sum)
    total: Sum = field(default_factory=Sum)
    refused: dict[str, int] = field(default_factory=dict)
    last_call_at: float | None = None
    last_model: str = ""
    last_error: str | None = None
    last_error_at: float | None = None
    billed_to: str = ""
    """The variable whose API key paid for the last call, "" for a login."""


class Ledger:
    """`meta/stage2_usage.jsonl`. Written by the one process that holds Stage 2's lock."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._file = f"{paths.meta}/{FILE}"

    def begin(self, session: str, client: str, model: str, now: float, messages: int, billed_to: str = "") -> str:
        """Note that a call is about to be made; its id. Raises OSError."""
        call = uuid.uuid4().hex[:16]
        line = {"k": "begin", "call": call, "at": round(now, 3), "session": session, "client": client, "model": model}
        self._append({**line, "messages": messages, **({"billed_to": billed_to} if billed_to else {})})
        return call

    def end(
        self,
        call: str,
        session: str,
        now: float,
        usage: Usage | None,
        error: str = "",
        admitted: int = 0,
        refused: dict[str, int] | None = None,
    ) -> None:
        """Note what came of a call. Raises OSError."""
        used = usage or Usage()
        line: Line = {
            "k": "end",
            "call": call,
            "at": round(now, 3),
            "session": session,
            "model": used.model,
            "input_tokens": used.input_tokens,
            "output_tokens": used.output_tokens,
            "cost_usd": used.cost_usd,
            "admitted": admitted,
            "refused": refused or {},
        }
        self._append({**line, **({"error": error} if error else {})})

    def note_error(self, error: str, now: float) -> None:
        """Note why no call could be made; said once while it lasts. Raises OSError."""
        lines = self.lines()
        if not (lines and lines[-1].get("k") == "error" and lines[-1].get("error") == error):
            self._append({"k": "error", "at": round(now, 3), "error": error})

    def lines(self) -> list[Line]:
        """Every line, oldest first; a torn or damaged one is passed over."""
        try:
            with open(self._file, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return []
        return [line for raw in data.split(b"\n") if (line := _parse(raw)) is not None]

    def _append(self, line: Line) -> None:
        fd = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, (json.dumps(line, separators=(",", ":")) + "\n").encode("ascii"))
        finally:
            os.close(fd)

    def compact(self, now: float) -> None:
        """Fold old lines of a ledger that has grown long into one sum. Raises OSError."""
        try:
            if os.stat(self._file).st_size <= MAX_BYTES:
                return
        except FileNotFoundError:
            return
        lines = self.lines()
        recent = [line for line in lines if float(line.get("at", 0.0)) > now - _KEPT_S]
        old = summary([line for line in lines if line not in recent], now)
        folded = {"k": "sum", "at": 0.0, **vars(old.total), "refused": old.refused}
        body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [folded, *recent])
        write_whole(self._file, body.encode("ascii"))


def _parse(raw: bytes) -> Line | None:
    try:
        line = json.loads(raw) if raw.strip() else None
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def summary(lines: Iterable[Line], now: float) -> Spending:
    """The sums of a ledger's lines; a call without an end counts as a call."""
    found = Spending()
    refused: Counter[str] = Counter()
    open_calls: dict[str, Line] = {}
    for line in lines:
        kind = line.get("k")
        if kind == "begin":
            open_calls[str(line.get("call"))] = line
            found.billed_to = str(line.get("billed_to", ""))
            found.last_call_at = float(line.get("at", 0.0))
        elif kind in ("end", "sum"):
            open_calls.pop(str(line.get("call")), None)
            _take(found, line, now)
            refused.update({str(reason): int(count) for reason, count in (line.get("refused") or {}).items()})
            found.last_model = str(line.get("model") or found.last_model)
        if line.get("error"):
            found.last_error, found.last_error_at = str(line["error"]), float(line.get("at", 0.0))
    for line in open_calls.values():
        _take(found, {"at": line.get("at"), "error": INTERRUPTED}, now)
    found.refused = dict(sorted(refused.items()))
    return found


def _take(found: Spending, line: Line, now: float) -> None:
    if line.get("k") == "end" and line.get("cost_usd") is None and not line.get("error"):
        line = {**line, "unpriced": 1}
    found.total.add(line)
    if day(float(line.get("at") or 0.0)) == day(now):
        found.today.add(line)


def day(at: float) -> str:
    """The local day."""
    return time.strftime("%Y-%m-%d", time.localtime(at))


def calls_of_day(lines: Iterable[Line], now: float) -> int:
    """How many calls were begun on this local day."""
    return sum(1 for line in lines if line.get("k") == "begin" and day(float(line.get("at", 0.0))) == day(now))


@dataclass
class Failures:
    """A session's failed calls since the last that succeeded: how many, when last, and on how many messages."""

    tries: int = 0
    at: float = 0.0
    messages: int = 0

    def may_try(self, now: float, messages: int) -> bool:
        """Whether it is time for another call. What was said since is something new to ask about."""
        if not self.tries or messages > self.messages:
            return True
        return not self.has_given_up() and now >= self.at + BACK_OFF_S[min(self.tries, len(BACK_OFF_S)) - 1]

    def has_given_up(self) -> bool:
        return self.tries >= MAX_TRIES


def failures(lines: Iterable[Line]) -> dict[str, Failures]:
    """The sessions whose last calls failed. A call that was begun and never ended failed too."""
    found: dict[str, Failures] = {}
    begun: dict[str, Line] = {}
    for line in lines:
        session = str(line.get("session", ""))
        if line.get("k") == "begin":
            _fail(found, begun.pop(session, None))
            begun[session] = line
        elif line.get("k") == "end":
            begin = begun.pop(session, None)
            if line.get("error"):
                _fail(found, {**(begin or {}), **line})
            else:
                found.pop(session, None)
    for line in begun.values():
        _fail(found, line)
    return found


def _fail(found: dict[str, Failures], line: Line | None) -> None:
    if line is None:
        return
    before = found.get(str(line["session"]), Failures())
    messages = int(line.get("messages", 0))
    tries = before.tries + 1 if messages <= before.messages or not before.tries else 1
    found[str(line["session"])] = Failures(tries, float(line.get("at", 0.0)), messages)
