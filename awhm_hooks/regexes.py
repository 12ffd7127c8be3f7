"""Compiled patterns from a cache, the way Python keeps compiled modules.

`re` compiles a pattern to a list of integers and hands it to `_sre.compile`. Importing `re` costs 4 ms and compiling
60 patterns another 17; loading their integers and handing them over costs 0.6. So the first process that
needs a group of patterns compiles it and writes the integers beside the module's .pyc file; the key holds the
interpreter's pattern version and a checksum of the sources, so that no change is missed. A cache that cannot be
written, read or used is never a fault: the patterns are then compiled anew.
"""

import _sre
import marshal
import os
import sys
from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

_CACHE_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__pycache__")
_groups: dict[str, "dict[str, Pattern[str]]"] = {}


def group(name: str, sources: dict[str, str]) -> "dict[str, Pattern[str]]":
    """The compiled patterns of a group, by name. Flags are given inline, as in `(?i)`."""
    known = _groups.get(name)
    if known is None:
        known = _groups[name] = _load(name, sources) or _compile(name, sources)
    return known


def _key(sources: dict[str, str]) -> tuple[int, int, int]:
    joined = "\0".join(f"{name}\0{source}" for name, source in sources.items())
    return sys.hexversion, _sre.MAGIC, crc32(joined.encode("utf-8", "surrogatepass"))


def _file(name: str) -> str:
    return os.path.join(_CACHE_DIR, f"{name}.{sys.implementation.cache_tag}.regex")


def _load(name: str, sources: dict[str, str]) -> "dict[str, Pattern[str]] | None":
    try:
        with open(_file(name), "rb", buffering=0) as file:
            data = file.read()
        if crc32(data[4:]) != int.from_bytes(data[:4], "little"):
            return None
        key, rows = marshal.loads(data[4:])
        if key != _key(sources):
            return None
        return {
            label: _sre.compile(source, flags, code, groups, names, order)
            for (label, source), (flags, code, groups, names, order) in zip(sources.items(), rows, strict=True)
        }
    except (OSError, ValueError, EOFError, TypeError, RuntimeError):
        return None


def _compile(name: str, sources: dict[str, str]) -> "dict[str, Pattern[str]]":
    import re

    compiled = {label: re.compile(source) for label, source in sources.items()}
    try:
        _store(name, sources)
    except (OSError, ValueError, AttributeError, ImportError):
        pass
    return compiled


def _store(name: str, sources: dict[str, str]) -> None:
    from re import _compiler, _parser  # type: ignore[attr-defined]

    rows = []
    for source in sources.values():
        parsed = _parser.parse(source, 0)
        names = {str(k): int(v) for k, v in parsed.state.groupdict.items()}
        order: list[str | None] = [None] * parsed.state.groups
        for label, index in names.items():
            order[index] = label
        flags = int(parsed.state.flags)
        code = [int(word) for word in _compiler._code(parsed, 0)]
        rows.append((flags, code, int(parsed.state.groups) - 1, names, tuple(order)))
    data = marshal.dumps((_key(sources), rows))
    from awhm_hooks.files import write_whole

    os.makedirs(_CACHE_DIR, exist_ok=True)
    write_whole(_file(name), crc32(data).to_bytes(4, "little") + data, 0o644)
