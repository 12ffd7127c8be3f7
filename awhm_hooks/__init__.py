"""Long-term memory for Claude Code.

The Python API: `from awhm_hooks import AWHMSession, AWHMConfig, Role`. Its names are loaded when they are asked for, as
every hook imports this module too.
"""

__version__ = "0.1.0"
__all__ = ["AWHMConfig", "AWHMSession", "QueryResult", "Role"]

_HOMES = {
    "AWHMConfig": "awhm_hooks.config",
    "AWHMSession": "awhm_hooks.session",
    "QueryResult": "awhm_hooks.session",
    "Role": "awhm_hooks.types",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.config import AWHMConfig
    from awhm_hooks.session import AWHMSession, QueryResult
    from awhm_hooks.types import Role
