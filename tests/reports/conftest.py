"""People for the reports to happen to, and the real client."""

import time

import pytest
from conftest import POLL_S, WORKER_TIMEOUT_S, worker_is_running
from e2e.conftest import claude, new_machine

from reports.person import Person

__all__ = ["claude", "new_machine"]


def workers_ended(people):
    end = time.monotonic() + WORKER_TIMEOUT_S
    while any(worker_is_running(one.data_dir) for one in people) and time.monotonic() < end:
        time.sleep(POLL_S)


@pytest.fixture
def person(tmp_path):
    one = Person(tmp_path)
    yield one
    workers_ended([one])


@pytest.fixture(scope="module")
def new_person(tmp_path_factory):
    """Makes people who live as long as the module's tests."""
    people = []

    def make(**env):
        people.append(Person(tmp_path_factory.mktemp("person"), **env))
        return people[-1]

    yield make
    workers_ended(people)
