import json
import os
import shutil
import time

import pytest
from deletions import delete, found_in, hook_says, log_lines, uid_of
from pictures import picture

from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.graph.store import open_graph
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import deletion, snapshots
from awhm_hooks.manage.deletion_selection import Selection
from awhm_hooks.recall.vectors import ZERO

# What goes and what stays.


def test_a_message_equal_to_the_text_goes_whole_and_a_longer_one_loses_the_stretch(memory):
    memory.say("The client is Northwind", "The client is Northwind. I prefer tabs.")
    memory.say("Actually, the client is NORTHWIND!")
    memory.say("Sure: Northwind's invoice is ready.", role="assistant")
    memory.consolidate()
    outcome = delete(memory, match="northwind")
    assert log_lines(memory, "s") == ["[deleted]. I prefer tabs.", "Sure: [deleted]'s invoice is ready."]
    assert memory.rows("text") == [
        ("[deleted]. I prefer tabs.",),
        ("I prefer tabs",),
        ("Sure: [deleted]'s invoice is ready.",),
    ]
    assert (outcome.logs.log_messages, outcome.logs.log_spans) == (2, 2)
    assert outcome.scanned.findings == [] and found_in(memory, "northwind") == set()


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ("Der Kunde ist Müller & Söhne.", "MÜLLER & SÖHNE"),
        ("Mu\u0308ller zahlt spät.", "müller"),
        ("The client\nis   Northwind\tLtd, they say.", "client is northwind ltd"),
        ("客户是北风公司，预算未定。", "北风公司"),
        ('He said "the code is 7" and left.', '"the code is 7"'),
        ("STRASSE 12 is the address.", "straße 12"),
        ("the path is C:\\temp\\north and more", "c:\\temp\\north"),
        ("two emoji 🦒🦓 here", "🦒🦓"),
    ],
)
def test_a_match_knows_letters_whatever_their_case_form_or_spacing(memory, said, match):
    memory.say(said, role="assistant")
    memory.consolidate()
    outcome = delete(memory, match=match)
    assert outcome.logs.log_messages + outcome.logs.log_spans == 1
    assert "[deleted]" in log_lines(memory, "s")[0] if outcome.logs.log_spans else log_lines(memory, "s") == []
    assert outcome.scanned.real() == []
    assert deletion.verify(memory.paths, memory.config, [said]).real() == []


def test_a_statement_deleted_by_its_id_leaves_what_else_the_message_said(memory):
    memory.say("My name is Alice. The staging port is 8443.", "The staging port is 8443, as I said.")
    memory.say("The staging port is 8443.", role="assistant")
    memory.consolidate()
    outcome = delete(memory, ids=(uid_of(memory, "The staging port is 8443"),))
    assert log_lines(memory, "s")[0] == "My name is Alice. [deleted]."
    assert log_lines(memory, "s")[-1] == "The staging port is 8443.", "another message, which was not named"
    assert ("My name is Alice", "active") in memory.statements()
    assert not any("8443" in text for text, _ in memory.statements())
    assert outcome.scanned.real(), "and the scan says that the words stand elsewhere"


def test_one_message_deleted_by_its_id_leaves_its_twin(memory):
    memory.say("go on with the plan", "go on with the plan")
    memory.consolidate()
    (first,), (second,) = memory.rows("uid")
    assert delete(memory, ids=(first,)).graph.messages == 1
    assert memory.rows("uid") == [(second,)]
    assert log_lines(memory, "s") == ["go on with the plan"]


def test_ids_may_be_shortened_and_an_unknown_one_deletes_nothing(memory):
    memory.say("The staging port is 8443.")
    memory.consolidate()
    uid = uid_of(memory, "The staging port is 8443")
    before = memory.rows("*")
    for ids in (("nosuchid",), (uid, "nosuchid"), (uid[:3],)):
        with pytest.raises(AwhmError, match="0 deleted"):
            delete(memory, ids=ids)
    assert memory.rows("*") == before
    assert delete(memory, ids=(uid[:8],)).graph.statements == 1


@pytest.mark.parametrize("selection", [{}, {"ids": ("abcd",), "match": "x"}, {"match": "x"}])
def test_a_selection_that_means_nothing_is_wrong_usage(memory, selection):
    memory.say("hello there")
    memory.consolidate()
    with pytest.raises(UsageError):
        delete(memory, **selection)


def test_a_session_goes_with_its_logs_and_what_only_it_said(memory):
    memory.say("The client is Northwind", "I prefer tabs", session="claude-1")
    memory.say("I prefer tabs", "The staging port is 8443.", session="claude-2")
    memory.consolidate()
    delete(memory, session="1")
    assert [name for name in os.listdir(memory.paths.logs)] == ["claude-2.jsonl"]
    assert memory.statements() == [("I prefer tabs", "active"), ("The staging port is 8443", "active")]
    assert memory.rows("DISTINCT session") == [("claude-2",)]
    with pytest.raises(AwhmError, match="0 deleted"):
        delete(memory, session="1")


def test_a_project_goes_and_the_others_stay(memory):
    memory.say("The client is Northwind", session="a", project="/p")
    memory.say("The client is Southwind", session="b", project="/q")
    memory.consolidate()
    delete(memory, project="/p")
    assert memory.rows("DISTINCT project") == [("/q",)]
    assert found_in(memory, "northwind") == set() and os.listdir(memory.paths.logs) == ["b.jsonl"]
    graph = open_graph(memory.paths.graph_db)
    assert graph.db.execute("SELECT key FROM scopes ORDER BY id").fetchall() == [("user",), ("/q",)]


def test_what_was_said_since_a_day_goes(memory):
    memory.say("The staging port is 8443.", at=1_772_000_000.0)
    memory.say("Actually, the staging port is 9443.", at=1_772_100_000.0)
    memory.consolidate()
    outcome = delete(memory, since=1_772_050_000.0)
    assert memory.statements() == [("The staging port is 8443", "active")], "what it had superseded holds again"
    assert outcome.graph.revived == 1
    assert memory.ask("which staging port?")[0] == "The staging port is 8443"


def test_conditions_add_up(memory):
    memory.say("The client is Northwind", session="a", project="/p")
    memory.say("The client is Northwind", session="b", project="/q")
    memory.consolidate()
    delete(memory, match="northwind", project="/p")
    assert memory.rows("project", "family = 'fact'") == [("/q",)]
    assert log_lines(memory, "a") == [] and log_lines(memory, "b") == ["The client is Northwind"]


def test_a_survey_changes_nothing_and_tells_the_same(memory):
    memory.say("The client is Northwind. I prefer tabs.")
    memory.say("Northwind it is.", role="assistant")
    memory.consolidate()
    before = picture(memory.paths), log_lines(memory, "s"), sorted(os.listdir(memory.paths.meta))
    told = deletion.survey(memory.paths, memory.config, Selection(match="northwind"), time.time()).counts()
    after = picture(memory.paths), log_lines(memory, "s"), sorted(os.listdir(memory.paths.meta))
    assert after[:2] == before[:2]
    assert delete(memory, match="northwind").counts() == told


def test_nothing_to_delete_leaves_no_trace(memory):
    memory.say("The client is Northwind")
    memory.consolidate()
    assert delete(memory, match="southwind").is_nothing()
    assert not os.path.exists(f"{memory.paths.meta}/deletion_ledger.jsonl")


def test_an_empty_data_directory_stays_empty(memory):
    assert deletion.survey(memory.paths, memory.config, Selection(match="x y"), time.time()).is_nothing()
    assert delete(memory, match="x y").is_nothing()
    with pytest.raises(AwhmError, match="0 deleted"):
        delete(memory, ids=("abcdef",))
    assert deletion.verify(memory.paths, memory.config, []).files == 0
    assert not os.path.exists(memory.paths.data_dir)


# Everywhere.


def test_it_reaches_every_place(new_memory):
    memory = new_memory(ner_labels=("ORG", "PERSON", "GPE"))
    memory.say("The client is Northwind Traders. I prefer tabs.", session="a")
    memory.consolidate()
    snapshots.create(memory.paths, time.time())
    memory.say("Thanks to Northwind Traders we are done.", session="b", role="assistant")
    note = buffers.message_record(raw_log.Appended("p9", 0, 9, "/p", False), "user", "The client is Northwind", 1.0)
    wal.append(memory.paths, "b", [note])
    shutil.copy(memory.paths.graph_db, f"{memory.paths.graph_db}.damaged-1")
    shutil.copy(memory.paths.log_file("a"), f"{memory.paths.logs}/x.jsonl.99.tmp")
    with open(memory.paths.error_log, "w") as log:
        log.write("worker ValueError: Northwind Traders is no number\nworker fine\n")
    with open(f"{memory.paths.data_dir}/notes.json", "w") as file:
        json.dump({"about": ["Northwind Traders", "others"]}, file)
    assert len(found_in(memory, "northwind")) >= 7
    outcome = delete(memory, match="northwind traders")
    delete(memory, match="northwind")
    assert found_in(memory, "northwind") == set()
    counts = outcome.counts()
    assert counts["snapshots"] == counts["damaged_copies"] == counts["error_lines"] == 1 and counts["other_files"] == 1
    assert counts["entities"] >= 1 and counts["terms"] >= 1
    assert json.load(open(f"{memory.paths.data_dir}/notes.json")) == {"about": ["[deleted]", "others"]}
    assert open(memory.paths.error_log).read() == "worker fine\n"
    assert memory.statements() == [("I prefer tabs", "active")]


def test_snapshots_are_left_alone_where_the_person_says_so(new_memory):
    memory = new_memory(delete_snapshots_on_hard_delete=False)
    memory.say("The client is Northwind")
    memory.consolidate()
    snapshots.create(memory.paths, time.time())
    outcome = delete(memory, match="northwind")
    assert len(found_in(memory, "northwind")) == 1 and len(outcome.scanned.real()) >= 1


def test_a_snapshot_without_what_was_deleted_is_still_one(memory):
    memory.say("The client is Northwind", "I prefer tabs", "Actually, the client is Southwind")
    memory.consolidate()
    made = snapshots.create(memory.paths, time.time())
    delete(memory, match="southwind")
    (listed,) = snapshots.listed(memory.paths)
    assert (listed.path, listed.created_at) == (made.path, pytest.approx(made.created_at, abs=0.001))
    assert snapshots.difference(memory.paths, made.path, None) == snapshots.Difference(made.path, memory.paths.graph_db)


def test_in_a_snapshot_too_one_memory_goes_and_its_twin_stays(memory):
    memory.say("The client is Northwind", session="a", project="/p")
    memory.say("The client is Northwind", session="b", project="/q")
    memory.consolidate()
    made = snapshots.create(memory.paths, time.time())
    ((uid,),) = memory.rows("uid", "family = 'fact' AND project = '/p'")
    assert delete(memory, ids=(uid,)).files.snapshot_nodes == 2
    nodes = json.load(open(made.path))["graph"]["nodes"].values()
    assert [(node["content"], node["project"]) for node in nodes] == [("The client is Northwind", "/q")] * 2


def test_a_snapshot_that_is_a_store_is_scrubbed_too(memory):
    memory.say("The client is Northwind. I prefer tabs.")
    memory.consolidate()
    memory.paths.make(memory.paths.snapshots)
    copy = f"{memory.paths.snapshots}/copy.sqlite"
    with open_writer(memory.paths).db as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(memory.paths.graph_db, copy)
    assert delete(memory, match="northwind").files.snapshots == 1
    assert found_in(memory, "northwind") == set()


def test_the_vector_is_overwritten_and_the_others_keep_theirs(new_memory):
    np = pytest.importorskip("numpy")
    from awhm_hooks.consolidate import vectors_write, worker

    class Embedder:
        def embed(self, texts):
            rows = np.ones((len(texts), 384), np.float32)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

        def windows(self, text):
            return [text]

    memory = new_memory(semantic=True)
    memory.say("The client is Northwind", "I prefer tabs")
    assert worker.run(memory.paths, memory.config, 5.0, embedder=Embedder()).failed == {}
    outcome = delete(memory, match="northwind")
    assert outcome.graph.vectors == 2
    graph = open_graph(memory.paths.graph_db)
    generation, count = graph.vectors_in_force()
    named = {row for (row,) in graph.db.execute("SELECT row FROM vector_rows")}
    rows = vectors_write.read_rows(memory.paths.graph, generation)
    assert count == 4 and len(named) == 2
    for row in range(count):
        assert (rows[row] == ZERO).all() == (row not in named)


def test_words_of_the_index_that_nothing_else_holds_are_gone(memory):
    memory.say("The client is Northwind", "The client pays late")
    memory.consolidate()
    delete(memory, match="the client is northwind")
    graph = open_graph(memory.paths.graph_db)
    terms = {term for (term,) in graph.db.execute("SELECT term FROM postings")}
    assert "client" in terms and "northwind" not in terms
    assert graph.db.execute("PRAGMA freelist_count").fetchone() == (0,)


# Live sessions.


def test_a_live_session_s_buffer_follows_its_log(memory):
    hook_says(memory, "My name is Alice.")
    hook_says(memory, "The client is Northwind")
    hook_says(memory, "The client is Northwind. The staging port is 8443.")
    hook_says(memory, "I prefer dark mode")
    delete(memory, match="northwind")
    folded = buffers.fold("live", wal.read_all(memory.paths.wal_file("live")), 3)
    log = memory.paths.log_file("live")
    assert [record.text for m in folded.messages for record in raw_log.read(log, m.begin, m.end)] == [
        "My name is Alice.",
        "[deleted]. The staging port is 8443.",
        "I prefer dark mode",
    ]
    said = [one.text for one in folded.statements]
    assert said == ["My name is Alice", "The staging port is 8443", "I prefer dark mode"]
    assert folded.log_end == os.path.getsize(log)
    hook_says(memory, "The production port is 443.")
    memory.consolidate()
    assert len(memory.rows("id", "family = 'message'")) == 4
    assert "The production port is 443" in memory.ask("production port")


def test_a_large_buffer_keeps_what_was_injected_and_gets_a_checkpoint(memory):
    for number in range(200):
        hook_says(memory, f"The port of service {number} is {9000 + number}. " + "filler words for size " * 12)
    wal.append(memory.paths, "live", [{"k": "i", "for": "x", "at": 1.0, "marks": [5], "uids": [], "why": []}])
    delete(memory, match="9150")
    records, _ = wal.read_tail(memory.paths.wal_file("live"))
    assert records[0]["k"] == wal.CHECKPOINT and records[0]["marks"] == [5]
    assert not any("9150" in json.dumps(record) for record in wal.read_all(memory.paths.wal_file("live")))


def test_consolidation_goes_on_where_it_was(memory):
    hook_says(memory, "The client is Northwind")
    hook_says(memory, "The staging port is 8443.")
    memory.consolidate()
    hook_says(memory, "The production port is 443.")
    delete(memory, match="northwind")
    report = memory.consolidate()
    assert report.counts["messages"] == 1, "the one that was waiting, and no other again"
    assert [text for text, _ in memory.statements()] == ["The staging port is 8443", "The production port is 443"]


def test_a_line_that_a_hook_writes_meanwhile_is_kept(memory, monkeypatch):
    """A hook that waited longer than a second for the lock writes without it, into the file that is being replaced."""
    from awhm_hooks.manage import deletion_logs

    memory.say("The client is Northwind", session="live")
    replaced = deletion_logs.write_whole

    def and_meanwhile(path, data, mode=0o600):
        if path == memory.paths.log_file("live"):
            with open(path, "ab") as log:
                log.write(b'{"kind":"message","role":"user","text":"late","at":1.0,"project":"/p","id":"late"}\n')
        replaced(path, data, mode)

    monkeypatch.setattr(deletion_logs, "write_whole", and_meanwhile)
    memory.say("hello there", session="live")
    delete(memory, match="northwind")
    assert log_lines(memory, "live") == ["hello there", "late"]
