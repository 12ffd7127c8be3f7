"""What the commands share: where the store is, and how things are shown."""

import json
import os
import shutil
import sys
from dataclasses import asdict, is_dataclass
from datetime import datetime

from rich.console import Console

from awhm_hooks import config as configuration
from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import UsageError
from awhm_hooks.graph.scope import project_of
from awhm_hooks.paths import Paths, resolve

console = Console(highlight=False, soft_wrap=True, emoji=False)  # ":fire:" in a memory is what was said


def store() -> tuple[Paths, AWHMConfig]:
    """The data directory and configuration of this environment."""
    environ = dict(os.environ)
    paths = resolve(environ)
    return paths, configuration.load(paths, environ)


def refuse_empty(**options: str | None) -> None:
    """An option's empty value, as an unset shell variable gives it, is a mistake and not "all". Raises UsageError."""
    for name, value in options.items():
        if value is not None and not value.strip():
            raise UsageError(f"--{name.replace('_', '-')} is empty; give it a value or leave it out")


def project_key(directory: str | None, all_projects: bool) -> str | None:
    """The project that a command is about: the named directory's, else the current one's; None for all."""
    return None if all_projects else project_of(directory or os.getcwd())


def print_json(value: object) -> None:
    """One JSON document on stdout, UTF-8 whatever the terminal's code page."""
    data = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    sys.stdout.buffer.write((json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def print_json_line(value: "DataclassInstance") -> None:
    """One JSON object on a line of its own."""
    sys.stdout.buffer.write((json.dumps(asdict(value), ensure_ascii=False) + "\n").encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def local_time(at: float | None) -> str:
    """Epoch seconds as local date and time with its offset, or "never"."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M %z") if at else "never"


def iso(at: float | None) -> str | None:
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds") if at is not None else None


def counted(count: int, noun: str) -> str:
    """A number with its noun: "1 session", "2 sessions"."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def own_command() -> str:
    """How this command is called from here: by its name where the path leads to it, else in full."""
    called = os.path.abspath(sys.argv[0])
    if os.path.basename(called) == "__main__.py":
        return "awhm"
    found = shutil.which("awhm")
    return "awhm" if found and os.path.realpath(found) == os.path.realpath(called) else called


def size(count: int) -> str:
    """Bytes as a person reads them."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import DataclassInstance
