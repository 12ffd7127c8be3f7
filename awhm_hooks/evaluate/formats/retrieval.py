"""Memories and cases: AWM's evaluations and MemHawk's.

`{"memories": [{id, text | document, title?, scope?, created_at? …}], "cases": [{id, query, relevant_memory_ids, …}]}`.

How a memory enters the store, which knows messages and statements:

- A note (AWM) is what an agent wrote down at `created_at`: a session of its own in the project of its `scope`, one
  message of the assistant's, the title as its first line. Tags stay out: Claude Code has none.
- An exchange ("User: …\\nAssistant: …", MemHawk) is a session of two messages, judged as one.
- Memories with a `speaker` are the turns of one conversation.
- A `memory_key` is a slot: a newer memory with the same key supersedes the older, as `awhm supersede` does. The status
  that the corpus gives is not looked at.
"""

import re
from typing import Any

from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn, by_time
from awhm_hooks.evaluate.formats.fields import Malformed, required, role, texts
from awhm_hooks.evaluate.moments import TURN_APART_S, epoch, undated
from awhm_hooks.journal.raw_log import ASSISTANT, USER

FORMAT = "retrieval"
PROJECT = "corpus"
EXCHANGES_K = 3  # what MemHawk's benchmark is run at where nothing else is asked
_EXCHANGE = re.compile(r"^User:\s*(.*?)\n+Assistant:\s*(.*)$", re.S)


def matches(data: object) -> bool:
    return isinstance(data, dict) and isinstance(data.get("memories"), list) and isinstance(data.get("cases"), list)


def read(data: dict[str, Any], name: str) -> Corpus:
    """Raises Malformed."""
    rows = required(data, "memories", list, name)
    memories = [_memory(row, number) for number, row in enumerate(rows)]
    spoken = {row["id"] for row in rows if row.get("speaker")}
    sessions = [session for session in memories if session.id not in spoken]
    if spoken:
        turns = tuple(turn for session in memories if session.id in spoken for turn in session.turns)
        sessions.append(Session("conversation", turns, PROJECT))
    slots = {session.id: session.slot for session in memories if session.slot}
    home = {turn.judged_as: session.id for session in sessions for turn in session.turns}
    cases = [
        _case(row, number, slots, home, data.get("clock"))
        for number, row in enumerate(required(data, "cases", list, name))
    ]
    if not cases:
        raise Malformed(f"{name}: holds no cases to ask")
    exchanges = any(len(session.turns) > 1 for session in memories)
    k = data.get("k") if isinstance(data.get("k"), int) else EXCHANGES_K if exchanges else None
    return Corpus(name, FORMAT, Granularity.TURN, (Store(by_time(sessions), tuple(cases)),), k)


def _memory(row: Any, number: int) -> Session:
    where = f"memories[{number}]"
    memory = required(row, "id", str, where)
    about = row.get("metadata") or {}
    at = epoch(row.get("created_at") or about.get("timestamp")) or undated(number)
    project = str(row.get("scope") or PROJECT)
    exchange = _EXCHANGE.match(str(row.get("document") or ""))
    if exchange:
        said = ((USER, exchange[1]), (ASSISTANT, exchange[2]))
        turns = tuple(
            Turn(f"{memory}#{who}", who, text, at + n * TURN_APART_S, memory) for n, (who, text) in enumerate(said)
        )
        return Session(memory, turns, project, str(about.get("memory_key") or ""))
    text = required(row, "text" if "text" in row else "document", str, where)
    title = str(row.get("speaker") or row.get("title") or "")
    shown = f"{title}: {text}" if row.get("speaker") else f"{title}\n{text}" if title else text
    who = USER if row.get("speaker") else ASSISTANT
    return Session(memory, (Turn(memory, who, shown, at),), project, str(about.get("memory_key") or ""))


def _case(row: Any, number: int, slots: dict[str, str], home: dict[str, str], clock: object) -> Question:
    where = f"cases[{number}]"
    relevant = frozenset(texts(required(row, "relevant_memory_ids", list, where)))
    forbidden = frozenset(texts(row.get("forbidden_memory_ids")))
    wanted_slots = {slots[memory] for memory in relevant if memory in slots}
    return Question(
        id=str(row.get("id", number)),
        text=required(row, "query", str, where),
        category=str(row.get("category") or row.get("bucket") or row.get("kind") or ""),
        turns=relevant,
        sessions=frozenset(home.get(memory, memory) for memory in relevant),
        forbidden=forbidden,
        contradicting=frozenset(memory for memory in forbidden if slots.get(memory) in wanted_slots),
        declines=bool(row.get("expect_no_result")) and not relevant,
        project=str(row.get("scope") or PROJECT),
        now=epoch(clock),
        history=tuple((role(said.get("role")), str(said.get("content"))) for said in row.get("history") or ()),
    )
