"""The doctor on the store: whole, of one piece, and with its vectors."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from sqlite3 import Connection

import numpy as np

from awhm_hooks.config import AWHMConfig
from awhm_hooks.files import is_locked
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA
from awhm_hooks.manage.doctor_finding import Finding, broken, listed, names_in, note, warning
from awhm_hooks.paths import Paths
from awhm_hooks.recall import vectors

REBUILD = "awhm doctor --rebuild"
_CONSOLIDATE = "awhm consolidate"
_ORPHANS = {
    "edges": "SELECT count(*) FROM edges WHERE src NOT IN (SELECT id FROM nodes) OR dst NOT IN (SELECT id FROM nodes)",
    "vectors": "SELECT count(*) FROM vector_rows WHERE node NOT IN (SELECT id FROM nodes)",
    "aliases": "SELECT count(*) FROM aliases WHERE node NOT IN (SELECT id FROM nodes)",
    "sources": "SELECT count(*) FROM sources WHERE node NOT IN (SELECT id FROM nodes)",
    "messages": "SELECT count(*) FROM messages WHERE node IS NOT NULL AND node NOT IN (SELECT id FROM nodes)",
    "supersessions": "SELECT count(*) FROM supersessions WHERE newer NOT IN (SELECT id FROM nodes)"
    " OR older NOT IN (SELECT id FROM nodes)",
}


@dataclass
class Store:
    """What the store holds. `schema` is 0 where there is none."""

    schema: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    consumed: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def examine(paths: Paths, config: AWHMConfig) -> Store:
    """Read the store through. Raises OSError."""
    store = Store()
    store.findings.extend(_of_damaged_copies(paths))
    try:
        size = os.stat(paths.graph_db).st_size
    except (FileNotFoundError, NotADirectoryError):
        return store
    try:
        with contextlib.closing(sqlite.connect(paths.graph_db, sqlite.READ_WAIT_S)) as db:
            store.schema = int(db.execute("PRAGMA user_version").fetchone()[0])
            if size and store.schema:
                store.findings.extend(_of_database(paths, config, db, store))
    except sqlite.OperationalError as problem:
        store.findings.append(broken("store-not-readable", f"{paths.graph_db}: {problem}", "awhm doctor"))
    except (sqlite.Error, UnicodeDecodeError) as problem:
        store.findings.append(_damaged(paths, str(problem)))
    return store


def _damaged(paths: Paths, problem: str) -> Finding:
    return broken(
        "store-damaged",
        f"{paths.graph_db}: {problem}; the next consolidation keeps it aside and makes it anew from the raw logs",
        _CONSOLIDATE,
    )


def _of_damaged_copies(paths: Paths) -> Iterator[Finding]:
    copies = [f"{paths.graph}/{name}" for name in names_in(paths.graph) if ".damaged-" in name]
    if copies:
        size = sum(os.path.getsize(path) for path in copies)
        yield note("damaged-copies", f"{listed(copies)} kept aside, {size / 1e6:.1f} MB", "awhm gc")


def _of_database(paths: Paths, config: AWHMConfig, db: Connection, store: Store) -> Iterator[Finding]:
    if store.schema > SCHEMA:
        message = f"{paths.graph_db} was written by a newer version (schema {store.schema}, known up to {SCHEMA})"
        yield broken("store-too-new", message, "pip install --upgrade awhm-hooks")
        return
    if store.schema < SCHEMA:
        message = f"{paths.graph_db} is of schema {store.schema}; until it is migrated to {SCHEMA}, recall does without"
        yield warning("store-outdated", message, _CONSOLIDATE)
        return
    faults = [str(row[0]) for row in db.execute("PRAGMA integrity_check(3)")]
    if faults != ["ok"]:
        yield _damaged(paths, listed(faults))
        return
    db.execute("BEGIN")  # one state for all that follows: the worker may be at work
    store.counts = _counts(db)
    store.consumed = dict(db.execute("SELECT id, consumed FROM sessions"))
    yield from _of_orphans(db)
    yield from _of_index(db)
    yield from _of_vectors(paths, config, db)
    db.execute("COMMIT")


def _counts(db: Connection) -> dict[str, int]:
    found = {str(name): int(count) for name, count in db.execute("SELECT family, count(*) FROM nodes GROUP BY family")}
    statuses = {
        str(name): int(count) for name, count in db.execute("SELECT status, count(*) FROM nodes GROUP BY status")
    }
    return {
        "memories": sum(found.values()),
        **found,
        "superseded": statuses.get("superseded", 0),
        "retracted": statuses.get("retracted", 0),
        "edges": db.execute("SELECT count(*) FROM edges").fetchone()[0],
    }


def _of_orphans(db: Connection) -> Iterator[Finding]:
    found = {name: db.execute(query).fetchone()[0] for name, query in _ORPHANS.items()}
    bad = [f"{count} {name}" for name, count in found.items() if count]
    if bad:
        yield broken("store-orphans", f"{', '.join(bad)} belong to memories that are not there", REBUILD)


def _of_index(db: Connection) -> Iterator[Finding]:
    """Every document of the index is a memory, and every memory is counted in its scope."""
    known = np.fromiter((row[0] for row in db.execute("SELECT id FROM nodes")), np.int64)
    present = np.zeros(int(known.max()) + 2 if len(known) else 1, bool)
    present[known] = True
    lost = 0
    for count, data in db.execute("SELECT count, data FROM postings"):
        words = np.frombuffer(data, np.uint32)
        if len(words) != 2 * count:
            lost += 1
            continue
        documents = np.minimum(words[:count], len(present) - 1)
        lost += int(count - np.count_nonzero(present[documents]))
    if lost:
        yield broken("index-orphans", f"{lost} entries of the word index name no memory", REBUILD)
    rows = db.execute(
        "SELECT s.key, s.docs, s.terms, count(n.id), coalesce(sum(n.length), 0) FROM scopes s"
        " LEFT JOIN nodes n ON n.scope = s.id GROUP BY s.id"
    )
    wrong = [key for key, docs, terms, nodes, length in rows if (docs, terms) != (nodes, length)]
    if wrong:
        yield broken("index-sizes", f"the word index counts other memories than there are in {listed(wrong)}", REBUILD)


def _of_vectors(paths: Paths, config: AWHMConfig, db: Connection) -> Iterator[Finding]:
    meta = dict(db.execute("SELECT name, value FROM meta WHERE name LIKE 'vectors_%'"))
    generation, count = int(meta["vectors_generation"]), int(meta["vectors_count"])
    missing = db.execute(
        "SELECT count(*) FROM nodes WHERE family != 'entity' AND id NOT IN (SELECT node FROM vector_rows)"
    ).fetchone()[0]
    highest = db.execute("SELECT max(row) FROM vector_rows").fetchone()[0]
    if count:
        try:
            vectors.open_rows(vectors.path_of(paths.graph, generation), generation, count)
        except vectors.VectorsUnusable as problem:
            yield broken("vectors-unusable", f"{problem}; recall goes by words alone", REBUILD)
    if highest is not None and highest >= count:
        yield broken("vectors-orphans", f"vector {highest} is named, and there are {count}", REBUILD)
    if missing and config.semantic and not worker_is_running(paths):
        yield warning("memories-without-vectors", f"{missing} memories are found by words alone", _CONSOLIDATE)


def worker_is_running(paths: Paths) -> bool:
    """Whether some process holds the worker's lock."""
    return is_locked(paths.worker_lock)
