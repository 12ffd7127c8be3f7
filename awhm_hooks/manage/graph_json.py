"""The memory graph as portable JSON: the format of AWHM Lite's snapshots, with what it has no field for added.

    {"version": "2.0", "created_at": ISO, "reason": ..., "awhm_hooks": {"schema": n},
     "graph": {"nodes": {id: {...}}, "edges": [...], "supersessions": [...], "sessions": [...], "tables": {...}},
     "wal_state": []}

A node has AWHM Lite's fields (`id`, `type`, `content`, `created_at`, `canonical_key`, `status`, `supersedes`,
`valid_from`, `valid_to`, `confidence`, `entity_type`, `aliases`, ...) and ours (`family`, `scope`, `project`,
`session`, `message`, `said_at`, ...); every column of the store that this module does not know goes along under its own
name. Vectors are left out: they are made again from the text. Files of version 1.0 lack the lifecycle fields, a graph
file has no "graph" around its nodes: both are read.
"""

import contextlib
import functools
import gc
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any

from awhm_hooks.errors import AwhmError, SchemaTooNew
from awhm_hooks.graph import model
from awhm_hooks.graph.migrations import SCHEMA
from awhm_hooks.graph.scope import USER
from awhm_hooks.graph.strength import frequency, p90, recency, strength
from awhm_hooks.journal import redact

VERSION = "2.0"
TABLES = ("stage2_sessions", "stage2_calls")
"""Tables that go along row by row: they say what not to do again, and hold no words."""
LITE_CONFIDENCE = 0.6  # of a node of AWHM Lite 1.0, which had none

_TIMES = ("created_at", "said_at", "valid_from", "valid_to", "last_accessed")
_RENAMED = {"uid": "id", "text": "content", "label": "entity_type"}
_OWN = {"id", "scope", "length", "statement_key"}  # of this store alone, or derived from the text
_FAMILIES = (model.FACT, model.PREFERENCE, model.POLICY, model.OUTCOME)
_STATUSES = (model.ACTIVE, model.SUPERSEDED, model.RETRACTED)
_HEAD_CHARS = 65_536
_dumps = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True)
class PortableNode:
    """A node: its columns under the store's names (times in epoch seconds), and what other tables say of it.

    `scope` is "user" or a project's key; `sources` are (session, message) pairs; `uuid` is the transcript line's;
    `other_uids` are (uid, session, message) of its repetitions; `retracted` is (at, why).
    """

    uid: str
    columns: dict[str, Any]
    scope: str
    aliases: list[str]
    sources: list[tuple[str, str]]
    uuid: str | None
    other_uids: list[tuple[str, str, str]]
    retracted: tuple[float, str] | None

    @property
    def name(self) -> str:
        """Of an entity: what it is called, without its label."""
        label, colon, name = str(self.columns["text"]).partition(": ")
        return name if colon and label == self.columns["label"] else str(self.columns["text"])


@dataclass(slots=True)
class PortableGraph:
    """A file's graph. Edges are (source, target, type, weight), supersessions (newer, older): (at, reason), by uid.

    `sessions` are (id, project, first_at, last_at, ended), `tables` rows by column; `is_ours` says that we wrote it.
    """

    path: str
    created_at: float
    reason: str
    is_ours: bool
    nodes: list[PortableNode] = field(default_factory=list)
    edges: list[tuple[str, str, str, float]] = field(default_factory=list)
    supersessions: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    sessions: list[tuple[str, str, float, float, bool]] = field(default_factory=list)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


@functools.lru_cache(maxsize=1024)  # a node's times are mostly one and the same
def iso(at: float | None) -> str | None:
    """Epoch seconds as UTC, to the microsecond."""
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat()


def dumped(db: Connection, created_at: float, reason: str) -> tuple[bytes, int]:
    """The graph of a connection as a file's bytes, all of one moment of it; and the number of nodes."""
    data = bytearray()
    db.execute("BEGIN")  # one read transaction: a worker may go on writing, this sees none of it
    try:
        count = int(db.execute("SELECT count(*) FROM nodes").fetchone()[0])
        for piece in _pieces(db, created_at, reason):
            data += piece.encode("utf-8", "replace")
    finally:
        db.execute("ROLLBACK")
    return bytes(data), count


def _pieces(db: Connection, created_at: float, reason: str) -> Iterator[str]:
    head = {"version": VERSION, "created_at": iso(created_at), "reason": reason, "awhm_hooks": {"schema": SCHEMA}}
    yield _dumps(head)[:-1] + ',\n"graph": {\n"nodes": {\n'
    yield from _joined(f"{_dumps(node['id'])}: {_dumps(node)}" for node in _nodes(db, created_at))
    yield '},\n"edges": [\n'
    yield from _joined(map(_dumps, _edges(db)))
    yield '],\n"supersessions": [\n'
    yield from _joined(map(_dumps, _supersessions(db)))
    yield '],\n"sessions": [\n'
    yield from _joined(map(_dumps, _sessions(db)))
    yield '],\n"tables": {\n'
    yield from _joined(f"{_dumps(name)}: {_dumps(_rows(db, name))}" for name in TABLES)
    yield '}},\n"wal_state": []}\n'


def _joined(parts: Iterator[str]) -> Iterator[str]:
    last = None
    for part in parts:
        if last is not None:
            yield last + ",\n"
        last = part
    if last is not None:
        yield last + "\n"


def _nodes(db: Connection, now: float) -> Iterator[dict[str, Any]]:
    scopes = dict(db.execute("SELECT id, key FROM scopes"))
    aliases = _grouped(db.execute("SELECT node, surface FROM aliases ORDER BY node, surface"))
    sources = _grouped(db.execute("SELECT node, session, message FROM sources ORDER BY node"))
    older = _grouped(db.execute("SELECT s.newer, o.uid FROM supersessions s JOIN nodes o ON o.id = s.older"))
    uuids = dict(db.execute("SELECT node, uuid FROM messages WHERE uuid IS NOT NULL"))
    others = _grouped(db.execute("SELECT node, uid, session, message FROM uids ORDER BY node, uid"))
    retracted = {node: (at, why) for node, at, why in db.execute("SELECT node, at, why FROM retractions")}
    often = p90([row[0] for row in db.execute("SELECT access_count FROM nodes WHERE access_count > 0")])
    rows = db.execute("SELECT * FROM nodes ORDER BY id")
    names: list[str] = [column[0] for column in rows.description]
    for row in rows:
        columns = dict(zip(names, row, strict=True))
        number = columns["id"]
        refs = sources.get(number, [])
        node: dict[str, Any] = {
            _RENAMED.get(name, name): iso(value) if name in _TIMES else value
            for name, value in columns.items()
            if name not in _OWN
        }
        node["entity_type"] = node["entity_type"] or None
        node["scope"] = scopes[columns["scope"]]
        node["supersedes"] = older.get(number, [])
        node["aliases"] = aliases.get(number, [])
        node["source_sessions"] = sorted({session for session, _ in refs})
        node["source_refs"] = [{"session_id": session, "message_id": message} for session, message in refs]
        node["uuid"] = uuids.get(number)
        if number in others:
            node["other_ids"] = [
                {"id": one, "session_id": session, "message_id": message} for one, session, message in others[number]
            ]
        if number in retracted:
            node["retracted_at"], node["retracted_why"] = iso(retracted[number][0]), retracted[number][1]
        node["strength"] = _strength(columns["access_count"], (now - columns["last_accessed"]) / 3600, often)
        yield node


def _grouped(rows: Any) -> dict[int, list[Any]]:
    """The second column by the first; tuples where there are more columns."""
    found: dict[int, list[Any]] = {}
    for number, *values in rows:
        found.setdefault(number, []).append(tuple(values) if len(values) > 1 else values[0])
    return found


def _strength(access_count: int, age_hours: float, often: float) -> dict[str, float]:
    """AWHM Lite keeps these with a node; we compute them when they are needed, and read none of them."""
    return {
        "recency": round(recency(age_hours), 4),
        "frequency": round(frequency(access_count, often), 4),
        "composite": round(strength(age_hours, access_count, often), 4),
    }


def _edges(db: Connection) -> Iterator[dict[str, object]]:
    rows = db.execute(
        "SELECT a.uid, b.uid, e.type, e.weight, max(a.created_at, b.created_at) FROM edges e"
        " JOIN nodes a ON a.id = e.src JOIN nodes b ON b.id = e.dst"
    )
    for source, target, kind, weight, at in rows:
        yield {"source": source, "target": target, "type": kind, "weight": weight, "created_at": iso(at)}


def _supersessions(db: Connection) -> Iterator[dict[str, object]]:
    rows = db.execute(
        "SELECT a.uid, b.uid, s.at, s.reason FROM supersessions s"
        " JOIN nodes a ON a.id = s.newer JOIN nodes b ON b.id = s.older"
    )
    for newer, older, at, reason in rows:
        yield {"newer": newer, "older": older, "at": iso(at), "reason": reason}


def _rows(db: Connection, table: str) -> list[dict[str, object]]:
    rows = db.execute(f"SELECT * FROM {table}")
    names: list[str] = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _sessions(db: Connection) -> Iterator[dict[str, object]]:
    for session, project, first, last, ended in db.execute(
        "SELECT id, project, first_at, last_at, ended FROM sessions"
    ):
        yield {
            "id": session,
            "project": project,
            "first_at": iso(first),
            "last_at": iso(last),
            "ended": bool(ended),
        }


def is_graph(path: str) -> bool:
    """Whether a file looks like a graph and not like a transcript. Raises OSError."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        head = file.read(_HEAD_CHARS)
    if not head.lstrip().startswith("{"):
        return False
    try:
        first = json.loads(head.split("\n", 1)[0])
    except ValueError:
        return '"nodes"' in head
    return isinstance(first, dict) and ("nodes" in first or "graph" in first)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Hold the garbage collector off while a large graph's JSON is in memory.

    It has no cycles to find there, and looks for them at every turn: a third of the time that 100,000 nodes take.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def read(path: str) -> PortableGraph:
    """The graph in a file, brought up to date. Raises AwhmError for what is none, SchemaTooNew, OSError."""
    try:
        with open(path, encoding="utf-8-sig") as file, uncollected():
            whole = json.load(file)
    except (ValueError, RecursionError) as problem:
        raise AwhmError(f"{path}: no graph: {problem}") from None
    graph = whole.get("graph", whole) if isinstance(whole, dict) else None
    if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), dict | list):
        raise AwhmError(f"{path}: no graph: it needs a JSON object with nodes and edges")
    ours = whole.get("awhm_hooks")
    schema = ours.get("schema") if isinstance(ours, dict) else 0
    if isinstance(schema, int) and schema > SCHEMA:
        raise SchemaTooNew(f"{path}: written by a newer version (schema {schema}, known up to {SCHEMA}); update awhm")
    found = PortableGraph(
        path,
        moment(whole.get("created_at")) or os.stat(path).st_mtime,
        str(whole.get("reason") or ""),
        isinstance(ours, dict),
    )
    rows = graph["nodes"]
    for key, fields in rows.items() if isinstance(rows, dict) else enumerate(rows):
        if not isinstance(fields, dict):
            raise AwhmError(f"{path}: node {key} is no JSON object")
        found.nodes.append(_node(path, key, fields, found))
    _read_links(path, graph, found)
    tables = graph.get("tables")
    if isinstance(tables, dict):
        found.tables = {name: [row for row in tables.get(name) or [] if isinstance(row, dict)] for name in TABLES}
    return found


def _read_links(path: str, graph: dict[str, Any], found: PortableGraph) -> None:
    for number, edge in enumerate(graph.get("edges") or []):
        try:
            found.edges.append((edge["source"], edge["target"], edge["type"], float(edge.get("weight", 1.0))))
        except (KeyError, TypeError, ValueError):
            raise AwhmError(f"{path}: edge {number} lacks its source, target or type") from None
    for number, one in enumerate(graph.get("supersessions") or []):
        try:
            found.supersessions[one["newer"], one["older"]] = moment(one["at"]) or 0.0, str(one.get("reason") or "")
        except (KeyError, TypeError):
            raise AwhmError(f"{path}: supersession {number} lacks a field") from None
    for one in graph.get("sessions") or []:
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            first, last = moment(one.get("first_at")) or 0.0, moment(one.get("last_at")) or 0.0
            found.sessions.append((one["id"], str(one.get("project") or ""), first, last, bool(one.get("ended"))))


def _node(path: str, key: object, fields: dict[str, Any], found: PortableGraph) -> PortableNode:
    """One node; `found` gets the supersessions that it names. Raises AwhmError naming the node."""
    uid, content = fields.get("id", key), fields.get("content")
    created_at = moment(fields.get("created_at"))
    if not isinstance(uid, str) or not isinstance(content, str) or created_at is None:
        raise AwhmError(f"{path}: node {key} needs id, content and created_at (ISO 8601)")
    status = fields.get("status", model.ACTIVE)
    if status not in _STATUSES:
        raise AwhmError(f"{path}: node {key} has the status {status!r}, which is none of {', '.join(_STATUSES)}")
    said_at = moment(fields.get("said_at")) or created_at
    columns: dict[str, Any] = {
        name: value
        for name, value in fields.items()
        if name not in _RENAMED.values() and name not in _OWN and isinstance(value, str | int | float | None)
    }
    columns |= {
        "uid": uid,
        "text": content if found.is_ours else redact.clean(content).strip(),
        "label": fields.get("entity_type") or "",
        "family": _family(fields),
        "status": status,
        "confidence": _number(fields.get("confidence"), LITE_CONFIDENCE),
        "access_count": int(_number(fields.get("access_count"), 0)),
        "created_at": created_at,
        "said_at": said_at,
        "valid_from": moment(fields["valid_from"]) if "valid_from" in fields else created_at,
        "valid_to": moment(fields.get("valid_to")),
        "last_accessed": moment(fields.get("last_accessed")) or said_at,
    }
    for older in fields.get("supersedes") or []:
        found.supersessions[uid, str(older)] = columns["valid_from"] or said_at, "same key"
    uuid = fields.get("uuid")
    taken_back = moment(fields.get("retracted_at"))
    return PortableNode(
        uid,
        columns,
        scope=str(fields.get("scope") or fields.get("project") or USER),
        aliases=[str(alias) for alias in fields.get("aliases") or []],
        sources=[(session, message) for session, message in _refs(fields, "source_refs", "session_id", "message_id")],
        uuid=uuid if isinstance(uuid, str) else None,
        other_uids=[(one, s, m) for one, s, m in _refs(fields, "other_ids", "id", "session_id", "message_id")],
        retracted=None if taken_back is None else (taken_back, str(fields.get("retracted_why") or "")),
    )


def _refs(fields: dict[str, Any], name: str, *parts: str) -> Iterator[tuple[str, ...]]:
    """These parts of each object in a list that has them all (AWHM Lite's references have no message id)."""
    for one in fields.get(name) or []:
        if isinstance(one, dict) and all(isinstance(one.get(part), str) for part in parts):
            yield tuple(one[part] for part in parts)


def _family(fields: dict[str, Any]) -> str:
    """Ours where the file has it; for a node of AWHM Lite, what its key, entity type and type say."""
    family = fields.get("family")
    if family in model.TYPE_OF_FAMILY:
        return str(family)
    if fields.get("entity_type"):
        return model.ENTITY
    kind = str(fields.get("canonical_key") or "").partition(":")[0]
    if kind in _FAMILIES:
        return kind
    return {model.EPISODIC: model.OUTCOME, model.PROCEDURAL: model.POLICY}.get(str(fields.get("type")), model.FACT)


def moment(stamp: object) -> float | None:
    """ISO 8601 as epoch seconds, UTC where it names no zone; None for anything else."""
    if not isinstance(stamp, str):
        return None
    try:
        parsed = datetime.fromisoformat(stamp)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, int | float) else otherwise
