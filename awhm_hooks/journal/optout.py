"""Where the hooks keep silent: paused, excluded, not opted in, or the data directory was deleted.

Silent means that nothing is written and nothing handed back. An exclusion wins over an inclusion. A directory counts
under every name it has: as given, with its links resolved, and as the project that it belongs to.
"""

import os
import sys

from awhm_hooks import wire_json
from awhm_hooks.graph.scope import project_of

PAUSES = "pauses.jsonl"
IGNORE_FILE = ".awhmignore"
INCLUDE_FILE = ".awhminclude"
EVERYWHERE = ""

FOREVER = float("inf")
_FOLDS_CASE = sys.platform in ("win32", "darwin")


class Silence:
    """Why hooks are silent: `kind` is one of the constants below, `by` what says so (a pattern, a file, a project)."""

    __slots__ = ("by", "kind")

    def __init__(self, kind: str, by: str) -> None:
        self.kind = kind
        self.by = by


OFF = "off"
PAUSED = "paused"
EXCLUDED = "excluded"
IGNORED = "ignored"
NOT_INCLUDED = "not included"


def silence(paths: "Paths", config: "AWHMConfig", directories: "Sequence[str]", now: float) -> Silence | None:
    """What keeps the hooks silent in these directories; None where they may speak."""
    if not config.enabled:
        return Silence(OFF, "enabled")
    here = places(directories)
    for pause in pauses(paths):
        if pause.begin <= now < pause.end and pause.covers(here):
            return Silence(PAUSED, pause.project)
    return opted_out(config, here)


def opted_out(config: "AWHMConfig", here: list[str]) -> Silence | None:
    """What keeps the hooks out of these places for good. `here` is what `places` gives."""
    pattern = _matching(config.exclude, here)
    if pattern:
        return Silence(EXCLUDED, pattern)
    above = _folders(here)
    for folder in above:
        if os.access(f"{folder}/{IGNORE_FILE}", os.F_OK):
            return Silence(IGNORED, f"{folder}/{IGNORE_FILE}")
    if not config.opt_in or _matching(config.include, here):
        return None
    if any(os.access(f"{folder}/{INCLUDE_FILE}", os.F_OK) for folder in above):
        return None
    return Silence(NOT_INCLUDED, "opt_in")


def places(directories: "Sequence[str]") -> list[str]:
    """Every name of these directories."""
    found: dict[str, None] = {}
    for directory in dict.fromkeys(directories):
        if directory:
            found[os.path.normpath(directory)] = None
            found[os.path.realpath(directory)] = None
            found[project_of(directory)] = None
    return list(found)


def _folders(here: list[str]) -> list[str]:
    """These places and everything above them, each once."""
    found: dict[str, None] = {}
    for place in here:
        folder = place
        while folder not in found:
            found[folder] = None
            folder = os.path.dirname(folder)
    return ["" if folder == "/" else folder for folder in found]


# Patterns.


def _matching(patterns: "Sequence[str]", here: list[str]) -> str:
    """The first pattern that one of these places, or a folder above it, matches; "" for none."""
    for pattern in patterns:
        for form in _forms(pattern):
            if any(matches(form, place) for place in here):
                return pattern
    return ""


def _forms(pattern: str) -> list[str]:
    """The pattern with `~` filled in; and once more with the links resolved in its part before the first wildcard."""
    pattern = os.path.expanduser(pattern.strip())
    if not pattern:
        return []
    if not os.path.isabs(pattern):
        return ["**/" + pattern.removeprefix("./")]
    plain, rest = _before_wildcard(pattern)
    resolved = os.path.realpath(plain)
    return list(dict.fromkeys((pattern, os.path.join(resolved, rest) if rest else resolved)))


def _before_wildcard(pattern: str) -> tuple[str, str]:
    parts = _segments(pattern)
    count = 0
    while count < len(parts) and "*" not in parts[count] and "?" not in parts[count]:
        count += 1
    root = "/" if pattern.startswith("/") else ""
    return root + "/".join(parts[:count]), "/".join(parts[count:])


def matches(pattern: str, place: str) -> bool:
    """A place, or a folder above it, is what the pattern says: `*` and `?` within a name, `**` for any folders."""
    if _FOLDS_CASE:
        pattern, place = pattern.lower(), place.lower()
    return _match_from(_segments(pattern), _segments(place), 0, 0)


def _segments(path: str) -> list[str]:
    if os.sep != "/":
        path = path.replace(os.sep, "/")
    return [part for part in path.split("/") if part not in ("", ".")]


def _match_from(wanted: list[str], names: list[str], w: int, n: int) -> bool:
    while w < len(wanted):
        if wanted[w] == "**":
            return any(_match_from(wanted, names, w + 1, after) for after in range(n, len(names) + 1))
        if n >= len(names) or not _is_like(wanted[w], names[n]):
            return False
        w, n = w + 1, n + 1
    return True


def _is_like(wanted: str, name: str) -> bool:
    """One name against one part of a pattern; linear, whatever the pattern."""
    w = n = 0
    star, resume = -1, 0
    while n < len(name):
        if w < len(wanted) and wanted[w] == "*":
            star, resume = w, n
            w += 1
        elif w < len(wanted) and wanted[w] in ("?", name[n]):
            w, n = w + 1, n + 1
        elif star >= 0:
            resume += 1
            w, n = star + 1, resume
        else:
            return False
    return all(character == "*" for character in wanted[w:])


# Pauses: a file of marks, from which every stretch can be read in which memory was paused.


class Pause:
    """A stretch of time, `begin` <= t < `end`, for one project or EVERYWHERE."""

    __slots__ = ("begin", "end", "project")

    def __init__(self, project: str, begin: float, end: float) -> None:
        self.project = project
        self.begin = begin
        self.end = end

    def covers(self, here: list[str]) -> bool:
        """The pause is for one of these places, or for a folder above one."""
        if self.project == EVERYWHERE:
            return True
        below = self.project.rstrip("/" + os.sep) + os.sep
        return any(place == self.project or place.startswith(below) for place in here)


def pauses(paths: "Paths") -> list[Pause]:
    """Every pause there was, and is; a line that cannot be read is passed over."""
    try:
        fd = os.open(f"{paths.meta}/{PAUSES}", os.O_RDONLY)
    except OSError:
        return []
    try:
        data = b""
        while part := os.read(fd, 1 << 20):
            data += part
    finally:
        os.close(fd)
    found: list[Pause] = []
    for line in data.split(b"\n"):
        _take_mark(found, line)
    return found


def _take_mark(found: list[Pause], line: bytes) -> None:
    try:
        mark = wire_json.loads(line.decode("utf-8", "replace")) if line else None
        if not isinstance(mark, dict):
            return
        at, project = float(mark["at"]), str(mark["project"])
        until = mark.get("until")
        end = FOREVER if until is None else float(until)
    except (ValueError, KeyError, TypeError):
        return
    for one in found:
        if one.end > at and (one.project == project or (mark.get("resume") and project == EVERYWHERE)):
            one.end = at
    if not mark.get("resume"):
        found.append(Pause(project, at, end))


# The data directory that was deleted. Which ones were in use is noted outside of them.


def was_deleted(paths: "Paths", environ: dict[str, str]) -> bool:
    """The data directory was in use and is gone: it stays away until `awhm init`.

    One that never was there is made by the first hook.
    """
    return not os.path.isdir(paths.data_dir) and paths.data_dir in _in_use(register_file(environ))


def note_in_use(paths: "Paths", environ: dict[str, str]) -> None:
    """Remember that this data directory is in use. Where that cannot be noted, a deleted one begins anew, empty."""
    path = register_file(environ)
    if paths.data_dir in _in_use(path):
        return
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, (paths.data_dir + "\n").encode("utf-8", "surrogateescape"))
        finally:
            os.close(fd)
    except OSError:
        pass


def register_file(environ: dict[str, str]) -> str:
    """`data-dirs` in the person's state directory: one data directory a line."""
    base = environ.get("XDG_STATE_HOME") or (environ.get("LOCALAPPDATA") if sys.platform == "win32" else "")
    if not base or not os.path.isabs(base):
        home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
        base = os.path.join(home, ".local", "state")
    return os.path.join(base, "awhm", "data-dirs")


def _in_use(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.paths import Paths
