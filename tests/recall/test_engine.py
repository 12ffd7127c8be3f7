"""Recall end to end: what a prompt is told unasked (through the real hook), and what a question is answered."""

import os
import shutil
import time

import pytest
from in_process import PROJECT

from awhm_hooks.graph.writer import open_writer
from awhm_hooks.hooks.session import PREFIX
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal

BY_WORDS = {"AWHM_SEMANTIC": "0"}


@pytest.fixture
def told(hook, memory, tmp_path):
    """`told("Which port?")`: the lines that a prompt gets, without the header.

    A prompt without a session is asked of a copy of the store, as it would be a memory of the next one otherwise.
    """
    number = 0

    def ask(text, session=None, project=PROJECT, **parameters):
        nonlocal number
        number += 1
        directory = memory.paths.data_dir
        if session is None:
            directory = str(tmp_path / f"copy-{number}")
            if os.path.exists(memory.paths.data_dir):
                shutil.copytree(memory.paths.data_dir, directory)
        payload = {
            "session_id": session or "asking",
            "prompt_id": f"prompt-{number}",
            "cwd": project,
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        }
        more = {f"AWHM_{name.upper()}": str(value) for name, value in parameters.items()}
        context = hook("prompt", payload, {"AWHM_DATA_DIR": directory, **BY_WORDS, **more}).context
        return [line.split("] ", 1)[1] for line in context.splitlines()[1:]]

    return ask


def is_waiting(memory, *texts, session="waiting", role="user", project=PROJECT, at=None):
    """Said in a session that nobody has consolidated yet: in its raw log and its write-ahead log."""
    for text in texts:
        memory.number += 1
        memory.at = at if at is not None else memory.at + 60
        appended = raw_log.append_message(
            memory.paths, session, role, text, memory.at, f"p{memory.number}", project, project
        )
        wal.append(memory.paths, session, [buffers.message_record(appended, role, text, memory.at)])


def known(memory, *texts, **more):
    memory.say(*texts, **more)
    memory.consolidate()


# Where memories come from, and in which order.


def test_without_a_store_there_is_nothing(memory, told):
    assert memory.ask("Which port does staging use?") == []
    assert told("Which port does staging use?") == []


def test_what_is_consolidated_is_recalled(memory, told):
    known(memory, "The staging port is 8443.")
    assert told("Which port does staging use?") == ["The staging port is 8443"]
    assert "The staging port is 8443" in memory.ask("Which port does staging use?")


def test_what_waits_is_recalled_with_and_without_a_graph(memory, told):
    is_waiting(memory, "The staging port is 8443.")
    assert told("Which port does staging use?") == ["The staging port is 8443"]
    known(memory, "The weather is nice.", session="other")
    assert told("Which port does staging use?") == ["The staging port is 8443"]


def test_the_buffers_come_before_the_graph(memory, told):
    known(memory, "The port of the staging gateway is 8443.")
    is_waiting(memory, "The port of the staging mail relay is 2525.")
    found = told("Which port does the staging environment use?")
    assert found[:2] == ["The port of the staging mail relay is 2525", "The port of the staging gateway is 8443"]


def test_statements_come_before_messages(memory, told):
    known(memory, "The staging gateway port is 8443.")
    known(memory, "look into why the staging gateway port refuses connections, I tried it twice", session="later")
    found = told("Which port does the staging gateway use?")
    assert found[0].startswith("The staging gateway port is 8443")
    assert "look into" in "".join(found)


def test_a_message_is_recalled_though_no_pattern_fired(memory, told):
    known(memory, "we spent the whole afternoon on kafka consumer lag in the billing cluster")
    (line,) = told("what was that about kafka consumer lag in the billing cluster?")
    assert "the whole afternoon" in line


def test_a_message_does_not_stand_beside_its_own_statement(memory, told):
    known(memory, "I prefer dark mode in every editor, thanks.")
    assert len(told("Which mode do I prefer in the editor, dark or light?")) == 1


def test_a_text_is_told_once_however_often_it_was_said(memory, told):
    for session in ("a", "b", "c"):
        known(memory, "The staging port is 8443.", session=session)
    is_waiting(memory, "the staging port is 8443", session="d")
    assert told("Which port does staging use?") in (["The staging port is 8443"], ["the staging port is 8443"])


# What is current.


def test_what_is_superseded_is_hidden_and_remains_history(memory, told):
    known(memory, "The backup box is a Synology NAS.")
    known(memory, "Actually, the backup box is a TrueNAS server.", session="later")
    found = " ".join(told("What is the backup box?"))
    assert "TrueNAS" in found and "Synology" not in found
    assert any("Synology" in text for text in memory.ask("backup box", history=True))
    assert not any("Synology" in text for text in memory.ask("backup box"))


def test_a_correction_that_waits_hides_what_the_graph_says(memory, told):
    known(memory, "The backup box is a Synology NAS.", "so the Synology NAS backup box is slow")
    is_waiting(memory, "Actually, the backup box is a TrueNAS server.")
    found = told("What is the backup box?")
    assert found[0] == "the backup box is a TrueNAS server"
    assert "The backup box is a Synology NAS" not in found


def test_an_old_value_in_a_session_that_is_still_open_does_not_stand_beside_the_graph_s_newer_one(memory, told):
    now = time.time()
    is_waiting(memory, "The staging port is 8443.", session="still-open", at=now - 60)
    known(memory, "Actually, the staging port is 9443.", session="elsewhere", at=now - 30)
    assert os.path.exists(memory.paths.wal_file("still-open"))
    assert told("Which port does staging use?") == ["the staging port is 9443"]


def test_of_two_waiting_sessions_the_newer_word_counts(memory, told):
    is_waiting(memory, "The staging port is 8443.", session="older")
    is_waiting(memory, "The staging port is 9443.", session="newer")
    found = told("Which port does staging use?")
    assert found[0] == "The staging port is 9443"
    assert "The staging port is 8443" not in found


def test_the_past_is_answered_from_the_graph_alone(memory):
    first = memory.at
    known(memory, "The backup box is a Synology NAS.", at=first)
    known(memory, "The backup box is a TrueNAS server.", session="later", at=first + 100 * 86400)
    is_waiting(memory, "The backup box is a shoebox.", at=first + 200 * 86400)
    now = first + 300 * 86400
    assert "Synology" in " ".join(memory.ask("backup box", now=now, as_of=first + 50 * 86400))
    assert "TrueNAS" in " ".join(memory.ask("backup box", now=now, as_of=first + 150 * 86400))
    assert memory.ask("backup box", now=now, as_of=first - 86400) == []


def test_what_holds_from_a_later_day_on_is_not_current_yet(memory):
    known(memory, "The API endpoint is https://v1.test", "From 2026-12-24 the API endpoint is https://v2.test")
    found = " ".join(memory.ask("API endpoint"))
    assert "v1.test" in found and "v2.test" not in found


# Scope.


def test_a_project_sees_its_own_and_the_user_s(memory, told):
    known(memory, "The API base is https://api.acme.test", "I prefer pnpm over npm for scripts.", project="/acme")
    assert told("What is the API base?", project="/globex") == []
    assert told("What is the API base?", project="/acme") == ["The API base is https://api.acme.test"]
    assert told("Do I prefer npm or pnpm for scripts?", project="/globex") == ["I prefer pnpm over npm for scripts"]
    assert memory.ask("API base", project="/globex") == []
    assert any("acme" in text for text in memory.ask("API base", project=None))


def test_sessions_that_wait_are_scoped_too(memory, told):
    is_waiting(memory, "The API base is https://api.acme.test", "My name is Alice.", project="/acme")
    assert told("What is the API base?", project="/globex") == []
    assert told("What is my name?", project="/globex") == ["My name is Alice"]
    assert any("acme" in text for text in memory.ask("API base", project=None))


def test_a_correction_in_one_project_leaves_the_other_s_fact(memory, told):
    known(memory, "The staging port is 8443.", project="/acme")
    is_waiting(memory, "Actually, the staging port is 9443.", project="/globex")
    assert told("Which port does staging use?", project="/acme") == ["The staging port is 8443"]
    memory.consolidate()
    assert told("Which port does staging use?", project="/acme") == ["The staging port is 8443"]


# Neighbours.


def acme(memory):
    """An entity, and a statement about it that does not name it."""
    writer = open_writer(memory.paths)
    with writer.transaction():
        scope = writer.scope_id(PROJECT)
        entity = writer.add_node("entity", "ORG: Acme", uid="e", scope=scope, said_at=memory.at, label="ORG")
        fact = writer.add_node("fact", "the contract ends in May", uid="f", scope=scope, said_at=memory.at)
        writer.add_edge(fact, entity, "association", 0.8)
    writer.db.close()


def test_a_name_leads_to_what_is_known_about_it(memory):
    acme(memory)
    assert memory.ask("Acme") == ["the contract ends in May"]


def test_entities_themselves_are_no_answer(memory, told):
    acme(memory)
    assert not any("ORG" in text for text in [*memory.ask("Acme"), *told("What do we know about Acme?")])


def test_neighbours_can_be_switched_off(new_memory):
    memory = new_memory(neighbor_expansion=False)
    acme(memory)
    assert memory.ask("Acme") == []


# Abstention.


FACTS = [
    "The staging port is 8443.",
    "I prefer pnpm over npm for scripts.",
    "CI runs on self-hosted runners.",
    "The API base is https://api.acme.test",
    "My name is Alice.",
    "Always use black for formatting.",
    "The backup box is a Synology NAS.",
    "The database is PostgreSQL 16.",
    "Never commit to main directly.",
    "The design tokens live in packages/tokens.",
    "My time zone is Europe/Madrid.",
    "The cron job restarts nginx at 3am.",
    "I live in Cape Town.",
    "The queue library is BullMQ.",
    "The linter is biome.",
    "We deploy from the release branch only.",
    "The feature flags are in LaunchDarkly.",
]

UNRELATED = [
    "fix",
    "continue",
    "why?",
    "hello",
    "thanks, that looks good",
    "Write a haiku about the sea.",
    "explain monads to me",
    "what is the capital of France?",
    "refactor this function to be shorter",
    "add a docstring to parse_header",
    "summarise the file README.md",
    "¿qué hora es?",
    "erkläre mir bitte Monaden",
    "🎉🎉🎉",
    "12345",
]


def test_an_unrelated_prompt_is_told_nothing(memory, told):
    known(memory, *FACTS)
    assert {text: found for text in UNRELATED if (found := told(text))} == {}


def test_a_related_one_among_them_is(memory, told):
    known(memory, *FACTS)
    assert told("Where do I live?")[0] == "I live in Cape Town"
    assert told("Which queue library do we use?")[0] == "The queue library is BullMQ"


def test_a_question_that_was_asked_gets_weaker_matches_too(memory, told):
    known(memory, *FACTS)
    assert told("write a script that restarts the worker at noon") == []
    assert any("nginx" in text for text in memory.ask("write a script that restarts the worker at noon"))


# Never twice, never what is in the window already.


def test_a_memory_is_told_once_a_session(memory, told):
    known(memory, "The staging port is 8443.")
    assert told("Which port does staging use?", "one") == ["The staging port is 8443"]
    assert told("And which port does staging use, again?", "one") == []
    assert told("Which port does staging use?", "two")[0] == "The staging port is 8443"


def test_a_memory_that_changed_is_told_anew(memory, told):
    known(memory, "The staging port is 8443.")
    assert told("Which port does staging use?", "one") == ["The staging port is 8443"]
    known(memory, "The staging port is 9443.", session="elsewhere")
    assert told("Which port does staging use now?", "one") == ["The staging port is 9443"]


def test_a_session_s_own_messages_stand_in_its_window(memory, told):
    told("we looked at the kafka consumer lag in the billing cluster", "one")
    assert told("so what about the kafka consumer lag in the billing cluster?", "one") == []


def test_they_are_recalled_when_the_window_was_emptied(memory, told):
    told("we looked at the kafka consumer lag in the billing cluster", "one")
    wal.append(memory.paths, PREFIX + "one", [{"k": wal.BOUNDARY, "at": time.time(), "source": "compact"}])
    found = told("so what about the kafka consumer lag in the billing cluster?", "one")
    assert any("we looked at" in line for line in found)


ORDERS = [
    (
        "Write a script that dumps the staging database to my laptop",
        "please write the script again that dumps the staging database to my laptop",
    ),
    ("Please add pagination to the orders endpoint.", "add pagination to the orders endpoint, thanks"),
    ("Schreib einen Test für den leeren Warenkorb", "schreib bitte einen Test für den leeren Warenkorb"),
    ("Añade paginación al endpoint de pedidos", "añade paginación al endpoint de pedidos, gracias"),
    ("给订单接口添加分页功能", "给订单接口添加分页功能。"),
    ("Never push to trunk without a review.", "Remember: never push to trunk without a review!"),
]


@pytest.mark.parametrize("consolidated", [True, False])
@pytest.mark.parametrize(("order", "again"), ORDERS)
def test_an_order_that_is_typed_again_is_not_handed_back(memory, told, order, again, consolidated):
    (known if consolidated else is_waiting)(memory, order, "The retention of the exporter is 30 days.")
    assert order.rstrip(".") not in [line.rstrip(".") for line in told(order)]
    assert order.rstrip(".") not in [line.rstrip(".") for line in told(again)]
    assert told("What is the retention of the exporter?") == ["The retention of the exporter is 30 days"]


def test_a_question_that_holds_its_answer_is_answered(memory, told):
    known(memory, "The staging port is 8443.")
    assert told("Is the staging port 8443?") == ["The staging port is 8443"]


def test_the_prompt_is_not_its_own_memory(memory, told):
    assert told("The staging port is 8443.", "one") == []
    assert told("Which port does staging use?", "two") == ["The staging port is 8443"]


# Prompts of any size and kind.


@pytest.mark.parametrize("text", ["", " ", "\0", "...", "\ud800", "<>", "'\"\\", "a" * 100_000, "% _ * NEAR("])
def test_any_question_is_answered_or_not_but_never_fails(memory, text):
    known(memory, *FACTS[:3])
    assert isinstance(memory.ask(text), list)


def test_of_a_long_prompt_the_question_at_its_end_counts(memory, told):
    known(memory, "The staging port is 8443.")
    assert told("GET /health 200 ok\n" * 4000 + "\nWhich port does staging use?") == ["The staging port is 8443"]


def test_chinese_and_japanese_are_found_by_their_words(memory, told):
    known(memory, "预发布环境的端口是8443。")
    assert any("8443" in line for line in told("预发布环境的端口是多少？"))


KOREAN = ["스테이징 포트는 8443입니다.", "우리 배포 환경은 네이버 클라우드입니다.", "로그는 30일 동안 보관됩니다."]
KOREAN_ASKED = [
    ("스테이징 포트가 무엇입니까?", KOREAN[0]),
    ("배포 환경이 어디인가요?", KOREAN[1]),
    ("로그를 얼마 동안 보관하나요?", KOREAN[2]),
    ("오늘 점심은 무엇이 좋습니까?", None),
    ("이 함수가 왜 느립니까? 고쳐 주세요.", None),
    ("우리 회의는 언제 시작됩니까?", None),
]


@pytest.mark.parametrize("consolidated", [True, False])
@pytest.mark.parametrize(("asked", "answer"), KOREAN_ASKED)
def test_korean_endings_are_no_content(memory, told, asked, answer, consolidated):
    (known if consolidated else is_waiting)(memory, *KOREAN)
    assert told(asked) == ([answer] if answer else [])


FOUND_AGAIN = [
    ("The linter is biome.", "Which linter did the migration configure?"),
    ("Unser Linter ist biome.", "Welcher Linter prüft Migrationen?"),
    ("Our CI runs on self-hosted runners.", "Which provider hosts our CI pipelines?"),
]


@pytest.mark.parametrize(("said", "asked"), FOUND_AGAIN)
def test_what_is_found_before_consolidation_is_found_after_it(memory, told, said, asked):
    is_waiting(memory, said, session="s")
    is_waiting(memory, f"Noted: {said}", session="s", role="assistant")
    before = told(asked)
    assert said.rstrip(".") in before
    memory.consolidate()
    assert said.rstrip(".") in told(asked)


def test_a_topic_is_told_of_however_much_is_known_about_it(memory, told):
    known(memory, *(f"The payments ledger {number} is kept in region {number * 7}." for number in range(60)))
    for asked in ("summarise everything about payments", "give me an overview of payments"):
        assert len(told(asked)) == 3, asked
    assert told("summarise everything about invoices") == []
    assert told("write a haiku about payments in the rain, five lines, no rhymes") == []


KINDRED = [
    ("Lint is biome", "which linter?"),
    ("Our bundler is Vite", "what do we bundle with?"),
    ("Parsing is done with tree-sitter", "which parser do we use?"),
]


@pytest.mark.parametrize("consolidated", [True, False])
@pytest.mark.parametrize(("said", "asked"), KINDRED)
def test_who_does_it_is_found_by_what_is_done(memory, told, said, asked, consolidated):
    (known if consolidated else is_waiting)(memory, said, "the customer theme is dark")
    assert told(asked) == [said]
    assert told("which custom?") == []


def test_an_identifier_is_found_whole_and_by_its_parts(memory):
    known(memory, "SettlementService.closeRun retries three times")
    for question in ("SettlementService.closeRun", "settlement service", "close run"):
        assert memory.ask(question), question


def test_the_budget_is_the_configuration_s(memory, told):
    known(memory, *[f"The port of the staging service{n} is {n}." for n in range(9)])
    question = "Which port do the staging services use?"
    assert len(told(question)) == 3
    assert len(told(question, hook_max_memories=1)) == 1
    assert told(question, hook_max_tokens=5) == []


def test_a_word_of_assent_is_not_told(memory, told):
    memory.say("The release train leaves on Mondays.", session="a")
    memory.say("Release train, noted.", session="a", role="assistant")
    memory.consolidate()
    assert told("When does the release train leave?") == ["The release train leaves on Mondays."]


def test_a_question_typed_again_and_again_does_not_hide_its_answer(memory, told):
    known(memory, "The staging port is 8443.")
    question = "Which port does staging use?"
    for number, text in enumerate((question, f"{question} Again.", question, f"{question} Once more please.")):
        memory.say(text, session=f"asked-{number}")
    memory.consolidate()
    assert told(question, semantic=0) == ["The staging port is 8443"]


def test_a_question_is_no_answer_to_itself(memory):
    known(memory, "Where does the pipeline run?", "The pipeline runs on Buildkite.")
    assert "Where does the pipeline run?" not in memory.ask("where does the pipeline run")
    assert any("Buildkite" in text for text in memory.ask("where does the pipeline run"))
