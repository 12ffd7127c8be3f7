"""Each metric against its definition, written out naively."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.evaluate import metrics
from awhm_hooks.evaluate.metrics import Judgement

ITEMS = [f"d{number}" for number in range(14)]
rankings = st.lists(st.sampled_from(ITEMS), unique=True)
golds = st.sets(st.sampled_from(ITEMS), min_size=1)
depths = st.integers(1, 12)


def naive_dcg(gains: list[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


@given(rankings, golds, depths)
def test_ranking_metrics_equal_their_definitions(ranked: list[str], gold: set[str], k: int) -> None:
    found, relevant = metrics.judge(ranked, gold), len(gold)
    top = ranked[:k]
    assert metrics.hit(found, k) == (1.0 if gold & set(top) else 0.0)
    assert metrics.fraction(found, relevant, k) == len(gold & set(top)) / len(gold)
    assert metrics.every(found, relevant, k) == (1.0 if gold <= set(top) else 0.0)
    gains = [1 if item in gold else 0 for item in top]
    ideal = naive_dcg([1] * min(k, len(gold)))
    assert metrics.ndcg(found, relevant, k) == pytest.approx(naive_dcg(gains) / ideal)
    places = [place for place, item in enumerate(ranked, 1) if item in gold]
    assert metrics.reciprocal_rank(found) == (1 / min(places) if places else 0.0)


@given(rankings, golds, st.sets(st.sampled_from(ITEMS)), depths, st.booleans())
def test_strict_is_all_that_is_relevant_and_nothing_forbidden(
    ranked: list[str], gold: set[str], forbidden: set[str], k: int, declines: bool
) -> None:
    judged = Judgement(
        found=() if declines else metrics.judge(ranked, gold),
        relevant=0 if declines else len(gold),
        returned=len(ranked),
        declines=declines,
        forbids=bool(forbidden),
        forbidden=metrics.first_rank(ranked, forbidden),
    )
    right = not ranked if declines else gold <= set(ranked[:k]) and not forbidden & set(ranked[:k])
    assert metrics.values(judged, k)["strict"] == float(right)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 100))
def test_a_percentile_lies_between_its_neighbours(samples: list[float], percent: float) -> None:
    ordered = sorted(samples)
    value = metrics.percentile(samples, percent)
    place = (len(ordered) - 1) * percent / 100
    assert ordered[math.floor(place)] <= value * (1 + 1e-9) + 1e-9
    assert value <= ordered[math.ceil(place)] * (1 + 1e-9) + 1e-9


def test_a_percentile_is_interpolated() -> None:
    assert metrics.percentile([4.0, 1.0, 2.0, 3.0], 50) == 2.5
    assert metrics.percentile([], 95) == 0.0


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=20))
def test_a_mean_passes_over_questions_that_a_metric_does_not_apply_to(found: list[float | None]) -> None:
    rows = [{"mrr": value} for value in found]
    known = [value for value in found if value is not None]
    value = metrics.mean(rows, "mrr")
    assert value == (pytest.approx(sum(known) / len(known)) if known else None)


RANKING = {"hit@1", "hit@5", "hit@10", "frac@5", "frac@10", "all@5", "ndcg@10", "mrr", "success@1"}
APPLIES = [
    ("nothing to find", Judgement(), set()),
    ("something to find", Judgement(relevant=1), RANKING | {"strict"}),
    ("to be declined", Judgement(declines=True), {"rejection", "false_positive", "strict"}),
    ("an answer in words", Judgement(answerable_by_text=True), {"substring@5"}),
    ("something forbidden", Judgement(forbids=True), {"contamination"}),
    ("a superseded value", Judgement(forbids=True, contradictable=True), {"contamination", "contradiction_error"}),
]


@pytest.mark.parametrize(("judged", "applying"), [case[1:] for case in APPLIES], ids=[case[0] for case in APPLIES])
def test_a_metric_applies_only_where_the_question_asks_for_it(judged: Judgement, applying: set[str]) -> None:
    row = metrics.values(judged, 5)
    assert {name for name, value in row.items() if value is not None} == applying


def test_what_stands_below_the_depth_does_not_count() -> None:
    judged = Judgement((), 0, 9, False, True, 6, True, 6, True, 6)
    row = metrics.values(judged, 5)
    assert (row["contamination"], row["contradiction_error"], row["substring@5"]) == (0.0, 0.0, 0.0)
    assert metrics.values(judged, 6)["contamination"] == 1.0


def test_an_unusual_depth_is_added_to_the_usual_ones() -> None:
    assert {"hit@3", "frac@3", "all@3"} <= set(metrics.names(3))
    assert metrics.names(5) == metrics.names(10) == metrics.names(1)
