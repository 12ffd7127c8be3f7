"""The hooks' modules from one file.

A hook imports 55 modules. Finding and opening each through importlib takes 9 ms in all, from one file 5; and without
their docstrings they are smaller. The file stands beside the modules' .pyc files and is written by whoever has time:
the worker, and `awhm hook install`. As with a .pyc, a module whose source has another time or size than the one
that was cached is imported from its source; so a cache that is missing, old or cut short is never a fault.

The file is 8 bytes that say where its index begins, the modules' code, each read when it is wanted, and the index.
"""

import marshal
import os
import sys

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_FILE = os.path.join(_PACKAGE, "__pycache__", f"hooks.{sys.implementation.cache_tag}.code")
_PARENTS = ((), ("graph",), ("hooks",), ("journal",), ("journal", "patterns"), ("recall",))
_HEAD = 8
_MAX_INDEX = 1 << 20

# Path within the package, is a package, the source's time (ns) and size, where its code begins and its length.
Entry = tuple[str, bool, int, int, int, int]


def install() -> None:
    """From now on, import the hooks' modules from the cache."""
    try:
        file = os.open(_FILE, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return
    entries = _index(file)
    if entries:
        sys.meta_path.insert(0, CachedFinder(file, entries))


def _index(file: int) -> dict[str, Entry]:
    """The cached modules by name; none where another interpreter wrote them, or the file is cut short."""
    try:
        os.lseek(file, int.from_bytes(os.read(file, _HEAD), "little"), os.SEEK_SET)
        version, entries = marshal.loads(os.read(file, _MAX_INDEX))
    except (OSError, ValueError, EOFError, TypeError, OverflowError):
        return {}
    return entries if version == sys.version else {}


class CachedFinder:
    """Finds and loads modules whose sources are as they were when their code was cached."""

    __slots__ = ("entries", "file")

    def __init__(self, file: int, entries: dict[str, Entry]) -> None:
        self.file = file
        self.entries = entries

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """How to load a cached module; None leaves it to the next finder."""
        entry = self.entries.get(name)
        if entry is None or not _is_fresh(entry):
            return None
        code = self._code(entry)
        if code is None:
            return None
        spec: ModuleSpec = type(__spec__)(
            name,
            self,  # type: ignore[arg-type]
            origin=_source(entry),
            is_package=entry[1],
            loader_state=code,
        )
        spec.has_location = True
        spec.cached = _FILE  # else importlib works out each module's own: 10 us a module
        if entry[1]:
            spec.submodule_search_locations = [os.path.dirname(_source(entry))]
        return spec

    def _code(self, entry: Entry) -> "CodeType | None":
        try:
            os.lseek(self.file, entry[4], os.SEEK_SET)
            found = marshal.loads(os.read(self.file, entry[5]))
        except (OSError, ValueError, EOFError, TypeError, OverflowError):
            return None
        return found if isinstance(found, type(_is_fresh.__code__)) else None

    def create_module(self, spec: "ModuleSpec") -> None:
        """The usual kind of module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's code."""
        exec(module.__spec__.loader_state, module.__dict__)  # type: ignore[union-attr]


def _source(entry: Entry) -> str:
    return os.path.join(_PACKAGE, entry[0])


def _is_fresh(entry: Entry) -> bool:
    try:
        found = os.stat(_source(entry))
    except OSError:
        return False
    return entry[2:4] == (found.st_mtime_ns, found.st_size)


def refresh() -> bool:
    """Write the cache where a module is new, gone or changed; whether it was written. Raises OSError."""
    paths = dict(_modules())
    if _is_whole(paths):
        return False
    from awhm_hooks.files import write_whole

    data = bytearray(_HEAD)
    index: dict[str, Entry] = {}
    for name, path in paths.items():
        origin = os.path.join(_PACKAGE, path)
        with open(origin, "rb") as file:
            found = os.fstat(file.fileno())
            code = marshal.dumps(compile(file.read(), origin, "exec", dont_inherit=True, optimize=2))
        is_package = os.path.basename(path) == "__init__.py"
        index[name] = path, is_package, found.st_mtime_ns, found.st_size, len(data), len(code)
        data += code
    data[:_HEAD] = len(data).to_bytes(_HEAD, "little")
    os.makedirs(os.path.dirname(_FILE), exist_ok=True)
    write_whole(_FILE, bytes(data) + marshal.dumps((sys.version, index)), 0o644)
    return True


def _is_whole(paths: dict[str, str]) -> bool:
    try:
        file = os.open(_FILE, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        known = _index(file)
    finally:
        os.close(file)
    return known.keys() == paths.keys() and all(map(_is_fresh, known.values()))


def _modules() -> "Iterator[tuple[str, str]]":
    """(name, path within the package) of every module in the hooks' packages."""
    for parent in _PARENTS:
        package = ".".join((__package__, *parent))
        for name in sorted(os.listdir(os.path.join(_PACKAGE, *parent))):
            if name == "__init__.py" and parent:
                yield package, os.path.join(*parent, name)
            elif name.endswith(".py") and name != "__init__.py":
                yield f"{package}.{name[:-3]}", os.path.join(*parent, name)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
