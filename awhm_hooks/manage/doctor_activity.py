"""The doctor on what happened of late: the last event of each hook, sessions that wait, errors, and silence."""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate.attempts import MAX_ATTEMPTS
from awhm_hooks.journal import optout, raw_log
from awhm_hooks.manage.doctor_finding import Finding, broken, command, listed, names_in, note, warning
from awhm_hooks.paths import Paths, decode_name

HOOKS = ("prompt", "stop", "session-start", "session-end")
STALE_DAYS = 7.0
_DAY_S = 86_400.0
_TAIL_BYTES = 65_536
_HEAD_BYTES = 65_536
_NEWEST_TRANSCRIPTS = 20
_BEHIND_S = _DAY_S
_RECENT_S = 7 * _DAY_S
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')
_CONSOLIDATE = "awhm consolidate"
_BY_WORDS_ALONE = "recalls by words alone"


@dataclass
class Activity:
    """`last` maps each hook to the epoch seconds of its newest record, or None. `pending` are sessions that wait."""

    last: dict[str, float | None]
    sessions: int = 0
    pending: list[str] = field(default_factory=list)
    last_error: str | None = None
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class _Log:
    path: str
    session: str
    size: int
    written_at: float


def examine(
    paths: Paths,
    config: AWHMConfig,
    consumed: Mapping[str, int],
    hooks_since: float | None,
    config_dir: str,
    now: float,
    is_model_ready: bool,
) -> Activity:
    """What the logs and the error log tell. `hooks_since` is None where no hook is registered. Raises OSError."""
    logs = _logs(paths)
    found = Activity(last_events(logs), len(logs), last_error=error_log.last(paths))
    waiting = [one for one in logs if _is_pending(one, consumed.get(one.session, 0))]
    found.pending = [one.session for one in waiting]
    found.findings.extend(_of_waiting(paths, waiting, now))
    found.findings.extend(_of_errors(paths, now, is_model_ready))
    pauses = optout.pauses(paths)
    if hooks_since is not None and config.enabled and not any(pause.end > now for pause in pauses):
        resumed_at = max((pause.end for pause in pauses), default=0.0)
        found.findings.extend(_of_silence(config, found.last, hooks_since, resumed_at, config_dir, now))
    return found


def _logs(paths: Paths) -> list[_Log]:
    """Every raw log, the one written last first."""
    found = []
    for name in names_in(paths.logs):
        path = f"{paths.logs}/{name}"
        if name.endswith(".jsonl") and os.path.isfile(path):
            state = os.stat(path)
            found.append(_Log(path, decode_name(name.removesuffix(".jsonl")), state.st_size, state.st_mtime))
    return sorted(found, key=lambda one: one.written_at, reverse=True)


def last_events(logs: list[_Log]) -> dict[str, float | None]:
    """When each hook last wrote something, from the ends of the logs; what was imported is no hook's."""
    newest: dict[str, float] = {}
    for log in logs:
        if not log.session.startswith(raw_log.CLIENT_PREFIX):
            continue
        if len(newest) == len(HOOKS) and log.written_at < min(newest.values()):
            break
        for hook, at in _last_in(log.path).items():
            newest[hook] = max(at, newest.get(hook, 0.0))
    return {hook: newest.get(hook) for hook in HOOKS}


def _last_in(path: str) -> dict[str, float]:
    found: dict[str, float] = {}
    with open(path, "rb") as file:
        begin = max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES)
        file.seek(begin)
        lines = file.read().split(b"\n")
    for line in reversed(lines[1:] if begin else lines):
        if len(found) == len(HOOKS):
            break
        if line and b'"uuid":' not in line and b'"imported_at":' not in line:
            hook, at = _event(line)
            if hook:
                found.setdefault(hook, at)
    return found


def _event(line: bytes) -> tuple[str, float]:
    try:
        fields = json.loads(line)
        kind, at = fields.get("kind"), float(fields.get("at", 0.0))
    except (ValueError, AttributeError, TypeError):
        return "", 0.0
    if kind == "message" and fields.get("prompt_id") is not None:
        return "prompt" if fields.get("role") == raw_log.USER else "stop", at
    return {raw_log.START: "session-start", raw_log.END: "session-end"}.get(kind, ""), at


# Sessions that wait.


def _is_pending(log: _Log, consumed: int) -> bool:
    return log.size > consumed and raw_log.whole_bytes(log.path, consumed) > consumed


def _of_waiting(paths: Paths, waiting: list[_Log], now: float) -> Iterator[Finding]:
    failing = _failing(paths)
    if failing:
        message = f"consolidation was begun {MAX_ATTEMPTS} times and did not end for {listed(failing)}"
        yield warning("session-fails", message, _CONSOLIDATE)
    behind = [one.session for one in waiting if now - one.written_at > _BEHIND_S and one.session not in failing]
    if behind:
        message = f"{len(behind)} sessions have waited for consolidation for more than a day: {listed(behind)}"
        yield warning("consolidation-behind", message, _CONSOLIDATE)


def _failing(paths: Paths) -> list[str]:
    try:
        with open(f"{paths.meta}/attempts.json", encoding="utf-8") as file:
            begun = json.load(file)
        return sorted(session for session, row in begun.items() if int(row[0]) >= MAX_ATTEMPTS)
    except (OSError, ValueError, AttributeError, TypeError, IndexError):
        return []


# Errors.


def _of_errors(paths: Paths, now: float, is_model_ready: bool) -> Iterator[Finding]:
    """The newest line about the worker, and about the hooks, of the last days."""
    seen: set[str] = set()
    for line in reversed(_error_lines(paths)):
        at, where = _stamp(line)
        kind = "worker-error" if where == "worker" else "hook-error" if where in HOOKS else ""
        if at is None or now - at > _RECENT_S or len(seen) == 2:
            return
        if not kind or kind in seen or (is_model_ready and _BY_WORDS_ALONE in line):
            continue
        seen.add(kind)
        fix = _CONSOLIDATE if kind == "worker-error" else command("tail", "-n", "5", paths.error_log)
        yield warning(kind, line, "awhm model prepare" if _BY_WORDS_ALONE in line else fix)


def _error_lines(paths: Paths) -> list[str]:
    try:
        with open(paths.error_log, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def _stamp(line: str) -> tuple[float | None, str]:
    """(when, the first word of where) of a line of the error log."""
    words = line.split(" ", 2)
    try:
        return time.mktime(time.strptime(words[0][:19], "%Y-%m-%dT%H:%M:%S")), words[1]
    except (ValueError, IndexError, OverflowError):
        return None, ""


# Silence: hooks that are registered and say nothing.


def _of_silence(
    config: AWHMConfig,
    last: Mapping[str, float | None],
    since: float,
    resumed_at: float,
    config_dir: str,
    now: float,
) -> Iterator[Finding]:
    heard = max((at for at in last.values() if at is not None), default=None)
    reference = max(since if heard is None else heard, resumed_at)
    used = _used_since(config, config_dir, reference + config.session_idle_hours * 3600)
    days = (now - reference) / _DAY_S
    if used.at is not None:
        message = (
            f"the hooks are registered and have logged nothing for {days:.0f} days, while Claude Code was used"
            f" ({used.path}); they run only in folders that you trust, and not with --bare or --safe-mode"
        )
        yield broken("no-capture", message, "awhm hook install")
    elif heard is not None and days > STALE_DAYS and not used.any:
        message = f"the last prompt was logged {days:.0f} days ago, and no transcript tells whether there was any since"
        yield broken("no-capture", message, "awhm hook install")
    elif heard is None:
        yield note("nothing-captured-yet", "the hooks are registered and have logged nothing yet")


@dataclass(frozen=True)
class _Used:
    """The newest transcript of a session that hooks should have heard; `any` says that there are transcripts at all."""

    any: bool
    at: float | None = None
    path: str = ""


def _used_since(config: AWHMConfig, config_dir: str, moment: float) -> _Used:
    """Whether Claude Code was used after a moment, in a directory where memory is not opted out."""
    newest = sorted(_transcripts(config_dir), reverse=True)
    for at, path in newest[:_NEWEST_TRANSCRIPTS]:
        if at <= moment:
            break
        cwd = _cwd_of(path)
        if cwd and optout.opted_out(config, optout.places([cwd])) is None:
            return _Used(True, at, path)
    return _Used(bool(newest))


def _transcripts(config_dir: str) -> Iterator[tuple[float, str]]:
    projects = os.path.join(config_dir, "projects")
    for folder in names_in(projects):
        for name in names_in(os.path.join(projects, folder)):
            if name.endswith(".jsonl"):
                path = os.path.join(projects, folder, name)
                try:
                    yield os.stat(path).st_mtime, path
                except FileNotFoundError:
                    continue


def _cwd_of(path: str) -> str:
    """Where a transcript's session stood, "" where it does not tell."""
    try:
        with open(path, "rb") as file:
            found = _CWD.search(file.read(_HEAD_BYTES))
        return str(json.loads(found[1])) if found else ""
    except (OSError, ValueError):
        return ""
