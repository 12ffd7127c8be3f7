import json
import os
import random
import shutil
import signal
import time

import pytest
from deletions import SECRET, delete, end, found_in, hook_says, log_lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from in_process import Memory
from pictures import differences, picture, rebuilt

from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.manage import deletion, snapshots

# It does not come back.


def transcript(tmp_path, lines):
    path = tmp_path / "transcript.jsonl"
    with open(path, "w") as file:
        for number, (role, text, at) in enumerate(lines):
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))
            message = {"role": role, "content": text}
            file.write(json.dumps({"type": role, "uuid": f"u{number}", "timestamp": stamp, "message": message}) + "\n")
    return str(path)


@pytest.mark.parametrize("completed_before", [True, False])
def test_not_from_the_transcript_that_held_it(memory, tmp_path, completed_before):
    at = memory.at
    path = transcript(
        tmp_path,
        [
            ("user", SECRET, at + 60),
            ("assistant", f"Let me note that {SECRET}.", at + 61),
            ("assistant", "Noted.", at + 62),
            ("user", f"{SECRET}. I prefer tabs.", at + 120),
        ],
    )
    raw_log.append_mark(memory.paths, "s", raw_log.START, at, "/p", {"source": "startup", "transcript": path})
    memory.say(SECRET, f"{SECRET}. I prefer tabs.")
    if completed_before:
        memory.consolidate()
    outcome = delete(memory, match=SECRET)
    assert outcome.transcripts == [path]
    end(memory, "s")
    memory.consolidate()
    assert found_in(memory, "giraffe") == set()
    assert memory.statements() == [("I prefer tabs", "active")]
    assert sorted(log_lines(memory, "s")) == ["Let me note that [deleted].", "Noted.", "[deleted]. I prefer tabs."]
    before = log_lines(memory, "s")
    end(memory, "s")
    memory.consolidate()
    assert log_lines(memory, "s") == before


def test_not_one_message_that_was_deleted_by_its_id(memory, tmp_path):
    at = memory.at
    path = transcript(tmp_path, [("user", SECRET, at + 60), ("assistant", SECRET, at + 62)])
    raw_log.append_mark(memory.paths, "s", raw_log.START, at, "/p", {"source": "startup", "transcript": path})
    memory.say(SECRET)
    memory.consolidate()
    ((uid,),) = memory.rows("uid", "family = 'message' AND role = 'user'")
    delete(memory, ids=(uid,))
    end(memory, "s")
    memory.consolidate()
    assert memory.rows("role", "family = 'message'") == [("assistant",)]


def test_not_when_the_graph_is_made_anew(memory):
    memory.say(SECRET, f"{SECRET}. I prefer tabs.", "My name is Alice")
    memory.consolidate()
    delete(memory, match="blue giraffe")
    before = picture(memory.paths)
    assert differences(before, rebuilt(memory)) == {}
    assert found_in(memory, "giraffe") == set()


def test_not_from_a_raw_log_that_was_put_back(memory):
    memory.say(SECRET, "I prefer tabs")
    memory.consolidate()
    log = memory.paths.log_file("s")
    kept = open(log, "rb").read()
    delete(memory, match="blue giraffe")
    with open(log, "wb") as file:
        file.write(kept)
    shutil.rmtree(memory.paths.graph)
    memory.consolidate()
    assert memory.statements() == [("I prefer tabs", "active")]
    assert [finding.form for finding in deletion.verify(memory.paths, memory.config, []).real()] == ["tombstone"]


def test_what_is_said_again_afterwards_is_new(memory):
    memory.say("The client is Northwind")
    memory.consolidate()
    delete(memory, match="northwind", now=memory.at + 10)
    memory.say("The client is Northwind", session="later")
    memory.consolidate()
    assert memory.statements() == [("The client is Northwind", "active")]


def test_a_name_that_was_deleted_is_no_name_again(new_memory):
    memory = new_memory(ner_labels=("ORG", "PERSON", "GPE"))
    memory.say("Acme Corporation pays us. The Acme Corporation contract is signed.")
    memory.consolidate()
    ((uid, name),) = memory.rows("uid, text", "family = 'entity'")
    delete(memory, ids=(uid,))
    memory.say("Acme Corporation called again.", session="later")
    memory.consolidate()
    assert memory.rows("text", "family = 'entity'") == [], name


def test_tombstones_and_ledger_hold_no_word_of_it(memory):
    memory.say(SECRET, "I prefer tabs")
    memory.consolidate()
    ((uid,),) = memory.rows("uid", "family = 'fact'")
    delete(memory, ids=(uid,))
    with open(f"{memory.paths.meta}/deletion_ledger.jsonl") as file:
        (line,) = map(json.loads, file)
    assert line["by"] == "ids" and line["counts"]["statements"] == 1 and line["hashes"]
    delete(memory, match="tabs")
    written = "".join(open(f"{memory.paths.meta}/deletion_{name}.jsonl").read() for name in ("ledger", "tombstones"))
    for word in ("client", "giraffe", "4471", "tabs", "prefer"):
        assert word not in written.lower()
    assert len(open(f"{memory.paths.meta}/deletion_ledger.jsonl").readlines()) == 2


# What is left is as if the rest had never been said.


def test_the_messages_around_a_deleted_one_follow_one_another(memory):
    memory.say("one thing", "two things", "three things", "four things")
    memory.consolidate()
    delete(memory, match="two things")
    delete(memory, match="three things")
    graph = open_graph(memory.paths.graph_db)
    (edge,) = graph.db.execute("SELECT src, dst FROM edges WHERE type = 'temporal'").fetchall()
    assert [graph.nodes([number])[number].text for number in edge] == ["one thing", "four things"]


def test_a_statement_made_twice_keeps_to_the_message_that_is_left(memory):
    memory.say("the port of the gate is 22", session="a")
    memory.say("The port of the gate is 22.", session="b")
    memory.consolidate()
    delete(memory, session="a")
    before = picture(memory.paths)
    assert memory.rows("text, session", "family = 'fact'") == [("The port of the gate is 22", "b")]
    assert differences(before, rebuilt(memory)) == {}


def test_a_chain_of_corrections_closes_over_a_deleted_link(memory):
    memory.say("The staging port is 1111.", "The staging port is 2222.", "The staging port is 3333.")
    memory.consolidate()
    delete(memory, match="2222")
    before = picture(memory.paths)
    assert memory.statements() == [("The staging port is 1111", "superseded"), ("The staging port is 3333", "active")]
    assert differences(before, rebuilt(memory)) == {}


SENTENCES = st.sampled_from(
    [
        "The staging port is {n}.", "Actually, the staging port is {n}.", "I prefer {w}.", "My name is {w}.",
        "The client is {w}.", "Never use {w} for tests.", "The API endpoint is https://{w}.example.com.",
        "what about the {w}?", "ok", "The {w} port is {n} until 2026-04-11.",
    ]
)  # fmt: skip
MESSAGES = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["user", "user", "assistant"]),
        st.lists(
            st.builds(
                lambda sentence, n, w: sentence.format(n=n, w=w),
                SENTENCES,
                st.sampled_from([8443, 9443]),
                st.sampled_from(["tabs", "Northwind", "Müller"]),
            ),
            min_size=1,
            max_size=3,
        ),
    ),
    min_size=1,
    max_size=10,
)
SELECTIONS = st.one_of(
    st.builds(dict, match=st.sampled_from(["northwind", "8443", "tabs", "MÜLLER", "port", "the staging port is 9443"])),
    st.builds(dict, session=st.sampled_from("abc")),
    st.builds(dict, project=st.sampled_from(["/p", "/q"])),
    st.builds(dict, ago=st.integers(0, 400)),
    st.builds(dict, nodes=st.lists(st.integers(0, 20), min_size=1, max_size=2)),
)


@given(MESSAGES, SELECTIONS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_graph_after_a_deletion_serves_what_one_made_anew_from_the_logs_would(tmp_path, messages, selection):
    directory = tmp_path / str(time.monotonic_ns())
    memory = Memory(directory)
    for session, role, sentences in messages:
        memory.say(" ".join(sentences), session=session, role=role, project="/q" if session == "c" else "/p")
    memory.consolidate()
    wanted = dict(selection)
    if "nodes" in wanted:
        uids = [uid for (uid,) in memory.rows("uid")]
        wanted = {"ids": tuple(uids[number % len(uids)] for number in wanted.pop("nodes"))}
    if "ago" in wanted:
        wanted = {"since": memory.at - wanted["ago"]}
    if wanted.get("session", "a") not in {session for session, _, _ in messages} and "session" in wanted:
        return
    delete(memory, **wanted)
    after = picture(memory.paths)
    anew = rebuilt(memory)
    assert active(after) == active(anew)
    assert after["messages"] == anew["messages"]
    for term in after["postings"].values():
        assert all(not str(uid).startswith("orphan") for uid in term)
    assert {key: value for key, value in after["sizes"].items()} == sizes_of(after)
    shutil.rmtree(directory)


def active(found):
    return {
        (node[1].lower(), node[-1]) for node in found["nodes"].values() if node[6] == "active" and node[0] != "message"
    }


def sizes_of(found):
    sizes = {}
    for node in found["nodes"].values():
        docs, terms = sizes.get(node[-1], (0, 0))
        sizes[node[-1]] = docs + 1, terms + node[-2]
    return sizes


# Interrupted.


def content(memory):
    logs = {name: log_lines(memory, name.removesuffix(".jsonl")) for name in sorted(os.listdir(memory.paths.logs))}
    return picture(memory.paths), logs


@pytest.mark.parametrize("then", ["the command runs again", "the worker runs"])
def test_killed_at_any_point_a_deletion_ends_in_the_same_state(memory, tmp_path, then):
    for number in range(6):
        memory.say(f"{SECRET}. The port of service {number} is {9000 + number}.", session=f"s{number}")
        memory.say("Fine.", f"So {SECRET}!", session=f"s{number}", role="assistant")
    memory.consolidate()
    hook_says(memory, f"{SECRET}, once more")
    snapshots.create(memory.paths, time.time())
    start = str(tmp_path / "start")
    shutil.copytree(memory.paths.data_dir, start)
    begun = time.monotonic()
    delete(memory, match=SECRET)
    seconds = time.monotonic() - begun
    memory.consolidate()
    expected = content(memory)
    chance = random.Random(5)
    for _ in range(12):
        shutil.rmtree(memory.paths.data_dir)
        shutil.copytree(start, memory.paths.data_dir)
        kill_after(chance.random() * seconds * 1.2, lambda: delete(memory, match=SECRET))
        if then == "the command runs again" or not os.path.exists(f"{memory.paths.meta}/deletion_unfinished.json"):
            delete(memory, match=SECRET)
        memory.consolidate()
        assert content(memory) == expected
        assert found_in(memory, "giraffe") == set()
        assert not os.path.exists(f"{memory.paths.meta}/deletion_unfinished.json")


def kill_after(seconds, work):
    """Do it in a process of its own, and end that by SIGKILL after a while."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
