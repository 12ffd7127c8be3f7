"""Completing a raw log from the client's transcript: the text that `last_assistant_message` does not hold.

The hook sees the last text block of a reply; what was said before a tool call is in the transcript alone. Hook and
transcript share no id for every case (a queued prompt has another prompt id in each), so messages are matched by role
and text, the n-th of equals to the n-th.
"""

from collections import Counter

from awhm_hooks.consolidate import transcript
from awhm_hooks.graph.writer import GraphWriter
from awhm_hooks.journal import raw_log
from awhm_hooks.journal.raw_log import Record
from awhm_hooks.paths import Paths

_CLOCK_SLACK_S = 2.0


def transcript_path(records: list[Record]) -> str | None:
    """The session's transcript, as the newest mark of the log names it."""
    for record in reversed(records):
        path = record.fields.get("transcript")
        if isinstance(path, str) and path:
            return path
    return None


def begins_at(records: list[Record]) -> float:
    """From when on a log covers its session."""
    first = records[0]
    return first.at if first.kind == raw_log.START else first.at - _CLOCK_SLACK_S


def complete(
    paths: Paths,
    writer: GraphWriter,
    session: str,
    records: list[Record],
    forgotten: "Tombstones | None" = None,
    unheard: "Unheard | None" = None,
) -> bool:
    """Append what the transcript has and the log lacks; True when something was appended. Raises OSError.

    Lines from before the log's first record are not taken: they are another session's, copied by a fork, or history
    that nobody asked to import. What was deleted is in the transcript still, and is `forgotten`; what was said while
    memory was paused is `unheard`.
    """
    path = transcript_path(records)
    if not path or not records:
        return False
    first = records[0]
    since = begins_at(records)
    unmatched = Counter((record.role, record.text) for record in records if record.kind == "message")
    ids: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.kind == "message":
            ids.setdefault((record.role, record.text), []).append(record.message_id)
    noted = {uuid for record in records for uuid in _noted_uuids(record)}
    missing: list[dict[str, object]] = []
    matched: dict[str, str] = {}
    for line in transcript.read(path):
        if isinstance(line, transcript.BadLine) or line.at < since:
            continue
        fields = _kept(forgotten, session, transcript.as_record(line, first.project))
        if fields is None:
            continue
        said = line.role, str(fields["text"])
        if unmatched[said] > 0:
            unmatched[said] -= 1
            matched[ids[said].pop(0)] = line.uuid
        elif line.uuid not in noted and not writer.knows_uuid(line.uuid) and not (unheard and unheard.holds(line)):
            missing.append(fields)
    new_uuids = {message: uuid for message, uuid in matched.items() if uuid and uuid not in noted}
    if new_uuids:
        missing.append({"kind": raw_log.TRANSCRIPT, "at": first.at, "uuids": new_uuids})
    if missing:
        raw_log.append_lines(paths, session, missing)
    return bool(missing)


def _kept(forgotten: "Tombstones | None", session: str, fields: dict[str, object]) -> dict[str, object] | None:
    """A record without what was deleted; None where all of it was."""
    return forgotten.kept_fields(session, fields) if forgotten else fields


def _noted_uuids(record: Record) -> list[str]:
    uuids = record.fields.get("uuids")
    if isinstance(uuids, dict):
        return [str(uuid) for uuid in uuids.values()]
    uuid = record.fields.get("uuid")
    return [uuid] if isinstance(uuid, str) else []


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.consolidate.tombstones import Tombstones
    from awhm_hooks.consolidate.unheard import Unheard
