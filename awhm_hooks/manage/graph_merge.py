"""Taking a portable graph into the store: the same rules as between sessions, for what comes from a file.

A node that is known (by its id; a statement also by what it says in its scope, an entity also by its name) is not added
again. Where several active statements fill one slot, the one that was said last stands. What was retracted on one side
stays retracted.
"""

from dataclasses import dataclass

from awhm_hooks.consolidate.entities import EntityIndex, normalise
from awhm_hooks.graph import model
from awhm_hooks.graph.writer import GraphWriter
from awhm_hooks.journal import slots
from awhm_hooks.manage.graph_json import PortableGraph, PortableNode

_SAME_KEY = "same key"
_BATCH = 5_000


@dataclass
class Merged:
    """What a merge did with the nodes of a file, and how many it superseded, theirs or ours."""

    added: int = 0
    known: int = 0
    superseded: int = 0


def merge(writer: GraphWriter, graph: PortableGraph) -> Merged:
    """Take another store's graph in, inside the caller's transaction."""
    return _Merge(writer, graph, exact=False).run()


def fill(writer: GraphWriter, graph: PortableGraph) -> Merged:
    """Make an empty store what the file says, node for node, inside the caller's transaction."""
    return _Merge(writer, graph, exact=True).run()


class _Merge:
    """One merge. `numbers` maps the file's ids to the store's node numbers, `slots` are those with a new filling.

    An exact one knows nodes by their ids alone and leaves every status as the file has it.
    """

    def __init__(self, writer: GraphWriter, graph: PortableGraph, exact: bool) -> None:
        self.exact = exact
        self.writer = writer
        self.graph = graph
        self.merged = Merged()
        self.columns = {row[1] for row in writer.db.execute("PRAGMA table_info(nodes)")}
        self.scopes: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.added: set[int] = set()
        self.slots: dict[tuple[int, str], None] = {}
        self.entities: dict[str, EntityIndex] = {}

    def run(self) -> Merged:
        for count, node in enumerate(self.graph.nodes, 1):
            self._take(node)
            if not count % _BATCH:
                self.writer.flush()
        self._link()
        self._retract()
        for scope, key in self.slots:
            self._contest(scope, key)
        for session, project, first, last, ended in self.graph.sessions:
            if not self.writer.knows_session(session):
                self.writer.note_session(session, project, first, last, 0, ended)
        for table, rows in self.graph.tables.items():
            self._add_rows(table, rows)
        self.writer.refresh_access_p90()
        return self.merged

    def _add_rows(self, table: str, rows: list[dict[str, object]]) -> None:
        known = [row[1] for row in self.writer.db.execute(f"PRAGMA table_info({table})")]
        for row in rows:
            names = [name for name in known if name in row]
            marks = ", ".join("?" * len(names))
            self.writer.db.execute(
                f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})", [row[name] for name in names]
            )

    def _take(self, node: PortableNode) -> None:
        if node.scope not in self.scopes:
            self.scopes[node.scope] = self.writer.scope_id(node.scope)
        scope = self.scopes[node.scope]
        if node.columns["family"] == model.ENTITY:
            self._index(node.scope)  # read before this one is in the store, so that its names are new
        number = self._known(node, scope)
        if number is None:
            number = self._add(node, scope)
            self.merged.added += 1
        else:
            self.writer.take_accesses(number, node.columns["access_count"], node.columns["last_accessed"])
            self.merged.known += 1
        self.numbers[node.uid] = number
        for uid, session, message in node.other_uids:
            self.writer.db.execute("INSERT OR IGNORE INTO uids VALUES (?, ?, ?, ?)", (uid, number, session, message))
        for session, message in node.sources:
            self.writer.add_source(number, session, message)
        if node.columns["family"] == model.MESSAGE and node.columns.get("message"):
            self.writer.note_message(node.columns["session"], node.columns["message"], node.uuid, number)
        if node.columns["family"] == model.ENTITY:
            self._note_names(node, number)

    def _known(self, node: PortableNode, scope: int) -> int | None:
        number = self.writer.has_uid(node.uid)
        if number is None and not self.exact:
            other = self.writer.db.execute("SELECT node FROM uids WHERE uid = ?", (node.uid,)).fetchone()
            number = int(other[0]) if other else None
        if number is not None or self.exact:
            return number
        family = node.columns["family"]
        if family == model.ENTITY:
            return self._index(node.scope).resolve(node.name, node.columns["label"])
        if family == model.MESSAGE or node.columns["status"] != model.ACTIVE:
            return None
        return self.writer.find_statement(scope, family, slots.statement_key(node.columns["text"]))

    def _add(self, node: PortableNode, scope: int) -> int:
        fields = {name: value for name, value in node.columns.items() if name in self.columns}
        family, text = str(fields.pop("family")), str(fields.pop("text"))
        if fields.get("type") not in model.TYPE_OF_FAMILY.values():
            fields["type"] = model.TYPE_OF_FAMILY[family]
        if family not in (model.MESSAGE, model.ENTITY):
            fields["statement_key"] = slots.statement_key(text)
            if not self.exact and fields.get("canonical_key") and fields["status"] == model.ACTIVE:
                self.slots[scope, str(fields["canonical_key"])] = None
        number = self.writer.add_node(family, text, **{**fields, "scope": scope})
        self.added.add(number)
        return number

    def _note_names(self, node: PortableNode, number: int) -> None:
        index = self._index(node.scope)
        for surface in dict.fromkeys([node.name, *node.aliases]):
            if index.register(number, node.columns["label"], surface):
                self.writer.add_alias(normalise(surface), number, surface)

    def _index(self, scope: str) -> EntityIndex:
        if scope not in self.entities:
            self.entities[scope] = EntityIndex(self.writer.entity_rows(scope))
        return self.entities[scope]

    def _link(self) -> None:
        """Edges and supersessions between nodes that were taken."""
        for source, target, kind, weight in self.graph.edges:
            src, dst = self.numbers.get(source), self.numbers.get(target)
            if src is not None and dst is not None and src != dst:
                self.writer.add_edge(src, dst, kind, weight)
        for (newer, older), (at, reason) in self.graph.supersessions.items():
            new, old = self.numbers.get(newer), self.numbers.get(older)
            if new is None or old is None or new == old:
                continue
            if old in self.added:
                self.writer.note_supersession(new, old, at, reason)
            elif self._is_active(old) and self.writer.last_said(old) <= self.writer.last_said(new):
                self.writer.supersede(new, old, at, reason)
                self.merged.superseded += 1

    def _retract(self) -> None:
        """What a person took back there is taken back here, with the reason."""
        query = self.writer.db.execute
        for node in self.graph.nodes:
            number = self.numbers.get(node.uid)
            if node.columns["status"] != model.RETRACTED or number is None:
                continue
            if number not in self.added:
                query(
                    "UPDATE nodes SET status = ?, valid_to = coalesce(?, valid_to) WHERE id = ?",
                    (model.RETRACTED, node.columns["valid_to"], number),
                )
            if node.retracted:
                query("INSERT OR IGNORE INTO retractions VALUES (?, ?, ?)", (number, *node.retracted))

    def _contest(self, scope: int, key: str) -> None:
        """Of several active statements in a slot the one that was said last stands; of equals the first known."""
        filling = [node.id for node in self.writer.by_key(key, [scope])]
        if len(filling) < 2:
            return
        last = {number: self.writer.last_said(number) for number in filling}
        stands = max(filling, key=lambda number: (last[number], -number))
        nodes = self.writer.nodes(filling)
        begin = nodes[stands].valid_from or nodes[stands].said_at
        for number in filling:
            if number != stands:
                closed_at = begin if nodes[stands].said_at > last[number] else last[stands]
                self.writer.supersede(stands, number, closed_at, _SAME_KEY)
                self.merged.superseded += 1

    def _is_active(self, number: int) -> bool:
        return self.writer.nodes([number])[number].status == model.ACTIVE
