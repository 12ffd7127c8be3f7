"""What the store holds, counted from its files."""

import os

import pytest

from awhm_hooks import error_log
from awhm_hooks.errors import StoreCorrupt
from awhm_hooks.journal import raw_log
from awhm_hooks.manage.overview import overview
from awhm_hooks.paths import Paths

HOOKS = ("prompt", "stop", "session-start", "session-end")


def test_of_nothing_everything_is_nothing_and_nothing_is_made(tmp_path):
    paths = Paths(str(tmp_path / "nowhere"))
    found = overview(paths)
    assert (found.nodes, found.edges, found.sessions, found.pending_sessions, found.bytes_on_disk) == (0, 0, 0, 0, 0)
    assert found.last_events == dict.fromkeys(HOOKS) and found.last_error is None
    assert not os.path.exists(paths.data_dir)


def test_sessions_wait_until_they_are_consolidated(memory):
    memory.say("The staging port is 8443.", session="one")
    memory.say("The gate port is 22.", session="two", project="/other")
    found = overview(memory.paths)
    assert (found.sessions, found.pending_sessions, found.nodes) == (2, 2, 0)
    memory.consolidate()
    found = overview(memory.paths)
    assert (found.sessions, found.pending_sessions, found.projects) == (2, 0, 2)
    memory.say("One more thing.", session="two", project="/other")
    assert overview(memory.paths).pending_sessions == 1


def test_a_torn_line_at_the_end_waits_for_nobody(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    with open(memory.paths.log_file("s"), "ab") as file:
        file.write(b'{"kind":"message","role":"user","te')
    assert overview(memory.paths).pending_sessions == 0


def test_memories_are_counted_by_family_and_by_status(memory):
    memory.say("The staging port is 8443.", "Actually, the staging port is 9443.", "I prefer tabs.")
    memory.say("Noted.", role="assistant")
    memory.consolidate()
    found = overview(memory.paths)
    assert found.nodes_by_family == {"message": 4, "fact": 2, "preference": 1}
    assert found.nodes == sum(found.nodes_by_family.values()) == sum(found.nodes_by_status.values())
    assert found.messages == 4
    assert found.nodes_by_status["superseded"] >= 1


def test_each_hook_s_newest_record_counts_in_whichever_session_it_is(memory):
    paths = memory.paths
    raw_log.append_mark(paths, "one", raw_log.START, 10.0, "/p", {})
    memory.say("a prompt", session="one", at=20.0)
    memory.say("a reply", session="one", role="assistant", at=30.0)
    raw_log.append_mark(paths, "one", raw_log.END, 40.0, "/p", {})
    memory.say("a later prompt", session="two", at=50.0)
    assert overview(paths).last_events == {"prompt": 50.0, "stop": 30.0, "session-start": 10.0, "session-end": 40.0}


def test_what_came_from_a_transcript_is_no_event_of_a_hook(memory):
    memory.say("a prompt", at=20.0)
    line = {"kind": "message", "role": "assistant", "text": "from the file", "at": 90.0, "uuid": "u1", "id": "u1:a"}
    raw_log.append_lines(memory.paths, "s", [line])
    assert overview(memory.paths).last_events["stop"] is None


def test_the_last_error_is_the_newest_line(memory):
    for word in ("first", "second"):
        error_log.note(memory.paths, "prompt", ValueError(word), 1_772_000_000.0)
    assert overview(memory.paths).last_error.endswith("prompt ValueError: second")


def test_bytes_are_those_of_all_files(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    sizes = [
        os.path.getsize(os.path.join(folder, name))
        for folder, _, files in os.walk(memory.paths.data_dir)
        for name in files
    ]
    assert overview(memory.paths).bytes_on_disk == pytest.approx(sum(sizes), abs=100_000)


def test_other_files_beside_the_logs_are_no_sessions(memory):
    memory.say("The staging port is 8443.")
    for name in ("notes.txt", "s.jsonl.bak", ".hidden"):
        with open(f"{memory.paths.logs}/{name}", "w") as file:
            file.write("x")
    os.mkdir(f"{memory.paths.logs}/folder.jsonl")
    assert overview(memory.paths).sessions == 1


def test_a_store_that_cannot_be_read_is_an_error_not_an_empty_store(memory):
    os.makedirs(memory.paths.graph)
    with open(memory.paths.graph_db, "wb") as file:
        file.write(b"junk" * 5000)
    with pytest.raises(StoreCorrupt):
        overview(memory.paths)
