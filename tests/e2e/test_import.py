"""The history that the real client has written, imported."""

import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Awhm, wait_for_worker

from e2e import store
from e2e.client import Machine
from e2e.fake_api import Rule

SAID = {
    "My editor is Helix.": "Helix it is.",
    "Actually, my editor is Zed.": "Zed then.",
    "The cache lives in Valkey.": "Valkey noted.",
}


@pytest.fixture(scope="module")
def talked(new_machine: Callable[..., Machine]) -> Machine:
    """A session, resumed once and forked once, with hooks that saw it all."""
    machine, session = new_machine(), str(uuid.uuid4())
    machine.api.rules += [Rule(last_user=rf"{prompt}\s*$", text=reply) for prompt, reply in SAID.items()]
    ways = [["--session-id", session], ["--resume", session], ["--resume", session, "--fork-session"]]
    for prompt, args in zip(SAID, ways, strict=True):
        assert machine.ask(prompt, *args).returncode == 0
    wait_for_worker(machine.data_dir)
    return machine


def messages(data_dir: Path) -> Counter[tuple[str, str]]:
    return Counter((message.role, message.text) for message in store.logged(data_dir))


EVERYTHING = Counter([("user", prompt) for prompt in SAID] + [("assistant", reply) for reply in SAID.values()])


def test_a_store_that_heard_it_all_learns_nothing_new(talked: Machine) -> None:
    projects = str(talked.home / ".claude" / "projects")
    found = Awhm(talked.home, talked.data_dir).json("import", projects)
    assert (found["messages"]["new"], found["messages"]["known"]) == (0, 4 + 6), "a fork repeats what it grew from"
    assert found["rejected"] == []
    assert messages(talked.data_dir) == EVERYTHING


@pytest.mark.report("AWHM-P018")
def test_a_store_that_was_not_there_learns_all_of_it_once(talked: Machine, tmp_path: Path) -> None:
    projects = str(talked.home / ".claude" / "projects")
    late = Awhm(talked.home, tmp_path / "late")
    assert late.json("import", projects)["messages"]["new"] == len(EVERYTHING)
    assert late.json("import", projects)["messages"]["new"] == 0
    assert messages(late.data_dir) == EVERYTHING
    live = {(one.family, one.text, one.status) for one in store.statements(talked.data_dir)}
    assert {(one.family, one.text, one.status) for one in store.statements(late.data_dir)} == live
    assert Counter(store.episodes(late.data_dir)) == Counter(store.episodes(talked.data_dir))
