"""What an install did to a settings file, kept so that the uninstall can give back the very bytes.

The record holds hashes and splices, never the settings themselves: they may hold keys.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass

from awhm_hooks.manage.settings_text import Splice

SUFFIX = ".awhm-record"
_VERSION = 1


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def record_path(target: str, record_dir: str | None) -> str:
    """Where the record of a settings file is kept: in a directory of ours, or beside the file."""
    if record_dir is None:
        return target + SUFFIX
    return os.path.join(record_dir, digest(os.fsencode(target))[:16] + ".json")


@dataclass(frozen=True)
class Record:
    """One install, or several in a row."""

    path: str
    installed: str
    """Hash of the file as installed."""
    original: str
    """Hash of the file as `undo` gives it back."""
    undo: tuple[Splice, ...]
    made: frozenset[str] | None
    """Of "hooks" and the events those that were not there before; None: unknown."""
    made_file: bool
    made_directories: tuple[str, ...]
    commands: frozenset[str]
    """Executables named with --command."""

    def encoded(self) -> bytes:
        content = {
            "version": _VERSION,
            "path": self.path,
            "installed": self.installed,
            "original": self.original,
            "undo": [[splice.start, splice.end, splice.text] for splice in self.undo],
            "made": None if self.made is None else sorted(self.made),
            "made_file": self.made_file,
            "made_directories": self.made_directories,
            "commands": sorted(self.commands),
        }
        return (json.dumps(content) + "\n").encode()


def read_record(path: str) -> Record | None:
    """The record at `path`; None where there is none, or none that this version understands. Raises OSError."""
    try:
        with open(path, "rb") as file:
            content = json.loads(file.read())
        if content["version"] != _VERSION:
            return None
        made = content["made"]
        return Record(
            path=str(content["path"]),
            installed=str(content["installed"]),
            original=str(content["original"]),
            undo=tuple(Splice(int(start), int(end), str(text)) for start, end, text in content["undo"]),
            made=None if made is None else _strings(made),
            made_file=bool(content["made_file"]),
            made_directories=tuple(str(name) for name in content["made_directories"]),
            commands=_strings(content["commands"]),
        )
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
        return None


def _strings(values: Iterable[object]) -> frozenset[str]:
    return frozenset(str(value) for value in values)
