"""What tombstones mean for a graph, be it the store or a snapshot's: a pure function from nodes to what is to be done.

A message loses what is forgotten of its text, or goes. A statement or an entity goes with the last message that it
stems from; one whose own words are forgotten does not stem from any message within the tombstone's reach.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from awhm_hooks.consolidate.entities import normalise
from awhm_hooks.consolidate.folding import folded
from awhm_hooks.consolidate.tombstones import Kind, Said, Tombstone, Tombstones, captured
from awhm_hooks.graph.model import ENTITY
from awhm_hooks.journal import raw_log, slots

Place = tuple[str, str]
H = TypeVar("H")


@dataclass(slots=True)
class View(Generic[H]):
    """A node as verdicts need it. `handle` is the caller's name for it; `sources` are (session, message) pairs."""

    handle: H
    uid: str
    family: str
    role: str
    text: str
    project: str
    session: str
    message: str
    at: float
    statement_key: str = ""
    sources: list[Place] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Verdicts(Generic[H]):
    """What is to be done, by the caller's handles."""

    dropped: list[H] = field(default_factory=list)
    texts: dict[H, str] = field(default_factory=dict)
    unsourced: list[tuple[H, Place]] = field(default_factory=list)
    unnamed: list[tuple[H, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Message:
    """What became of a message: its words until now, and what is left of them (None: nothing, or it is unchanged)."""

    project: str
    at: float
    was: str = ""
    left: str | None = None
    is_touched: bool = False


class Judge(Generic[H]):
    """The verdicts on one graph. Give it every message that matters first, then everything else."""

    def __init__(self, stones: Tombstones) -> None:
        self.stones = stones
        self.verdicts: Verdicts[H] = Verdicts()
        self._messages: dict[Place, _Message] = {}

    def message(self, node: View[H]) -> None:
        """Judge a message."""
        place = (node.session, node.message)
        seen = self._messages[place] = _Message(node.project, node.at)
        said = Said(node.session, node.project, node.message, node.role, node.text, node.at)
        kept = self.stones.kept(said)
        is_gone = self.stones.forgets_node(node.uid) or kept.text is None
        if not is_gone and not kept.changed:
            return
        seen.was, seen.is_touched = node.text, True
        if is_gone or kept.text is None:
            self.verdicts.dropped.append(node.handle)
            return
        seen.left = kept.text
        self.verdicts.texts[node.handle] = kept.text

    def other(self, node: View[H]) -> None:
        """Judge a statement or an entity."""
        if self.stones.forgets_node(node.uid) or self._is_forgotten_name(node):
            self.verdicts.dropped.append(node.handle)
            return
        is_touched = any(seen.is_touched for place in node.sources if (seen := self._messages.get(place)))
        if not is_touched and not self.stones.anywhere:
            return
        said = self._forgotten_words(node)
        lost = [place for place in node.sources if self._is_lost(node, place, said)]
        is_gone = len(lost) == len(node.sources) if node.sources else self._is_forgotten_alone(node, said)
        if is_gone:
            self.verdicts.dropped.append(node.handle)
            return
        self.verdicts.unsourced += [(node.handle, place) for place in lost]
        self.verdicts.unnamed += [
            (node.handle, name) for name in node.names if self.stones.spans(name, self.stones.anywhere)
        ]

    def _is_forgotten_name(self, node: View[H]) -> bool:
        if node.family != ENTITY:
            return False
        return any(self.stones.forgets_entity(node.project, normalise(name)) for name in _names(node))

    def _forgotten_words(self, node: View[H]) -> list[Tombstone]:
        """The tombstones that forget the node's own words, wherever they reach."""
        return [stone for stone in self.stones.anywhere if self.stones.spans(node.text, [stone])]

    def _is_lost(self, node: View[H], place: Place, words: list[Tombstone]) -> bool:
        """Whether the node no longer stems from a message."""
        seen = self._messages.get(place)
        if seen is None:  # the message is not in this graph: all that is known of it is when the node was said
            seen = _Message(node.project, node.at)
        reaching = self.stones.reaches(place[0], seen.project, seen.at)
        if any(stone.kind is Kind.ALL or stone in words for stone in reaching):
            return True
        if not seen.is_touched:
            return False
        if seen.left is None:
            return True
        if node.family == ENTITY:
            left = folded(seen.left)
            return not any(folded(name) in left for name in _names(node))
        return node.statement_key in _keys(seen.was) - _keys(seen.left)

    def _is_forgotten_alone(self, node: View[H], words: list[Tombstone]) -> bool:
        """The same for a memory without sources, which came from another store."""
        reaching = self.stones.reaches(node.session, node.project, node.at)
        return any(stone.kind is Kind.ALL or stone in words for stone in reaching)


def _names(node: View[H]) -> list[str]:
    """What an entity is called: its name without the label, and its aliases."""
    return [node.text.partition(": ")[2] or node.text, *node.names]


def _keys(text: str) -> set[str]:
    return {slots.statement_key(one.text) for one in captured(text) if raw_log.DELETED not in one.text}
