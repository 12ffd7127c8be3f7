"""Start the worker so that it outlives this process, the client and the terminal."""

import os
import sys

WORKER_CODE = "import sys;sys.path+=sys.argv[1:];from awhm_hooks.consolidate.worker import main;main()"


def spawn_worker(environ: dict[str, str]) -> None:
    """Start `consolidate.worker` in its own session, with no pipe of ours. Raises OSError.

    The client ends a hook's whole tree when the hook is late, so the hook must have left by then: it does not wait.
    """
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    added = [entry for entry in sys.path if entry.endswith("site-packages")]
    argv = [sys.executable, "-I", "-c", WORKER_CODE, here, *added]
    if sys.platform == "win32":
        import subprocess

        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        nowhere = subprocess.DEVNULL
        subprocess.Popen(
            argv, stdin=nowhere, stdout=nowhere, stderr=nowhere, creationflags=flags, close_fds=True, env=environ
        )
        return
    null = os.devnull
    os.posix_spawn(
        argv[0],
        argv,
        environ,
        setsid=True,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, null, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, null, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, null, os.O_WRONLY, 0),
        ],
    )
