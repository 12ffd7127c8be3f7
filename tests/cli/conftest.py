"""The command line as a process, with something to remember."""

import json
import os

import pytest
from in_process import Memory

from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.paths import Paths

QUICK = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


@pytest.fixture
def run(awhm):
    """`run("status", "--json")`, without the parts that load models."""
    return lambda *args, env=None, **more: awhm(*args, env={**QUICK, **(env or {})}, **more)


@pytest.fixture
def answer(run):
    """The JSON that a command prints."""

    def asked(*args, **more):
        done = run(*args, "--json", **more)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "shop api"
    path.mkdir()
    return path


@pytest.fixture
def say(data_dir, project):
    """Messages as the hooks log them, one minute apart, in sessions that nobody has ended."""
    paths = Paths(str(data_dir))
    number = 0

    def said(*texts, session="claude-one", role="user", where=project, at=1_772_000_000.0):
        nonlocal number
        for text in texts:
            number += 1
            moment = at + 60 * number
            appended = raw_log.append_message(
                paths, session, role, text, moment, f"p{number}", os.path.realpath(where), str(where)
            )
            wal.append(paths, session, [buffers.message_record(appended, role, text, moment)])

    return said


@pytest.fixture
def consolidate(data_dir):
    """What `awhm consolidate` does, without the process."""
    return Memory(data_dir).consolidate


@pytest.fixture
def known(consolidate, say):
    say("The backup box is a Synology NAS.")
    consolidate()
    say("Actually, the backup box is a TrueNAS server.", "I prefer pnpm over npm for scripts.", session="claude-two")
    consolidate()
