"""Phrases that name a date, in English, Spanish and German, and the stretches of local time they may mean.

A grammar decides what is a date ("March 5", "el lunes pasado", "vor zwei Wochen"; never "3", "8080" or "v1.2");
dateparser reads what the grammar found. Asked on its own it takes a port for a year and a retry count for a month,
and a call costs up to a millisecond.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

DAY = timedelta(days=1)


class Kind(Enum):
    """How a phrase is built, which decides what must stand before it."""

    MOMENT = auto()
    DAY = auto()
    MONTH = auto()
    YEAR = auto()
    WEEKDAY = auto()
    RELATIVE = auto()


@dataclass(frozen=True, slots=True)
class Span:
    """Local time without a zone, [start, end). `closing`: named by its end, as in "the end of March"."""

    start: datetime
    end: datetime
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """text[start:stop] means one of the spans, earliest first; several where the year or the week is left open."""

    start: int
    stop: int
    kind: Kind
    spans: tuple[Span, ...]


_MONTH = (
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre"
    r"|januar|jänner|februar|märz|maerz|mai|juni|juli|oktober|dezember"
)
_ABBREVIATED = r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|ene|abr|ago|dic|mrz|okt|dez)\b\.?"
_ANY_MONTH = rf"(?:(?:{_MONTH})\b|{_ABBREVIATED})"
_YEAR = r"(?:19|20)\d\d(?![.,/:–-]?\d|-\w)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?![\d:%]|[.,/–-]\d)"
_WEEKDAY = (
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?-i:Mon|Tue|Wed|Thu|Fri)"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
)
_NUMBER = {
    **dict.fromkeys(("a", "an", "one", "un", "una", "ein", "eine", "einem", "einen", "einer"), 1),
    **dict.fromkeys(("a couple of", "two", "dos", "zwei"), 2),
    **dict.fromkeys(("three", "tres", "drei"), 3),
    **dict.fromkeys(("four", "cuatro", "vier"), 4),
    **dict.fromkeys(("five", "cinco", "fünf"), 5),
    **dict.fromkeys(("six", "seis", "sechs"), 6),
    **dict.fromkeys(("seven", "siete", "sieben"), 7),
    **dict.fromkeys(("eight", "ocho", "acht"), 8),
    **dict.fromkeys(("nine", "nueve", "neun"), 9),
    **dict.fromkeys(("ten", "diez", "zehn"), 10),
}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_NUMBER, key=len, reverse=True))})\s+"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?|días?|semanas?|mes(?:es)?|años?|tage?n?|wochen?|monate?n?|jahre?n?)\b"
_BEFORE = (
    r"last|past|previous|this|next|coming|pasad[oa]|est[ea]|próxim[oa]"
    r"|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|diese[nrsm]?|nächste[nrsm]?|kommende[nrsm]?"
)
_AFTER = r"pasad[oa]|que\s+viene|próxim[oa]"
_SOME_PART = (
    r"(?:(?P<part>beginning|start|end|middle)\s+of\s+(?:the\s+)?|(?P<part_en>early|mid|late)[\s-]+"
    r"|(?P<part_de>anfang|mitte|ende)\s+(?:de[rs]\s+)?"
    r"|(?P<part_es>principios|inicios|comienzos|mediados|finales|fines|fin|final)\s+del?\s+)"
)
_PART = f"{_SOME_PART}?"
# A bare number is a year only where the sentence goes on as after a year, and not as after a quantity.
_AFTER_YEAR = (
    r"(?=\s*(?:$|[.,;:!?)–-]|(?:on|onwards?|to|until|till|through|bis|hasta|a|we|i|you|he|she|it|they|the|our|my|your|all"
    r"|everything|every|is|was|has|wir|ich|er|sie|es|der|die|das|unser\w*|mein\w*|alles|ist|gilt|war|el|la|los|las"
    r"|mi|nuestr\w+|todo|es|se|usamos|uso)\b))"
)

_KINDS: tuple[tuple[Kind, "re.Pattern[str]"], ...] = tuple(
    (kind, re.compile(rf"(?i)(?<![\w./-]){source}"))
    for kind, source in (
        (
            Kind.MOMENT,
            r"(?P<date>(?:19|20)\d\d-\d\d-\d\d)(?:T|\s+(?:at\s+)?)(?P<time>[0-2]\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)"
            r"(?P<zone>Z|[+-]\d\d:?\d\d)?(?![\w:])",
        ),
        (Kind.DAY, r"(?P<year>(?:19|20)\d\d)(?P<dash>[-/])(?P<month>\d\d)(?P=dash)(?P<day>\d\d)(?![\w/-])"),
        (Kind.DAY, r"(?P<first>\d{1,2})(?P<dash>[./])(?P<second>\d{1,2})(?P=dash)(?P<year>(?:19|20)\d\d)(?![\w/-])"),
        (Kind.DAY, rf"(?P<month>{_ANY_MONTH})\s+(?P<day>{_DAY})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>{_YEAR}))?"),
        (
            Kind.DAY,
            rf"(?P<day>{_DAY})(?:st|nd|rd|th|\.|º)?\s+(?P<of>(?:of|de)\s+)?(?P<month>{_ANY_MONTH})"
            rf"(?:,?\s+(?:del?\s+)?(?P<year>{_YEAR}))?",
        ),
        (Kind.MONTH, rf"{_PART}(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])(?![\w/:-])"),
        (Kind.MONTH, rf"{_PART}(?P<month>{_ANY_MONTH}),?\s+(?:of\s+|del?\s+)?(?P<year>{_YEAR})"),
        (Kind.MONTH, rf"{_PART}(?P<month>{_MONTH})\b(?!\s*\d)"),
        (Kind.YEAR, rf"{_PART}(?P<year>{_YEAR}){_AFTER_YEAR}"),
        (
            Kind.RELATIVE,
            rf"{_PART}(?:the\s+|la\s+|el\s+)?(?:(?P<before>{_BEFORE})\s+{_UNIT}"
            rf"|(?P<unit_es>semana|mes|año)\s+(?P<after>{_AFTER}))\b",
        ),
        (Kind.RELATIVE, rf"{_SOME_PART}(?P<running>year|month|week|jahr(?:es)?|monats?|woche|año|mes|semana)\b"),
        (
            Kind.WEEKDAY,
            rf"(?:el\s+|the\s+)?(?:(?P<before>{_BEFORE})\s+)?(?P<weekday>{_WEEKDAY})\b(?:\s+(?P<after>{_AFTER})\b)?",
        ),
        (
            Kind.RELATIVE,
            r"(?P<word>today|tonight|(?:the\s+)?day\s+before\s+yesterday|yesterday|(?:the\s+)?day\s+after\s+tomorrow"
            r"|tomorrow|last\s+night|hoy|anteayer|antier|ayer|anoche|pasado\s+mañana|mañana"
            r"|heute|vorgestern|gestern|übermorgen|morgen)\b",
        ),
        (Kind.RELATIVE, rf"{_COUNT}{_UNIT}\s+ago\b"),
        (Kind.RELATIVE, rf"(?:hace|vor)\s+{_COUNT}{_UNIT}"),
        (Kind.RELATIVE, rf"(?P<ahead>in|dentro\s+de|en)\s+{_COUNT}{_UNIT}"),
    )
)
_THE_DATE_TOO = re.compile(r"(?i),?\s+(?:the\s+|el\s+|de[nrm]\s+)?")  # "Monday, the 2nd of March"
_WORD_START = re.compile(r"(?<![\w./-])\w")
# What dateparser does not read, in words that it does.
_SAME = {
    "anoche": "yesterday",
    "last night": "yesterday",
    "antier": "anteayer",
    "pasado mañana": "in 2 days",
    "tonight": "today",
    "maerz": "märz",
    "mrz": "märz",
}
_PAST_WORDS = ("last", "past", "prev", "pasad", "letzt", "vorig", "vergang")
_THIS_WORDS = ("this", "est", "dies")
_OPENING = frozenset({"beginning", "start", "early", "anfang", "principios", "inicios", "comienzos"})
_MIDDLE = frozenset({"middle", "mid", "mitte", "mediados"})


def match(text: str, position: int, local: datetime, day_first: bool = False) -> Phrase | None:
    """The date phrase that begins at the position, seen from the (aware) local time; None where there is none.

    `day_first` reads 3/4/2026 as the third of April; otherwise such a date is understood only where it cannot be both.
    """
    for kind, pattern in _KINDS:
        found = pattern.match(text, position)
        if found is None:
            continue
        if kind is Kind.WEEKDAY and (joint := _THE_DATE_TOO.match(text, found.end())):
            dated = match(text, joint.end(), local, day_first)
            if dated is not None and dated.kind is Kind.DAY:
                return Phrase(position, dated.stop, Kind.DAY, dated.spans)
        spans = _spans(kind, found.groupdict(), local, day_first)
        if spans:
            return Phrase(position, found.end(), kind, spans)
    return None


def find(text: str, local: datetime) -> Iterator[Phrase]:
    """The date phrases of the text from left to right, none inside another."""
    position = 0
    while (start := _WORD_START.search(text, position)) is not None:
        phrase = match(text, start.start(), local)
        if phrase:
            yield phrase
        position = phrase.stop if phrase else start.start() + 1


def _spans(kind: Kind, parts: dict[str, str | None], local: datetime, day_first: bool) -> tuple[Span, ...]:
    named = {name: value.lower().rstrip(".") for name, value in parts.items() if value}
    try:
        match kind:
            case Kind.MOMENT:
                return (_moment(parts, local),)
            case Kind.DAY:
                return _days(named, local, day_first, parts.get("month") or "")
            case Kind.MONTH:
                return tuple(_part_of(named, _month(named["month"], year)) for year in _years(named, local))
            case Kind.YEAR:
                return (_part_of(named, _whole("year", datetime(int(named["year"]), 1, 1))),)
            case Kind.WEEKDAY:
                return _weekdays(named, local)
            case Kind.RELATIVE:
                return (_relative(named, local),)
    except (ValueError, OverflowError):  # the 31st of June, a month 13, a year before the first
        return ()


def _moment(parts: dict[str, str | None], local: datetime) -> Span:
    zone = parts["zone"] or ""
    moment = datetime.fromisoformat(f"{parts['date']}T{parts['time']}{zone}")
    if zone:
        moment = moment.astimezone(local.tzinfo).replace(tzinfo=None)
    return Span(moment, moment)


def _years(named: dict[str, str], local: datetime) -> list[int]:
    return [int(named["year"])] if "year" in named else [local.year + step for step in (-1, 0, 1, 2)]


def _days(named: dict[str, str], local: datetime, day_first: bool, written_month: str) -> tuple[Span, ...]:
    if "first" in named:
        return _numeric_day(named, day_first)
    if "day" in named and named["month"].isdigit():
        start = datetime(int(named["year"]), int(named["month"]), int(named["day"]))
        return (Span(start, start + DAY),)
    if written_month in ("may", "march") and not (named.get("year") or named.get("of")):
        return ()  # "after 3 may fail": a verb
    days = [_read(f"{named['day']} {named['month']} {year}", local) for year in _years(named, local)]
    return tuple(Span(day, day + DAY) for day in days if day)


def _numeric_day(named: dict[str, str], day_first: bool) -> tuple[Span, ...]:
    day, month, year = int(named["first"]), int(named["second"]), int(named["year"])
    if named["dash"] == "/" and not day_first and day != month:
        if day <= 12 and month <= 12:
            return ()
        if month > 12:
            day, month = month, day
    start = datetime(year, month, day)
    return (Span(start, start + DAY),)


def _month(name: str, year: int) -> Span:
    if name.isdigit():
        return _whole("month", datetime(year, int(name), 1))
    start = _read(f"{name} {year}", datetime(year, 1, 1))
    if start is None:
        raise ValueError(name)
    return _whole("month", start)


def _weekdays(named: dict[str, str], local: datetime) -> tuple[Span, ...]:
    modifier = named.get("before") or named.get("after") or ""
    before_today = _read(named["weekday"], local)
    if before_today is None:
        return ()
    days = [before_today + timedelta(days=7 * step) for step in (0, 1, 2)]
    if modifier.startswith(_PAST_WORDS):
        days = days[:1]
    elif modifier.startswith(_THIS_WORDS):
        days = [day for day in days if day.date() >= local.date()][:1]
    elif modifier:
        days = [day for day in days if day.date() > local.date()][:1]
    return tuple(Span(day, day + DAY) for day in days)


def _relative(named: dict[str, str], local: datetime) -> Span:
    if "word" in named:
        return _whole("day", _required(" ".join(named["word"].split()), local))
    unit = _english_unit(named.get("unit") or named.get("unit_es") or named["running"])
    if "running" in named:
        return _part_of(named, _whole(unit, local.replace(tzinfo=None)))
    if "count" in named:
        count = named["count"]
        number = int(count) if count.isdigit() else _NUMBER[" ".join(count.split())]
        return _whole("day", _required(f"in {number} {unit}s" if "ahead" in named else f"{number} {unit}s ago", local))
    modifier = named.get("before") or named["after"]
    direction = "last" if modifier.startswith(_PAST_WORDS) else "this" if modifier.startswith(_THIS_WORDS) else "next"
    return _part_of(named, _whole(unit, _required(f"{direction} {unit}", local)))


def _english_unit(unit: str) -> str:
    if unit.startswith(("d", "ta")):
        return "day"
    if unit.startswith(("w", "se")):
        return "week"
    return "month" if unit.startswith("m") else "year"


def _whole(unit: str, moment: datetime) -> Span:
    """The day, week (from Monday), month or year around the moment."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    match unit:
        case "day":
            return Span(day, day + DAY)
        case "week":
            monday = day - timedelta(days=day.weekday())
            return Span(monday, monday + 7 * DAY)
        case "month":
            first = day.replace(day=1)
            return Span(first, (first + 31 * DAY).replace(day=1))
        case _:
            first = day.replace(month=1, day=1)
            return Span(first, first.replace(year=first.year + 1))


def _part_of(named: dict[str, str], whole: Span) -> Span:
    """The beginning (its first day), the middle day or the last day, where the phrase says so."""
    part = next((named[name] for name in ("part", "part_en", "part_de", "part_es") if name in named), None)
    if part is None:
        return whole
    if part in _OPENING:
        return Span(whole.start, whole.start + DAY)
    if part in _MIDDLE:
        middle = whole.start + DAY * ((whole.end - whole.start).days // 2 - 1)
        return Span(middle, middle + DAY)
    return Span(whole.end - DAY, whole.end, closing=True)


def _required(phrase: str, local: datetime) -> datetime:
    moment = _read(phrase, local)
    if moment is None:
        raise ValueError(phrase)
    return moment


def _read(phrase: str, local: datetime) -> datetime | None:
    """dateparser's reading; a weekday is the last one before today."""
    import dateparser  # 0.1 s and, at the first phrase, 0.2 more: an ISO date never pays for it

    for ours, theirs in _SAME.items():
        phrase = re.sub(rf"\b{ours}\b", theirs, phrase)
    parsed: datetime | None = dateparser.parse(
        phrase,
        languages=["en", "es", "de"],
        settings={
            "RELATIVE_BASE": local.replace(tzinfo=None),
            "TIMEZONE": "UTC",
            "PREFER_DATES_FROM": "past",
            "PREFER_DAY_OF_MONTH": "current" if "month" in phrase else "first",
        },
    )
    return parsed
