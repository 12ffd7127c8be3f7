"""Strength: recency and frequency, as the reference computes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.graph.strength import frequency, p90, recency, strength

RECENCY = [(0, 1.0), (1, 0.971812), (24, 0.692718), (168, 0.421574), (720, 0.27606), (8760, 0.130948)]
FREQUENCY = [(5, 10, 0.5), (20, 10, 1.0), (3, 0, 1.0), (0, 10, 0.0)]
PERCENTILE = [([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 10.0), ([7], 7.0), ([0, 0, 0], 1.0), ([], 1.0), ([9, 1, 1], 9.0)]

hours = st.floats(min_value=0, max_value=1e6)


@pytest.mark.parametrize(("age_hours", "value"), RECENCY)
def test_recency_decays_as_a_power_law(age_hours: float, value: float) -> None:
    assert recency(age_hours) == pytest.approx(value, abs=1e-6)


def test_an_access_in_the_future_counts_as_just_now() -> None:
    assert recency(-5) == 1.0


@pytest.mark.parametrize(("access_count", "percentile", "value"), FREQUENCY)
def test_frequency_is_the_share_of_the_90th_percentile(access_count: int, percentile: float, value: float) -> None:
    assert frequency(access_count, percentile) == value


@pytest.mark.parametrize(("counts", "value"), PERCENTILE)
def test_the_90th_percentile_is_never_below_one(counts: list[int], value: float) -> None:
    assert p90(counts) == value


def test_strength_blends_recency_and_frequency() -> None:
    assert strength(24, 5, 10) == pytest.approx(0.4 * 0.692718 + 0.6 * 0.5, abs=1e-6)
    assert strength(24, 5, 10, w_rec=1, w_freq=0) == recency(24)
    assert strength(24, 5, 10, alpha=0.5, beta=0.2, w_rec=1, w_freq=0) == recency(24, 0.5, 0.2)


@given(hours, hours)
def test_older_is_never_more_recent(one: float, other: float) -> None:
    younger, older = sorted((one, other))
    assert 0 < recency(older) <= recency(younger) <= 1


@given(hours, st.integers(0, 10_000), st.lists(st.integers(0, 10_000)))
def test_strength_stays_between_zero_and_one(age_hours: float, access_count: int, counts: list[int]) -> None:
    assert 0 <= strength(age_hours, access_count, p90(counts)) <= 1


@given(st.lists(st.integers(1, 10_000), min_size=1))
def test_the_90th_percentile_is_one_of_the_counts_and_at_least_nine_tenths_are_not_above_it(counts: list[int]) -> None:
    value = p90(counts)
    assert value in counts
    assert sum(count <= value for count in counts) >= 0.9 * len(counts)
