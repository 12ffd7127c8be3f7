"""Stage 2 in the raw log: what was asked and what was admitted, and from there into the graph.

A call that brought an answer leaves one record in its session's log, so that a graph rebuilt from the logs holds the
same memories and no model is asked twice. Stage 1's run replays the records; each is taken once.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from awhm_hooks.consolidate.admission import Admitted
from awhm_hooks.consolidate.llm import Usage
from awhm_hooks.consolidate.stage1 import SessionRun
from awhm_hooks.consolidate.stage2_prompt import KINDS, learnable, worth_asking
from awhm_hooks.graph import lifecycle, model
from awhm_hooks.graph.store import USER_SCOPE
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal import raw_log, slots
from awhm_hooks.journal.raw_log import Record

KIND = "stage2"
PROVENANCE = "stage2"
WANTED = "stage2"
"""The field of a start or end mark that says that Stage 2 was switched on."""

_SHORT_CHARS = 400


def as_record(
    call: str, at: float, client: str, usage: Usage, asked: Sequence[str], admitted: Sequence[Admitted]
) -> dict[str, object]:
    """The log's line for one answered call."""
    return {
        "kind": KIND,
        "at": round(at, 3),
        "client": client,
        "model": usage.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
        "asked": list(asked),
        "memories": [one.as_fields() for one in admitted],
        "id": f"{KIND}:{call}",
    }


def unasked(records: Iterable[Record]) -> list[Record]:
    """The person's messages that no model has been shown yet and that are worth it."""
    found = list(records)
    asked = {message for record in found if record.kind == KIND for message in _strings(record.fields.get("asked"))}
    return [record for record in learnable(found) if worth_asking(record) and record.message_id not in asked]


def is_wanted(records: Iterable[Record]) -> bool:
    """Stage 2 was switched on when the session began or ended."""
    marks = (raw_log.START, raw_log.END)
    return any(record.kind in marks and record.fields.get(WANTED) is True for record in records)


def note_state(writer: GraphWriter, session: str, records: Sequence[Record]) -> None:
    """What Stage 2 has still to do for a session; belongs into the transaction that consolidates it."""
    writer.db.execute(
        "INSERT OR REPLACE INTO stage2_sessions VALUES (?, ?, ?)",
        (session, int(is_wanted(records)), len(unasked(records))),
    )


def replay(run: SessionRun, records: Sequence[Record]) -> None:
    """Take the admitted proposals of a session's log into the graph, after its messages."""
    calls = [record for record in records if record.kind == KIND]
    if not calls:
        return
    said = {record.message_id: record for record in records if record.kind == "message"}
    nodes = {message: node for message, node in run.writer.message_nodes(run.session).items() if message in said}
    for record in calls:
        if _note_call(run.writer, run.session, record):
            for memory in memories(record):
                if any(message in nodes for message in memory.messages):
                    _take(run, record.message_id, memory, nodes, said)


def memories(record: Record) -> list[Admitted]:
    """The admitted proposals of one call's record; one with a deleted stretch is none any more."""
    found = record.fields.get("memories")
    read = [from_fields(fields) for fields in found] if isinstance(found, list) else []
    return [memory for memory in read if memory is not None and raw_log.DELETED not in memory.text]


def uid_of_memory(session: str, call: str, memory: Admitted) -> str:
    """The id of the memory that a call's record makes."""
    return uid_of(PROVENANCE, session, call, memory.kind, slots.statement_key(memory.text))


def _note_call(writer: GraphWriter, session: str, record: Record) -> bool:
    """Store whom was asked and what it cost; False for a call that is in the graph already."""
    fields = record.fields
    row = (
        record.message_id,
        session,
        record.at,
        str(fields.get("client") or ""),
        str(fields.get("model") or ""),
        _number(fields.get("input_tokens")) or 0,
        _number(fields.get("output_tokens")) or 0,
        _number(fields.get("cost_usd")),
    )
    marks = ", ".join("?" * len(row))
    return writer.db.execute(f"INSERT OR IGNORE INTO stage2_calls VALUES ({marks})", row).rowcount > 0


def _take(run: SessionRun, call: str, memory: Admitted, nodes: dict[str, int], said: dict[str, Record]) -> None:
    uid = uid_of_memory(run.session, call, memory)
    if run.forgotten is not None and run.forgotten.forgets_node(uid):
        return
    scope = USER_SCOPE if memory.of_user or not run.project else run.writer.scope_id(run.project)
    node = _known(run, memory, scope)
    if node is None:
        node = _add(run, call, uid, memory, scope)
    for message in memory.messages:
        if message in nodes:
            run.writer.add_edge(node, nodes[message], model.ABSTRACTION)
            run.writer.add_source(node, run.session, message)
            if len(said[message].text) <= _SHORT_CHARS:
                run.writer.defer_message(nodes[message], node)
            lifecycle.close_message(run.writer, nodes[message], node)
    lifecycle.also_known_as(run.writer, node, uid, run.session, memory.messages[-1])
    run.settle(uid, node)
    for entity in run.linker.mentioned(memory.text, run.project):
        run.writer.add_edge(node, entity, model.ASSOCIATION, 0.8)


def _known(run: SessionRun, memory: Admitted, scope: int) -> int | None:
    """The node that says the same already, or that said it and was taken back since."""
    key = slots.statement_key(memory.text)
    node = run.writer.find_statement(scope, memory.kind, key)
    if node is None:
        node = lifecycle.find_retracted(run.writer, scope, memory.kind, key, memory.said_at)
    if node is not None:
        run.writer.reinforce(node, memory.said_at)
        run.tally.reinforced += 1
    return node


def _add(run: SessionRun, call: str, uid: str, memory: Admitted, scope: int) -> int:
    node = run.writer.add_node(
        memory.kind,
        memory.text,
        uid=uid,
        canonical_key=memory.key,
        statement_key=slots.statement_key(memory.text),
        confidence=memory.confidence,
        scope=scope,
        project=run.project,
        session=run.session,
        message=memory.messages[-1],
        role=raw_log.USER,
        said_at=memory.said_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        provenance=PROVENANCE,
        stage2_call=call,
    )
    run.tally.statements += 1
    if memory.key:
        run.supersede_same_key(node, memory.key, scope, memory.said_at, memory.valid_from or memory.said_at)
    return node


def from_fields(fields: object) -> Admitted | None:
    """A memory as the log keeps it; None for what is none."""
    if not isinstance(fields, dict) or fields.get("kind") not in KINDS:
        return None
    text, key = fields.get("text"), fields.get("key")
    said_at, confidence = _number(fields.get("said_at")), _number(fields.get("confidence"))
    messages = tuple(_strings(fields.get("messages")))
    if not isinstance(text, str) or not text or not messages or said_at is None:
        return None
    return Admitted(
        fields["kind"],
        text,
        key if isinstance(key, str) and key else None,
        fields.get("scope") == "user",
        0.5 if confidence is None else confidence,
        messages,
        said_at,
        _number(fields.get("valid_from")),
        _number(fields.get("valid_to")),
    )


def _strings(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return value if is_number else None  # type: ignore[return-value]
