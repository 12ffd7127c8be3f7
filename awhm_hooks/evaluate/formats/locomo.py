"""LoCoMo (Maharana et al. 2024): long conversations of two people, in dated sessions, with questions on them.

A turn is written with its speaker's name, and a shared picture by its caption; both speakers are people, so both have
the user's role. Evidence names turns ("D1:3"); some is malformed ("D8:6; D9:17", "D:11:26"), and what names no turn is
left out.
"""

import re
from typing import Any

from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn, by_time
from awhm_hooks.evaluate.formats.fields import first, required, texts
from awhm_hooks.evaluate.moments import TURN_APART_S, epoch, undated
from awhm_hooks.journal.raw_log import USER

FORMAT = "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"^session_(\d+)$")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def matches(data: object) -> bool:
    row = first(data if isinstance(data, list) else [data])
    return isinstance(row.get("conversation"), dict) and "qa" in row


def read(data: Any, name: str) -> Corpus:
    """Raises Malformed."""
    rows = data if isinstance(data, list) else [data]
    return Corpus(name, FORMAT, Granularity.TURN, tuple(_store(row, f"{name}[{n}]", n) for n, row in enumerate(rows)))


def _store(row: Any, where: str, number: int) -> Store:
    conversation = required(row, "conversation", dict, where)
    sample = str(row.get("sample_id") or number)
    sessions = [
        _session(conversation, int(found[1]), sample, where)
        for found in map(_SESSION.match, conversation)
        if found and conversation[found[0]]
    ]
    known = {turn.id: session.id for session in sessions for turn in session.turns}
    asked = enumerate(required(row, "qa", list, where))
    questions = tuple(_question(question, n, sample, known, f"{where}.qa[{n}]") for n, question in asked)
    return Store(by_time(sessions), questions)


def _session(conversation: dict[str, Any], number: int, sample: str, where: str) -> Session:
    name = f"session_{number}"
    begin = epoch(conversation.get(f"{name}_date_time")) or undated(number)
    turns = []
    for n, turn in enumerate(required(conversation, name, list, where)):
        place = f"{where}.{name}[{n}]"
        speaker = required(turn, "speaker", str, place)
        text = required(turn, "text", str, place)
        caption = turn.get("blip_caption")
        shown = f"{speaker}: {text}" + (f" [shares {caption}]" if caption else "")
        turns.append(Turn(f"{sample}/{required(turn, 'dia_id', str, place)}", USER, shown, begin + n * TURN_APART_S))
    return Session(f"{sample}/{name}", tuple(turns), sample)


def _question(row: Any, number: int, sample: str, known: dict[str, str], where: str) -> Question:
    text = required(row, "question", str, where)
    found = [
        f"{sample}/D{session}:{turn}" for one in texts(row.get("evidence")) for session, turn in _EVIDENCE.findall(one)
    ]
    gold = frozenset(turn for turn in found if turn in known)
    category = row.get("category")
    return Question(
        id=f"{sample}/q{number}",
        text=text,
        category=CATEGORIES.get(category, str(category or "")) if isinstance(category, int) else str(category or ""),
        turns=gold,
        sessions=frozenset(known[turn] for turn in gold),
        answers=texts(row.get("answer")),
        project=sample,
    )
