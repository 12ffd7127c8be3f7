"""Recorded payloads through the real hooks."""

import json
import os

import pytest

from awhm_hooks.errors import AwhmError
from awhm_hooks.manage.demo import conversation
from awhm_hooks.manage.replay import Replayer, payloads
from awhm_hooks.paths import Paths

STOP = {"hook_event_name": "Stop"}


@pytest.fixture
def replayer(tmp_path, isolated_home):
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(isolated_home),
        "AWHM_SEMANTIC": "0",
        "AWHM_NER_LABELS": "",
        "AWHM_HOOK_ACTIVE": "1",
        "CLAUDE_PROJECT_DIR": "/somewhere/else",
        "AWHM_DATA_DIR": "/nowhere",
    }
    return Replayer(Paths(str(tmp_path / "data")), environ)


def event(name, session="r1", **fields):
    return {"hook_event_name": name, "session_id": session, "cwd": "/p", **fields}


# Reading payloads.


FORMS = [
    json.dumps(STOP),
    json.dumps(STOP, indent=2),
    f"\ufeff{json.dumps(STOP)}\r\n\r\n",
    json.dumps([STOP]),
]


@pytest.mark.parametrize("content", FORMS)
def test_one_payload_however_it_is_written(tmp_path, content):
    file = tmp_path / "one.json"
    file.write_text(content, encoding="utf-8")
    assert list(payloads(str(file))) == [STOP]


def test_several_one_a_line_or_in_an_array(tmp_path):
    several = [{**STOP, "n": n} for n in range(3)]
    for name, content in (("lines", "\n".join(map(json.dumps, several))), ("array", json.dumps(several))):
        (tmp_path / name).write_text(content)
        assert list(payloads(str(tmp_path / name))) == several


def test_an_empty_array_is_nothing(tmp_path):
    (tmp_path / "none.json").write_text("[]")
    assert list(payloads(str(tmp_path / "none.json"))) == []


BAD = [
    (b"{not json", ":1: "),
    (b'{"hook_event_name":"Stop"}\nnot json\n', ":2: "),
    (b'{"hook_event_name":"Stop"}\n"a text"\n', ":2: "),
    (b'{"event":"Stop"}', ":1: no payload: it needs a JSON object with hook_event_name"),
    (b'{"hook_event_name":7}', ":1: "),
    (b"7", ":1: "),
    (b"\xff\xfe\x00", ": "),
]


@pytest.mark.parametrize(("content", "place"), BAD)
def test_what_is_no_payload_is_refused_with_its_place(tmp_path, content, place):
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(AwhmError) as refused:
        list(payloads(str(file)))
    assert str(refused.value).startswith(f"{file}{place}")


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(AwhmError, match="no-such-file"):
        list(payloads("/no-such-file.jsonl"))


# Playing them.


def test_a_step_tells_what_its_hook_did(replayer):
    start = replayer.step(event("SessionStart", source="startup"))
    assert [entry["role"] for entry in start.logged] == ["start"]
    prompt = replayer.step(event("UserPromptSubmit", prompt="The staging port is 8443. I prefer tabs."))
    assert prompt.said == "The staging port is 8443. I prefer tabs."
    assert prompt.logged == [{"role": "user", "text": prompt.said}]
    assert [(one["family"], one["text"]) for one in prompt.captured] == [
        ("fact", "The staging port is 8443"),
        ("preference", "I prefer tabs"),
    ]
    assert (prompt.reply, prompt.exit_code, prompt.error) == ("", 0, "")
    assert 0 < prompt.seconds < 60
    stop = replayer.step(event("Stop", last_assistant_message="Noted."))
    assert (stop.logged, stop.captured, stop.reply) == ([{"role": "assistant", "text": "Noted."}], [], "")
    asked = replayer.step(event("UserPromptSubmit", "r2", prompt="Which port does staging use?"))
    assert "The staging port is 8443" in asked.reply
    end = replayer.step(event("SessionEnd", reason="other"))
    assert (end.consolidated["messages"], end.consolidated["statements"]) >= (2, 2)


def test_the_same_payload_again_logs_nothing(replayer):
    payload = event("UserPromptSubmit", prompt="The staging port is 8443.", prompt_id="p1")
    assert len(replayer.step(payload).logged) == 1
    assert replayer.step(payload).logged == []


@pytest.mark.parametrize("name", ["PreToolUse", "Notification", "no such event", ""])
def test_events_that_have_no_hook_of_ours_are_passed_over(replayer, tmp_path, name):
    step = replayer.step(event(name))
    assert "no hook of ours" in step.error and step.exit_code == 0
    assert not (tmp_path / "data").exists()


def test_its_own_directory_is_used_and_the_caller_s_guards_do_not_count(replayer, tmp_path):
    replayer.step(event("UserPromptSubmit", prompt="The staging port is 8443."))
    (log,) = (tmp_path / "data" / "logs").iterdir()
    assert json.loads(log.read_text())["project"] == "/p"


def test_a_payload_without_a_session_is_nothing(replayer):
    step = replayer.step({"hook_event_name": "UserPromptSubmit", "prompt": "The staging port is 8443."})
    assert (step.logged, step.exit_code) == ([], 0)


def test_the_demonstration_is_two_sessions_as_the_client_plays_them():
    played = list(conversation("/p"))
    names = [payload["hook_event_name"] for payload in played]
    assert names.count("SessionStart") == names.count("SessionEnd") == 2
    assert names[0] == "SessionStart" and names[-1] == "SessionEnd"
    assert len({payload["session_id"] for payload in played}) == 2
    assert {payload["cwd"] for payload in played} == {"/p"}
    prompts = [payload["prompt_id"] for payload in played if payload["hook_event_name"] == "UserPromptSubmit"]
    assert len(set(prompts)) == len(prompts)
