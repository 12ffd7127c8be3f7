"""A settings file on disk: as it is, what is to become of it, and making that so."""

import difflib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from awhm_hooks.errors import AwhmError
from awhm_hooks.files import write_whole
from awhm_hooks.manage.settings_record import Record, read_record, record_path
from awhm_hooks.manage.settings_text import Document

_BACKUP_SUFFIX = ".awhm-backup"
_MODE = 0o600
_DIRECTORY_MODE = 0o700


@dataclass(frozen=True)
class State:
    """A settings file as it is, with its record."""

    path: str
    target: str
    """The file itself, links followed."""
    before: bytes | None
    saved: bytes | None
    """What the backup holds, None where there is none."""
    record_file: str
    record: Record | None

    @classmethod
    def read(cls, path: str, record_dir: str | None) -> "State":
        """Raises AwhmError where the file is there and cannot be read."""
        target = os.path.realpath(path)
        record_file = record_path(target, record_dir)
        with _reported(path):
            return cls(path, target, _read(target), _read(_backup(target)), record_file, read_record(record_file))

    @property
    def backup(self) -> str:
        return _backup(self.target)

    @property
    def commands(self) -> frozenset[str]:
        return self.record.commands if self.record else frozenset()

    def document(self) -> Document:
        return Document(self.path, self.before or b"")

    def missing_directories(self) -> tuple[str, ...]:
        """Those that a new file needs, outer ones first."""
        missing: list[str] = []
        directory = os.path.dirname(self.target)
        while not os.path.isdir(directory):
            missing.insert(0, directory)
            directory = os.path.dirname(directory)
        return tuple(missing)


def _backup(target: str) -> str:
    return target + _BACKUP_SUFFIX


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


@dataclass(frozen=True)
class Change:
    """What an install or uninstall did to a file, or would do. None for bytes: there is no file."""

    path: str
    before: bytes | None
    after: bytes | None
    backup: str | None = None
    """The file that holds the bytes from before the first install; None where there is none to keep."""
    added: int = 0
    removed: int = 0
    """Hooks of ours; one brought up to date counts as both."""
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """A unified diff for people, "" where nothing changes."""
        if not self.changed:
            return ""
        sides = (self.before, self.after)
        old, new = ((data or b"").decode("utf-8", "replace").splitlines() for data in sides)
        old_name, new_name = (os.devnull if data is None else self.path for data in sides)
        return "".join(line + "\n" for line in difflib.unified_diff(old, new, old_name, new_name, lineterm=""))


@dataclass(frozen=True)
class Plan:
    """A change that is worked out and not made yet, with what has to happen beside it."""

    change: Change
    state: State
    record: Record | None
    """What is to be on record afterwards, None for nothing."""
    drop_backup: bool = False
    directories: tuple[str, ...] = ()
    """To make for a new file, or to take away with one that goes; outer ones first."""


def apply(plan: Plan) -> None:
    """Make a change. Raises AwhmError where it cannot be made, or where the file is no longer what was planned on."""
    with _reported(plan.change.path):
        if plan.change.changed:
            _replace(plan)
        _put_on_record(plan)
        if plan.drop_backup:
            _unlink(plan.state.backup)
        if plan.change.changed and plan.change.after is None:
            _remove_empty(plan.directories)


def _replace(plan: Plan) -> None:
    """Replace, create or delete the file. The client takes no lock: all that can be done is to look once more."""
    before, after, target = plan.change.before, plan.change.after, plan.state.target
    if before is None:
        for directory in plan.directories:
            os.mkdir(directory, _DIRECTORY_MODE)
        _check_unchanged(plan)
        write_whole(target, after or b"", _MODE)
    elif after is None:
        _check_unchanged(plan)
        os.unlink(target)
    else:
        status = os.stat(target)
        mode = stat.S_IMODE(status.st_mode)
        if plan.change.backup is not None and plan.state.saved is None:
            # Written once: the first holds what was there before awhm, a later one would hold hooks of awhm itself.
            write_whole(plan.state.backup, before, mode)
        _check_unchanged(plan)
        write_whole(target, after, mode)
        _keep_owner(target, status)


def _check_unchanged(plan: Plan) -> None:
    if _read(plan.state.target) != plan.change.before:
        raise AwhmError(f"{plan.change.path}: another program has just changed it: run the command again")


def _keep_owner(target: str, before: os.stat_result) -> None:
    now = os.stat(target)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid) and hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(target, before.st_uid, before.st_gid)


def _put_on_record(plan: Plan) -> None:
    if plan.record is None:
        _unlink(plan.state.record_file)
    elif plan.record != plan.state.record:
        os.makedirs(os.path.dirname(plan.state.record_file), _DIRECTORY_MODE, exist_ok=True)
        write_whole(plan.state.record_file, plan.record.encoded())


def _remove_empty(directories: tuple[str, ...]) -> None:
    for directory in reversed(directories):
        with suppress(OSError):  # not empty: something else lives there now
            os.rmdir(directory)


def _unlink(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


@contextmanager
def _reported(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AwhmError(f"{path}: {error.strerror or error}") from error
