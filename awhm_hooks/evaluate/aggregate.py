"""From results to what they are judged as: turns, or their sessions.

A session is worth what its best turn is worth, and more where a second turn speaks for it, the session as a whole, or
what it has in common with the best results. The first is chosen so. The further ones are what the first one leaves to
be said: for them counts more what they have in common, and that several of their turns come near the question. A
question answers little, but tells what its session is about.
"""

from collections.abc import Iterable, Mapping

from awhm_hooks.evaluate.corpus import Granularity
from awhm_hooks.recall import rank
from awhm_hooks.recall.memory import Memory

_SECOND = 0.2
_WHOLE = 0.15
_ASKED = 0.05
_FURTHER = 0.5
_NEAR = 0.35
_NEAREST = 3


def units(memories: Iterable[Memory], judged_as: Mapping[str, str], granularity: Granularity) -> list[str]:
    """The ranking of units behind a ranking of memories, best first.

    A statement counts as the turn that it was said in, and a turn stands where it first appears. A memory of no turn of
    the corpus is left out.
    """
    known = [memory for memory in memories if memory.message_id in judged_as]
    if granularity is Granularity.TURN:
        return list(dict.fromkeys(judged_as[memory.message_id] for memory in known))
    turns: dict[str, dict[str, float]] = {}
    whole: dict[str, float] = {}
    likeness: dict[str, float] = {}
    cosines: dict[str, dict[str, float]] = {}
    for memory in known:
        found = turns.setdefault(memory.session, {})
        score = memory.score + (_ASKED if memory.asks else 0.0)
        found[memory.message_id] = max(score, found.get(memory.message_id, score))
        whole[memory.session] = memory.features.get("session", 0.0)
        near = cosines.setdefault(memory.session, {})
        near[memory.message_id] = max(memory.cosine, near.get(memory.message_id, memory.cosine))
        likeness[memory.session] = max(memory.features.get("likeness", 0.0), likeness.get(memory.session, 0.0))
    nearness = _nearness(cosines)
    worth = {one: _worth(turns[one].values(), whole[one]) + likeness[one] for one in turns}
    ranked = sorted(turns, key=worth.__getitem__, reverse=True)
    further = {one: worth[one] + _FURTHER * likeness[one] + _NEAR * nearness[one] for one in ranked[1:]}
    return ranked[:1] + sorted(further, key=further.__getitem__, reverse=True)


def _worth(scores: Iterable[float], whole: float) -> float:
    best, second = sorted([*scores, 0.0], reverse=True)[:2]
    return best + _SECOND * second + _WHOLE * whole


def _nearness(cosines: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean cosine of each session's three nearest turns: 0 for what is foreign, 1 for the best session."""
    means = {one: sum(sorted(near.values(), reverse=True)[:_NEAREST]) / _NEAREST for one, near in cosines.items()}
    span = max(means.values(), default=0.0) - rank.LEAST_COSINE
    return {one: max(0.0, mean - rank.LEAST_COSINE) / span if span > 0 else 0.0 for one, mean in means.items()}
