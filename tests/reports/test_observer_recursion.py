"""A model call of our own starts no hook of ours and touches no session but its own."""

import time

import claude_stub
import pytest
from conftest import hook_command

from reports.person import Person
from reports.watching import started

MARKERS = ["AWHM_IN_STAGE2", "AWHM_HOOK_ACTIVE"]


def inner_steps(person, session, **how):
    """What a client inside the call would do: all four hooks, in a session of its own."""
    fields = {
        "session-start": {"source": "startup"},
        "prompt": {"prompt": "Inner prompt: the port is 9999."},
        "stop": {"last_assistant_message": "Inner reply."},
        "session-end": {"reason": "other"},
    }
    return [
        {"argv": hook_command(event), "payload": person.payload(event, session, **more), **how}
        for event, more in fields.items()
    ]


def calls_are_made(stub, count):
    end = time.monotonic() + 90
    while len(stub.calls) < count:
        assert time.monotonic() < end, stub.calls
        time.sleep(0.1)


WAYS = {
    "the case": {},
    "the marker taken away": {"without": MARKERS},
    "most of the environment cleared": {"only": ["PATH", "HOME", "AWHM_DATA_DIR", "AWHM_MODELS_DIR"]},
}


@pytest.mark.report("AWHM-P013")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("switch", ["variable", "option"])
def test_the_call_at_a_session_s_end_ends_no_session_of_ours(tmp_path, way, switch):
    stub = claude_stub.make(tmp_path / "stub")
    on = {"AWHM_STAGE2": "1"} if switch == "variable" else {}
    person = Person(tmp_path, AWHM_STAGE2_COMMAND=stub.path, **on)
    stub.plays({**claude_stub.answer(), "run": inner_steps(person, "inner-1", **WAYS[way])})
    person.says("Let's go with Rust then.")
    command = [*hook_command("session-end"), *([] if on else ["--stage2"])]
    assert started(person, command, person.payload("session-end", "s-1", reason="prompt_input_exit")).returncode == 0
    calls_are_made(stub, 1)
    person.waits_for_all_processes()
    assert len(stub.calls) == 1
    assert {path.name for path in (person.data_dir / "logs").iterdir()} == {"claude-s-1.jsonl"}
    assert person.files_with("Inner prompt") == []
    settings = stub.calls[0]["argv"][stub.calls[0]["argv"].index("--settings") + 1]
    assert '"disableAllHooks":true' in settings.replace(" ", "")
    assert any(marker in stub.calls[0]["env"] for marker in MARKERS)


PREFERRED = [
    ("I prefer 2-space indents.", "indent preference?", "2-space"),
    ("Ich bevorzuge Tabs zum Einrücken.", "Womit rücke ich ein, was bevorzuge ich?", "Tabs"),
    ("Prefiero las comillas simples.", "¿qué comillas prefiero?", "simples"),
]


@pytest.mark.report("AWHM-P015")
@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize(("said", "asked", "part"), PREFERRED, ids=["case", "German", "Spanish"])
def test_a_child_s_hooks_leave_the_parent_s_session_alone(person, said, asked, part, marker):
    person.says(said)
    before = {path: path.read_bytes() for path in person.files()}
    assert person.begins("child-9", env={marker: "1"}).stdout == b""
    assert person.leaves("child-9", wait=False, env={marker: "1"}).stdout == b""
    person.waits_for_all_processes()
    assert {path: path.read_bytes() for path in person.files()} == before
    assert part in person.says(asked, "s-2").context
    assert person.messages("s-1") == [("user", said)]
