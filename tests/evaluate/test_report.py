"""What a report holds, and what gates make of it."""

import pytest

from awhm_hooks.errors import UsageError
from awhm_hooks.evaluate.answering import Outcome
from awhm_hooks.evaluate.corpus import Corpus, Granularity
from awhm_hooks.evaluate.metrics import Judgement
from awhm_hooks.evaluate.report import gate, report

CORPUS = Corpus("some", "retrieval", Granularity.TURN, ())


def outcome(question: str, category: str, judged: Judgement, latency_ms: float, tokens: int) -> Outcome:
    return Outcome(question, category, {}, {Granularity.TURN: judged}, latency_ms, tokens)


OUTCOMES = [
    outcome("q1", "easy", Judgement(found=(1,), relevant=1, returned=1), 2.0, 40),
    outcome("q2", "hard", Judgement(found=(2,), relevant=2, returned=2), 4.0, 60),
    outcome("q3", "none", Judgement(declines=True), 6.0, 0),
]
FOUND = report(CORPUS, Granularity.TURN, OUTCOMES, 5)


def test_a_report_has_exactly_the_documented_keys() -> None:
    assert list(FOUND) == ["corpus", "format", "granularity", "n", "metrics", "by_category", "latency_ms", "tokens"]
    assert set(FOUND["metrics"]) == {
        "hit@1", "hit@5", "hit@10", "frac@5", "frac@10", "all@5", "ndcg@10", "mrr", "success@1", "rejection",
        "false_positive", "contamination", "strict", "contradiction_error", "substring@5",
    }  # fmt: skip
    assert set(FOUND["latency_ms"]) == {"p50", "p95"}
    assert set(FOUND["tokens"]) == {"mean"}


def test_metrics_are_means_over_what_they_apply_to() -> None:
    metrics = FOUND["metrics"]
    assert (metrics["hit@1"], metrics["frac@5"], metrics["mrr"]) == (0.5, 0.75, 0.75)
    assert (metrics["rejection"], metrics["false_positive"], metrics["strict"]) == (1.0, 0.0, 0.6667)
    assert metrics["contamination"] is None and metrics["substring@5"] is None
    assert FOUND["latency_ms"]["p50"] == 4.0
    assert FOUND["tokens"]["mean"] == 33.3


def test_each_category_has_its_own_metrics() -> None:
    assert {name: part["n"] for name, part in FOUND["by_category"].items()} == {"easy": 1, "hard": 1, "none": 1}
    assert FOUND["by_category"]["hard"]["metrics"]["hit@1"] == 0.0
    assert FOUND["by_category"]["none"]["metrics"]["rejection"] == 1.0


VERDICTS = [
    ("hit@1=0.5", True, True),
    ("hit@1=0.51", True, False),
    ("false_positive=0", False, True),
    ("frac@5=0.5", False, False),
    ("latency_ms.p95=1", False, False),
    ("tokens.mean=40", False, True),
    ("contamination=0.1", False, False),  # it does not apply here: a gate on it is a mistake that must show
]


@pytest.mark.parametrize(("text", "is_floor", "passes"), VERDICTS)
def test_a_gate_passes_or_says_why_not(text: str, is_floor: bool, passes: bool) -> None:
    reason = gate(text, is_floor, 5).broken_by(FOUND)
    assert (reason is None) == passes
    assert reason is None or reason.startswith(text.partition("=")[0])


@pytest.mark.parametrize("text", ["hit@1", "hit@1=much", "hits=1", "=1", ""])
def test_a_gate_of_another_shape_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        gate(text, True, 5)
