"""Feeding recorded payloads to the real hook processes, and seeing what each did."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from awhm_hooks import config as configuration
from awhm_hooks.consolidate import worker
from awhm_hooks.errors import AwhmError
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage.hook_block import EVENTS, hook_settings
from awhm_hooks.paths import Paths

_HOOK_TIMEOUT_S = 60.0
_WORKER_WAIT_S = 120.0


@dataclass
class Step:
    """What one event did. `seconds` is the hook's whole process; `reply` is what the model was told, or ""."""

    event: str
    session: str
    seconds: float
    exit_code: int
    said: str = ""
    logged: list[dict[str, str]] = field(default_factory=list)
    captured: list[dict[str, str | None]] = field(default_factory=list)
    reply: str = ""
    consolidated: dict[str, int] = field(default_factory=dict)
    error: str = ""


def payloads(path: str) -> Iterator[dict[str, object]]:
    """The payloads of a file: one JSON object, an array of them, or one a line. Raises AwhmError naming the place."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise AwhmError(f"{path}: {reason}") from None
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _lines(path, text)
        return
    for value in whole if isinstance(whole, list) else [whole]:
        yield _checked(path, 1, value)


def _lines(path: str, text: str) -> Iterator[dict[str, object]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield _checked(path, number, json.loads(line))
            except ValueError as problem:
                raise AwhmError(f"{path}:{number}: {problem}; a payload is one JSON object a line") from None


def _checked(path: str, number: int, value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not isinstance(value.get("hook_event_name"), str):
        raise AwhmError(f"{path}:{number}: no payload: it needs a JSON object with hook_event_name")
    return value


class Replayer:
    """Runs hooks as installed, against one data directory."""

    def __init__(self, paths: Paths, environ: dict[str, str]) -> None:
        self._paths = paths
        unwanted = ("CLAUDE_PROJECT_DIR", "AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2", "AWHM_STAGE2")
        self._environ = {name: value for name, value in environ.items() if name not in unwanted}
        self._environ["AWHM_DATA_DIR"] = paths.data_dir
        self._commands = {
            event: [handler["command"], *handler["args"]]
            for event, groups in hook_settings()["hooks"].items()
            for handler in groups[0]["hooks"]
        }

    def step(self, payload: dict[str, object]) -> Step:
        """Give one payload to its hook. An event that has no hook of ours is passed over."""
        event = str(payload["hook_event_name"])
        session = str(payload.get("session_id") or "")
        if event not in EVENTS:
            return Step(event, session, 0.0, 0, error="no hook of ours for this event")
        log, log_before = self._log(session)
        wal_before = len(wal.read_all(self._paths.wal_file(f"claude-{session}")))
        started = time.perf_counter()
        done = subprocess.run(
            self._commands[event],
            input=json.dumps(payload).encode(),
            capture_output=True,
            env=self._environ,
            timeout=_HOOK_TIMEOUT_S,
            check=False,
        )
        step = Step(event, session, time.perf_counter() - started, done.returncode)
        step.said = str(payload.get("prompt") or payload.get("last_assistant_message") or "")
        step.error = done.stderr.decode("utf-8", "replace").strip()
        step.reply = _context(done.stdout)
        step.logged = [
            {"role": record.role or record.kind, "text": record.text} for record in raw_log.read(log, log_before)
        ]
        for record in wal.read_all(self._paths.wal_file(f"claude-{session}"))[wal_before:]:
            step.captured += [
                {"family": said["family"], "text": said["text"], "key": said["key"]} for said in record.get("said", ())
            ]
        if event == "SessionEnd":
            step.consolidated = self._finish()
        return step

    def _log(self, session: str) -> tuple[str, int]:
        path = self._paths.log_file(f"claude-{session}")
        return path, os.path.getsize(path) if os.path.exists(path) else 0

    def _finish(self) -> dict[str, int]:
        """Wait for the detached worker's work, by doing what it has not begun."""
        config = configuration.load(self._paths, self._environ)
        return worker.run(self._paths, config, _WORKER_WAIT_S).counts


def _context(stdout: bytes) -> str:
    if not stdout.strip():
        return ""
    return str(json.loads(stdout)["hookSpecificOutput"]["additionalContext"])
