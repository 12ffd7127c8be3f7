"""Each message is kept exactly once, however the session went on: resumed, continued, forked, queued, interrupted."""

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from conftest import wait_for_worker

from e2e import store
from e2e.client import Machine, injected
from e2e.conftest import own_settings
from e2e.fake_api import Rule


def replies(*pairs: tuple[str, str]) -> list[Rule]:
    """A reply of its own to each prompt, so that replies can be counted too."""
    return [Rule(last_user=rf"{prompt}\s*$", text=reply) for prompt, reply in pairs]


@dataclass
class Resumed:
    machine: Machine
    session: str
    said: dict[str, str]


@pytest.fixture(scope="module")
def resumed(new_machine: Callable[..., Machine]) -> Resumed:
    """One session over three processes, so with three SessionEnds, then a fork of it."""
    said = {
        "My editor is Helix.": "Helix it is.",
        "Actually, my editor is Zed.": "Zed then.",
        "The cache lives in Valkey.": "Valkey noted.",
        "The queue runs on NATS.": "NATS noted.",
    }
    machine, session = new_machine(), str(uuid.uuid4())
    machine.api.rules += replies(*said.items())
    for prompt, args in zip(
        said,
        [["--session-id", session], ["--continue"], ["--resume", session], ["--resume", session, "--fork-session"]],
        strict=True,
    ):
        assert machine.ask(prompt, *args).returncode == 0
    wait_for_worker(machine.data_dir)
    return Resumed(machine, session, said)


def test_a_resumed_continued_and_forked_session_is_logged_once(resumed: Resumed) -> None:
    messages = Counter((message.role, message.text) for message in store.logged(resumed.machine.data_dir))
    assert messages == Counter(
        [("user", prompt) for prompt in resumed.said] + [("assistant", reply) for reply in resumed.said.values()]
    )


def test_a_resumed_continued_and_forked_session_is_in_the_graph_once(resumed: Resumed) -> None:
    messages = Counter((message.role, message.text) for message in store.episodes(resumed.machine.data_dir))
    assert messages == Counter(
        [("user", prompt) for prompt in resumed.said] + [("assistant", reply) for reply in resumed.said.values()]
    )


def test_a_fork_is_a_session_of_its_own(resumed: Resumed) -> None:
    sessions = {message.text: message.session for message in store.logged(resumed.machine.data_dir)}
    first, *later = [sessions[prompt] for prompt in resumed.said]
    assert first.endswith(resumed.session)
    assert later[:2] == [first, first]
    assert later[2] != first


@pytest.mark.report("AWHM-P012")
def test_a_correction_after_a_session_end_wins(resumed: Resumed) -> None:
    editors = {s.text: s.status for s in store.statements(resumed.machine.data_dir) if "editor" in s.text}
    assert {status for text, status in editors.items() if "Helix" in text} == {"superseded"}
    assert {status for text, status in editors.items() if "Zed" in text} == {"active"}


@dataclass
class Busy:
    machine: Machine
    screen: str


QUEUED = ["The release train leaves on Tuesday.", "The changelog is written by hand."]
INTERRUPTED = "The flag service is called Unleash."
AFTER_ESCAPE = "The log store is Loki."


@pytest.fixture(scope="module")
def busy(new_machine: Callable[..., Machine]) -> Busy:
    """A terminal where two prompts are typed while the model works on a first, and a later one is interrupted."""
    machine = new_machine()
    working, interrupted = threading.Event(), threading.Event()
    machine.api.rules += [
        Rule(last_user=r"a long task\s*$", text="Long task done.", hold=working),
        Rule(last_user=rf"{INTERRUPTED}\s*$", text="Unleash noted.", hold=interrupted),
        *replies((QUEUED[1], "Both noted."), (AFTER_ESCAPE, "Loki noted.")),
    ]
    turns = machine.api.turns
    with machine.terminal() as terminal:
        terminal.submit("start a long task")
        terminal.wait_for(lambda: len(turns()) == 1, "the first request")
        for count, prompt in enumerate(QUEUED, 2):
            terminal.submit(prompt)
            terminal.wait_for(lambda n=count: len(store.logged(machine.data_dir)) == n, "the queued prompt's hook")  # type: ignore[misc]
        working.set()
        terminal.wait_for(lambda: len(turns()) == 2, "the request for the queued prompts")
        terminal.wait_quiet()

        terminal.submit(INTERRUPTED)
        terminal.wait_for(lambda: len(turns()) == 3, "the request to interrupt")
        terminal.keys("\x1b")
        terminal.wait_quiet()
        interrupted.set()
        terminal.keys("\x15")  # the prompt may have come back into the input line
        time.sleep(0.3)
        terminal.say(AFTER_ESCAPE)
        turn = terminal.leave()
    assert turn.returncode == 0
    wait_for_worker(machine.data_dir)
    return Busy(machine, turn.stdout)


PROMPTS_OF_THE_TERMINAL = ["start a long task", *QUEUED, INTERRUPTED, AFTER_ESCAPE]


def test_queued_and_interrupted_prompts_are_logged_once_and_in_order(busy: Busy) -> None:
    said = [message.text for message in store.logged(busy.machine.data_dir) if message.role == "user"]
    assert said == PROMPTS_OF_THE_TERMINAL


def test_queued_and_interrupted_prompts_are_in_the_graph_once(busy: Busy) -> None:
    said = [message.text for message in store.episodes(busy.machine.data_dir) if message.role == "user"]
    assert sorted(said) == sorted(PROMPTS_OF_THE_TERMINAL)


def test_each_finished_reply_is_kept_once_and_an_interrupted_one_not_at_all(busy: Busy) -> None:
    said = Counter(message.text for message in store.logged(busy.machine.data_dir) if message.role == "assistant")
    assert said == Counter(["Long task done.", "Both noted.", "Loki noted."])


def doubled(settings: dict[str, Any]) -> dict[str, Any]:
    """The same hooks a second time, written another way: the client runs identical entries once."""
    twice = deepcopy(settings)
    for groups in twice["hooks"].values():
        for group in deepcopy(groups):
            for entry in group["hooks"]:
                entry["args"] = ["-B", *entry["args"]]
            groups.append(group)
    return twice


@pytest.mark.report("AWHM-P019")
def test_hooks_registered_twice_keep_and_hand_back_everything_once(new_machine: Callable[..., Machine]) -> None:
    machine = new_machine(doubled(own_settings()))
    machine.ask("I always squash-merge feature branches.")
    machine.ask("How should I merge feature branches?")
    wait_for_worker(machine.data_dir)
    for kept in (store.logged(machine.data_dir), store.episodes(machine.data_dir)):
        assert len(kept) == len(set(kept)) == 4, kept
    (context,) = injected(machine.api.turns()[-1])
    assert context.count("squash-merge") == 1
