"""Whether what follows a naming word is a secret: by the kind of name, the link between, and the value's look."""

from awhm_hooks import regexes
from awhm_hooks.journal.secret_words import (
    ALLOWED_SUFFIXES,
    CODE_ROOTS,
    KEY_QUALIFIERS,
    OTHER_KEYS,
    OTHER_SUFFIXES,
    OTHER_TOKENS,
    PASSWORD_NAMES,
    PHRASE_BREAKS,
    PLACEHOLDERS,
    SECRET_ENDINGS,
    SECRET_NAMES,
    STATE_ENDINGS,
    STATES,
    TECHNICAL,
    WEAK_NAMES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

MASK = "[redacted:"

_PLACEHOLDER_STARTS = (
    "your",
    "my-",
    "my_",
    "example",
    "insert",
    "replace",
    "changeme",
    "change-me",
    "change_me",
    "dummy",
    "fake",
)
_REFERENCE_STARTS = (
    *("!vault", "!Ref", "!Sub", "!GetAtt", "op://", "vault:", "secretref:", "arn:", "keychain:", "env:", "file:"),
    *("(", "{", "[", "|", ">", "&", ":"),
)
_SECRET_PARTS = ("password", "passwd", "token", "secret", "pwd", "passwort", "contraseña")
_LENGTH_ENDINGS = ("-bit", "-byte", "-character", "-char", "+")

_SOURCES = {
    "phrase": r"(?P<value>[^\W\d_]+(?:[ -][^\W\d_]+){1,24})(?=[ \t]*(?:$|[\n.,;!?)\"']))",
    "ends": r"[ \t]*(?:$|[\n,;.!?)\]}\"'`|*&#]|-{1,2}\w|[\w.-]{1,40}[ \t]?[=:]"
    r"|(?:and|y|e|und|or|for|on|at|but|so|para|en|für|please|thanks)\b)",
    "ends_loosely": r"[ \t]*(?:to|in|with|when|from|via|works?|fails?|does|is|was|zu|mit|con)\b",
    "variable": r"\$\{|\$\(|\$[A-Za-z_]\w*$|\$env:|%\w+%|\{\{|<[^>]*>?|@\{|#\{|\{\w*\}",
    "code": r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*[!?]?[\[(]",
    "dotted": r"(?P<root>[A-Za-z_][\w-]*)(?:(?:\.|::|->)[A-Za-z_][\w-]*)+$",
    "path": r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@ -]{1,40}[/\\])*[\w.@-]{0,40}$|[\w.-]{1,30}/[\w./-]*\.\w{1,5}$",
    "key": r"[A-Za-z0-9+/=_.~-]+$",
    "uuid": r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$",
    "hidden": r"(.)\1{2,}$|[x*•.…_-]+$",
    "colour": r"#(?:[0-9A-Fa-f]{3,4}){1,2}$",
    "call": r".*[\w.]\([^()]*$",
}


class Find:
    """A naming word, how it is tied to what follows, and the value that follows."""

    __slots__ = (
        "end",
        "given",
        "kind",
        "known_tail",
        "link",
        "name",
        "name_start",
        "quoted",
        "spaced",
        "start",
        "text",
        "value",
    )

    def __init__(self, text: str, name: str, name_start: int, kind: str, known_tail: bool, link: str) -> None:
        self.text = text
        self.name = name
        self.name_start = name_start
        self.kind = kind
        self.known_tail = known_tail
        self.link = link
        self.spaced = self.quoted = False
        self.given = True
        self.value = ""
        self.start = self.end = 0


def _patterns() -> "dict[str, Pattern[str]]":
    return regexes.group("redact_values", _SOURCES)


# --- the name ------------------------------------------------------------------------------------------------------


def kind_of(name: str, word_before: str) -> tuple[str, bool]:
    """What a name names, and whether nothing unknown follows within it.

    password, pass, secret, weak (the value must look random), pin, phrase; "" for no secret.
    """
    segments = _segments(name)
    for index in range(len(segments) - 1, -1, -1):
        kind = _segment_kind(segments[index], [word_before, *segments[:index]])
        if kind:
            if OTHER_SUFFIXES.intersection(segments[index + 1 :]):
                return "", False
            return kind, all(word in ALLOWED_SUFFIXES or word.isdecimal() for word in segments[index + 1 :])
    return "", False


def _segments(name: str) -> list[str]:
    """dbPassword_2 -> db, password, 2."""
    words: list[str] = []
    before = ""
    for char in name:
        if not char.isalnum():
            before = ""
            continue
        new_hump = char.isupper() and before.islower()
        if before and char.isdecimal() == before.isdecimal() and not new_hump:
            words[-1] += char
        else:
            words.append(char)
        before = char
    return [word.lower() for word in words]


def _segment_kind(word: str, before: list[str]) -> str:
    if word in PASSWORD_NAMES or word.endswith(("password", "passwd", "passphrase", "passwort")):
        return "password"
    if word in ("key", "keys"):
        issued = word == "key" and before[-1] in KEY_QUALIFIERS
        return "" if before[-1] in OTHER_KEYS else "secret" if issued else "weak"
    if word in SECRET_NAMES or word.endswith(SECRET_ENDINGS):
        return "" if any(other in OTHER_TOKENS for other in before) else "secret"
    if word == "mnemonic" or (word == "phrase" and before[-1] in ("seed", "recovery", "backup", "mnemonic")):
        return "phrase"
    if word in ("pass", "pw"):
        return "password" if len(before) > 1 else "pass"
    return "weak" if word in WEAK_NAMES else "pin" if word == "pin" else ""


# --- the value -----------------------------------------------------------------------------------------------------


def is_secret(find: Find) -> bool:
    """True for a real-looking secret; a passphrase of several words widens the find's end."""
    value, kind = find.value, find.kind
    if _is_placeholder(value) or _is_reference(find):
        return False
    if kind == "phrase" or (kind == "password" and "phrase" in find.name.lower() and not find.quoted):
        taken = _take_phrase(find)
        if taken or kind == "phrase":
            return taken
    if kind == "pin":
        linked = find.link != "blank" or " " in find.name
        return linked and value.isdecimal() and 4 <= len(value) <= 8 and _ends(find)
    if kind == "weak" or not find.known_tail:
        return _is_random(value, 3) and len(value) >= 16
    if find.link == "below":
        return len(value) >= 6 and _is_random(value, 1) and _ends(find)
    if kind == "pass":
        word = find.link == "equals" and not find.spaced and value.isalpha() and _is_password_word(find)
        return word or (len(value) >= 6 and _has_digit_and_letter(value) and not _is_technical(value))
    return _is_password(find) if kind == "password" else _is_token(find)


def is_plain_secret(value: str) -> bool:
    """True for a word of letters and digits that is no reference, address or technical term."""
    return (
        _has_digit_and_letter(value)
        and value[0] not in "[<$%{("
        and "(" not in value
        and "/" not in value
        and not _is_technical(value)
    )


def _is_placeholder(value: str) -> bool:
    lower = value.lower().strip("\"'`*_-!.?()")
    if len(value) < 3 or lower in PLACEHOLDERS or _patterns()["hidden"].match(value.lower()):
        return True
    if lower.startswith(_PLACEHOLDER_STARTS):
        return lower.startswith("your") or not any(map(str.isdecimal, value))
    bracketed = value.startswith("[") and value.endswith("]")
    if bracketed or "..." in value[:8] or "****" in value or "%s" in value:
        return True
    return "xxxx" in lower or "placeholder" in lower


def _is_reference(find: Find) -> bool:
    """True for a variable, a call, an attribute, a path, an address: where the secret is, not what it is."""
    value, patterns = find.value, _patterns()
    if patterns["variable"].match(value) or "${{" in value or "://" in value[:20] or patterns["colour"].match(value):
        return True
    if patterns["path"].match(value) and not _is_base64(value):
        return True
    if find.quoted:
        return "{" in value and "}" in value and not any(map(str.isdecimal, value))
    if value.startswith(_REFERENCE_STARTS) or patterns["code"].match(value):
        return True
    tuple_part = find.link == "equals" and find.text.endswith(", ", 0, find.name_start) and _is_identifier(value)
    dotted = patterns["dotted"].match(value)
    if dotted is None:
        return tuple_part
    root = dotted["root"].lower()
    return root in CODE_ROOTS or root in TECHNICAL or not any(map(str.isdecimal, value))


def _is_password(find: Find) -> bool:
    value, link = find.value, find.link
    is_flag = find.name.startswith("-")
    if value.isdecimal():
        return len(value) >= 4 and link != "blank" and _ends(find)
    if value.isalpha():
        return _is_password_word(find)
    if find.quoted:
        in_env = link == "equals" and find.name.isupper()
        return len(value) >= 4 and (in_env or not _is_prose(value))
    if len(value) < 4 or _is_technical(value):
        return False
    if link == "blank" and not is_flag:
        return find.given and len(value) >= 6 and _has_digit_and_letter(value) and _ends(find, loosely=True)
    if link in ("is", "to", "blank"):
        return _is_mixed(value)
    if _is_identifier(value) and link == "equals" and not find.name.isupper():
        return any(map(str.isdecimal, value)) and not _names_a_secret(value)
    words_only = value.replace("-", "").replace("_", "").isalpha()
    return not (link == "colon" and words_only and _names_a_secret(value))


def _is_password_word(find: Find) -> bool:
    """A password of letters alone: told from a word of prose, a type and a variable by what it is and what follows."""
    value, link = find.value, find.link
    lower = value.lower()
    is_flag = find.name.startswith("-")
    if (
        len(value) < 4
        or lower in STATES
        or link == "to"
        or (link == "blank" and not is_flag and not (find.quoted and find.given))
    ):
        return False
    if find.quoted or (link == "equals" and find.name.isupper()):
        return lower != find.name.replace("_", "").lower()
    odd_case = value[1:] != lower[1:] and not value.isupper()
    tight = link == "equals" and not find.spaced
    if odd_case:
        no_variable = tight and value[0].isupper() and not _names_a_secret(value) and not _in_call(find)
        return link == "is" or no_variable
    if _names_a_secret(value):
        return tight and len(value) > 8
    if link == "equals":
        return not _in_call(find) and _ends(find)
    if link == "colon" and not find.spaced and find.text[find.start - 1] == ":":
        return False
    if lower.isascii() and lower.endswith(STATE_ENDINGS):
        return False
    return _ends(find)


def _is_token(find: Find) -> bool:
    value, link = find.value, find.link
    env_style = find.name.isupper() and link == "equals" and not find.spaced
    if link == "to" or len(value) < 6 or (find.quoted and " " in value) or _is_technical(value):
        return False
    if value.isdecimal():
        return len(value) >= 8 and link in ("equals", "colon", "is") and _ends(find)
    if value.isalpha():
        return value.lower() not in STATES and (env_style or len(value) >= 32 or _is_token_word(find))
    if link == "blank" and not find.name.startswith("-"):
        return len(value) >= (10 if find.given else 20) and _is_random(value, 3)
    if _is_identifier(value) and link == "equals" and not find.quoted and (find.spaced or _in_call(find)):
        digits_at_end = len(value) - len(value.rstrip("0123456789"))
        return _has_digit_and_letter(value) and (digits_at_end > 3 or (len(value) >= 12 and _is_random(value, 3)))
    if not _has_digit_and_letter(value):
        if env_style:
            return len(value) >= 8 and not _is_prose(value)
        return len(value) >= 20 and not _is_prose(value) and not _is_identifier(value.replace("-", "_"))
    names_an_object = find.name.lower() == "secret" and link == "colon" and _is_slug(value)
    return not names_an_object and "(" not in value


def _is_token_word(find: Find) -> bool:
    """A token of letters alone needs quotes or a bare "=", and the shorter it is, a fuller name ("client_secret")."""
    value = find.value
    if find.link not in ("equals", "colon", "typed") or (not find.quoted and (find.link != "equals" or find.spaced)):
        return False
    odd_case = value[1:] != value[1:].lower() and not value.isupper()
    full_name = len(_segments(find.name)) > 1
    if find.quoted:
        return len(value) >= (8 if full_name else 10 if odd_case else 12)
    return full_name and len(value) >= 10 and not odd_case and not _in_call(find) and _ends(find)


def _in_call(find: Find) -> bool:
    """Whether the name is an argument's: `login(user, password=entered)`."""
    line = find.text[max(0, find.name_start - 200) : find.name_start].rpartition("\n")[2]
    return _patterns()["call"].match(line) is not None


def _is_prose(value: str) -> bool:
    words = value.lower().split()
    return len(words) > 1 and any(word in PHRASE_BREAKS for word in words)


def _is_identifier(value: str) -> bool:
    return value.replace(".", "_").isidentifier()


def _names_a_secret(value: str) -> bool:
    return any(map(value.lower().__contains__, _SECRET_PARTS))


def _is_technical(value: str) -> bool:
    lower = value.lower().strip("()[].,")
    return lower in TECHNICAL or lower.partition("-")[0] in TECHNICAL or lower.endswith(_LENGTH_ENDINGS)


def _is_slug(value: str) -> bool:
    return all(part.isalpha() or len(part) <= 2 for part in value.split("-"))


def _has_digit_and_letter(value: str) -> bool:
    return any(map(str.isdecimal, value)) and any(map(str.isalpha, value))


def _is_mixed(value: str) -> bool:
    has_sign = any(char.isdecimal() or char in "!@#$%^&*?+=~" for char in value)
    return len(value) >= 4 and any(map(str.isalpha, value)) and has_sign


def _is_random(value: str, min_turns: int) -> bool:
    """Letters and digits take turns, as they do in a key and not in a name with a number behind it."""
    if not _has_digit_and_letter(value) or _is_technical(value) or "=" in value.rstrip("="):
        return False
    if _patterns()["uuid"].match(value) or not _patterns()["key"].match(value):
        return False
    solid = [char.isdecimal() for char in value if char.isalnum()]
    turns = sum(solid[index] != solid[index - 1] for index in range(1, len(solid)))
    return turns >= min_turns


def _is_base64(value: str) -> bool:
    """True for a long run of base64 that reads as a path because of its slashes."""
    odd_case = any(part[1:] != part[1:].lower() and part[1:] != part[1:].upper() for part in value.split("/"))
    return len(value) >= 32 and odd_case and _has_digit_and_letter(value) and "." not in value


def _ends(find: Find, loosely: bool = False) -> bool:
    """Whether the clause ends behind the value, or goes on (loosely) as it does behind a thing's name."""
    if _patterns()["ends"].match(find.text, find.end) is not None:
        return True
    return loosely and _patterns()["ends_loosely"].match(find.text, find.end) is not None


def _take_phrase(find: Find) -> bool:
    match = _patterns()["phrase"].match(find.text, find.start)
    words = match["value"].lower().replace("-", " ").split() if match else []
    if match is None or any(word in PHRASE_BREAKS for word in words) or (find.kind == "phrase" and len(words) < 6):
        return False
    if len(words) == 2 and (words[0] in STATES or words[1] in STATES or words[0].endswith(STATE_ENDINGS)):
        return False
    find.start, find.end = match.span("value")
    return True
