"""What a rule's match must satisfy before it counts as a statement, by the name the rule gives: preferences,
policies and outcomes here, facts in fact_checks.py."""

from awhm_hooks.journal.patterns.fact_checks import FACT_CHECKS
from awhm_hooks.journal.patterns.languages import Language
from awhm_hooks.journal.patterns.values import (
    Clause,
    head_noun,
    is_code,
    is_one_of,
    is_order,
    may_be_order,
    part,
    subject_kind,
    took_part,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match


def _needs(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    subject = part(clause, match, "s")
    if any(low in words["function"] and low not in words["generic"] for low in subject.low[:2]):
        return False
    return not is_one_of(language, head_noun(language, subject), "vague")


def _must_de(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    subject, about = part(clause, match, "s"), part(clause, match, "o")
    kind = subject_kind(language, subject)
    generic = subject.first in words["generic"]
    if not about.low or (not kind and not generic) or is_one_of(language, head_noun(language, subject), "vague"):
        return False
    modal = match["m"]
    adverb = (match["n"] or "").strip()
    needless = modal.startswith("mu") and adverb == "nicht"
    if needless or (modal not in words["must"] and adverb not in words["lasting_adverb"]):
        return False
    if modal.startswith(("durf", "duerf", "darf")) and not adverb and subject.first not in words["no"]:
        return False
    if generic or adverb or subject.first in words["codebase_nouns"]:
        return True
    return kind == "bare" and modal in words["must_all"]


def _prefer(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    about = part(clause, match, "o" if took_part(match, "o") else "o2")
    if not about.low or (about.first in words["pronoun"] and about.first not in words["article"]):
        opening = clause.folded[match.start() : match.start("o" if took_part(match, "o") else "o2")]
        return bool(about.low) and opening.rstrip().endswith(language.ends["clause_opening_ends"])
    if about.first in words["article"]:
        return len(about.low) > 1
    content = [low for low in about.low if low not in words["stop"]]
    if _is_put_off(language, about.low, content):
        return False
    if len(content) != 1:
        return len(content) > 1
    infinitive = content[0].endswith(language.ends["infinitive_ends"])
    doing = about.first in words["to_do"] or about.first in words["negation"]
    return not (infinitive and len(about.low) < 3) and not (doing and is_order(language, content[0]))


def _is_put_off(language: Language, low: list[str], content: list[str]) -> bool:
    """ "I prefer not to decide now", "to wait", "to talk about it tomorrow": of the moment, and no taste."""
    words = language.words
    is_later = low[-1] in words["later"]
    is_doing = is_later or low[0] in words["to_do"] or low[0] in words["negation"]
    if not is_doing and not low[0].endswith(language.ends["infinitive_ends"]):
        return False
    return is_later or low[-1] in words["momentary"] or (bool(content) and content[0] in words["deliberating"])


def _like(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    about = part(clause, match, "o")
    if not about.low and took_part(match, "o2"):
        about = part(clause, match, "o2")
    if not about.low or len(about.low) > 9 or (about.first in words["pronoun"] and about.first not in words["mine"]):
        return False
    mine = words["mine"]
    if about.first in words["generic_article"]:
        head = head_noun(language, about.after(1)) if len(about.low) > 1 else ""
        if about.first in words["plural_article"]:
            return head not in words["pronoun"] and not is_one_of(language, head, "vague")
        return not any(is_one_of(language, head, name) for name in ("code", "vague")) and head not in words["pronoun"]
    if about.first not in mine and (about.first in words["article"] or about.first in words["function"]):
        return False
    return not any(low in words["you"] or (low in words["pronoun"] and low not in mine) for low in about.low)


def _favourite(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    return bool(value.low) and value.first not in language.words["pronoun"]


def _act(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """A policy's verb is one that people order; "always fails", "never works" are complaints."""
    words = language.words
    verb = action_of(clause, match)
    about = part(clause, match, "o")
    if verb in words["happening"] or _tells(language, clause, match, verb):
        return False
    if not (is_order(language, verb) or (about.low and may_be_order(language, verb))):
        return _unlisted_order(language, clause, match, verb)
    return not about.low or bool(clause.conditional) or about.first not in words["act_on_this"]


def _unlisted_order(language: Language, clause: Clause, match: "Match[str]", verb: str) -> bool:
    """Forms that only an order takes: "nunca llames …" (es), an opening verb in -e (de: "Rufe nie …")."""
    if verb in language.words["function"] or verb in language.words["passing"] or not part(clause, match, "o").low:
        return False
    if match.start("a") == clause.start and verb.endswith(language.ends["opening_order_ends"]):
        return True
    return verb.endswith(language.ends["negative_order_ends"]) and len(verb) > 4


def _tells(language: Language, clause: Clause, match: "Match[str]", verb: str) -> bool:
    """ "Nunca pasa de ahí" tells what happens; an order would be "nunca pases"."""
    negated = clause.folded[match.start() : match.start("a")] if match.start("a") >= 0 else ""
    telling = verb.endswith(language.ends["telling_ends"]) and verb not in language.words["verbs"]
    return telling and any(word in language.words["never"] for word in negated.split())


def action_of(clause: Clause, match: "Match[str]") -> str:
    return part(clause, match, "a").first or part(clause, match, "a2").first


def _standing(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """An order that a lead-in makes lasting: "from now on …", "in this repo …", "Rule: …"."""
    if clause.standing == "label":
        return part(clause, match, "o").first != ""
    if not clause.standing and not clause.placed:
        return False
    verb = part(clause, match, "a").first
    if clause.standing:
        return _act(language, clause, match)
    return (verb in language.words["lasting_verbs"] or took_part(match, "not")) and _act(language, clause, match)


def _announced(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """A statement of any shape that "from now on" makes a policy: "from now on commits are in English"."""
    words = language.words
    value = part(clause, match, "v")
    if clause.standing != "time" or len(value.low) < 3:
        return False
    if any(value.first in words[name] for name in ("we", "generic", "announcing")):
        return True
    if value.first in words["i"]:
        return value.low[1] in words["demand"]
    return value.first not in words["pronoun"] and value.first not in words["function"]


def _must(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    subject, verb = part(clause, match, "s"), part(clause, match, "a").first
    first = subject.first
    generic = first in words["generic"]
    if not subject.low or ((first in words["function"] or first in words["this"]) and not generic):
        return False
    if any(low in words["subordinate"] or low in words["you"] for low in subject.low):
        return False
    verbal = is_order(language, verb) or verb.endswith(language.ends["infinitive_ends"])
    if not verbal or (not generic and is_one_of(language, head_noun(language, subject), "vague")):
        return False
    head = head_noun(language, subject)
    one = first in words["determiner_the"] and first not in words["plural_article"] and not head.endswith("s")
    firm = match["n"] is not None or took_part(match, "n2")
    if one and not firm and is_code(language, subject) and head not in words["codebase_nouns"]:
        return False
    modal = match["m"].replace(" ", "-")
    firm = firm or modal.startswith("no-")
    if modal not in words["must"] and not generic and not firm:
        return False
    if modal in words["can"] and first not in words["no"] and not firm:
        return False
    about = part(clause, match, "o")
    if verb in words["be"]:
        if not about.low or about.first in words["passing"] or about.first in words["have_been"]:
            return False
        placed = head.endswith("s") and about.first in words["preposition"]
        complete = placed or about.first.endswith(language.ends["participle_ends"]) or about.first in words["state"]
        return complete or first not in words["determiner_the"] or firm
    if first in words["determiner_the"] and verb in words["happening"]:
        return False
    return about.low[:1] != ["been"] and (first in words["determiner"] or generic or len(subject.low) <= 4)


def _allowed(language: Language, clause: Clause, match: "Match[str]") -> bool:
    subject = part(clause, match, "s")
    return subject.first not in language.words["pronoun"] and subject.first not in language.words["we"]


def _convention(language: Language, clause: Clause, match: "Match[str]") -> bool:
    about = [word for group in ("o", "o2", "o3") for word in part(clause, match, group).low]
    return len(about) > 0 and about[0] not in language.words["pronoun"] and about[0] not in language.words["passing"]


def _cause(language: Language, clause: Clause, match: "Match[str]") -> bool:
    value = part(clause, match, "v")
    if not value.low or (len(value.low) < 3 and value.low[-1] in language.words["pronoun"]):
        return False
    return value.first not in language.words["closed"]


def _turned_out(language: Language, clause: Clause, match: "Match[str]") -> bool:
    """ "It turned out that …"; "it turned out great" is praise."""
    value = part(clause, match, "v" if took_part(match, "v") else "v2")
    enough = len(value.low) > 1 or took_part(match, "v2")
    return enough and value.first not in language.words["passing"]


def _by_doing(language: Language, clause: Clause, match: "Match[str]") -> bool:
    words = language.words
    subject = part(clause, match, "s")
    first = subject.first
    if first.endswith(language.ends["gerund_ends"]) and first not in words["not_gerund"]:
        return True
    if (
        first not in words["cure_articles"]
        or len(subject.low) < 2
        or part(clause, match, "a").first not in words["cured"]
    ):
        return False
    return took_part(match, "v") or not language.ends["gerund_ends"]


def _always(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return True


def _outcome(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return not clause.conditional


def _led(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return clause.led and not clause.conditional


def _never(language: Language, clause: Clause, match: "Match[str]") -> bool:
    return False


CHECKS: "dict[str, Callable[[Language, Clause, Match[str]], bool]]" = {
    **FACT_CHECKS,
    "needs": _needs,
    "must_de": _must_de,
    "prefer": _prefer,
    "like": _like,
    "favourite": _favourite,
    "act": _act,
    "standing": _standing,
    "must": _must,
    "announced": _announced,
    "allowed": _allowed,
    "convention": _convention,
    "cause": _cause,
    "turned_out": _turned_out,
    "by_doing": _by_doing,
    "plain": _always,
    "led": _led,
    "outcome": _outcome,
    "key_only": _never,
}
