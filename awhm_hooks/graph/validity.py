"""When a statement holds."""


def valid_at(valid_from: float | None, valid_to: float | None, moment: float) -> bool:
    """Whether the half-open window [valid_from, valid_to) holds the moment, all in epoch seconds; None is unbounded."""
    return (valid_from is None or valid_from <= moment) and (valid_to is None or moment < valid_to)
