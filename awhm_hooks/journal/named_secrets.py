"""Secrets that a word beside them gives away: "password=…", "my password is …", `--token …`, "la contraseña es …".

Here a naming word, its link to what follows, and the value are found; secret_values.py decides whether the value is a
secret or a word of prose, a type, a reference, a placeholder.
"""

from awhm_hooks import regexes
from awhm_hooks.journal import secret_values
from awhm_hooks.journal.secret_values import MASK, Find
from awhm_hooks.journal.secret_words import BEFORE_TO_PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern

_CORE = (
    r"(?:pass(?:words?|wd|phrases?|wort|code)?|pwd|psw|pw|kennwort|contrase[nñ]a|clave|senha|mot de passe"
    r"|密码|密碼|パスワード|пароль|secret|token|key|auth|cred(?:ential)?s?|pin(?: code| number)?|phrase|mnemonic)"
)
# Where such words can begin, sought by `str.find`: as a pattern it cost 700 ns a character.
_CORE_STARTS = (
    *("pass", "pwd", "psw", "pw", "secret", "token", "key", "auth", "cred", "pin", "phrase", "mnemonic"),
    *("kennwort", "contrase", "clave", "senha", "mot de passe", "密码", "密碼", "パスワード", "пароль"),
)
_TAIL = r"(?P<tail>[A-Za-z0-9_.-]{0,40}+)"
_OF = r"(?:for|of|on|to|in|at|de|del|para|en|für|von|vom|zum|zur|im|pour|du|do|da)"
_IS = r"(?:is|was|are|es|era|ist|lautet|est|é|è)(?:[ \t](?:now|still|just|currently|set to|ahora|jetzt|nun))?"
_NEXT_PAIR = r"[,;&](?!\s|$|[A-Za-z_][\w .-]{0,40}[=:])"

_NAME_CHARS = 60
_NAME_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_BARE_CHARS = 100

_SOURCES = {
    "named": rf"(?i){_CORE}{_TAIL}(?P<shut>\\?[\"'`\])*_]{{0,3}})(?:[ \t]?\([^()\n]{{0,40}}\))?"
    r"(?:(?P<typed>[ \t]{0,3}:[ \t]{0,3}[&*]?[A-Za-z][\w.\[\]|?&<>']{0,40}[ \t]{0,3}=(?!=)[ \t]{0,3})"
    r"|(?P<equals>[ \t]{0,4}(?::=|=>|={1,3})[ \t]{0,4})"
    r"|(?P<colon>[ \t]{0,4}[:：][*_]{0,2}[ \t]{0,4})"
    rf"|(?P<is>(?:[ \t]{{1,3}}{_IS}|'s)[ \t]{{0,3}}:?[ \t]{{1,3}}|[ \t]?(?:是|为|は)[ \t]?)"
    r"|(?P<to>[ \t]{1,3}(?:to|a|auf|in|zu)[ \t]{1,3})"
    r"|(?P<blank>[ \t]{1,3}))",
    "qualified": rf"(?i){_CORE}{_TAIL}[ \t]{_OF}[ \t](?:[^\n.;:=!?]|\.(?=\S)){{1,60}}?"
    rf"(?:(?P<is>[ \t]{_IS}[ \t]{{0,3}}:?[ \t]{{1,3}})|(?P<colon>[ \t]{{0,3}}[:=][ \t]{{1,3}}))",
    "reversed": r"(?i)(?<![^\s\"'`(])(?P<value>[^\s\"'`]{6,120})[\"'`]?[ \t]{1,3}(?:is|as|es|ist|als|como)[ \t]{1,3}"
    r"(?:(?:my|the|our|your|his|her|its|la|mi|el|das|mein|dein|unser)[ \t]{1,3})?(?:[\w-]{1,20}[ \t]){0,2}?"
    r"(?P<name>password|passphrase|passcode|token|secret|(?:api|access|secret)[ -]key"
    r"|contraseña|clave|passwort|kennwort)"
    r"(?=[ \t]*(?:$|[\n.,;!?)]|(?:for|on|in|to|of|and|at|de|del|para|für|von|und|y)\b))",
    "changed": r"(?i)(?P<name>password|passphrase|passcode|contraseña|passwort)[ \t]"
    r"(?:(?:for|of|on|de|für)[ \t][^\n.;:]{1,40}?[ \t])?(?:from|de|von)[ \t](?P<old>[^\s\"'`]{2,120})"
    r"[ \t](?:to|a|auf|zu)[ \t](?P<new>[^\s\"'`]{4,120})",
    "quoted": r"(?:[bBrRuUfF@$]{0,2})(?P<quote>\\?[\"'`]|\*{1,3}(?=[^\s*]))"
    r"(?P<value>(?:(?!(?P=quote))(?:\\.|[^\n])){1,500})(?P=quote)",
    "curly": r"[“„‘«](?P<value>[^\n”“’»]{1,300})[”“’»]",
    "bare": rf"[*\"'`]{{0,3}}(?P<value>(?:[^\s\"'`,;&]|{_NEXT_PAIR}){{1,{_BARE_CHARS}}})",
    "rest": rf"(?:[^\s\"'`,;&]|{_NEXT_PAIR})*+",
    "query": r"[^\s\"'`&#;]{1,5000}",
}
_LINKS = ("typed", "equals", "colon", "is", "to", "blank")
_SETTING_VERBS = ("set", "chang", "reset", "updat", "rotat", "switch", "cambi", "änder", "setz")
_GIVING_WORDS = (" with ", " bearer ", " use", " using", " login ", " user", " my ", " the ", " and ", " mit ", " con ")
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}


def redact(text: str) -> str:
    """The text with each named secret's value replaced by `[redacted:kind]`, the kind being the naming word's."""
    patterns = regexes.group("redact_named", _SOURCES)
    pieces: list[str] = []
    reached = 0
    for start in _core_starts(text):
        find = _find(patterns, text, start) if start >= reached else None
        if find is not None:
            pieces += [text[reached : find.start], _mask(find.name, find.kind)]
            reached = find.end
    text = "".join([*pieces, text[reached:]]) if pieces else text
    text = patterns["changed"].sub(_changed, text)
    return patterns["reversed"].sub(_reversed, text)


def _core_starts(text: str) -> list[int]:
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join([char.lower() if len(char.lower()) == 1 else char for char in text])
    starts = set()
    for core in _CORE_STARTS:
        start = lower.find(core)
        while start >= 0:
            starts.add(start)
            start = lower.find(core, start + 1)
    return sorted(starts)


def _find(patterns: "dict[str, Pattern[str]]", text: str, start: int) -> Find | None:
    """The secret that the naming word at `start` gives away, told directly or with an "of …" between."""
    for label in ("named", "qualified"):
        match = patterns[label].match(text, start)
        if match is not None and label == "qualified" and _is_to_pass(text, match):
            return None
        find = _read(patterns, text, match) if match is not None else None
        if find is not None and secret_values.is_secret(find):
            _take_rest(patterns, find)
            return find
    return None


def _is_to_pass(text: str, match: "Match[str]") -> bool:
    """As in "the tests only pass on the runner (label: …)"."""
    return match[0][:5].lower() == "pass " and _word_before(text, match.start()) in BEFORE_TO_PASS


def _read(patterns: "dict[str, Pattern[str]]", text: str, match: "Match[str]") -> Find | None:
    name_start = _name_start(text, match.start())
    name = text[name_start : match.end("tail")]
    if name.endswith(".") or text.endswith(MASK, 0, name_start):
        return None
    groups = match.groupdict()
    link = next(label for label in _LINKS if groups.get(label) is not None)
    kind, known_tail = secret_values.kind_of(name.lstrip("-."), _word_before(text, name_start))
    given = link not in ("to", "blank") or _may_stand_bare(text, name_start, name, link)
    if not kind or (link == "to" and not given):
        return None
    find = Find(text, name, name_start, kind, known_tail, link)
    find.given = given
    find.spaced = groups[link][:1].isspace()
    return find if _read_value(patterns, find, match.end()) else None


def _name_start(text: str, start: int) -> int:
    stop = max(0, start - _NAME_CHARS)
    while start > stop and text[start - 1] in _NAME_SIGNS:
        start -= 1
    return start


def _word_before(text: str, start: int) -> str:
    if text[start - 1 : start] not in (" ", "\t"):
        return ""
    words = text[max(0, start - 24) : start].lower().split()
    return words[-1].strip("\"'`*(") if words else ""


def _may_stand_bare(text: str, start: int, name: str, link: str) -> bool:
    """Whether a value may follow with no sign: a flag, "log in with password …", "set the password to …"."""
    if link == "blank" and name.startswith("-"):
        return True
    before = " " + text[max(0, start - _NAME_CHARS) : start].rpartition("\n")[2].lower()
    if link == "blank":
        return not before.strip() or any(map(before.__contains__, _GIVING_WORDS))
    line = before + text[start : start + 2 * _NAME_CHARS].partition("\n")[0].lower()
    return any(map(line.__contains__, _SETTING_VERBS))


def _read_value(patterns: "dict[str, Pattern[str]]", find: Find, at: int) -> bool:
    text = find.text
    if find.link == "colon" and text.startswith("\n", at):
        at += 1
        while text.startswith((" ", "\t"), at) and at < find.name_start + 120:
            at += 1
        find.link = "below"
    if text.startswith((MASK, "''", '""'), at) or text.startswith(MASK, at + 1):
        return False
    in_query = find.link == "equals" and text[find.name_start - 1 : find.name_start] in ("?", "&")
    match = None if in_query else patterns["quoted"].match(text, at) or patterns["curly"].match(text, at)
    find.quoted = match is not None
    if in_query and (query := patterns["query"].match(text, at)) is not None:
        find.start, find.end = query.span()
    elif (match := match or patterns["bare"].match(text, at)) is not None:
        find.start, find.end = match.span("value")
        if not find.quoted:
            signs = ".,;:)]}>*" if find.kind == "password" else ".,;:)]}>*!?"
            find.end = _bare_end(text, find.start, find.end, signs)
    find.value = text[find.start : find.end]
    return find.value != "" and not find.value.startswith(MASK)


def _take_rest(patterns: "dict[str, Pattern[str]]", find: Find) -> None:
    """A value is judged by its first characters: else a text without blanks would be read anew for each name in it."""
    if not find.quoted and find.end - find.start >= _BARE_CHARS:
        rest = patterns["rest"].match(find.text, find.end)
        find.end = rest.end() if rest is not None else find.end


def _bare_end(text: str, start: int, end: int, signs: str) -> int:
    if end - start >= _BARE_CHARS:
        return end
    while end > start and text[end - 1] in signs:
        opening = _BRACKETS.get(text[end - 1])
        if opening and text.find(opening, start, end) >= 0:
            break
        end -= 1
    return end


def _mask(name: str, kind: str) -> str:
    lower = name.lower()
    if kind in ("password", "pass") or "pass" in lower or lower == "contraseña":
        return f"{MASK}password]"
    for word in ("token", "secret", "pin", "key"):
        if word in lower:
            return f"{MASK}{word}]"
    return f"{MASK}{'seed-phrase' if kind == 'phrase' else 'credential'}]"


def _changed(match: "Match[str]") -> str:
    """Both values of "changed the password from … to …"."""
    changed = match[0]
    for value in (match["old"], match["new"]):
        word = value.rstrip(".,;:)]")
        if secret_values.is_plain_secret(word) and MASK not in word:
            changed = changed.replace(f" {word}", " " + _mask(match["name"], "secret"), 1)
    return changed


def _reversed(match: "Match[str]") -> str:
    value = match["value"].strip("*")
    if not secret_values.is_plain_secret(value) or MASK in value:
        return match[0]
    kind = "password" if match["name"].lower() in ("clave", "kennwort") else "secret"
    return match[0].replace(value, _mask(match["name"], kind), 1)
