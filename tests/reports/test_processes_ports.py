"""No process outlives its work, and nobody listens anywhere."""

import os
import signal
import socket
import stat
import time

import pytest
from conftest import hook_command

from reports.person import Person
from reports.watching import started, without_network, without_privilege


def zombies(pids):
    states = []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                states.append(file.read().rpartition(")")[2].split()[0])
        except OSError:
            continue
    return states.count("Z")


def reaped_in_time(person, patience_s=20):
    """A worker's parent has left before it: init reaps it, when it gets round to it."""
    end = time.monotonic() + patience_s
    while zombies(person.processes()) and time.monotonic() < end:
        time.sleep(0.05)
    return not zombies(person.processes())


@pytest.mark.report("AWHM-P016")
@pytest.mark.parametrize(
    ("sessions", "text"), [(50, "hello {}"), (6, "Hallo, das ist Sitzung {}."), (6, "I always squash-merge, says {}.")]
)
def test_many_short_sessions_leave_no_process_behind(person, sessions, text):
    """Ours keeps no helper at all: workers take turns at one lock, and the last one ends with its work."""
    most = 0
    for number in range(sessions):
        person.says(text.format(number), f"o-{number}")
        person.is_answered("hi", f"o-{number}")
        person.leaves(f"o-{number}", wait=False)
        most = max(most, len(person.processes()))
        assert reaped_in_time(person)
    person.waits_for_all_processes()
    assert person.status()["pending_sessions"] == 0
    assert most < sessions


@pytest.mark.report("AWHM-P016")
@pytest.mark.parametrize("event", ["prompt", "stop", "session-start"])
def test_a_killed_hook_leaves_no_child(person, event):
    with person.hook.start(event, person.env) as process:
        process.stdin.write(b'{"session_id": "s-1", "prompt": "hel')
        process.stdin.flush()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    person.waits_for_all_processes()


@pytest.mark.report("AWHM-P017")
@pytest.mark.parametrize(
    ("secret", "asked"),
    [
        ("The billing provider is Stripe.", "what did I say about billing?"),
        ("Der Zahlungsanbieter ist Stripe.", "Wer ist unser Zahlungsanbieter?"),
        ("El proveedor de pagos es Stripe.", "¿qué dije sobre el proveedor de pagos?"),
    ],
    ids=["case", "German", "Spanish"],
)
def test_two_people_on_one_machine_share_nothing_and_no_socket(tmp_path, secret, asked):
    """Under a filter that kills whoever asks for a socket other than AF_UNIX, with somebody else listening."""
    alice, bob = Person(tmp_path / "alice"), Person(tmp_path / "bob")
    bob.project = alice.project
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        for event, fields in (("prompt", {"prompt": secret}), ("session-end", {"reason": "other"})):
            payload = alice.payload(event, "alice-1", **fields)
            assert started(alice, without_network(hook_command(event)), payload).returncode == 0
        alice.waits()
        asking = bob.payload("prompt", "bob-1", prompt=asked)
        done = started(bob, without_network(hook_command("prompt")), asking)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "Stripe" in alice.says(asked, "alice-2").context
    for person in (alice, bob):
        places = [person.data_dir, *person.data_dir.rglob("*")]
        assert not [place for place in places if stat.S_ISSOCK(place.stat().st_mode)]
        assert {stat.S_IMODE(place.stat().st_mode) & 0o077 for place in places} == {0}


@pytest.mark.report("AWHM-P017")
def test_another_s_data_directory_is_silence(tmp_path):
    """Bob's environment names Alice's directory: without the right to read it he gets nothing and changes nothing."""
    alice, bob = Person(tmp_path / "alice"), Person(tmp_path / "bob")
    alice.tells("The billing provider is Stripe.")
    alice.waits_for_all_processes()
    before = {path: path.read_bytes() for path in alice.files()}
    modes = {path: path.stat().st_mode for path in [*alice.data_dir.rglob("*"), alice.data_dir]}
    for path in modes:
        path.chmod(0)
    command = without_privilege(hook_command("prompt"))
    payload = bob.payload("prompt", "bob-1", prompt="what did I say about billing?")
    done = started(bob, command, payload, AWHM_DATA_DIR=str(alice.data_dir))
    for path in sorted(modes):
        path.chmod(modes[path])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert {path: path.read_bytes() for path in alice.files()} == before
