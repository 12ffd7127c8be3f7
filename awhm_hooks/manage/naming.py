"""Finding the memory that a person names by its id, or by the beginning of it."""

from awhm_hooks.errors import AwhmError
from awhm_hooks.graph.model import Node
from awhm_hooks.graph.store import Graph

_MIN_CHARS = 4
_SHOWN = 5


def node_by_id(graph: Graph, given: str, consequence: str = "") -> Node:
    """The memory with an id that begins so, also one that it had before. Raises AwhmError for none or several.

    `consequence` is added to the message: "0 deleted".
    """
    tail = f"; {consequence}" if consequence else ""
    if len(given) < _MIN_CHARS:
        raise AwhmError(f"{given}: an id needs at least {_MIN_CHARS} characters{tail}")
    below = given + "\U0010ffff"
    exact = graph.db.execute(
        "SELECT id FROM nodes WHERE uid = ? UNION SELECT node FROM uids WHERE uid = ?", (given, given)
    ).fetchall()
    rows = (
        exact
        or graph.db.execute(
            "SELECT id FROM nodes WHERE uid >= ? AND uid < ? UNION SELECT node FROM uids WHERE uid >= ? AND uid < ?",
            (given, below, given, below),
        ).fetchall()
    )
    if not rows:
        raise AwhmError(f"{given}: no memory has this id; `awhm query` shows ids{tail}")
    if len(rows) > 1:
        uids = sorted(node.uid for node in graph.nodes([row[0] for row in rows[:_SHOWN]]).values())
        raise AwhmError(f"{given}: {len(rows)} ids begin like that: {', '.join(uids)}{tail}")
    return graph.nodes([rows[0][0]])[rows[0][0]]
