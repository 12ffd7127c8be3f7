"""The graph as values that two stores can be compared by: without node numbers, and without what is counted."""

import contextlib
import shutil

from awhm_hooks.graph.store import open_graph
from awhm_hooks.graph.writer import unpack_chunk


def picture(paths):
    graph = open_graph(paths.graph_db)
    with contextlib.closing(graph):
        query = graph.db.execute
        uid = dict(query("SELECT id, uid FROM nodes"))
        scopes = dict(query("SELECT id, key FROM scopes"))
        postings = {}
        for scope, term, data in query("SELECT scope, term, data FROM postings"):
            for node, packed in unpack_chunk(data):
                postings.setdefault((scopes[scope], term), {})[uid.get(node, f"orphan {node}")] = packed
        return {
            "nodes": {
                row[0]: (*row[1:-1], scopes[row[-1]])
                for row in query(
                    "SELECT uid, family, text, role, label, canonical_key, statement_key, status, project, session,"
                    " message, said_at, valid_from, valid_to, change, length, scope FROM nodes"
                )
            },
            "edges": {
                (uid.get(src, src), uid.get(dst, dst), kind): weight
                for src, dst, kind, weight in query("SELECT src, dst, type, weight FROM edges")
            },
            "supersessions": {
                (uid.get(newer, newer), uid.get(older, older)): round(at, 3)
                for newer, older, at in query("SELECT newer, older, at FROM supersessions")
            },
            "sources": {
                (uid.get(node, node), session, message)
                for node, session, message in query("SELECT node, session, message FROM sources")
            },
            "aliases": {(alias, uid.get(node, node)) for alias, node in query("SELECT alias, node FROM aliases")},
            "messages": {
                (session, message, uid.get(node, node))
                for session, message, node in query("SELECT session, id, node FROM messages")
            },
            "known as": {(also, uid.get(node, node)) for also, node in query("SELECT uid, node FROM uids")},
            "retractions": {(uid.get(node, node), at) for node, at in query("SELECT node, at FROM retractions")},
            "sizes": {key: (docs, terms) for key, docs, terms in query("SELECT key, docs, terms FROM scopes") if docs},
            "postings": postings,
        }


def differences(one, other):
    """What differs between two pictures, part by part."""
    found = {}
    for part in one:
        a, b = one[part], other[part]
        items = (set(a.items()), set(b.items())) if isinstance(a, dict) and part != "postings" else (a, b)
        if items[0] != items[1]:
            found[part] = (
                {key: (a.get(key), b.get(key)) for key in a.keys() | b.keys() if a.get(key) != b.get(key)}
                if isinstance(a, dict)
                else a ^ b
            )
    return found


def rebuilt(memory):
    """The picture of a graph that is made anew from the raw logs."""
    shutil.rmtree(memory.paths.graph)
    memory.consolidate()
    return picture(memory.paths)
