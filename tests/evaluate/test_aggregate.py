"""From results to turns and sessions."""

from awhm_hooks.evaluate import aggregate
from awhm_hooks.evaluate.corpus import Granularity
from awhm_hooks.recall.memory import Memory

SESSION, TURN = Granularity.SESSION, Granularity.TURN


def result(message: str, score: float, whole: float = 0.0) -> Memory:
    memory = Memory("graph", "message", message, 0.0, [])
    memory.message_id = message
    memory.session = message.partition("#")[0]
    memory.score = score
    memory.features["session"] = whole
    return memory


def ranked(results: list[Memory], granularity: Granularity) -> list[str]:
    judged_as = {one.message_id: one.message_id for one in results if not one.message_id.startswith("other")}
    return aggregate.units(results, judged_as, granularity)


def test_turns_stand_where_they_first_appear() -> None:
    found = [result("a#0", 0.9), result("b#0", 0.8), result("a#0", 0.7), result("other#0", 0.6), result("a#1", 0.5)]
    assert ranked(found, TURN) == ["a#0", "b#0", "a#1"]


def test_of_equal_sessions_the_one_with_the_better_turn_leads() -> None:
    assert ranked([result("a#0", 0.9), result("b#0", 0.8)], SESSION) == ["a", "b"]


def test_a_second_turn_speaks_for_its_session() -> None:
    assert ranked([result("a#0", 0.9), result("b#0", 0.85), result("b#1", 0.8)], SESSION) == ["b", "a"]


def test_a_statement_is_no_second_turn_beside_its_message() -> None:
    assert ranked([result("a#0", 0.9), result("b#0", 0.85), result("b#0", 0.8)], SESSION) == ["a", "b"]


def test_the_session_as_a_whole_speaks_for_it() -> None:
    assert ranked([result("a#0", 0.9, 0.2), result("b#0", 0.85, 1.0)], SESSION) == ["b", "a"]


def test_what_a_session_has_in_common_with_the_best_speaks_for_it() -> None:
    found = [result("a#0", 0.9), result("b#0", 0.85), result("b#1", 0.1)]
    found[2].features["likeness"] = 0.3
    assert ranked(found, SESSION) == ["b", "a"]
    assert ranked(found, TURN) == ["a#0", "b#0", "b#1"]


def test_likeness_counts_more_for_the_further_sessions_than_for_the_first() -> None:
    found = [result("a#0", 0.9), result("b#0", 0.85), result("c#0", 0.8)]
    found[2].features["likeness"] = 0.03
    assert ranked(found, SESSION) == ["a", "b", "c"]
    found[2].features["likeness"] = 0.04
    assert ranked(found, SESSION) == ["a", "c", "b"]


def test_several_turns_near_the_question_speak_for_a_further_session() -> None:
    found = [result("a#0", 0.9), result("b#0", 0.85), *(result(f"c#{n}", score) for n, score in enumerate((0.6, 0, 0)))]
    for one in found:
        one.cosine = 0.5
    assert ranked(found, SESSION) == ["a", "c", "b"]
    for one in found[3:]:
        one.cosine = 0.1
    assert ranked(found, SESSION) == ["a", "b", "c"]
    found[0].score = 0.5
    assert ranked(found, SESSION)[0] == "b", "the first is chosen without it"


def test_a_question_tells_what_its_session_is_about() -> None:
    found = [result("a#0", 0.9), result("b#0", 0.87)]
    found[1].asks = True
    assert ranked(found, SESSION) == ["b", "a"]
    assert ranked(found, TURN) == ["a#0", "b#0"]


def test_a_session_of_no_corpus_is_left_out() -> None:
    assert ranked([result("other#0", 0.9)], SESSION) == []
