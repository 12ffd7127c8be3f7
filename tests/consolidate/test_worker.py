import os
import subprocess
import sys
import time

import pytest
from conftest import clean_env

from awhm_hooks.consolidate import worker
from awhm_hooks.consolidate.attempts import Attempts
from awhm_hooks.files import locked
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log, wal


def end(memory, session, at=None):
    raw_log.append_mark(memory.paths, session, raw_log.END, at or memory.at + 1, "/p", {"reason": "other"})


def start(memory, session, transcript):
    raw_log.append_mark(
        memory.paths, session, raw_log.START, memory.at - 10, "/p", {"source": "startup", "transcript": str(transcript)}
    )


def test_every_waiting_session_is_taken(memory):
    for n in range(5):
        memory.say(f"The port of service {n} is {n}00{n}.", session=f"s{n}")
    assert memory.consolidate().sessions == 5
    assert len(memory.statements()) == 5


def test_only_what_is_new_of_a_session_is_added(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    memory.say("The production port is 443.")
    report = memory.consolidate()
    assert (report.sessions, report.counts["messages"]) == (1, 1)
    assert len(memory.rows("id", "family = 'message'")) == 2


def test_a_session_s_wal_goes_when_the_session_is_over(memory):
    memory.say("The staging port is 8443.", at=time.time())
    wal.append(memory.paths, "s", [{"k": "i", "at": 1.0, "marks": [7, 8], "uids": []}])
    memory.consolidate()
    assert os.path.exists(memory.paths.wal_file("s")), "the session is live"
    end(memory, "s", time.time())
    memory.consolidate()
    assert not os.path.exists(memory.paths.wal_file("s"))
    graph = open_graph(memory.paths.graph_db)
    assert sorted(graph.injected_marks("s")) == [7, 8]


def test_a_silent_session_is_over_after_a_while(new_memory):
    memory = new_memory(session_idle_hours=0.0001)
    memory.say("The staging port is 8443.", at=time.time())
    wal.append(memory.paths, "s", [{"k": "b", "at": 1.0}])
    memory.consolidate()
    time.sleep(0.5)
    memory.consolidate()
    assert not os.path.exists(memory.paths.wal_file("s"))


def test_what_was_injected_counts_as_accessed_once(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    ((uid,),) = memory.rows("uid", "family = 'fact'")
    memory.say("Which port?", session="t")
    wal.append(memory.paths, "t", [{"k": "i", "at": 1.0, "marks": [7], "uids": [uid]}])
    memory.consolidate()
    memory.say("And then?", session="t")
    memory.consolidate()
    assert memory.rows("access_count", "family = 'fact'") == [(1,)]


def test_the_log_is_completed_from_the_transcript(memory, tmp_path):
    import json

    transcript = tmp_path / "t.jsonl"

    def line(kind, uuid, at, content, **more):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))
        return json.dumps(
            {"type": kind, "uuid": uuid, "timestamp": stamp, "message": {"role": kind, "content": content}, **more}
        )

    memory.say("What is the staging port?", session="s")
    start(memory, "s", transcript)
    memory.say("It is 8443.", role="assistant", session="s")
    at = memory.at
    lines = [
        line("user", "old", at - 9000, "from the session that this one was forked from"),
        line("user", "u1", at - 60, "What is the staging port?", promptSource="sdk"),
        line("assistant", "a1", at - 50, [{"type": "text", "text": "Let me look into compose.yaml first."}]),
        line("assistant", "a2", at - 40, [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]),
        line("user", "r1", at - 30, [{"type": "tool_result", "content": "ports: 8443"}], toolUseResult={"x": 1}),
        line("assistant", "a3", at - 20, [{"type": "text", "text": "It is 8443."}]),
        line("user", "u2", at - 10, "<task-notification><summary>x</summary></task-notification>"),
        line("attachment", "x1", at - 10, "hook_additional_context"),
        line("assistant", "a4", at - 5, [{"type": "text", "text": "API Error"}], isApiErrorMessage=True),
        "torn {",
    ]
    transcript.write_text("\n".join(lines))
    end(memory, "s")
    memory.consolidate()
    texts = [text for (text,) in memory.rows("text", "family = 'message'")]
    assert texts == ["What is the staging port?", "Let me look into compose.yaml first.", "It is 8443."]
    end(memory, "s", memory.at + 5)
    memory.consolidate()
    assert [text for (text,) in memory.rows("text", "family = 'message'")] == texts


def test_one_worker_works_at_a_time(memory):
    memory.say("The staging port is 8443.")
    memory.paths.make(memory.paths.data_dir)
    memory.paths.make(memory.paths.meta)
    with locked(memory.paths.worker_lock):
        assert worker.run(memory.paths, memory.config, 0.0).sessions == 0
    assert memory.consolidate().sessions == 1


def test_a_session_that_ends_while_a_worker_works_is_not_left(memory, monkeypatch):
    """The holder of the lock looks again after it has let go, as the late comer's own worker found it held."""
    memory.say("The staging port is 8443.", session="first")
    consolidated = worker._Run._consolidate

    def and_meanwhile(*arguments):
        if not os.path.exists(memory.paths.log_file("second")):
            memory.say("The production port is 443.", session="second")
        return consolidated(*arguments)

    monkeypatch.setattr(worker._Run, "_consolidate", and_meanwhile)
    assert worker.run(memory.paths, memory.config, 0.0).sessions == 2


@pytest.mark.parametrize("damage", ["truncated", "junk", "flipped", "empty"])
def test_a_damaged_store_is_kept_aside_and_rebuilt_from_the_logs(memory, damage):
    for n in range(60):
        memory.say(f"The port of service {n} is {n}00{n}.", session=f"s{n % 4}")
    memory.consolidate()
    before = sorted(memory.statements())
    path = memory.paths.graph_db
    data = bytearray(open(path, "rb").read())
    if damage == "truncated":
        data = data[: len(data) // 2]
    elif damage == "junk":
        data = bytearray(b"junk" * 4000)
    elif damage == "flipped":
        for at in range(4096, len(data), 997):
            data[at] ^= 0xFF
    else:
        data = bytearray()
    with open(path, "wb") as file:
        file.write(data)
    memory.say("The port of the gate is 22.", session="later")
    memory.consolidate()
    assert sorted(memory.statements()) == sorted([*before, ("The port of the gate is 22", "active")])
    kept = [name for name in os.listdir(memory.paths.graph) if "damaged" in name]
    assert kept == [] if damage == "empty" else len(kept) >= 1
    if kept:
        assert open(f"{memory.paths.graph}/{min(kept)}", "rb").read() == bytes(data)
        assert "rebuilt" in open(memory.paths.error_log).read()


def test_a_session_that_cannot_be_read_does_not_block_the_others(memory):
    os.makedirs(memory.paths.log_file("broken"))
    memory.say("The staging port is 8443.", session="fine")
    report = worker.run(memory.paths, memory.config, 1.0)
    assert report.sessions == 1 and len(memory.statements()) == 1


def test_a_session_that_ends_the_worker_waits_its_turn(memory):
    memory.say("The staging port is 8443.", session="deadly")
    memory.paths.make(memory.paths.meta)
    for _ in range(3):
        Attempts(memory.paths).begin("deadly")
    assert not Attempts(memory.paths).may_try("deadly")
    assert Attempts(memory.paths, insist=True).may_try("deadly")
    memory.say("One more line.", session="deadly")
    assert Attempts(memory.paths).may_try("deadly")
    memory.consolidate()
    assert Attempts(memory.paths).may_try("deadly")


def test_the_detached_worker_needs_no_terminal_and_leaves_a_line_when_it_fails(memory, tmp_path):
    memory.say("The staging port is 8443.")
    memory.paths.make(memory.paths.graph)
    os.mkdir(memory.paths.graph_db)
    code = "import sys;from awhm_hooks.consolidate.worker import main;main()"
    env = clean_env(tmp_path, memory.paths.data_dir, {"PYTHONPATH": os.pathsep.join(sys.path)})
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, stdin=subprocess.DEVNULL)
    assert done.stdout == b"" and done.stderr == b""
    assert "worker" in open(memory.paths.error_log).read()
