"""Code decides: each proposal of a model is admitted, or refused for one counted reason.

The order of the tests is that of `Reason`. Nothing here trusts the model: not the numbers it cites, not its words, not
its confidence beyond the floor, and not that what it says is new.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import dates, support
from awhm_hooks.consolidate.captured import Captured, Cosines
from awhm_hooks.consolidate.llm import LLMError
from awhm_hooks.consolidate.stage2_prompt import KINDS, Known, Piece, Shown, local_moment
from awhm_hooks.graph import model
from awhm_hooks.graph.store import USER_SCOPE
from awhm_hooks.journal import patterns, redact, slots

MAX_CONTENT_CHARS = 400
MAX_SLOT_WORDS = 8
_BACKING_MESSAGES = 6
_FAMILIES = ("fact", "preference", "policy")
_ARTICLES = frozenset(
    "the a an my our your user user's users der die das mein meine unser unsere el la los mi nuestro".split()
)


class Reason(StrEnum):
    """Why a proposal was refused."""

    SCHEMA = "not in the schema"
    UNKNOWN_MESSAGE = "cites a message that does not exist"
    BELOW_FLOOR = "below the confidence floor"
    ASSISTANT_ONLY = "cites the assistant alone"
    INSTRUCTION = "an instruction to the memory"
    UNSUPPORTED = "not supported by the cited messages"
    CAPTURED = "already captured"


@dataclass(frozen=True)
class Proposal:
    """One proposal, as the schema has it."""

    kind: str
    content: str
    slot: str | None
    confidence: float
    messages: tuple[int, ...]
    valid_from: str | None
    valid_to: str | None
    corrects: str | None


@dataclass(frozen=True)
class Admitted:
    """A proposal that will be remembered. `messages` are the ids of the person's messages that say it."""

    kind: str
    text: str
    key: str | None
    of_user: bool
    confidence: float
    messages: tuple[str, ...]
    said_at: float
    valid_from: float | None
    valid_to: float | None

    def as_fields(self) -> dict[str, Any]:
        """As the raw log keeps it."""
        return {
            "kind": self.kind,
            "text": self.text,
            "key": self.key,
            "scope": "user" if self.of_user else "project",
            "confidence": round(self.confidence, 3),
            "messages": list(self.messages),
            "said_at": self.said_at,
            "valid_from": self.valid_from,
            "valid_to": self.valid_to,
        }


@dataclass
class Verdict:
    """What became of one answer."""

    admitted: list[Admitted] = field(default_factory=list)
    refused: Counter[Reason] = field(default_factory=Counter)


def parse_answer(answer: str) -> list[Any]:
    """The proposals in a model's answer, also where prose surrounds the JSON. Raises LLMError for no such JSON."""
    for value in _values(answer):
        found = value.get("memories") if isinstance(value, dict) else value
        if isinstance(found, list):
            return found
    raise LLMError("the answer holds no list of memories")


def _values(answer: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    at = 0
    while at < len(answer):
        begin = min((found for sign in "{[" if (found := answer.find(sign, at)) >= 0), default=-1)
        if begin < 0:
            return
        try:
            value, at = decoder.raw_decode(answer, begin)
        except (ValueError, RecursionError):
            at = begin + 1
            continue
        yield value


def as_proposal(value: object) -> Proposal | None:
    """The value by the schema; None where it does not fit. What is optional may be missing."""
    if not isinstance(value, dict) or value.get("kind") not in KINDS:
        return None
    content, confidence, cited = value.get("content"), value.get("confidence"), value.get("messages")
    if not isinstance(content, str) or not isinstance(cited, list) or not cited:
        return None
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0.0 <= confidence <= 1.0:
        return None
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in cited):
        return None
    text = " ".join(redact.clean(content).split()).strip()
    if not text or len(text) > MAX_CONTENT_CHARS or math.isnan(confidence):
        return None
    optional = {name: value.get(name) for name in ("slot", "valid_from", "valid_to", "corrects")}
    texts = {name: found if isinstance(found, str) and found.strip() else None for name, found in optional.items()}
    return Proposal(value["kind"], text, confidence=float(confidence), messages=tuple(cited), **texts)


class Admission:
    """The judge of one session's proposals. `known` is what the memory holds, oldest first; it grows."""

    def __init__(
        self, known: Sequence[Known], project_scope: int, config: AWHMConfig, cosines: Cosines | None = None
    ) -> None:
        self.known = list(known)
        self._project_scope = project_scope
        self._config = config
        self._captured = Captured(self.known, config.dedup_threshold, cosines)

    def judge(self, values: Sequence[object], piece: Piece) -> Verdict:
        """Admit or refuse each proposal of an answer to a piece."""
        verdict = Verdict()
        around = support.terms_around(shown.text for shown in piece.shown)
        for value in values:
            proposal = as_proposal(value)
            reason = Reason.SCHEMA if proposal is None else self._refusal(proposal, piece, around)
            if proposal is None or reason is not None:
                verdict.refused[reason or Reason.SCHEMA] += 1
                continue
            admitted = self._admit(proposal, piece)
            verdict.admitted.append(admitted)
            self._take(admitted)
        return verdict

    def _refusal(self, proposal: Proposal, piece: Piece, around: frozenset[str]) -> Reason | None:
        if any(not 1 <= number <= len(piece.shown) for number in proposal.messages):
            return Reason.UNKNOWN_MESSAGE
        if proposal.confidence < self._config.stage2_min_confidence:
            return Reason.BELOW_FLOOR
        cited = _cited(proposal, piece)
        if not any(shown.is_users for shown in cited):
            return Reason.ASSISTANT_ONLY
        if support.gives_orders(proposal.content):
            return Reason.INSTRUCTION
        if not support.is_supported(proposal.content, _said(cited, proposal.content), around):
            spoken = [shown.text for shown in cited if shown.is_users and support.gives_orders(shown.text)]
            return Reason.INSTRUCTION if spoken else Reason.UNSUPPORTED
        if self._captured.holds(proposal.content):
            return Reason.CAPTURED
        return None

    def _admit(self, proposal: Proposal, piece: Piece) -> Admitted:
        cited = [shown for shown in _cited(proposal, piece) if shown.is_users]
        newest = cited[-1]
        corrected = self._holder(proposal.corrects) if proposal.kind != model.OUTCOME else None
        key = corrected.key if corrected else self._key(proposal)
        of_user = corrected.scope == USER_SCOPE if corrected else is_of_user(proposal)
        valid_from, valid_to = _window(proposal, cited)
        return Admitted(
            proposal.kind,
            proposal.content,
            key,
            of_user,
            proposal.confidence,
            tuple(shown.record.message_id for shown in cited),
            newest.record.at,
            valid_from,
            valid_to,
        )

    def _key(self, proposal: Proposal) -> str | None:
        """The slot that a proposal fills: a known one, else the one it names, else the one its words have by rule."""
        if proposal.kind == model.OUTCOME:
            return None
        by_rules = _statement_key(proposal.content)
        for named in (proposal.slot, by_rules):
            holder = self._holder(named)
            if holder is not None:
                return holder.key if named == by_rules or _is_about(proposal.content, holder) else None
        return slot_key(proposal.slot) or by_rules

    def _holder(self, slot: str | None) -> Known | None:
        """The known active statement that fills a slot, named by its key, by its words, or by its statement."""
        if not slot:
            return None
        keys = (slot_key(slot), slot.strip().lower())
        words, statement = _slot_words(slot), slots.statement_key(slot)
        holders = [known for known in reversed(self.known) if known.key and known.is_active]
        by_key = [known for known in holders if known.key in keys]
        by_words = [known for known in holders if words and _slot_words(known.key) == words]
        by_statement = [known for known in holders if slots.statement_key(known.text) == statement]
        return next(iter(by_key + by_words + by_statement), None)

    def _take(self, admitted: Admitted) -> None:
        scope = USER_SCOPE if admitted.of_user else self._project_scope
        new = Known(0, admitted.text, admitted.key, scope, admitted.kind, admitted.said_at)
        self.known.append(new)
        self._captured.add(new)


def _cited(proposal: Proposal, piece: Piece) -> list[Shown]:
    return [piece.shown[number - 1] for number in sorted(set(proposal.messages))]


def _said(cited: Sequence[Shown], content: str) -> list[str]:
    """The sentences that may support a proposal: the person's, and what a cited answer of the person's takes up."""
    said: list[str] = []
    for shown in cited:
        if not shown.is_users:
            continue
        said += support.sayings(shown.text, content)
        if support.agrees(shown.text):
            before = [one for one in cited if 0 < shown.number - one.number <= _BACKING_MESSAGES]
            said += [sentence for one in before for sentence in _taken_up(one.text)]
    return said


def _taken_up(text: str) -> list[str]:
    """The sentences of what was agreed to; here a question counts, for the answer was yes."""
    return [sentence.rstrip("?？ ") for sentence in support.prose(text) if not support.is_no_support(sentence)]


def slot_key(slot: str | None) -> str | None:
    """A model's slot as a canonical key. One without a family is a fact's: facts supersede on the exact key only."""
    if not slot:
        return None
    family, colon, rest = slot.strip().lower().partition(":")
    named = rest if colon and family in _FAMILIES else slot.strip().lower()
    words = named.strip(" \t.,;!?\"'").split()
    if not words or len(words) > MAX_SLOT_WORDS:
        return None
    return f"{family if colon and family in _FAMILIES else 'fact'}:{' '.join(words)}"


def _slot_words(slot: str | None) -> tuple[str, ...]:
    """A slot's words without its family and its articles."""
    key = slot_key(slot)
    words = key.partition(":")[2].replace(":", " ").split() if key else []
    return tuple(word for word in words if word not in _ARTICLES)


def _is_about(content: str, holder: Known) -> bool:
    """The proposal has a word of the slot; else a slot chosen by mistake would end another statement."""
    terms = support.terms_around([content])
    return any(support.is_among(word, terms) for word in _slot_words(holder.key))


def _statement_key(content: str) -> str | None:
    found = patterns.capture(content)
    return found[0].key if len(found) == 1 else None


def is_of_user(proposal: Proposal) -> bool:
    """Whether a statement is about the person, and so holds in every project."""
    if proposal.kind not in (model.FACT, model.PREFERENCE):
        return False
    found = patterns.capture(proposal.content)
    if found:
        return found[0].scope == "user"
    return support.is_about_the_person(proposal.content)


def _window(proposal: Proposal, cited: Sequence[Shown]) -> tuple[float | None, float | None]:
    """From when to when it holds; a day that no cited message names is not taken over."""
    newest = cited[-1]
    said_at = local_moment(newest.record)
    begin = end = None
    if any(_names_a_day(shown.text, local_moment(shown.record), proposal) for shown in cited):
        begin, end = _moment(proposal.valid_from, said_at), _moment(proposal.valid_to, said_at)
    if begin is None and end is None:
        begin, end = dates.validity(proposal.content, said_at)
    if begin is not None and end is not None and end <= begin:
        end = None
    valid_to = end.timestamp() if end else None
    if begin is None:
        return (None if valid_to is not None and valid_to <= newest.record.at else newest.record.at), valid_to
    return begin.timestamp(), valid_to


def _names_a_day(text: str, said_at: datetime, proposal: Proposal) -> bool:
    if any(day and day in text for day in (proposal.valid_from, proposal.valid_to)):
        return True
    return any(dates.validity(text, said_at)) or dates.mentioned(text, said_at) is not None


def _moment(text: str | None, said_at: datetime) -> datetime | None:
    """An ISO date or time in the speaker's zone; None for what is none."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if not date(1970, 1, 2) <= found.date() <= date(9000, 1, 1):
        return None
    return found if found.tzinfo else found.replace(tzinfo=said_at.tzinfo)
