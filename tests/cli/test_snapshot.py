import json
import os
import time

import pytest
from conftest import Awhm, wait_for_worker

PROMPT = {
    "session_id": "s-1",
    "transcript_path": "",
    "cwd": "/home/dev/shop-api",
    "permission_mode": "default",
    "hook_event_name": "UserPromptSubmit",
    "prompt_id": "p1",
}
ENV = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


class Quick(Awhm):
    """The command line without the model and the recogniser, which are other tests' matter."""

    def __call__(self, *args, env=None, **more):
        return super().__call__(*args, env={**ENV, **(env or {})}, **more)


@pytest.fixture
def awhm(isolated_home, data_dir):
    return Quick(isolated_home, data_dir)


@pytest.fixture
def say(hook, awhm):
    """One session that says one thing and ends, consolidated."""

    def _say(text, session="s-1"):
        common = {**PROMPT, "session_id": session, "prompt_id": f"{session}-{text}"}
        assert hook("prompt", {**common, "prompt": text}, env=ENV).returncode == 0
        end = {"session_id": session, "cwd": PROMPT["cwd"], "hook_event_name": "SessionEnd", "reason": "other"}
        hook("session-end", end, env=ENV)
        wait_for_worker(hook.data_dir)

    return _say


def query(awhm, text):
    return [row["text"] for row in awhm.json("query", text, "--project", PROMPT["cwd"])["results"]]


def test_back_to_a_snapshot(say, awhm):
    """AWHM Lite's own scenario."""
    say("I prefer dark mode")
    nodes = awhm.json("status")["nodes"]
    made = awhm.json("snapshot", "create")
    assert made["nodes"] == nodes and os.path.exists(made["path"])
    time.sleep(0.01)
    say("The server port is 8080", "s-2")
    assert any("8080" in text for text in query(awhm, "server port 8080"))
    difference = awhm.json("snapshot", "diff")
    assert {change["text"] for change in difference["added"]} == {"The server port is 8080"}
    done = awhm.json("snapshot", "restore")
    assert (done["nodes"], done["set_aside"]) == (nodes, 1)
    assert awhm.json("status")["nodes"] == nodes and awhm.json("status")["pending_sessions"] == 0
    assert not any("8080" in text for text in query(awhm, "server port 8080"))
    wait_for_worker(awhm.data_dir)
    listed = awhm.json("snapshot", "list")["snapshots"]
    assert [one["reason"] for one in listed if one["reason"] != "base"] == ["before-restore", "asked"]
    named = awhm("snapshot", "restore", "--path", os.path.basename(listed[0]["path"]))
    assert named.returncode == 0, named.stderr
    assert any("8080" in text for text in query(awhm, "server port 8080"))


def test_what_a_person_reads(say, awhm):
    assert "No snapshots yet" in awhm("snapshot", "list").stdout
    nothing = awhm("snapshot", "create")
    assert (nothing.returncode, nothing.stdout) == (1, "") and "nothing is remembered yet" in nothing.stderr
    assert not awhm.data_dir.exists()
    say("I prefer dark mode")
    assert awhm("snapshot", "create").stdout.startswith("2 memories in ")
    assert "snapshot_" in awhm("snapshot", "list").stdout
    assert "0 added" in awhm("snapshot", "diff").stdout
    restored = awhm("snapshot", "restore").stdout
    assert restored.startswith("2 memories as of ") and "The state until now: " in restored
    assert "the state before a restore" in awhm("snapshot", "list").stdout


def test_a_file_that_is_none_is_an_error_and_no_loss(say, awhm, tmp_path):
    say("I prefer dark mode")
    (tmp_path / "x.json").write_text("{")
    for path in (str(tmp_path / "x.json"), str(tmp_path / "nowhere.json")):
        refused = awhm("snapshot", "restore", "--path", path)
        assert refused.returncode == 1 and path in refused.stderr and "Traceback" not in refused.stderr
    assert awhm.json("status")["nodes"] == 2


def flip(path):
    data = bytearray(open(path, "rb").read())
    for at in range(100, len(data), 61):
        data[at] ^= 0xFF
    with open(path, "wb") as file:
        file.write(data)


DAMAGES = {
    "truncated": lambda path: os.truncate(path, os.path.getsize(path) // 3),
    "flipped": flip,
    "vectors gone": lambda path: [
        os.unlink(os.path.join(os.path.dirname(path), name))
        for name in os.listdir(os.path.dirname(path))
        if name.startswith("vectors")
    ],
}


@pytest.mark.report("AWHM-P067")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_keeps_the_hooks_silent_and_a_restore_mends_it(say, awhm, hook, damage):
    say("The staging port is 8443.")
    awhm.json("snapshot", "create")
    path = awhm.data_dir / "graph" / "memory_graph.sqlite"
    DAMAGES[damage](str(path))
    damaged = path.read_bytes()
    ask = {**PROMPT, "session_id": "s-9", "prompt_id": "q", "prompt": "What is the staging port?"}
    answered = hook("prompt", ask, env=ENV)
    reply = {**ask, "hook_event_name": "Stop", "last_assistant_message": "I do not know."}
    stopped = hook("stop", reply, env=ENV)
    assert (answered.returncode, stopped.returncode) == (0, 0)
    assert (stopped.stdout, answered.stderr, stopped.stderr) == (b"", b"", b"")
    assert path.read_bytes() == damaged, "a hook overwrites nothing"
    if damage != "vectors gone":
        assert answered.stdout == b""
        assert "prompt" in (awhm.data_dir / "meta" / "errors.log").read_text()
    restored = awhm("snapshot", "restore")
    assert restored.returncode == 0, restored.stderr
    assert "The staging port is 8443" in query(awhm, "staging port")
    if damage != "vectors gone":
        (kept,) = [one for one in path.parent.glob("*.damaged-*") if not one.name.endswith(("-wal", "-shm"))]
        assert kept.read_bytes() == damaged
    again = hook("prompt", {**ask, "session_id": "s-10", "prompt_id": "r"}, env=ENV)
    assert "8443" in again.context


def test_an_export_goes_to_another_machine(say, awhm, tmp_path):
    say("The staging port is 8443.")
    path = tmp_path / "memories.json"
    assert awhm("export", str(path)).returncode == 0
    assert (
        json.loads(awhm("export", "-").stdout)["graph"]["nodes"].keys()
        == json.loads(path.read_text())["graph"]["nodes"].keys()
    )
    other = Quick(awhm.home, tmp_path / "other")
    assert other.json("import", str(path), "--dry-run")["graphs"][0]["added"] == 2
    assert not other.data_dir.exists()
    assert other.json("import", str(path))["graphs"][0]["added"] == 2
    assert query(other, "staging port") == ["The staging port is 8443"]
    again = other("import", str(path)).stdout
    assert "0 memories added, 2 known" in again
    moved = Quick(awhm.home, tmp_path / "moved")
    moved("import", str(path), "--map", "/home/dev=/srv/work")
    found = moved.json("query", "staging port", "--project", "/srv/work/shop-api")["results"]
    assert [row["text"] for row in found] == ["The staging port is 8443"]
    wrong = other("import", str(path), "--map", "nonsense")
    assert wrong.returncode == 2 and "OLD=NEW" in wrong.stderr
