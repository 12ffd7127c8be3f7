"""What `awhm status` tells: counts, the last event of each hook, the last error."""

import contextlib
import os
from collections import Counter
from dataclasses import dataclass, field

from awhm_hooks import error_log
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths, decode_name

_RECENT_LOGS = 20


@dataclass
class Overview:
    """Counts of the store; `last_events` maps a hook to the epoch seconds of its newest record, or None."""

    data_dir: str
    nodes: int = 0
    edges: int = 0
    nodes_by_family: dict[str, int] = field(default_factory=dict)
    nodes_by_status: dict[str, int] = field(default_factory=dict)
    sessions: int = 0
    pending_sessions: int = 0
    messages: int = 0
    projects: int = 0
    bytes_on_disk: int = 0
    last_events: dict[str, float | None] = field(default_factory=dict)
    last_error: str | None = None


def overview(paths: Paths) -> Overview:
    """The state of the store. Raises AwhmError and sqlite.Error where it cannot be read."""
    found = Overview(paths.data_dir, last_error=error_log.last(paths))
    consumed: dict[str, int] = {}
    graph = open_graph(paths.graph_db)
    if graph:
        with contextlib.closing(graph):
            consumed = _count_graph(graph.db.execute, found)
    logs = _logs(paths)
    found.sessions = len(logs)
    for path, size in logs.items():
        done = consumed.get(decode_name(os.path.basename(path)[: -len(".jsonl")]), 0)
        if size > done and raw_log.whole_bytes(path, done) > done:
            found.pending_sessions += 1
    found.last_events = _last_events(sorted(logs, key=os.path.getmtime, reverse=True)[:_RECENT_LOGS])
    found.bytes_on_disk = _disk_use(paths.data_dir)
    return found


def _count_graph(query: "Query", found: Overview) -> dict[str, int]:
    found.nodes_by_family = dict(query("SELECT family, count(*) FROM nodes GROUP BY family"))
    found.nodes_by_status = dict(query("SELECT status, count(*) FROM nodes GROUP BY status"))
    found.nodes = sum(found.nodes_by_family.values())
    found.edges = query("SELECT count(*) FROM edges").fetchone()[0]
    found.messages = found.nodes_by_family.get("message", 0)
    found.projects = query("SELECT count(*) FROM scopes WHERE key != 'user'").fetchone()[0]
    return dict(query("SELECT id, consumed FROM sessions"))


def _logs(paths: Paths) -> dict[str, int]:
    try:
        entries = list(os.scandir(paths.logs))
    except FileNotFoundError:
        return {}
    return {entry.path: entry.stat().st_size for entry in entries if entry.name.endswith(".jsonl") and entry.is_file()}


def _last_events(logs: list[str]) -> dict[str, float | None]:
    newest: Counter[str] = Counter()
    hook_of = {raw_log.START: "session-start", raw_log.END: "session-end"}
    for path in logs:
        for record in raw_log.read(path):
            hook = hook_of.get(record.kind)
            if record.kind == "message" and "uuid" not in record.fields:
                hook = "prompt" if record.role == raw_log.USER else "stop"
            if hook:
                newest[hook] = max(newest[hook], record.at)  # type: ignore[assignment]
    return {hook: newest.get(hook) for hook in ("prompt", "stop", "session-start", "session-end")}


def _disk_use(directory: str) -> int:
    total = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += os.stat(os.path.join(folder, name)).st_size
    return total


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Cursor

    Query = Callable[[str], Cursor]
