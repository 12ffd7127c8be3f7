"""SQLite for the hot path: the C module behind the standard library's sqlite3.

`import sqlite3` brings `datetime` and its Python half, 3 ms; `_sqlite3` is what does the work. Where it cannot be
imported alone, the public module serves.
"""

import sys


def _imported() -> "Any":
    """`_sqlite3`, without `functools`.

    The C module takes `functools.lru_cache` for its statement cache, and `functools` brings `collections` and `types`:
    3.2 of the 4.4 ms that the import costs. The cache itself is C; a stand-in gives it to the module while it loads.
    """
    if "functools" in sys.modules:
        import _sqlite3

        return _sqlite3
    from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

    stand_in = type(sys)("functools")
    stand_in.lru_cache = lambda size: lambda function: _lru_cache_wrapper(function, size, False, tuple)  # type: ignore[attr-defined]
    sys.modules["functools"] = stand_in
    try:
        import _sqlite3
    finally:
        del sys.modules["functools"]
    return _sqlite3


try:
    _module = _imported()
except ImportError:
    import sqlite3 as _module

Error = _module.Error
DatabaseError = _module.DatabaseError
OperationalError = _module.OperationalError

HOOK_WAIT_S = 0.2
READ_WAIT_S = 5.0  # a command waits for the worker to close its store, which takes seconds on a slow disk
WRITE_WAIT_S = 30.0


def connect(path: str, wait_s: float) -> "Connection":
    """Open a database file, in autocommit, waiting `wait_s` for a lock. Raises Error."""
    db: Connection = _module.connect(path, timeout=wait_s, isolation_level=None)
    return db


TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any
