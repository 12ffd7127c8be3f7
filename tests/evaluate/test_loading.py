"""Every format recognised and read; what is malformed is told with its place."""

import copy
import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.evaluate import loading
from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question
from awhm_hooks.evaluate.moments import epoch

from . import corpora


def written(folder: Path, data: object, name: str = "corpus.json") -> str:
    path = folder / name
    text = json.dumps(data).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return str(path)


def question(corpus: Corpus, number: int) -> Question:
    return list(corpus.questions())[number]


def local(*parts: int) -> float:
    return datetime(*parts).timestamp()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", corpora.ALL)
@pytest.mark.parametrize("ending", ["corpus.json", "corpus.json.gz"])
def test_a_format_is_recognised_packed_or_not(tmp_path: Path, name: str, ending: str) -> None:
    corpus = loading.load(written(tmp_path, corpora.ALL[name], ending))
    assert (corpus.format, corpus.name) == (name, "corpus")
    assert corpus == loading.load(str(tmp_path / ending), name)


def test_the_native_format_is_judged_by_text(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.NATIVE))
    asked = question(corpus, 0)
    assert (asked.expected, asked.forbidden_texts, asked.category) == (("rust",), ("python",), "update")
    assert [turn.id for turn in corpus.stores[0].sessions[0].turns] == ["s1#0", "s1#1"]


def test_native_sessions_named_after_a_question_are_its_own(tmp_path: Path) -> None:
    data = {
        "sessions": [{"id": f"{name}/h", "messages": [{"role": "user", "content": name}]} for name in ("a", "b")],
        "questions": [{"id": name, "question": "?", "expected": [name]} for name in ("a", "b")],
    }
    corpus = loading.load(written(tmp_path, data))
    assert [(store.sessions[0].id, store.questions[0].id) for store in corpus.stores] == [("a/h", "a"), ("b/h", "b")]


def test_longmemeval_questions_are_isolated_with_dates_as_the_clock(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.LONGMEMEVAL))
    assert [len(store.sessions) for store in corpus.stores] == [2, 1]
    first = corpus.stores[0].sessions[0]
    assert (first.id, first.turns[0].at) == ("answer_1", local(2023, 5, 20, 2, 21))
    asked = question(corpus, 0)
    assert (asked.turns, asked.sessions, asked.now) == ({"answer_1#0"}, {"answer_1"}, local(2023, 6, 10, 23, 59, 59))
    declined = question(corpus, 1)
    assert declined.declines and not declined.gold(Granularity.SESSION) and declined.category == "abstention"


def test_a_recipe_gives_questions_other_haystacks(tmp_path: Path) -> None:
    path, recipe = written(tmp_path, corpora.LONGMEMEVAL), written(tmp_path, corpora.POOL, "pool.json.gz")
    corpus = loading.load(path, pool=recipe)
    assert [[session.id for session in store.sessions] for store in corpus.stores] == [
        ["answer_1", "other_1", "other_2"]
    ]


def test_one_store_holds_every_session_once_oldest_first(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.LONGMEMEVAL), one_store=True)
    assert [session.id for session in corpus.stores[0].sessions] == ["answer_1", "other_1", "other_2"]
    assert len(corpus.stores[0].questions) == 2


def test_heads_of_sessions_are_a_turn_a_line(tmp_path: Path) -> None:
    data = copy.deepcopy(corpora.HEADS)
    data["sessions_user_text_head500"]["answer_1"] += "\n\nIt sails at noon."
    corpus = loading.load(written(tmp_path, data))
    turns = [turn.id for session in corpus.stores[0].sessions for turn in session.turns]
    assert turns == ["other_1#0", "answer_1#0", "answer_1#1"]
    assert question(corpus, 0).sessions == {"answer_1"}
    assert question(corpus, 0).turns == {"answer_1#0", "answer_1#1"}
    assert question(corpus, 0).now == local(2023, 6, 10, 23, 59, 59)


def test_heads_that_are_dated_after_their_question_are_asked_for_after_them(tmp_path: Path) -> None:
    data = copy.deepcopy(corpora.HEADS)
    data["questions"][0]["haystack"][1][1] = "2023/07/01 (Sat) 08:00"
    assert question(loading.load(written(tmp_path, data)), 0).now == local(2023, 7, 1, 23, 59, 59)


def test_locomo_turns_carry_speaker_and_picture_and_evidence_is_forgiven(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.LOCOMO))
    turns = corpus.stores[0].sessions[0].turns
    assert [turn.text for turn in turns] == [
        "Ana: I painted a lighthouse at sunrise.",
        "Ben: Lovely! [shares a photo of an orange kayak]",
    ]
    assert [turn.role for turn in turns] == ["user", "user"]
    assert turns[0].at == local(2023, 5, 8, 13, 56)
    assert question(corpus, 1).turns == {"conv-1/D1:1", "conv-1/D2:1"}
    assert [one.category for one in corpus.questions()] == ["single-hop", "multi-hop", "adversarial"]


def test_devmembench_asks_across_projects_by_session(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.DEVMEMBENCH))
    assert corpus.granularity is Granularity.SESSION
    assert {session.project for session in corpus.stores[0].sessions} == {"shop", "board"}
    assert (question(corpus, 0).project, question(corpus, 0).sessions) == (None, {"S02"})
    assert question(corpus, 1).declines


def test_a_note_is_a_session_in_the_project_of_its_scope(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.RETRIEVAL))
    first = corpus.stores[0].sessions[0]
    assert (first.project, first.turns[0].role) == ("work", "assistant")
    assert first.turns[0].text == "Invoice drift\nThe detail is manifest_lines.consignee_ref."
    assert (corpus.k, question(corpus, 0).project, question(corpus, 1).declines) == (3, "work", True)


def test_an_exchange_is_two_messages_judged_as_one(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.EXCHANGES))
    newest = corpus.stores[0].sessions[-1]
    assert [(turn.role, turn.judged_as) for turn in newest.turns] == [("user", "new"), ("assistant", "new")]
    asked = question(corpus, 0)
    assert (asked.forbidden, asked.contradicting) == ({"old", "cache"}, {"old"})
    assert asked.history == (("user", "We spoke of storage."),)
    assert asked.said_before == "We spoke of storage."


def test_speakers_make_one_conversation(tmp_path: Path) -> None:
    data = {
        "memories": [{"id": f"T{n}", "speaker": "Sarah", "title": "Sarah", "text": "I am a nurse."} for n in (1, 2)],
        "cases": [{"id": "c", "query": "Who?", "relevant_memory_ids": ["T2"]}],
    }
    corpus = loading.load(written(tmp_path, data))
    (session,) = corpus.stores[0].sessions
    assert [turn.text for turn in session.turns] == ["Sarah: I am a nurse."] * 2
    assert question(corpus, 0).sessions == {session.id}


def test_a_limit_keeps_the_first_questions(tmp_path: Path) -> None:
    corpus = loading.load(written(tmp_path, corpora.LONGMEMEVAL))
    assert [one.id for one in corpus.limited(1).questions()] == ["q1"]
    assert len(list(corpus.limited(9).questions())) == 2


BROKEN = [
    ({"memories": [], "cases": []}, None, "no cases"),
    ({"memories": [{"text": "x"}], "cases": [{}]}, None, "memories[0]: `id`"),
    ([{"haystack_sessions": [[{"role": "user"}]], "question_id": "q"}], None, "haystack_sessions[0][0]: `content`"),
    ({"sessions": [{"id": "s", "messages": [3]}], "questions": [{"question": "?"}]}, None, "sessions[0].messages[0]"),
    ([1, 2], None, "none of the known formats"),
    ({"sessions": [], "questions": []}, "native", "no questions"),
]


@pytest.mark.parametrize(("data", "format_name", "told"), BROKEN, ids=[case[2] for case in BROKEN])
def test_what_is_malformed_is_told_with_its_place(
    tmp_path: Path, data: Any, format_name: str | None, told: str
) -> None:
    path = written(tmp_path, data)
    with pytest.raises(AwhmError) as raised:
        loading.load(path, format_name)
    assert told in str(raised.value) and path in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\x1f\x8b broken", b"\xff\xfe"])
def test_a_file_that_is_no_json_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(AwhmError, match=r"x\.json"):
        loading.load(str(tmp_path / "x.json"))


def test_options_that_do_not_fit_are_wrong_usage(tmp_path: Path) -> None:
    path, pool = written(tmp_path, corpora.LOCOMO), written(tmp_path, corpora.POOL, "pool.json")
    for options in ({"pool": pool}, {"pool": pool, "one_store": True}, {"format_name": "other"}):
        with pytest.raises(UsageError):
            loading.load(path, **options)  # type: ignore[arg-type]
    with pytest.raises(AwhmError, match="no such file"):
        loading.load(str(tmp_path / "gone.json"))


def test_a_recipe_that_does_not_fit_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, corpora.LONGMEMEVAL)
    for recipe, told in (({"q1": ["gone"]}, "'gone'"), ({"zz": []}, "none of"), ([], "an object")):
        with pytest.raises(AwhmError, match=told):
            loading.load(path, pool=written(tmp_path, recipe, "pool.json"))


MOMENTS = [
    ("2023/04/10 (Mon) 23:07", local(2023, 4, 10, 23, 7)),
    ("1:56 pm on 8 May, 2023", local(2023, 5, 8, 13, 56)),
    ("2025-01-15", local(2025, 1, 15)),
    ("2026-10-01T12:00:00.000Z", 1790856000.0),
    (1790856000, 1790856000.0),
    (1790856000000, 1790856000.0),
    ("", None),
    ("soon", None),
    (None, None),
    (True, None),
]


@pytest.mark.parametrize(("text", "moment"), MOMENTS)
def test_dates_of_corpora_are_read(text: object, moment: float | None) -> None:
    assert epoch(text) == moment
