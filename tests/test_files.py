import multiprocessing
import os

import pytest

from awhm_hooks.errors import LockTimeout
from awhm_hooks.files import locked, write_whole


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
