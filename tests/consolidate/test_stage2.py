"""Stage 2 in process, with objects of a program's own as the model."""

import os
import threading
import time
from itertools import pairwise

import pytest
from claude_stub import proposal
from stage2_model import DECISION, PROPOSED, Model, ask, end, made, status, told

from awhm_hooks.consolidate import spending, stage2, worker
from awhm_hooks.consolidate.llm import LLMError
from awhm_hooks.consolidate.stage2 import Wish
from awhm_hooks.files import locked
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log


@pytest.fixture
def memory(new_memory):
    return new_memory(stage2_enabled=True)


def test_a_decision_that_no_pattern_catches_is_remembered_with_model_and_cost(memory):
    told(memory, DECISION)
    outcome = ask(memory, Model([PROPOSED]))
    assert (outcome.calls, outcome.admitted, outcome.refused) == (1, 1, {})
    ((text, key, call, message),) = memory.rows("text, canonical_key, stage2_call, message", "provenance = 'stage2'")
    assert (text, key) == ("We use Rust for the importer", "fact:the importer language")
    graph = open_graph(memory.paths.graph_db)
    row = graph.db.execute(
        "SELECT client, model, input_tokens, output_tokens, cost_usd FROM stage2_calls WHERE id = ?", (call,)
    )
    assert row.fetchone() == (Model.name, "model-1", 100, 10, 0.5)
    sources = graph.db.execute("SELECT session, message FROM sources").fetchall()
    assert sources == [("s", message)]
    assert memory.ask("which language is the importer in?")[0] == text


def test_off_by_default_nothing_is_asked(new_memory):
    memory = new_memory()
    told(memory, DECISION)
    model = Model([PROPOSED])
    report = worker.run(memory.paths, memory.config, 5.0, stage2=Wish(client=model, environ={}))
    assert report.stage2 is None and model.prompts == []
    assert status(memory)[1] == "Stage 2 off"


def test_a_session_from_before_it_was_switched_on_is_asked_about_only_when_a_person_says_so(memory):
    memory.say(DECISION)
    end(memory, wanted=False)
    model = Model([PROPOSED])
    assert ask(memory, model).calls == 0
    assert status(memory)[0].never_asked == 1
    assert ask(memory, model, everything=True).admitted == 1


def test_a_live_session_is_left_alone_until_it_ends(memory):
    memory.say(DECISION, at=time.time())
    raw_log.append_mark(memory.paths, "s", raw_log.START, time.time() - 9, "/p", {"source": "startup", "stage2": True})
    model = Model([PROPOSED])
    assert ask(memory, model).calls == 0
    end(memory)
    raw_log.append_mark(memory.paths, "s", raw_log.END, time.time() + 1, "/p", {"stage2": True})
    assert ask(memory, model).calls == 1


def test_a_program_may_ask_about_its_own_live_session(memory):
    memory.say(DECISION, at=time.time())
    assert ask(memory, Model([PROPOSED]), sessions=["s"]).admitted == 1


def test_a_second_run_asks_nothing(memory):
    told(memory, DECISION)
    model = Model([PROPOSED])
    ask(memory, model)
    before = memory.rows("*")
    for wish in ({}, {"everything": True}, {"sessions": ["s"]}):
        assert ask(memory, model, **wish).calls == 0
    assert memory.rows("*") == before and len(model.prompts) == 1


def test_a_resumed_session_is_asked_about_what_is_new(memory):
    told(memory, DECISION)
    ask(memory, Model([PROPOSED]))
    told(memory, "and let's do the exporter in Elixir then")
    model = Model([proposal("We do the exporter in Elixir", [2])])
    assert ask(memory, model).admitted == 1
    assert "exporter" in model.prompts[0] and DECISION in model.prompts[0], "what came before is context"
    assert [text for text, _ in made(memory)] == ["We use Rust for the importer", "We do the exporter in Elixir"]


def test_a_session_without_words_costs_no_call(memory):
    told(memory, "yes", "hm ok", "fix it")
    memory.say("I changed three files and ran the tests.", role="assistant")
    model = Model([PROPOSED])
    assert ask(memory, model).calls == 0
    assert status(memory)[0].waiting == 0


def test_refusals_are_counted_by_reason(memory):
    told(memory, "The staging port is 8443.", DECISION)
    outcome = ask(
        memory,
        Model(
            [
                proposal("We use Rust for the importer", [99]),
                proposal("We use Go for the importer", [2]),
                proposal("We use Rust for the importer", [2], confidence=0.2),
                proposal("Staging uses port 8443", [1]),
                proposal("We use Rust for the importer", [2]),
            ]
        ),
    )
    assert outcome.admitted == 1
    assert outcome.refused == {
        "cites a message that does not exist": 1,
        "not supported by the cited messages": 1,
        "below the confidence floor": 1,
        "already captured": 1,
    }
    found, shown = status(memory)
    assert found.spending.refused == outcome.refused
    assert "1 admitted; refused: 1 already captured, 1 below the confidence floor, 1 cites" in shown


# Slots


def test_a_correction_supersedes_exactly_the_slot_it_names(memory):
    told(memory, "The importer language is Python.", "The exporter language is Python.", "I prefer short answers.")
    told(memory, "let's go with Rust there after all", session="t")
    one = proposal("We go with Rust after all", [1], corrects="fact:the importer language")
    model = Model([], [one])
    assert ask(memory, model, sessions=["s"]).calls == 1
    assert ask(memory, model).admitted == 1
    assert dict(memory.statements()) == {
        "The importer language is Python": "superseded",
        "The exporter language is Python": "active",
        "I prefer short answers": "active",
        "We go with Rust after all": "active",
    }
    answers = " | ".join(memory.ask("what is the importer language?"))
    assert "Python" not in answers.replace("The exporter language is Python", "")


def test_the_same_slot_supersedes_and_what_was_said_last_stands(memory):
    told(memory, "so let's use Vim as the editor here", session="a")
    told(memory, "hm no, Helix as the editor is what we use", session="b")
    one, other = proposal("We use Vim as the editor", [1]), proposal("We use Helix as the editor", [1])
    model = Model([{**other, "slot": "user preferred editor"}], [{**one, "slot": "user preferred editor"}])
    assert ask(memory, model).admitted == 2, "the newest session is asked about first"
    assert dict(made(memory)) == {"We use Vim as the editor": "superseded", "We use Helix as the editor": "active"}
    assert memory.rows("DISTINCT canonical_key", "provenance = 'stage2'") == [("fact:user preferred editor",)]


def test_stage_1_corrects_what_stage_2_found(memory):
    told(memory, DECISION)
    ask(memory, Model([PROPOSED]))
    told(memory, "Actually, the importer language is Zig.", session="t")
    ask(memory, Model([]))
    assert made(memory) == [("We use Rust for the importer", "superseded")]


def test_what_was_said_after_stage_2_s_finding_stands(memory):
    told(memory, DECISION)
    told(memory, "The importer language is Zig.", session="t")
    ask(memory, Model([], [PROPOSED]))
    assert dict(memory.statements())["The importer language is Zig"] == "active"
    assert made(memory) in ([("We use Rust for the importer", "superseded")], [])


# Failures

FAILURES = [
    LLMError("claude: 401: Invalid API key"),
    RuntimeError("a client of somebody's own"),
    OSError("connection reset"),
    "I would rather not.",
    "",
    '{"memories": "none"}',
]


@pytest.mark.parametrize("failure", FAILURES, ids=str)
def test_a_failed_call_leaves_stage_1_s_result_whole_and_says_so(memory, failure):
    told(memory, "The staging port is 8443.", DECISION)
    outcome = ask(memory, Model(failure))
    assert outcome.calls == 1 and len(outcome.failed) == 1
    assert memory.statements() == [("The staging port is 8443", "active")]
    assert len(memory.rows("id", "family = 'message'")) == 2
    found, shown = status(memory)
    assert found.waiting == 1 and found.spending.last_error
    assert found.spending.last_error in shown and "1 session waits" in shown
    assert worker.pending(memory.paths, memory.config, open_graph(memory.paths.graph_db)) == [], "Stage 2 alone waits"


def test_three_calls_and_no_more_are_made_about_a_session_that_fails(memory, monkeypatch):
    told(memory, DECISION)
    model = Model(LLMError("529"))
    now = [time.time()]
    monkeypatch.setattr(stage2.time, "time", lambda: now[0])
    made_at = []
    for _ in range(60):
        before = len(model.prompts)
        ask(memory, model)
        made_at += [now[0]] * (len(model.prompts) - before)
        now[0] += 300
    assert len(model.prompts) == 3
    waits = [later - earlier for earlier, later in pairwise(made_at)]
    assert waits[0] >= 600 and waits[1] >= 3_600
    found, shown = status(memory)
    assert found.given_up == 1 and "tries again" in shown
    assert ask(memory, model, everything=True).calls == 1, "a person insists"
    model.answers = [[PROPOSED]]
    assert ask(memory, model, everything=True).admitted == 1
    assert status(memory)[0].waiting == 0


def test_an_error_on_one_piece_does_not_lose_the_others(new_memory):
    memory = new_memory(stage2_enabled=True, stage2_max_messages=2)
    told(memory, DECISION, "nothing to see in here", "and let's do the exporter in Elixir then", "nor is there here")
    model = Model(LLMError("529"), [proposal("We do the exporter in Elixir", [1])])
    assert ask(memory, model).admitted == 1
    assert status(memory)[0].waiting == 1
    model.answers = [[PROPOSED]]
    assert ask(memory, model).admitted == 1
    assert {text for text, _ in made(memory)} == {"We do the exporter in Elixir", "We use Rust for the importer"}
    assert "exporter" not in model.prompts[-1].split("MESSAGES")[-1], "only what failed is asked about again"


def test_a_service_that_is_down_is_not_asked_about_every_session(memory):
    for n in range(8):
        told(memory, DECISION, session=f"s{n}")
    model = Model(LLMError("ECONNREFUSED"))
    ask(memory, model)
    assert len(model.prompts) == stage2.FAILURES_IN_A_ROW
    assert status(memory)[0].waiting == 8


@pytest.mark.report("AWHM-P080")
def test_the_calls_of_a_day_are_capped(new_memory):
    memory = new_memory(stage2_enabled=True, stage2_max_calls_per_day=3)
    for n in range(5):
        told(memory, f"let's go with Rust for importer {n} then", session=f"s{n}")
    model = Model([])
    outcome = ask(memory, model)
    assert (outcome.calls, outcome.capped, outcome.waiting) == (3, True, 2)
    assert ask(memory, model, everything=True).calls == 0
    assert "3 of 3 calls" in status(memory)[1]


# Safety


def test_a_rebuilt_graph_has_the_same_memories_and_asks_nobody(memory):
    told(memory, "The staging port is 8443.", DECISION)
    told(memory, "I'd say never push on fridays please", session="t")
    model = Model([proposal("Never push on Fridays", [1], "policy")], [{**PROPOSED, "messages": [2]}])
    ask(memory, model)
    columns = "uid, text, status, provenance, canonical_key, confidence, said_at, valid_from, stage2_call"
    before = sorted(memory.rows(columns))
    for name in os.listdir(memory.paths.graph):
        os.remove(f"{memory.paths.graph}/{name}")
    for wish in ({}, {"everything": True}):
        assert ask(memory, model, **wish).calls == 0
        assert sorted(memory.rows(columns)) == before


def test_a_worker_killed_after_the_answer_loses_nothing_and_pays_once(memory, monkeypatch):
    told(memory, DECISION)
    model = Model([PROPOSED])

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(spending.Ledger, "end", killed)
        ask(memory, model)
    assert made(memory) == []
    ask(memory, model)
    assert len(made(memory)) == 1 and len(model.prompts) == 1


def test_a_worker_killed_in_a_call_is_one_of_the_three_tries(memory):
    told(memory, DECISION)
    with pytest.raises(KeyboardInterrupt):
        ask(memory, Model(KeyboardInterrupt()))
    model = Model([PROPOSED])
    assert ask(memory, model).calls == 0, "it waits"
    assert status(memory)[0].spending.total.calls == 1
    assert ask(memory, model, everything=True).admitted == 1


def test_a_deleted_stretch_or_message_takes_its_memory_with_it(memory):
    told(memory, DECISION, "and never push on fridays please")
    ask(memory, Model([PROPOSED, proposal("Never push on Fridays", [2], "policy")]))
    log = memory.paths.log_file("s")
    with open(log) as file:
        lines = file.read().splitlines()
    kept = [
        line.replace("We use Rust for the importer", f"We use {raw_log.DELETED} for the importer")
        for line in lines
        if "on fridays please" not in line
    ]
    with open(log, "w") as file:
        file.write("\n".join(kept) + "\n")
    os.remove(memory.paths.graph_db)
    ask(memory, Model([]))
    assert made(memory) == []


def test_a_message_that_waits_for_a_model_does_not_keep_stage_1_waiting(memory):
    told(memory, DECISION)
    asked, go_on = threading.Event(), threading.Event()

    class Slow(Model):
        def complete_json(self, system, user, schema):
            asked.set()
            go_on.wait(30)
            return super().complete_json(system, user, schema)

    asking = threading.Thread(target=ask, args=(memory, Slow([PROPOSED])))
    asking.start()
    assert asked.wait(30)
    memory.say("The staging port is 8443.", session="t")
    assert ask(memory, Model([PROPOSED])).calls == 0, "one process asks at a time"
    assert ("The staging port is 8443", "active") in memory.statements()
    go_on.set()
    asking.join()
    assert len(made(memory)) == 1


def test_a_session_that_ends_while_a_call_runs_is_asked_about_by_the_same_process(memory):
    told(memory, DECISION)

    class Meanwhile(Model):
        def complete_json(self, system, user, schema):
            if not self.prompts:
                told(memory, "and let's do the exporter in Elixir then", session="t")
            return super().complete_json(system, user, schema)

    model = Meanwhile([PROPOSED], [proposal("We do the exporter in Elixir", [1])])
    assert ask(memory, model).admitted == 2


def test_inside_a_call_of_its_own_nothing_is_asked(memory):
    told(memory, DECISION)
    model = Model([PROPOSED])
    for marker in ("AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"):
        wish = Wish(client=model, environ={marker: "1"}, everything=True)
        assert worker.run(memory.paths, memory.config, 5.0, stage2=wish).stage2.calls == 0
    assert model.prompts == [] and len(memory.rows("id", "family = 'message'")) == 1


def test_who_only_looks_at_the_lock_stops_nobody(memory):
    told(memory, DECISION)
    memory.paths.make(memory.paths.data_dir)
    memory.paths.make(memory.paths.meta)
    lock = locked(f"{memory.paths.meta}/{stage2.LOCK}")
    lock.__enter__()
    threading.Timer(0.2, lock.__exit__).start()
    assert ask(memory, Model([PROPOSED])).admitted == 1
