"""The deletion audit of the built-in benchmark: something is said, kept, deleted, and then looked for everywhere."""

import os
from dataclasses import dataclass

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import worker
from awhm_hooks.evaluate.building import build, data_directory
from awhm_hooks.evaluate.corpus import Session, Store, Turn
from awhm_hooks.evaluate.moments import FIRST_DAY
from awhm_hooks.journal.raw_log import USER
from awhm_hooks.manage import snapshots
from awhm_hooks.manage.asking import ask
from awhm_hooks.manage.deletion import delete
from awhm_hooks.manage.deletion_selection import Selection
from awhm_hooks.paths import Paths

WORD = "alpha-123-marmalade"
PROJECT = "audit"
_LATER = FIRST_DAY + 3600.0
_LOCK_WAIT_S = 10.0


@dataclass(frozen=True)
class Audit:
    """What the audit found. `recalled_before` says that there was something to delete; `passed` is all of it."""

    recalled_before: bool
    logs_clean: bool
    snapshots_clean: bool
    store_clean: bool
    query_clean: bool
    stays_deleted: bool

    @property
    def passed(self) -> bool:
        return all(vars(self).values())

    def as_json(self) -> dict[str, bool]:
        return {"passed": self.passed, **vars(self)}


def deletion_audit(config: AWHMConfig, models: str | None = None) -> Audit:
    """Log, consolidate, snapshot, delete, then scan every byte, ask, and consolidate anew. Raises AwhmError."""
    turns = (
        Turn("said", USER, f"My locker word is {WORD}.", FIRST_DAY),
        Turn("kept", USER, "My locker number is 44.", FIRST_DAY + 1),
    )
    with data_directory(models) as paths:
        build(paths, Store((Session("audit", turns, PROJECT),), ()), config)
        snapshots.create(paths, _LATER)
        recalled_before = _is_recalled(paths, config)
        delete(paths, config, Selection(match=WORD), _LATER)
        left = _files_with_word(paths)
        query_clean = not _is_recalled(paths, config)
        worker.run(paths, config, _LOCK_WAIT_S, insist=True)
        return Audit(
            recalled_before=recalled_before,
            logs_clean=not _below(left, paths.logs, paths.wal),
            snapshots_clean=not _below(left, paths.snapshots),
            store_clean=not _below(left, paths.data_dir),
            query_clean=query_clean,
            stays_deleted=not _is_recalled(paths, config) and not _files_with_word(paths),
        )


def _is_recalled(paths: Paths, config: AWHMConfig) -> bool:
    found = ask(paths, config, "What is my locker word?", PROJECT, 10, now=_LATER, history=True)
    return any(WORD in memory.text for memory in found)


def _files_with_word(paths: Paths) -> list[str]:
    """Every file under the data directory that holds the word, in whatever case."""
    found = []
    for folder, _, names in os.walk(paths.data_dir):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                if WORD.encode() in file.read().lower():
                    found.append(path)
    return found


def _below(files: list[str], *folders: str) -> list[str]:
    return [path for path in files if path.startswith(tuple(f"{folder}/" for folder in folders))]
