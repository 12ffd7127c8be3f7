"""The end of a session does not keep the user waiting, and the worker finishes what it began without the client."""

import time
from collections.abc import Callable

import pytest
from conftest import wait_for_worker

from e2e import store
from e2e.client import Machine

FACT = "The billing service is written in Elixir."
NO_HOOKS: dict[str, object] = {"hooks": {}}
MAX_DELAY_S = 1.5
"""What SessionEnd hooks may take together before the client kills them; the four hooks need a tenth of it."""


@pytest.mark.report("AWHM-P009")
def test_the_client_leaves_at_once_and_the_worker_finishes_after_it(new_machine: Callable[..., Machine]) -> None:
    plain, remembering = new_machine(NO_HOOKS), new_machine()
    plain.ask("warm the file cache")
    without_hooks = plain.ask(FACT)
    with_hooks = remembering.ask(FACT)
    left_at = time.time()

    assert with_hooks.returncode == 0
    assert with_hooks.seconds - without_hooks.seconds < MAX_DELAY_S
    assert "SessionEnd hook" not in with_hooks.stderr

    wait_for_worker(remembering.data_dir)
    assert FACT in [message.text for message in store.episodes(remembering.data_dir)]
    assert (remembering.data_dir / "graph" / "memory_graph.sqlite").stat().st_mtime > left_at
