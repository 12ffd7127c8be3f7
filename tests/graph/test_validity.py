"""Validity windows hold their beginning and not their end."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.graph.validity import valid_at

CASES = [
    ("2026-01-01", "2026-03-01", "2026-02-01", True),
    ("2026-01-01", "2026-03-01", "2026-03-01", False),
    (None, None, "1999-01-01", True),
    ("2026-01-01", None, "2026-01-01", True),
    ("2026-01-01", None, "2025-12-31", False),
    (None, "2026-03-01", "1999-01-01", True),
    (None, "2026-03-01", "2026-03-01", False),
]

seconds = st.floats(min_value=-1e9, max_value=1e11)


def epoch(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(("valid_from", "valid_to", "moment", "valid"), CASES)
def test_windows_are_half_open(valid_from: str | None, valid_to: str | None, moment: str, valid: bool) -> None:
    begin, end = (None if bound is None else epoch(bound) for bound in (valid_from, valid_to))
    assert valid_at(begin, end, epoch(moment)) is valid


def test_the_epoch_itself_is_a_bound_like_any_other() -> None:
    assert not valid_at(0.0, None, -1.0)
    assert not valid_at(None, 0.0, 1.0)


@given(seconds, seconds)
def test_a_closed_window_and_its_successor_never_hold_the_same_moment(change: float, moment: float) -> None:
    assert valid_at(None, change, moment) is not valid_at(change, None, moment)
