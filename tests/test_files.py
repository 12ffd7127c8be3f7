import fcntl
import multiprocessing
import os
import time

import pytest

from awhm_hooks.errors import LockTimeout
from awhm_hooks.files import is_locked, locked, write_whole


def test_a_whole_write_replaces_and_keeps_the_mode(tmp_path):
    path = tmp_path / "file"
    write_whole(str(path), b"one")
    write_whole(str(path), b"two", 0o640)
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_file_and_no_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(str(path), b"one")

    def full(fd, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError):
        write_whole(str(path), b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def hold(path, held, release):
    with locked(path):
        held.set()
        release.wait(20)


def test_a_lock_excludes_another_process_and_is_given_back(tmp_path):
    path = str(tmp_path / "lock")
    context = multiprocessing.get_context("spawn")
    held, release = context.Event(), context.Event()
    other = context.Process(target=hold, args=(path, held, release))
    other.start()
    assert held.wait(20)
    with pytest.raises(LockTimeout, match="lock"), locked(path, 0.05):
        pass
    release.set()
    other.join()
    with locked(path, 1.0):
        pass


def look(path, looked_at, stop):
    fd = os.open(path, os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_SH)
    looked_at.set()
    stop.wait(0.3)


def test_who_only_looks_keeps_nobody_from_a_lock(tmp_path):
    """A worker that starts at that moment is not to leave: nobody else would do its work."""
    path = str(tmp_path / "lock")
    assert not is_locked(path)
    with locked(path):
        assert is_locked(path)
    assert not is_locked(path)
    context = multiprocessing.get_context("spawn")
    looked_at, stop = context.Event(), context.Event()
    other = context.Process(target=look, args=(path, looked_at, stop))
    other.start()
    assert looked_at.wait(20)
    assert not is_locked(path)
    with locked(path, 0.0):
        assert is_locked(path)
    other.join()


def test_a_look_without_end_is_not_waited_for(tmp_path):
    path = str(tmp_path / "lock")
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        with pytest.raises(LockTimeout), locked(path, 0.0):
            pass


def test_who_finds_a_lock_held_leaves_at_once(tmp_path, monkeypatch):
    path = str(tmp_path / "lock")
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it waited"))
    with locked(path), pytest.raises(LockTimeout), locked(path, 0.0):
        pass
