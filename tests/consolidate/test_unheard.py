"""What was said while memory was silent is in the transcript, and does not come back from there."""

import json
from datetime import UTC, datetime

import pytest

from awhm_hooks.journal import raw_log
from awhm_hooks.manage import pausing

BEGIN = 1_772_000_000.0


def line(number, at, text, role="user", cwd="/p", prompt_id=""):
    return {
        "type": role,
        "uuid": f"u{number}",
        "promptId": prompt_id or f"p{number}",
        "timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z"),
        "message": {"role": role, "content": text},
        "cwd": cwd,
        "sessionId": "s",
    }


@pytest.fixture
def session(memory, tmp_path):
    """A session that began and ended with hooks; what its transcript holds is the test's."""
    transcript = tmp_path / "t.jsonl"

    def run(lines, marks=()):
        transcript.write_text("".join(json.dumps(one) + "\n" for one in lines))
        fields = {"source": "startup", "transcript": str(transcript)}
        raw_log.append_mark(memory.paths, "s", raw_log.START, BEGIN, "/p", fields)
        for at, prompt_id in marks:
            raw_log.append_mark(memory.paths, "s", raw_log.SILENT, at, "", {"prompt_id": prompt_id})
        memory.say("The staging port is 8443.", at=BEGIN + 100)
        raw_log.append_mark(memory.paths, "s", raw_log.END, BEGIN + 1000, "/p", {"reason": "other"})
        memory.consolidate()
        return [text for (text,) in memory.rows("text", "family = 'message'")]

    return run


HEARD = [line(1, BEGIN + 100, "The staging port is 8443."), line(2, BEGIN + 500, "A hook that was killed lost this.")]
TEXTS = ["The staging port is 8443.", "A hook that was killed lost this."]


def test_without_a_silence_the_transcript_completes_the_log(session):
    assert sorted(session(HEARD)) == sorted(TEXTS)


@pytest.mark.parametrize("project", ["", "/p", "/elsewhere"])
def test_a_paused_stretch_does_not_come_back(session, memory, project):
    pausing.pause(memory.paths, {"HOME": memory.paths.data_dir}, project, BEGIN + 200, for_s=100)
    secret = [line(3, BEGIN + 201, "The code name is Falcon."), line(4, BEGIN + 299, "Falcon it is.", "assistant")]
    found = session(HEARD + secret)
    assert ("The code name is Falcon." in found) is (project == "/elsewhere")
    assert set(TEXTS) <= set(found)


def test_a_pause_that_a_person_ended_is_a_stretch_too(session, memory):
    environ = {"HOME": memory.paths.data_dir}
    pausing.pause(memory.paths, environ, "", BEGIN + 200)
    pausing.resume(memory.paths, "", BEGIN + 300)
    found = session(
        [*HEARD, line(3, BEGIN + 250, "The code name is Falcon."), line(4, BEGIN + 300, "Back again, all.")]
    )
    assert sorted(found) == sorted([*TEXTS, "Back again, all."])


def test_what_was_said_in_an_excluded_directory_does_not_come_back(session, memory, tmp_path):
    (tmp_path / "clients" / "acme").mkdir(parents=True)
    memory.config = memory.config.with_values(exclude=(f"{tmp_path}/clients",))
    secret = line(3, BEGIN + 250, "The code name is Falcon.", cwd=str(tmp_path / "clients" / "acme"))
    assert sorted(session([*HEARD, secret])) == sorted(TEXTS)


def test_a_silence_that_was_lifted_since_holds_for_its_turns(session):
    marks = [(BEGIN + 10, "p3"), (BEGIN + 20, "p3")]
    secret = [
        line(3, BEGIN + 10.001, "The code name is Falcon."),
        line(4, BEGIN + 15, "Falcon it is.", "assistant", prompt_id="p3"),
        line(5, BEGIN + 30, "Text without a hook of its own."),
    ]
    assert sorted(session(HEARD + secret, marks)) == sorted(TEXTS)


def test_a_reply_under_way_when_the_silence_began_is_not_taken_either(session):
    late = line(3, BEGIN + 700, "Falcon, as I was saying.", "assistant", prompt_id="p9")
    assert sorted(session([*HEARD, late], [(BEGIN + 10, "p9")])) == sorted(TEXTS)
