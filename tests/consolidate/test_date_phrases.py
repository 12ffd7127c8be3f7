"""What is a date phrase in three languages, and the stretches of local time it may mean."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate.date_phrases import Kind, find, match

MONDAY = datetime(2026, 2, 23, 23, 30, tzinfo=ZoneInfo("America/Chicago"))

ONE_MEANING = [
    ("2026-03-01", Kind.DAY, "2026-03-01", 1),
    ("2026/03/01", Kind.DAY, "2026-03-01", 1),
    ("1.3.2026", Kind.DAY, "2026-03-01", 1),
    ("13/4/2026", Kind.DAY, "2026-04-13", 1),
    ("4/13/2026", Kind.DAY, "2026-04-13", 1),
    ("March 5, 2026", Kind.DAY, "2026-03-05", 1),
    ("5th of March 2026", Kind.DAY, "2026-03-05", 1),
    ("5 de marzo de 2026", Kind.DAY, "2026-03-05", 1),
    ("1. März 2026", Kind.DAY, "2026-03-01", 1),
    ("lunes 2 de marzo de 2026", Kind.DAY, "2026-03-02", 1),
    ("2026-03", Kind.MONTH, "2026-03-01", 31),
    ("Feb. 2026", Kind.MONTH, "2026-02-01", 28),
    ("mid March 2026", Kind.MONTH, "2026-03-15", 1),
    ("Anfang Mai 2026", Kind.MONTH, "2026-05-01", 1),
    ("finales de marzo de 2026", Kind.MONTH, "2026-03-31", 1),
    ("2024", Kind.YEAR, "2024-01-01", 366),
    ("last week", Kind.RELATIVE, "2026-02-16", 7),
    ("el mes que viene", Kind.RELATIVE, "2026-03-01", 31),
    ("la semana pasada", Kind.RELATIVE, "2026-02-16", 7),
    ("nächstes Jahr", Kind.RELATIVE, "2027-01-01", 365),
    ("end of the year", Kind.RELATIVE, "2026-12-31", 1),
    ("the day before yesterday", Kind.RELATIVE, "2026-02-21", 1),
    ("pasado mañana", Kind.RELATIVE, "2026-02-25", 1),
    ("anoche", Kind.RELATIVE, "2026-02-22", 1),
    ("vorgestern", Kind.RELATIVE, "2026-02-21", 1),
    ("a couple of days ago", Kind.RELATIVE, "2026-02-21", 1),
    ("hace dos semanas", Kind.RELATIVE, "2026-02-09", 1),
    ("vor einem Monat", Kind.RELATIVE, "2026-01-23", 1),
    ("dentro de 3 días", Kind.RELATIVE, "2026-02-26", 1),
    ("last Monday", Kind.WEEKDAY, "2026-02-16", 1),
    ("this Monday", Kind.WEEKDAY, "2026-02-23", 1),
    ("nächsten Montag", Kind.WEEKDAY, "2026-03-02", 1),
    ("el lunes pasado", Kind.WEEKDAY, "2026-02-16", 1),
]
LEFT_OPEN = [
    ("March 5", Kind.DAY, ["2025-03-05", "2026-03-05", "2027-03-05", "2028-03-05"]),
    ("June", Kind.MONTH, ["2025-06-01", "2026-06-01", "2027-06-01", "2028-06-01"]),
    ("29 February", Kind.DAY, ["2028-02-29"]),
    ("Monday", Kind.WEEKDAY, ["2026-02-16", "2026-02-23", "2026-03-02"]),
    ("viernes", Kind.WEEKDAY, ["2026-02-20", "2026-02-27", "2026-03-06"]),
]
NO_DATES = [
    *[
        "3",
        "8080",
        "v1.2",
        "3 retries",
        "2000 rows",
        "2026.1",
        "2026-beta",
        "1899",
        "10:30",
        "main",
        "5 may",
        "Sat",
        "Jan",
    ],
    *["3/4/2026", "2026-13-40", "31 June 2026", "30.2.2026", "March 3-9", "a few days ago", "monthly"],
]


@pytest.mark.parametrize(("text", "kind", "start", "days"), ONE_MEANING)
def test_a_phrase_with_one_meaning(text: str, kind: Kind, start: str, days: int) -> None:
    phrase = match(text, 0, MONDAY)
    assert phrase is not None
    assert (phrase.kind, phrase.stop) == (kind, len(text))
    (span,) = phrase.spans
    assert (span.start.date().isoformat(), (span.end - span.start).days) == (start, days)


@pytest.mark.parametrize(("text", "kind", "starts"), LEFT_OPEN)
def test_a_year_or_week_left_open_keeps_every_meaning_earliest_first(text: str, kind: Kind, starts: list[str]) -> None:
    phrase = match(text, 0, MONDAY)
    assert phrase is not None
    assert (phrase.kind, [span.start.date().isoformat() for span in phrase.spans]) == (kind, starts)


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date(text: str) -> None:
    assert match(text, 0, MONDAY) is None


def test_the_languages_of_the_marker_decide_which_number_is_the_day() -> None:
    phrase = match("3/4/2026", 0, MONDAY, day_first=True)
    assert phrase is not None
    assert phrase.spans[0].start == datetime(2026, 4, 3)


def test_phrases_are_found_from_left_to_right_and_never_inside_words() -> None:
    text = "On March 5 and last Friday, not in file-2026-03-01.log or v2026-03-02 but 2026-03-03"
    found = [text[phrase.start : phrase.stop] for phrase in find(text, MONDAY)]
    assert found == ["March 5", "last Friday", "2026-03-03"]


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y-%m-%d"]))
def test_every_day_is_read_back_from_how_it_is_written(moment: datetime, form: str) -> None:
    phrase = match(moment.strftime(form), 0, MONDAY)
    assert phrase is not None
    assert [span.start.date() for span in phrase.spans] == [moment.date()]
