"""What a person does to memories by hand, in the graph: taking one back, and knowing one by every id it ever had."""

from awhm_hooks.graph.model import ACTIVE, RETRACTED, SUPERSEDED
from awhm_hooks.graph.writer import GraphWriter


def node_of(writer: GraphWriter, uid: str) -> int | None:
    """The node with this id, or with this id among those of its repetitions; None for an unknown one."""
    found = writer.db.execute(
        "SELECT id FROM nodes WHERE uid = ? UNION ALL SELECT node FROM uids WHERE uid = ?", (uid, uid)
    ).fetchone()
    return int(found[0]) if found else None


def also_known_as(writer: GraphWriter, node: int, uid: str, session: str, message: str) -> None:
    """A statement was made again: after a rebuild in another order it may bear the repetition's id."""
    if writer.has_uid(uid) is None:
        writer.db.execute("INSERT OR IGNORE INTO uids VALUES (?, ?, ?, ?)", (uid, node, session, message))


def retract(writer: GraphWriter, node: int, at: float, why: str) -> None:
    """A person says that this is not so: it is served no more, and neither are the messages that said it until then."""
    writer.db.execute(
        "UPDATE nodes SET status = ?, valid_to = min(coalesce(valid_to, ?), max(?, coalesce(valid_from, ?)))"
        " WHERE id = ?",
        (RETRACTED, at, at, at, node),
    )
    writer.db.execute("INSERT OR IGNORE INTO retractions VALUES (?, ?, ?)", (node, at, why))
    writer.db.execute(
        "UPDATE nodes SET status = ?, valid_to = min(coalesce(valid_to, ?), ?) WHERE family = 'message' AND status = ?"
        " AND said_at <= ? AND id IN (SELECT dst FROM edges WHERE src = ? AND type = 'abstraction')",
        (SUPERSEDED, at, at, ACTIVE, at, node),
    )


def close_message(writer: GraphWriter, message: int, statement: int) -> None:
    """A message that comes to light after what it says was superseded or taken back is history at once."""
    writer.db.execute(
        "UPDATE nodes SET status = ?, valid_to = coalesce(valid_to, (SELECT valid_to FROM nodes WHERE id = ?))"
        " WHERE id = ? AND status = ? AND (SELECT status FROM nodes WHERE id = ?) != ?",
        (SUPERSEDED, statement, message, ACTIVE, statement, ACTIVE),
    )


def supersede_by_hand(writer: GraphWriter, newer: int, older: int, at: float, reason: str) -> None:
    """Put one statement in another's place; where it has that place already, the person's reason is the one kept."""
    held = writer.db.execute(
        "UPDATE supersessions SET reason = ? WHERE newer = ? AND older = ?", (reason, newer, older)
    ).rowcount
    if not held:
        writer.supersede(newer, older, at, reason)


def find_retracted(writer: GraphWriter, scope: int, family: str, statement_key: str, said_at: float) -> int | None:
    """The statement that says the same and was taken back after `said_at`."""
    found = writer.db.execute(
        "SELECT n.id FROM nodes n JOIN retractions r ON r.node = n.id"
        " WHERE n.statement_key = ? AND n.scope = ? AND n.family = ? AND n.status = ? AND r.at >= ?",
        (statement_key, scope, family, RETRACTED, said_at),
    ).fetchone()
    return int(found[0]) if found else None


def retracted_since(writer: GraphWriter, key: str, scope: int, said_at: float) -> list[tuple[int, float]]:
    """(node, from when it held) of what filled a slot after `said_at` and was taken back: the older stays closed."""
    return writer.db.execute(
        "SELECT id, coalesce(valid_from, said_at) FROM nodes"
        " WHERE canonical_key = ? AND scope = ? AND status = ? AND said_at > ?",
        (key, scope, RETRACTED, said_at),
    ).fetchall()
