"""Writing the graph: nodes, edges, aliases and postings, in one transaction."""

import array
import contextlib
import os
import time
from collections.abc import Iterator
from hashlib import blake2b
from sqlite3 import Connection

from awhm_hooks.errors import SchemaTooNew, StoreCorrupt
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA, STEPS
from awhm_hooks.graph.model import ACTIVE, SUPERSEDED, TYPE_OF_FAMILY
from awhm_hooks.graph.store import Graph
from awhm_hooks.graph.strength import p90
from awhm_hooks.paths import Paths
from awhm_hooks.recall.glossary import english_terms
from awhm_hooks.recall.tokens import tokenise

_ECHO_CHARS = 600
_SWITCH_TRIES = 100
_SWITCH_PAUSE_S = 0.02
CHUNK = 2_048
_LENGTH_MAX = (1 << 20) - 1
_FREQUENCY_MAX = (1 << 12) - 1


def uid_of(*parts: str) -> str:
    """A node's public id: stable over a rebuild from the raw logs."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()


def refuse_newer(db: Connection, path: str) -> int:
    """The schema's version. Raises SchemaTooNew for one that we do not know."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise SchemaTooNew(f"{path}: written by a newer version (schema {version}, known up to {SCHEMA}); update awhm")
    return version


def migrate(db: Connection, path: str, steps: tuple[str, ...] = STEPS) -> None:
    """Bring the schema up to date, each step in a transaction of its own. Raises SchemaTooNew."""
    version = refuse_newer(db, path)
    for number in range(version, len(steps)):
        db.execute("BEGIN IMMEDIATE")
        if db.execute("PRAGMA user_version").fetchone()[0] == number:  # nobody was faster
            for statement in steps[number].split(";\n"):
                if statement.strip():
                    db.execute(statement)
            db.execute(f"PRAGMA user_version = {number + 1}")
        db.execute("COMMIT")


def set_aside(path: str, now: float) -> str:
    """Move a damaged store and its companions out of the way, never over another; the new name of the store."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    base = f"{path}.damaged-{stamp}"
    target, n = base, 1
    while os.path.exists(target):
        target, n = f"{base}-{n}", n + 1
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + suffix, target + suffix)
    return target


class GraphWriter(Graph):
    """The graph with its writing half. Every change belongs into `with writer.transaction():`."""

    __slots__ = ("_postings", "_scope_sizes", "path")

    def __init__(self, db: Connection, path: str) -> None:
        super().__init__(db)
        self.path = path
        self._postings: dict[tuple[int, str], list[tuple[int, int]]] = {}
        self._scope_sizes: dict[int, tuple[int, int]] = {}

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of a block's changes, or none of them."""
        self._postings, self._scope_sizes = {}, {}
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._flush_postings()
            self.db.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def generation(self) -> int:
        return int(self.db.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()[0])

    def scope_id(self, key: str) -> int:
        """The number of a scope, made where there is none yet."""
        self.db.execute("INSERT OR IGNORE INTO scopes (key) VALUES (?)", (key,))
        return int(self.db.execute("SELECT id FROM scopes WHERE key = ?", (key,)).fetchone()[0])

    def add_node(self, family: str, text: str, **fields: object) -> int:
        """Add a node and index its text; its number. `scope`, `uid` and `said_at` must be given."""
        said_at = fields["said_at"]
        row = {
            "type": TYPE_OF_FAMILY[family],
            "family": family,
            "text": text,
            "created_at": said_at,
            "last_accessed": said_at,
            **fields,
        }
        names = list(row)
        cursor = self.db.execute(
            f"INSERT INTO nodes ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [row[name] for name in names],
        )
        node = int(cursor.lastrowid or 0)
        self._index(node, int(row["scope"]), text)  # type: ignore[call-overload]
        return node

    def has_uid(self, uid: str) -> int | None:
        found = self.db.execute("SELECT id FROM nodes WHERE uid = ?", (uid,)).fetchone()
        return int(found[0]) if found else None

    def add_edge(self, src: int, dst: int, kind: str, weight: float = 1.0) -> None:
        self.db.execute(
            "INSERT INTO edges VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET weight = max(weight, excluded.weight)",
            (src, dst, kind, weight),
        )

    def add_source(self, node: int, session: str, message: str) -> None:
        self.db.execute("INSERT OR IGNORE INTO sources VALUES (?, ?, ?)", (node, session, message))

    def supersede(self, newer: int, older: int, at: float, reason: str) -> None:
        """Close the older statement, its validity window, and the messages that said it."""
        self.db.execute(
            "UPDATE nodes SET status = ?, valid_to = min(coalesce(valid_to, ?), max(?, coalesce(valid_from, ?)))"
            " WHERE id = ?",
            (SUPERSEDED, at, at, at, older),
        )
        self.db.execute("INSERT OR IGNORE INTO supersessions VALUES (?, ?, ?, ?)", (newer, older, at, reason))
        self.db.execute(
            "UPDATE nodes SET status = ?, valid_to = min(coalesce(valid_to, ?), ?)"
            " WHERE family = 'message' AND status = ?"
            " AND id IN (SELECT dst FROM edges WHERE src = ? AND type = 'abstraction')"
            " AND id NOT IN (SELECT dst FROM edges WHERE src = ? AND type = 'abstraction')",
            (SUPERSEDED, at, at, ACTIVE, older, newer),
        )
        self._supersede_echoes(newer, older, at)

    def _supersede_echoes(self, newer: int, older: int, at: float) -> None:
        """The reply that repeated the old value ("Got it: 8443") is no more current than the statement."""
        texts = dict(self.db.execute("SELECT id, text FROM nodes WHERE id IN (?, ?)", (newer, older)))
        gone = set(tokenise(texts.get(older, ""))) - set(tokenise(texts.get(newer, "")))
        replies = self.db.execute(
            "SELECT n.id, n.text FROM edges said JOIN edges next ON next.src = said.dst AND next.type = 'temporal'"
            " JOIN nodes n ON n.id = next.dst WHERE said.src = ? AND said.type = 'abstraction'"
            " AND n.role = 'assistant' AND n.status = ? AND length(n.text) <= ?",
            (older, ACTIVE, _ECHO_CHARS),
        ).fetchall()
        for reply, text in replies:
            if gone.intersection(tokenise(text)):
                self.db.execute(
                    "UPDATE nodes SET status = ?, valid_to = min(coalesce(valid_to, ?), ?) WHERE id = ?",
                    (SUPERSEDED, at, at, reply),
                )

    def defer_message(self, message: int, statement: int) -> None:
        """A message is served as current while what it says holds: not before a later day, nor after its last one."""
        self.db.execute(
            "UPDATE nodes SET valid_from = (SELECT max(nodes.valid_from, s.valid_from) FROM nodes s WHERE s.id = ?)"
            " WHERE id = ? AND (SELECT valid_from FROM nodes WHERE id = ?) IS NOT NULL",
            (statement, message, statement),
        )
        self.db.execute(
            "UPDATE nodes SET valid_to = (SELECT s.valid_to FROM nodes s WHERE s.id = ?) WHERE id = ?"
            " AND valid_to IS NULL AND said_at < (SELECT s.valid_to FROM nodes s WHERE s.id = ?)",
            (statement, message, statement),
        )

    def reinforce(self, node: int, at: float) -> None:
        """A statement was made again: it counts as accessed."""
        self.db.execute(
            "UPDATE nodes SET access_count = access_count + 1, last_accessed = max(last_accessed, ?) WHERE id = ?",
            (at, node),
        )

    def note_supersession(self, newer: int, older: int, at: float, reason: str) -> None:
        self.db.execute("INSERT OR IGNORE INTO supersessions VALUES (?, ?, ?, ?)", (newer, older, at, reason))

    def take_accesses(self, node: int, count: int, at: float) -> None:
        """Another store's accesses of a memory that is known here too."""
        self.db.execute(
            "UPDATE nodes SET access_count = max(access_count, ?), last_accessed = max(last_accessed, ?) WHERE id = ?",
            (count, at, node),
        )

    def knows_session(self, session: str) -> bool:
        return self.db.execute("SELECT 1 FROM sessions WHERE id = ?", (session,)).fetchone() is not None

    def last_said(self, node: int) -> float:
        """When a statement was made last: its own time, or that of a message that said it again."""
        row = self.db.execute(
            "SELECT max(n.said_at, coalesce((SELECT max(m.said_at) FROM sources s JOIN messages g"
            " ON g.session = s.session AND g.id = s.message JOIN nodes m ON m.id = g.node WHERE s.node = n.id), 0))"
            " FROM nodes n WHERE n.id = ?",
            (node,),
        ).fetchone()
        return float(row[0])

    def close_before(self, key: str, scope: int, at: float) -> None:
        """What filled a slot before a statement that comes to light late was no longer true when that was made."""
        self.db.execute(
            "UPDATE nodes SET valid_to = max(?, coalesce(valid_from, ?)) WHERE canonical_key = ? AND scope = ?"
            " AND status = ? AND said_at < ? AND valid_to > ?",
            (at, at, key, scope, SUPERSEDED, at, at),
        )

    def find_statement(self, scope: int, family: str, statement_key: str) -> int | None:
        """The active statement of a scope and family that says the same."""
        found = self.db.execute(
            "SELECT id FROM nodes WHERE statement_key = ? AND scope = ? AND family = ? AND status = ?",
            (statement_key, scope, family, ACTIVE),
        ).fetchone()
        return int(found[0]) if found else None

    def note_session(self, session: str, project: str, first: float, last: float, consumed: int, ended: bool) -> None:
        self.db.execute(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at),"
            " consumed = excluded.consumed, ended = excluded.ended",
            (session, project, first, last, consumed, int(ended)),
        )

    def note_message(self, session: str, message: str, uuid: str | None, node: int) -> None:
        self.db.execute("INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?)", (message, session, uuid, node))

    def message_nodes(self, session: str) -> dict[str, int]:
        """Message id -> node, of a session's messages that are in the graph."""
        return dict(self.db.execute("SELECT id, node FROM messages WHERE session = ?", (session,)))

    def knows_uuid(self, uuid: str) -> bool:
        """A message of this transcript line is in the graph, whichever session it came with."""
        found = self.db.execute("SELECT 1 FROM messages WHERE uuid = ?", (uuid,)).fetchone() if uuid else None
        return found is not None

    def session_statements(self, session: str) -> list[tuple[int, str, str]]:
        """(node, key, message) of a session's active statements that fill a slot."""
        return self.db.execute(
            "SELECT id, canonical_key, message FROM nodes"
            " WHERE session = ? AND canonical_key IS NOT NULL AND status = ?",
            (session, ACTIVE),
        ).fetchall()

    def add_alias(self, alias: str, node: int, surface: str) -> None:
        self.db.execute("INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)", (alias, node, surface))

    def entity_rows(self, scope_key: str) -> list[tuple[int, str, str, list[str]]]:
        """(node, label, name, aliases) of a scope's entities."""
        rows = self.db.execute(
            "SELECT n.id, n.label, n.text, a.surface FROM nodes n JOIN scopes s ON s.id = n.scope"
            " LEFT JOIN aliases a ON a.node = n.id WHERE n.family = 'entity' AND s.key = ? ORDER BY n.id",
            (scope_key,),
        )
        found: dict[int, tuple[int, str, str, list[str]]] = {}
        for node, label, text, surface in rows:
            entry = found.setdefault(node, (node, label, text.partition(": ")[2], []))
            if surface:
                entry[3].append(surface)
        return list(found.values())

    def without_vectors(self, limit: int) -> list[tuple[int, str, bool]]:
        """(node, text, whether it is a message of the user's) of memories that have no vector yet."""
        return self.db.execute(
            "SELECT n.id, n.text, n.family = 'message' AND n.role = 'user'"
            " FROM nodes n LEFT JOIN vector_rows v ON v.node = n.id"
            " WHERE v.row IS NULL AND n.family != 'entity' ORDER BY n.id LIMIT ?",
            (limit,),
        ).fetchall()

    def note_vectors(self, generation: int, begin: int, nodes: list[tuple[int, int]]) -> None:
        """The rows from `begin` on are those of these (node, window) pairs."""
        rows = [(begin + n, node, window) for n, (node, window) in enumerate(nodes)]
        self.db.executemany("INSERT OR REPLACE INTO vector_rows VALUES (?, ?, ?)", rows)
        self.set_vectors(generation, begin + len(rows))

    def set_vectors(self, generation: int, count: int) -> None:
        values = [(str(generation), "vectors_generation"), (str(count), "vectors_count")]
        self.db.executemany("UPDATE meta SET value = ? WHERE name = ?", values)

    def drop_vectors(self, generation: int) -> None:
        """Begin anew with an empty vectors file of this generation."""
        self.db.execute("DELETE FROM vector_rows")
        self.set_vectors(generation, 0)

    def note_injections(self, session: str, marks: list[int], uids: list[str], at: float) -> None:
        """What a prompt was answered with; noted once, it counts as an access of each memory."""
        rows = [(session, mark, at) for mark in marks]
        new = self.db.executemany("INSERT OR IGNORE INTO injections VALUES (?, ?, ?)", rows).rowcount
        for uid in uids if new > 0 else ():
            self.db.execute(
                "UPDATE nodes SET access_count = access_count + 1, last_accessed = max(last_accessed, ?) WHERE uid = ?",
                (at, uid),
            )

    def refresh_access_p90(self) -> None:
        """The 90th percentile of access counts, by which frequency is normalised."""
        counts = [row[0] for row in self.db.execute("SELECT access_count FROM nodes WHERE access_count > 0")]
        self.db.execute("INSERT OR REPLACE INTO meta VALUES ('access_p90', ?)", (str(p90(counts)),))

    def _index(self, node: int, scope: int, text: str) -> None:
        counts, length = packed_counts(text)
        self.db.execute("UPDATE nodes SET length = ? WHERE id = ?", (length, node))
        for term, packed in counts.items():
            self._postings.setdefault((scope, term), []).append((node, packed))
        docs, terms = self._scope_sizes.get(scope, (0, 0))
        self._scope_sizes[scope] = docs + 1, terms + length

    def flush(self) -> None:
        """Write the postings that wait in memory for the transaction's end; for one of very many nodes."""
        self._flush_postings()

    def _flush_postings(self) -> None:
        for (scope, term), entries in self._postings.items():
            self._append_postings(scope, term, entries)
        for scope, (docs, terms) in self._scope_sizes.items():
            self.db.execute("UPDATE scopes SET docs = docs + ?, terms = terms + ? WHERE id = ?", (docs, terms, scope))
        self._postings, self._scope_sizes = {}, {}

    def _append_postings(self, scope: int, term: str, entries: list[tuple[int, int]]) -> None:
        last = self.db.execute(
            "SELECT chunk, data FROM postings WHERE scope = ? AND term = ? ORDER BY chunk DESC LIMIT 1", (scope, term)
        ).fetchone()
        chunk, data = last or (0, b"")
        held = unpack_chunk(data) + entries
        for start in range(0, len(held), CHUNK):
            part = held[start : start + CHUNK]
            self.db.execute(
                "INSERT INTO postings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = excluded.count,"
                " data = excluded.data",
                (scope, term, chunk + start // CHUNK, len(part), pack_chunk(part)),
            )


def packed_counts(text: str) -> tuple[dict[str, int], int]:
    """For each term of a text its frequency and the text's length, packed as postings hold them; and the length.

    What is in another language is found by the English words for it as well; they make it no longer.
    """
    counts: dict[str, int] = {}
    length = 0
    for term in tokenise(text):
        counts[term] = counts.get(term, 0) + 1
        length += 1
    for term in english_terms(text):
        counts.setdefault(term, 1)
    bounded = min(length, _LENGTH_MAX)
    return {term: min(count, _FREQUENCY_MAX) << 20 | bounded for term, count in counts.items()}, length


def pack_chunk(entries: list[tuple[int, int]]) -> bytes:
    """(document, packed frequency and length) pairs as a chunk's bytes: n documents, then n packed words, uint32."""
    return array.array("I", [node for node, _ in entries] + [packed for _, packed in entries]).tobytes()


def unpack_chunk(data: bytes) -> list[tuple[int, int]]:
    """What `pack_chunk` packed."""
    words = memoryview(data).cast("I")
    half = len(words) // 2
    return list(zip(words[:half], words[half:], strict=True))


def _write_ahead(db: Connection) -> None:
    """Switch to WAL mode; of two processes that make a store at once, SQLite turns one away without waiting."""
    for _ in range(_SWITCH_TRIES):
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite.OperationalError:
            time.sleep(_SWITCH_PAUSE_S)
    db.execute("PRAGMA journal_mode = WAL")


def open_writer(paths: Paths) -> GraphWriter:
    """The store, made or migrated where need be. Raises StoreCorrupt, SchemaTooNew, sqlite.OperationalError."""
    paths.make(paths.data_dir)
    paths.make(paths.graph)
    if not os.path.exists(paths.graph_db):  # SQLite's companion files take the mode of this one
        os.close(os.open(paths.graph_db, os.O_RDWR | os.O_CREAT, 0o600))
    try:
        db = sqlite.connect(paths.graph_db, sqlite.WRITE_WAIT_S)
        refuse_newer(db, paths.graph_db)  # before anything is changed in it
        _write_ahead(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")
        migrate(db, paths.graph_db)
    except sqlite.OperationalError:
        raise
    except (sqlite.DatabaseError, UnicodeDecodeError) as problem:  # the message may quote the damage
        raise StoreCorrupt(f"{paths.graph_db}: {problem}") from None
    return GraphWriter(db, paths.graph_db)
