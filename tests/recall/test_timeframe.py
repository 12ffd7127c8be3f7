"""The stretch of time that a question names, seen from a Thursday."""

import datetime

import pytest

from awhm_hooks.recall import timeframe

NOW = datetime.datetime(2026, 6, 18, 15, 0).timestamp()


def day(text):
    return datetime.datetime.fromisoformat(text).timestamp()


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("What did I buy ten days ago?", "2026-06-08T12:00", "2026-06-12T12:00"),
        ("What did I buy 10 days ago?", "2026-06-08T12:00", "2026-06-05T12:00"),
        ("What did I mention two weeks ago?", "2026-06-03T20:00", "2026-06-14T12:00"),
        ("Whom did I meet a couple of months ago?", "2026-04-20T12:00", "2026-06-10T12:00"),
        ("How much have I written since I began three weeks ago?", "2026-06-15T12:00", "2026-05-01T12:00"),
        ("What did we deploy yesterday?", "2026-06-17T09:00", "2026-06-18T09:00"),
        ("Whom did I see last Friday?", "2026-06-12T18:00", "2026-06-15T12:00"),
        ("What time did I arrive on Monday?", "2026-06-15T08:00", "2026-06-08T08:00"),
        ("Which shoes did I clean last month?", "2026-05-10T12:00", "2026-03-10T12:00"),
        ("How often did I cook in the past month?", "2026-06-01T12:00", "2026-05-01T12:00"),
        ("Which films did I see in the last 3 months?", "2026-04-01T12:00", "2026-02-01T12:00"),
        ("How many doctors did I see in March?", "2026-03-27T12:00", "2026-05-01T12:00"),
        ("What did I do in December?", "2025-12-20T12:00", "2026-06-01T12:00"),
        ("What happened in October 2024?", "2024-10-05T12:00", "2025-10-05T12:00"),
        ("What did we settle on March 15th?", "2026-03-16T12:00", "2026-03-14T12:00"),
        ("What did we settle on 15 March, 2025?", "2025-03-15T12:00", "2026-03-15T12:00"),
        ("Was haben wir vor zwei Wochen beschlossen?", "2026-06-04T12:00", "2026-06-17T12:00"),
        ("Was haben wir am Montag beschlossen?", "2026-06-15T08:00", "2026-06-08T08:00"),
        ("¿Qué dije hace tres días?", "2026-06-15T12:00", "2026-06-11T12:00"),
    ],
)
def test_what_a_question_names(text, inside, outside):
    begin, end = timeframe.window(text, NOW)
    assert begin <= day(inside) <= end
    assert not begin <= day(outside) <= end


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How many days ago did I buy it?",
        "What may I eat?",
        "Run the last migration again",
        "Go back to the first plan",
        "Which port did we settle on?",
    ],
)
def test_what_names_none(text):
    assert timeframe.window(text, NOW) is None


def test_what_was_said_then_comes_first(memory):
    begin = memory.at
    memory.say("I bought a kettle at the market.", session="a", at=begin)
    memory.say("I bought a toaster at the market.", session="b", at=begin + 20 * 86_400)
    memory.say("I bought a blender at the market.", session="c", at=begin + 29 * 86_400)
    memory.consolidate()
    asked_at = begin + 30 * 86_400
    assert "toaster" in memory.ask("What did I buy at the market ten days ago?", now=asked_at)[0]
    assert "blender" in memory.ask("What did I buy at the market yesterday?", now=asked_at)[0]
