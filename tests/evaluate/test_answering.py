"""Corpora through the real worker and the real recall; judged as their questions want."""

import json
from pathlib import Path
from typing import Any

import pytest

from awhm_hooks.config import AWHMConfig
from awhm_hooks.errors import AwhmError
from awhm_hooks.evaluate import builtin, loading, runner
from awhm_hooks.evaluate.answering import DEPTH, Outcome, Setting, rank_of_text
from awhm_hooks.evaluate.building import build, data_directory
from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn
from awhm_hooks.journal import raw_log
from awhm_hooks.manage.asking import ask

from . import corpora

TURN = Granularity.TURN
PARAMETERS: dict[str, object] = {"ner_labels": (), "semantic": False}


def load(folder: Path, data: Any, **options: Any) -> Corpus:
    path = folder / "corpus.json"
    path.write_text(json.dumps(data))
    return loading.load(str(path), **options)


def outcomes(corpus: Corpus) -> list[Outcome]:
    return runner.run(corpus, Setting(PARAMETERS), processes=1)


@pytest.mark.parametrize("name", corpora.ALL)
def test_the_first_question_of_each_format_is_answered(tmp_path: Path, name: str) -> None:
    corpus = load(tmp_path, corpora.ALL[name])
    first = outcomes(corpus)[0]
    assert first.tokens > 0 and first.latency_ms > 0
    for granularity in Granularity:
        is_judged = next(corpus.questions()).gold(granularity) or name == "native"
        assert first.judged[granularity].found[:1] == ((1,) if is_judged else ()), granularity


def test_silence_is_told_from_an_answer(tmp_path: Path) -> None:
    found = {one.question: one for one in outcomes(load(tmp_path, corpora.RETRIEVAL))}
    assert found["c2"].judged[TURN].declines and found["c2"].judged[TURN].returned == 0 and found["c2"].tokens == 0


def test_a_scope_sees_nothing_of_another(tmp_path: Path) -> None:
    first = outcomes(load(tmp_path, corpora.RETRIEVAL))[0]
    assert first.ranked[TURN] == ("a",)


def test_a_question_sees_its_own_haystack_only(tmp_path: Path) -> None:
    corpus = load(tmp_path, corpora.LONGMEMEVAL)
    asked = corpus.stores[0].questions[0]
    swapped = Corpus(corpus.name, corpus.format, corpus.granularity, (Store(corpus.stores[1].sessions, (asked,)),))
    assert outcomes(corpus)[0].judged[TURN].found == (1,)
    assert outcomes(swapped)[0].judged[TURN].found == ()


def test_several_processes_find_what_one_does(tmp_path: Path) -> None:
    corpus = load(tmp_path, corpora.LONGMEMEVAL)
    steps: list[tuple[int, int]] = []
    several = runner.run(corpus, Setting(PARAMETERS), lambda done, total: steps.append((done, total)), processes=2)
    assert [(one.question, one.ranked) for one in several] == [(one.question, one.ranked) for one in outcomes(corpus)]
    assert steps[-1] == (2, 2)


def test_the_newest_of_a_slot_supersedes_the_older(tmp_path: Path) -> None:
    (found,) = outcomes(load(tmp_path, corpora.EXCHANGES))
    assert found.ranked[TURN][0] == "new" and "old" not in found.ranked[TURN]
    assert found.judged[TURN].contradicting is None and found.judged[TURN].contradictable


def test_the_builtin_benchmark_finds_fresh_values() -> None:
    found = outcomes(builtin.corpus())
    assert [one.question for one in found] == ["preferred_language", "api_endpoint", "city"]
    assert all(one.judged[TURN].found for one in found)


def test_logs_are_what_the_hooks_would_have_written() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    turns = (Turn("m0", "user", f"The token is {secret}", 1e9), Turn("m1", "assistant", "  ", 1e9 + 1))
    with data_directory() as paths:
        build(paths, Store((Session("s", turns, "/p"),), ()), AWHMConfig(**PARAMETERS))
        records = list(raw_log.read(paths.log_file("s")))
        assert [record.kind for record in records] == ["message", "end"]
        assert secret not in records[0].text
        assert (records[0].message_id, records[0].project, records[0].at) == ("m0", "/p", 1e9)
        directory = Path(paths.data_dir)
        assert directory.exists()
    assert not directory.exists()


def test_more_is_asked_for_than_any_metric_looks_at() -> None:
    turns = tuple(Turn(f"m{n}", "user", f"lighthouse keeper number {n}", 1e9 + n) for n in range(30))
    question = Question("q", "lighthouse keeper", turns=frozenset({"m0"}))
    store = Store((Session("s", turns, "p"),), (question,))
    with data_directory() as paths:
        config = AWHMConfig(**PARAMETERS)
        build(paths, store, config)
        assert len(ask(paths, config, question.text, "p", DEPTH, now=2e9)) > 10


def test_text_is_matched_whatever_its_case() -> None:
    assert rank_of_text(["nothing", "It is RUST."], ("rust", "go")) == 2
    assert rank_of_text(["nothing"], ("rust",)) is None
    assert rank_of_text([], ()) is None


def test_a_store_without_its_vectors_is_not_measured(tmp_path: Path) -> None:
    corpus = load(tmp_path, corpora.RETRIEVAL)
    with data_directory() as paths, pytest.raises(AwhmError, match="the worker noted"):
        build(paths, corpus.stores[0], AWHMConfig(ner_labels=()), Broken())


class Broken:
    """An embedder whose library is gone."""

    def embed(self, texts: object) -> Any:
        raise AwhmError("onnxruntime cannot be imported")

    def windows(self, text: str) -> list[str]:
        return [text]
