from datetime import UTC, datetime

import pytest

from awhm_hooks.graph.store import open_graph


def joined(texts):
    return " | ".join(texts).lower()


def test_a_correction_supersedes_a_fact(memory):
    memory.say("My preferred language is Python")
    memory.consolidate()
    memory.say("Actually, my preferred language is Rust", session="s2")
    memory.consolidate()
    told = joined(memory.ask("preferred language"))
    assert "rust" in told and "python" not in told
    history = joined(memory.ask("preferred language", history=True))
    assert "rust" in history and "python" in history
    assert [status for _, status in memory.statements()] == ["superseded", "active"]


def test_a_correction_supersedes_a_recent_preference(memory):
    memory.say("I prefer Python", "Actually, I prefer Rust")
    memory.consolidate()
    told = joined(memory.ask("prefer"))
    assert "rust" in told and "python" not in told


@pytest.mark.parametrize(("between", "superseded"), [(2, True), (3, False)])
def test_a_correction_reaches_three_messages_back(memory, between, superseded):
    memory.say("I prefer Python")
    memory.say(*[f"and now step {n}" for n in range(between)])
    memory.say("Actually, I prefer Rust")
    memory.consolidate()
    assert dict(memory.statements())["I prefer Python"] == ("superseded" if superseded else "active")


def test_a_correction_does_not_reach_into_another_session(memory):
    memory.say("I prefer Python", session="a")
    memory.say("Actually, I prefer Rust", session="b")
    memory.consolidate()
    assert {status for _, status in memory.statements()} == {"active"}


def test_preferences_add_up(memory):
    memory.say("I prefer tabs", "I prefer dark mode")
    memory.consolidate()
    assert [status for _, status in memory.statements()] == ["active", "active"]


def test_a_correction_of_one_fact_leaves_the_others(memory):
    memory.say("My name is Alice", "Actually, the API endpoint is https://api.example.com")
    memory.consolidate()
    assert {status for _, status in memory.statements()} == {"active"}


def test_a_second_run_changes_nothing(memory):
    memory.say("I prefer dark mode", "The staging port is 8443.")
    memory.say("Noted.", role="assistant")
    memory.consolidate()
    before = memory.rows("*")
    assert memory.consolidate().sessions == 0
    assert memory.rows("*") == before


def test_a_statement_made_twice_is_one_memory_made_stronger(memory):
    memory.say("Actually, the port is 8080", "Actually, the port is 8080")
    memory.consolidate()
    memory.say("The port is 8080.", session="later")
    memory.consolidate()
    ((text, status),) = memory.statements()
    assert (text, status) == ("the port is 8080", "active")
    assert memory.rows("access_count", "family = 'fact'") == [(2,)]
    graph = open_graph(memory.paths.graph_db)
    assert graph.db.execute("SELECT count(*) FROM sources").fetchone()[0] == 3


def test_every_message_is_a_memory_and_follows_the_one_before(memory):
    memory.say("why is search empty?")
    memory.say("The index is broken.", role="assistant")
    memory.say("No, the index is fine.")
    memory.consolidate()
    assert memory.rows("text, role, type", "family = 'message'") == [
        ("why is search empty?", "user", "episodic"),
        ("The index is broken.", "assistant", "episodic"),
        ("No, the index is fine.", "user", "episodic"),
    ]
    graph = open_graph(memory.paths.graph_db)
    assert graph.db.execute("SELECT src, dst FROM edges WHERE type = 'temporal'").fetchall() == [(1, 2), (2, 3)]


def test_what_the_assistant_guesses_is_no_statement(memory):
    memory.say("why is search empty?")
    memory.say("The endpoint is https://wrong.example.com. I prefer option B.", role="assistant")
    memory.consolidate()
    assert memory.statements() == []


def test_messages_that_said_what_is_superseded_are_history_too(memory):
    memory.say("The backup box is a Synology NAS.", session="k1")
    memory.consolidate()
    memory.say("Actually, the backup box is a TrueNAS server.", session="k2")
    memory.consolidate()
    told = joined(memory.ask("what is the backup box?"))
    assert "truenas" in told and "synology" not in told


def test_slots_keep_their_names(memory):
    memory.say("my default shell is zsh", "my default editor is Helix", "my default shell is fish")
    memory.consolidate()
    assert dict(memory.statements()) == {
        "my default shell is zsh": "superseded",
        "my default editor is Helix": "active",
        "my default shell is fish": "active",
    }


def test_an_older_session_that_comes_late_does_not_win(memory):
    memory.say("The staging port is 9443.", session="new", at=1_772_000_000.0)
    memory.consolidate()
    memory.say("The staging port is 8443.", session="old", at=1_760_000_000.0)
    memory.consolidate()
    assert dict(memory.statements()) == {"The staging port is 9443": "active", "The staging port is 8443": "superseded"}


def moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_a_fact_with_a_date_holds_from_then_on(memory):
    memory.say("The API endpoint is https://api.v1.example.com", at=moment("2026-01-10"))
    memory.say("From 2026-03-01 the API endpoint is https://api.v2.example.com", at=moment("2026-02-10"))
    memory.consolidate()
    assert not memory.rows("text", "text LIKE 'Date reference%'")

    def at(day, **more):
        return joined(memory.ask("API endpoint", now=moment(day), **more))

    assert "v1" in at("2026-02-20") and "v2." not in at("2026-02-20"), "until the day comes, the old one holds"
    assert "v2." in at("2026-03-15") and "v1" not in at("2026-03-15")
    assert "v1" in at("2026-03-15", as_of=moment("2026-02-01"))
    assert "v2." in at("2026-03-15", as_of=moment("2026-03-10"))
    assert at("2026-03-15", as_of=moment("2025-12-01")) == ""


def test_a_closed_window_is_not_current(memory):
    memory.say("The staging port is 8443 until 2026-04-10", at=moment("2026-04-01"))
    memory.consolidate()
    assert memory.rows("date(valid_to, 'unixepoch', 'localtime')", "family = 'fact'") == [("2026-04-10",)]
    assert "8443" in joined(memory.ask("staging port", now=moment("2026-04-09")))


def test_numbers_are_no_entities_and_names_are(new_memory):
    memory = new_memory(ner_labels=("PERSON", "ORG", "GPE"))
    memory.say("Alice works at Google in London and bought 3 laptops")
    memory.consolidate()
    names = [text for (text,) in memory.rows("text", "family = 'entity'")]
    assert any(name.startswith("PERSON:") for name in names) and any(name.startswith("ORG:") for name in names)
    assert not any(name.startswith("CARDINAL:") for name in names)


def test_spellings_of_one_name_are_one_entity_and_lead_to_its_statements(new_memory):
    memory = new_memory(ner_labels=("ORG",))
    memory.say("My biggest client is Acme Corporation", "The Acme contract number is A-17", "The weather is nice")
    memory.consolidate()
    entities = memory.rows("id, text", "family = 'entity'")
    assert len(entities) == 1, entities
    graph = open_graph(memory.paths.graph_db)
    linked = {
        text
        for (text,) in graph.db.execute(
            "SELECT n.text FROM edges e JOIN nodes n ON n.id = e.src WHERE e.type = 'association' AND e.dst = ?",
            (entities[0][0],),
        )
    }
    assert {text for text, _ in memory.statements() if "acme" in text.lower()} == linked


def test_a_session_without_messages_is_done(memory):
    from awhm_hooks.journal import raw_log

    raw_log.append_mark(memory.paths, "empty", raw_log.START, memory.at, "/p", {})
    assert memory.consolidate().sessions == 1
    assert memory.consolidate().sessions == 0
