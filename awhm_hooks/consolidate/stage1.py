"""Stage 1: from a session's messages to the graph, by rules alone.

Every message becomes an episodic node; the statements in the user's messages become semantic or procedural ones, keep
their slot, and supersede what they contradict. It runs inside the caller's transaction and is idempotent: a message
that is in the graph already is passed over.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import dates, tombstones
from awhm_hooks.consolidate.entities import normalise
from awhm_hooks.consolidate.linking import EntityLinker
from awhm_hooks.graph import lifecycle, model
from awhm_hooks.graph.scope import USER
from awhm_hooks.graph.store import USER_SCOPE
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal import patterns, raw_log, slots
from awhm_hooks.journal.raw_log import Record

_SHORT_CHARS = 400
_SAME_KEY = "same key"
_CORRECTION = "correction"


@dataclass
class Tally:
    """What a run did."""

    messages: int = 0
    statements: int = 0
    reinforced: int = 0
    superseded: int = 0
    entities: int = 0

    def add(self, other: "Tally") -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class _Said:
    """A statement of this session that a correction may reach."""

    node: int
    key: str
    position: int


@dataclass
class SessionRun:
    """The consolidation of one session's messages."""

    writer: GraphWriter
    session: str
    project: str
    config: AWHMConfig
    linker: EntityLinker
    tally: Tally = field(default_factory=Tally)
    by_hand: "ByHand | None" = None
    forgotten: "Tombstones | None" = None
    provenance: str = "stage1"

    def run(self, records: list[Record]) -> Tally:
        """Take the session's messages (all of them; known ones are passed over) into the graph."""
        messages = sorted(
            (record for record in records if record.kind == "message" and not record.fields.get("quiet")),
            key=lambda record: (record.at, record.begin),
        )
        uuids = _uuids(records)
        known = self.writer.message_nodes(self.session)
        positions = {record.message_id: n for n, record in enumerate(messages)}
        said = [
            _Said(node, key, positions[message])
            for node, key, message in self.writer.session_statements(self.session)
            if message in positions
        ]
        new = [record for record in messages if record.message_id not in known]
        self.linker.prepare([record.text for record in new if record.role == raw_log.USER])
        previous: int | None = None
        for record in messages:
            node = known.get(record.message_id)
            if node is None:
                node = self._add_message(record, uuids.get(record.message_id))
                if record.role == raw_log.USER:
                    self._add_statements(record, node, positions[record.message_id], said)
                if previous is not None:
                    self.writer.add_edge(previous, node, model.TEMPORAL)
            previous = node
        return self.tally

    def _add_message(self, record: Record, uuid: str | None) -> int:
        scope = self.writer.scope_id(self.project or USER)
        node = self.writer.add_node(
            model.MESSAGE,
            record.text,
            uid=uid_of("message", self.session, record.message_id),
            scope=scope,
            project=self.project,
            session=self.session,
            message=record.message_id,
            role=record.role,
            said_at=record.at,
            valid_from=record.at,
        )
        self.writer.note_message(self.session, record.message_id, uuid, node)
        self.tally.messages += 1
        self.settle(uid_of("message", self.session, record.message_id), node)
        return node

    def settle(self, uid: str, node: int) -> None:
        """Do to a memory what was done to it by hand."""
        if self.by_hand:
            self.by_hand.settle(self.writer, uid, node)

    def add_by_hand(self, statement: patterns.Statement, record: Record) -> int:
        """The node of a statement that a person gives, not a message."""
        node = self._add_statement(statement, 0, record, 0, [])
        self._note_source(node, 0, record)
        for entity_node in self.linker.mentioned(statement.text, self.project):
            self.writer.add_edge(node, entity_node, model.ASSOCIATION, 0.8)
        return node

    def _note_source(self, node: int, number: int, record: Record) -> None:
        """Where a statement comes from, and its id of its own where it is a repetition."""
        uid = uid_of("statement", self.session, record.message_id, str(number))
        self.writer.add_source(node, self.session, record.message_id)
        lifecycle.also_known_as(self.writer, node, uid, self.session, record.message_id)
        self.settle(uid, node)

    def _is_forgotten(self, name: str) -> bool:
        return self.forgotten is not None and self.forgotten.forgets_entity(self.project, normalise(name))

    def _add_statements(self, record: Record, message_node: int, position: int, said: list[_Said]) -> None:
        entities = [one for one in self.linker.entities(record.text) if not self._is_forgotten(one.text)]
        for entity in entities:
            self._note_entity(self.linker.node_for(entity, self.project, self.session, record), record)
        for number, statement in tombstones.numbered(record.text, tombstones.gone_of(record.fields)):
            node = self._add_statement(statement, number, record, position, said)
            self.writer.add_edge(node, message_node, model.ABSTRACTION)
            if len(record.text) <= _SHORT_CHARS:
                self.writer.defer_message(message_node, node)
            self._note_source(node, number, record)
            lifecycle.close_message(self.writer, message_node, node)
            for entity_node in self.linker.mentioned(statement.text, self.project):
                self.writer.add_edge(node, entity_node, model.ASSOCIATION, 0.8)

    def _note_entity(self, node: int, record: Record) -> None:
        self.writer.add_source(node, self.session, record.message_id)
        self.tally.entities += 1

    def _add_statement(
        self, statement: patterns.Statement, number: int, record: Record, position: int, said: list[_Said]
    ) -> int:
        """The statement's node: a new one, or the one that says the same already."""
        scope = USER_SCOPE if statement.scope == "user" or not self.project else self.writer.scope_id(self.project)
        statement_key = slots.statement_key(statement.text)
        repeated = self.writer.find_statement(scope, statement.family, statement_key)
        if repeated is None:  # said before a person took it back: it stays taken back
            repeated = lifecycle.find_retracted(self.writer, scope, statement.family, statement_key, record.at)
        if repeated is not None:
            self.writer.reinforce(repeated, record.at)
            self.tally.reinforced += 1
            if statement.is_correction:  # back to what was said before: what came between is no longer so
                self._supersede(repeated, statement, scope, record.at, record.at, position, said)
            return repeated
        tells_a_change = statement.change or statement.is_correction
        valid_from, valid_to = dates.window(statement.text, _local(record), tells_a_change)
        node = self.writer.add_node(
            statement.family,
            statement.text,
            uid=uid_of("statement", self.session, record.message_id, str(number)),
            canonical_key=statement.key,
            statement_key=statement_key,
            confidence=statement.confidence,
            scope=scope,
            project=self.project,
            session=self.session,
            message=record.message_id,
            role=raw_log.USER,
            said_at=record.at,
            valid_from=valid_from,
            valid_to=valid_to,
            change=int(statement.change),
            provenance=self.provenance,
        )
        self.tally.statements += 1
        self._supersede(node, statement, scope, record.at, valid_from or record.at, position, said)
        return node

    def _supersede(
        self,
        node: int,
        statement: patterns.Statement,
        scope: int,
        at: float,
        valid_from: float,
        position: int,
        said: list[_Said],
    ) -> None:
        if statement.key is None:
            return
        self.supersede_same_key(node, statement.key, scope, at, valid_from)
        for one in said:
            distance = position - one.position
            if one.node != node and slots.supersedes(
                statement.key, statement.is_correction, one.key, distance, self.config.correction_window_messages
            ):
                self.writer.supersede(node, one.node, valid_from, _CORRECTION)
        said.append(_Said(node, statement.key, position))

    def supersede_same_key(self, node: int, key: str, scope: int, at: float, valid_from: float) -> None:
        """The newest statement of a slot stands; the others are history."""
        for newer, since in lifecycle.retracted_since(self.writer, key, scope, at):
            self.writer.supersede(newer, node, since, _SAME_KEY)
        for older in self.writer.by_key(key, [scope]):
            if older.id == node:
                continue
            said_last = self.writer.last_said(older.id)
            if said_last > at:  # the log of an older session came late: what is newer, or was said again since, stands
                is_restated = older.said_at <= at
                closed_at = said_last if is_restated else older.valid_from or older.said_at
                self.writer.supersede(older.id, node, closed_at, _SAME_KEY)
                self.writer.close_before(key, scope, valid_from)
            else:
                self.writer.supersede(node, older.id, valid_from, _SAME_KEY)
            self.tally.superseded += 1


def _local(record: Record) -> datetime:
    """When a message was said, in the zone it was said in; in this machine's, where the log does not tell."""
    offset = record.fields.get("utc_offset_s")
    if isinstance(offset, int):
        return datetime.fromtimestamp(record.at, timezone(timedelta(seconds=offset)))
    return datetime.fromtimestamp(record.at).astimezone()


def _uuids(records: list[Record]) -> dict[str, str]:
    """Message id -> uuid of its transcript line, as completion noted them."""
    found: dict[str, str] = {}
    for record in records:
        uuids = record.fields.get("uuids")
        if isinstance(uuids, dict):
            found.update({str(message): str(uuid) for message, uuid in uuids.items()})
        uuid = record.fields.get("uuid")
        if isinstance(uuid, str):
            found[record.message_id] = uuid
    return found


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.by_hand import ByHand
    from awhm_hooks.consolidate.tombstones import Tombstones
