"""LongMemEval (Wu et al. 2025): questions, each with the sessions of its own haystack.

Two shapes: the published one, `[{question_id, question, haystack_sessions, …}]`, and one that holds each session's text
once, `{"questions": [{…, "haystack": [[id, date]]}], "sessions_user_text_head500": {id: text}}`, a user's turn a line.
A recipe, which is
`{question id: [session ids]}`, gives each question other sessions of the same file as its haystack. `_abs` questions
ask for what was never said: silence is right.

A question is asked at the end of its day: some evidence is dated the same day, hours after the question. What a
haystack dates later than that has not been said yet, which recall's clock knows. The second shape dates sessions of one
haystack after its question, evidence among them: there the question is asked at the end of the last session's day.
"""

from dataclasses import replace
from typing import Any

from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn, by_time
from awhm_hooks.evaluate.formats.fields import Malformed, first, required, role, texts
from awhm_hooks.evaluate.moments import TURN_APART_S, end_of_day, epoch, undated
from awhm_hooks.journal.raw_log import USER

FORMAT = "longmemeval"
PROJECT = "longmemeval"
ABSTENTION = "abstention"
_HEADS = "sessions_user_text_head500"


def matches(data: object) -> bool:
    if isinstance(data, dict) and isinstance(data.get(_HEADS), dict):
        return True
    return "haystack_sessions" in first(_instances(data))


def read(data: Any, name: str) -> Corpus:
    """Each question isolated with its own haystack. Raises Malformed."""
    if isinstance(data, dict) and _HEADS in data:
        stores = _head_stores(data, name)
    else:
        stores = [_store(row, f"{name}[{number}]") for number, row in enumerate(_instances(data))]
    return Corpus(name, FORMAT, Granularity.SESSION, tuple(stores))


def pooled(corpus: Corpus, recipe: object, name: str) -> Corpus:
    """The questions that the recipe names, each among the recipe's sessions. Raises Malformed."""
    if not isinstance(recipe, dict):
        raise Malformed(f"{name}: a recipe is an object, question id -> session ids")
    sessions = {session.id: session for store in corpus.stores for session in store.sessions}
    stores = []
    for question in corpus.questions():
        wanted = recipe.get(question.id)
        if wanted is None:
            continue
        missing = [session for session in wanted if session not in sessions]
        if missing:
            raise Malformed(f"{name}: {question.id} wants the session {missing[0]!r}, which the corpus does not hold")
        haystack = {session: sessions[session] for session in wanted}
        stores.append(Store(by_time(haystack.values()), (question,)))
    if not stores:
        raise Malformed(f"{name}: names none of the corpus' questions")
    return Corpus(corpus.name, corpus.format, corpus.granularity, tuple(stores))


def _instances(data: object) -> Any:
    if isinstance(data, dict):
        return data.get("data") or data.get("instances") or []
    return data


def _store(row: Any, where: str) -> Store:
    haystack = required(row, "haystack_sessions", list, where)
    ids = row.get("haystack_session_ids") or []
    dates = row.get("haystack_dates") or []
    sessions: dict[str, Session] = {}
    gold: set[str] = set()
    for number, turns in enumerate(haystack):
        session = str(ids[number]) if number < len(ids) else str(number)
        begin = epoch(dates[number]) if number < len(dates) else None
        made = _session(session, turns, begin or undated(number), f"{where}.haystack_sessions[{number}]")
        gold.update(f"{session}#{n}" for n, turn in enumerate(turns) if turn.get("has_answer"))
        if made.turns:
            sessions[session] = made
    return Store(by_time(sessions.values()), (_question(row, where, frozenset(gold)),))


def _session(session: str, turns: object, begin: float, where: str) -> Session:
    if not isinstance(turns, list):
        raise Malformed(f"{where}: a session is a list of turns")
    made = []
    for n, turn in enumerate(turns):
        text = required(turn, "content", str, f"{where}[{n}]")
        if text.strip():
            made.append(Turn(f"{session}#{n}", role(turn.get("role", "user")), text, begin + n * TURN_APART_S))
    return Session(session, tuple(made), PROJECT)


def _head_stores(data: dict[str, Any], name: str) -> list[Store]:
    heads = data[_HEADS]
    stores = []
    for number, row in enumerate(required(data, "questions", list, name)):
        where = f"{name}.questions[{number}]"
        sessions: dict[str, Session] = {}
        for place, (session, date) in enumerate(required(row, "haystack", list, where)):
            lines = [line for line in heads.get(session, "").splitlines() if line.strip()]
            begin = epoch(date) or undated(place)
            if lines:
                turns = (Turn(f"{session}#{n}", USER, line, begin + n * TURN_APART_S) for n, line in enumerate(lines))
                sessions[session] = Session(session, tuple(turns), PROJECT)
        answers = frozenset(
            turn.id
            for session in row.get("answer_session_ids") or ()
            if session in sessions
            for turn in sessions[session].turns
        )
        question = _question(row, where, answers)
        if question.now and sessions:
            last = max(session.turns[-1].at for session in sessions.values())
            question = replace(question, now=max(question.now, end_of_day(last)))
        stores.append(Store(by_time(sessions.values()), (question,)))
    return stores


def _question(row: dict[str, Any], where: str, gold_turns: frozenset[str]) -> Question:
    question = str(required(row, "question_id", (str, int), where))
    declines = question.endswith("_abs")
    asked_at = epoch(row.get("question_date"))
    return Question(
        id=question,
        text=required(row, "question", str, where),
        category=ABSTENTION if declines else str(row.get("question_type") or ""),
        turns=frozenset() if declines else gold_turns,
        sessions=frozenset() if declines else frozenset(map(str, row.get("answer_session_ids") or ())),
        answers=texts(row.get("answer")),
        declines=declines,
        project=PROJECT,
        now=end_of_day(asked_at) if asked_at else None,
    )
