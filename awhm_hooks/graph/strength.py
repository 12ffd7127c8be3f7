"""How strong a memory is: how lately and how often it was of use.

S = 0.4 recency + 0.6 frequency, as AWHM Lite has it. Recency is a power law, (1 + beta * hours) ** -alpha, which
forgets fast at first and slowly later; frequency is the number of accesses over the store's 90th percentile.
"""


def recency(age_hours: float, alpha: float = 0.3, beta: float = 0.1) -> float:
    """1.0 just after an access, falling towards 0; an access in the future (a clock put back) counts as just now."""
    if age_hours <= 0:
        return 1.0
    return float((1 + beta * age_hours) ** -alpha)


def frequency(access_count: int, p90: float) -> float:
    """The share of the 90th percentile that was reached, at most 1.0."""
    return min(1.0, access_count / max(1.0, p90))


def p90(counts: list[int]) -> float:
    """The 90th percentile of the access counts (nearest rank from above), never below 1; 1.0 for none."""
    if not counts:
        return 1.0
    ranked = sorted(counts)
    return float(max(1, ranked[min(int(0.9 * len(ranked)), len(ranked) - 1)]))


def strength(
    age_hours: float,
    access_count: int,
    p90: float,
    *,
    alpha: float = 0.3,
    beta: float = 0.1,
    w_rec: float = 0.4,
    w_freq: float = 0.6,
) -> float:
    """The blend of both; `age_hours` is the time since the last access, `p90` the store's (see `p90`)."""
    return w_rec * recency(age_hours, alpha, beta) + w_freq * frequency(access_count, p90)
