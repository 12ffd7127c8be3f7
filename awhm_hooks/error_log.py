"""The error log: one short line for what went wrong, capped in size. Writing it never raises."""

import os
import time

from awhm_hooks.paths import Paths

MAX_BYTES = 200_000


def note(paths: Paths, where: str, problem: object, now: float | None = None) -> None:
    """Append one line; when the log has grown too long, the older half goes to `errors.log.1`."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(time.time() if now is None else now))
    kind = f"{type(problem).__name__}: " if isinstance(problem, BaseException) else ""
    line = f"{moment} {where} {kind}{problem}".replace("\n", " ")[:500] + "\n"
    try:
        paths.make(paths.meta)
        fd = os.open(paths.error_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, line.encode("utf-8", "replace"))
            full = os.fstat(fd).st_size > MAX_BYTES
        finally:
            os.close(fd)
        if full:
            os.replace(paths.error_log, paths.error_log + ".1")
    except OSError:
        pass


def note_once(paths: Paths, where: str, problem: object) -> None:
    """The same, unless the newest line says it already: what lasts is not repeated at every prompt."""
    if f"{where} {problem}"[:300] not in (last(paths) or ""):
        note(paths, where, problem)


def last(paths: Paths) -> str | None:
    """The newest line of the log, or None."""
    try:
        with open(paths.error_log, "rb") as file:
            lines = file.read()[-4096:].decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return None
    return lines[-1] if lines else None
