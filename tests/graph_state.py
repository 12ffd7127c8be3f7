"""What a store remembers, apart from row numbers: to compare two stores."""

import contextlib
import sqlite3

NODES = """
SELECT n.uid, n.family, n.text, n.role, n.status, n.canonical_key, s.key, n.project, n.session, n.message, n.said_at,
 n.valid_from, n.valid_to, n.confidence, n.access_count, n.provenance
FROM nodes n JOIN scopes s ON s.id = n.scope ORDER BY n.uid
"""
LINKS = """
SELECT a.uid, b.uid, e.type, e.weight FROM edges e JOIN nodes a ON a.id = e.src JOIN nodes b ON b.id = e.dst
UNION ALL
SELECT a.uid, b.uid, s.reason, s.at FROM supersessions s JOIN nodes a ON a.id = s.newer JOIN nodes b ON b.id = s.older
UNION ALL SELECT n.uid, s.session, s.message, 0 FROM sources s JOIN nodes n ON n.id = s.node
UNION ALL SELECT n.uid, a.alias, a.surface, 0 FROM aliases a JOIN nodes n ON n.id = a.node
UNION ALL SELECT n.uid, m.session, m.id, m.uuid FROM messages m JOIN nodes n ON n.id = m.node
"""


def state(paths):
    """Every node, and everything that hangs on nodes."""
    with contextlib.closing(sqlite3.connect(paths.graph_db)) as db:
        return db.execute(NODES).fetchall(), sorted(db.execute(LINKS).fetchall(), key=repr)


def index(paths):
    """The postings, by text instead of row number: (scope, term) -> texts."""
    import array

    with contextlib.closing(sqlite3.connect(paths.graph_db)) as db:
        texts = dict(db.execute("SELECT id, text FROM nodes"))
        scopes = dict(db.execute("SELECT id, key FROM scopes"))
        found = {}
        for scope, term, count, data in db.execute("SELECT scope, term, count, data FROM postings ORDER BY chunk"):
            numbers = array.array("I", data)[:count]
            found.setdefault((scopes[scope], term), []).extend(texts[number] for number in numbers)
        return {place: sorted(held) for place, held in found.items()}
