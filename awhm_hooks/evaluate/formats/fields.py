"""Reading other people's JSON: what is missing or of another kind is told with its place."""

from typing import Any

from awhm_hooks.errors import AwhmError
from awhm_hooks.journal.raw_log import ASSISTANT, USER


class Malformed(AwhmError):
    """A corpus lacks something, or holds it as another kind."""


def required(row: Any, name: str, kind: type | tuple[type, ...], where: str) -> Any:
    """`row[name]`, of that kind. Raises Malformed naming the place."""
    if not isinstance(row, dict):
        raise Malformed(f"{where}: expected an object, found {type(row).__name__}")
    value = row.get(name)
    if not isinstance(value, kind):
        found = "nothing" if value is None else type(value).__name__
        raise Malformed(f"{where}: `{name}` is missing or of the wrong kind ({found})")
    return value


def texts(value: object) -> tuple[str, ...]:
    """A string, a number, or a list of them, as strings; () for None and empty ones."""
    rows = value if isinstance(value, list) else [value]
    return tuple(str(row) for row in rows if row is not None and str(row).strip())


def role(value: object) -> str:
    """The raw log's role for a corpus' one: whoever is not the assistant speaks as the user."""
    return ASSISTANT if str(value).lower().startswith("assist") else USER


def first(rows: object) -> dict[str, Any]:
    """The first object of a list; {} where there is none."""
    if isinstance(rows, list) and rows and isinstance(rows[0], dict):
        return rows[0]
    return {}
