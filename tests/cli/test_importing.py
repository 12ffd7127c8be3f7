import os
import random
import signal
import subprocess
import sys
import time

import pytest
from conftest import Awhm, clean_env, wait_for_worker
from graph_state import state
from transcripts import EVALUATION, FIRST_AT, Transcript

from awhm_hooks.paths import Paths

PROJECT = "/home/dev/shop-api"
ENV = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}
KEY = "ghp_" + "a1B2" * 9


class Quick(Awhm):
    """The command line without the model and the recogniser, which are other tests' matter."""

    def __call__(self, *args, env=None, **more):
        return super().__call__(*args, env={**ENV, **(env or {})}, **more)


@pytest.fixture
def awhm(isolated_home, data_dir):
    return Quick(isolated_home, data_dir)


@pytest.fixture
def projects(isolated_home):
    """~/.claude/projects of this test's home."""
    return isolated_home / ".claude" / "projects"


def files(directory):
    return sorted(str(path) for path in directory.rglob("*")) if directory.exists() else []


def query(awhm, text, project=PROJECT):
    return awhm.json("query", text, "--project", project)["results"]


@pytest.mark.report("AWHM-P083")
def test_existing_history_is_taken_once_with_its_dates(awhm, hook, projects):
    folder = projects / "-home-dev-shop-api"
    normal = Transcript(folder / "s1.jsonl")
    normal.user("The package manager is npm.").add("assistant", [{"type": "tool_use", "id": "t", "name": "Bash"}])
    normal.add("user", [{"type": "tool_result", "content": "The package manager is bower."}], toolUseResult={"x": 1})
    normal.user("The package manager is cargo.", isSidechain=True).reply(f"Noted. {KEY}").write()
    said = {"session_id": "s2", "cwd": PROJECT, "hook_event_name": "UserPromptSubmit", "transcript_path": ""}
    hook("prompt", {**said, "prompt_id": "p", "prompt": "The package manager is pnpm."}, env=ENV)
    hook("session-end", {**said, "hook_event_name": "SessionEnd", "reason": "other"}, env=ENV)
    wait_for_worker(awhm.data_dir)
    overlapping = Transcript(folder / "s2.jsonl", "s2", at=time.time() - 200)
    overlapping.user("The package manager is pnpm.").reply("pnpm it is.").write()
    torn = Transcript(folder / "s3.jsonl", "s3", at=FIRST_AT + 86_400)
    torn.user("The test runner is vitest.").raw('{"type":"user","message":{"role":"user","con').write(torn=True)
    before = files(awhm.data_dir)

    dry = awhm.json("import", str(projects), "--dry-run")
    assert dry["messages"] == {"new": 4, "known": 1, "earlier": 0, "deleted": 0, "unheard": 0}
    assert files(awhm.data_dir) == before

    real = awhm("import", str(projects), env=ENV)
    assert real.returncode == 0
    assert real.stderr.startswith(f"{folder}/s3.jsonl:2: cut off, no JSON")
    assert "4 messages of 3 sessions imported." in real.stdout
    again = awhm.json("import", str(projects))
    assert again["messages"] == {"new": 0, "known": 5, "earlier": 0, "deleted": 0, "unheard": 0}

    facts = [row for row in query(awhm, "package manager") if row["family"] == "fact"]
    assert [row["text"] for row in facts] == ["The package manager is pnpm"], "the newer fact stands"
    (vitest,) = [row for row in query(awhm, "test runner") if row["family"] == "fact"]
    assert vitest["said_at"][:10] == "2025-03-05" and vitest["project"] == PROJECT
    assert query(awhm, "test runner", "/home/dev/other") == []
    for path in files(awhm.data_dir):
        if os.path.isfile(path):
            data = open(path, "rb").read()
            assert KEY.encode() not in data and b"bower" not in data and b"cargo" not in data


def test_wrong_use_is_named(awhm, projects):
    missing = awhm("import", str(projects))
    assert missing.returncode == 1 and str(projects) in missing.stderr
    assert awhm("import").returncode == 2
    Transcript(projects / "x" / "s1.jsonl").user("one").write()
    nonsense = awhm("import", str(projects), "--since", "the day of the flying pigs")
    assert nonsense.returncode == 2 and "flying pigs" in nonsense.stderr
    assert not awhm.data_dir.exists()


def test_since_and_project(awhm, projects):
    Transcript(projects / "a" / "s1.jsonl").user("The staging port is 8443.").write()
    Transcript(projects / "b" / "s2.jsonl", "s2", at=FIRST_AT + 10 * 86_400).user("The API version is 3.").write()
    Transcript(projects / "c" / "s3.jsonl", "s3", "/home/dev/web", FIRST_AT + 20 * 86_400).user("one").write()
    shown = awhm("import", str(projects), "--since", "2025-03-10", "--project", PROJECT, env=ENV)
    assert "1 message of 2 sessions imported." in shown.stdout
    assert "Left out: 1 message said before --since." in shown.stdout
    assert "Left out: 1 session of other projects." in shown.stdout


def test_the_first_install_says_that_there_is_history_and_reads_none_of_it(awhm, projects, isolated_home):
    Transcript(projects / "x" / "s1.jsonl").user("The staging port is 8443.").write()
    env = {"AWHM_MODELS_DIR": str(isolated_home / "none")}
    first = awhm("hook", "install", env=env)
    assert first.returncode == 0
    (offer,) = [line for line in first.stdout.splitlines() if "awhm import" in line]
    assert str(projects) in offer and offer.startswith("Your 1 earlier session can be remembered too")
    assert awhm.json("status")["sessions"] == 0
    assert "awhm import" not in awhm("hook", "install", env=env).stdout


def test_killed_at_random_moments_it_goes_on_to_the_same_result(isolated_home, tmp_path):
    """A few of them here; the law for every byte is in tests/manage/test_importer.py."""

    def start(data_dir):
        command = [sys.executable, "-m", "awhm_hooks", "import", str(EVALUATION)]
        null = subprocess.DEVNULL
        return subprocess.Popen(command, env=clean_env(isolated_home, data_dir, ENV), stdout=null, stderr=null)

    whole = tmp_path / "whole"
    began = time.monotonic()
    assert start(whole).wait() == 0
    took = time.monotonic() - began
    expected = state(Paths(str(whole)))
    chance = random.Random(4)
    for number in range(3):
        data_dir = tmp_path / f"killed-{number}"
        for _ in range(3):
            process = start(data_dir)
            time.sleep(chance.uniform(0.2, 1.0) * took)
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert start(data_dir).wait() == 0
        assert state(Paths(str(data_dir))) == expected


def is_read(pid, path):
    """Whether a process has a file open."""
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        try:
            if os.readlink(f"{folder}/{name}") == path:
                return True
        except FileNotFoundError:
            continue
    return False


def test_an_interruption_says_that_nothing_is_half_done(isolated_home, tmp_path, projects):
    """Ctrl-C while it reads a long history."""
    big = Transcript(projects / "x" / "s1.jsonl")
    for number in range(30_000):
        big.user(f"Prompt number {number}, with some words about staging and ports.")
    path = big.write()
    command = [sys.executable, "-m", "awhm_hooks", "import", path]
    env = clean_env(isolated_home, tmp_path / "awhm", ENV)
    process = subprocess.Popen(
        command,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A run in the background ignores the signal, and its children would too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one thread here
    )
    while not is_read(process.pid, path):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and "goes on where it was" in stderr and "Traceback" not in stderr
