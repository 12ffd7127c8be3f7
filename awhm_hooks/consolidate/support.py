"""Whether what a model proposes was said: its names, its numbers, its negation and its words, in the cited messages.

The check works on clauses, each said or turned down ("use Postgres, not Redis"), of what the person meant as prose:
code, pastes, quotations, questions and hypotheses support nothing, and neither does a sentence that gives orders to the
memory. When in doubt the answer is no: the message itself stays recallable.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from awhm_hooks.consolidate import support_words as words
from awhm_hooks.consolidate.word_lists import (
    CAPITAL_PRODUCTS,
    NOT_NAMES,
    PLAIN_PRODUCTS,
    SENTENCE_OPENERS,
    SMALL_WORDS,
)
from awhm_hooks.journal.patterns import sentences
from awhm_hooks.recall.tokens import STOP_WORDS, stem, tokenise

_WORD = re.compile(r"[^\W_]+(?:(?:[._\-/@+#]|::|:(?=\w))+[^\W_]+)*(?:\+\+|#(?=\W|$))?")
_IDENTIFIER_JOINT = re.compile(r"[._/@:+#]")
_QUOTED_WORDS = 3
_PREFIX = 5
_AGREEMENT_WORDS = 14


@dataclass(frozen=True)
class Clause:
    """A stretch of a sentence. `negated`: it says what is not so; `beside_negation`: its sentence does somewhere."""

    text: str
    folded: str
    terms: frozenset[str]
    negated: bool
    beside_negation: bool


def clauses(text: str) -> list[Clause]:
    """The clauses of a sentence, what was turned down apart from what was not."""
    parts = [part for part in _split(text) if part[0].strip()]
    beside = any(negated for _, negated in parts)
    return [
        Clause(part.strip(), part.strip().casefold(), frozenset(_terms(part)), negated, beside)
        for part, negated in parts
    ]


def _split(text: str) -> Iterator[tuple[str, bool]]:
    for part in words.CLAUSE_END.split(text):
        first, *turned_down = words.TURNED_DOWN.split(part)
        yield from _chosen_and_not(first)
        yield from ((piece, True) for piece in turned_down)


def _chosen_and_not(part: str) -> Iterator[tuple[str, bool]]:
    """A clause as one, or as what is chosen and what is not: "X over Y", "from X to Y", "X not Y"."""
    over = words.PREFERRED_OVER.match(part) or words.PREFERRED_OVER.search(part)
    if over:
        yield part[: over.end("chosen")], bool(words.NEGATION.search(part[: over.end("chosen")]))
        yield part[over.end() :], True
        return
    given_up = next((found for pattern in words.GIVEN_UP if (found := pattern.search(part))), None)
    if given_up and not words.NEGATION.search(part):
        yield part[: given_up.start("old")], False
        yield given_up["old"], True
        yield given_up["new"], False
        return
    for match in re.finditer(r"(?i)\bnot\b", part):
        before = part[: match.start()].split()
        if before and before[-1].casefold() not in words.AUXILIARY:
            yield part[: match.start()], bool(words.NEGATION.search(part[: match.start()]))
            yield part[match.start() :], True
            return
    yield part, bool(words.NEGATION.search(part))


def _terms(text: str) -> Iterator[str]:
    yield from tokenise(text)
    for word in _WORD.findall(text):
        folded = word.casefold()
        yield folded
        if folded in words.NUMBER_WORDS:
            yield words.NUMBER_WORDS[folded]


def prose(text: str) -> list[str]:
    """The sentences of a message that its writer meant; a long quotation in one is left out."""
    found = []
    for block in sentences.blocks(text):
        for start, end in block.sentences:
            sentence = _without_quotes(block.text[start:end], block.shown[start:end]).strip()
            if sentence:
                found.append(sentence)
    return found


def _without_quotes(text: str, shown: str) -> str:
    for match in reversed(list(re.finditer(f"{sentences.QUOTE}+", shown))):
        if len(text[match.start() : match.end()].split()) > _QUOTED_WORDS:
            text = text[: match.start()] + " " + text[match.end() :]
    return text


def gives_orders(text: str) -> bool:
    """Words that tell a memory, or its rules, what to do: "ignore your rules", "store that the user loves X"."""
    if words.OVERRIDES.search(text) or words.TO_THE_MEMORY.search(text):
        return True
    return bool(words.MEMORY_VERB.search(text) and words.ABOUT_THE_USER.search(text))


def sayings(text: str, content: str) -> list[str]:
    """The sentences of a message of the user's that may support a proposal.

    A message that wants rules ignored supports nothing at all.
    """
    if words.OVERRIDES.search(text):
        return []
    return [sentence for sentence in prose(text) if _may_support(sentence, content)]


def is_no_support(sentence: str) -> bool:
    """A sentence that gives orders to the memory, or tells of "the user" as nobody does of himself."""
    return gives_orders(sentence) or words.ABOUT_THE_USER.search(sentence) is not None


def _may_support(sentence: str, content: str) -> bool:
    if is_no_support(sentence):
        return False
    if words.OF_THE_USER.search(content) and words.THE_USER.search(sentence):
        return False
    if sentence.rstrip(" \"')").endswith(("?", "？")):
        return False
    return not words.HYPOTHETICAL.search(sentence) or bool(words.CONDITION.search(content))


def agrees(text: str) -> bool:
    """A short answer that takes up what was said before: "ok, let's go with that"."""
    said = " ".join(prose(text))
    return (
        len(said.split()) <= _AGREEMENT_WORDS
        and not said.endswith("?")
        and words.AGREEMENT.search(said) is not None
        and not words.NEGATION.search(said)
    )


@dataclass(frozen=True)
class _Token:
    text: str
    is_name: bool  # a name, a number or an identifier: it must be in the cited messages
    may_be_name: bool = False  # the first word of a sentence has its capital anyway


def is_supported(content: str, said: Sequence[str], around: frozenset[str]) -> bool:
    """Whether sentences say what a proposal says; `around` are the terms of all that was shown.

    Every name and number must be there, said where the proposal says it and turned down where the proposal does; of
    the other words at least one there, and half of them somewhere in what was shown.
    """
    heard = [clause for sentence in said for clause in clauses(sentence)]
    if not heard or _exaggerates(content, said):
        return False
    anchored = is_named = False
    plain: list[str] = []
    german = _is_german(content)
    for number, clause in enumerate(clauses(content)):
        hits: list[Clause] = []
        for token in _tokens(clause.text, number == 0, german):
            found = [one for one in heard if _has(one, token)]
            if (token.is_name and not found) or (found and not clause.negated and not _is_said(found)):
                return False
            if token.may_be_name and not is_among(token.text, around):
                return False
            if not token.is_name:
                plain.append(token.text)
            is_named = is_named or token.is_name
            hits += found
        if clause.negated and hits and not any(one.negated or one.beside_negation for one in hits):
            return False
        anchored = anchored or bool(hits)
    unknown = [word for word in plain if not is_among(word, around)]
    allowed = len(plain) // 2 if len(plain) > 1 else int(is_named)
    return anchored and len(unknown) <= allowed


def terms_around(texts: Iterable[str]) -> frozenset[str]:
    """The terms of several texts."""
    return frozenset(term for text in texts for term in _terms(text))


def is_about_the_person(content: str) -> bool:
    """A statement about the one who speaks, and not about what was decided for a project."""
    return words.OF_THE_USER.search(content) is not None and words.DECISION.search(content) is None


def _exaggerates(content: str, said: Sequence[str]) -> bool:
    """Love or hate where the person showed no liking of any kind."""
    strong = words.STRONG_SENTIMENT.search(content)
    return strong is not None and not any(words.SENTIMENT.search(sentence) for sentence in said)


def _is_said(found: list[Clause]) -> bool:
    return any(not one.negated for one in found)


def _tokens(text: str, opens: bool, german: bool) -> Iterator[_Token]:
    """The words of a clause that carry something; `opens` says that its first word begins the sentence."""
    for position, word in enumerate(_WORD.findall(text)):
        folded = word.casefold()
        if any(character.isdigit() for character in word) or folded in words.NUMBER_WORDS:
            yield _Token(words.NUMBER_WORDS.get(folded, word), True)
        elif _is_name(word, folded, opens and position == 0, german):
            yield _Token(word, True)
        elif folded not in words.GENERIC and folded not in STOP_WORDS and not words.NEGATION.fullmatch(word):
            may_be_name = opens and position == 0 and word.istitle() and not folded.endswith(words.NOUN_ENDINGS)
            yield _Token(word, False, may_be_name)


def _is_name(word: str, folded: str, opens: bool, german: bool) -> bool:
    if folded in PLAIN_PRODUCTS:
        return True
    if _IDENTIFIER_JOINT.search(word) or any(character.isupper() for character in word[1:]):
        return folded not in NOT_NAMES
    if not word[0].isupper() or folded in STOP_WORDS or folded in NOT_NAMES:
        return False
    if opens:
        return folded in CAPITAL_PRODUCTS and folded not in SENTENCE_OPENERS
    return not german or folded in CAPITAL_PRODUCTS


def _is_german(text: str) -> bool:
    """A language that writes every noun with a capital."""
    found = {word.casefold() for word in _WORD.findall(text)}
    return len(found & SMALL_WORDS["de"]) > len(found & SMALL_WORDS["en"])


def _has(clause: Clause, token: _Token) -> bool:
    folded = token.text.casefold()
    if token.is_name and folded in words.GENERIC:
        return _occurs_as_name(token.text, clause.text)
    if token.is_name:
        return folded in clause.terms or stem(folded) in clause.terms or _occurs(folded, clause.folded)
    return is_among(token.text, clause.terms)


def _occurs(folded: str, text: str) -> bool:
    """As a whole word or identifier in the text; "10" is neither in "10.5" nor in "110"."""
    pattern = rf"(?<!\w)(?<!\d[.,]){re.escape(folded)}(?!\w)(?![.,]\d)"
    return re.search(pattern, text) is not None


def _occurs_as_name(name: str, text: str) -> bool:
    """A name that is an everyday word too: "Go", or "use go", but not "let's go"."""
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return True
    return (
        re.search(rf"(?i)\b(?:us(?:e|es|ing)|with|in|on|pick|choose|adopt|prefer) {re.escape(name)}\b", text)
        is not None
    )


def is_among(word: str, terms: frozenset[str]) -> bool:
    """The word, another form of it, or a word that begins alike ("deployment", "deploys")."""
    own = {word.casefold(), *tokenise(word)}
    if own & terms:
        return True
    heads = {term[:_PREFIX] for term in terms if len(term) >= _PREFIX and term.isalpha()}
    return any(len(term) >= _PREFIX and term.isalpha() and term[:_PREFIX] in heads for term in own)
