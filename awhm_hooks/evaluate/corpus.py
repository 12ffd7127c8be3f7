"""What is evaluated: sessions to remember, and questions with what should come back.

A store is one memory: its questions see its sessions and no others. Turns are named twice: by the id in the raw log,
and by the unit that they are judged as (a turn is its own unit; the two turns of a remembered exchange are one).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from awhm_hooks.journal.raw_log import USER


class Granularity(Enum):
    """What a result counts as: the turn that it came from, or that turn's session."""

    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True)
class Turn:
    """A message. `id` is unique in its store; `at` is epoch seconds."""

    id: str
    role: str
    text: str
    at: float
    unit: str = ""

    @property
    def judged_as(self) -> str:
        return self.unit or self.id


@dataclass(frozen=True)
class Session:
    """Turns in order, in one project; `slot` is the canonical key that a remembered statement was given, or ""."""

    id: str
    turns: tuple[Turn, ...]
    project: str
    slot: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked, and what should come of it.

    Gold is known by unit (`turns`), by session, or by text (`expected`: any of these is an answer); the answer of the
    corpus, where it gives one, is looked for as a substring besides. `declines` says that silence is right. `forbidden`
    holds units that must not come back, `contradicting` those of them that hold a superseded value, `forbidden_texts`
    the same by text.
    """

    id: str
    text: str
    category: str = ""
    turns: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    expected: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    forbidden: frozenset[str] = frozenset()
    contradicting: frozenset[str] = frozenset()
    forbidden_texts: tuple[str, ...] = ()
    declines: bool = False
    project: str | None = None
    now: float | None = None
    as_of: float | None = None
    history: tuple[tuple[str, str], ...] = ()

    @property
    def said_before(self) -> str:
        """What the asker said last before the question; "" for nothing."""
        return next((text for role, text in reversed(self.history) if role == USER), "")

    def gold(self, granularity: Granularity) -> frozenset[str]:
        return self.sessions if granularity is Granularity.SESSION else self.turns


@dataclass(frozen=True)
class Store:
    """The sessions of one memory, oldest first, and the questions that are asked of it."""

    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Corpus:
    """A file's stores. `k` is the depth that the corpus itself is scored at, None where it names none."""

    name: str
    format: str
    granularity: Granularity
    stores: tuple[Store, ...]
    k: int | None = None

    def questions(self) -> Iterator[Question]:
        for store in self.stores:
            yield from store.questions

    def limited(self, count: int) -> "Corpus":
        """The same with its first `count` questions."""
        kept: list[Store] = []
        left = count
        for store in self.stores:
            if left > 0 or not kept:
                kept.append(replace(store, questions=store.questions[:left]))
                left -= len(kept[-1].questions)
        return replace(self, stores=tuple(kept))

    def in_one_store(self) -> "Corpus":
        """All sessions in one memory, each once, and every question asked of it."""
        sessions = {session.id: session for store in self.stores for session in store.sessions}
        merged = Store(by_time(sessions.values()), tuple(self.questions()))
        return replace(self, stores=(merged,))


def by_time(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """Sessions in the order of their first turns, as a life would bring them."""
    return tuple(sorted(sessions, key=lambda session: session.turns[0].at))
