import json
import os

import pytest

from awhm_hooks.consolidate import worker
from awhm_hooks.errors import UsageError
from awhm_hooks.graph.writer import uid_of
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import injections
from awhm_hooks.recall.context import injection_mark

FACT = "The staging port is 8443"
EVIDENCE = {"score": 0.9, "relevance": 0.8}


def end(memory, session):
    raw_log.append_mark(memory.paths, session, raw_log.END, memory.at + 1, "/p", {"reason": "other"})


def told(memory, session, why, text=FACT):
    """The newest message of a session was answered with this; as the prompt hook notes it."""
    records = [one for one in raw_log.read(memory.paths.log_file(session)) if one.kind == "message"]
    record = {
        "k": wal.INJECTION,
        "for": records[-1].message_id,
        "at": records[-1].at,
        "marks": [injection_mark(text)],
        "uids": [one["id"] for one in why if "session" not in one],
        "why": why,
    }
    wal.append(memory.paths, session, [record])


def message_id(memory, session):
    return next(one.message_id for one in raw_log.read(memory.paths.log_file(session)) if one.kind == "message")


@pytest.fixture
def asked(memory):
    """Session a told a fact and is consolidated; b asked for it and was told."""
    memory.say(FACT + ".", session="claude-aaaa1111")
    end(memory, "claude-aaaa1111")
    memory.consolidate()
    ((uid,),) = memory.rows("uid", "family = 'fact'")
    memory.say("Which staging port?", session="claude-bbbb2222")
    told(memory, "claude-bbbb2222", [{"id": uid, **EVIDENCE}])
    return uid


def only(prompts):
    (prompt,) = prompts
    (one,) = prompt.told
    return prompt, one


def test_the_newest_prompt_is_told_with_its_evidence(memory, asked):
    prompt, one = only([injections.last(memory.paths)])
    assert (prompt.session, prompt.text, prompt.quiet) == ("claude-bbbb2222", "Which staging port?", False)
    assert (one.id, one.text, one.family, one.status) == (asked, FACT, "fact", "active")
    assert (one.score, one.evidence) == (0.9, {"relevance": 0.8})


def test_it_is_so_after_the_session_was_consolidated(memory, asked):
    before = injections.last(memory.paths)
    end(memory, "claude-bbbb2222")
    memory.consolidate()
    assert not os.path.exists(memory.paths.wal_file("claude-bbbb2222"))
    assert injections.last(memory.paths) == before
    assert os.stat(injections.file_of(memory.paths)).st_mode & 0o777 == 0o600
    with open(injections.file_of(memory.paths)) as file:
        assert "8443" not in file.read(), "what is kept holds no words"


@pytest.mark.parametrize("family", ["fact", "message"])
def test_what_was_told_from_a_buffer_is_known_by_its_id_later(memory, family):
    memory.say(FACT + ".", session="claude-aaaa1111")
    text = FACT if family == "fact" else FACT + "."
    memory.say("Which staging port?", session="claude-bbbb2222")
    said_in = {"id": message_id(memory, "claude-aaaa1111"), "session": "claude-aaaa1111", "family": family}
    told(memory, "claude-bbbb2222", [{**said_in, **EVIDENCE}], text)
    _, waiting = only([injections.last(memory.paths)])
    assert (waiting.text, waiting.family) == (FACT + ".", family)
    end(memory, "claude-aaaa1111")
    end(memory, "claude-bbbb2222")
    memory.consolidate()
    _, one = only([injections.last(memory.paths)])
    assert (one.text, one.family) == (text, family)
    assert memory.rows("uid", f"family = '{family}' AND session = 'claude-aaaa1111'") == [(one.id,)]


@pytest.mark.parametrize("given", ["claude-bbbb2222", "bbbb2222", "bbbb"])
def test_a_session_is_found_by_the_beginning_of_its_id(memory, asked, given):
    memory.say("Thanks, and the production port?", session="claude-bbbb2222")
    prompts = injections.matching(memory.paths, given)
    assert [len(prompt.told) for prompt in prompts] == [1, 0]


def test_a_prompt_is_found_by_the_beginning_of_its_id(memory):
    for number in (1, 2):
        raw_log.append_message(memory.paths, "claude-a", "user", f"Say {number}.", 1.0, f"abcd-{number}", "/p", "/p")
    assert [prompt.text for prompt in injections.matching(memory.paths, "abcd-2")] == ["Say 2."]


@pytest.mark.parametrize(("given", "says"), [("zzzz", "no session"), ("b", "at least 4"), ("bbbb", "begin like that")])
def test_an_id_that_names_nothing_or_too_much_is_refused(memory, asked, given, says):
    memory.say("One more.", session="claude-bbbb3333")
    with pytest.raises(UsageError, match=says):
        injections.matching(memory.paths, given)


def test_a_prompt_without_an_answer_and_a_quiet_one_say_so(memory):
    assert injections.last(memory.paths) is None
    memory.say("Write a haiku.", session="claude-aaaa1111")
    assert injections.last(memory.paths).told == []
    raw_log.append_message(memory.paths, "claude-aaaa1111", "user", "/compact", memory.at + 1, "q", "/p", "/p", True)
    assert injections.last(memory.paths).quiet


def test_what_is_deleted_is_gone_from_here(memory, asked):
    end(memory, "claude-bbbb2222")
    memory.consolidate()
    assert injections.forget(memory.paths, {asked}, dry_run=True) == 1
    assert injections.forget(memory.paths, {asked}) == 1
    assert injections.last(memory.paths).told == []
    assert injections.forget(memory.paths, {asked}) == 0
    prompt = uid_of("message", "claude-bbbb2222", message_id(memory, "claude-bbbb2222"))
    assert injections.forget(memory.paths, {prompt}) == 1
    with open(injections.file_of(memory.paths)) as file:
        assert file.read() == ""


def test_the_file_is_bounded_and_a_damaged_line_passed_over(memory, asked, monkeypatch):
    end(memory, "claude-bbbb2222")
    memory.consolidate()
    with open(injections.file_of(memory.paths), "a") as file:
        file.write('{"torn": \n[]\n')
    before = injections.last(memory.paths)
    assert before.told
    monkeypatch.setattr(injections, "MAX_BYTES", 100)
    memory.say("And the port of staging?", session="claude-cccc3333")
    told(memory, "claude-cccc3333", [{"id": asked, **EVIDENCE}])
    end(memory, "claude-cccc3333")
    memory.consolidate()
    with open(injections.file_of(memory.paths)) as file:
        lines = file.read().splitlines()
    assert json.loads(lines[-1])["session"] == "claude-cccc3333"
    assert len(lines) == 2


def test_a_graph_that_cannot_be_read_leaves_the_ids(memory, asked):
    with open(memory.paths.graph_db, "wb") as file:
        file.write(b"no store" * 100)
    for name in ("-wal", "-shm"):
        if os.path.exists(memory.paths.graph_db + name):
            os.unlink(memory.paths.graph_db + name)
    _, one = only([injections.last(memory.paths)])
    assert (one.id, one.text) == (asked, "")


def test_a_worker_that_was_killed_before_it_removed_the_log_leaves_one_answer(memory, asked):
    with open(memory.paths.wal_file("claude-bbbb2222"), "rb") as file:
        log = file.read()
    end(memory, "claude-bbbb2222")
    memory.consolidate()
    with open(memory.paths.wal_file("claude-bbbb2222"), "wb") as file:
        file.write(log)
    end(memory, "claude-bbbb2222")
    worker.run(memory.paths, memory.config, 5.0)
    assert len(injections.last(memory.paths).told) == 1
