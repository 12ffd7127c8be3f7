"""Pausing and resuming by hand, and beginning anew where the data directory was deleted."""

import math
import os
import re

from awhm_hooks import wire_json
from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.graph.scope import project_of
from awhm_hooks.journal import optout
from awhm_hooks.journal.optout import EVERYWHERE, FOREVER, Pause, Silence
from awhm_hooks.paths import Paths

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|eeks?)?\s*", re.IGNORECASE)


def seconds_of(text: str) -> float:
    """A duration such as "2h", "1h30m", "3 days". Raises UsageError."""
    total, at = 0.0, 0
    stripped = text.strip()
    while found := _PART.match(stripped, at):
        total += float(found[1]) * _UNITS[found[2].lower()]
        at = found.end()
    if not stripped or at != len(stripped) or not total:
        raise UsageError(f"{text!r} is no duration; write 30m, 2h, 1h30m or 3d")
    return total


def pause(paths: Paths, environ: dict[str, str], project: str, now: float, for_s: float | None = None) -> Pause:
    """From now on hooks are silent, in one project or EVERYWHERE, until a resume or for a while. Raises OSError.

    Raises AwhmError where the data directory was deleted: then they are silent already.
    """
    refuse_deleted(paths, environ)
    until = None if for_s is None else now + for_s
    _mark(paths, {"at": _whole_ms(now), "project": project, "until": until and _whole_ms(until)})
    return Pause(project, now, FOREVER if until is None else until)


def resume(paths: Paths, project: str, now: float) -> list[Pause]:
    """End one project's pause, or with EVERYWHERE every pause; those that were under way. Raises OSError."""
    ended = [one for one in active(paths, now) if project in (EVERYWHERE, one.project)]
    if ended:
        _mark(paths, {"at": _whole_ms(now), "project": project, "resume": True})
    return ended


def active(paths: Paths, now: float) -> list[Pause]:
    """The pauses that are under way."""
    return [one for one in optout.pauses(paths) if one.begin <= now < one.end]


def silence_in(paths: Paths, config: AWHMConfig, environ: dict[str, str], directory: str, now: float) -> Silence | None:
    """Why the hooks are silent in a directory, None where they are not."""
    if optout.was_deleted(paths, environ):
        return Silence("deleted", paths.data_dir)
    return optout.silence(paths, config, (directory,), now)


def described(found: Silence) -> str:
    """Why, in words."""
    return {
        optout.OFF: "switched off by `enabled = false` or AWHM_ENABLED",
        optout.PAUSED: f"paused in {found.by}" if found.by else "paused",
        optout.EXCLUDED: f"excluded here by the pattern {found.by}",
        optout.IGNORED: f"excluded here by {found.by}",
        optout.NOT_INCLUDED: "not switched on here: opt_in is set, and no `include` pattern or .awhminclude file covers"
        " this directory",
        "deleted": f"off: {found.by} was deleted, and stays so until `awhm init`",
    }[found.kind]


def refuse_deleted(paths: Paths, environ: dict[str, str]) -> None:
    """Raises AwhmError where the data directory was deleted and nobody asked for it back."""
    if optout.was_deleted(paths, environ):
        raise AwhmError(f"{paths.data_dir} was deleted, so nothing is remembered; `awhm init` begins anew")


def begin_anew(paths: Paths, environ: dict[str, str]) -> bool:
    """Make the data directory, also where it was deleted; False where it was there. Raises AwhmError."""
    is_new = not os.path.isdir(paths.data_dir)
    try:
        paths.make(paths.data_dir)
    except OSError as problem:
        raise AwhmError(f"{paths.data_dir}: {problem.strerror}; set AWHM_DATA_DIR to a directory of yours") from None
    optout.note_in_use(paths, environ)
    return is_new


def project_key(directory: str) -> str:
    """The project of a directory, which must be there. Raises UsageError."""
    if not os.path.isdir(directory):
        raise UsageError(f"{directory}: no such directory")
    return project_of(directory)


def _whole_ms(at: float) -> float:
    """Rounded down: what is asked in the same moment is asked after it."""
    return math.floor(at * 1000) / 1000


def _mark(paths: Paths, mark: dict[str, object]) -> None:
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    fd = os.open(f"{paths.meta}/{optout.PAUSES}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(fd, (wire_json.dumps(mark) + "\n").encode("ascii"))
    finally:
        os.close(fd)
