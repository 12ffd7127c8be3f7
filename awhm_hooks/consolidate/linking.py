"""Entities in the graph: one node however a name is written, and statements linked to it."""

from awhm_hooks.consolidate.entities import EntityIndex, normalise
from awhm_hooks.consolidate.ner import Entity, Recogniser
from awhm_hooks.graph import model
from awhm_hooks.graph.scope import USER
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal.raw_log import Record


class EntityLinker:
    """Named entities of messages, resolved to nodes; the known ones are read once a project."""

    def __init__(self, writer: GraphWriter, recogniser: Recogniser | None) -> None:
        self._writer = writer
        self._recogniser = recogniser
        self._indexes: dict[str, EntityIndex] = {}
        self._found: dict[str, list[Entity]] = {}

    def prepare(self, texts: list[str]) -> None:
        """Recognise the entities of several messages in one pass; without a recogniser there are none."""
        if self._recogniser and texts:
            self._found = dict(zip(texts, self._recogniser.entities(texts), strict=True))

    def entities(self, text: str) -> list[Entity]:
        return self._found.get(text, [])

    def node_for(self, entity: Entity, project: str, session: str, record: Record) -> int:
        """The node of an entity, made where it is not known; its spelling is kept as an alias."""
        index = self._index(project)
        node = index.resolve(entity.text, entity.label)
        if node is None:
            node = self._writer.add_node(
                model.ENTITY,
                f"{entity.label}: {entity.text}",
                uid=uid_of("entity", project, entity.label, normalise(entity.text)),
                label=entity.label,
                scope=self._writer.scope_id(project or USER),
                project=project,
                session=session,
                message=record.message_id,
                said_at=record.at,
                confidence=0.75,
            )
        if index.register(node, entity.label, entity.text):
            self._writer.add_alias(normalise(entity.text), node, entity.text)
        return node

    def mentioned(self, text: str, project: str) -> list[int]:
        """The known entities that a statement names."""
        return list(self._index(project).mentions(text))

    def _index(self, project: str) -> EntityIndex:
        if project not in self._indexes:
            self._indexes[project] = EntityIndex(self._writer.entity_rows(project or USER))
        return self._indexes[project]
