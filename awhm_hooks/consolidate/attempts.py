"""How often a session's consolidation was begun: one that ends the worker each time must not block all others."""

import json
import os
import time

from awhm_hooks.files import write_whole
from awhm_hooks.paths import Paths

MAX_ATTEMPTS = 3
RETRY_AFTER_S = 3600.0


class Attempts:
    """Counts in `meta/attempts.json`: sessions begun and not finished, how often, when last, and the log's size.

    A worker that was killed for other reasons counts too, so nothing is given up: after three attempts a session has
    to wait for an hour, for its log to grow, or for a person who insists.
    """

    def __init__(self, paths: Paths, insist: bool = False) -> None:
        self._paths = paths
        self._insist = insist
        self._file = f"{paths.meta}/attempts.json"
        self._begun: dict[str, tuple[int, int, float]] = self._read()

    def _read(self) -> dict[str, tuple[int, int, float]]:
        try:
            with open(self._file, encoding="utf-8") as file:
                rows = json.load(file)
            return {session: (int(row[0]), int(row[1]), float(row[2])) for session, row in rows.items()}
        except (FileNotFoundError, ValueError, AttributeError, TypeError, IndexError):
            return {}

    def may_try(self, session: str) -> bool:
        """False for a session that failed three times of late on a log that has not grown since."""
        tried, size, at = self._begun.get(session, (0, 0, 0.0))
        is_due = self._insist or time.time() - at > RETRY_AFTER_S
        return tried < MAX_ATTEMPTS or is_due or self._log_size(session) > size

    def begin(self, session: str) -> None:
        size = self._log_size(session)
        tried, before, _ = self._begun.get(session, (0, size, 0.0))
        self._begun[session] = (tried + 1 if size == before else 1, size, time.time())
        self._write()

    def succeeded(self, session: str) -> None:
        if self._begun.pop(session, None):
            self._write()

    def _log_size(self, session: str) -> int:
        try:
            return os.stat(self._paths.log_file(session)).st_size
        except FileNotFoundError:
            return 0

    def _write(self) -> None:
        write_whole(self._file, json.dumps(self._begun).encode())
