"""Changing by hand what is remembered. Each act is a record in a raw log of its own, applied at once."""

import secrets
import time
from dataclasses import dataclass

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import by_hand, worker
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.graph import model
from awhm_hooks.graph.model import Node
from awhm_hooks.graph.scope import PROJECT, USER
from awhm_hooks.graph.store import USER_SCOPE, Graph, open_graph
from awhm_hooks.journal import patterns, raw_log, redact, slots
from awhm_hooks.manage.naming import node_by_id
from awhm_hooks.paths import Paths

LOCK_WAIT_S = 120.0
_FAMILIES = (model.FACT, model.PREFERENCE, model.POLICY, model.OUTCOME)


@dataclass(frozen=True)
class Statement:
    """A statement as it goes into the log. `scope` is "user" or "project"."""

    text: str
    family: str
    key: str | None
    scope: str


@dataclass(frozen=True)
class Done:
    """What an act came to. `node` is the memory made or changed, `older` the one that it took the place of.

    `known`: nothing new was to be done. `waits`: a consolidation is under way and will apply the record. `cleaned`: a
    secret was taken out of the text.
    """

    node: Node | None
    older: Node | None = None
    known: bool = False
    waits: bool = False
    cleaned: bool = False


def remember(
    paths: Paths, config: AWHMConfig, text: str, project: str, now: float, key: str | None, scope: str | None
) -> Done:
    """Remember a statement that nobody said in a session. Raises UsageError, AwhmError, OSError."""
    cleaned = _cleaned(text)
    said = _read(cleaned, key, scope, project)
    record_id = _record(
        paths,
        by_hand.REMEMBER,
        now,
        {"text": said.text, "family": said.family, "key": said.key or "", "scope": said.scope},
        project,
    )
    return _applied(paths, config, record_id, None, cleaned != text.strip())


def supersede(paths: Paths, config: AWHMConfig, given: str, text: str, why: str, now: float) -> Done:
    """Put a new statement in the place of one that is in force. Raises UsageError, AwhmError, OSError."""
    older = _target(paths, given)
    if older.status != model.ACTIVE:
        raise AwhmError(f"{older.uid} is {older.status} already; `awhm show {older.uid}` tells by what")
    cleaned = _cleaned(text)
    if slots.statement_key(cleaned) == slots.statement_key(older.text):
        raise UsageError("the new text says the same")
    family = older.family if older.family in _FAMILIES else _read(cleaned, None, None, older.project).family
    key = slots.canonical_key(cleaned) or older.canonical_key or ""
    fields: dict[str, object] = {
        "node": older.uid,
        "text": cleaned,
        "family": family,
        "key": key,
        "scope": USER if older.scope == USER_SCOPE else PROJECT,
        "why": _cleaned_why(why),
    }
    record_id = _record(paths, by_hand.SUPERSEDE, now, fields, older.project)
    return _applied(paths, config, record_id, older.uid, cleaned != text.strip())


def retract(paths: Paths, config: AWHMConfig, given: str, why: str, now: float) -> Done:
    """Take a memory back: it is not so. What it had superseded stays history. Raises AwhmError, OSError."""
    node = _target(paths, given)
    if node.status == model.RETRACTED:
        return Done(node, known=True)
    _record(paths, by_hand.RETRACT, now, {"node": node.uid, "why": _cleaned_why(why)}, node.project)
    waits = not _apply(paths, config)
    return Done(_node(paths, node.uid), waits=waits)


def _target(paths: Paths, given: str) -> Node:
    graph = open_graph(paths.graph_db)
    if graph is None:
        raise AwhmError(f"{given}: nothing is remembered yet")
    try:
        node = node_by_id(graph, given)
    finally:
        graph.close()
    if node.family == model.ENTITY:
        raise AwhmError(f"{node.uid} is a name ({node.text}) and no statement; `awhm delete {node.uid}` removes it")
    return node


def _cleaned(text: str) -> str:
    """The text without secrets. Raises UsageError where nothing is left."""
    cleaned = redact.clean(text).strip()
    if not cleaned:
        raise UsageError("there is nothing to remember in this text")
    return cleaned


def _cleaned_why(why: str) -> str:
    return redact.clean(why).strip()


def _read(text: str, key: str | None, scope: str | None, project: str) -> Statement:
    """What a text states by the rules of capture, unless the person says otherwise."""
    captured = patterns.capture(text)
    one = captured[0] if len(captured) == 1 else None
    family = one.family if one else model.FACT
    slot = one.key if one else slots.canonical_key(text)
    if key:
        prefix, colon, rest = key.strip().lower().partition(":")
        family = prefix if colon and prefix in _FAMILIES else family
        slot = f"{family}:{' '.join((rest if colon and prefix in _FAMILIES else key).lower().split())}"
    elif slot and slot.partition(":")[0] in _FAMILIES:
        family = slot.partition(":")[0]
    where = scope or (one.scope if one else PROJECT)
    return Statement(text, family, slot, where if project else USER)


def _record(paths: Paths, kind: str, now: float, fields: dict[str, object], project: str) -> str:
    """Write the act down; its id."""
    record_id = f"h{int(now * 1000)}:{secrets.token_hex(4)}"
    written = {name: value for name, value in fields.items() if value}
    offset = {"utc_offset_s": time.localtime(now).tm_gmtoff}
    line = {"kind": kind, "at": round(now, 3), **offset, **written, "project": project, "id": record_id}
    raw_log.append_lines(paths, by_hand.SESSION, [line])
    return record_id


def _applied(paths: Paths, config: AWHMConfig, record_id: str, older: str | None, cleaned: bool) -> Done:
    uid = by_hand.uid_of_record(record_id)
    waits = not _apply(paths, config)
    node = _node(paths, uid)
    known = node is not None and node.uid != uid
    return Done(node, _node(paths, older) if older else None, known, waits, cleaned)


def _apply(paths: Paths, config: AWHMConfig) -> bool:
    """Take the log into the graph now; False where another worker is at it for so long that it will do it."""
    report = worker.run(paths, config, LOCK_WAIT_S, insist=True, only=by_hand.SESSION)
    for reason in report.failed.values():
        raise AwhmError(f"noted, and not applied yet: {reason}")
    return report.sessions > 0


def _node(paths: Paths, uid: str) -> Node | None:
    graph = open_graph(paths.graph_db)
    if graph is None:
        return None
    try:
        return _known(graph, uid)
    finally:
        graph.close()


def _known(graph: Graph, uid: str) -> Node | None:
    row = graph.db.execute(
        "SELECT id FROM nodes WHERE uid = ? UNION ALL SELECT node FROM uids WHERE uid = ?", (uid, uid)
    ).fetchone()
    return graph.nodes([row[0]])[row[0]] if row else None
