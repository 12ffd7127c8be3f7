"""The real client, and machines for it to run on."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from conftest import REAL_HOME, worker_is_running

from e2e import install_client
from e2e.client import Machine, wait_until
from e2e.fake_api import FakeAPI

WORKER_END_S = 60


@pytest.fixture(scope="session")
def claude() -> str:
    """The client's binary. In CI it must be there already; elsewhere it is installed into the cache on first use."""
    try:
        binary = install_client.find(os.environ, REAL_HOME)
        if binary is None and not os.environ.get("CI"):
            binary = install_client.install(os.environ, REAL_HOME)
    except install_client.ClientMissingError as missing:
        pytest.fail(str(missing), pytrace=False)
    if binary is None:
        pytest.fail(
            f"Claude Code {install_client.VERSION} is not installed: set AWHM_TEST_CLAUDE to its binary, "
            "or run `python tests/e2e/install_client.py`",
            pytrace=False,
        )
    return binary


@pytest.fixture(scope="module")
def new_machine(claude: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Machine]]:
    """Makes a machine with the project's hooks in the user's settings, or with the settings given.

    Its worker is waited for at the end, so that none outlives its test.
    """
    with ExitStack() as stack:

        def make(settings: dict[str, Any] | None = None) -> Machine:
            root = tmp_path_factory.mktemp("machine")
            machine = Machine(claude, root, stack.enter_context(FakeAPI()), root / "awhm")
            machine.install_hooks(own_settings() if settings is None else settings)
            stack.callback(worker_ended, machine.data_dir)
            return machine

        yield make


def own_settings() -> dict[str, Any]:
    from awhm_hooks.manage.settings import hook_settings

    return dict(hook_settings())


def worker_ended(data_dir: Path) -> None:
    wait_until(lambda: not worker_is_running(data_dir), "the end of the worker", WORKER_END_S)
