"""The reference's behaviours (AWHM Lite; its data is in tests/data, MIT, licence beside it).

Rows tagged "run" are what the reference happens to do. Where we differ on purpose, the test says why.
Canonical keys, corrections, supersession and patterns of the wider file are held by tests/journal.
"""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import wait_for_worker

from awhm_hooks.consolidate import dates
from awhm_hooks.consolidate.entities import EntityIndex, normalise
from awhm_hooks.graph import strength
from awhm_hooks.graph.model import FACT
from awhm_hooks.graph.store import open_graph
from awhm_hooks.graph.validity import valid_at
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import raw_log, slots
from awhm_hooks.journal.patterns import capture
from awhm_hooks.manage.settings import hook_settings
from awhm_hooks.paths import Paths, decode_name, encode_name
from awhm_hooks.recall import lexical
from awhm_hooks.recall.tokens import tokenise

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "awhm_lite_test_cases.json").read_text("utf-8"))
WIDER = json.loads((DATA / "awhm_lite_conformance.json").read_text("utf-8"))
BY_WORDS = {"AWHM_SEMANTIC": "0"}


def rows(area, *path):
    for name in path:
        area = area[name]
    return pytest.mark.parametrize("row", area, ids=lambda row: str(row)[:60])


def moment(day):
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() if day else None


def day(found):
    return found.date().isoformat() if found else None


# What is said.


@rows(CASES, "patterns", "cases")
def test_patterns(row):
    """A correction is no family of its own here: it is the fact or preference that it corrects, and marked."""
    said = [*capture(row["text"])]
    if row["expect_type"] is None:
        assert said == []
    elif row["expect_type"] == "correction":
        assert [one.is_correction for one in said] == [True]
    else:
        families = {"preference", "policy"} if row["expect_type"] == "preference" else {row["expect_type"]}
        assert [one.family in families for one in said] == [True], "policies are preferences there"


@rows(CASES, "canonical_keys", "cases")
def test_canonical_keys(row):
    assert slots.canonical_key(row["text"]) == row["key"]


@rows(CASES, "correction_prefix", "cases")
def test_corrections(row):
    stripped, is_correction = slots.strip_correction(row["text"])
    assert (row.get("stripped", stripped), row["is_correction"]) == (stripped, is_correction)


@rows(CASES, "supersedes", "cases")
def test_supersession(row):
    *arguments, expected = row
    assert slots.supersedes(*arguments) is expected


# Entities.


DIFFERENT_NORMAL_FORMS = {
    "v1.2": "a version is no domain",
    "München GmbH": "letters of every script count",
    "小明": "letters of every script count",
}


@rows(WIDER["entity_normalisation"])
def test_entities_are_normalised(row):
    if row["input"] in DIFFERENT_NORMAL_FORMS:
        assert row["source"] == "run" and normalise(row["input"]) != row["output"]
    else:
        assert normalise(row["input"]) == row["output"]


@rows(CASES, "normalize_entity", "cases")
def test_entities_are_normalised_as_tested_there(row):
    assert normalise(row[0]) == row[1]


@pytest.fixture(scope="module")
def entities():
    known = CASES["resolve_entity"]["known"]
    names = {number: surface for number, (_, _, surface) in enumerate(known, 1)}
    return EntityIndex((number, label, surface, ()) for number, (_, label, surface) in enumerate(known, 1)), names


@rows(CASES, "resolve_entity", "cases")
def test_entities_resolve(entities, row):
    mention, label, expected = row
    index, names = entities
    found = index.resolve(mention, label)
    assert (normalise(names[found]) if found else None) == expected


@rows(WIDER, "entity_resolution", "cases")
def test_entities_resolve_as_in_the_wider_file(entities, row):
    index, names = entities
    assert names.get(index.resolve(row["mention"], row["label"])) == row["resolves_to"]


@rows(WIDER, "entity_resolution", "mentions")
def test_mentions_are_found(entities, row):
    text, expected = row
    index, names = entities
    assert [names[node] for node in index.mentions(text)] == expected


def test_an_alias_is_registered_once(entities):
    index, names = entities
    assert index.register(1, "ORG", "Acme Holdings") is True
    assert index.register(1, "ORG", "Acme Holdings") is False
    assert names[index.resolve("Acme Holdings", "ORG")] == "Acme"


# Time.


@rows([*CASES["validity"]["cases"], *WIDER["validity"]])
def test_dates_bound_what_holds(row):
    """Without a date a statement holds from when it was said, not from when it was consolidated as there."""
    text = row.get("text") or row["input"]
    expected = [row.get(name, row.get(f"{name}_date")) for name in ("valid_from", "valid_to")]
    begin, end = dates.validity(text, datetime(2026, 2, 20, 12, tzinfo=UTC))
    assert [day(begin), day(end)] == expected


@rows(WIDER, "valid_at_half_open")
def test_windows_are_half_open(row):
    assert valid_at(moment(row["valid_from"]), moment(row["valid_to"]), moment(row["moment"])) is row["valid"]


def test_the_past_is_answered_as_of_a_day(memory):
    writer = open_writer(memory.paths)
    with writer.transaction():
        for number, (text, status, begin, end) in enumerate(WIDER["as_of_queries"]["graph"]):
            window = {"valid_from": moment(begin), "valid_to": moment(end)}
            writer.add_node(
                FACT, text, uid=str(number), scope=1, said_at=moment(begin), status=status, confidence=0.8, **window
            )
    writer.db.close()
    for when, expected in WIDER["as_of_queries"]["results"].items():
        as_of = None if when == "now" else moment(when)
        query = WIDER["as_of_queries"]["query"]
        assert memory.ask(query, now=moment("2026-06-01"), as_of=as_of) == expected, when


def test_a_dated_fact_is_found_when_it_holds(memory):
    case = CASES["validity"]["as_of"]
    memory.say(*case["log"], at=moment("2026-02-20"))
    memory.consolidate()
    for when, expected in case["expect"].items():
        found = " ".join(memory.ask(case["query"], now=moment("2026-06-01"), as_of=moment(when) + 43_200))
        assert all(part in found for part in expected) and bool(found) is bool(expected), when


# Strength and BM25.


@rows(WIDER, "strength", "recency_values")
def test_recency(row):
    assert strength.recency(row["hours"]) == pytest.approx(row["value"], abs=1e-6)


def test_an_access_in_the_future_counts_as_now():
    assert strength.recency(-5) == WIDER["strength"]["future_last_accessed"]


@rows(WIDER, "strength", "frequency")
def test_frequency(row):
    assert strength.frequency(row["access_count"], row["p90"]) == row["value"]


def test_strength_is_their_blend():
    example = WIDER["strength"]["p90_example"]
    assert strength.p90(example["counts"]) == example["p90"]
    expected = 0.4 * strength.recency(24) + 0.6 * strength.frequency(5, 10)
    assert strength.strength(24, 5, 10) == pytest.approx(expected)


@rows(WIDER, "bm25", "cases")
def test_bm25(tmp_path, monkeypatch, row):
    """With the reference's k1 and b: ours are tuned to turns of a chat, whose length says little.

    Words with a capital inside are lower-cased first: an identifier counts whole and in its parts here.
    """
    monkeypatch.setattr(lexical, "K1", WIDER["bm25"]["k1"])
    monkeypatch.setattr(lexical, "B", WIDER["bm25"]["b"])
    writer = open_writer(Paths(str(tmp_path)))
    with writer.transaction():
        for number, text in enumerate(row["docs"]):
            writer.add_node(FACT, text.replace("JavaScript", "javascript"), uid=str(number), scope=1, said_at=1.0)
    found = lexical.search(writer, [1], tokenise(row["query"])).scores
    writer.db.close()
    scores = [found.get(number, 0.0) for number in range(1, len(row["docs"]) + 1)]
    assert scores == pytest.approx(row.get("scores", [0.0] * len(row["docs"])), abs=2e-6)
    if "first" in row:
        assert scores.index(max(scores)) == row["first"]


# Scenarios. Those of snapshots and of older graph files are held by tests/manage.


SCENARIOS = {row["name"]: SimpleNamespace(**row) for row in WIDER["scenarios"]}


def played(memory, name):
    """Say and consolidate as the scenario has it; its expectation."""
    for number, step in enumerate(SCENARIOS[name].given):
        if step.startswith("<consolidate"):
            memory.consolidate()
        else:
            memory.say(step, session=f"s{number}" if "<consolidate>" in SCENARIOS[name].given[:number] else "s")
    return SCENARIOS[name].expect


@pytest.mark.parametrize("name", ["correction-supersedes-fact", "correction-supersedes-recent-preference"])
def test_a_correction_wins(memory, name):
    expect = played(memory, name)
    found = " ".join(memory.ask(expect["query"])).lower()
    assert all(part in found for part in expect["contains"])
    assert not any(part in found for part in expect["lacks"])
    history = " ".join(memory.ask(expect["query"], history=True)).lower()
    assert all(part in history for part in expect.get("with_history_contains", []))
    if "statuses_of_slot" in expect:
        assert [status for _, status in memory.statements()] == expect["statuses_of_slot"]


def test_preferences_add_up(memory):
    assert played(memory, "preferences-additive") == {"all_active": True}
    assert [status for _, status in memory.statements()] == ["active", "active"]


def test_a_second_pass_changes_nothing(memory):
    memory.say("I prefer dark mode")
    memory.consolidate()
    nodes = memory.rows("*")
    assert memory.consolidate().sessions == SCENARIOS["consolidate-idempotent"].expect["second_pass_sessions"]
    assert memory.rows("*") == nodes


def test_what_is_said_twice_is_one_statement(memory):
    expect = played(memory, "duplicate-message-extracted-once")
    memory.consolidate()
    assert len(memory.statements()) == expect["correction_extractions"]


def test_a_date_is_no_memory_of_its_own(memory):
    expect = played(memory, "date-enriches-not-node")
    assert memory.rows("id", f"text LIKE '{expect['no_node_starts_with']}%'") == []
    assert memory.rows("date(valid_from, 'unixepoch', 'localtime')", "family = 'fact'") == [
        (expect["valid_from_date"],)
    ]


def test_numbers_are_no_entities(new_memory):
    memory = new_memory(ner_labels=("PERSON", "ORG", "GPE"))
    expect = played(memory, "numeric-entities-dropped")
    names = [text for (text,) in memory.rows("text", "family = 'entity'")]
    assert all(any(name.startswith(prefix) for name in names) for prefix in expect["has_prefix"])
    assert not any(name.startswith(prefix) for name in names for prefix in expect["no_prefix"])


# Hooks, as processes.


def payload(event, **fields):
    return {"session_id": "h1", "cwd": "/p", "hook_event_name": event, **fields}


def messages(data_dir, session="h1"):
    log = Paths(str(data_dir)).log_file(f"claude-{session}")
    return [record for record in raw_log.read(log) if record.kind == "message"]


def test_the_sequence_over_several_processes(hook, data_dir):
    for step in CASES["hooks"]["sequence"]:
        if step["hook"] == "stop":
            hook("stop", payload("Stop", last_assistant_message=step["last_assistant_message"]), BY_WORDS)
            continue
        context = hook("prompt", payload("UserPromptSubmit", prompt=step["prompt"]), BY_WORDS).context
        assert step.get("expect_context_contains", "") in context
    assert [record.role for record in messages(data_dir)] == ["user", "assistant", "user"]


def test_the_prompt_is_read_from_user_prompt_else_from_prompt(hook, data_dir):
    hook("prompt", payload("UserPromptSubmit", user_prompt="the first of the two", prompt="not this"), BY_WORDS)
    hook("prompt", payload("UserPromptSubmit", prompt="the second of them"), BY_WORDS)
    assert [record.text for record in messages(data_dir)] == ["the first of the two", "the second of them"]


def test_a_reply_is_logged_once(hook, data_dir):
    for _ in range(2):
        hook("stop", payload("Stop", last_assistant_message="Nice to meet you."))
    assert [record.text for record in messages(data_dir)] == ["Nice to meet you."]


def test_the_end_of_a_session_consolidates_it_and_its_wal_goes(hook, data_dir):
    hook("prompt", payload("UserPromptSubmit", prompt="The API endpoint is https://api.example.com"), BY_WORDS)
    paths = Paths(str(data_dir))
    assert os.path.exists(paths.wal_file("claude-h1"))
    hook("session-end", payload("SessionEnd", reason="other"), BY_WORDS)
    wait_for_worker(data_dir)
    graph = open_graph(paths.graph_db)
    assert graph.db.execute("SELECT count(*) FROM nodes").fetchone()[0] >= 1
    graph.close()
    deadline = time.monotonic() + 10
    while os.path.exists(paths.wal_file("claude-h1")):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_bad_input_is_silence(hook):
    done = hook("prompt", b"this is no JSON")
    assert (done.returncode, done.stdout) == (0, b"")


def test_inside_a_call_of_our_own_nothing_is_logged(hook, data_dir):
    done = hook("prompt", payload("UserPromptSubmit", prompt="My name is Alice"), {"AWHM_HOOK_ACTIVE": "1"})
    assert (done.returncode, done.stdout) == (0, b"")
    assert not data_dir.exists()


def test_the_settings_name_each_hook_once_in_seconds():
    """SessionStart is ours besides (it adopts what a killed session left), and the timeouts are shorter."""
    block = hook_settings("/opt/awhm")["hooks"]
    assert set(block) == {"UserPromptSubmit", "Stop", "SessionEnd", "SessionStart"}
    for (group,) in block.values():
        (handler,) = group["hooks"]
        assert handler["command"] == "/opt/awhm" and handler["args"][0] == "hook"
        assert 1 <= handler["timeout"] <= 60


@pytest.mark.parametrize("session", ["a/h1", "with space", "../up", "ünï", ".", "", "%41"])
def test_session_ids_become_one_file_name_and_come_back(session):
    name = encode_name(session)
    assert "/" not in name and name not in (".", "..")
    assert decode_name(name) == session
