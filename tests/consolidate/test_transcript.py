import json

import pytest
from transcripts import EVALUATION, FIRST_AT, Transcript

from awhm_hooks.consolidate import transcript
from awhm_hooks.consolidate.transcript import BadLine, Line, as_record, moment
from awhm_hooks.journal import raw_log

pytestmark = pytest.mark.filterwarnings("error")


def read(path):
    found = list(transcript.read(str(path)))
    return [one for one in found if isinstance(one, Line)], [one for one in found if isinstance(one, BadLine)]


def texts(path):
    return [line.text for line in read(path)[0]]


TOOL_RESULT = [{"type": "tool_result", "tool_use_id": "t", "content": "I prefer tabs."}]
# What a line is, and the text that is taken from it; None where it is passed over without a word.
LINES = [
    ("a prompt of the current client", "user", "Use port 8443.", {"promptSource": "typed"}, "Use port 8443."),
    ("a prompt as blocks", "user", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], {}, "one\ntwo"),
    ("a prompt as plain strings in an array", "user", ["one", "two"], {}, "one\ntwo"),
    ("a prompt with an image", "user", [{"type": "image", "source": {}}, {"type": "text", "text": "see"}], {}, "see"),
    ("an image alone", "user", [{"type": "image", "source": {}}], {}, None),
    ("a reply", "assistant", [{"type": "text", "text": "Done."}], {}, "Done."),
    ("a reply as a string", "assistant", "Done.", {}, "Done."),
    ("thinking", "assistant", [{"type": "thinking", "thinking": "hm"}], {}, None),
    ("a tool's call", "assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}], {}, None),
    ("text before a tool's call", "assistant", [{"type": "text", "text": "Let me see."}, {"type": "tool_use"}], {},
     "Let me see."),
    ("a tool's answer", "user", TOOL_RESULT, {"toolUseResult": {"stdout": "x"}}, None),
    ("a tool's answer of older clients", "user", TOOL_RESULT, {}, None),
    ("a subagent's prompt", "user", "Warmup", {"isSidechain": True}, None),
    ("a subagent's reply", "assistant", "Ready.", {"isSidechain": True, "agentId": "b1"}, None),
    ("a note of the client's", "user", "Caveat: …", {"isMeta": True}, None),
    ("a summary", "user", "This session is being continued from …", {"isCompactSummary": True}, None),
    ("an older client's summary", "user", "This session is being continued from a previous conversation.", {}, None),
    ("a notice", "user", "<task-notification>x</task-notification>", {"origin": {"kind": "task-notification"}}, None),
    ("a prompt of the harness", "user", "go on", {"turnOrigin": "harness"}, None),
    ("a shell line", "user", "<bash-input>ls</bash-input>", {}, None),
    ("a command", "user", "<command-name>/model</command-name><command-message>m</command-message>", {}, None),
    ("an interruption", "user", [{"type": "text", "text": "[Request interrupted by user]"}], {}, None),
    ("an API error", "assistant", "API Error: 429", {"isApiErrorMessage": True}, None),
    ("another type", "system", "PostToolUse …", {}, None),
    ("what no client writes yet", "thought-balloon", "x", {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "content", "more", "text"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_only_what_a_person_or_the_model_said_is_read(tmp_path, kind, content, more, text):
    path = Transcript(tmp_path / "t.jsonl").add(kind, content, **more).write()
    lines, bad = read(path)
    assert [line.text for line in lines] == ([] if text is None else [text])
    assert bad == []


# A line that is none, and the reason that is given.
BAD_LINES = [
    ('{"type": "user", "message": {"role": "us', "cut off, no JSON: Unterminated string"),
    ("junk\n", "no JSON: Expecting value at column 1"),
    ('"massive error"\n', "not a JSON object"),
    ("42\n", "not a JSON object"),
    ('{"silly": "this"}\n', "no type"),
    ('{"type": "user", "message": "error"}\n', "a line of type user without a message"),
    ('{"type": "assistant", "message": {"contenst": []}}\n', "a line of type assistant without a message"),
    ("\x00\x00\x00\n", "no JSON"),
    ('{"type": "user", "message": {"content": "' + "[" * 9000 + '"\n', "no JSON"),
    ("[" * 200_000 + "\n", "no JSON"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path, line, reason):
    path = Transcript(tmp_path / "t.jsonl").user("one").reply("two").write()
    with open(path, "a") as file:
        file.write(line)
    lines, bad = read(path)
    assert [said.text for said in lines] == ["one", "two"]
    assert [one.number for one in bad] == [3]
    assert bad[0].reason.startswith(reason)


def test_a_missing_file_has_no_messages(tmp_path):
    assert read(tmp_path / "none.jsonl") == ([], [])


def test_a_message_without_a_time_has_that_of_the_line_before_it(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").user("one").user("two", timestamp=None).user("three").write()
    lines, _ = read(path)
    assert [round(line.at - FIRST_AT) for line in lines] == [60, 60, 180]
    assert [line.is_dated for line in lines] == [True, False, True]


def test_messages_before_the_first_time_have_that_time(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").user("one", timestamp=None).user("two", timestamp="soon").user("three")
    lines, _ = read(path.write())
    assert [(line.text, round(line.at - FIRST_AT)) for line in lines] == [("one", 180), ("two", 180), ("three", 180)]


def test_a_file_without_any_time_dates_nothing(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").user("one", timestamp=None).reply("two", timestamp=None).write()
    lines, bad = read(path)
    assert lines == []
    assert [(one.number, "no timestamp" in one.reason) for one in bad] == [(1, True), (2, True)]


def test_a_secret_does_not_leave_the_reader(tmp_path):
    key = "ghp_" + "a1B2" * 9
    path = Transcript(tmp_path / "t.jsonl").user(f"Use {key} here <private>and hush</private>").write()
    (text,) = texts(path)
    assert key not in text and "hush" not in text


def test_a_lone_surrogate_is_no_obstacle(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").raw('{"type":"user","message":{"content":"a\\ud800b"},"uuid":"u",'
                                                '"timestamp":"2025-01-01T00:00:00Z"}').write()  # fmt: skip
    (text,) = texts(path)
    text.encode("utf-8")


MOMENTS = [
    ("2025-06-14T10:02:00Z", 1749895320.0),
    ("2025-06-14T10:02:00.500+02:00", 1749888120.5),
    ("2025-06-14T10:02:00", None),
    ("yesterday", None),
    ("", None),
    (1749895320, None),
    (None, None),
    ("0001-01-01T00:00:00+14:00", None),
]


@pytest.mark.parametrize(("value", "at"), MOMENTS)
def test_a_time_needs_its_zone(value, at):
    assert moment(value) == at


def test_a_record_is_what_a_hook_would_have_logged(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").user("ok", promptId="p").reply("Done.").write()
    prompt, reply = (as_record(line, "/home/dev") for line in read(path)[0])
    assert prompt["quiet"] is True and "quiet" not in reply
    assert (prompt["prompt_id"], reply["prompt_id"]) == ("p", "p")
    assert list(prompt)[-2:] == ["project", "id"], "the raw log looks for them from the line's end"
    assert prompt["id"] == f"us1-0000:{raw_log.fingerprint('user', 'ok')}"


def test_a_line_without_a_uuid_is_known_by_its_time(tmp_path):
    path = Transcript(tmp_path / "t.jsonl").user("one", uuid=None).write()
    (line,) = read(path)[0]
    assert as_record(line, "")["id"] == f"t{int(line.at * 1000)}:{raw_log.fingerprint('user', 'one')}"


# (file, prompts, replies, bad lines)
RECORDED = [
    ("d-kimuson_claude-code-viewer/1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl", 0, 3, 0),
    ("d-kimuson_claude-code-viewer/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl", 1, 7, 0),
    ("daaain_claude-code-log/edge_cases.jsonl", 3, 2, 5),
    ("daaain_claude-code-log/representative_messages.jsonl", 4, 3, 0),
    ("daaain_claude-code-log/todowrite_examples.jsonl", 2, 3, 0),
    ("daaain_claude-code-log/message_types/user_user_sidechain.jsonl", 0, 0, 0),
    ("daaain_claude-code-log/message_types/user_user_slash_command.jsonl", 0, 0, 0),
    ("simonw_claude-code-transcripts/sample_session.jsonl", 2, 2, 0),
    ("yaleh_meta-cc/session-with-errors.jsonl", 1, 7, 0),
]


@pytest.mark.parametrize(("name", "prompts", "replies", "bad_lines"), RECORDED)
def test_recorded_sessions_of_older_clients(name, prompts, replies, bad_lines):
    lines, bad = read(EVALUATION / name)
    roles = [line.role for line in lines]
    assert (roles.count("user"), roles.count("assistant"), len(bad)) == (prompts, replies, bad_lines)


def test_the_other_types_are_passed_over_unparsed(tmp_path):
    """Some of them hold megabytes; a line that is cut off is still reported."""
    path = Transcript(tmp_path / "t.jsonl").raw(json.dumps({"type": "attachment", "rendered": "x"})).user("one").write()
    with open(path, "a") as file:
        file.write('{"type": "attachment", "rendered": "xxxx')
    lines, bad = read(path)
    assert ([line.text for line in lines], [one.number for one in bad]) == (["one"], [3])
