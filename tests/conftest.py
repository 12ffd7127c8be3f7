"""Fixtures of all tests: real processes, a data directory and a home of their own, the real home guarded."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from awhm_hooks.files import is_locked

pytest_plugins = ["in_process"]

REAL_HOME = os.environ.get("AWHM_TEST_REAL_HOME") or os.path.expanduser("~")
"""An xdist worker starts with HOME set already; the process that started it says what it was."""
KEPT = ("AWHM_TEST_CLAUDE", "AWHM_TEST_REAL_HOME")
PROCESS_TIMEOUT_S = 120
WORKER_TIMEOUT_S = 90
POLL_S = 0.1


STATE_BEFORE: pytest.StashKey[dict[str, tuple[int, int]]] = pytest.StashKey()
TOUCHED: pytest.StashKey[list[str]] = pytest.StashKey()
SHARED_HOME: pytest.StashKey["tempfile.TemporaryDirectory[str]"] = pytest.StashKey()


# The real home. Every test and every process it starts gets HOME elsewhere; what a slip could still touch is compared
# at the end of the run, once, by the process that collects the results (with pytest-xdist the workers have no say).


def fingerprint(path: str) -> dict[str, tuple[int, int]]:
    """Size and time of change of the file, or of every file and folder below the folder; empty where none is."""
    found = {}
    places = [path]
    for folder, folders, files in os.walk(path):
        places += [os.path.join(folder, name) for name in folders + files]
    for place in places:
        try:
            state = os.lstat(place)
        except OSError:  # not there, or gone since it was listed
            continue
        found[place] = (0 if os.path.isdir(place) else state.st_size, state.st_mtime_ns)
    return found


def guarded_state() -> dict[str, tuple[int, int]]:
    """The memory of the person who runs the tests, and the settings that an install would write.

    The rest of ~/.claude belongs to a client that may well be running; only its creation would be ours.
    """
    claude = os.path.join(REAL_HOME, ".claude")
    state = fingerprint(os.path.join(REAL_HOME, ".awhm"))
    for name in ("settings.json", "settings.local.json"):
        state |= fingerprint(os.path.join(claude, name))
    if os.path.isdir(claude):
        state[claude] = (0, 0)
    return state


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.stash[STATE_BEFORE] = guarded_state()
        for name in [*os.environ]:
            if name.startswith(("AWHM_", "CLAUDE")) and name not in KEPT:
                del os.environ[name]
        config.stash[SHARED_HOME] = tempfile.TemporaryDirectory(prefix="awhm-tests-home-")
        os.environ["HOME"] = os.environ["USERPROFILE"] = config.stash[SHARED_HOME].name
        os.environ["AWHM_TEST_REAL_HOME"] = REAL_HOME
        # The first worker to need the model prepares it, for all data directories of the run.
        os.environ["AWHM_MODELS_DIR"] = os.path.join(config.stash[SHARED_HOME].name, "models")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    before = session.config.stash.get(STATE_BEFORE, None)
    if before is None:
        return
    after = guarded_state()
    touched = sorted(place for place in before.keys() | after.keys() if before.get(place) != after.get(place))
    session.config.stash[TOUCHED] = touched
    if touched:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    touched = config.stash.get(TOUCHED, [])
    if touched:
        terminalreporter.section("the real home was touched", red=True)
        terminalreporter.line("By a test, or by hooks installed for a client in use while the tests ran:")
        for place in touched[:20]:
            terminalreporter.line(f"  {place}")


def pytest_unconfigure(config: pytest.Config) -> None:
    if SHARED_HOME in config.stash:
        config.stash[SHARED_HOME].cleanup()
        os.environ["HOME"] = REAL_HOME


# Processes.


def clean_env(home: Path, data_dir: Path, extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """What a hook or a command is started with: nothing of the caller's but PATH and the locale.

    A value of None takes a variable out.
    """
    env: dict[str, str | None] = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "HOME": str(home),
        "USERPROFILE": str(home),
        "AWHM_DATA_DIR": str(data_dir),
        "AWHM_MODELS_DIR": os.environ["AWHM_MODELS_DIR"],
        **(extra or {}),
    }
    return {name: value for name, value in env.items() if value is not None}


def hook_command(event: str) -> list[str]:
    """The program and the arguments of one hook, exactly as the settings name them."""
    from awhm_hooks.manage.settings import hook_settings

    names = {
        "prompt": "UserPromptSubmit",
        "stop": "Stop",
        "session-start": "SessionStart",
        "session-end": "SessionEnd",
    }
    (group,) = hook_settings()["hooks"][names[event]]
    (entry,) = group["hooks"]
    return [entry["command"], *entry["args"]]


@dataclass
class HookRun:
    """What one hook process gave back."""

    returncode: int
    stdout: bytes
    stderr: bytes
    seconds: float

    @property
    def context(self) -> str:
        """The text that would reach the model, "" where the hook said nothing."""
        if not self.stdout:
            return ""
        output = json.loads(self.stdout)["hookSpecificOutput"]
        assert output["hookEventName"] == "UserPromptSubmit"
        return str(output["additionalContext"])


class Hooks:
    """Runs hooks as the client does: `hook("prompt", payload)`; `start` for several at once."""

    def __init__(self, home: Path, data_dir: Path) -> None:
        self.home, self.data_dir = home, data_dir

    def start(
        self, event: str, env: Mapping[str, str | None] | None = None, cwd: str | Path | None = None
    ) -> "subprocess.Popen[bytes]":
        """The running process, its stdin open; the caller sends the payload and waits."""
        return subprocess.Popen(
            hook_command(event),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_env(self.home, self.data_dir, env),
            cwd=cwd or self.home,
            start_new_session=True,
        )

    def __call__(
        self,
        event: str,
        payload: dict[str, Any] | bytes = b"",
        env: Mapping[str, str | None] | None = None,
        cwd: str | Path | None = None,
        timeout_s: float = PROCESS_TIMEOUT_S,
    ) -> HookRun:
        """A payload given as a dict goes in as the client writes it: one line, raw UTF-8; bytes go in as they are."""
        started = time.monotonic()
        with self.start(event, env, cwd) as process:
            try:
                out, err = process.communicate(wire(payload), timeout_s)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return HookRun(process.returncode, out, err, time.monotonic() - started)


def wire(payload: dict[str, Any] | bytes) -> bytes:
    if isinstance(payload, bytes):
        return payload
    line = json.dumps(payload, ensure_ascii=False, separators=(",", ":")) + "\n"
    return line.encode("utf-8", "surrogatepass")


class Awhm:
    """Runs the command line: `awhm("status", "--json")`; `json` gives the parsed answer of a command."""

    def __init__(self, home: Path, data_dir: Path) -> None:
        self.home, self.data_dir = home, data_dir

    def __call__(
        self,
        *args: str,
        env: Mapping[str, str | None] | None = None,
        cwd: str | Path | None = None,
        stdin: str = "",
        timeout_s: float = PROCESS_TIMEOUT_S,
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "awhm_hooks", *args],
            env=clean_env(self.home, self.data_dir, env),
            cwd=cwd or self.home,
            input=stdin,
            capture_output=True,
            check=False,
            text=True,
            encoding="utf-8",
            timeout=timeout_s,
        )

    def json(self, *args: str, cwd: str | Path | None = None) -> Any:
        ran = self(*args, "--json", cwd=cwd)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)


def worker_is_running(data_dir: Path) -> bool:
    """Whether some process holds the worker's lock, or Stage 2's."""
    return any(is_locked(f"{data_dir}/meta/{name}") for name in ("worker.lock", "stage2.lock"))


def wait_for_worker(data_dir: Path, pending: int = 0, timeout_s: float = WORKER_TIMEOUT_S) -> None:
    """Until no worker runs and no more than `pending` sessions are unfinished; fails with the status otherwise."""
    end = time.monotonic() + timeout_s
    awhm = Awhm(data_dir.parent, data_dir)
    while True:
        if not worker_is_running(data_dir):  # the status costs an interpreter: asked only when it may be the last
            status = awhm.json("status")
            if status["pending_sessions"] <= pending and not worker_is_running(data_dir):  # Stage 2 comes after
                return
        assert time.monotonic() < end, f"worker not done after {timeout_s} s: {awhm('status').stdout}"
        time.sleep(POLL_S)


@pytest.fixture
def isolated_home(tmp_path: Path) -> Path:
    """An empty home, made for this test."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A data directory that does not exist yet; the end of the test waits for a worker still at work in it."""
    path = tmp_path / "awhm"
    yield path
    end = time.monotonic() + WORKER_TIMEOUT_S
    while worker_is_running(path) and time.monotonic() < end:
        time.sleep(POLL_S)


@pytest.fixture
def hook(isolated_home: Path, data_dir: Path) -> Hooks:
    return Hooks(isolated_home, data_dir)


@pytest.fixture
def awhm(isolated_home: Path, data_dir: Path) -> Awhm:
    return Awhm(isolated_home, data_dir)
