"""A finding of the doctor's: what is the matter, and the one command that mends it."""

import os
import shlex
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is."""

    BROKEN = "broken"
    """Something does not work that should: the doctor leaves with exit code 1."""
    WARNING = "warning"
    """It works, and not as well or not as privately as it should."""
    NOTE = "note"
    """As it was asked for; said so that nobody wonders."""


@dataclass(frozen=True)
class Finding:
    """`name` is stable, for programs; `fix` is a command line, or "" where there is nothing to mend."""

    name: str
    severity: Severity
    message: str
    fix: str = ""


def broken(name: str, message: str, fix: str) -> Finding:
    return Finding(name, Severity.BROKEN, message, fix)


def warning(name: str, message: str, fix: str) -> Finding:
    return Finding(name, Severity.WARNING, message, fix)


def note(name: str, message: str, fix: str = "") -> Finding:
    return Finding(name, Severity.NOTE, message, fix)


def command(*words: str) -> str:
    """A command line that can be pasted."""
    return shlex.join(words)


def listed(things: list[str], shown: int = 3) -> str:
    """A few of them, and how many more."""
    more = len(things) - shown
    return ", ".join(things[:shown]) + (f" and {more} more" if more > 0 else "")


def names_in(directory: str) -> list[str]:
    """The names in a folder, sorted; none where it is missing. Raises OSError."""
    try:
        return sorted(os.listdir(directory))
    except (FileNotFoundError, NotADirectoryError):
        return []
