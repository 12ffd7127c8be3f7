"""Drive the real Claude Code client, offline: a private home, one project, the API on loopback.

`Machine.ask` is one `claude -p` process, `Machine.converse` one process with several turns, `Machine.terminal` an
interactive session in a pseudo-terminal.
"""

import fcntl
import json
import os
import pty
import queue
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.fake_api import FakeAPI, Request

FAKE_KEY = "sk-ant-fake-key"
CONTEXT_MARK = "UserPromptSubmit hook additional context: "
CLIENT_TIMEOUT_S = 60
ESCAPE_CODES = re.compile(r"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b.")
PROMPT_SIGN = "❯"
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class ClientStuckError(AssertionError):
    """The client did not do in time what the test waited for."""


def strings(value: Any) -> Iterator[str]:
    """Every string inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def injected(request: Request) -> list[str]:
    """What UserPromptSubmit hooks added to the conversation this request carries, oldest first.

    The client joins its reminders with blank lines and sends old ones again on every turn.
    """
    found = []
    for text in strings(request.body.get("messages")):
        for part in text.split(CONTEXT_MARK)[1:]:
            found.append(part.split("\n\n")[0].removesuffix("\n</system-reminder>"))
    return found


def wait_until(condition: Callable[[], Any], what: str, timeout_s: float = 20, every_s: float = 0.05) -> Any:
    """What the condition returned once it was true; ClientStuckError names `what` otherwise."""
    end = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise ClientStuckError(f"waited {timeout_s} s for {what}")
        time.sleep(every_s)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL for the client and what shares its group: hooks are groups of their own and outlive it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@dataclass
class Turn:
    """One ended client process."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float


class Terminal:
    """An interactive session; `screen` is all it has written so far without escape codes."""

    def __init__(self, argv: list[str], cwd: str, env: dict[str, str], api: FakeAPI) -> None:
        self.api = api
        self.started = self.last_output = time.monotonic()
        self.raw = b""
        self.fd, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 140, 0, 0))

        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", OWN_TERMINAL, *argv],
            cwd=cwd,
            env=env,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.pump = threading.Thread(target=self.read_output, daemon=True)
        self.pump.start()

    def __enter__(self) -> "Terminal":
        self.wait_for(lambda: PROMPT_SIGN in self.screen, "the input line")
        self.wait_quiet()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            kill_group(self.process)
        self.process.wait()
        self.pump.join(5)
        os.close(self.fd)

    def read_output(self) -> None:
        while True:
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # the other side is closed: the client has ended
                return
            if not data:
                return
            self.raw += data
            self.last_output = time.monotonic()

    @property
    def screen(self) -> str:
        return ESCAPE_CODES.sub("", self.raw.decode("utf-8", "replace"))

    def wait_for(self, condition: Callable[[], Any], what: str, timeout_s: float = 20) -> None:
        try:
            wait_until(lambda: condition() or self.process.poll() is not None, what, timeout_s)
        except ClientStuckError as stuck:
            raise ClientStuckError(f"{stuck}; the screen's end:\n{self.screen[-1500:]}") from None

    def wait_quiet(self, quiet_s: float = 0.5) -> None:
        """Until nothing was drawn for a while: keys sent while the client starts or redraws can be lost."""
        self.wait_for(lambda: time.monotonic() - self.last_output > quiet_s, "a quiet screen")

    def keys(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def submit(self, line: str) -> None:
        """Type a line, then Enter on its own, or it would count as pasted."""
        self.keys(line)
        time.sleep(0.3)
        self.keys("\r")

    def say(self, prompt: str) -> None:
        """Submit a prompt and wait until it was answered and its hooks are done."""
        before = len(self.api.turns())
        self.submit(prompt)
        self.wait_for(
            lambda: any(turn.last_user.endswith(prompt) for turn in self.api.turns()[before:]),
            f"the request for {prompt!r}",
        )
        self.wait_quiet()

    def leave(self, timeout_s: float = 20) -> Turn:
        self.submit("/exit")
        self.wait_for(lambda: self.process.poll() is not None, "the end of the client", timeout_s)
        return Turn(self.process.wait(), self.screen, "", time.monotonic() - self.started)


class Machine:
    """A private home and a project, with these hooks in the user's settings."""

    def __init__(self, binary: str, root: Path, api: FakeAPI, data_dir: Path) -> None:
        self.binary, self.api, self.data_dir = binary, api, data_dir
        self.home, self.project = root / "home", root / "project"
        self.extra_env: dict[str, str] = {}
        self.project.mkdir(parents=True)
        (self.home / "tmp").mkdir(parents=True)
        (self.home / ".claude").mkdir()
        answered = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 3,
            "customApiKeyResponses": {"approved": [FAKE_KEY[-20:]], "rejected": []},
            "projects": {str(self.project.resolve()): {"hasTrustDialogAccepted": True}},
        }
        (self.home / ".claude.json").write_text(json.dumps(answered), "utf-8")

    def install_hooks(self, settings: dict[str, Any]) -> None:
        (self.home / ".claude" / "settings.json").write_text(json.dumps(settings), "utf-8")

    def env(self) -> dict[str, str]:
        """The client's whole environment: of the caller's only PATH and the locale."""
        tmp = str(self.home / "tmp")
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": str(self.home),
            "TMPDIR": tmp,
            "CLAUDE_CODE_TMPDIR": tmp,
            "TERM": "xterm-256color",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.api.port}",
            "ANTHROPIC_API_KEY": FAKE_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "NO_PROXY": "127.0.0.1,localhost",
            "AWHM_DATA_DIR": str(self.data_dir),
            **self.extra_env,
        }

    def start(self, *args: str, **pipes: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([self.binary, *args], cwd=self.project, env=self.env(), start_new_session=True, **pipes)

    def ask(self, prompt: str, *args: str, timeout_s: float = CLIENT_TIMEOUT_S) -> Turn:
        """One `claude -p` with the prompt on stdin."""
        started = time.monotonic()
        process = self.start("-p", *args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(prompt.encode(), timeout_s)
        except subprocess.TimeoutExpired:
            kill_group(process)
            out, err = process.communicate()
            raise ClientStuckError(f"claude -p took over {timeout_s} s:\n{err.decode('utf-8', 'replace')}") from None
        seconds = time.monotonic() - started
        return Turn(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), seconds)

    def converse(self, prompts: list[str], *args: str) -> Turn:
        """One process, a turn a prompt, each said once the one before was answered."""
        with Conversation(self, *args) as conversation:
            for prompt in prompts:
                conversation.say(prompt)
            return conversation.leave()

    def terminal(self, *args: str) -> Terminal:
        return Terminal([self.binary, *args], str(self.project), self.env(), self.api)

    def transcript(self, session_id: str) -> Path:
        found = list((self.home / ".claude" / "projects").glob(f"*/{session_id}.jsonl"))
        assert len(found) == 1, f"transcripts of {session_id}: {found}"
        return found[0]


class Conversation:
    """A `claude -p` fed turn by turn (stream-json), so that a test can act between two turns."""

    def __init__(self, machine: Machine, *args: str) -> None:
        self.started = time.monotonic()
        self.errors = machine.home / "conversation.stderr"
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        with self.errors.open("wb") as errors:
            self.process = machine.start(
                "-p", *args, *streams, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.seen: list[str] = []
        threading.Thread(target=self.read_output, daemon=True).start()

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            kill_group(self.process)
        self.process.wait()

    def read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace"))
        self.lines.put(None)

    def next_line(self) -> str | None:
        try:
            line = self.lines.get(timeout=CLIENT_TIMEOUT_S)
        except queue.Empty:
            raise ClientStuckError(f"no answer; stderr:\n{self.errors.read_text('utf-8', 'replace')}") from None
        if line is not None:
            self.seen.append(line)
        return line

    def send(self, prompt: str) -> None:
        assert self.process.stdin is not None
        message = {"role": "user", "content": [{"type": "text", "text": prompt}]}
        self.process.stdin.write(json.dumps({"type": "user", "message": message}).encode() + b"\n")
        self.process.stdin.flush()

    def say(self, prompt: str) -> None:
        """Send a prompt and wait for its result."""
        self.send(prompt)
        while (line := self.next_line()) is not None:
            if line.startswith("{") and json.loads(line).get("type") == "result":
                return
        raise ClientStuckError(f"ended without a result; stderr:\n{self.errors.read_text('utf-8', 'replace')}")

    def leave(self) -> Turn:
        assert self.process.stdin is not None
        self.process.stdin.close()
        while self.next_line() is not None:
            pass
        code = self.process.wait()
        errors = self.errors.read_text("utf-8", "replace")
        return Turn(code, "".join(self.seen), errors, time.monotonic() - self.started)
