"""JSON for the hot path: the C halves of the standard library's json, without its Python half.

`import json` brings `re` and `enum` with it, 6 ms in a process that has about 20. The scanner and the string encoder
behind it are C and cost 0.4 ms. Where they are missing, the public module does the work; a test holds both equal.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

try:
    import _json as _module
except ImportError:  # another Python than CPython
    _module = None  # type: ignore[assignment]

_c: "Any" = _module

_WHITE = " \t\n\r"


class _Context:
    """What the C scanner reads of a `json.JSONDecoder`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own cache

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def loads(text: str) -> object:
    """The value of a whole JSON text; control characters inside strings are let through. Raises ValueError."""
    if _c is None:
        import json

        return json.loads(text, strict=False)
    start = 0
    while start < len(text) and text[start] in _WHITE:
        start += 1
    try:
        value, end = _c.make_scanner(_Context)(text, start)
    except StopIteration as stop:
        raise ValueError(f"no JSON value at character {stop.value}") from None
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    except SystemError:  # the scanner could not import the public module's own error beside a busy thread
        raise ValueError("no JSON value") from None
    if text[end:].strip(_WHITE):
        raise ValueError(f"text after the JSON value, at character {end}")
    found: object = value
    return found


def dumps(value: object) -> str:
    """Compact ASCII JSON. Raises TypeError for what is no JSON value."""
    if _c is None:
        import json

        return json.dumps(value, separators=(",", ":"))
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def _write(value: object, put: "Callable[[str], object]") -> None:
    if isinstance(value, str):
        put(_c.encode_basestring_ascii(value))
    elif value is None:
        put("null")
    elif value is True:
        put("true")
    elif value is False:
        put("false")
    elif isinstance(value, int | float):
        put(repr(value) if value == value and value not in (_INF, -_INF) else "null")
    elif isinstance(value, list | tuple):
        _write_items(value, put)
    elif isinstance(value, dict):
        _write_members(value, put)
    else:
        raise TypeError(f"{type(value).__name__} is not JSON")


_INF = float("inf")


def _write_items(items: "list[object] | tuple[object, ...]", put: "Callable[[str], object]") -> None:
    mark = "["
    for item in items:
        put(mark)
        _write(item, put)
        mark = ","
    put("[]" if mark == "[" else "]")


def _write_members(members: dict[str, object], put: "Callable[[str], object]") -> None:
    mark = "{"
    for name, item in members.items():
        put(f"{mark}{_c.encode_basestring_ascii(name)}:")
        _write(item, put)
        mark = ","
    put("{}" if mark == "{" else "}")
