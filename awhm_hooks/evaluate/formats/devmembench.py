"""DevMemBench: a developer's sessions with a coding assistant, and questions in eight categories.

The gold is the sessions that hold the answer; where there are none (category abstention), silence is right.
"""

from typing import Any

from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn, by_time
from awhm_hooks.evaluate.formats.fields import first, required, role, texts
from awhm_hooks.evaluate.moments import TURN_APART_S, epoch, undated

FORMAT = "devmembench"
_WORKDAY_BEGINS_S = 9 * 3600.0


def matches(data: object) -> bool:
    return (
        isinstance(data, dict)
        and "sessionId" in first(data.get("sessions"))
        and "questionId" in first(data.get("questions"))
    )


def read(data: dict[str, Any], name: str) -> Corpus:
    """All questions on one store: they are asked across the projects. Raises Malformed."""
    sessions = [_session(row, number) for number, row in enumerate(required(data, "sessions", list, name))]
    questions = [_question(row, number) for number, row in enumerate(required(data, "questions", list, name))]
    return Corpus(name, FORMAT, Granularity.SESSION, (Store(by_time(sessions), tuple(questions)),))


def _session(row: Any, number: int) -> Session:
    where = f"sessions[{number}]"
    session = required(row, "sessionId", str, where)
    about = row.get("metadata") or {}
    date = epoch(about.get("date"))
    begin = date + _WORKDAY_BEGINS_S + number if date else undated(number)
    turns = []
    for n, message in enumerate(required(row, "messages", list, where)):
        text = required(message, "content", str, f"{where}.messages[{n}]")
        turns.append(Turn(f"{session}#{n}", role(message.get("role", "user")), text, begin + n * TURN_APART_S))
    return Session(session, tuple(turns), str(about.get("project") or FORMAT))


def _question(row: Any, number: int) -> Question:
    where = f"questions[{number}]"
    gold = frozenset(texts(required(row, "haystackSessionIds", list, where)))
    return Question(
        id=str(row.get("questionId", number)),
        text=required(row, "question", str, where),
        category=str(row.get("questionType") or ""),
        sessions=gold,
        answers=texts(row.get("groundTruth")),
        declines=not gold,
    )
