"""The whole life of a memory: where it comes from, what it took the place of, what took its, when it was told."""

import contextlib
from dataclasses import dataclass, field

from awhm_hooks.errors import AwhmError
from awhm_hooks.graph import model
from awhm_hooks.graph.model import Node
from awhm_hooks.graph.store import USER_SCOPE, Graph, open_graph
from awhm_hooks.journal import wal
from awhm_hooks.manage.deletion_logs import sessions
from awhm_hooks.manage.naming import node_by_id
from awhm_hooks.paths import Paths
from awhm_hooks.recall.context import injection_marks
from awhm_hooks.recall.memory import of_node


@dataclass(frozen=True)
class Source:
    """A message that a memory stems from. `text` is "" where the message is not in the graph."""

    session: str
    message: str
    at: float | None
    role: str
    text: str


@dataclass(frozen=True)
class Other:
    """Another memory, and how it stands to the one asked for: when, and why."""

    id: str
    text: str
    status: str
    at: float | None = None
    reason: str = ""


@dataclass
class Life:
    """All that is known of a memory. Times are epoch seconds; `injections` are (session, when)."""

    id: str
    family: str
    type: str
    text: str
    status: str
    key: str | None
    scope: str
    project: str
    provenance: str
    confidence: float
    said_at: float
    valid_from: float | None
    valid_to: float | None
    access_count: int
    last_accessed: float
    other_ids: list[str] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    supersedes: list[Other] = field(default_factory=list)
    superseded_by: list[Other] = field(default_factory=list)
    retracted_at: float | None = None
    retracted_why: str = ""
    injections: list[tuple[str, float]] = field(default_factory=list)
    names: list[Other] = field(default_factory=list)
    statements: list[Other] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)


def show(paths: Paths, given: str) -> Life:
    """The life of the memory with this id. Raises AwhmError, sqlite.Error."""
    graph = open_graph(paths.graph_db)
    if graph is None:
        raise AwhmError(f"{given}: nothing is remembered yet")
    with contextlib.closing(graph):
        node = node_by_id(graph, given)
        life = _of_node(node)
        _tell_origin(graph, node, life)
        _tell_succession(graph, node, life)
        _tell_links(graph, node, life)
        life.injections = _injections(paths, graph, node)
    return life


def _of_node(node: Node) -> Life:
    return Life(
        node.uid,
        node.family,
        node.type,
        node.text,
        node.status,
        node.canonical_key,
        "user" if node.scope == USER_SCOPE else "project",
        node.project,
        node.provenance,
        node.confidence,
        node.said_at,
        node.valid_from,
        node.valid_to,
        node.access_count,
        node.last_accessed,
    )


def _tell_origin(graph: Graph, node: Node, life: Life) -> None:
    query = graph.db.execute
    life.other_ids = [uid for (uid,) in query("SELECT uid FROM uids WHERE node = ? ORDER BY uid", (node.id,))]
    if node.family == model.MESSAGE:
        life.sources = [Source(node.session, node.message, node.said_at, node.role, node.text)]
        return
    own = (node.session, node.message)
    rows = query(
        "SELECT s.session, s.message, m.said_at, m.role, m.text FROM sources s LEFT JOIN messages g"
        " ON g.session = s.session AND g.id = s.message LEFT JOIN nodes m ON m.id = g.node"
        " WHERE s.node = ? ORDER BY m.said_at",
        (node.id,),
    )
    life.sources = [
        Source(
            session, message, node.said_at if at is None and (session, message) == own else at, role or "", text or ""
        )
        for session, message, at, role, text in rows
    ]


def _tell_succession(graph: Graph, node: Node, life: Life) -> None:
    query = graph.db.execute
    columns = "n.uid, n.text, n.status, s.at, s.reason FROM supersessions s JOIN nodes n"
    older = query(f"SELECT {columns} ON n.id = s.older WHERE s.newer = ? ORDER BY s.at", (node.id,))
    life.supersedes = [Other(*row) for row in older]
    newer = query(f"SELECT {columns} ON n.id = s.newer WHERE s.older = ? ORDER BY s.at", (node.id,))
    life.superseded_by = [Other(*row) for row in newer]
    retraction = query("SELECT at, why FROM retractions WHERE node = ?", (node.id,)).fetchone()
    if retraction:
        life.retracted_at, life.retracted_why = retraction


def _tell_links(graph: Graph, node: Node, life: Life) -> None:
    columns = "n.uid, n.text, n.status FROM edges e JOIN nodes n"
    names = graph.db.execute(
        f"SELECT {columns} ON n.id = e.dst WHERE e.src = ? AND e.type = ?", (node.id, model.ASSOCIATION)
    )
    life.names = [Other(*row) for row in names]
    kind = model.ASSOCIATION if node.family == model.ENTITY else model.ABSTRACTION
    statements = graph.db.execute(f"SELECT {columns} ON n.id = e.src WHERE e.dst = ? AND e.type = ?", (node.id, kind))
    life.statements = [Other(*row) for row in statements]
    life.aliases = [row[0] for row in graph.db.execute("SELECT surface FROM aliases WHERE node = ?", (node.id,))]


def _injections(paths: Paths, graph: Graph, node: Node) -> list[tuple[str, float]]:
    """When it was told, by the graph and by the write-ahead logs that are not consolidated yet."""
    mark = injection_marks(of_node(node, []))[0]
    found = set(graph.db.execute("SELECT session, at FROM injections WHERE mark = ?", (mark,)).fetchall())
    for session in sessions(paths, paths.wal, ".wal"):
        for record in wal.read_all(paths.wal_file(session)):
            if record.get("k") == wal.INJECTION and node.uid in record["uids"]:
                found.add((session, float(record["at"])))
    return sorted(found, key=lambda told: told[1])
