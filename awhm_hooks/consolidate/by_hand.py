"""What people do to memories by hand, in a raw log of its own: a graph that is made anew has it again.

    remember    a statement that nobody said in a session
    supersede   a statement that takes another one's place
    retract     a statement is not so

A record names the memory that it is about by its id. Where that memory is not in the graph yet (a rebuild reads one log
after another) it is settled as soon as it is.
"""

from dataclasses import dataclass, field

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate.linking import EntityLinker
from awhm_hooks.consolidate.stage1 import SessionRun, Tally
from awhm_hooks.graph import lifecycle, model
from awhm_hooks.graph.scope import USER
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal import raw_log
from awhm_hooks.journal.patterns import Statement
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths

SESSION = "awhm-manual"
REMEMBER = "remember"
SUPERSEDE = "supersede"
RETRACT = "retract"
PROVENANCE = "by hand"

_STATES_A_FACT = (REMEMBER, SUPERSEDE)


def uid_of_record(record_id: str) -> str:
    """The id of the memory that a record makes."""
    return uid_of("statement", SESSION, record_id, "0")


@dataclass
class ByHand:
    """All records of the log, by the id of the memory that they are about."""

    about: dict[str, list[Record]] = field(default_factory=dict)

    @classmethod
    def read(cls, paths: Paths) -> "ByHand":
        found = cls()
        for record in raw_log.in_force(list(raw_log.read(paths.log_file(SESSION)))):
            target = record.fields.get("node")
            if record.kind in (RETRACT, SUPERSEDE) and isinstance(target, str):
                found.about.setdefault(target, []).append(record)
        return found

    def settle(self, writer: GraphWriter, uid: str, node: int) -> None:
        """Do to a memory that has just come to be known by an id what was done to it by hand."""
        for record in self.about.get(uid, ()):
            _settle(writer, record, node)


def apply(writer: GraphWriter, config: AWHMConfig, records: list[Record]) -> Tally:
    """Take the log into the graph, in its order; what is there already stays as it is."""
    tally = Tally()
    linker = EntityLinker(writer, None)  # names that are known are linked; new ones are not looked for
    for record in records:
        if record.kind in _STATES_A_FACT and lifecycle.node_of(writer, uid_of_record(record.message_id)) is None:
            tally.add(_state(writer, config, linker, record))
        target = record.fields.get("node")
        node = lifecycle.node_of(writer, target) if isinstance(target, str) else None
        if node is not None:
            _settle(writer, record, node)
    return tally


def _state(writer: GraphWriter, config: AWHMConfig, linker: EntityLinker, record: Record) -> Tally:
    run = SessionRun(writer, SESSION, record.project, config, linker, provenance=PROVENANCE)
    statement = Statement(
        record.text,
        _text(record, "family") or model.FACT,
        key=_text(record, "key") or None,
        scope=_text(record, "scope") or USER,
    )
    statement.confidence = 1.0
    run.add_by_hand(statement, record)
    return run.tally


def _settle(writer: GraphWriter, record: Record, node: int) -> None:
    """What a record says of a memory; not of one that is younger: then the words were said again since."""
    if writer.nodes([node])[node].said_at > record.at:
        return
    if record.kind == RETRACT:
        lifecycle.retract(writer, node, record.at, _text(record, "why"))
    elif record.kind == SUPERSEDE:
        newer = lifecycle.node_of(writer, uid_of_record(record.message_id))
        if newer is not None and newer != node:
            why = _text(record, "why")
            reason = f"{PROVENANCE}: {why}" if why else PROVENANCE
            lifecycle.supersede_by_hand(writer, newer, node, record.at, reason)


def _text(record: Record, name: str) -> str:
    value = record.fields.get(name)
    return value if isinstance(value, str) else ""
