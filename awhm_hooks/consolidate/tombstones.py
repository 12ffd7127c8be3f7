"""Tombstones: what was deleted does not come back, whether from a transcript, an old log, a snapshot or an import.

They hold salted hashes and times, never the content. A tombstone forgets either a stretch of text wherever it stands
(`chars` and `span`), or whole messages; both as far as its conditions reach: a session, a project, one message, a
stretch of time. What a person says again after the deletion is new, and is kept.

    all      whole messages
    match    a stretch of text, and the whole statement that it stands in
    node     one memory, by its id
    entity   one name in one project
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b

from awhm_hooks.consolidate.folding import Span, find, folded, span_at
from awhm_hooks.journal import patterns, raw_log, slots
from awhm_hooks.journal.raw_log import DELETED, Record

_SAME_MOMENT_S = 120.0  # a hook's clock and the transcript's line for the same message
_MAX_ROUNDS = 20


class Kind(StrEnum):
    ALL = "all"
    MATCH = "match"
    NODE = "node"
    ENTITY = "entity"


@dataclass(frozen=True)
class Tombstone:
    """One thing forgotten. All but times and lengths are hashes; "" and 0 stand for "any".

    `message`, `uuid` and `text` with `said_at` are three ways to know one message. `needle` is the folded text itself:
    the process that deletes has it and nothing on disk does.
    """

    kind: Kind
    before: float
    since: float = 0.0
    chars: int = 0
    check: int = 0
    span: str = ""
    session: str = ""
    project: str = ""
    message: str = ""
    uuid: str = ""
    text: str = ""
    said_at: float = 0.0
    subject: str = ""
    needle: str = field(default="", compare=False, repr=False)

    def is_of_one_message(self) -> bool:
        return bool(self.message or self.uuid or self.text)

    def fields(self) -> dict[str, object]:
        """What is written: everything that is set, but never the needle."""
        return {name: value for name, value in asdict(self).items() if value and name != "needle"}


@dataclass(frozen=True)
class Said:
    """A message as tombstones look at it. `gone` are the numbers of its statements that were cut out before.

    `is_foreign`: it comes from elsewhere and need not bear the id that our log gave it.
    """

    session: str
    project: str
    message_id: str
    role: str
    text: str
    at: float
    uuid: str = ""
    gone: tuple[int, ...] = ()
    is_foreign: bool = False


@dataclass(frozen=True)
class Kept:
    """What may be kept of a message: its text, or None where all of it is forgotten."""

    text: str | None
    gone: tuple[int, ...]
    changed: bool


class Hasher:
    """Salted hashes of one store: a table of hashes made elsewhere says nothing about them."""

    def __init__(self, salt: bytes) -> None:
        self.salt = salt

    def of(self, *parts: str) -> str:
        data = "\0".join(parts).encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=16, key=self.salt).hexdigest()

    def match(self, text: str, before: float, /, **conditions: object) -> Tombstone:
        """A tombstone for a stretch of text, given as a person typed it."""
        from awhm_hooks.consolidate.rolling import checksum

        needle = folded(text)
        return Tombstone(
            Kind.MATCH,
            before,
            chars=len(needle),
            check=checksum(needle, self.salt),
            span=self.of("span", needle),
            needle=needle,
            **conditions,  # type: ignore[arg-type]
        )

    def identity(self, said: Said) -> dict[str, object]:
        """The conditions by which one message is known again."""
        return {
            "message": self.of("message", said.session, said.message_id),
            "uuid": self.of("uuid", said.uuid) if said.uuid else "",
            "text": self.of("text", said.role, folded(said.text)),
            "said_at": round(said.at, 3),
        }


class Tombstones:
    """All tombstones of a store, or some. An empty set forgets nothing and costs nothing."""

    def __init__(self, hasher: Hasher, stones: Iterable[Tombstone]) -> None:
        self.hasher = hasher
        self.stones = list(stones)
        self.anywhere: list[Tombstone] = []
        self._of_message: dict[str, list[Tombstone]] = {}
        self._subjects: set[str] = set()
        for stone in self.stones:
            if stone.kind in (Kind.NODE, Kind.ENTITY):
                self._subjects.add(stone.subject)
            elif stone.is_of_one_message():
                for known_by in (stone.message, stone.uuid, stone.text):
                    if known_by:
                        self._of_message.setdefault(known_by, []).append(stone)
            else:
                self.anywhere.append(stone)
        self._hashes: dict[tuple[str, str], str] = {}
        self._hints = _hints(self.anywhere) if not self._of_message else None
        self._windows: Windows | None = None

    def __bool__(self) -> bool:
        return bool(self.stones)

    def are_unbounded(self) -> bool:
        """All of them are stretches of text that may stand nowhere, whoever said them where."""
        return all(
            stone.kind is Kind.MATCH
            and not (stone.is_of_one_message() or stone.session or stone.project or stone.since)
            for stone in self.stones
        )

    def are_stretches(self) -> bool:
        """All of them are stretches of text, known in full and bound to no message: most of a store is out of reach."""
        return self._hints is not None

    def may_hold(self, text: str) -> bool:
        """False for a text that certainly holds nothing of what is forgotten; quick, and for most texts the answer."""
        if self._hints is None or not text.isascii():
            return True
        lower = text.lower()
        return any(all(word in lower for word in words) for words in self._hints)

    def may_hold_bytes(self, line: bytes) -> bool:
        """The same for a line of JSON in ASCII."""
        if self._hints is None or b"\\u" in line:
            return True
        lower = line.lower()
        return any(all(word.encode("ascii") in lower for word in words) for words in self._hints)

    def forgets_node(self, uid: str) -> bool:
        return bool(self._subjects) and self.hasher.of("node", uid) in self._subjects

    def forgets_entity(self, project: str, alias: str) -> bool:
        """Whether a name, in its normal form, is not to be an entity of a project again."""
        return bool(self._subjects) and self.hasher.of("entity", project, alias) in self._subjects

    def reaches(self, session: str, project: str, at: float) -> list[Tombstone]:
        """The tombstones, not bound to one message, whose conditions hold for what was said there and then."""
        return [
            stone
            for stone in self.anywhere
            if stone.since <= at <= stone.before
            and (not stone.session or stone.session == self._hash("session", session))
            and (not stone.project or stone.project == self._hash("project", project))
        ]

    def spans(self, text: str, stones: Iterable[Tombstone]) -> list[Span]:
        """What the stretches of text among these tombstones take out of a text; sorted, and apart from one another.

        What was cut out before is not read again.
        """
        found: list[Span] = []
        plain = ""
        for stone in stones:
            if stone.kind is not Kind.MATCH:
                continue
            if stone.needle:
                found += find(text, stone.needle)
                continue
            plain = plain or folded(text)
            found += [span_at(text, at, stone.chars) for at in self._places(plain, stone)]
        if not found:
            return []
        marks = find(text, DELETED)
        return _joined(span for span in found if not any(a <= span[0] and span[1] <= b for a, b in marks))

    def _places(self, plain: str, stone: Tombstone) -> list[int]:
        """Where a folded text holds the stretch that only its hash is known of."""
        if self._windows is None:
            from awhm_hooks.consolidate.rolling import Windows  # numpy: not for a store without deletions

            self._windows = Windows(self.hasher.salt)
        places = self._windows.places(plain, stone.chars, stone.check)
        return [at for at in places if self.hasher.of("span", plain[at : at + stone.chars]) == stone.span]

    def kept(self, said: Said) -> Kept:
        """What may be kept of a message: cut spans leave "[deleted]"; a message that says no more goes whole."""
        text, gone = said.text, set(said.gone)
        if not (self.anywhere or self._of_message) or not self.may_hold(text):
            return Kept(text, said.gone, False)
        anywhere = self.reaches(said.session, said.project, said.at)
        if any(stone.kind is Kind.ALL for stone in anywhere):
            return Kept(None, said.gone, True)
        for _ in range(_MAX_ROUNDS):  # a later deletion knew the message by what an earlier one had left of it
            stones = anywhere + self.own(said, text)
            if any(stone.kind is Kind.ALL for stone in stones):
                return Kept(None, tuple(sorted(gone)), True)
            spans = self.spans(text, stones)
            if not spans:
                break
            if said.role == raw_log.USER:
                spans = _with_statements(text, spans, gone)
            text = cut(text, spans)
            if _says_nothing(text):
                return Kept(None, tuple(sorted(gone)), True)
        return Kept(text, tuple(sorted(gone)), text != said.text)

    def kept_fields(self, session: str, record_fields: dict[str, object]) -> dict[str, object] | None:
        """What may be kept of a record made elsewhere, of a transcript's line say; None where it is all forgotten."""
        record = Record(record_fields, 0, 0)
        kept = self.kept(replace(said_in(session, record.project, record), is_foreign=True))
        if kept.text is None:
            return None
        return with_kept(record_fields, kept) if kept.changed else record_fields

    def filtered(self, session: str, project: str, records: list[Record]) -> list[Record]:
        """The records of a log as they may be used; for a log that was put back from a copy, say."""
        return [kept for record in records if (kept := self._record(session, project, record)) is not None]

    def _record(self, session: str, project: str, record: Record) -> Record | None:
        if not record.text or not self:
            return record
        kept = self.kept(said_in(session, project, record))
        if kept.text is None or (kept.changed and record.kind != "message"):
            return None
        return Record(with_kept(record.fields, kept), record.begin, record.end) if kept.changed else record

    def own(self, said: Said, text: str) -> list[Tombstone]:
        """The tombstones of this very message; `text` is what earlier ones have left of it."""
        if not self._of_message:
            return []
        found = list(self._of_message.get(self.hasher.of("message", said.session, said.message_id), ()))
        if said.uuid:
            found += self._of_message.get(self.hasher.of("uuid", said.uuid), ())
        if said.is_foreign:
            alike = self._of_message.get(self.hasher.of("text", said.role, folded(text)), ())
            found += [stone for stone in alike if abs(stone.said_at - said.at) <= _SAME_MOMENT_S]
        return found

    def _hash(self, what: str, value: str) -> str:
        """Sessions and projects come again and again."""
        known = self._hashes.get((what, value))
        if known is None:
            known = self._hashes[what, value] = self.hasher.of(what, value)
        return known


def said_in(session: str, project: str, record: Record) -> Said:
    """A record of a log as tombstones look at it."""
    uuid = record.fields.get("uuid")
    return Said(
        session,
        project,
        record.message_id,
        record.role,
        record.text,
        record.at,
        uuid if isinstance(uuid, str) else "",
        gone_of(record.fields),
    )


def gone_of(record_fields: dict[str, object]) -> tuple[int, ...]:
    """The numbers of a message's statements that were cut out of it."""
    gone = record_fields.get("gone")
    return tuple(n for n in gone if isinstance(n, int)) if isinstance(gone, list) else ()


def with_kept(record_fields: dict[str, object], kept: Kept) -> dict[str, object]:
    """A record's fields with what is kept of its text; project and id stay last, where the raw log looks for them."""
    last: dict[str, object] = {name: record_fields[name] for name in ("project", "id") if name in record_fields}
    first = {name: value for name, value in record_fields.items() if name not in last}
    gone = {"gone": list(kept.gone)} if kept.gone else {}
    return {**first, "text": kept.text, **gone, **last}


@lru_cache(maxsize=4096)
def captured(text: str) -> tuple[patterns.Statement, ...]:
    """The statements of a message; a deletion asks several times for those of one text."""
    return tuple(patterns.capture(text))


def numbered(text: str, gone: Iterable[int]) -> Iterator[tuple[int, patterns.Statement]]:
    """The statements of a message with their numbers: those that were cut out keep theirs, so that ids stay.

    A sentence that was cut is no statement any more.
    """
    taken = set(gone)
    number = 0
    for statement in captured(text):
        if DELETED in statement.text:
            continue
        while number in taken:
            number += 1
        yield number, statement
        number += 1


def cut(text: str, spans: list[Span]) -> str:
    """The text with "[deleted]" for each span."""
    parts: list[str] = []
    end = 0
    for begin, until in spans:
        parts += text[end:begin], DELETED
        end = until
    return "".join([*parts, text[end:]])


def _with_statements(text: str, spans: list[Span], gone: set[int]) -> list[Span]:
    """The spans, widened to the whole statements that they touch; those statements' numbers are added to `gone`."""
    touched = []
    for number, statement in numbered(text, set(gone)):
        if any(statement.start < end and begin < statement.end for begin, end in spans):
            touched.append((statement.start, statement.end))
            gone.add(number)
    return _joined([*spans, *touched])


def _joined(spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined


def _hints(stones: list[Tombstone]) -> list[list[str]] | None:
    """For each stretch of text its words, which an ASCII text must hold in lower case; None where one is not known.

    A stretch that is not all ASCII is in no ASCII text.
    """
    if any(stone.kind is not Kind.MATCH or not stone.needle for stone in stones):
        return None
    needles = [stone.needle for stone in stones if stone.needle.isascii()]
    return [sorted(re.split(r"[\s\"\\\\]+", needle), key=len, reverse=True) for needle in needles]


def _says_nothing(text: str) -> bool:
    rest = slots.strip_correction(text.replace(DELETED, " "))[0]
    return not any(character.isalnum() for character in rest)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.rolling import Windows
