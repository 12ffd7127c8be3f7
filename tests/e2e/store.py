"""What a data directory holds, read from its files: the raw logs and the graph."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple


class Message(NamedTuple):
    """One message as the raw log holds it."""

    role: str
    text: str
    session: str


class Statement(NamedTuple):
    """One captured statement, wherever it stands in its life."""

    family: str
    text: str
    status: str


def logged(data_dir: Path) -> list[Message]:
    """Every message line of every raw log, repetitions included."""
    found = []
    for path in sorted((data_dir / "logs").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record["kind"] == "message":
                found.append(Message(record["role"], record["text"], path.stem))
    return found


def rows(data_dir: Path, query: str) -> list[tuple[str, ...]]:
    """The rows of a query on the graph; none where there is no graph yet, or one without its tables."""
    path = data_dir / "graph" / "memory_graph.sqlite"
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as db:
        made = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'nodes'").fetchone()
        return list(db.execute(query)) if made else []


def episodes(data_dir: Path) -> list[Message]:
    """The messages in the graph, a short one being one node."""
    return [Message(*row) for row in rows(data_dir, "SELECT role, text, session FROM nodes WHERE family = 'message'")]


def statements(data_dir: Path) -> list[Statement]:
    families = "'fact', 'preference', 'policy', 'outcome'"
    return [
        Statement(*row)
        for row in rows(data_dir, f"SELECT family, text, status FROM nodes WHERE family IN ({families}) ORDER BY id")
    ]
