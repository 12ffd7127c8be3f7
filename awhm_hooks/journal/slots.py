"""Canonical keys: which slot a statement fills, and whether a new statement supersedes an old one.

The rules are the reference's (AWHM Lite, "Contradictions: canonical keys"): the same key always supersedes; an explicit
correction supersedes the previous preference or policy of the same family a few messages back; nothing else does.
"""

from awhm_hooks.journal.patterns import languages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.journal.patterns.languages import Language

MAX_KEY_TEXT_CHARS = 2_000
_TRIMMED = " \t\r\n,.:;!?¡¿-–—"
_WINDOWED_FAMILIES = ("preference", "policy")

# How a correction marker begins, folded; without one of these no language's patterns are loaded to look for it.
_MARKER_OPENINGS = {
    "en": (
        "actually|no,|no.|no:|no!|no |nope|oh|sorry|oops|wait|hm|ah|yeah|well|ok|but |small corr|correct|"
        "to correct|let me correct|scratch that|my bad|my mistake|i was wrong|i was mistaken|i'm mistaken|"
        "i am mistaken|i misspoke|i meant|i actually meant|i really meant|what i meant|that's|that is|that was|"
        "this is|this was|this isn't|that isn't|you're|you are|you got|not quite|on second|wrong|edit|update"
    ),
    "es": (
        "en realidad|correccion|corrijo|rectifico|me equivoque|me he equivocado|estaba equivocad|mejor dicho|"
        "quise decir|queria decir|me referia|eso |esta mal|estas equivocado|te equivocas|no es |no,|no.|no |ah|"
        "uy|perdon|espera|bueno|vale|ups|lo siento"
    ),
    "de": (
        "eigentlich|tatsachlich|korrektur|kleine korr|berichtigung|ich habe mich|ich lag falsch|ich korrigiere|"
        "ich meinte|das ist |das stimmt|das war |stimmt|mein fehler|da liegst|du liegst|besser gesagt|"
        "genauer gesagt|vielmehr|doch nicht|nee|nein|falsch|ah|oh|ups|sorry|moment|warte|hm|ach|entschuldigung|"
        "ok|ja"
    ),
}


def canonical_key(text: str) -> str | None:
    """The slot a single statement fills, as `family:slot`; None where it names none, and so never supersedes."""
    stripped = text[:MAX_KEY_TEXT_CHARS].strip(_TRIMMED)
    folded = languages.fold(stripped)
    known = [languages.load(code) for code in languages.spoken(languages.word_set(folded))]
    for strict in (True, False):
        for language in known:
            key = _keyed(language, stripped, folded, strict)
            if key is not None:
                return key or None
    return None


def _keyed(language: "Language", text: str, folded: str, strict: bool) -> str | None:
    """The key by the rule that the text meets as a statement, "" where that rule gives none, None where none is met.
    Not strict: the key by the first rule whose pattern fits, whatever its value looks like."""
    from awhm_hooks.journal.patterns.keys import key_of
    from awhm_hooks.journal.patterns.reading import clause_at, judge, opening

    clause = clause_at(text, folded, opening(language, folded, 0, len(folded)), len(folded))
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


def strip_correction(text: str) -> tuple[str, bool]:
    """The text without a leading correction marker ("Actually, …", "No, it's …"), and whether there was one."""
    stripped = text.strip()
    folded = languages.fold(stripped)
    begin = 0
    for code, openings in _MARKER_OPENINGS.items():
        if not folded.startswith(tuple(openings.split("|"))):
            continue
        patterns = languages.load(code).patterns
        marker = patterns["marker"].match(folded)
        if marker:
            it = patterns["it"].match(folded, marker.end())
            begin = begin or marker.end()
            if it:
                begin = it.end()
                break
    return stripped[begin:], begin > 0


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
