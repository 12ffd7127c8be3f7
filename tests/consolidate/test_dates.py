"""Dates in statements: windows, changes and time-travel questions, seen from the message's own moment and zone."""

import re
import time
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from awhm_hooks.consolidate.dates import mentioned, parse_moment, parse_range, validity
from awhm_hooks.errors import AwhmError, UsageError

CHICAGO = ZoneInfo("America/Chicago")
LATE_MONDAY = datetime(2026, 2, 23, 23, 30, tzinfo=CHICAGO)  # 05:30 on the 24th in UTC

# (statement, first day, last day or end); None where the statement names none. The first twelve are the reference's.
WINDOWS = [
    ("From 2026-03-01 the API endpoint is https://api.v2.example.com", "2026-03-01", None),
    ("The office is closed until 2026-04-10", None, "2026-04-10"),
    ("The deploy on 2026-02-20 went fine, the port is 8080", None, None),
    ("The freeze runs from 2026-05-01 through 2026-05-09", "2026-05-01", "2026-05-09"),
    ("effective 2026-07-01 my city is Oslo", "2026-07-01", None),
    ("Since March 5, 2026 the lead is Ana", "2026-03-05", None),
    ("starting on 12 June 2026 we deploy daily", "2026-06-12", None),
    ("as of 2026-01-02 the port is 9", "2026-01-02", None),
    ("the lease ends 2026-01-02", None, None),
    ("up to 2026-01-02 the port is 9", None, "2026-01-02"),
    ("from the beginning of 2026-01-02", None, None),
    ("the port is 9 till 2026-01-02", None, "2026-01-02"),
    # years and weeks left open
    ("since February the lead is Bo", "2026-02-01", None),
    ("since June the lead is Bo", "2025-06-01", None),
    ("From January the lead is Bo", "2026-01-01", None),
    ("From June the lead is Bo", "2026-06-01", None),
    ("From Monday we deploy daily", "2026-02-23", None),
    ("we are in Porto until Friday", None, "2026-02-27"),
    ("we are in Porto until May", None, "2026-05-01"),
    ("we were in Porto until May", None, "2025-05-01"),
    ("the office is closed until April because the roof was damaged", None, "2026-04-01"),
    ("Until May the endpoint was v1, now it is v2", None, "2025-05-01"),
    ("valid until 29 February", None, "2028-02-29"),
    ("The trial is over on Friday, starting Monday, March 2, 2026 it is paid", "2026-03-02", None),
    # relative
    ("since yesterday the lead is Ana", "2026-02-22", None),
    ("starting next week the lead is Ana", "2026-03-02", None),
    ("starting in two weeks the lead is Ana", "2026-03-09", None),
    ("closed until the end of March", None, "2026-03-31"),
    ("closed until the end of the year", None, "2026-12-31"),
    # from one date to another
    ("The freeze is from March 3 to March 9", "2026-03-03", "2026-03-09"),
    ("I worked at Acme from 2019 to 2022", "2019-01-01", "2022-12-31"),
    ("We moved the launch from March 3 to March 9", None, None),
    ("The freeze is from March 3-9", None, None),
    # ends before it begins
    ("From June until May the endpoint is https://x.test", "2025-06-01", "2026-05-01"),
    ("From March until January the endpoint is https://x.test", "2026-03-01", "2027-01-01"),
    ("from June until May 2026 we rent", "2025-06-01", "2026-05-01"),
    ("from June 2027 until May 2026 we rent", None, None),
    ("from 2026-06-01 until 2026-05-01 we rent", None, None),
    ("from 2026-06-01 until 2026-06-01 we rent", None, None),
    # Spanish
    ("desde el 1 de marzo el endpoint es v2", "2026-03-01", None),
    ("a partir del 1 de abril de 2026 usamos uv", "2026-04-01", None),
    ("La oficina está cerrada desde marzo hasta mayo", "2026-03-01", "2026-05-01"),
    ("cerrado hasta finales de marzo", None, "2026-03-31"),
    ("hasta el 3/4/2026 el puerto es 9", None, "2026-04-03"),
    # German
    ("seit gestern läuft der Server auf Port 9", "2026-02-22", None),
    ("ab dem 1. März gilt der neue Endpunkt", "2026-03-01", None),
    ("ab Montag, den 2. März gilt er", "2026-03-02", None),
    ("von Juni bis August ist das Büro zu", "2026-06-01", "2026-08-01"),
    ("vom 1. Mai bis zum 9. Mai ist zu", "2026-05-01", "2026-05-09"),
    ("geschlossen bis einschließlich 9.5.2026", None, "2026-05-09"),
    # no dates
    ("from 3 to 5 retries", None, None),
    ("from main until merge", None, None),
    ("use ports from 8000 to 8080", None, None),
    ("resize it from 2000 to 2048 MB", None, None),
    ("the images go from 1999 to 2048 pixels", None, None),
    ("since v2.1 the port is 9, since 2026.1 too", None, None),
    ("retries go up to 2000", None, None),
    ("it works from 3 may fail", None, None),
    ("from now on use tabs", None, None),
    ("since Friday is a holiday we rest", None, None),
    ("the dump from 2026-02-20 is broken", None, None),
    ("I got a mail from April", None, None),
    ("von Juni kam eine Mail", None, None),
    ("go through March's logs", None, None),
    ("until 3/4/2026 the port is 9", None, None),
    ("until 2026-13-40 the port is 9", None, None),
    ("bis auf weiteres, ab und zu", None, None),
    ("", None, None),
]

CHANGES = [
    ("Yesterday we moved the API endpoint to https://v2.test", "2026-02-22"),
    ("we moved the API endpoint yesterday", "2026-02-22"),
    ("Gestern sind wir auf pnpm umgestiegen", "2026-02-22"),
    ("Wir sind gestern auf pnpm umgestiegen", "2026-02-22"),
    ("Gestern haben wir Jest durch Vitest abgelöst", "2026-02-22"),
    ("Vorgestern wurde das Limit auf 500 erhöht", "2026-02-21"),
    ("Gestern sind wir nicht auf pnpm umgestiegen", None),
    ("We switched to uv last week", "2026-02-16"),
    ("on 2026-02-20 we changed the port to 8081", "2026-02-20"),
    ("Last Friday, after the review, we renamed the service", "2026-02-20"),
    ("two days ago the lead became Bo", "2026-02-21"),
    ("We moved to Porto in 2024", "2024-01-01"),
    ("In December we moved to Porto. I like it.", "2025-12-01"),
    ("Ayer cambiamos el endpoint a v2", "2026-02-22"),
    ("hace dos semanas pasamos a uv", "2026-02-09"),
    ("Gestern haben wir auf uv umgestellt", "2026-02-22"),
    ("am 5. Februar haben wir gewechselt", "2026-02-05"),
    ("Letzten Montag wurde der Port geändert", "2026-02-16"),
    ("The deploy on 2026-02-20 went fine, the port is 8080", None),
    ("today we moved the office", None),
    ("In February we moved the office", None),
    ("yesterday we did not move it, but it was changed", None),
    ("we haven't moved it yesterday", None),
    ("it will be moved on Friday", None),
    ("since yesterday we switched", None),
    ("yesterday's release changed the port", None),
    ("we moved from March to April", None),
    ("set it to 15 minutes a day, Monday to Friday", None),
    ("I set the port to 2024", None),
]

MOMENTS = [
    ("2026-02-22", "2026-02-22T23:59:59-06:00"),
    ("March 2026", "2026-03-31T23:59:59-05:00"),
    ("January", "2026-01-31T23:59:59-06:00"),
    ("yesterday", "2026-02-22T23:59:59-06:00"),
    ("last Friday", "2026-02-20T23:59:59-06:00"),
    ("ayer", "2026-02-22T23:59:59-06:00"),
    ("letzte Woche", "2026-02-22T23:59:59-06:00"),
    ("2025", "2025-12-31T23:59:59-06:00"),
    ("2026-02-22T10:00:00Z", "2026-02-22T04:00:00-06:00"),
    ("2026-02-22T10:00+02:00", "2026-02-22T02:00:00-06:00"),
    (" 2026-02-22 14:00 ", "2026-02-22T14:00:00-06:00"),
    ("now", "2026-02-23T23:30:00-06:00"),
    ("today", "2026-02-23T23:30:00-06:00"),
    ("2026-02", "2026-02-23T23:30:00-06:00"),
]
RANGES = [
    ("2026-02-22", "2026-02-22T00:00:00-06:00", "2026-02-23T00:00:00-06:00"),
    ("March 2026", "2026-03-01T00:00:00-06:00", "2026-04-01T00:00:00-05:00"),
    ("2026-03-08", "2026-03-08T00:00:00-06:00", "2026-03-09T00:00:00-05:00"),
    ("in 2025", "2025-01-01T00:00:00-06:00", "2026-01-01T00:00:00-06:00"),
    ("last week", "2026-02-16T00:00:00-06:00", "2026-02-23T00:00:00-06:00"),
    ("2026-02-22T10:00Z", "2026-02-22T04:00:00-06:00", "2026-02-22T04:00:01-06:00"),
]
NONSENSE = [
    "2026-13-40",
    "2026-02-30",
    "",
    "  ",
    "3",
    "8080",
    "nonsense",
    "03/04/2026",
    "2026-02-22 or so",
    "0000-00-00",
    "9" * 5000,
]


def day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.date().isoformat()


@pytest.mark.parametrize(("statement", "first", "last"), WINDOWS)
def test_a_window_is_read_from_where_the_speaker_stood(statement: str, first: str | None, last: str | None) -> None:
    valid_from, valid_to = validity(statement, LATE_MONDAY)
    assert (day(valid_from), day(valid_to)) == (first, last)


@pytest.mark.report("AWHM-P069")
def test_days_begin_at_midnight_where_the_message_was_written() -> None:
    valid_from = mentioned("Yesterday we moved the API endpoint to https://v2.test", LATE_MONDAY)
    assert valid_from == datetime(2026, 2, 22, tzinfo=CHICAGO)
    assert parse_range("2026-02-22", LATE_MONDAY)[0] == valid_from
    assert valid_from <= parse_moment("2026-02-22", LATE_MONDAY) < datetime(2026, 2, 23, tzinfo=CHICAGO)


def test_until_ends_as_the_day_begins_and_through_as_it_ends() -> None:
    assert validity("closed until 2026-04-10", LATE_MONDAY)[1] == datetime(2026, 4, 10, tzinfo=CHICAGO)
    through = validity("closed through 2026-04-10", LATE_MONDAY)[1]
    assert through == datetime(2026, 4, 11, tzinfo=CHICAGO) - timedelta(microseconds=1)
    assert parse_moment("2026-04-10", LATE_MONDAY) < through


def test_a_time_of_day_with_a_zone_is_kept() -> None:
    valid_from, _ = validity("From 2026-03-01T00:00:00Z the endpoint is v2", LATE_MONDAY)
    assert valid_from == datetime(2026, 3, 1, tzinfo=UTC)
    assert validity("closed until 2026-04-10 17:00", LATE_MONDAY)[1] == datetime(2026, 4, 10, 17, tzinfo=CHICAGO)


@pytest.mark.parametrize(("statement", "expected"), CHANGES)
def test_the_day_of_a_change(statement: str, expected: str | None) -> None:
    assert day(mentioned(statement, LATE_MONDAY)) == expected


@pytest.mark.parametrize(("text", "expected"), MOMENTS)
def test_a_day_or_longer_means_its_last_second_or_now_while_it_lasts(text: str, expected: str) -> None:
    assert parse_moment(text, LATE_MONDAY).isoformat() == expected


@pytest.mark.parametrize(("text", "start", "end"), RANGES)
def test_a_range_has_local_boundaries(text: str, start: str, end: str) -> None:
    assert tuple(bound.isoformat() for bound in parse_range(text, LATE_MONDAY)) == (start, end)


@pytest.mark.report("AWHM-P070")
@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused_with_the_value_and_a_way_out(text: str) -> None:
    for parse in (parse_moment, parse_range):
        with pytest.raises(UsageError, match="is no date; write 2026-02-22") as raised:
            parse(text, LATE_MONDAY)
        assert repr(text.strip()[:60]) in str(raised.value)
        assert isinstance(raised.value, AwhmError)


def test_a_clock_change_between_now_and_the_day_moves_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    try:
        summer = datetime(2026, 7, 1, 12, tzinfo=CHICAGO).astimezone()
        assert isinstance(summer.tzinfo, timezone)
        assert parse_range("2026-02-22", summer)[0].isoformat() == "2026-02-22T00:00:00-06:00"
        elsewhere = summer.astimezone(timezone(timedelta(hours=9)))
        assert parse_range("2026-02-22", elsewhere)[0].isoformat() == "2026-02-22T00:00:00+09:00"
    finally:
        monkeypatch.undo()
        time.tzset()


MARKERS = ["from", "since", "starting", "until", "through", "desde", "hasta", "ab", "bis", "to"]
DATES = ["June", "May 3", "Friday", "2026-06-01", "2024", "next week", "enero", "Ende März", "29 February", "yesterday"]
words = st.sampled_from([*MARKERS, *DATES, "is", "was", "we moved", "the", ",", "."])
moments = st.datetimes(datetime(2001, 1, 1), datetime(2090, 1, 1)).map(lambda local: local.replace(tzinfo=CHICAGO))


@given(st.lists(words, max_size=9).map(" ".join), moments)
def test_no_window_is_unreachable_and_no_change_lies_ahead(statement: str, said_at: datetime) -> None:
    valid_from, valid_to = validity(statement, said_at)
    assert valid_from is None or valid_to is None or valid_from < valid_to
    change = mentioned(statement, said_at)
    assert change is None or change < said_at


@given(st.text(max_size=80), moments)
def test_any_text_is_read_or_refused(text: str, said_at: datetime) -> None:
    validity(text, said_at)
    mentioned(text, said_at)
    try:
        start, end = parse_range(text, said_at)
    except UsageError:
        return
    assert start < end


@given(moments, st.integers(-400, 400))
def test_an_iso_day_is_the_same_day_from_wherever_it_is_seen(said_at: datetime, days: int) -> None:
    named = (said_at + timedelta(days=days)).date().isoformat()
    assume(re.match(r"(19|20)", named))
    start, end = parse_range(named, said_at)
    assert day(start) == named == day(parse_moment(named, said_at))
    assert (start.hour, end.hour) == (0, 0)
    assert timedelta(hours=22) < end - start < timedelta(hours=26)
