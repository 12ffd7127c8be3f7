"""Dates in what people say: validity windows, the day of a change, and the moment of a time-travel question.

All of them are read from where the speaker stood: relative to the message's own moment and in its own zone. A date
without a time is its local midnight. When in doubt there is no date.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum, auto

from awhm_hooks.consolidate.date_phrases import Kind, Phrase, Span, find, match
from awhm_hooks.errors import UsageError

TICK = timedelta(microseconds=1)
SECOND = timedelta(seconds=1)
MAX_STATEMENT_CHARS = 2_000


class _Lean(Enum):
    """Which of several possible years or weeks a marker means."""

    PAST = auto()
    FUTURE = auto()
    NEAREST = auto()


@dataclass(frozen=True, slots=True)
class _Marker:
    opens: bool
    lean: _Lean = _Lean.FUTURE
    inclusive: bool = False
    day_first: bool = False


_MARKERS = {
    "since": _Marker(True, _Lean.PAST),
    "from": _Marker(True, _Lean.NEAREST),
    "starting": _Marker(True, _Lean.NEAREST),
    "beginning": _Marker(True, _Lean.NEAREST),
    "effective": _Marker(True, _Lean.NEAREST),
    "as of": _Marker(True, _Lean.NEAREST),
    "until": _Marker(False),
    "till": _Marker(False),
    "up to": _Marker(False),
    "ending": _Marker(False),
    "up to and including": _Marker(False, inclusive=True),
    "through": _Marker(False, inclusive=True),
    "desde": _Marker(True, _Lean.NEAREST, day_first=True),
    "a partir de": _Marker(True, _Lean.NEAREST, day_first=True),
    "a partir del": _Marker(True, _Lean.NEAREST, day_first=True),
    "hasta": _Marker(False, day_first=True),
    "seit": _Marker(True, _Lean.PAST, day_first=True),
    "ab": _Marker(True, _Lean.NEAREST, day_first=True),
    "von": _Marker(True, _Lean.NEAREST, day_first=True),
    "vom": _Marker(True, _Lean.NEAREST, day_first=True),
    "bis": _Marker(False, day_first=True),
    "bis einschließlich": _Marker(False, inclusive=True, day_first=True),
}
_RANGE_END = _Marker(False, inclusive=True)
_FILLERS = r"(?:(?:on|in|at|from|the|with|el|la|al|dem|den|der|zum|zur)\s+){0,2}"
_MARKER = re.compile(
    rf"(?i)(?<![\w./-])(?P<word>{'|'.join(sorted(_MARKERS, key=len, reverse=True)).replace(' ', '[ ]+')})\s+"
)
_FILLED = re.compile(rf"(?i){_FILLERS}")
_RANGE = re.compile(rf"(?i)\s*(?:\b(?:to|a)\s+|al\s+|[-–—]\s*){_FILLERS}")
# "von Juni" is a person's name unless the window goes on.
_GOES_ON = re.compile(r"(?i)\s+(?:bis|an)\b")
_POSSESSIVE = re.compile(r"['’]s\b")
# "Since Friday is a holiday": a reason, not a date.
_REASON = re.compile(r"(?i)\s+(?:is|was|are|were|will|has|had|can|does)\b")
# "The dump from 2026-02-20", "a mail from April": where something comes from.
_ORIGIN = re.compile(
    r"(?i)\b(?:dump|export|import|backup|snapshot|screenshot|report|logs?|messages?|e?mails?|reviews?|comments?|feedback"
    r"|notes?|tickets?|issues?|data|numbers|figures|results?|version|build|release|commits?|branch|articles?|papers?|book"
    r"|cop(?:y|ies)|files?|invoices?|meeting|call|thread|entr(?:y|ies)|rows?|ones?|code|heard|got|received|com(?:es?|ing)|came|back|home|returned|away)"
    r"\s+(?:is\s+|was\s+)?$"
)
# "We moved the launch from March 3 to March 9": a date that changed, not a window.
_RESCHEDULED = re.compile(
    r"(?i)\b(?:(?:mov(?:e|ed|es|ing)|chang|shift|postpon|push|reschedul|migrat|upgrad|updat|switch|bump|renam|delay|slipp"
    r"|resiz|increas|rais|reduc|verschob|verschieb|änder|wechsel|movimos|movió|cambi|aplaz)\w*"
    r"|went|go|goes|going|pasa|pasó|pasamos)\b[^.;!?\n]*$"
)
_WAS = re.compile(
    r"(?i)\b(?:was|were|had|used|ran|lived|worked|stayed|kept|war|waren|hatten?|wurden?|lief|galt"
    r"|era|eran|fue|fueron|estaba|estuvo|tenía|vivía|trabajaba)\b"
)
_IS = re.compile(r"(?i)\b(?:is|are|will|stays?|remains?|ist|sind|wird|bleib\w*|es|son|está|están|será|sigue)\b")
_CLAUSE_END = re.compile(r"[,;!?\n]|\.(?:\s|$)")
_CHANGED = re.compile(
    r"(?i)\b(?:moved|switched|migrated|changed|replaced|renamed|upgraded|updated|downgraded|bumped|adopted|dropped"
    r"|started|stopped|began|joined|left|became|set|rotated|relocated|converted|ported|went\s+live|cut\s+over|merged"
    r"|introduced|retired|deprecated|removed|decided|agreed|chose|picked|raised|lowered|increased|reduced|split"
    r"|movimos|moví|movió|cambiamos|cambié|cambió|migramos|migré|migró|pasamos|pasé|pasó|reemplazamos|reemplazó"
    r"|actualizamos|actualicé|renombramos|empezamos|empecé|dejamos|dejé|(?:hemos|he|ha|han)\s+(?:movido|cambiado|migrado|pasado"
    r"|reemplazado|actualizado|renombrado|empezado|dejado)"
    r"|umgezogen|verschoben|gewechselt|umgestellt|geändert|ersetzt|umbenannt|aktualisiert|migriert|eingeführt|entfernt"
    r"|angefangen|aufgehört|umgestiegen|eingestiegen|ausgestiegen|abgelöst|ausgetauscht|erhöht|gesenkt|angehoben|verlegt"
    r"|verlängert|verkürzt|portiert|abgeschafft|eingestellt|beschlossen|entschieden|festgelegt|ausgewichen|stiegen|lösten"
    r"|wechselten?|änderten?|migrierten?|zogen|stellten)\b"
)
# "We have not moved", "it will be moved on Monday", "if we had moved".
_NOT_DONE = re.compile(
    r"(?i)\b(?:not|never|no|nunca|nicht|nie|will|shall|should|would|could|must|can|may|might|going\s+to|if|falls|wenn|si"
    r"|wird|werden|soll\w*|muss|müssen|kann)\b|n['’]t\b"
)
_SENTENCE_END = re.compile(r"(?<=[.;!?])(?<!\d\.)\s+|\n+")  # "am 5. Februar" is one sentence
_BEFORE_DAY = re.compile(r"(?i)(?:^|[,:(–—-]|\b(?:on|in|at|am|im|el|en|during|back|early|late|the))\s*$")
_BOUND = re.compile(
    r"(?i)\b(?:since|from|until|till|by|before|after|for|of|than|through|to|ab|seit|bis|von|vom|für|desde|hasta|para|de|del"
    r"|antes\s+de|después\s+de)\s+(?:the\s+|el\s+|la\s+|dem\s+|den\s+)?$"
)


def validity(text: str, said_at: datetime) -> tuple[datetime | None, datetime | None]:
    """(valid_from, valid_to) that the statement names, aware; None where it does not.

    "until Friday" ends as Friday begins; "through Friday" and "to Friday" end with the last microsecond of it. A window
    that ends before it begins takes the next year that fits, or counts as not said.
    """
    text = text[:MAX_STATEMENT_CHARS]
    opening: tuple[_Marker, Phrase] | None = None
    closing: tuple[_Marker, Phrase] | None = None
    for found in _MARKER.finditer(text):
        marker = _MARKERS[" ".join(found["word"].lower().split())]
        if (opening if marker.opens else closing) is not None:
            continue
        phrase = _after(found, text, said_at, marker)
        if phrase is None:
            continue
        if not marker.opens:
            closing = (marker, phrase)
            continue
        end = _range_end(text, phrase, said_at, marker.day_first)
        if not _opens_a_window(text, found, phrase, end):
            continue
        opening = (marker, phrase)
        closing = (_RANGE_END, end) if end is not None else closing
    return _window(opening, closing, said_at, was=closing is not None and _tells_of_the_past(text, closing[1]))


def window(text: str, said_at: datetime, tells_a_change: bool) -> tuple[float | None, float | None]:
    """From when to when a statement holds, in epoch seconds: from when it was said, where it does not tell.

    "It was v1 until January" holds from an unknown day on, None; what has no end holds until None.
    """
    begin, end = validity(text, said_at)
    if begin is None and tells_a_change:
        begin = mentioned(text, said_at)
    valid_to = end.timestamp() if end else None
    if begin is not None:
        return begin.timestamp(), valid_to
    return (None if valid_to is not None and valid_to <= said_at.timestamp() else said_at.timestamp()), valid_to


def mentioned(text: str, said_at: datetime) -> datetime | None:
    """The past day, week, month or year (its first midnight, aware) on which the statement says that something changed.

    "Yesterday we moved the API endpoint" names one; "the deploy on 2026-02-20 went fine" does not, and neither does a
    stretch that is not over ("today we moved"): the message's own time is closer.
    """
    local = said_at.replace(tzinfo=None)
    for sentence in _SENTENCE_END.split(text[:MAX_STATEMENT_CHARS]):
        change = _CHANGED.search(sentence)
        if change is None or _NOT_DONE.search(sentence, 0, change.end()):
            continue
        days = [
            (min(abs(phrase.start - change.end()), abs(change.start() - phrase.stop)), span.start)
            for phrase in find(sentence, said_at)
            if _dates_a_change(sentence, phrase, said_at)
            and (span := _latest_past(phrase.spans, local))
            and span.end <= local
        ]
        if days:
            return _at(min(days)[1], said_at)
    return None


def parse_moment(text: str, now: datetime) -> datetime:
    """The moment that `--as-of` names: an ISO time as it is, a day or longer at its last second, or now while it lasts.

    Raises UsageError for what is no date.
    """
    if text.strip().lower() in ("now", "jetzt", "ahora"):
        return now
    span = _named_span(text, now)
    if span.start == span.end:
        return _at(span.start, now)
    start, end = _at(span.start, now), _at(span.end, now)
    return now if start <= now < end else end - SECOND


def parse_range(text: str, now: datetime) -> tuple[datetime, datetime]:
    """The stretch [start, end) that a day, week, month or year names; a second for an ISO time. Raises UsageError."""
    span = _named_span(text, now)
    return _at(span.start, now), _at(max(span.end, span.start + SECOND), now)


def _after(found: "re.Match[str]", text: str, said_at: datetime, marker: _Marker) -> Phrase | None:
    """The date phrase right after a marker, fillers such as "on the" passed over."""
    phrase = match(text, found.end(), said_at, marker.day_first)
    if phrase is None:
        filled = _FILLED.match(text, found.end())
        phrase = match(text, filled.end(), said_at, marker.day_first) if filled else None
    if phrase is None:
        return None
    word, before = found["word"].lower(), text[: found.start()]
    if word in ("from", "through") and (_POSSESSIVE.match(text, phrase.stop) or _ORIGIN.search(before)):
        return None
    if word == "since" and _REASON.match(text, phrase.stop):
        return None
    if word == "up to" and phrase.kind is Kind.YEAR:
        return None
    return phrase


def _opens_a_window(text: str, found: "re.Match[str]", phrase: Phrase, end: Phrase | None) -> bool:
    if end is not None:
        return _RESCHEDULED.search(text, 0, found.start()) is None
    if found["word"].lower() in ("von", "vom"):
        return _GOES_ON.match(text, phrase.stop) is not None
    return phrase.kind is not Kind.YEAR or _RANGE.match(text, phrase.stop) is None  # not "from 2000 to 2048 MB"


def _range_end(text: str, opening: Phrase, said_at: datetime, day_first: bool = False) -> Phrase | None:
    """The second date of "from X to Y"."""
    joint = _RANGE.match(text, opening.stop)
    return match(text, joint.end(), said_at, day_first) if joint else None


def _tells_of_the_past(text: str, closing: Phrase) -> bool:
    """Whether the clause around the end of a window is in the past tense: "the endpoint was v1 until May"."""
    begin = max((found.end() for found in _CLAUSE_END.finditer(text, 0, closing.start)), default=0)
    end = _CLAUSE_END.search(text, closing.stop)
    clause = text[begin : end.start() if end else len(text)]
    return _WAS.search(clause) is not None and _IS.search(clause) is None


def _end_of(span: Span, marker: _Marker) -> datetime:
    return span.end - TICK if (marker.inclusive or span.closing) and span.end > span.start else span.start


def _window(
    opening: tuple[_Marker, Phrase] | None, closing: tuple[_Marker, Phrase] | None, said_at: datetime, was: bool
) -> tuple[datetime | None, datetime | None]:
    local = said_at.replace(tzinfo=None)
    starts = [span.start for span in opening[1].spans] if opening else []
    ends = [_end_of(span, closing[0]) for span in closing[1].spans] if closing else []
    if opening and closing:
        pairs = [(start, end) for start in starts if (end := next((e for e in ends if e > start), None)) is not None]
        chosen = _pair(pairs, local, was)
        return (None, None) if chosen is None else (_at(chosen[0], said_at), _at(chosen[1], said_at))
    if opening:
        return _at(_start(opening, local), said_at), None
    if closing:
        past = [end for end in ends if end <= local]
        future = [end for end in ends if end > local]
        return None, _at(past[-1] if past and (was or not future) else future[0], said_at)
    return None, None


def _pair(pairs: list[tuple[datetime, datetime]], local: datetime, was: bool) -> tuple[datetime, datetime] | None:
    """The window that is on, else the next one; the last one where the statement tells of the past."""
    over = [pair for pair in pairs if pair[1] <= local]
    running = [pair for pair in pairs if pair[0] <= local < pair[1]]
    ahead = [pair for pair in pairs if pair[0] > local]
    ranked = [over[-1:], running[-1:], ahead[:1]] if was else [running[-1:], ahead[:1], over[-1:]]
    return next((group[0] for group in ranked if group), None)


def _start(opening: tuple[_Marker, Phrase], local: datetime) -> datetime:
    marker, phrase = opening
    spans = phrase.spans
    if marker.lean is _Lean.PAST:
        return (_latest_past(spans, local) or spans[0]).start
    if phrase.kind is Kind.WEEKDAY:
        return next((span for span in spans if span.end > local), spans[-1]).start
    return min(spans, key=lambda span: abs(span.start - local)).start


def _latest_past(spans: tuple[Span, ...], local: datetime) -> Span | None:
    return next((span for span in reversed(spans) if span.start <= local), None)


def _dates_a_change(sentence: str, phrase: Phrase, said_at: datetime) -> bool:
    before = sentence[: phrase.start]
    if _BOUND.search(before) or _POSSESSIVE.match(sentence, phrase.stop):
        return False
    if _range_end(sentence, phrase, said_at) is not None:
        return False
    return phrase.kind is Kind.RELATIVE or _BEFORE_DAY.search(before) is not None


def _named_span(text: str, now: datetime) -> Span:
    """The stretch that the whole text names, the latest that has begun where several do. Raises UsageError."""
    stripped = text.strip()
    for position in (0, _leading(stripped)):
        phrase = match(stripped, position, now)
        if phrase is not None and phrase.stop == len(stripped):
            return _latest_past(phrase.spans, now.replace(tzinfo=None)) or phrase.spans[0]
    raise UsageError(
        f"{stripped[:60]!r} is no date; write 2026-02-22, 2026-02-22T14:00+01:00, 'March 2026', yesterday"
        " or 'last Friday'"
    )


def _leading(text: str) -> int:
    filled = _FILLED.match(text)
    return filled.end() if filled else 0


def _at(local: datetime, like: datetime) -> datetime:
    """The local time in the zone of `like`.

    `datetime.now().astimezone()` carries only the offset of that day; where it is the machine's own, the machine's zone
    decides, so that midnight is right on the other side of a clock change too.
    """
    zone = like.tzinfo
    if isinstance(zone, timezone) and zone is not UTC and like.astimezone().utcoffset() == like.utcoffset():
        return local.astimezone()
    return local.replace(tzinfo=zone)
