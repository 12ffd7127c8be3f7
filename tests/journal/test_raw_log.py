import json
import multiprocessing
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path / "data"))


def say(paths, text, role="user", at=1_000.0, prompt_id="p1", session="s", project="/p"):
    return raw_log.append_message(paths, session, role, text, at, prompt_id, project, "/p")


def texts(paths, session="s"):
    return [(record.role, record.text) for record in raw_log.read(paths.log_file(session)) if record.kind == "message"]


def test_messages_are_kept_in_order_one_line_each(paths):
    say(paths, "hello\nthere")
    say(paths, "hi", "assistant")
    assert texts(paths) == [("user", "hello\nthere"), ("assistant", "hi")]
    lines = open(paths.log_file("s"), "rb").read().splitlines()
    assert len(lines) == 2 and all(json.loads(line) for line in lines)
    assert os.stat(paths.log_file("s")).st_mode & 0o777 == 0o600


def test_the_same_message_is_kept_once(paths):
    assert not say(paths, "hello").duplicate
    assert say(paths, "hello").duplicate
    assert not say(paths, "hello", prompt_id="p2").duplicate
    assert not say(paths, "hello", role="assistant").duplicate
    assert len(texts(paths)) == 3


def test_queued_prompts_share_a_prompt_id_and_are_all_kept(paths):
    say(paths, "one")
    say(paths, "two")
    assert [text for _, text in texts(paths)] == ["one", "two"]


def test_without_a_prompt_id_a_prompt_repeats_within_two_seconds_and_a_reply_in_a_row(paths):
    assert not say(paths, "continue", prompt_id="", at=10.0).duplicate
    assert say(paths, "continue", prompt_id="", at=10.02).duplicate
    assert not say(paths, "ok", "assistant", prompt_id="", at=11.0).duplicate
    assert say(paths, "ok", "assistant", prompt_id="", at=400.0).duplicate
    assert not say(paths, "continue", prompt_id="", at=500.0).duplicate
    assert not say(paths, "ok", "assistant", prompt_id="", at=600.0).duplicate


def test_a_torn_last_line_is_ignored_and_not_joined(paths):
    say(paths, "one")
    with open(paths.log_file("s"), "ab") as file:
        file.write(b'{"kind":"message","role":"user","text":"to')
    say(paths, "two", prompt_id="p2")
    assert [text for _, text in texts(paths)] == ["one", "two"]


def test_damaged_lines_are_passed_over(paths):
    say(paths, "one")
    with open(paths.log_file("s"), "ab") as file:
        file.write(b'\xff\xfe\x00\n[1,2]\n"x"\n\n')
    say(paths, "two", prompt_id="p2")
    assert [text for _, text in texts(paths)] == ["one", "two"]


def test_a_session_keeps_the_project_that_it_began_in(paths):
    say(paths, "x" * 50_000, project="/first")
    appended = say(paths, "two", prompt_id="p2", project="/second")
    assert appended.project == "/first"
    say(paths, "y" * 50_000, prompt_id="p3", project="/third")
    assert say(paths, "three", prompt_id="p4", project="/third").project == "/first"
    assert {record.project for record in raw_log.read(paths.log_file("s"))} == {"/first"}


def test_offsets_read_single_records_back(paths):
    say(paths, "one")
    second = say(paths, "two", prompt_id="p2")
    say(paths, "three", prompt_id="p3")
    (record,) = raw_log.read(paths.log_file("s"), second.begin, second.end)
    assert record.text == "two" and record.message_id == second.message_id


def test_an_unfinished_last_line_is_not_counted_as_whole(paths):
    end = say(paths, "one").end
    with open(paths.log_file("s"), "ab") as file:
        file.write(b'{"kind"')
    assert raw_log.whole_bytes(paths.log_file("s")) == end
    assert raw_log.whole_bytes(paths.log_file("none")) == 0


def test_marks_are_kept_each_time(paths):
    raw_log.append_mark(paths, "s", raw_log.END, 5.0, "/p", {"reason": "resume"})
    raw_log.append_mark(paths, "s", raw_log.END, 6.0, "/p", {"reason": "other"})
    assert [record.fields["reason"] for record in raw_log.read(paths.log_file("s"))] == ["resume", "other"]


def test_what_did_not_fit_on_the_disk_is_taken_back(paths, monkeypatch):
    say(paths, "one")
    size = os.path.getsize(paths.log_file("s"))
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data)[:10]))
    with pytest.raises(OSError, match="space"):
        say(paths, "two", prompt_id="p2")
    monkeypatch.undo()
    assert os.path.getsize(paths.log_file("s")) == size


def hammer(data_dir, number, same):
    paths = Paths(data_dir)
    for n in range(20):
        raw_log.append_message(paths, "s", "user", f"same {n}" if same else f"{number} {n}", 1.0, f"p{n}", "/p", "/p")


@pytest.mark.parametrize(("same", "expected"), [(True, 20), (False, 160)])
def test_eight_writers_at_once_lose_nothing_and_repeat_nothing(paths, same, expected):
    context = multiprocessing.get_context("spawn")
    crowd = [context.Process(target=hammer, args=(paths.data_dir, i, same)) for i in range(8)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    data = open(paths.log_file("s"), "rb").read()
    assert data.count(b"\n") == expected
    assert len(texts(paths)) == expected


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=40)), max_size=12), st.data())
def test_a_log_cut_anywhere_gives_the_whole_lines_before_the_cut(tmp_path_factory, said, data):
    paths = Paths(str(tmp_path_factory.mktemp("log")))
    ends = [0]
    for n, (role, text) in enumerate(said):
        ends.append(say(paths, text, role, prompt_id=f"p{n}").end)
    if not said:
        return
    cut = data.draw(st.integers(0, ends[-1]))
    os.truncate(paths.log_file("s"), cut)
    whole = sum(1 for end in ends[1:] if end <= cut + 1)  # a line is whole without its line end
    assert len(texts(paths)) == whole
    say(paths, "after", prompt_id="later")
    assert len(texts(paths)) == whole + 1
