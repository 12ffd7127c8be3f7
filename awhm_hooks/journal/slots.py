"""Canonical keys: which slot a statement fills, and whether a new statement supersedes an old one.

The rules are the reference's (AWHM Lite, "Contradictions: canonical keys"): the same key always supersedes; an explicit
correction supersedes the previous preference or policy of the same family a few messages back; nothing else does.
"""

from awhm_hooks.journal.patterns import languages
from awhm_hooks.journal.patterns.checks import action_of
from awhm_hooks.journal.patterns.languages import Language, Rule
from awhm_hooks.journal.patterns.sentences import fold
from awhm_hooks.journal.patterns.values import Clause, Part, head_noun, is_one_of, part, subject_kind, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

MAX_KEY_TEXT_CHARS = 2_000
_TRIMMED = " \t\r\n,.:;!?¡¿-–—"
_WINDOWED_FAMILIES = ("preference", "policy")


def canonical_key(text: str) -> str | None:
    """The slot a single statement fills, as `family:slot`; None where it names none, and so never supersedes."""
    stripped = text[:MAX_KEY_TEXT_CHARS].strip(_TRIMMED)
    folded = fold(stripped)
    known = [languages.load(code) for code in languages.spoken(languages.word_set(folded))]
    for strict in (True, False):
        for language in known:
            rule_key = _keyed(language, stripped, folded, strict)
            if rule_key is not None:
                return rule_key or None
    return None


def _keyed(language: Language, text: str, folded: str, strict: bool) -> str | None:
    """The key by the first rule that holds ("" where that rule gives none), None where no rule does."""
    from awhm_hooks.journal.patterns.reading import judge, opening

    lead = opening(language, folded, 0, len(folded))
    clause = Clause(text, folded, lead.body, len(folded))
    clause.marker, clause.standing, clause.placed = lead.marker, lead.standing, lead.placed
    clause.led = True
    if strict:
        hit = judge(language, clause, clause.end)
        return None if hit is None else key_of(language, hit[0], clause, hit[1], text) or ""
    for rule in language.rules:
        match = None if rule.general or not rule.key else language.patterns[rule.pattern].match(folded, clause.start)
        key = key_of(language, rule, clause, match, text) if match else None
        if key:
            return key
    return None


def key_of(language: Language, rule: Rule, clause: Clause, match: "Match[str]", source: str) -> str | None:
    """The key a rule's match gives; `source` is the text that the clause's offsets count in."""
    make = _MAKERS.get(rule.key)
    return make(language, clause, match, source) if make else None


def strip_correction(text: str) -> tuple[str, bool]:
    """The text without a leading correction marker ("Actually, …", "No, it's …"), and whether there was one."""
    stripped = text.strip()
    folded = fold(stripped)
    for code in languages.spoken(languages.word_set(folded)):
        patterns = languages.load(code).patterns
        marker = patterns["marker"].match(folded)
        if marker is None:
            continue
        position = marker.end()
        it = patterns["it"].match(folded, position)
        return stripped[it.end() if it else position :], True
    return stripped, False


def statement_key(text: str) -> str:
    """The statement's words for deduplication: lower case, single spaces, no correction marker, no edge punctuation."""
    return " ".join(strip_correction(text)[0].lower().split()).strip(_TRIMMED)


def supersedes(
    new_key: str | None, new_is_correction: bool, old_key: str | None, message_distance: int | None, window: int
) -> bool:
    """Whether a new statement replaces an older one. `message_distance` is None across sessions."""
    if not new_key or not old_key:
        return False
    if new_key == old_key:
        return True
    family = new_key.split(":", 1)[0]
    if not new_is_correction or family not in _WINDOWED_FAMILIES or family != old_key.split(":", 1)[0]:
        return False
    return message_distance is not None and 0 < message_distance <= window


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


if TYPE_CHECKING:
    from collections.abc import Callable

    Maker = Callable[[Language, Clause, Match[str], str], str | None]

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
