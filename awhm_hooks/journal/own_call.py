"""Whether a hook runs inside a model call of our own, though the marker variable was taken away on the way there.

Stage 2 gives each `claude -p` a session id and writes it down, with the process that calls, before it starts it. A hook
whose session is among them, or whose ancestors are, while a call is running, is inside it. The file is there only
where Stage 2 was ever used: for everybody else the question costs one failed `stat`.
"""

import os

from awhm_hooks.files import lock_fd

FILE = "stage2-calls"
"""In `meta/`: one line a call, `session namespace pid pid`; locked while one is running."""

_READ_BYTES = 8_192
_MAX_LEVELS = 24


def is_inside(path: str, session_id: str) -> bool:
    """True for a hook of our own call. A file that cannot be read says no."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        lines = [line.split() for line in os.read(fd, _READ_BYTES).decode("ascii", "replace").splitlines()]
        if any(line and line[0] == session_id for line in lines):
            return True
        if not lines or lock_fd(fd, 0.0):  # nobody holds the lock, so no call is running
            return False
    except OSError:
        return False
    finally:
        os.close(fd)
    if lines[-1][1:2] != [namespace()]:  # a container that shares the data directory counts its processes anew
        return False
    callers = {int(word) for word in lines[-1][2:] if word.isdigit()}
    return bool(callers) and _descends_from(callers)


def namespace() -> str:
    """Within which process numbers are unique; "-" where there is but one."""
    try:
        return os.readlink("/proc/self/ns/pid").replace(" ", "")
    except OSError:
        return "-"


def _descends_from(callers: set[int]) -> bool:
    """One of these processes is an ancestor of ours, or leads the session of our parent."""
    parent = os.getppid()
    if parent in callers or _leader(parent) in callers:
        return True
    for _ in range(_MAX_LEVELS):
        parent = _parent(parent)
        if parent in callers:
            return True
        if parent <= 1:
            return False
    return False


def _leader(pid: int) -> int:
    try:
        return os.getsid(pid)
    except (OSError, AttributeError):  # Windows has no sessions of processes
        return 0


def _parent(pid: int) -> int:
    """The parent of a process as Linux tells it; 0 where it does not."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
