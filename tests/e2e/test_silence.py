"""With the real client: what was said while memory was silent is nowhere, though the client's transcript holds it."""

import shutil
from collections.abc import Callable

import pytest
from conftest import Awhm, wait_for_worker

from e2e import store
from e2e.client import Conversation, Machine, injected

FACT = "The staging port is 8443."
SECRET = "The client's code name is Falcon."
LATER = "The production port is 443."
QUESTION = "Which port does staging use?"


def everything(machine: Machine) -> bytes:
    return b"".join(path.read_bytes() for path in machine.data_dir.rglob("*") if path.is_file())


def told(machine: Machine, since: int) -> str:
    return "\n".join(text for request in machine.api.turns()[since:] for text in injected(request))


@pytest.fixture
def machine(new_machine: Callable[..., Machine]) -> Machine:
    return new_machine()


@pytest.mark.parametrize("way", ["pause", "ignore file"])
def test_a_silent_stretch_of_a_session_does_not_come_back_from_its_transcript(machine: Machine, way: str) -> None:
    awhm = Awhm(machine.home, machine.data_dir)
    mark = machine.project / ".awhmignore"
    with Conversation(machine) as conversation:
        conversation.say(FACT)
        if way == "pause":
            assert awhm("pause").returncode == 0
        else:
            mark.touch()
        conversation.say(SECRET)
        if way == "pause":
            assert awhm("resume").returncode == 0
        else:
            mark.unlink()
        conversation.say(LATER)
        assert conversation.leave().returncode == 0
    wait_for_worker(machine.data_dir)
    said = [message.text for message in store.logged(machine.data_dir) if message.role == "user"]
    assert said == [FACT, LATER]
    assert b"Falcon" not in everything(machine)
    transcripts = (machine.home / ".claude" / "projects").rglob("*.jsonl")
    assert any("Falcon" in path.read_text("utf-8") for path in transcripts), "the client keeps it"


def test_an_excluded_project_is_neither_heard_nor_answered(machine: Machine) -> None:
    assert machine.ask(FACT).returncode == 0
    wait_for_worker(machine.data_dir)
    before, asked_from = everything(machine), len(machine.api.turns())
    (machine.project / ".awhmignore").touch()
    turn = machine.ask(QUESTION)
    assert (turn.returncode, told(machine, asked_from)) == (0, "")
    assert "hook" not in turn.stderr
    assert everything(machine) == before
    (machine.project / ".awhmignore").unlink()
    machine.ask(QUESTION)
    assert "8443" in told(machine, asked_from)
    wait_for_worker(machine.data_dir)


@pytest.mark.report("AWHM-P046")
def test_a_deleted_memory_stays_deleted_and_init_begins_with_nothing(machine: Machine) -> None:
    assert machine.ask(FACT).returncode == 0
    wait_for_worker(machine.data_dir)
    shutil.rmtree(machine.data_dir)
    asked_from = len(machine.api.turns())
    assert machine.ask(QUESTION).returncode == 0
    assert not machine.data_dir.exists()
    assert Awhm(machine.home, machine.data_dir)("init").returncode == 0
    assert machine.ask(QUESTION).returncode == 0
    wait_for_worker(machine.data_dir)
    assert told(machine, asked_from) == ""
    assert [message.text for message in store.logged(machine.data_dir) if message.role == "user"] == [QUESTION]
