"""What prompts were answered with, and why: from the write-ahead logs, and kept when these are removed.

What is kept holds no words, only ids of memories with the evidence for them: what is deleted is gone from here too.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.files import write_whole
from awhm_hooks.graph import model, sqlite
from awhm_hooks.graph.store import Graph, open_graph
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths, decode_name
from awhm_hooks.recall.context import injection_mark

MAX_BYTES = 2_000_000
_MIN_CHARS = 4
_NEWEST_LOGS = 5
_NO_EVIDENCE = ("id", "uid", "session", "family", "score")


def file_of(paths: Paths) -> str:
    return f"{paths.meta}/injections.jsonl"


@dataclass
class Told:
    """A memory that was handed back. `text` is "" where it is no longer remembered; `evidence` is by feature."""

    id: str
    text: str
    family: str
    status: str
    said_at: float | None
    score: float
    evidence: dict[str, float]


@dataclass
class Prompt:
    """A prompt and what came back for it. `quiet`: a command or a bare confirmation, for which memory is not asked."""

    session: str
    prompt_id: str
    at: float
    text: str
    quiet: bool
    told: list[Told] = field(default_factory=list)


# Keeping them, which is the worker's.


def keep(paths: Paths, writer: GraphWriter, session: str, wal_records: list[dict[str, Any]]) -> None:
    """Keep the injections of a write-ahead log that is to be removed; the worker's lock is held. Raises OSError."""
    lines = [
        json.dumps(_kept(writer, session, record)) + "\n"
        for record in wal_records
        if record.get("k") == wal.INJECTION and record.get("why")
    ]
    if not lines:
        return
    data = "".join(lines).encode("ascii")
    path = file_of(paths)
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(fd, data)
        is_full = os.fstat(fd).st_size > MAX_BYTES
    finally:
        os.close(fd)
    if is_full:
        _drop_older_half(path)


def _kept(writer: GraphWriter, session: str, record: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": session,
        "prompt_id": _prompt_id(record["for"]),
        "message": uid_of("message", session, record["for"]),
        "at": record["at"],
        "told": [
            {**_evidence(one), "uid": _uid(writer, one, record["marks"]), "score": one.get("score", 0.0)}
            for one in record["why"]
        ],
    }


def _prompt_id(message_id: str) -> str:
    """Of an id made by `raw_log.append_message`."""
    return message_id.rsplit(":", 2)[0]


def _evidence(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in _NO_EVIDENCE}


def _uid(writer: GraphWriter, one: dict[str, Any], marks: list[int]) -> str:
    """The memory's id in the graph, also of one that was told from a buffer; its message's where it has none yet."""
    session = one.get("session")
    if session is None:
        return str(one["id"])
    rows = writer.db.execute(
        "SELECT n.uid, n.text FROM sources s JOIN nodes n ON n.id = s.node WHERE s.session = ? AND s.message = ?",
        (session, one["id"]),
    )
    for uid, text in rows if one.get("family") != model.MESSAGE else ():
        if injection_mark(text) in marks:
            return str(uid)
    return uid_of("message", session, one["id"])


def _drop_older_half(path: str) -> None:
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    write_whole(path, b"".join(lines[len(lines) // 2 :]))


def forget(paths: Paths, uids: set[str], dry_run: bool = False) -> int:
    """Drop deleted memories, and prompts that are deleted themselves; how many. Raises OSError."""
    records = list(_records(paths))
    kept = [
        {**record, "told": [one for one in record["told"] if one["uid"] not in uids]}
        for record in records
        if record["message"] not in uids
    ]
    gone = sum(len(record["told"]) for record in records) - sum(len(record["told"]) for record in kept)
    gone += len(records) - len(kept)
    if gone and not dry_run:
        write_whole(file_of(paths), "".join(json.dumps(record) + "\n" for record in kept).encode("ascii"))
    return gone


def _records(paths: Paths) -> Iterator[dict[str, Any]]:
    try:
        with open(file_of(paths), encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and {"session", "message", "at", "told"} <= record.keys():
            yield record


# Asking for them.


def last(paths: Paths) -> Prompt | None:
    """The newest prompt of any session, with what it was answered with; None where nothing was said yet."""
    logs = sorted(_logs(paths), key=os.path.getmtime, reverse=True)[:_NEWEST_LOGS]
    found = [(_session_of(path), record) for path in logs for record in _prompts(path)]
    if not found:
        return None
    session, record = max(found, key=lambda pair: pair[1].at)
    return _answered(paths, [(session, record)])[0]


def matching(paths: Paths, given: str) -> list[Prompt]:
    """The prompts of the session, or the prompt, whose id begins so. Raises UsageError for none or several sessions."""
    logs = {_session_of(path): path for path in _logs(paths)}
    exact = [name for name in (given, raw_log.CLIENT_PREFIX + given) if name in logs]
    if not exact and len(given) < _MIN_CHARS:
        raise UsageError(f"{given}: the beginning of an id needs at least {_MIN_CHARS} characters")
    names = exact or [name for name in logs if name.removeprefix(raw_log.CLIENT_PREFIX).startswith(given)]
    if len(names) > 1:
        raise UsageError(f"{given}: {len(names)} sessions begin like that: {', '.join(sorted(names)[:5])}")
    if names:
        return _answered(paths, [(names[0], record) for record in _prompts(logs[names[0]])])
    pairs = [(name, one) for name, path in logs.items() for one in _prompts(path) if one.prompt_id.startswith(given)]
    if not pairs:
        raise UsageError(f"{given}: no session and no prompt has an id that begins so")
    return _answered(paths, pairs)


def _logs(paths: Paths) -> list[str]:
    try:
        return [f"{paths.logs}/{name}" for name in os.listdir(paths.logs) if name.endswith(".jsonl")]
    except FileNotFoundError:
        return []


def _session_of(path: str) -> str:
    return decode_name(os.path.basename(path).removesuffix(".jsonl"))


def _prompts(path: str) -> Iterator[Record]:
    """What a hook has logged of the person's words; not what a transcript or an import added."""
    for record in raw_log.read(path):
        if record.kind == "message" and record.role == raw_log.USER and "uuid" not in record.fields:
            yield record


def _answered(paths: Paths, prompts: list[tuple[str, Record]]) -> list[Prompt]:
    kept = {(record["session"], record["message"]): record["told"] for record in _records(paths)}
    waiting = {session: wal.read_all(paths.wal_file(session)) for session in dict.fromkeys(pair[0] for pair in prompts)}
    graph = _graph(paths)
    found = []
    try:
        for session, record in sorted(prompts, key=lambda pair: pair[1].at):
            quiet = bool(record.fields.get("quiet"))
            prompt = Prompt(session, record.prompt_id, record.at, record.text, quiet)
            told = kept.get((session, uid_of("message", session, record.message_id)), [])
            for one in waiting[session]:
                if one.get("k") == wal.INJECTION and one.get("for") == record.message_id:
                    told = one.get("why", [])
            prompt.told = [_told(paths, graph, one) for one in told]
            found.append(prompt)
    finally:
        if graph:
            graph.close()
    return found


def _graph(paths: Paths) -> Graph | None:
    """The graph for the memories' texts; without it they are shown by their ids."""
    try:
        return open_graph(paths.graph_db)
    except (AwhmError, sqlite.Error):
        return None


def _told(paths: Paths, graph: Graph | None, one: dict[str, Any]) -> Told:
    session, name = one.get("session"), str(one.get("uid") or one.get("id"))
    score, evidence = float(one.get("score", 0.0)), _evidence(one)
    if session is None:
        node = _node(graph, name) if graph else None
        if node is None:
            return Told(name, "", "", "", None, score, evidence)
        return Told(name, node.text, node.family, node.status, node.said_at, score, evidence)
    said = next((r for r in raw_log.read(paths.log_file(session)) if r.message_id == name), None)
    family = str(one.get("family", ""))
    return Told(name, said.text if said else "", family, model.ACTIVE, said.at if said else None, score, evidence)


def _node(graph: Graph, uid: str) -> model.Node | None:
    row = graph.db.execute("SELECT id FROM nodes WHERE uid = ?", (uid,)).fetchone()
    return graph.nodes([row[0]])[row[0]] if row else None
