"""Deleting while hooks write, and what a model made of messages."""

import os
import shutil
import time

import pytest
from deletions import delete, found_in, log_lines
from pictures import differences, picture, rebuilt

from awhm_hooks.consolidate import stage2_record
from awhm_hooks.consolidate.admission import Admitted
from awhm_hooks.consolidate.llm import Usage
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import deletion

WRITERS = 4
MESSAGES = 60


def write(paths, writer):
    """What a session's prompt hooks do, one after another, some of them with what is being deleted."""
    for number in range(MESSAGES):
        text = f"Northwind {number}" if number % 7 == 3 else f"message {number} of writer {writer}, and filler " * 3
        at = 1_772_000_000.0 + number
        appended = raw_log.append_message(paths, f"w{writer}", "user", text, at, f"p{number}", "/p", "/p")
        wal.append(paths, f"w{writer}", [buffers.message_record(appended, "user", text, at)])
        time.sleep(0.002)


def test_nothing_that_hooks_write_meanwhile_is_lost_or_kept_twice(memory):
    memory.say("The client is Northwind", *[f"The port of service {n} is {n}." for n in range(50)])
    memory.consolidate()
    children = []
    for writer in range(WRITERS):
        child = os.fork()
        if not child:
            try:
                write(memory.paths, writer)
            finally:
                os._exit(0)
        children.append(child)
    for _ in range(4):
        delete(memory, match="northwind")
        time.sleep(0.05)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * WRITERS
    delete(memory, match="northwind")
    memory.consolidate()
    assert found_in(memory, "northwind") == set()
    for writer in range(WRITERS):
        expected = [f"message {n} of writer {writer}, and filler " * 3 for n in range(MESSAGES) if n % 7 != 3]
        logged = [text for text in log_lines(memory, f"w{writer}") if "message" in text]
        assert logged == expected
        in_graph = memory.rows("text", f"family = 'message' AND session = 'w{writer}' AND text LIKE 'message%'")
        assert [text for (text,) in in_graph] == expected


# Stage 2.


def proposal(text, *messages, at=1.0):
    return Admitted("fact", text, None, False, 0.9, messages, at, None, None)


@pytest.fixture
def proposed(memory):
    """A session with what a model made of it in its log."""
    memory.say("let's go with the blue giraffe then", "and Alice will do the rest", "fine with me")
    first, second, _ = (record.message_id for record in raw_log.read(memory.paths.log_file("s")))
    memories = [
        proposal("The team chose the giraffe plan", first, at=memory.at),
        proposal("Alice does the remaining work", second, at=memory.at),
        proposal("Alice carries out the chosen plan", first, second, at=memory.at),
    ]
    line = stage2_record.as_record("call1", memory.at, "test", Usage("m", 1, 1, 0.0), [first, second], memories)
    raw_log.append_lines(memory.paths, "s", [line])
    memory.consolidate()
    assert len(memory.statements()) == 3
    return memory


def texts(memory):
    return [text for text, _ in memory.statements()]


def test_what_a_model_made_of_it_goes_with_the_words(proposed):
    delete(proposed, match="giraffe")
    assert texts(proposed) == ["Alice does the remaining work", "Alice carries out the chosen plan"]
    assert found_in(proposed, "giraffe") == set()
    before = picture(proposed.paths)
    assert differences(before, rebuilt(proposed)) == {}


def test_what_a_model_made_of_a_message_goes_with_it(proposed):
    ((uid,),) = proposed.rows("uid", "text LIKE 'let%'")
    delete(proposed, ids=(uid,))
    assert texts(proposed) == ["Alice does the remaining work", "Alice carries out the chosen plan"]
    assert "giraffe" not in open(proposed.paths.log_file("s")).read()
    before = picture(proposed.paths)
    assert differences(before, rebuilt(proposed)) == {}


def test_one_of_its_memories_goes_with_the_messages_it_was_made_of(proposed):
    ((uid,),) = proposed.rows("uid", "text = 'The team chose the giraffe plan'")
    delete(proposed, ids=(uid,))
    assert found_in(proposed, "giraffe") == set()
    assert len(log_lines(proposed, "s")) == 2
    shutil.rmtree(proposed.paths.graph)
    proposed.consolidate()
    assert "The team chose the giraffe plan" not in texts(proposed)
    assert deletion.verify(proposed.paths, proposed.config, []).real() == []
