"""A memory is handed back once in a context window: again only after /clear or a compaction emptied it."""

import uuid
from collections.abc import Callable

import pytest
from conftest import wait_for_worker

from e2e.client import Machine, injected
from e2e.fake_api import Rule

FACT = "CI runs on self-hosted runners in Oslo."
QUESTION = "Which runners does CI use?"
SUMMARY = "<analysis>Short.</analysis><summary>They talked about continuous integration.</summary>"


@pytest.fixture(scope="module")
def contexts(new_machine: Callable[..., Machine]) -> list[list[str]]:
    """What each request carried: asked twice, twice after /clear, twice after /compact."""
    machine = new_machine()
    machine.ask(FACT)
    wait_for_worker(machine.data_dir)
    machine.api.rules.append(Rule(last_user="<summary>", text=SUMMARY))
    turns, seen = machine.api.turns, []
    with machine.terminal("--session-id", str(uuid.uuid4())) as terminal:
        for command, shown in (("", ""), ("/clear", ""), ("/compact", "Compacted")):
            if command:
                terminal.submit(command)
                terminal.wait_for(lambda text=shown: text in terminal.screen, command)  # type: ignore[misc]
                terminal.wait_quiet(1.0)
            for _ in range(2):
                terminal.say(QUESTION)
                seen.append(injected(turns()[-1]))
        assert terminal.leave().returncode == 0
    return seen


@pytest.mark.report("AWHM-P027")
def test_a_memory_is_added_once_in_a_window(contexts: list[list[str]]) -> None:
    first, second = contexts[:2]
    assert "Oslo" in "\n".join(first)
    assert second == first


@pytest.mark.parametrize(("emptied_by", "at"), [("/clear", 2), ("/compact", 4)])
def test_an_emptied_window_gets_the_memory_again_once(contexts: list[list[str]], emptied_by: str, at: int) -> None:
    first, second = contexts[at : at + 2]
    assert "Oslo" in "\n".join(first), emptied_by
    assert second == first
