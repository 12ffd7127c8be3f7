"""From outcomes to a report, and to a verdict where gates were set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from awhm_hooks.errors import UsageError
from awhm_hooks.evaluate import metrics
from awhm_hooks.evaluate.answering import Outcome
from awhm_hooks.evaluate.corpus import Corpus, Granularity

DEFAULT_K = 5
_COSTS = {
    "latency_ms.p50": ("latency_ms", "p50"),
    "latency_ms.p95": ("latency_ms", "p95"),
    "tokens.mean": ("tokens", "mean"),
}


def report(corpus: Corpus, granularity: Granularity, outcomes: Sequence[Outcome], k: int) -> dict[str, Any]:
    """The report as JSON has it: metrics as fractions, None where one does not apply."""
    rows = [metrics.values(outcome.judged[granularity], k) for outcome in outcomes]
    categories = sorted({outcome.category for outcome in outcomes if outcome.category})
    latencies = [outcome.latency_ms for outcome in outcomes]
    tokens = [outcome.tokens for outcome in outcomes]
    return {
        "corpus": corpus.name,
        "format": corpus.format,
        "granularity": granularity.value,
        "n": len(outcomes),
        "metrics": _means(rows, k),
        "by_category": {
            category: _category([row for row, one in zip(rows, outcomes, strict=True) if one.category == category], k)
            for category in categories
        },
        "latency_ms": {
            "p50": round(metrics.percentile(latencies, 50), 2),
            "p95": round(metrics.percentile(latencies, 95), 2),
        },
        "tokens": {"mean": round(sum(tokens) / len(tokens), 1) if tokens else 0.0},
    }


def _means(rows: Sequence[dict[str, float | None]], k: int) -> dict[str, float | None]:
    means = {name: metrics.mean(rows, name) for name in metrics.names(k)}
    return {name: None if value is None else round(value, 4) for name, value in means.items()}


def _category(rows: Sequence[dict[str, float | None]], k: int) -> dict[str, Any]:
    return {"n": len(rows), "metrics": _means(rows, k)}


@dataclass(frozen=True)
class Gate:
    """A bound that a metric must keep."""

    metric: str
    bound: float
    is_floor: bool

    def broken_by(self, found: dict[str, Any]) -> str | None:
        """Why the report does not pass; None where it does. A metric that does not apply cannot pass."""
        value = _value(found, self.metric)
        sign = ">=" if self.is_floor else "<="
        if value is None:
            return f"{self.metric} does not apply to this corpus, wanted {sign} {self.bound:g}"
        kept = value >= self.bound if self.is_floor else value <= self.bound
        return None if kept else f"{self.metric} is {value:g}, wanted {sign} {self.bound:g}"


def gate(text: str, is_floor: bool, k: int) -> Gate:
    """`METRIC=VALUE`. Raises UsageError for another shape or an unknown metric."""
    name, equals, value = text.partition("=")
    known = [*metrics.names(k), *_COSTS]
    if not equals or name not in known:
        raise UsageError(f"{text}: expected METRIC=VALUE with one of {', '.join(known)}")
    try:
        return Gate(name, float(value), is_floor)
    except ValueError:
        raise UsageError(f"{text}: {value!r} is no number") from None


def _value(found: dict[str, Any], name: str) -> float | None:
    if name in _COSTS:
        part, key = _COSTS[name]
        return float(found[part][key])
    value = found["metrics"].get(name)
    return None if value is None else float(value)
