"""The dates of corpora, as epoch seconds on the local clock, which is the one that a person's sessions have."""

import re
from datetime import datetime

# A corpus without dates is laid on this day, in its own order.
FIRST_DAY = datetime(2026, 1, 5, 9, 0).timestamp()
SESSION_APART_S = 3600.0
TURN_APART_S = 1.0

_FORMATS = (
    "%Y/%m/%d %H:%M",  # LongMemEval, its weekday taken out
    "%Y/%m/%d",
    "%I:%M %p on %d %B, %Y",  # LoCoMo
    "%d %B, %Y",
)
_WEEKDAY = re.compile(r"\s*\([A-Za-z]{3}\)")


def epoch(text: object) -> float | None:
    """The moment that a corpus writes; None for no date, or none that is known."""
    if isinstance(text, int | float) and not isinstance(text, bool):
        return float(text) / 1000 if text > 1e11 else float(text)
    if not isinstance(text, str) or not text.strip():
        return None
    plain = _WEEKDAY.sub("", text.strip())
    try:
        return datetime.fromisoformat(plain).timestamp()
    except ValueError:
        pass
    for form in _FORMATS:
        try:
            return datetime.strptime(plain, form).timestamp()
        except ValueError:
            continue
    return None


def end_of_day(moment: float) -> float:
    """The last second of the local day that a moment lies in."""
    return datetime.fromtimestamp(moment).replace(hour=23, minute=59, second=59, microsecond=0).timestamp()


def undated(number: int) -> float:
    """When the n-th session of a corpus without dates began."""
    return FIRST_DAY + number * SESSION_APART_S
