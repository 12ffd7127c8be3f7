"""The session buffer: what was said and not consolidated yet, folded from the write-ahead log."""

from binascii import a2b_base64

from awhm_hooks.journal import raw_log, slots, wal
from awhm_hooks.journal.patterns import capture
from awhm_hooks.recall.tokens import tokenise

MAX_TERMS = 400
_EDGE_CHARS = 8_000
_CHECKPOINT_STATEMENTS = 60
_RECENT_BYTES = 16_384


class BufferedStatement:
    """A captured statement that waits for consolidation. `position` counts the session's messages."""

    __slots__ = (
        "at",
        "change",
        "confidence",
        "family",
        "is_correction",
        "key",
        "message_id",
        "position",
        "scope",
        "session",
        "superseded",
        "text",
        "vector_row",
    )

    def __init__(self, session: str, message_id: str, position: int, at: float, fields: dict[str, "Any"]) -> None:
        self.session = session
        self.message_id = message_id
        self.position = position
        self.at = at
        self.text = str(fields["text"])
        self.family = str(fields["family"])
        self.key: str | None = fields.get("key")
        self.scope = str(fields["scope"])
        self.confidence = float(fields["confidence"])
        self.is_correction = bool(fields.get("correction"))
        self.change = bool(fields.get("change"))
        self.superseded = False
        self.vector_row = b""


class BufferedMessage:
    """A message's place in the raw log and its terms."""

    __slots__ = ("at", "begin", "end", "message_id", "role", "session", "terms", "vector_row")

    def __init__(self, session: str, record: dict[str, "Any"]) -> None:
        self.session = session
        self.message_id = str(record["id"])
        self.role = str(record["role"])
        self.at = float(record["at"])
        self.begin = int(record["begin"])
        self.end = int(record["end"])
        self.terms: list[str] = record["terms"]
        self.vector_row = a2b_base64(record.get("vec") or "")


class Buffer:
    """One session's buffer. `injected` holds the marks of what is in the model's context window already."""

    __slots__ = ("boundary_at", "injected", "log_end", "messages", "position", "project", "session", "statements")

    def __init__(self, session: str) -> None:
        self.session = session
        self.project = ""
        self.statements: list[BufferedStatement] = []
        self.messages: list[BufferedMessage] = []
        self.injected: set[int] = set()
        self.boundary_at = 0.0
        self.position = 0
        self.log_end = 0


def message_record(appended: raw_log.Appended, role: str, text: str, at: float) -> dict[str, object]:
    """The write-ahead record of a message that was just logged; statements are captured from the user's words only."""
    statements = capture(text) if role == raw_log.USER else []
    return {
        "k": wal.MESSAGE,
        "id": appended.message_id,
        "role": role,
        "at": at,
        "begin": appended.begin,
        "end": appended.end,
        "project": appended.project,
        "terms": terms_of(text),
        "said": [
            {
                "text": statement.text,
                "family": statement.family,
                "key": statement.key,
                "scope": statement.scope,
                "confidence": statement.confidence,
                "correction": statement.is_correction,
                "change": statement.change,
            }
            for statement in statements
            if raw_log.DELETED not in statement.text
        ],
    }


def terms_of(text: str) -> list[str]:
    """The distinct terms of a message; of a very long one, those of its beginning and end."""
    if len(text) > 2 * _EDGE_CHARS:
        text = text[:_EDGE_CHARS] + "\n" + text[-_EDGE_CHARS:]
    return list(dict.fromkeys(tokenise(text)))[:MAX_TERMS]


def fold(session: str, records: list[dict[str, "Any"]], correction_window: int) -> Buffer:
    """The buffer that a session's write-ahead records amount to, in their order."""
    buffer = Buffer(session)
    known: set[str] = set()
    for record in records:
        kind = record.get("k")
        if kind == wal.MESSAGE and record["id"] not in known:
            known.add(record["id"])
            _take_message(buffer, record, correction_window)
        elif kind == wal.INJECTION:
            buffer.injected.update(record["marks"])
        elif kind == wal.BOUNDARY:
            buffer.injected.clear()
            buffer.injected.update(record.get("marks", ()))
            buffer.boundary_at = float(record["at"])
        elif kind == wal.CHECKPOINT:
            _take_checkpoint(buffer, record, correction_window)
    return buffer


def _take_message(buffer: Buffer, record: dict[str, "Any"], window: int) -> None:
    buffer.position += 1
    buffer.project = record.get("project") or buffer.project
    buffer.log_end = max(buffer.log_end, int(record["end"]))
    buffer.messages.append(BufferedMessage(buffer.session, record))
    for fields in record["said"]:
        new = BufferedStatement(buffer.session, record["id"], buffer.position, float(record["at"]), fields)
        new.vector_row = buffer.messages[-1].vector_row
        add_statement(buffer.statements, new, window)


def add_statement(statements: list[BufferedStatement], new: BufferedStatement, window: int) -> None:
    """Append a statement; an earlier one that it contradicts, or repeats, is no longer shown."""
    said = slots.statement_key(new.text)
    for old in statements:
        repeated = old.family == new.family and slots.statement_key(old.text) == said
        distance = new.position - old.position
        if repeated or slots.supersedes(new.key, new.is_correction, old.key, distance, window):
            old.superseded = True
    statements.append(new)


def checkpoint_record(buffer: Buffer) -> dict[str, object]:
    """All of a buffer that a later reader needs, so that it need not read what came before."""
    return {
        "k": wal.CHECKPOINT,
        "project": buffer.project,
        "position": buffer.position,
        "log_end": buffer.log_end,
        "boundary_at": buffer.boundary_at,
        "marks": sorted(buffer.injected),
        "said": [
            {
                "id": one.message_id,
                "position": one.position,
                "at": one.at,
                "text": one.text,
                "family": one.family,
                "key": one.key,
                "scope": one.scope,
                "confidence": one.confidence,
                "correction": one.is_correction,
                "change": one.change,
            }
            for one in buffer.statements[-_CHECKPOINT_STATEMENTS:]
            if not one.superseded
        ],
    }


def _take_checkpoint(buffer: Buffer, record: dict[str, "Any"], window: int) -> None:
    buffer.project = record["project"]
    buffer.position = record["position"]
    buffer.log_end = record["log_end"]
    buffer.boundary_at = record["boundary_at"]
    buffer.injected = set(record["marks"])
    for fields in record["said"]:
        old = BufferedStatement(buffer.session, fields["id"], fields["position"], float(fields["at"]), fields)
        add_statement(buffer.statements, old, window)


def remember(paths: "Paths", session: str, records: list[dict[str, "Any"]], correction_window: int) -> None:
    """Append to the write-ahead log; from time to time with a checkpoint, so that it need not be read whole.

    Raises OSError.
    """
    before, after = wal.append(paths, session, records)
    if after // wal.CHECKPOINT_BYTES > before // wal.CHECKPOINT_BYTES:
        folded, _ = wal.read_tail(paths.wal_file(session))
        wal.append(paths, session, [checkpoint_record(fold(session, folded, correction_window))])


def catch_up(paths: "Paths", session: str, log_end: int, correction_window: int) -> list[dict[str, "Any"]]:
    """The same as `heal`, for one who has not folded the log: from its last few records on.

    A log without records is left to the next prompt, which asks the graph what it holds already.
    """
    records, _ = wal.read_tail(paths.wal_file(session), _RECENT_BYTES)
    recent = fold(session, records, correction_window)
    return heal(paths, recent, log_end) if recent.log_end else []


def heal(paths: "Paths", buffer: Buffer, log_end: int) -> list[dict[str, "Any"]]:
    """Records for what a buffer lacks of the raw log up to `log_end`, captured anew from the log's last bytes.

    A hook that was killed between its two writes leaves the log ahead. Nothing is written here.
    """
    begin = max(buffer.log_end, log_end - wal.READ_BYTES)
    if begin >= log_end:
        return []
    known = {message.message_id for message in buffer.messages}
    healed: list[dict[str, Any]] = []
    for record in raw_log.in_force(list(raw_log.read(paths.log_file(buffer.session), begin, log_end))):
        if record.kind == "message" and record.message_id not in known and not record.fields.get("quiet"):
            appended = raw_log.Appended(record.message_id, record.begin, record.end, record.project, False)
            healed.append(message_record(appended, record.role, record.text, record.at))
    return healed


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from awhm_hooks.paths import Paths
