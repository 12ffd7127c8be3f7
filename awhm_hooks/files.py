"""Whole-file writes and locks: the one way in which a file is replaced."""

import os
import sys
import time

from awhm_hooks.errors import LockTimeout

LOCK_WAIT_S = 10.0
_POLL_S = 0.01
_LOOK_S = 1.0


def write_whole(path: str, data: bytes, mode: int = 0o600) -> None:
    """Replace the file at `path` by `data`, or leave it as it was.

    The bytes go to a temporary file beside it, are synced, and take its place in one step. Raises OSError.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if hasattr(os, "fchmod"):
                os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except OSError:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        try:
            os.lseek(fd, 0x7FFF_0000, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _is_shared(fd: int) -> bool:
        return False
else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _is_shared(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        fcntl.flock(fd, fcntl.LOCK_UN)
        return True


if hasattr(os, "pread"):
    read_at = os.pread
else:

    def read_at(fd: int, length: int, offset: int, /) -> bytes:
        """Bytes of an open file from `offset` on, as `os.pread` gives them where there is one."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)


def lock_fd(fd: int, wait_s: float) -> bool:
    """Take the exclusive lock of an open file, waiting at most `wait_s`; closing the file gives it back.

    Who only looks (`is_locked`) is waited for in any case, for up to a second: nobody is at work there.
    """
    if _try_lock(fd):
        return True
    now = time.monotonic()
    end, end_of_looking = now + wait_s, now + _LOOK_S
    while (now := time.monotonic()) < end or (now < end_of_looking and _is_shared(fd)):
        time.sleep(_POLL_S)
        if _try_lock(fd):
            return True
    return False


def is_locked(path: str) -> bool:
    """Whether a process holds the lock file at `path`. But on Windows, looking keeps nobody from taking it."""
    try:
        fd = os.open(path, os.O_RDWR)
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        return not (_try_lock(fd) if sys.platform == "win32" else _is_shared(fd))
    finally:
        os.close(fd)


class locked:  # noqa: N801 - reads as a verb: `with locked(path):`
    """Hold the lock file at `path` for a block. Raises LockTimeout after `wait_s`."""

    __slots__ = ("fd", "path", "wait_s")

    def __init__(self, path: str, wait_s: float = LOCK_WAIT_S) -> None:
        self.path = path
        self.wait_s = wait_s
        self.fd = -1

    def __enter__(self) -> "locked":
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        if not lock_fd(self.fd, self.wait_s):
            os.close(self.fd)
            raise LockTimeout(f"{self.path}: held by another process for more than {self.wait_s:g} s")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)
