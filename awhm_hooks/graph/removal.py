"""Taking memories out of the graph: nodes with all that hangs on them, and words out of messages.

It runs inside the caller's transaction and leaves the graph as if what is removed had never been said: what it had
superseded holds again, what came before and after it follow one another, a statement that was made elsewhere too keeps
to its other sources. Pages that are freed are zeroed by SQLite (`secure_delete`); `scrub_pages` does the rest.
"""

from dataclasses import dataclass, field
from typing import Protocol

from awhm_hooks.graph import sqlite
from awhm_hooks.graph.model import ACTIVE, ENTITY, MESSAGE, SUPERSEDED
from awhm_hooks.graph.postings import rewrite
from awhm_hooks.graph.writer import GraphWriter
from awhm_hooks.recall import context
from awhm_hooks.recall.memory import of_node

_MANY = 500
_CHECKPOINT_TRIES = 20


class Reading(Protocol):
    """What must be read from a text again, by the same rules as at consolidation."""

    def valid_to(self, text: str, said_at: float) -> float | None:
        """Until when a statement says that it holds, in epoch seconds."""

    def restated(self, text: str, statement_key: str) -> str | None:
        """The statement of a message that says the same as a known one, in the message's words."""


@dataclass
class Counts:
    """What was taken out, by place."""

    messages: int = 0
    spans: int = 0
    statements: int = 0
    entities: int = 0
    edges: int = 0
    aliases: int = 0
    terms: int = 0
    vectors: int = 0
    revived: int = 0

    def add(self, other: "Counts") -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Removal:
    """One run over a graph. Where memories only grow old, `revives` is off: what they had superseded stays history.

    After `finish`: `uids` are the removed nodes' ids, `renamed` maps an id to the one a node bears now, `marks` are
    the checksums by which the removed texts were known to have been injected.
    """

    writer: GraphWriter
    reading: Reading
    revives: bool = True
    counts: Counts = field(default_factory=Counts)
    uids: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    marks: set[int] = field(default_factory=set)
    _nodes: set[int] = field(default_factory=set)
    _texts: dict[int, str] = field(default_factory=dict)
    _bereft: set[int] = field(default_factory=set)
    _unsaid: set[int] = field(default_factory=set)

    def drop_node(self, node: int) -> None:
        self._nodes.add(node)

    def set_text(self, node: int, text: str) -> None:
        """What is left of a message's text."""
        self._texts[node] = text

    def drop_source(self, node: int, session: str, message: str) -> None:
        """A memory no longer stems from a message; without any source it goes."""
        place = (node, session, message)
        self.writer.db.execute("DELETE FROM sources WHERE node = ? AND session = ? AND message = ?", place)
        self.writer.db.execute("DELETE FROM uids WHERE node = ? AND session = ? AND message = ?", place)
        messages = self.writer.db.execute(
            "SELECT dst FROM edges WHERE src = ? AND type = 'abstraction'"
            " AND dst IN (SELECT id FROM nodes WHERE session = ? AND message = ? AND family = 'message')",
            place,
        ).fetchall()
        for (message_node,) in messages:
            self.writer.db.execute(
                "DELETE FROM edges WHERE src = ? AND dst = ? AND type = 'abstraction'", (node, message_node)
            )
            self.counts.edges += 1
            self._unsaid.add(message_node)
        self._bereft.add(node)

    def drop_alias(self, node: int, surface: str) -> None:
        found = self.writer.db.execute("DELETE FROM aliases WHERE node = ? AND surface = ?", (node, surface))
        self.counts.aliases += found.rowcount

    def finish(self) -> Counts:
        """Make all changes. Raises sqlite.Error."""
        self._drop_bereft()
        self._texts = {node: text for node, text in self._texts.items() if node not in self._nodes}
        self._note_marks()
        self._bridge_turns()
        freed = self._supersessions()
        self._forget_rows()
        self.counts.terms = rewrite(self.writer.db, self._nodes, self._texts)
        self._delete_nodes()
        self._set_texts()
        if self.revives:
            self._revive(freed)
            self._revive_messages()
        return self.counts

    def _drop_bereft(self) -> None:
        query = self.writer.db.execute
        for node in self._bereft - self._nodes:
            left = query(
                "SELECT s.session, s.message, m.id FROM sources s LEFT JOIN messages g"
                " ON g.session = s.session AND g.id = s.message LEFT JOIN nodes m ON m.id = g.node"
                " WHERE s.node = ? ORDER BY m.said_at IS NULL, m.said_at LIMIT 1",
                (node,),
            ).fetchone()
            if left is None:
                self._nodes.add(node)
            else:
                self._keep_to(node, *left)

    def _keep_to(self, node: int, session: str, message: str, message_node: int | None) -> None:
        """A memory whose first source is gone is now the one of the earliest that is left: its words, day and id."""
        query = self.writer.db.execute
        held = self.writer.nodes([node])[node]
        place = (node, held.session, held.message)
        if query("SELECT 1 FROM sources WHERE node = ? AND session = ? AND message = ?", place).fetchone():
            return
        left = self.writer.nodes([message_node])[message_node] if message_node else held
        query(
            "UPDATE nodes SET session = ?, message = ?, project = ?, said_at = ?, created_at = ?,"
            " valid_from = CASE WHEN valid_from = said_at THEN ? ELSE valid_from END WHERE id = ?",
            (session, message, left.project, left.said_at, left.said_at, left.said_at, node),
        )
        said = query("SELECT dst FROM edges WHERE src = ? AND type = 'abstraction'", (node,)).fetchall()
        self._unsaid.update(other for (other,) in said)
        key = query("SELECT statement_key FROM nodes WHERE id = ?", (node,)).fetchone()[0]
        restated = self.reading.restated(left.text, key) if message_node and key else None
        if restated and restated != held.text:
            self._texts[node] = restated
        self._rename(node, held.uid, session, message)

    def _rename(self, node: int, uid: str, session: str, message: str) -> None:
        """The id that a rebuild would give it now."""
        query = self.writer.db.execute
        other = query(
            "SELECT uid FROM uids WHERE node = ? AND session = ? AND message = ?", (node, session, message)
        ).fetchone()
        if other:
            query("DELETE FROM uids WHERE uid = ?", other)
            query("UPDATE nodes SET uid = ? WHERE id = ?", (other[0], node))
            self.renamed[uid] = other[0]

    def _note_marks(self) -> None:
        for part in _parts([*self._nodes, *self._texts]):
            for node in self.writer.nodes(part).values():
                own, source = context.injection_marks(of_node(node, []))
                self.marks.add(own)
                if node.id in self._nodes:
                    self.marks.add(source)
                    self.uids.add(node.uid)
        marks = [(mark,) for mark in self.marks]
        self.writer.db.executemany("DELETE FROM injections WHERE mark = ?", marks)

    def _bridge_turns(self) -> None:
        """The message before a removed one is followed by the message after it."""
        query = self.writer.db.execute
        for node in sorted(self._nodes):
            before = query("SELECT src FROM edges WHERE dst = ? AND type = 'temporal'", (node,)).fetchall()
            after = query("SELECT dst FROM edges WHERE src = ? AND type = 'temporal'", (node,)).fetchall()
            if before or after:
                query("DELETE FROM edges WHERE type = 'temporal' AND (src = ? OR dst = ?)", (node, node))
                self.counts.edges += len(before) + len(after)
            for (src,) in before:
                for (dst,) in after:
                    self.writer.add_edge(src, dst, "temporal")
                    self.counts.edges -= 1

    def _supersessions(self) -> set[int]:
        """Take the removed out of who superseded whom; what nothing supersedes any more comes back.

        What superseded a removed statement now supersedes what that one had superseded.
        """
        query = self.writer.db.execute
        freed: set[int] = set()
        for node in self._nodes:
            newer = query("SELECT newer, at, reason FROM supersessions WHERE older = ?", (node,)).fetchall()
            for (older,) in query("SELECT older FROM supersessions WHERE newer = ?", (node,)).fetchall():
                freed.add(older)
                rows = [(by, older, at, reason) for by, at, reason in newer if by != older]
                self.writer.db.executemany("INSERT OR IGNORE INTO supersessions VALUES (?, ?, ?, ?)", rows)
            query("DELETE FROM supersessions WHERE newer = ? OR older = ?", (node, node))
        return freed

    def _forget_rows(self) -> None:
        for part in _parts([*self._nodes, *self._texts]):
            marks = ",".join("?" * len(part))
            gone = self.writer.db.execute(f"DELETE FROM vector_rows WHERE node IN ({marks})", part)
            self.counts.vectors += gone.rowcount

    def _delete_nodes(self) -> None:
        for part in _parts(list(self._nodes)):
            marks = ",".join("?" * len(part))
            families = self.writer.db.execute(f"SELECT family FROM nodes WHERE id IN ({marks})", part).fetchall()
            for (family,) in families:
                name = {MESSAGE: "messages", ENTITY: "entities"}.get(family, "statements")
                setattr(self.counts, name, getattr(self.counts, name) + 1)
            query = self.writer.db.execute
            said = query(f"SELECT dst FROM edges WHERE src IN ({marks}) AND type = 'abstraction'", part).fetchall()
            self._unsaid.update(node for (node,) in said)
            self.counts.edges += query(
                f"DELETE FROM edges WHERE src IN ({marks}) OR dst IN ({marks})", part + part
            ).rowcount
            self.counts.aliases += query(f"DELETE FROM aliases WHERE node IN ({marks})", part).rowcount
            for table in ("sources", "uids", "retractions", "messages"):
                query(f"DELETE FROM {table} WHERE node IN ({marks})", part)
            query(f"DELETE FROM nodes WHERE id IN ({marks})", part)

    def _set_texts(self) -> None:
        for node, text in self._texts.items():
            family = self.writer.nodes([node])[node].family
            self.writer.db.execute("UPDATE nodes SET text = ? WHERE id = ?", (text, node))
            self.counts.spans += int(family == MESSAGE)

    def _revive(self, freed: set[int]) -> None:
        """What only removed statements had superseded holds again, and the messages that said it are current."""
        query = self.writer.db.execute
        candidates = [self.writer.nodes([number])[number] for number in freed - self._nodes]
        for older in sorted(candidates, key=lambda node: (-node.said_at, -node.id)):  # what was said last stands
            if older.status != SUPERSEDED:
                continue
            until = query("SELECT min(at) FROM supersessions WHERE older = ?", (older.id,)).fetchone()[0]
            ends = [self.reading.valid_to(older.text, older.said_at)]
            ends += [until if until is None else max(until, older.valid_from or until)]
            status = ACTIVE if until is None else SUPERSEDED
            valid_to = min((end for end in ends if end is not None), default=None)
            query("UPDATE nodes SET status = ?, valid_to = ? WHERE id = ?", (status, valid_to, older.id))
            said = query("SELECT dst FROM edges WHERE src = ? AND type = 'abstraction'", (older.id,)).fetchall()
            self._unsaid.update(node for (node,) in said)
            if until is not None:
                continue
            newer = query(
                "SELECT id, coalesce(valid_from, said_at) FROM nodes WHERE canonical_key = ? AND scope = ?"
                " AND status = ? AND said_at > ?",
                (older.canonical_key, older.scope, ACTIVE, older.said_at),
            ).fetchone()
            if newer:
                self.writer.supersede(newer[0], older.id, newer[1], "same key")
                continue
            self.counts.revived += 1

    def _revive_messages(self) -> None:
        """A message is history, or waits for a later day, only as long as a statement of it is or does."""
        for node in self._unsaid - self._nodes:
            closed, ends = self.writer.db.execute(
                "SELECT count(*), min(n.valid_to) FROM edges e JOIN nodes n ON n.id = e.src"
                " WHERE e.dst = ? AND e.type = 'abstraction' AND n.status != ?",
                (node, ACTIVE),
            ).fetchone()
            self.writer.db.execute(
                "UPDATE nodes SET status = ?, valid_to = ? WHERE id = ? AND status = ?",
                (SUPERSEDED if closed else ACTIVE, ends if closed else None, node, SUPERSEDED),
            )
            self.writer.db.execute(
                "UPDATE nodes SET valid_from = max(said_at, coalesce((SELECT max(n.valid_from) FROM edges e"
                " JOIN nodes n ON n.id = e.src WHERE e.dst = ? AND e.type = 'abstraction'), said_at))"
                " WHERE id = ? AND valid_from > said_at",
                (node, node),
            )


def _parts(nodes: list[int]) -> list[list[int]]:
    return [nodes[at : at + _MANY] for at in range(0, len(nodes), _MANY)]


def scrub_pages(writer: GraphWriter) -> bool:
    """Write the whole store anew, so that no freed page holds what was there; False where a reader is in the way.

    SQLite's own write-ahead log has the old pages too: it is emptied.
    """
    writer.db.execute("PRAGMA temp_store = MEMORY")  # the copy that VACUUM makes does not go to a temporary directory
    writer.db.execute("VACUUM")
    for _ in range(_CHECKPOINT_TRIES):
        try:
            busy = writer.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite.OperationalError:
            busy = 1
        if not busy:
            return True
    return False
