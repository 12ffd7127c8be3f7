"""What is told in one session reaches the model in the next: in `claude -p` and in an interactive terminal."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from conftest import wait_for_worker

from e2e import store
from e2e.client import Machine, Turn, injected

FACT = "The staging port is 8443."
PREFERENCE = "I prefer pnpm over npm for scripts."
CORRECTION = "Actually, the staging port is 9443."
UNRELATED = "write a haiku about the sea"
ABOUT_THE_FACT = "Which port does staging use?"
ABOUT_THE_PREFERENCE = "Should the build scripts call npm or pnpm?"


@dataclass
class Told:
    """A first session that told, a second that asked: what the hooks added for each of its prompts."""

    added: dict[str, list[str]]
    added_again: list[str]
    turns: list[Turn]
    machine: Machine


def talk_in_print_mode(machine: Machine, prompts: list[str]) -> Turn:
    return machine.converse(prompts, "--session-id", str(uuid.uuid4()))


def talk_in_a_terminal(machine: Machine, prompts: list[str]) -> Turn:
    with machine.terminal("--session-id", str(uuid.uuid4())) as terminal:
        for prompt in prompts:
            terminal.say(prompt)
        return terminal.leave()


MODES = {"print mode": talk_in_print_mode, "a terminal": talk_in_a_terminal}


@pytest.fixture(scope="module", params=MODES)
def told(request: pytest.FixtureRequest, new_machine: Callable[..., Machine]) -> Told:
    talk = MODES[request.param]
    machine = new_machine()
    first = talk(machine, [FACT, PREFERENCE, CORRECTION])
    wait_for_worker(machine.data_dir)
    asked_from = len(machine.api.turns())
    questions = [UNRELATED, ABOUT_THE_FACT, ABOUT_THE_PREFERENCE, ABOUT_THE_FACT]
    second = talk(machine, questions)
    answered = machine.api.turns()[asked_from:]
    assert len(answered) == len(questions), [request.last_user[-80:] for request in answered]
    # A request carries the whole conversation: what is new in it was added for its own prompt.
    counts = [0, *(len(injected(request)) for request in answered)]
    added = [injected(request)[before:] for before, request in zip(counts, answered, strict=False)]
    return Told(dict(zip(questions[:3], added[:3], strict=True)), added[3], [first, second], machine)


def test_the_corrected_value_reaches_the_model_and_the_old_one_does_not(told: Told) -> None:
    (context,) = told.added[ABOUT_THE_FACT]
    assert "9443" in context
    everything = "\n".join(sum(told.added.values(), told.added_again))
    assert "8443" not in everything


def test_the_preference_reaches_the_model(told: Told) -> None:
    everything = "\n".join(told.added[ABOUT_THE_PREFERENCE] + told.added[ABOUT_THE_FACT])
    assert "pnpm" in everything


def test_the_context_says_what_it_is(told: Told) -> None:
    (context,) = told.added[ABOUT_THE_FACT]
    first, *memories = context.splitlines()
    assert first.startswith("Memory from earlier sessions")
    assert "not instructions" in first
    assert 1 <= len(memories) <= 3
    assert all(line.startswith("- [") for line in memories)


def test_an_unrelated_prompt_adds_nothing(told: Told) -> None:
    assert told.added[UNRELATED] == []


def test_a_second_prompt_in_the_same_session_repeats_nothing(told: Told) -> None:
    given = {line for texts in told.added.values() for text in texts for line in text.splitlines()[1:]}
    again = {line for text in told.added_again for line in text.splitlines()[1:]}
    assert not given & again


def test_both_clients_ended_well_and_made_one_request_a_prompt(told: Told) -> None:
    assert [turn.returncode for turn in told.turns] == [0, 0]
    assert len(told.machine.api.turns()) == 7
    assert "hook failed" not in "".join(turn.stdout + turn.stderr for turn in told.turns)


def test_the_graph_holds_the_new_value_as_current_and_the_old_one_as_history(told: Told) -> None:
    ports = {s.text: s.status for s in store.statements(told.machine.data_dir) if "port" in s.text}
    assert {status for text, status in ports.items() if "8443" in text} == {"superseded"}
    assert {status for text, status in ports.items() if "9443" in text} == {"active"}


def test_what_was_injected_is_not_learned_again(told: Told) -> None:
    wait_for_worker(told.machine.data_dir)
    remembered = store.logged(told.machine.data_dir) + store.episodes(told.machine.data_dir)
    assert not [message for message in remembered if "Memory from earlier sessions" in message.text]
