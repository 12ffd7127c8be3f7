"""What a person asks to be deleted, turned into tombstones."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from awhm_hooks.consolidate import by_hand, tombstone_file
from awhm_hooks.consolidate.entities import normalise
from awhm_hooks.consolidate.tombstones import Hasher, Kind, Said, Tombstone, Tombstones
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.graph.model import ENTITY, MESSAGE, Node
from awhm_hooks.graph.writer import GraphWriter, uid_of
from awhm_hooks.journal import patterns, slots
from awhm_hooks.manage import deletion_logs
from awhm_hooks.manage.naming import node_by_id
from awhm_hooks.paths import Paths

_MIN_MATCH_CHARS = 2
_CLIENT_PREFIX = "claude-"


class By(StrEnum):
    """What a deletion goes by; the ledger says so."""

    IDS = "ids"
    MATCH = "match"
    SESSION = "session"
    PROJECT = "project"
    SINCE = "since"


@dataclass(frozen=True)
class Selection:
    """Memories by their ids, or everything that all of the other conditions hold for.

    `match` is a text, in any case, in any project; `session` a session's id; `project` a project's key; `since` epoch
    seconds.
    """

    ids: tuple[str, ...] = ()
    match: str = ""
    session: str = ""
    project: str = ""
    since: float | None = None

    def kind(self) -> By:
        conditions = (
            (self.ids, By.IDS),
            (self.match, By.MATCH),
            (self.session, By.SESSION),
            (self.project, By.PROJECT),
        )
        return next((by for value, by in conditions if value), By.SINCE)

    def is_bounded(self) -> bool:
        """Whether the same words may rightly stand elsewhere."""
        return bool(not self.match or self.session or self.project or self.since is not None)

    def check(self) -> None:
        """Raises UsageError for one that means nothing, or too much."""
        others = (self.match, self.session, self.project, self.since is not None)
        if not self.ids and not any(others):
            raise UsageError("say what to delete: an id, or --match, --session, --project, --since")
        if self.ids and any(others):
            raise UsageError("delete by id, or by --match, --session, --project and --since, not by both")
        if self.match and len(self.match.strip()) < _MIN_MATCH_CHARS:
            raise UsageError(f"--match needs at least {_MIN_MATCH_CHARS} characters")


@dataclass
class Selected:
    """The tombstones of a deletion, and where to look: in these nodes and sessions, or everywhere for None.

    `texts` are what must be nowhere afterwards.
    """

    stones: Tombstones
    texts: list[str]
    nodes: set[int] | None = None
    sessions: set[str] | None = None
    previews: list[str] = field(default_factory=list)

    def concerns(self, session: str) -> bool:
        return self.sessions is None or session in self.sessions or session == by_hand.SESSION


def select(paths: Paths, writer: GraphWriter, selection: Selection, now: float) -> Selected:
    """The tombstones for a selection. Raises AwhmError for an id or a session that is not known, UsageError."""
    selection.check()
    hasher = tombstone_file.hasher(paths)
    if selection.ids:
        return _by_ids(writer, hasher, selection.ids, now)
    session = known_session(paths, writer, selection.session) if selection.session else ""
    conditions: dict[str, object] = {
        "session": hasher.of("session", session) if session else "",
        "project": hasher.of("project", selection.project) if selection.project else "",
        "since": selection.since or 0.0,
    }
    sessions = {session} if session else None
    if selection.match:
        stone = hasher.match(selection.match, now, **conditions)
        return Selected(Tombstones(hasher, [stone]), [selection.match], None, sessions)
    stone = Tombstone(Kind.ALL, now, **conditions)  # type: ignore[arg-type]
    return Selected(Tombstones(hasher, [stone]), [], None, sessions)


def known_session(paths: Paths, writer: GraphWriter, given: str) -> str:
    """A session's name here, from the client's id or the beginning of it. Raises AwhmError."""
    known: set[str] = {row[0] for row in writer.db.execute("SELECT id FROM sessions")}
    known.update(deletion_logs.sessions(paths, paths.logs, ".jsonl"))
    for name in (given, _CLIENT_PREFIX + given):
        if name in known:
            return name
    alike = [name for name in known if name.removeprefix(_CLIENT_PREFIX).startswith(given)]
    if len(alike) != 1:
        reason = f"{len(alike)} sessions begin like that" if alike else "no such session"
        raise AwhmError(f"{given}: {reason}; 0 deleted")
    return alike[0]


def _by_ids(writer: GraphWriter, hasher: Hasher, ids: Iterable[str], now: float) -> Selected:
    stones: list[Tombstone] = []
    nodes = []
    sessions: set[str] = set()
    for given in dict.fromkeys(ids):
        node = node_by_id(writer, given, "0 deleted")
        nodes.append(node)
        stones += _stones_of(writer, hasher, node, now)
        sessions.add(node.session)
        sources = writer.db.execute("SELECT session FROM sources WHERE node = ?", (node.id,))
        sessions.update(session for (session,) in sources)
    texts = [node.text.partition(": ")[2] if node.family == ENTITY else node.text for node in nodes]
    numbers = {node.id for node in nodes}
    return Selected(Tombstones(hasher, stones), texts, numbers, sessions, [node.text for node in nodes])


def _stones_of(writer: GraphWriter, hasher: Hasher, node: Node, now: float) -> list[Tombstone]:
    """The node under every id that it had, and what it stems from: of a message that says more, the statement alone."""
    uids = [node.uid, *(uid for (uid,) in writer.db.execute("SELECT uid FROM uids WHERE node = ?", (node.id,)))]
    stones = [Tombstone(Kind.NODE, now, subject=hasher.of("node", uid)) for uid in uids]
    if node.family == MESSAGE:
        uuid = writer.db.execute("SELECT uuid FROM messages WHERE node = ?", (node.id,)).fetchone()
        return [*stones, _whole(hasher, node, (uuid and uuid[0]) or "", now)]
    if node.family == ENTITY:
        names = [node.text.partition(": ")[2]]
        names += [row[0] for row in writer.db.execute("SELECT surface FROM aliases WHERE node = ?", (node.id,))]
        subjects = {hasher.of("entity", node.project, normalise(name)) for name in names}
        return [*stones, *(Tombstone(Kind.ENTITY, now, subject=subject) for subject in sorted(subjects))]
    rows = writer.db.execute(
        "SELECT g.node, g.uuid FROM sources s JOIN messages g ON g.session = s.session AND g.id = s.message"
        " WHERE s.node = ? AND g.node IS NOT NULL",
        (node.id,),
    ).fetchall()
    known = set(uids)
    call = writer.db.execute("SELECT stage2_call FROM nodes WHERE id = ?", (node.id,)).fetchone()[0]
    if call:  # the record of the model's answer has the words that it was admitted with
        stones.append(hasher.match(node.text, now, message=hasher.of("message", node.session, call)))
    for number, uuid in rows:
        stones.append(_in_message(hasher, node, known, writer.nodes([number])[number], uuid or "", now))
    return stones


def _whole(hasher: Hasher, message: Node, uuid: str, now: float) -> Tombstone:
    return Tombstone(Kind.ALL, now, **hasher.identity(_said(message, uuid)))  # type: ignore[arg-type]


def _in_message(hasher: Hasher, node: Node, uids: set[str], message: Node, uuid: str, now: float) -> Tombstone:
    """The statement in one of its messages, in that message's words; a message that it was only gathered from goes."""
    said = _said(message, uuid)
    key = slots.statement_key(node.text)
    for number, statement in enumerate(patterns.capture(message.text)):
        own = uid_of("statement", message.session, message.message, str(number))
        if own in uids or slots.statement_key(statement.text) == key:
            return hasher.match(statement.text, now, **hasher.identity(said))
    return _whole(hasher, message, uuid, now)


def _said(message: Node, uuid: str) -> Said:
    return Said(message.session, message.project, message.message, message.role, message.text, message.said_at, uuid)
