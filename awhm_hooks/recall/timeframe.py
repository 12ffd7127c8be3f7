"""When something was said, as a question names it: "ten days ago", "last Friday", "in March".

What a question names is the day of an event, which was told on that day or soon after; so a window is as wide as people
round. English, German and Spanish.
"""

import time

from awhm_hooks.recall.intent import TIME_WORDS

_BONUS = 0.3
_DAY_S = 86_400.0
_NUMBERS = {
    name: number
    for number, names in enumerate(
        (
            "",
            "a an one ein eine einem einer un una",
            "two couple zwei dos",
            "three few drei tres",
            "four vier cuatro",
            "five fünf cinco",
            "six sechs seis",
            "seven sieben siete",
            "eight acht ocho",
            "nine neun nueve",
            "ten zehn diez",
            "eleven elf once",
            "twelve zwölf doce",
        )
    )
    for name in names.split()
}
_UNITS = {
    name: days
    for days, names in (
        (1.0, "day days tag tage tagen día días dia dias"),
        (7.0, "week weeks woche wochen semana semanas"),
        (30.44, "month months monat monate monaten mes meses"),
        (365.25, "year years jahr jahre jahren año años"),
    )
    for name in names.split()
}
_ROUNDED = {1.0: 1.0, 7.0: 4.0, 30.44: 12.0, 365.25: 60.0}  # days to either side of "n units ago"
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lunes",
            "tuesday dienstag martes",
            "wednesday mittwoch miércoles",
            "thursday donnerstag jueves",
            "friday freitag viernes",
            "saturday samstag sábado",
            "sunday sonntag domingo",
        )
    )
    for name in names.split()
}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "",
            "january januar enero",
            "february februar febrero",
            "march märz marzo",
            "april abril",
            "may mai mayo",
            "june juni junio",
            "july juli julio",
            "august agosto",
            "september septiembre",
            "october oktober octubre",
            "november noviembre",
            "december dezember diciembre",
        )
    )
    for name in names.split()
}
_LAST = frozenset("last past previous letzte letzten letzter letztes pasado pasada último última".split())
_BEFORE_MONTH = frozenset(
    "in on of during since mid early late last this im am vom seit en de del desde the mid-".split()
)
_YESTERDAY = frozenset(("yesterday", "gestern", "ayer"))
_TOLD_LATER_DAYS = 5.0  # an event of a month or a day is told soon after it


def prefer(memories: "list[Memory]", text: str, now: float) -> None:
    """Give a better score to what was said when the text says it was."""
    named = window(text, now)
    if named:
        begin, end = named
        for memory in memories:
            if begin <= memory.at <= end:
                memory.features["time"] = 1.0
                memory.score += _BONUS


def window(text: str, now: float) -> tuple[float, float] | None:
    """(begin, end) in epoch seconds of what the text names, seen from `now` on the local clock; None for nothing."""
    words = [word.strip("?.,!;:()'\"") for word in text.lower().replace("-", " ").split()]
    if TIME_WORDS.isdisjoint(words):
        return None
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        found = _ago(words, place, now) or _last(word, before, words, place, now) or _month(words, place, before, now)
        if found:
            return found
    return None


def _ago(words: list[str], place: int, now: float) -> tuple[float, float] | None:
    """ "Two weeks ago", "vor zwei Wochen", "hace dos semanas"."""
    word = words[place]
    if word in _YESTERDAY:
        begin = _midnight(now) - _DAY_S
        return begin, begin + _DAY_S
    if word in ("ago", "back") and place >= 2:
        unit, count = words[place - 1], words[place - 2]
        if count == "of" and place >= 3:  # a couple of days ago
            count = words[place - 3]
    elif word in ("vor", "hace") and place + 2 < len(words):
        count, unit = words[place + 1], words[place + 2]
    else:
        return None
    number, days = _number(count), _UNITS.get(unit)
    if not number or not days:
        return None
    middle = now - number * days * _DAY_S
    margin = _ROUNDED[days] * _DAY_S
    return middle - margin, now if "since" in words[:place] or "seit" in words[:place] else middle + margin


def _last(word: str, before: str, words: list[str], place: int, now: float) -> tuple[float, float] | None:
    """ "Last Friday", "last month", "the past three weeks"."""
    is_last = before in _LAST
    if word in _WEEKDAYS and (is_last or before in ("on", "this", "am", "el")):
        back = (time.localtime(now).tm_wday - _WEEKDAYS[word] - 1) % 7 + 1
        begin = _midnight(now - back * _DAY_S)
        return begin, begin + 1.5 * _DAY_S
    if not is_last and place >= 2 and words[place - 2] in _LAST and word in _UNITS and _number(before):
        return now - (_number(before) * _UNITS[word] + 1) * _DAY_S, now
    days = _UNITS.get(word) if is_last else None
    if not days or days == 1.0:
        return None
    return now - (days + 1 if before == "past" else 2 * days + 1) * _DAY_S, now


def _month(words: list[str], place: int, before: str, now: float) -> tuple[float, float] | None:
    """ "In March", "on March 15th", "on 15 March 2023"."""
    month = _MONTHS.get(words[place])
    after = words[place + 1] if place + 1 < len(words) else ""
    day = _day(after) or _day(before)
    if not month or not (day or before in _BEFORE_MONTH or _year(after)):
        return None
    here = time.localtime(now)
    year = _year(after) or _year(words[place + 2] if place + 2 < len(words) else "")
    if not year:
        year = here.tm_year if (month, day or 1) <= (here.tm_mon, here.tm_mday) else here.tm_year - 1
    begin = time.mktime((year, month, day or 1, 0, 0, 0, 0, 0, -1))
    if day:
        return begin, begin + (1 + _TOLD_LATER_DAYS) * _DAY_S
    return begin, time.mktime((year, month + 1, 1, 0, 0, 0, 0, 0, -1)) + 2 * _TOLD_LATER_DAYS * _DAY_S


def _number(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 4 else _NUMBERS.get(word, 0)


def _day(word: str) -> int:
    bare = word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
    return int(bare) if bare.isdecimal() and 0 < len(bare) < 3 and 0 < int(bare) < 32 else 0


def _year(word: str) -> int:
    """From 1970 on: not every platform has a clock for what was before."""
    return int(word) if len(word) == 4 and word.isdecimal() and 1970 <= int(word) < 2100 else 0


def _midnight(moment: float) -> float:
    here = time.localtime(moment)
    return time.mktime((here.tm_year, here.tm_mon, here.tm_mday, 0, 0, 0, 0, 0, -1))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.recall.memory import Memory
