"""Asking a store its questions, by the code that the hook and `awhm query` recall with."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from awhm_hooks.config import AWHMConfig
from awhm_hooks.evaluate import aggregate, metrics
from awhm_hooks.evaluate.building import build, data_directory
from awhm_hooks.evaluate.corpus import Granularity, Question, Store
from awhm_hooks.evaluate.metrics import Judgement
from awhm_hooks.manage.asking import ask
from awhm_hooks.paths import Paths
from awhm_hooks.recall import context
from awhm_hooks.recall.memory import Memory
from awhm_hooks.recall.tokens import tokenise

DEPTH = 200  # deeper than any metric looks, so that ten sessions are found behind the results
_LATER_S = 3600.0


@dataclass(frozen=True)
class Setting:
    """How a run is made: with which parameters, and over which prepared model, if any.

    `models` is the folder of that model and `cache` the file that keeps vectors over the stores of a run. A setting
    travels to other processes, which a frozen configuration cannot.
    """

    parameters: Mapping[str, object]
    models: str | None = None
    cache: str | None = None

    @property
    def config(self) -> AWHMConfig:
        return AWHMConfig(**self.parameters)


@dataclass(frozen=True)
class Outcome:
    """What came of a question: for each granularity the units in order and how they are judged; and what it cost."""

    question: str
    category: str
    ranked: Mapping[Granularity, tuple[str, ...]]
    judged: Mapping[Granularity, Judgement]
    latency_ms: float
    tokens: int


def answer_store(store: Store, setting: Setting, progress: Callable[[], None] | None = None) -> list[Outcome]:
    """Build the store in a directory of its own and ask all its questions. Raises AwhmError."""
    outcomes = []
    config = setting.config
    with data_directory(setting.models) as paths:
        build(paths, store, config, _embedder(setting))
        judged_as = {turn.id: turn.judged_as for session in store.sessions for turn in session.turns}
        last = max(session.turns[-1].at for session in store.sessions)
        for question in store.questions:
            outcomes.append(_answer(paths, config, question, judged_as, last + _LATER_S))
            if progress:
                progress()
    return outcomes


def _embedder(setting: Setting) -> "CachedEmbedder | None":
    """None leaves embedding to the worker itself."""
    if not setting.models or not setting.cache:
        return None
    from awhm_hooks.evaluate.embedding import shared_embedder

    return shared_embedder(setting.models, setting.cache)


def _answer(
    paths: Paths,
    config: AWHMConfig,
    question: Question,
    judged_as: Mapping[str, str],
    now: float,
) -> Outcome:
    started = time.perf_counter()
    memories = ask(
        paths,
        config,
        question.text,
        question.project,
        DEPTH,
        now=question.now or now,
        as_of=question.as_of,
        before=question.said_before,
    )
    latency_ms = (time.perf_counter() - started) * 1000
    ranked = {one: aggregate.units(memories, judged_as, one) for one in Granularity}
    texts = [memory.text for memory in memories]
    return Outcome(
        question.id,
        question.category,
        {one: tuple(units) for one, units in ranked.items()},
        {one: judge(question, units, texts, one) for one, units in ranked.items()},
        latency_ms,
        _shown_tokens(memories, question, config),
    )


def _shown_tokens(memories: list[Memory], question: Question, config: AWHMConfig) -> int:
    """The tokens that the hook's own rendering of these memories costs; 0 for silence."""
    shown, _ = context.render(memories, tokenise(question.text), config)
    return context.estimated_tokens(shown) if shown else 0


def judge(question: Question, ranked: list[str], texts: list[str], granularity: Granularity) -> Judgement:
    """How the results, their units and their texts, stand to what the question wants: by unit where it names units."""
    if question.expected:
        rank = rank_of_text(texts, question.expected)
        found: tuple[int, ...] = (rank,) if rank else ()
        relevant = 1
    else:
        gold = question.gold(granularity)
        found, relevant = metrics.judge(ranked, gold), len(gold)
    return Judgement(
        found=found,
        relevant=relevant,
        returned=len(texts),
        declines=question.declines,
        forbids=bool(question.forbidden or question.forbidden_texts),
        forbidden=_first_of(ranked, question.forbidden, texts, question.forbidden_texts),
        contradictable=bool(question.contradicting or question.forbidden_texts),
        contradicting=_first_of(ranked, question.contradicting, texts, question.forbidden_texts),
        answerable_by_text=bool(question.answers),
        answer=rank_of_text(texts, question.answers),
    )


def _first_of(ranked: list[str], units: Iterable[str], texts: list[str], words: tuple[str, ...]) -> int | None:
    return rank_of_text(texts, words) if words else metrics.first_rank(ranked, units)


def rank_of_text(texts: list[str], wanted: tuple[str, ...]) -> int | None:
    """The rank of the first text that holds one of the wanted ones, whatever the case (AWHM Lite); None for none."""
    needles = [one.lower() for one in wanted]
    for rank, text in enumerate(texts, 1):
        lowered = text.lower()
        if any(needle in lowered for needle in needles):
            return rank
    return None


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.evaluate.embedding import CachedEmbedder
