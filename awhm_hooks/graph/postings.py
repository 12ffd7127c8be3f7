"""Rewriting stored postings: documents that go, and documents whose text is another one now."""

from collections.abc import Iterator
from sqlite3 import Connection

from awhm_hooks.graph.writer import pack_chunk, packed_counts, unpack_chunk

Key = tuple[int, str]


def rewrite(db: Connection, gone: set[int], texts: dict[int, str]) -> int:
    """Take documents out of the index and index others anew under their number; how many terms are gone for good.

    Every chunk of the scopes concerned is read, whatever a document's text says: that way an index that an earlier
    tokeniser wrote is rid of it as well, and 2.5 million entries take half a second.
    """
    scopes = _shrink(db, gone, texts)
    new: dict[Key, dict[int, int]] = {}
    for node, text in texts.items():
        terms, length = packed_counts(text)
        db.execute("UPDATE nodes SET length = ? WHERE id = ?", (length, node))
        db.execute("UPDATE scopes SET terms = terms + ? WHERE id = ?", (length, scopes[node]))
        for term, packed in terms.items():
            new.setdefault((scopes[node], term), {})[node] = packed
    touched = gone | texts.keys()
    emptied: set[str] = set()
    for rowid, scope, term, data in _chunks(db, set(scopes.values())):
        words = memoryview(data).cast("I")
        if touched.isdisjoint(words[: len(words) // 2]):
            continue
        again = new.get((scope, term), {})
        held = [(node, again.pop(node, 0) if node in touched else packed) for node, packed in unpack_chunk(data)]
        kept = [entry for entry in held if entry[1]]
        _replace(db, rowid, kept)
        if not kept:
            emptied.add(term)
    for (scope, term), entries in new.items():
        if entries:
            _insert(db, scope, term, entries)
    return sum(1 for term in emptied if not _is_held(db, term))


def _is_held(db: Connection, term: str) -> bool:
    """Whether a term stands in any scope's index; asked scope by scope, as the index of the table is."""
    found = db.execute("SELECT 1 FROM scopes s JOIN postings p ON p.scope = s.id AND p.term = ? LIMIT 1", (term,))
    return found.fetchone() is not None


def _shrink(db: Connection, gone: set[int], texts: dict[int, str]) -> dict[int, int]:
    """Take the documents out of their scopes' sizes; the scope of each."""
    scopes: dict[int, int] = {}
    for node in gone | texts.keys():
        row = db.execute("SELECT scope, length FROM nodes WHERE id = ?", (node,)).fetchone()
        if row:
            scopes[node] = row[0]
            docs = int(node in gone)
            db.execute("UPDATE scopes SET docs = docs - ?, terms = terms - ? WHERE id = ?", (docs, row[1], row[0]))
    return scopes


def _chunks(db: Connection, scopes: set[int]) -> Iterator[tuple[int, int, str, bytes]]:
    """(rowid, scope, term, data) of every chunk of some scopes."""
    last = -1
    while rows := db.execute(  # by pages: the cursor must not run over rows that are being changed
        "SELECT rowid, scope, term, data FROM postings WHERE rowid > ? ORDER BY rowid LIMIT 2000", (last,)
    ).fetchall():
        yield from (row for row in rows if row[1] in scopes)
        last = rows[-1][0]


def _replace(db: Connection, rowid: int, entries: list[tuple[int, int]]) -> None:
    if entries:
        db.execute(
            "UPDATE postings SET count = ?, data = ? WHERE rowid = ?", (len(entries), pack_chunk(entries), rowid)
        )
    else:
        db.execute("DELETE FROM postings WHERE rowid = ?", (rowid,))


def _insert(db: Connection, scope: int, term: str, entries: dict[int, int]) -> None:
    """Put documents where their numbers belong: a chunk is sorted, and so are the chunks of a term."""
    rows = db.execute(
        "SELECT rowid, chunk, data FROM postings WHERE scope = ? AND term = ? ORDER BY chunk", (scope, term)
    ).fetchall()
    if not rows:
        data = pack_chunk(sorted(entries.items()))
        db.execute("INSERT INTO postings VALUES (?, ?, 0, ?, ?)", (scope, term, len(entries), data))
        return
    for number, (rowid, _, data) in enumerate(rows):
        held = unpack_chunk(data)
        is_last = number == len(rows) - 1
        mine = [node for node in entries if is_last or node <= held[-1][0]]
        if mine:
            _replace(db, rowid, sorted([*held, *((node, entries.pop(node)) for node in mine)]))
