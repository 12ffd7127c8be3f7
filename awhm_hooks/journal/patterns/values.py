"""Is it a lasting statement? What a rule's groups must look like before the rule counts.

A pattern finds the shape ("X is Y"); these checks tell "the endpoint is https://…" from "the endpoint is broken".
When in doubt the answer is no: the message itself stays recallable.
"""

from awhm_hooks.journal.patterns.languages import Language
from awhm_hooks.journal.patterns.sentences import CODE, QUOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_EDGES = ".,;:!?()\"'…¿¡*_"
_NO_VERBS = (
    "passing",
    "function",
    "determiner",
    "article",
    "pronoun",
    "preposition",
    "number",
    "attribute",
    "code",
    "vague",
    "happening",
    "calendar",
    "no_verb",
)
_MAX_VALUE_WORDS = 14
_MAX_SUBJECT_WORDS = 8


class Clause:
    """The stretch being judged: the text with stand-ins, the folded text, its bounds, and what led up to it."""

    __slots__ = ("conditional", "end", "folded", "led", "marker", "placed", "shown", "standing", "start")

    def __init__(self, shown: str, folded: str, start: int, end: int) -> None:
        self.shown = shown
        self.folded = folded
        self.start = start
        self.end = end
        self.marker = ""
        self.standing = ""
        self.placed = False
        self.led = False
        self.conditional = ""


class Part:
    """The words of one group, folded and as shown."""

    __slots__ = ("low", "shown")

    def __init__(self, low: list[str], shown: list[str]) -> None:
        self.low = low
        self.shown = shown

    @property
    def first(self) -> str:
        return self.low[0] if self.low else ""

    def after(self, count: int) -> "Part":
        return Part(self.low[count:], self.shown[count:])


def words_of(text: str) -> list[str]:
    return [word for word in (raw.strip(_EDGES) for raw in text.split()) if word]


def part(clause: Clause, match: "Match[str]", group: str) -> Part:
    """The group's words; none where the rule has no such group or it did not take part."""
    if not took_part(match, group):
        return Part([], [])
    span = match.span(group)
    return Part(words_of(clause.folded[span[0] : span[1]]), words_of(clause.shown[span[0] : span[1]]))


def took_part(match: "Match[str]", group: str) -> bool:
    return group in match.re.groupindex and match.span(group)[0] >= 0


def is_name(language: Language, word: str) -> bool:
    """Whether the word, as written, looks like a name, number, address, path or identifier."""
    if not word:
        return False
    for index, char in enumerate(word):
        if char.isdigit() or char in (CODE, QUOTE) or (char in "_/@:\\" and len(word) > 1):
            return True
        if char.isupper() and (index > 0 or (not language.capital_nouns and word not in ("I", "I'm", "I'd", "I've"))):
            return True
        if char == "." and 0 < index < len(word) - 1:
            return True
    return False


def is_noun(language: Language, word: str) -> bool:
    return is_name(language, word) or (language.capital_nouns and word[:1].isupper())


def strong(language: Language, value: Part, within: int = 3) -> bool:
    """A name-like word among the first ones; weekdays, months and counting words count too."""
    words = language.words
    for low, shown in zip(value.low[:within], value.shown[:within], strict=True):
        if is_name(language, shown) or low in words["calendar"] or low in words["number"]:
            return True
    return False


def strong_first(language: Language, value: Part) -> bool:
    if not value.low:
        return False
    words = language.words
    if value.first in words["attribute"] or value.first in words["thing"]:
        return strong(language, value.after(1), 1) or strong(language, value, 1)
    return strong(language, value, 1)


def head_noun(language: Language, subject: Part) -> str:
    """The noun a subject turns on: the last word before "of", "for", "that"…"""
    words = language.words
    split = words["split"]
    head = subject.first
    if words["head_first"]:
        for low in subject.low:
            if low not in words["determiner"] and low not in words["article"] and low not in words["head_first"]:
                return low
    for low in subject.low[1:]:
        if low in split:
            break
        head = low
    return head


def is_one_of(language: Language, word: str, listing: str) -> bool:
    """Whether the word, its singular, or the last member of a compound (`staging-port`) is listed."""
    listed = language.words[listing]
    if word in listed or (len(word) > 3 and word[-1] == "s" and word[:-1] in listed):
        return True
    if "-" in word or "_" in word:
        tail = word.replace("_", "-").rsplit("-", 1)[1]
        return tail in listed
    if language.capital_nouns and len(word) > 5 and word not in language.words["attribute"]:
        return any(word.endswith(noun) for noun in listed if len(noun) > 3)
    return False


def is_code(language: Language, subject: Part) -> bool:
    """Whether the head is a part of the program at hand ("the variable"); a modifier may make it a datum
    ("the build command")."""
    head = head_noun(language, subject)
    words = language.words
    ours = subject.first in words["ours"] and head.endswith("s")
    if ours or head in words["thing"] or not is_one_of(language, head, "code"):
        return _of_code(language, subject)
    bare = len(subject.low) - (subject.first in words["determiner"] or subject.first in words["article"])
    return bare < 2 or not is_one_of(language, head, "attribute")


def _of_code(language: Language, subject: Part) -> bool:
    """ "The name of the variable": a datum's name, but of a part of the program."""
    split = language.words["split"]
    tail = next((subject.low[index + 1 :] for index, low in enumerate(subject.low) if low in split), [])
    words = language.words
    nouns = [low for low in tail if low not in words["article"] and low not in words["determiner"]]
    return len(nouns) == 1 and is_one_of(language, nouns[0], "code")


def subject_kind(language: Language, subject: Part) -> str:
    """ "definite", "bare" (a name without article), or "" where the words can be no subject of a fact."""
    words = language.words
    low = subject.low
    if not low or len(low) > _MAX_SUBJECT_WORDS or any(word in words["subordinate"] for word in low):
        return ""
    first = low[0]
    if any(word.endswith("'s") and is_one_of(language, word[:-2], "code") for word in low):
        return ""
    if first in words["determiner"]:
        return "definite" if len(low) > 1 else ""
    if first in words["this"]:
        return "definite" if any(is_one_of(language, word, "project") for word in low[1:]) else ""
    if first in words["function"] or len(low) > 4:
        return ""
    if first in words["verbs"] and len(low) == 1 and first not in words["attribute"] and first not in words["thing"]:
        return ""
    return "bare"


def is_order(language: Language, verb: str) -> bool:
    """Whether a word is a form of a verb that people order: listed as it is, or stem and ending are."""
    words = language.words
    if verb in words["verbs"] or verb in words["stems"]:
        return True
    endings = language.ends["verb_endings_ends"]
    return any(verb.endswith(ending) and verb[: -len(ending)] in words["stems"] for ending in endings)


def may_be_order(language: Language, verb: str) -> bool:
    """An unlisted word that nothing shows to be anything but a verb in its base form (English only)."""
    words, no_verb = language.words, language.ends["no_verb_ends"]
    if not no_verb or not verb.isalpha() or len(verb) < 3:
        return False
    if any(verb in words[name] for name in _NO_VERBS):
        return False
    return not verb.endswith(no_verb)


def someone_elses(language: Language, subject: Part) -> bool:
    """A taste that belongs to somebody who is not the writer: "my colleague's favourite editor"."""
    low = subject.low
    tastes = language.words["taste"]
    if not any(word in tastes for word in low):
        return False
    return low[0] not in language.words["mine"] or any(word.endswith("'s") for word in low)


def _is_adjective(language: Language, word: str, shown: str) -> bool:
    if word in language.words["passing"]:
        return True
    if is_name(language, shown):
        return False
    return "-" not in word and word.endswith(language.ends["adjective_ends"]) and len(word) > 4


def noun_phrase(language: Language, value: Part, attribute: bool) -> bool:
    """An article and what follows: the head noun is no "mess", no word of it an opinion."""
    words = language.words
    head = ""
    for low, shown in zip(value.low[1:7], value.shown[1:7], strict=True):
        if low in words["split"] or low in words["subordinate"]:
            break
        if low in words["passing"] and not is_name(language, shown):
            return False
        head = low
        if words["head_first"]:
            break
    if not head or is_one_of(language, head, "vague"):
        return False
    if is_one_of(language, head, "code"):
        return attribute or is_one_of(language, head, "attribute") or strong(language, value, 6)
    if value.first in words["vague_article"] and not attribute:
        return (
            strong(language, value, 6) or is_one_of(language, head, "attribute") or is_one_of(language, head, "thing")
        )
    return True


def tool(language: Language, value: Part, personal: bool = False) -> bool:
    """Something one uses or moves to: a product, a technique, a name; not "it", "the helper", "a loop"."""
    words = language.words
    first = value.first
    if not first or (first in words["pronoun"] and first not in words["vague_article"]):
        return False
    if first in words["vague_article"]:
        if personal and first not in words["mine"]:
            return False
        return strong(language, value.after(1), 4) and not is_one_of(language, value.low[-1], "code")
    if first in words["article"]:
        if personal or len(value.low) < 2:
            return False
        return not any(low in words["snippet"] for low in value.low[1:4]) and noun_phrase(language, value, True)
    if is_name(language, value.shown[0]):
        return True
    if first in words["passing"] or first in words["preposition"] or first in words["snippet"]:
        return False
    if first in words["function"] and first not in words["number"] and first not in words["calendar"]:
        return False
    return not (personal and any(low in words["pronoun"] for low in value.low))


def lasting(language: Language, kind: str, subject: Part, value: Part) -> bool:
    """Whether "subject is value" is a datum and not a passing state."""
    words = language.words
    head = head_noun(language, subject)
    if not value.low or is_one_of(language, head, "vague") or head in words["pronoun"] or head in words["secret"]:
        return False
    first = value.first
    attribute = is_one_of(language, head, "attribute") or any(low in words["set_by_hand"] for low in subject.low)
    if first in words["passing"] and not strong_name(language, value):
        tasted = any(low in words["taste"] for low in subject.low)
        return tasted and first not in words["negation"] and len(value.low) > 1
    if is_code(language, subject):
        return located(language, value) and is_modified(language, subject)
    thing = is_one_of(language, head, "thing")
    ours = subject.first in words["ours"]
    if kind == "definite" and not (attribute or thing or ours) and len(subject.low) == 2:
        return located(language, value)  # "the loss is NaN": the thing at hand
    if first in words["preposition"] or (kind == "definite" and _is_participle(language, value)):
        known = kind == "definite" or attribute or thing
        return _placed(language, value, attribute) and (known or _named_soon(language, value))
    if kind == "bare":
        return _bare_is(language, value, attribute)
    if first in words["article"]:
        known = attribute or ours or thing or strong(language, value, 6)
        return known and noun_phrase(language, value, attribute)
    if attribute:
        return _datum(language, value)
    if strong_first(language, value):
        return True
    return thing and len(value.low) <= 3 and _datum(language, value)


def strong_name(language: Language, value: Part) -> bool:
    """A first word that is only a passing state in lower case: "Slow" the product, `null` in code marks."""
    shown = value.shown[0]
    return is_name(language, shown) and not shown[:1].isalpha()


def located(language: Language, value: Part) -> bool:
    """Whether the value is a path, an address or a piece of code."""
    rest = value
    while rest.low and rest.first in language.words["preposition"]:
        rest = rest.after(1)
    return bool(rest.shown) and any(char in "/\\" + CODE for char in rest.shown[0])


def is_modified(language: Language, subject: Part) -> bool:
    """Whether more than the bare noun names the subject: "the build command", "die Trainingsdaten"."""
    article = subject.first in language.words["determiner"]
    compound = language.capital_nouns and subject.low[-1] not in language.words["code"]
    return compound or len(subject.low) > 1 + article


def _is_participle(language: Language, value: Part) -> bool:
    if len(value.low) < 3 or value.low[1] not in language.words["preposition"]:
        return False
    return value.first.endswith(language.ends["participle_ends"])


def _placed(language: Language, value: Part, attribute: bool) -> bool:
    rest = value.after(1)
    while rest.low and rest.first in language.words["preposition"]:
        rest = rest.after(1)
    if not rest.low or rest.first in language.words["idle"]:
        return False
    bare = rest.after(1) if rest.first in language.words["article"] and len(rest.low) > 1 else rest
    head = head_noun(language, bare)
    if is_one_of(language, head, "code") and not attribute:
        return False
    if strong(language, rest, 4) or (attribute and rest.first not in language.words["pronoun"]):
        return True
    if is_noun(language, rest.shown[0]) and not is_one_of(language, rest.first, "vague"):
        return True
    return bare is not rest and any(is_one_of(language, head, name) for name in ("attribute", "thing"))


def _named_soon(language: Language, value: Part) -> bool:
    return any(is_name(language, shown) for shown in value.shown[1:4])


def _bare_is(language: Language, value: Part, attribute: bool) -> bool:
    """For a subject without article: "Sentry is our error tracker", "staging is at https://…", "Deadline is March 5"."""
    words = language.words
    if value.first in words["ours"]:
        return noun_phrase(language, value, True)
    if value.first in words["article"]:
        named = is_one_of(language, head_noun(language, value.after(1)), "attribute") if len(value.low) > 1 else False
        return value.first in words["the"] and (named or (attribute and strong(language, value.after(1), 2)))
    return attribute and (strong_first(language, value) or (len(value.low) <= 3 and _datum(language, value)))


def _datum(language: Language, value: Part) -> bool:
    words = language.words
    first = value.first
    if len(value.low) > _MAX_VALUE_WORDS and not strong(language, value, 2):
        return False
    if first in words["function"] and first not in words["number"] and first not in words["calendar"]:
        return False
    return not _is_adjective(language, first, value.shown[0])
