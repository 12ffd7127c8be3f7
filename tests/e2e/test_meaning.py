"""Recall by meaning through the real client: no word of the question occurs in what was said."""

from collections.abc import Callable

import pytest
from conftest import Awhm, wait_for_worker

from e2e.client import Machine, injected

TOLD = "Helix is what I write code in."
PARAPHRASE = "which text editor am I used to?"
UNRELATED = "write a haiku about the sea"
SAME_WORDS = "What do I write code in?"


@pytest.fixture(scope="module")
def taught(new_machine: Callable[..., Machine]) -> Machine:
    machine = new_machine()
    prepared = Awhm(machine.home, machine.data_dir)("model", "prepare")
    assert prepared.returncode == 0, prepared.stderr
    machine.ask(TOLD)
    wait_for_worker(machine.data_dir)
    return machine


def added_for(machine: Machine, prompt: str) -> str:
    """What the hooks added for a prompt in a session of its own."""
    assert machine.ask(prompt).returncode == 0
    return "\n".join(injected(machine.api.turns()[-1]))


def test_a_paraphrase_without_a_shared_word_is_recalled(taught: Machine) -> None:
    assert "Helix" in added_for(taught, PARAPHRASE)


def test_an_unrelated_prompt_adds_nothing(taught: Machine) -> None:
    assert added_for(taught, UNRELATED) == ""


def test_with_the_model_cut_short_words_still_recall(taught: Machine) -> None:
    """Last in this module: it breaks the model."""
    for path in (taught.data_dir / "models").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "Helix" in added_for(taught, SAME_WORDS)
