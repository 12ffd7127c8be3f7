"""Forgetting in the store: verdicts on its nodes, then their removal, inside the caller's transaction."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from awhm_hooks.consolidate import by_hand, dates, vectors_write
from awhm_hooks.consolidate.tombstones import Tombstones, cut
from awhm_hooks.graph.model import MESSAGE
from awhm_hooks.graph.removal import Removal
from awhm_hooks.graph.writer import GraphWriter
from awhm_hooks.journal import patterns, slots
from awhm_hooks.manage.deletion_verdicts import Judge, Place, View
from awhm_hooks.paths import Paths
from awhm_hooks.recall.vectors import VectorsUnusable

_MANY = 500
_COLUMNS = "n.id, n.uid, n.family, n.role, n.text, n.project, n.session, n.message, n.said_at, n.statement_key"


class DryRun(Exception):
    """Leaves a transaction without its changes."""


class Again:
    """Reads texts again by Stage 1's rules."""

    def valid_to(self, text: str, said_at: float) -> float | None:
        """Until when a statement says that it holds."""
        end = dates.validity(text, datetime.fromtimestamp(said_at).astimezone())[1]
        return end.timestamp() if end else None

    def restated(self, text: str, statement_key: str) -> str | None:
        """The statement of a message that says the same as a known one, in the message's words."""
        found = (one.text for one in patterns.capture(text) if slots.statement_key(one.text) == statement_key)
        return next(found, None)


def forget(writer: GraphWriter, stones: Tombstones, nodes: set[int] | None = None) -> Removal:
    """Take what the tombstones forget out of the graph, of all of it or of `nodes` and what hangs on them.

    Must be called in a transaction of the writer. Raises sqlite.Error.
    """
    if nodes is None and stones.are_stretches():
        nodes = _suspects(writer, stones)
    judge: Judge[int] = Judge(stones)
    sources = _sources(writer)
    aliases = _aliases(writer)
    later: list[View[int]] = []
    for row in _rows(writer, nodes):
        node, uid, family, role, text, project, session, message, at, key = row
        view = View(node, uid, family, role, text, project, session, message, at, key or "")
        view.sources, view.names = sources.get(node, []), aliases.get(node, [])
        if view.family == MESSAGE:
            judge.message(view)
        else:
            later.append(view)
    for view in later:
        judge.other(view)
    removal = _carry_out(writer, judge)
    removal.counts.spans += _cut_reasons(writer, stones)
    return removal


def _carry_out(writer: GraphWriter, judge: Judge[int]) -> Removal:
    removal = Removal(writer, Again())
    verdicts = judge.verdicts
    for node in verdicts.dropped:
        removal.drop_node(node)
    for node, text in verdicts.texts.items():
        removal.set_text(node, text)
    for node, (session, message) in verdicts.unsourced:
        removal.drop_source(node, session, message)
    for node, surface in verdicts.unnamed:
        removal.drop_alias(node, surface)
    removal.finish()
    return removal


def _cut_reasons(writer: GraphWriter, stones: Tombstones) -> int:
    """The reasons that a person gave for what they did by hand, in their own words; how many lost some."""
    count = 0
    rows = writer.db.execute(
        "SELECT 'retractions', 'why', r.node, r.node, r.at, r.why, n.project FROM retractions r"
        " JOIN nodes n ON n.id = r.node WHERE r.why != '' UNION ALL"
        " SELECT 'supersessions', 'reason', s.newer, s.older, s.at, s.reason, n.project FROM supersessions s"
        " JOIN nodes n ON n.id = s.older WHERE s.reason LIKE 'by hand: %'"
    ).fetchall()
    for table, column, first, second, at, text, project in rows:
        spans = stones.spans(text, stones.reaches(by_hand.SESSION, project, at))
        if spans:
            which = "node = ? AND node = ?" if table == "retractions" else "newer = ? AND older = ?"
            writer.db.execute(f"UPDATE {table} SET {column} = ? WHERE {which}", (cut(text, spans), first, second))
            count += 1
    return count


def _suspects(writer: GraphWriter, stones: Tombstones) -> set[int]:
    """The nodes in whose text or names something may be that is forgotten."""
    rows = writer.db.execute("SELECT id, text FROM nodes UNION ALL SELECT node, surface FROM aliases")
    return {node for node, text in rows if stones.may_hold(text)}


def _rows(writer: GraphWriter, nodes: set[int] | None) -> Iterator[tuple[Any, ...]]:
    """The nodes to be judged: all, or some with the messages they stem from and what else stems from those."""
    if nodes is None:
        yield from writer.db.execute(f"SELECT {_COLUMNS} FROM nodes n ORDER BY n.id")
        return
    wanted = _with_kin(writer, nodes)
    for part in _parts(sorted(wanted)):
        yield from writer.db.execute(f"SELECT {_COLUMNS} FROM nodes n WHERE n.id IN ({_marks(part)})", part)


def _with_kin(writer: GraphWriter, nodes: set[int]) -> set[int]:
    """The nodes, the messages that they stem from, and everything that stems from one of these messages."""
    found = set(nodes)
    for part in _parts(sorted(nodes)):
        found.update(
            row[0]
            for row in writer.db.execute(
                "SELECT g.node FROM sources s JOIN messages g ON g.session = s.session AND g.id = s.message"
                f" WHERE g.node IS NOT NULL AND s.node IN ({_marks(part)})",
                part,
            )
        )
    for part in _parts(sorted(found)):
        found.update(
            row[0]
            for row in writer.db.execute(
                "SELECT s.node FROM messages g JOIN sources s ON s.session = g.session AND s.message = g.id"
                f" WHERE g.node IN ({_marks(part)})",
                part,
            ).fetchall()
        )
    return found


def _sources(writer: GraphWriter) -> dict[int, list[Place]]:
    found: dict[int, list[Place]] = {}
    for node, session, message in writer.db.execute("SELECT node, session, message FROM sources"):
        found.setdefault(node, []).append((session, message))
    return found


def _aliases(writer: GraphWriter) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for node, surface in writer.db.execute("SELECT node, surface FROM aliases"):
        found.setdefault(node, []).append(surface)
    return found


def erase_vectors(paths: Paths, writer: GraphWriter) -> None:
    """Overwrite the vectors that belong to no memory, and remove the files of former generations.

    A vectors file that cannot be used is begun anew by the worker: nothing of it will be kept.
    """
    generation, count = writer.vectors_in_force()
    named = {row for (row,) in writer.db.execute("SELECT row FROM vector_rows")}
    try:
        vectors_write.erase_rows(paths.graph, generation, sorted(set(range(count)) - named))
    except VectorsUnusable:
        pass
    vectors_write.remove_others(paths.graph, generation)


def _parts(nodes: list[int]) -> list[list[int]]:
    return [nodes[at : at + _MANY] for at in range(0, len(nodes), _MANY)]


def _marks(values: list[int]) -> str:
    return ",".join("?" * len(values))
