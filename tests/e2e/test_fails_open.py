"""Whatever became of the suite, the prompt reaches the model as it was typed and the client ends well."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import wait_for_worker

import awhm_hooks
from e2e import store
from e2e.client import Machine, injected
from e2e.conftest import own_settings

PROMPT = "The staging port is 8443."
PACKAGE = Path(awhm_hooks.__file__).parent


def passed_through(machine: Machine) -> bool:
    """Whether one prompt made its one request, unaltered, and the client ended well."""
    turn = machine.ask(PROMPT)
    requests = machine.api.turns()
    return turn.returncode == 0 and len(requests) == 1 and requests[0].last_user.endswith(PROMPT)


def moved(settings: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The settings with the package's directory replaced; the interpreter may be below it and stays."""
    for entry in entries(settings):
        code = [arg.replace(ascii(old), ascii(new)) for arg in entry["args"]]
        assert code != entry["args"], f"the hook does not name {old}: {entry}"
        entry["args"] = code
    return settings


def entries(settings: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for groups in settings["hooks"].values() for group in groups for entry in group["hooks"]]


def test_with_the_package_gone_prompts_go_through(new_machine: Callable[..., Machine], tmp_path: Path) -> None:
    place = tmp_path / "site packages"
    shutil.copytree(PACKAGE, place / "awhm_hooks", ignore=shutil.ignore_patterns("__pycache__"))
    settings = moved(own_settings(), str(PACKAGE.parent), str(place))

    installed = new_machine(settings)
    assert passed_through(installed)
    assert [message.text for message in store.logged(installed.data_dir)][:1] == [PROMPT]

    wait_for_worker(installed.data_dir)
    shutil.rmtree(place)
    uninstalled = new_machine(settings)
    assert passed_through(uninstalled)
    assert store.logged(uninstalled.data_dir) == []


def test_with_the_interpreter_gone_prompts_go_through(new_machine: Callable[..., Machine], tmp_path: Path) -> None:
    settings = own_settings()
    for entry in entries(settings):
        entry["command"] = str(tmp_path / "venv" / "bin" / "python")
    assert passed_through(new_machine(settings))


def test_with_the_data_directory_unusable_prompts_go_through(new_machine: Callable[..., Machine]) -> None:
    machine = new_machine()
    machine.data_dir.write_text("a file where the directory should be")
    assert passed_through(machine)
    assert machine.data_dir.read_text() == "a file where the directory should be"


def test_with_a_corrupt_graph_prompts_go_through_and_are_logged(new_machine: Callable[..., Machine]) -> None:
    machine = new_machine()
    graph = machine.data_dir / "graph"
    graph.mkdir(parents=True)
    (graph / "memory_graph.sqlite").write_bytes(b"no database " * 1000)
    assert passed_through(machine)
    assert PROMPT in [message.text for message in store.logged(machine.data_dir)]


@pytest.mark.report("AWHM-P013")
def test_the_suite_keeps_out_of_a_client_that_it_started_itself(new_machine: Callable[..., Machine]) -> None:
    machine = new_machine()
    machine.extra_env["AWHM_IN_STAGE2"] = "1"
    assert passed_through(machine)
    assert injected(machine.api.turns()[0]) == []
    assert not (machine.data_dir / "logs").exists()
