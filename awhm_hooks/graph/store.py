"""The memory graph in SQLite, as its readers see it. Writing is `graph/writer.py`'s."""

import os

from awhm_hooks.errors import SchemaTooNew, StoreCorrupt
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA
from awhm_hooks.graph.model import ACTIVE, COLUMNS, Node

USER_SCOPE = 1

_NODE = ", ".join(f"n.{name}" for name in COLUMNS)


class Graph:
    """A reader of the graph. All its reads are of one state: open it late and close it soon."""

    __slots__ = ("db",)

    def __init__(self, db: "Connection") -> None:
        self.db = db

    def close(self) -> None:
        self.db.close()

    def scope_ids(self, project: str | None) -> list[int]:
        """The scopes that a project sees: the user's and its own; every one for None."""
        if project is None:
            return [row[0] for row in self.db.execute("SELECT id FROM scopes")]
        found = self.db.execute("SELECT id FROM scopes WHERE key = ?", (project,)).fetchone()
        return [USER_SCOPE, found[0]] if found and found[0] != USER_SCOPE else [USER_SCOPE]

    def sizes(self, scopes: list[int]) -> tuple[int, int]:
        """Documents and terms indexed in these scopes."""
        row = self.db.execute(f"SELECT sum(docs), sum(terms) FROM scopes WHERE id IN ({_marks(scopes)})", scopes)
        docs, terms = row.fetchone()
        return docs or 0, terms or 0

    def postings(self, scopes: list[int], terms: list[str]) -> "dict[str, list[tuple[int, memoryview]]]":
        """For each term that occurs: its chunks, as (count, uint32 view of 2 x count words)."""
        found: dict[str, list[tuple[int, memoryview]]] = {}
        rows = self.db.execute(
            "SELECT term, count, data FROM postings"
            f" WHERE scope IN ({_marks(scopes)}) AND term IN ({_marks(terms)}) ORDER BY scope, term, chunk",
            scopes + terms,  # type: ignore[operator]
        )
        for term, count, data in rows:
            found.setdefault(term, []).append((count, memoryview(data).cast("I")))
        return found

    def nodes(self, ids: list[int]) -> dict[int, Node]:
        """The nodes with these numbers, by number."""
        rows = self.db.execute(f"SELECT {_NODE} FROM nodes n WHERE n.id IN ({_marks(ids)})", ids)
        return {row[0]: Node(row) for row in rows}

    def by_key(self, key: str, scopes: list[int]) -> list[Node]:
        """The active nodes that fill a slot in these scopes."""
        rows = self.db.execute(
            f"SELECT {_NODE} FROM nodes n WHERE n.canonical_key = ? AND n.status = '{ACTIVE}'"
            f" AND n.scope IN ({_marks(scopes)})",
            [key, *scopes],
        )
        return [Node(row) for row in rows]

    def associated(self, ids: list[int]) -> list[tuple[int, int, float]]:
        """One-hop association edges of these nodes, either way: (anchor, neighbour, weight)."""
        marks = _marks(ids)
        return self.db.execute(
            f"SELECT src, dst, weight FROM edges WHERE src IN ({marks}) AND type = 'association'"
            f" UNION ALL SELECT dst, src, weight FROM edges WHERE dst IN ({marks}) AND type = 'association'",
            ids + ids,
        ).fetchall()

    def successions(self, messages: list[int]) -> list[tuple[int, int]]:
        """(message, the one after it in its session), of all pairs that one of these messages is in."""
        marks = _marks(messages)
        return self.db.execute(
            f"SELECT src, dst FROM edges WHERE src IN ({marks}) AND type = 'temporal'"
            f" UNION SELECT src, dst FROM edges WHERE dst IN ({marks}) AND type = 'temporal'",
            messages + messages,
        ).fetchall()

    def outlines(self, messages: list[int]) -> list[tuple[int, int, int]]:
        """(node, terms, whether it ends in a question) of messages, without their texts."""
        return self.db.execute(
            f"SELECT id, length, instr(substr(text, -60), '?') > 0 FROM nodes WHERE id IN ({_marks(messages)})",
            messages,
        ).fetchall()

    def session_lengths(self, sessions: list[str]) -> list[tuple[int, str, int]]:
        """(node, session, terms) of these sessions' messages."""
        return self.db.execute(
            f"SELECT id, session, length FROM nodes WHERE session IN ({_marks(sessions)}) AND family = 'message'",
            sessions,
        ).fetchall()

    def statement_keys(self, message_nodes: list[int]) -> dict[int, list[tuple[str, str]]]:
        """For message nodes: (key, status) of the statements that were captured from them."""
        found: dict[int, list[tuple[str, str]]] = {}
        rows = self.db.execute(
            "SELECT e.dst, n.canonical_key, n.status FROM edges e JOIN nodes n ON n.id = e.src"
            f" WHERE e.type = 'abstraction' AND e.dst IN ({_marks(message_nodes)}) AND n.canonical_key IS NOT NULL",
            message_nodes,
        )
        for node, key, status in rows:
            found.setdefault(node, []).append((key, status))
        return found

    def vectors_in_force(self) -> tuple[int, int]:
        """(generation, number of rows) of the vectors file that belongs to this state of the graph."""
        found = dict(self.db.execute("SELECT name, value FROM meta WHERE name LIKE 'vectors_%'"))
        return int(found["vectors_generation"]), int(found["vectors_count"])

    def nodes_of_rows(self, rows: list[int], scopes: list[int]) -> list[tuple[int, int, int]]:
        """(row, node, window) of those rows of the vectors file whose nodes are in these scopes."""
        return self.db.execute(
            "SELECT v.row, v.node, v.window FROM vector_rows v JOIN nodes n ON n.id = v.node"
            f" WHERE v.row IN ({_marks(rows)}) AND n.scope IN ({_marks(scopes)})",
            rows + scopes,
        ).fetchall()

    def first_rows(self, nodes: list[int]) -> list[tuple[int, int]]:
        """(node, its first row in the vectors file) of those that have one."""
        return self.db.execute(
            f"SELECT node, min(row) FROM vector_rows WHERE node IN ({_marks(nodes)}) GROUP BY node", nodes
        ).fetchall()

    def injected_marks(self, session: str) -> list[int]:
        """Checksums of what earlier processes of this session injected and consolidation has noted."""
        return [row[0] for row in self.db.execute("SELECT mark FROM injections WHERE session = ?", (session,))]

    def consumed(self, session: str) -> int:
        """How many bytes of a session's raw log are in the graph."""
        row = self.db.execute("SELECT consumed FROM sessions WHERE id = ?", (session,)).fetchone()
        return row[0] if row else 0

    def p90_access_count(self) -> int:
        row = self.db.execute("SELECT value FROM meta WHERE name = 'access_p90'").fetchone()
        return int(row[0]) if row else 1


def _marks(values: "list[int] | list[str]") -> str:
    return ",".join("?" * len(values))


def open_graph(path: str, wait_s: float = sqlite.READ_WAIT_S) -> Graph | None:
    """A reader of the store at `path`, waiting `wait_s` for a lock; None where there is no store, or none yet.

    Raises StoreCorrupt for a file that is no such store, SchemaTooNew for one that a newer version wrote, and
    sqlite.Error where the lock is not given up in time.
    """
    try:
        if os.stat(path).st_size == 0:
            return None
    except OSError:
        return None
    try:
        db = sqlite.connect(path, wait_s)
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite.OperationalError:
        raise
    except (sqlite.DatabaseError, UnicodeDecodeError) as problem:
        raise StoreCorrupt(f"{path}: {problem}; `awhm consolidate` rebuilds it from the raw logs") from None
    if version > SCHEMA:
        db.close()
        raise SchemaTooNew(f"{path}: written by a newer version (schema {version}, known up to {SCHEMA}); update awhm")
    if version < SCHEMA:
        db.close()
        return None
    return Graph(db)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
