"""Forgetting in graphs as JSON: snapshots, and files that another machine's graph comes in."""

import json
from typing import Any

from awhm_hooks.consolidate import tombstone_file
from awhm_hooks.consolidate.tombstones import Tombstones
from awhm_hooks.graph import model
from awhm_hooks.journal import slots
from awhm_hooks.manage import graph_json
from awhm_hooks.manage.deletion_verdicts import Judge, Verdicts, View
from awhm_hooks.manage.graph_json import PortableGraph, PortableNode
from awhm_hooks.paths import Paths

_GRAPH = "graph"
_APART = ("wal_state",)


def without_forgotten(paths: Paths, graph: PortableGraph) -> int:
    """Take what was deleted here out of a graph that comes from a file; how many memories went. Raises AwhmError."""
    stones = tombstone_file.load(paths)
    if not stones:
        return 0
    by_uid = {node.uid: node for node in graph.nodes}
    verdicts = _judged([_view_of(node) for node in graph.nodes], stones)
    gone = set(verdicts.dropped)
    graph.nodes[:] = [node for node in graph.nodes if node.uid not in gone]
    for uid, text in verdicts.texts.items():
        by_uid[uid].columns["text"] = text
    for uid, place in verdicts.unsourced:
        by_uid[uid].sources.remove(place)
    for uid, name in verdicts.unnamed:
        by_uid[uid].aliases.remove(name)
    return len(gone)


def _view_of(node: PortableNode) -> View[str]:
    columns = node.columns
    return View(
        node.uid,
        node.uid,
        columns["family"],
        str(columns.get("role") or ""),
        columns["text"],
        str(columns.get("project") or ""),
        str(columns.get("session") or ""),
        str(columns.get("message") or ""),
        float(columns["said_at"]),
        _key_of(columns["family"], columns["text"]),
        list(node.sources),
        list(node.aliases),
    )


def forget_in_json(whole: dict[str, Any], stones: Tombstones) -> int:
    """Take what the tombstones forget out of a graph's JSON, in place; how many memories went or lost words.

    What only removed statements had superseded holds again, as in the store.
    """
    graph = whole.get(_GRAPH, whole)
    rows = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(rows, dict | list):
        return 0
    nodes = {
        str(node.get("id", key)): node
        for key, node in (rows.items() if isinstance(rows, dict) else enumerate(rows))
        if isinstance(node, dict)
    }
    verdicts = _judged([_view_of_json(uid, node) for uid, node in nodes.items()], stones)
    gone = set(verdicts.dropped)
    for uid, text in verdicts.texts.items():
        nodes[uid]["content"] = text
        nodes[uid].pop("embedding", None)
    for uid, (session, message) in verdicts.unsourced:
        refs = nodes[uid]["source_refs"]
        nodes[uid]["source_refs"] = [
            ref for ref in refs if (ref["session_id"], ref["message_id"]) != (session, message)
        ]
    for uid, name in verdicts.unnamed:
        nodes[uid]["aliases"].remove(name)
    if gone:
        said = _said(graph)
        _without_nodes(graph, gone)
        revived = _revive(graph, nodes, gone)
        _revive_messages(nodes, gone, [pair for pair in said if pair[0] in gone | revived], said)
    return len(gone) + len(verdicts.texts)


def _without_nodes(graph: dict[str, Any], gone: set[str]) -> None:
    rows = graph["nodes"]
    if isinstance(rows, dict):
        graph["nodes"] = {key: node for key, node in rows.items() if str(node.get("id", key)) not in gone}
    else:
        graph["nodes"] = [node for node in rows if str(node.get("id")) not in gone]
    for name, ends in (("edges", ("source", "target")), ("supersessions", ("newer", "older"))):
        if isinstance(graph.get(name), list):
            graph[name] = [one for one in graph[name] if not any(one.get(end) in gone for end in ends)]


def _said(graph: dict[str, Any]) -> list[tuple[str, str]]:
    """(statement, message that said it), by id."""
    edges = graph.get("edges") or []
    return [(edge["source"], edge["target"]) for edge in edges if edge.get("type") == model.ABSTRACTION]


def _revive(graph: dict[str, Any], nodes: dict[str, dict[str, Any]], gone: set[str]) -> set[str]:
    """What nothing supersedes any more holds again; its ids."""
    superseded = {one.get("older") for one in graph.get("supersessions") or []}
    was_superseded: set[str] = set()
    for uid, node in nodes.items():
        older = [str(one) for one in node.get("supersedes") or []]
        if uid in gone:
            was_superseded.update(older)
        else:
            superseded.update(older)
            node["supersedes"] = [one for one in older if one not in gone]
    free = was_superseded - superseded - gone
    revived = {uid for uid in free if uid in nodes and nodes[uid].get("status") == model.SUPERSEDED}
    for uid in revived:
        nodes[uid]["status"], nodes[uid]["valid_to"] = model.ACTIVE, None
    return revived


def _revive_messages(
    nodes: dict[str, dict[str, Any]], gone: set[str], concerned: list[tuple[str, str]], said: list[tuple[str, str]]
) -> None:
    """A message is history only as long as a statement of it is."""
    history = {message for uid, message in said if uid not in gone and nodes.get(uid, {}).get("status") != model.ACTIVE}
    for _, message in concerned:
        if message in nodes and message not in history and nodes[message].get("status") == model.SUPERSEDED:
            nodes[message]["status"], nodes[message]["valid_to"] = model.ACTIVE, None


def _view_of_json(uid: str, node: dict[str, Any]) -> View[str]:
    text = str(node.get("content") or "")
    family = str(node.get("family") or (model.ENTITY if node.get("entity_type") else model.FACT))
    refs = [ref for ref in node.get("source_refs") or [] if isinstance(ref, dict)]
    return View(
        uid,
        uid,
        family,
        str(node.get("role") or ""),
        text,
        str(node.get("project") or ""),
        str(node.get("session") or ""),
        str(node.get("message") or ""),
        graph_json.moment(node.get("said_at")) or graph_json.moment(node.get("created_at")) or 0.0,
        _key_of(family, text),
        [
            (str(ref["session_id"]), str(ref["message_id"]))
            for ref in refs
            if "session_id" in ref and "message_id" in ref
        ],
        [str(alias) for alias in node.get("aliases") or []],
    )


def _key_of(family: str, text: str) -> str:
    """A statement's key; a message needs none, and most nodes are messages."""
    return "" if family == model.MESSAGE else slots.statement_key(text)


def _judged(views: list[View[str]], stones: Tombstones) -> Verdicts[str]:
    judge: Judge[str] = Judge(stones)
    for view in views:
        if view.family == model.MESSAGE:
            judge.message(view)
    for view in views:
        if view.family != model.MESSAGE:
            judge.other(view)
    return judge.verdicts


def dumps(whole: dict[str, Any]) -> bytes:
    """The file again: its head on the first line, then a node or an edge a line, as `graph_json` writes them."""
    graph = whole.get(_GRAPH)
    if not isinstance(graph, dict):
        return _json(whole).encode("utf-8", "replace") + b"\n"
    head = {name: value for name, value in whole.items() if name != _GRAPH and name not in _APART}
    last = {name: whole[name] for name in _APART if name in whole}
    parts = ",\n".join(f"{_json(name)}: {_lines(value)}" for name, value in graph.items())
    tail = "".join(f",\n{_json(name)}: {_json(value)}" for name, value in last.items())
    opening = _json(head)[:-1] + (",\n" if head else "")
    return f'{opening}"{_GRAPH}": {{\n{parts}}}{tail}}}\n'.encode("utf-8", "replace")


def _lines(value: object) -> str:
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{_json(name)}: {_json(one)}" for name, one in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(_json, value)) + "\n]"
    return _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
