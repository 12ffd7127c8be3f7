"""What was true at a moment, of what waits for consolidation: the windows that the worker will give it."""

from datetime import datetime

from awhm_hooks.consolidate import dates
from awhm_hooks.graph.validity import valid_at
from awhm_hooks.journal import slots
from awhm_hooks.journal.buffer import Buffer, BufferedStatement
from awhm_hooks.recall.memory import Memory


class Said:
    """A waiting statement with its window, in epoch seconds; None is unbounded."""

    def __init__(self, one: BufferedStatement) -> None:
        said_at = datetime.fromtimestamp(one.at).astimezone()
        self.statement = one
        self.valid_from, self.valid_to = dates.window(one.text, said_at, one.change or one.is_correction)

    def close(self, at: float) -> None:
        self.valid_to = at if self.valid_to is None else min(self.valid_to, at)


def narrow(buffers: list[Buffer], moment: float, correction_window: int) -> list[Said]:
    """Leave in buffers what was true at a moment; it comes back as such."""
    kept = []
    for buffer in buffers:
        said = [Said(one) for one in buffer.statements]
        for number, new in enumerate(said):
            for old in said[:number]:
                if _takes_the_place(new.statement, old.statement, correction_window):
                    old.close(new.valid_from or new.statement.at)
        held = [one for one in said if valid_at(one.valid_from, one.valid_to, moment)]
        for one in held:
            one.statement.superseded = False
        buffer.statements = [one.statement for one in held]
        stating, holding = ({one.message_id for one in some} for some in (_statements(said), buffer.statements))
        buffer.messages = [
            one
            for one in buffer.messages
            if (one.message_id in holding if one.message_id in stating else one.at <= moment)
        ]
        kept += held
    return kept


def _statements(said: list[Said]) -> list[BufferedStatement]:
    return [one.statement for one in said]


def _takes_the_place(new: BufferedStatement, old: BufferedStatement, window: int) -> bool:
    return slots.supersedes(new.key, new.is_correction, old.key, new.position - old.position, window)


def without_closed(memories: list[Memory], said: list[Said], moment: float) -> list[Memory]:
    """Without the graph's statements whose slot had been filled anew by then, by what is not in the graph yet."""
    filled: dict[str, float] = {}
    for one in said:
        key = one.statement.key
        if key and (one.valid_from or 0.0) <= moment:
            filled[key] = max(filled.get(key, 0.0), one.statement.at)
    return [
        memory
        for memory in memories
        if memory.origin != "graph" or memory.key is None or memory.at >= filled.get(memory.key, 0.0)
    ]
