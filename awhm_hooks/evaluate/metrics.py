"""What a ranking is worth: every metric, by its formula.

All of them are functions of one question's `Judgement`; a corpus' value is the mean over the questions that the metric
applies to, and None where it applies to none.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SUBSTRING_DEPTH = 5


@dataclass(frozen=True)
class Judgement:
    """How one question's ranking stands to what was wanted. Ranks count from 1.

    `found`: the ranks at which the relevant items first appear, ascending; `relevant`: how many there are to find, 0
    for a question that is not about finding; `declines`: silence is right; `returned`: how many results there were.
    `forbidden` and `contradicting`: the rank of the first such result, None where none came back; `forbids` and
    `contradictable`: whether the question names any. `answer`: the rank of the first result that holds the answer's
    words; `answerable_by_text`: whether the corpus gives an answer.
    """

    found: tuple[int, ...] = ()
    relevant: int = 0
    returned: int = 0
    declines: bool = False
    forbids: bool = False
    forbidden: int | None = None
    contradictable: bool = False
    contradicting: int | None = None
    answerable_by_text: bool = False
    answer: int | None = None


def judge(ranked: Sequence[str], gold: Iterable[str]) -> tuple[int, ...]:
    """The ranks, from 1, at which the gold items stand in a ranking without repetitions."""
    wanted = set(gold)
    return tuple(rank for rank, item in enumerate(ranked, 1) if item in wanted)


def first_rank(ranked: Sequence[str], items: Iterable[str]) -> int | None:
    """The rank of the first of the items; None where none is there."""
    found = judge(ranked, items)
    return found[0] if found else None


def hit(found: Sequence[int], k: int) -> float:
    """Recall_any@k: 1 where any relevant item is among the first k, else 0 (LongMemEval, Wu et al. 2025)."""
    return float(any(rank <= k for rank in found))


def fraction(found: Sequence[int], relevant: int, k: int) -> float:
    """Recall@k: |relevant in the first k| / |relevant| (Manning et al. 2008, 8.4)."""
    return sum(rank <= k for rank in found) / relevant


def every(found: Sequence[int], relevant: int, k: int) -> float:
    """Recall_all@k: 1 where all relevant items are among the first k, else 0 (LongMemEval, Wu et al. 2025)."""
    return float(sum(rank <= k for rank in found) == relevant)


def ndcg(found: Sequence[int], relevant: int, k: int) -> float:
    """DCG@k / ideal DCG@k, a relevant item at rank r counting 1 / log2(r + 1) (Järvelin and Kekäläinen 2002)."""
    gained = sum(_discount(rank) for rank in found if rank <= k)
    return gained / sum(_discount(rank) for rank in range(1, min(relevant, k) + 1))


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def reciprocal_rank(found: Sequence[int]) -> float:
    """1 / rank of the first relevant item, 0 where there is none; its mean is MRR (Voorhees 1999)."""
    return 1.0 / found[0] if found else 0.0


def strict(judged: Judgement, k: int) -> float:
    """1 where the first k hold all that is relevant and nothing forbidden, or silence was right and kept (MemHawk)."""
    if judged.declines:
        return float(judged.returned == 0)
    clean = judged.forbidden is None or judged.forbidden > k
    return float(clean and every(judged.found, judged.relevant, k))


def within(rank: int | None, k: int) -> float:
    """1 where there is a rank and it is at most k."""
    return float(rank is not None and rank <= k)


def values(judged: Judgement, k: int) -> dict[str, float | None]:
    """Every metric of one question; None where it does not apply.

    - `success@1` (AWM): the first result is relevant; the same as `hit@1`, under the name that AWM publishes.
    - `rejection`: of the questions to be declined, 1 where nothing came back; `false_positive` is its complement.
    - `contamination` (MemHawk): of the questions that name something forbidden, 1 where the first k hold any of it.
    - `contradiction_error` (AWHM Lite): the same of superseded values only.
    - `strict`: see there; over the questions to find and those to decline.
    - `substring@5` (AWHM Lite): of the questions with an answer in words, 1 where one of the first 5 results holds it.
    """
    found, relevant = judged.found, judged.relevant
    row: dict[str, float | None] = dict.fromkeys(names(k))
    if relevant:
        row |= {f"hit@{depth}": hit(found, depth) for depth in _depths((1, 5, 10), k)}
        row |= {f"frac@{depth}": fraction(found, relevant, depth) for depth in _depths((5, 10), k)}
        row |= {f"all@{depth}": every(found, relevant, depth) for depth in _depths((5,), k)}
        row |= {"ndcg@10": ndcg(found, relevant, 10), "mrr": reciprocal_rank(found), "success@1": hit(found, 1)}
    if judged.declines:
        row |= {"rejection": float(judged.returned == 0), "false_positive": float(judged.returned > 0)}
    if relevant or judged.declines:
        row["strict"] = strict(judged, k)
    if judged.forbids:
        row["contamination"] = within(judged.forbidden, k)
    if judged.contradictable:
        row["contradiction_error"] = within(judged.contradicting, k)
    if judged.answerable_by_text:
        row[f"substring@{SUBSTRING_DEPTH}"] = within(judged.answer, SUBSTRING_DEPTH)
    return row


def names(k: int) -> list[str]:
    """The metrics of a report; a depth that is not among the usual ones is added to them."""
    return [
        *(f"hit@{depth}" for depth in _depths((1, 5, 10), k)),
        *(f"frac@{depth}" for depth in _depths((5, 10), k)),
        *(f"all@{depth}" for depth in _depths((5,), k)),
        "ndcg@10",
        "mrr",
        "success@1",
        "rejection",
        "false_positive",
        "contamination",
        "strict",
        "contradiction_error",
        f"substring@{SUBSTRING_DEPTH}",
    ]


def _depths(usual: tuple[int, ...], k: int) -> list[int]:
    return sorted({*usual, k}) if k not in (1, 5, 10) else list(usual)


def mean(rows: Sequence[dict[str, float | None]], name: str) -> float | None:
    """The mean of a metric over the questions that it applies to; None where there are none."""
    applying = [value for row in rows if (value := row[name]) is not None]
    return math.fsum(applying) / len(applying) if applying else None


def percentile(samples: Sequence[float], percent: float) -> float:
    """Linear interpolation between the closest ranks (Hyndman and Fan 1996, type 7); 0 for no samples."""
    if not samples:
        return 0.0
    ordered = sorted(samples)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
