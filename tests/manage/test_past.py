"""What was true at a moment has the same answer before a session is consolidated and after."""

import time
from datetime import datetime

import pytest

from awhm_hooks.consolidate.dates import parse_moment
from awhm_hooks.errors import UsageError
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal

CHICAGO = "America/Chicago"


@pytest.fixture(autouse=True)
def in_chicago(monkeypatch):
    monkeypatch.setenv("TZ", CHICAGO)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def at(*local):
    return datetime(*local).timestamp()


def say(memory, text, moment, session="s"):
    """As a prompt hook does: in the raw log and in the write-ahead log."""
    memory.say(text, session=session, at=moment)
    *_, record = raw_log.read(memory.paths.log_file(session))
    appended = raw_log.Appended(record.message_id, record.begin, record.end, record.project, False)
    wal.append(memory.paths, session, [buffers.message_record(appended, "user", text, record.at)])


def as_of(memory, question, day):
    now = datetime(2026, 11, 30, 12).astimezone()
    return memory.ask(question, now=now.timestamp(), as_of=parse_moment(day, now).timestamp())


CASES = {
    "a change of the day before": (
        [("Yesterday we moved the API endpoint to https://v2.test", (2026, 2, 23, 23, 30))],
        {"2026-02-21": [], "2026-02-22": ["v2"], "2026-02-23": ["v2"], "February 2026": ["v2"], "now": ["v2"]},
    ),
    "a correction within the session": (
        [
            ("The API endpoint is https://v1.test", (2026, 2, 1, 12)),
            ("Actually, the API endpoint is https://v2.test", (2026, 2, 10, 12)),
        ],
        {"2026-01-31": [], "2026-02-01": ["v1"], "2026-02-09": ["v1"], "2026-02-10": ["v2"], "now": ["v2"]},
    ),
    "a change announced": (
        [
            ("The API endpoint is https://v1.test", (2026, 2, 1, 12)),
            ("From 2026-03-05 the API endpoint is https://v2.test", (2026, 2, 10, 12)),
        ],
        {"2026-02-09": ["v1"], "2026-03-04": ["v1"], "2026-03-05": ["v2"], "now": ["v2"]},
    ),
    "until, in Spanish": (
        [("El endpoint de la API es https://v1.test hasta el 5 de marzo de 2026", (2026, 2, 1, 12))],
        {"2026-02-02": ["v1"], "2026-03-04": ["v1"], "2026-03-06": []},
    ),
    "since, in German": (
        [("Seit dem 5. Januar 2026 ist der API-Endpunkt https://v1.test", (2026, 2, 1, 12))],
        {"2026-01-04": [], "2026-01-05": ["v1"], "now": ["v1"]},
    ),
}
QUESTION = "API endpoint API-Endpunkt"


def versions(texts):
    """v1, v2 as they occur in statements and messages, once each."""
    return sorted({name for text in texts for name in ("v1", "v2") if f"//{name}.test" in text})


@pytest.mark.report("AWHM-P069")
@pytest.mark.parametrize("state", ["waiting", "consolidated"])
@pytest.mark.parametrize(("said", "answers"), CASES.values(), ids=CASES)
def test_what_held_on_a_day(memory, said, answers, state):
    for text, moment in said:
        say(memory, text, at(*moment))
    if state == "consolidated":
        memory.consolidate()
    assert {day: versions(as_of(memory, QUESTION, day)) for day in answers} == answers


def test_what_waits_closes_what_is_consolidated(memory):
    say(memory, "The API endpoint is https://v1.test", at(2026, 2, 1, 12), "a")
    memory.consolidate()
    say(memory, "Actually, the API endpoint is https://v2.test", at(2026, 2, 10, 12), "b")
    statements = [text for text in as_of(memory, QUESTION, "2026-02-10") if "Actually" not in text]
    assert versions(statements[:1]) == ["v2"]
    assert versions(as_of(memory, QUESTION, "2026-02-09")) == ["v1"]


def test_the_present_is_asked_as_before(memory):
    say(memory, "The API endpoint is https://v1.test", at(2026, 2, 1, 12))
    assert versions(memory.ask("API endpoint")) == ["v1"]


@pytest.mark.parametrize("text", ["someday", "2026-13-01", "", "v2", "2026-02-30"])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(UsageError, match="is no date"):
        parse_moment(text, datetime(2026, 2, 23).astimezone())
