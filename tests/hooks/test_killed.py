"""Killed at any point, a hook or the worker loses nothing and repeats nothing."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from conftest import clean_env, hook_command

from awhm_hooks import config
from awhm_hooks.consolidate import worker
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths

# Dies at the n-th call that changes the disk, before it, after it, or (a write) in the middle of it.
KILLER = """
import os, signal
left = [int(os.environ["KILL_AT"])]
half = os.environ["KILL_HOW"] == "half"
def deadly(call, is_write):
    def wrapped(*args, **more):
        if is_write and args[0] < 3:
            return call(*args, **more)
        left[0] -= 1
        if left[0] == 0 and os.environ["KILL_HOW"] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if left[0] == 0 and half and is_write:
            call(args[0], bytes(args[1])[: len(args[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        result = call(*args, **more)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return wrapped
for name in ("write", "unlink", "replace", "mkdir", "posix_spawn"):
    setattr(os, name, deadly(getattr(os, name), name == "write"))
"""


def command_dying(event):
    command = hook_command(event)
    at = command.index("-c") + 1
    first, rest = command[at].split("\n", 1)
    return [*command[:at], first + "\n" + KILLER + rest, *command[at + 1 :]]


def run(command, payload, home, data_dir, **env):
    return subprocess.run(
        command, input=json.dumps(payload).encode(), capture_output=True, env=clean_env(home, data_dir, env)
    ).returncode


AHEAD_S = 60  # a hook that starts seconds late on a busy machine must not log later than the transcript's lines


def transcript(path, turns):
    with open(path, "w") as file:
        for n, (prompt, reply) in enumerate(turns):
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + n + AHEAD_S)) + ".000Z"
            line = {"timestamp": stamp, "isSidechain": False, "cwd": "/tmp"}
            user = {**line, "type": "user", "uuid": f"{path}u{n}", "promptId": f"p{n}", "promptSource": "sdk"}
            file.write(json.dumps({**user, "message": {"role": "user", "content": prompt}}) + "\n")
            content = [{"type": "text", "text": reply}]
            said = {
                **line,
                "type": "assistant",
                "uuid": f"{path}a{n}",
                "message": {"role": "assistant", "content": content},
            }
            file.write(json.dumps(said) + "\n")


def session_payloads(session, path, turns):
    common = {"session_id": session, "cwd": "/tmp", "transcript_path": path}
    yield "session-start", {**common, "hook_event_name": "SessionStart", "source": "startup"}
    for n, (prompt, reply) in enumerate(turns):
        yield "prompt", {**common, "hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": f"p{n}"}
        yield "stop", {**common, "hook_event_name": "Stop", "last_assistant_message": reply, "prompt_id": f"p{n}"}
    yield "session-end", {**common, "hook_event_name": "SessionEnd", "reason": "other"}


def consolidate(data_dir):
    settings = config.AWHMConfig(ner_labels=(), semantic=False, session_idle_hours=1e-9)
    report = worker.run(Paths(str(data_dir)), settings, 60.0, insist=True)
    assert report.failed == {}


def held(data_dir):
    graph = open_graph(Paths(str(data_dir)).graph_db)
    if graph is None:
        return Counter()
    rows = graph.db.execute("SELECT session, role, text FROM nodes WHERE family = 'message'").fetchall()
    graph.close()
    return Counter(rows)


HOW = ("before", "half", "after")
POINTS = [(event, n, at, how) for event, n in (("session-start", 0), ("prompt", 1), ("stop", 2), ("session-end", 5))
          for at in range(1, 9) for how in HOW]  # fmt: skip


def test_a_hook_killed_at_each_of_its_write_points_loses_and_repeats_nothing(isolated_home, data_dir, tmp_path):
    expected = Counter()
    killed = 0
    for number, (event, step, at, how) in enumerate(POINTS):
        session = f"s{number}"
        turns = [(f"The port of number {number} is {number}1.", "Noted."), (f"And then {number}?", f"Then {number}.")]
        path = str(tmp_path / f"{session}.jsonl")
        transcript(path, turns)
        for n, (name, payload) in enumerate(session_payloads(session, path, turns)):
            if n == step:
                code = run(
                    command_dying(name),
                    payload,
                    isolated_home,
                    data_dir,
                    KILL_AT=str(at),
                    KILL_HOW=how,
                    AWHM_NER_LABELS="",
                    AWHM_SEMANTIC="0",
                )
                assert code in (0, -signal.SIGKILL), (event, at, how)
                killed += code != 0
            elif n < 3 or name == "session-end":  # the rest of the session is left to the transcript
                assert (
                    run(hook_command(name), payload, isolated_home, data_dir, AWHM_NER_LABELS="", AWHM_SEMANTIC="0")
                    == 0
                )
        for prompt, reply in turns:
            expected[f"claude-{session}", "user", prompt] += 1
            expected[f"claude-{session}", "assistant", reply] += 1
    assert killed >= 20, "the points were not write points"
    consolidate(data_dir)
    assert held(data_dir) == expected


def test_a_worker_killed_at_random_points_loses_and_repeats_nothing(isolated_home, data_dir):
    chance = random.Random(5)
    paths = Paths(str(data_dir))
    expected = Counter()
    code = "import sys;from awhm_hooks.consolidate.worker import main;main()"
    env = clean_env(
        isolated_home, data_dir, {"AWHM_NER_LABELS": "", "AWHM_SEMANTIC": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    killed = 0
    for n in range(160):
        session = f"claude-w{n}"
        for m in range(8):
            text = f"The port of service {n} number {m} is {n}{m}."
            raw_log.append_message(paths, session, "user", text, 1_000.0 + m, f"p{m}", "/p", "/p")
            expected[session, "user", text] += 1
        process = subprocess.Popen([sys.executable, "-S", "-c", code], env=env)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.02, 0.3))
        process.kill()
        killed += process.wait() == -signal.SIGKILL
    assert killed > 60
    consolidate(data_dir)
    assert held(data_dir) == expected
    graph = open_graph(paths.graph_db)
    facts = graph.db.execute("SELECT text, count(*) FROM nodes WHERE family = 'fact' GROUP BY text").fetchall()
    assert {count for _, count in facts} == {1} and len(facts) == sum(expected.values())
    assert graph.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    docs = graph.db.execute("SELECT sum(docs) FROM scopes").fetchone()[0]
    assert docs == graph.db.execute("SELECT count(*) FROM nodes").fetchone()[0]


@pytest.mark.parametrize("round_number", range(3))
def test_eight_sessions_at_once_lose_nothing_and_see_no_locked_database(hook, data_dir, round_number):
    names = [f"c-{round_number}-{n}" for n in range(8)]
    for event, extra in (
        ("prompt", lambda n: {"hook_event_name": "UserPromptSubmit", "prompt": f"My favourite number is {n}."}),
        ("session-end", lambda n: {"hook_event_name": "SessionEnd", "reason": "other"}),
    ):
        crowd = [(name, hook.start(event, {"AWHM_NER_LABELS": "", "AWHM_SEMANTIC": "0"})) for name in names]
        for name, process in crowd:
            process.stdin.write(json.dumps({"session_id": name, "cwd": "/tmp", **extra(name)}).encode())
            process.stdin.close()
        assert [process.wait() for _, process in crowd] == [0] * 8
        assert all(not process.stderr.read() for _, process in crowd)
    deadline = time.monotonic() + 60
    while len(held(data_dir)) < 8 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert sum(held(data_dir).values()) == 8, "the sessions' own workers consolidated them all"
    errors = data_dir / "meta" / "errors.log"
    assert not errors.exists(), errors.read_text()
