"""How a rule's match becomes a canonical key: `family:slot`."""

from awhm_hooks.journal.patterns.checks import action_of
from awhm_hooks.journal.patterns.languages import Language, Rule, fold
from awhm_hooks.journal.patterns.values import Clause, Part, head_noun, is_one_of, part, subject_kind, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

    Maker = Callable[[Language, Clause, Match[str], str], str | None]


def key_of(language: Language, rule: Rule, clause: Clause, match: "Match[str]", source: str) -> str | None:
    """The key a rule's match gives; `source` is the text that the clause's offsets count in."""
    make = _MAKERS.get(rule.key)
    return make(language, clause, match, source) if make else None


def _group_text(match: "Match[str]", group: str, source: str) -> str:
    start, end = match.span(group)
    return source[start:end].lower()


def _slot(language: Language, subject: Part, words: list[str]) -> str:
    """The subject's own words, with articles that differ only in who speaks made one ("our port" is "the port")."""
    if not words:
        return ""
    head = head_noun(language, subject)
    naming = is_one_of(language, head, "attribute") or is_one_of(language, head, "thing")
    replaced = [language.articles.get(word, word) if index else word for index, word in enumerate(words)]
    replaced = [word[:-2] if word.endswith(("'s", "’s")) else word for word in replaced]
    opening_two = " ".join(words[:2])
    if opening_two in language.articles:
        return " ".join([language.articles[opening_two], *replaced[2:]]).strip()
    if naming and words[0] in language.articles and not head.endswith("s"):
        replaced[0] = language.articles[words[0]]
    return " ".join(word for word in replaced if word)


def _subject(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    subject = part(clause, match, "s")
    if not subject_kind(language, subject):
        return None
    slot = _slot(language, subject, words_of(_group_text(match, "s", source)))
    value = part(clause, match, "v")
    while value.first in language.words["preposition"] and len(value.low) > 1:
        value = value.after(1)
    port = "port" if value.first in language.words["port"] and value.low[1:2] and value.low[1][0].isdigit() else ""
    if port and not slot.endswith(port):
        slot = f"{slot} {port}"
    return f"fact:{slot}"


def _runs(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    key = _subject(language, clause, match, source)
    if key is None or key.endswith(" port"):
        return key
    relation = clause.folded[match.end("s") : match.start("v")].split()
    return key if any(word in language.words["dwelling"] for word in relation) else f"{key} runs on"


def _moved(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    subject = part(clause, match, "s")
    if not subject.low or subject.first in language.words["all"]:
        return None
    words = words_of(_group_text(match, "s", source))
    return f"fact:{_slot(language, subject, words)}"


def _as_our(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    words = words_of(_group_text(match, "s", source))
    first = fold(words[0]) if words else ""
    if first in language.articles:
        words[0] = language.articles[first]
    elif first not in language.words["article"]:
        words[:0] = language.words["the_slot"]
    return f"fact:{' '.join(word for word in words if word)}" if words else None


def _favourite(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    words = words_of(source[match.start() : match.end("s")].lower())
    return "fact:" + " ".join(language.articles.get(word, word) if index else word for index, word in enumerate(words))


def _object_word(language: Language, match: "Match[str]", source: str, group: str) -> str:
    stop = language.words["stop"]
    for word in words_of(_group_text(match, group, source).replace("`", " ")):
        if fold(word) not in stop:
            return word
    return ""


def _prefer(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    word = _object_word(language, match, source, "o" if part(clause, match, "o").low else "o2")
    return f"preference:{word}" if word else None


def _act(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    verb = language.actions.get(action_of(clause, match))
    if verb is None or not part(clause, match, "o").low:
        return None
    word = _object_word(language, match, source, "o")
    return f"policy:{verb}:{word}" if word else None


def _work(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
    opening = clause.folded[match.start() : match.start("v")].split()
    return "fact:i work at" if opening and opening[-1] in language.words["employing"] else None


def _fixed(key: str) -> "Maker":
    def make(language: Language, clause: Clause, match: "Match[str]", source: str) -> str | None:
        return key

    return make


_MAKERS: "dict[str, Maker]" = {
    "name": _fixed("fact:my name"),
    "live": _fixed("fact:i live in"),
    "zone": _fixed("fact:my timezone"),
    "work": _work,
    "subject": _subject,
    "runs": _runs,
    "moved": _moved,
    "as_our": _as_our,
    "favourite": _favourite,
    "prefer": _prefer,
    "act": _act,
}
