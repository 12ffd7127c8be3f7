"""What a match of a fact's rule must satisfy, by the name the rule gives."""

from awhm_hooks.journal.patterns.languages import Language
from awhm_hooks.journal.patterns.values import (
    Clause,
    Part,
    head_noun,
    is_code,
    is_modified,
    is_name,
    is_noun,
    is_one_of,
    lasting,
    located,
    part,
    someone_elses,
    strong,
    strong_first,
    subject_kind,
    took_part,
    tool,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match


def _fact(language: Language, clause: Clause, match: "Match[str]") -> bool:
    subject, value = part(clause, match, "s"), part(clause, match, "v")
    kind = subject_kind(language, subject)
    return bool(kind) and not someone_elses(language, subject) and lasting(language, kind, subject, value)


def _no_more(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    return _fact(language, clause, match) and value.first not in language.words["verbs"]


def _relation(language: Language, clause: Clause, match: "Match[str]") -> bool:
    subject, value = part(clause, match, "s"), part(clause, match, "v")
    kind = subject_kind(language, subject)
    head = head_noun(language, subject)
    if not kind or is_one_of(language, head, "vague") or someone_elses(language, subject):
        return False
    if head in language.words["person"] and match.re is language.patterns["has"]:
        return False
    if is_code(language, subject):
        return located(language, value) and is_modified(language, subject)
    if kind == "bare":
        lodging = clause.folded[match.end("s") : match.start("v")].split()[:1]
        person = lodging != [] and lodging[0] in language.words["lodging"] and len(subject.low) < 3
        named = is_one_of(language, head, "thing") or is_one_of(language, head, "attribute")
        return strong(language, value, 2) and (named or not person)
    if not value.low or value.first in language.words["passing"] or value.first in language.words["idle"]:
        return False
    return tool(language, value) or strong(language, value, 3)


def _relation_named(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    if value.first in language.words["article"]:
        value = value.after(1)
    return _relation(language, clause, match) and (strong(language, value, 2) or is_noun(language, value.shown[0]))


def _change(language: Language, clause: Clause, match: "Match[str]") -> bool:
    subject, value = part(clause, match, "s"), part(clause, match, "v")
    kind = subject_kind(language, subject)
    head = head_noun(language, subject)
    if not kind or not value.low or is_one_of(language, head, "vague") or value.first in language.words["passing"]:
        return False
    attribute = is_one_of(language, head, "attribute") or is_one_of(language, head, "thing")
    if is_code(language, subject):
        return False
    return strong(language, value, 3) or (attribute and tool(language, value))


def _moved(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    subject, value, old = part(clause, match, "s"), part(clause, match, "v"), part(clause, match, "old")
    personal = part(clause, match, "w").first in words["i"] or took_part(match, "bare")
    if not value.low or value.first in words["passing"] or any(low in words["pronoun"] for low in subject.low[:1]):
        return False
    if subject.low:
        head = head_noun(language, subject)
        known = any(is_one_of(language, head, name) for name in ("attribute", "thing")) or (
            any(low in words["set_by_hand"] for low in subject.low)
        )
        if is_one_of(language, head, "vague") or is_code(language, subject):
            return False
        if personal and old.low and is_code(language, old):
            return False
        if known:
            return tool(language, value) or strong(language, value, 3)
        return not personal and strong(language, value, 2)
    if value.first in words["branchy"] or (
        personal and any(char in "/\\" for word in value.shown[:2] for char in word)
    ):
        return False
    if value.first in words["vague_article"] and not old.low:
        return strong(language, value, 3) and not personal
    return tool(language, value)


def _replaced(language: Language, clause: Clause, match: "Match[str]") -> bool:
    old, value = part(clause, match, "old"), part(clause, match, "v")
    return tool(language, old, True) and tool(language, value) and old.first not in language.words["article"]


def _thing(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return tool(language, part(clause, match, "v"), True)


def _given_up(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return tool(language, part(clause, match, "v"))


def _no_longer(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "We no longer use X"; with "don't" only where "any more" or the new value follows."""
    old = part(clause, match, "old")
    stopped = bool(language.patterns["stopped"].search(clause.folded, match.start(), clause.end))
    told = stopped or match["more"] is not None or match["v"] is not None
    return told and tool(language, old)


def _use(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    personal = part(clause, match, "w").first in language.words["i"]
    if took_part(match, "plus"):
        return not personal and strong(language, value, 2)
    if personal and not is_name(language, value.shown[0] if value.shown else "") and len(value.low) > 4:
        return False
    return tool(language, value, personal)


def _done(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "We deploy to …", "we store … in …": a habit with a place, a tool or a time."""
    words = language.words
    value = part(clause, match, "v")
    if value.first in words["all"]:
        value = value.after(1)
    if not value.low or (value.first in words["pronoun"] and value.first not in words["vague_article"]):
        return False
    if value.first in words["vague_article"] or value.first in words["article"]:
        return strong(language, value.after(1), 6) and not is_one_of(language, value.low[1], "code")
    if strong(language, value, 7):
        return True
    for index, low in enumerate(value.low[:-1]):
        if low in words["preposition"] and is_noun(language, value.shown[index + 1]):
            return True
    return value.first in words["preposition"] and len(value.low) > 1 and tool(language, value.after(1))


def _decided(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    value = part(clause, match, "v")
    how = match["how"] if took_part(match, "how") else None
    rest = value
    if how in words["to"] or (how is None and value.first in words["decide"]):
        if value.first not in words["decide"]:
            return False
        rest = value.after(1)
        while rest.low and rest.first in words["preposition"]:
            rest = rest.after(1)
    elif how in words["that_way"] or "how" not in match.re.groupindex:
        return (bool(rest.low) and rest.first not in words["pronoun"]) or (
            len(rest.low) > 3 and rest.first in words["we"]
        )
    if not rest.low or (rest.first in words["pronoun"] and rest.first not in words["vague_article"]):
        return False
    if part(clause, match, "w").first in words["i"]:
        return tool(language, rest, True)
    if rest.first in words["the_deictic"] and not strong(language, rest.after(1), 5):
        kept = head_noun(language, rest.after(1)) if len(rest.low) > 1 else ""
        return bool(kept) and not any(is_one_of(language, kept, name) for name in ("code", "vague", "pronoun"))
    return rest.first not in words["passing"]


def _decided_de(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "Wir haben uns für X entschieden", "wir haben beschlossen, X zu verwenden"."""
    words = language.words
    value = part(clause, match, "v" if took_part(match, "v") else "v2")
    if (
        not value.low
        or value.first in words["passing"]
        or (value.first in words["pronoun"] and value.first not in words["vague_article"])
    ):
        return False
    if value.first in words["this"]:
        return False
    return any(is_noun(language, shown) for shown in value.shown)


def _led_use(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """Verb before subject is a statement only after a lead-in ("Seit Mai nutzen wir X"), else a question."""
    return clause.led and tool(language, part(clause, match, "v"))


def _led_done(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return clause.led and _done(language, clause, match)


def _led_relation(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return clause.led and _relation(language, clause, match)


def _led_fact(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return clause.led and _fact(language, clause, match)


def _as_our(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "We use Postgres as our database"; "for" only with a slot that holds one value at a time ("for CI")."""
    words = language.words
    value, slot = part(clause, match, "v"), part(clause, match, "s")
    if not slot.low or not tool(language, value, part(clause, match, "w").first in words["i"]):
        return False
    if took_part(match, "for"):
        return len(slot.low) <= 2 and slot.low[-1] in words["single"]
    head = head_noun(language, slot.after(1))
    return is_one_of(language, head, "attribute") or is_one_of(language, head, "thing")


def _name(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    return (0 < len(value.low) <= 4 and is_name(language, value.shown[0])) or _capital(value)


def _capital(value: Part) -> bool:
    return 0 < len(value.low) <= 4 and value.shown[0][:1].isupper()


def _proper_name(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "I'm Alice": capitals as in a name, and no capitals all over."""
    words = language.words
    value = part(clause, match, "v")
    if any(low in words["passing"] or low in words["function"] or low in words["calendar"] for low in value.low):
        return False
    return all(shown.istitle() for shown in value.shown)


def _place(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    value = part(clause, match, "v")
    if not value.low or value.first in words["pronoun"] or value.first in words["article"]:
        return False
    lower = clause.shown[clause.start : clause.end].islower()
    return value.shown[0][:1].isupper() or (lower and len(value.low) <= 3 and value.first not in words["function"])


def _employer(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    value = part(clause, match, "v")
    if not value.low or (value.first in words["pronoun"] and value.first not in words["mine"]):
        return False
    if value.first in words["article"]:
        if took_part(match, "joined"):
            return False
        if words["workplace"]:
            return any(low in words["workplace"] for low in value.low[1:4])
        return not any(low in words["vague"] for low in value.low[1:3])
    return is_noun(language, value.shown[0]) or (
        clause.shown[clause.start : clause.end].islower() and len(value.low) < 4
    )


def _role(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    value = part(clause, match, "v")
    if not value.low or any(low in words["not_role"] for low in value.low[:2]):
        return False
    return any(low in words["role"] or low.endswith(language.ends["role_ends"]) for low in value.low[:5])


def _owner(language: Language, clause: Clause, match: "Match[str]") -> bool:
    subject, value = part(clause, match, "s"), part(clause, match, "v")
    if subject_kind(language, subject) != "bare" or len(subject.low) > 2 or len(value.low) < 2:
        return False
    return value.first in language.words["article"] and not is_code(language, value)


def _have(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "We have a monorepo with 14 packages"; not "we have a problem", "we have 3 failing tests"."""
    words = language.words
    value = part(clause, match, "v")
    if any(any(low in words[name] for name in ("passing", "vague", "code")) for low in value.low[:4]):
        return False
    return any(is_one_of(language, low, name) for low in value.low[:4] for name in ("thing", "attribute"))


def _in_charge(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    return len(value.low) > 1 and value.first not in language.words["pronoun"] and not is_code(language, value)


def _who_we_are(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    value = part(clause, match, "v")
    return any(low in words["workplace_of_us"] or low in words["role"] for low in value.low[:5])


def _correcting(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """The new value of a bare correction: "No, it's Python 3.11"."""
    words = language.words
    value = part(clause, match, "v")
    if not clause.marker or not value.low or value.first in words["passing"]:
        return False
    if any(is_one_of(language, low, "vague") or is_one_of(language, low, "code") for low in value.low[:6]):
        return False
    rest = value
    while rest.low and rest.first in words["preposition"]:
        rest = rest.after(1)
    if rest.low and rest.first in words["article"]:
        return any(is_one_of(language, low, name) for low in rest.low[1:4] for name in ("attribute", "thing"))
    return strong_first(language, rest) or (bool(rest.low) and is_noun(language, rest.shown[0]))


def _meant(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    restated = any(word in clause.marker for word in language.words["restating"])
    return restated and len(value.low) <= 8 and _correcting(language, clause, match)


FACT_CHECKS: "dict[str, Callable[[Language, Clause, Match[str]], bool]]" = {
    "fact": _fact,
    "no_more": _no_more,
    "relation": _relation,
    "relation_named": _relation_named,
    "given_up": _given_up,
    "change": _change,
    "moved": _moved,
    "replaced": _replaced,
    "thing": _thing,
    "no_longer": _no_longer,
    "use": _use,
    "done": _done,
    "decided": _decided,
    "decided_de": _decided_de,
    "led_use": _led_use,
    "led_done": _led_done,
    "led_relation": _led_relation,
    "led_fact": _led_fact,
    "as_our": _as_our,
    "name": _name,
    "proper_name": _proper_name,
    "place": _place,
    "employer": _employer,
    "role": _role,
    "owner": _owner,
    "have": _have,
    "in_charge": _in_charge,
    "who_we_are": _who_we_are,
    "correcting": _correcting,
    "meant": _meant,
}
