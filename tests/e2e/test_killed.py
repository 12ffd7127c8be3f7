"""SIGKILL of the client: nothing of the session is lost, though no Stop and no SessionEnd ever runs."""

import threading
from collections.abc import Callable

import pytest

from e2e import store
from e2e.client import Conversation, Machine, injected, kill_group, wait_until
from e2e.fake_api import Rule

ANSWERED = "We deploy from the release branch only."
UNANSWERED = "The staging database is called heron."
QUESTIONS = {"How do we deploy, from which branch?": "release branch", "Which database does staging use?": "heron"}


def killed_in_print_mode(machine: Machine) -> None:
    with Conversation(machine) as conversation:
        conversation.say(ANSWERED)
        conversation.send(UNANSWERED)
        wait_until(lambda: len(machine.api.turns()) == 2, "the second request")
        kill_group(conversation.process)


def killed_in_a_terminal(machine: Machine) -> None:
    with machine.terminal() as terminal:
        terminal.say(ANSWERED)
        terminal.submit(UNANSWERED)
        terminal.wait_for(lambda: len(machine.api.turns()) == 2, "the second request")
        kill_group(terminal.process)


MODES = {"print mode": killed_in_print_mode, "a terminal": killed_in_a_terminal}


@pytest.mark.report("AWHM-P010")
@pytest.mark.parametrize("mode", MODES)
def test_the_next_session_recalls_what_a_killed_one_was_told(mode: str, new_machine: Callable[..., Machine]) -> None:
    machine = new_machine()
    machine.api.rules.append(Rule(last_user=UNANSWERED, hold=threading.Event()))
    MODES[mode](machine)

    said = [message.text for message in store.logged(machine.data_dir) if message.role == "user"]
    assert said == [ANSWERED, UNANSWERED]

    before = len(machine.api.turns())
    turn = machine.converse(list(QUESTIONS))
    assert turn.returncode == 0
    answered = machine.api.turns()[before:]
    for (question, memory), request in zip(QUESTIONS.items(), answered, strict=True):
        assert memory in "\n".join(injected(request)), question
