"""From results to what they are judged as: turns, or their sessions.

A session stands where its best turn stands. This is the one place for it: scoring sessions as wholes goes here.
"""

from collections.abc import Iterable, Mapping

from awhm_hooks.evaluate.corpus import Granularity
from awhm_hooks.recall.memory import Memory


def units(memories: Iterable[Memory], judged_as: Mapping[str, str], granularity: Granularity) -> list[str]:
    """The ranking of units behind a ranking of memories, each where it first appears.

    A statement counts as the turn that it was said in. A memory of no turn of the corpus is left out.
    """
    ranked: dict[str, None] = {}
    for memory in memories:
        unit = judged_as.get(memory.message_id)
        if unit is not None:
            ranked[memory.session if granularity is Granularity.SESSION else unit] = None
    return list(ranked)
