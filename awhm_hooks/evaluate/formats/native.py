"""The seed's own format.

`{"sessions": [{"id", "messages": [{"role", "content"}]}], "questions": [{"id", "question", "expected": [...],
"forbidden": [...], "as_of", "category"}]}`. A session may have a `date` and a `project` besides. A result is right when
it holds one of the expected texts. Sessions whose ids begin with "<question id>/" belong to that question alone.
"""

from typing import Any

from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn, by_time
from awhm_hooks.evaluate.formats.fields import first, required, role, texts
from awhm_hooks.evaluate.moments import TURN_APART_S, epoch, undated

FORMAT = "native"
PROJECT = "corpus"


def matches(data: object) -> bool:
    return (
        isinstance(data, dict)
        and "question" in first(data.get("questions"))
        and "messages" in first(data.get("sessions"))
    )


def read(data: dict[str, Any], name: str) -> Corpus:
    """Raises Malformed."""
    sessions = [_session(row, number) for number, row in enumerate(required(data, "sessions", list, name))]
    questions = [_question(row, number) for number, row in enumerate(required(data, "questions", list, name))]
    ids = {question.id for question in questions}
    groups: dict[str, list[Session]] = {}
    for session in sessions:
        owner = session.id.partition("/")[0]
        groups.setdefault(owner if owner in ids and "/" in session.id else "", []).append(session)
    stores = []
    for owner, group in groups.items():
        asked = [one for one in questions if (one.id if one.id in groups else "") == owner]
        stores.append(Store(by_time(session for session in group if session.turns), tuple(asked)))
    return Corpus(name, FORMAT, Granularity.TURN, tuple(stores))


def _session(row: Any, number: int) -> Session:
    where = f"sessions[{number}]"
    messages = required(row, "messages", list, where)
    session = str(row.get("id", number))
    begin = epoch(row.get("date")) or undated(number)
    turns = []
    for n, message in enumerate(messages):
        text = required(message, "content", str, f"{where}.messages[{n}]")
        at = epoch(message.get("timestamp")) or begin + n * TURN_APART_S
        turns.append(Turn(f"{session}#{n}", role(message.get("role", "user")), text, at))
    return Session(session, tuple(turns), str(row.get("project") or PROJECT))


def _question(row: Any, number: int) -> Question:
    text = required(row, "question", str, f"questions[{number}]")
    expected = texts(row.get("expected"))
    return Question(
        id=str(row.get("id", number)),
        text=text,
        category=str(row.get("category") or ""),
        expected=expected,
        answers=expected,
        forbidden_texts=texts(row.get("forbidden")),
        declines=not expected,
        project=str(row["project"]) if row.get("project") else None,
        as_of=_moment(row.get("as_of")),
    )


def _moment(text: object) -> float | None:
    if not text:
        return None
    from datetime import datetime

    from awhm_hooks.consolidate.dates import parse_moment

    return parse_moment(str(text), datetime.now().astimezone()).timestamp()
