import contextlib
import json
import os
import sqlite3
import threading
import time

import numpy as np
import pytest
from graph_state import index, state
from transcripts import FIRST_AT, Transcript

from awhm_hooks.consolidate import by_hand, vectors_write
from awhm_hooks.consolidate.tombstone_file import append, hasher
from awhm_hooks.consolidate.tombstones import Kind, Tombstone
from awhm_hooks.errors import AwhmError
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import importer, restoring, snapshots
from awhm_hooks.manage.asking import ask
from awhm_hooks.manage.importer import Wanted
from awhm_hooks.recall.vectors import WIDTH, VectorsUnusable


@pytest.fixture
def told(new_memory):
    """A day ago something was said and consolidated, and a snapshot was made."""
    memory = new_memory(semantic=False)
    memory.at = time.time() - 86_400
    memory.say("I prefer dark mode", "The staging port is 8443.", "Ask Acme about it.", project="/p")
    memory.consolidate()
    memory.snapshot = snapshots.create(memory.paths, memory.at + 600)
    memory.at += 3600
    return memory


def restore(memory, path=None, now=None):
    done = restoring.restore(memory.paths, memory.config, path, now or time.time())
    memory.consolidate()
    return done


def answers(memory, text):
    return memory.ask(text, now=time.time())


def test_what_was_said_after_the_snapshot_is_gone_from_memory_and_not_from_the_log(told):
    told.say("The server port is 8080", session="t")
    told.consolidate()
    assert answers(told, "server port 8080") != []
    before = len(told.rows("id"))
    done = restore(told)
    assert (done.nodes, done.set_aside) == (before - 2, 1)
    assert not any("8080" in text for text in answers(told, "server port 8080"))
    assert "The server port is 8080" in open(told.paths.log_file("t")).read()


def test_it_stays_gone_when_the_store_is_made_anew(told):
    told.say("The server port is 8080", session="t")
    told.say("The server host is db1", session="s")
    told.consolidate()
    restore(told)
    expected = state(told.paths)
    os.unlink(told.paths.graph_db)
    told.consolidate()
    assert state(told.paths) == expected


def test_what_is_said_after_the_restore_is_remembered(told):
    told.say("The server port is 8080", session="s")
    told.consolidate()
    restore(told)
    told.say("The server port is 9090", session="s", at=time.time())
    told.consolidate()
    assert answers(told, "server port")[:1] == ["The server port is 9090"]
    assert ("The server port is 8080", "active") not in told.statements()


def test_what_was_said_before_the_snapshot_and_waited_is_consolidated_now(told):
    told.say("The gateway port is 22.", session="t", at=told.snapshot.created_at - 60)
    restore(told)
    assert "The gateway port is 22" in answers(told, "gateway port")


def test_the_state_until_now_is_kept_and_can_be_brought_back(told):
    told.say("The server port is 8080", session="t")
    told.consolidate()
    expected = state(told.paths)
    done = restore(told)
    assert [one.reason for one in snapshots.listed(told.paths)].count(snapshots.BEFORE_RESTORE) == 1
    restore(told, done.kept)
    assert state(told.paths) == expected
    os.unlink(told.paths.graph_db)
    told.consolidate()
    assert state(told.paths) == expected


def test_the_newest_asked_for_is_the_default_and_not_the_state_before_a_restore(told):
    restore(told)
    assert restore(told).path == told.snapshot.path


def test_a_snapshot_of_a_restored_state_does_not_bring_back_what_was_set_aside(told):
    told.say("The server port is 8080", session="t", at=time.time() - 3600)
    told.consolidate()
    restore(told, now=time.time() - 1800)
    later = snapshots.create(told.paths, time.time() - 900)
    done = restore(told, later.path)
    assert done.set_aside == 1
    assert ("The server port is 8080", "active") not in told.statements()


def test_an_open_session_s_buffer_forgets_it_too(told):
    """The write-ahead log of a session that is going on holds the statement as well, and the raw log would heal it."""
    now = time.time()
    text = "The server port is 8080"
    appended = raw_log.append_message(told.paths, "t", raw_log.USER, text, now - 60, "q1", "/p", "/p")
    said = buffers.message_record(appended, raw_log.USER, text, now - 60)
    wal.append(told.paths, "t", [said, {"k": wal.INJECTION, "for": "q1", "at": now, "marks": [7], "uids": []}])
    assert text in answers(told, "server port")
    restoring.restore(told.paths, told.config, None, now)
    assert not any("8080" in one for one in answers(told, "server port"))
    folded = buffers.fold("t", wal.read_tail(told.paths.wal_file("t"))[0], 3)
    assert folded.injected == {7}, "the context window is what it was"
    assert buffers.heal(told.paths, folded, os.path.getsize(told.paths.log_file("t"))) == []
    os.unlink(told.paths.wal_file("t"))
    size = os.path.getsize(told.paths.log_file("t"))
    assert buffers.heal(told.paths, buffers.Buffer("t"), size) == []


def test_what_was_injected_stays_noted(told):
    told.say("Which port?", session="t")
    wal.append(told.paths, "t", [{"k": "i", "at": 1.0, "marks": [7, 8], "uids": []}])
    told.consolidate()
    restore(told)
    with contextlib.closing(sqlite3.connect(told.paths.graph_db)) as db:
        assert db.execute("SELECT mark FROM injections WHERE session = 't' ORDER BY 1").fetchall() == [(7,), (8,)]


def test_a_retraction_after_the_snapshot_is_undone(told):
    ((uid,),) = told.rows("uid", "family = 'fact'")
    raw_log.append_lines(
        told.paths,
        by_hand.SESSION,
        [{"kind": by_hand.RETRACT, "at": told.at, "node": uid, "why": "wrong", "id": "r1"}],
    )
    told.consolidate()
    assert told.rows("status", "family = 'fact'") == [("retracted",)]
    kept = restore(told).kept
    assert told.rows("status", "family = 'fact'") == [("active",)]
    restore(told, kept)
    assert told.rows("status", "family = 'fact'") == [("retracted",)]


def test_an_import_is_undone_and_can_be_done_again(told, tmp_path):
    """What was imported after the snapshot was said long before it."""
    expected = state(told.paths)
    path = Transcript(tmp_path / "old.jsonl", "old", "/p").user("The server port is 8080").user("ok").write()

    def import_again():
        found = importer.import_transcripts(told.paths, told.config, [path], Wanted(), time.time())
        told.consolidate()
        return found.total("new")

    assert import_again() == 2
    assert "The server port is 8080" in answers(told, "server port")
    assert restore(told).set_aside == 2
    assert state(told.paths) == expected
    assert import_again() == 2, "a person who imports it again wants it"
    assert "The server port is 8080" in answers(told, "server port")
    assert import_again() == 0
    assert told.rows("said_at", "text = 'The server port is 8080' AND family = 'fact'") == [(FIRST_AT + 60,)]


# Damage.

DAMAGES = {
    "truncated": lambda data: data[: len(data) // 3],
    "flipped": lambda data: bytes(byte ^ (0xFF if at % 997 == 0 and at >= 4096 else 0) for at, byte in enumerate(data)),
    "junk": lambda data: b"junk" * 4000,
    "empty": lambda data: b"",
    "gone": lambda data: None,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_restore_brings_everything_back_after(told, damage):
    expected, postings = state(told.paths), index(told.paths)
    for name in os.listdir(told.paths.logs):  # not even the raw logs are left
        os.unlink(f"{told.paths.logs}/{name}")
    path = told.paths.graph_db
    damaged = DAMAGES[damage](open(path, "rb").read())
    os.unlink(path)
    if damaged is not None:
        with open(path, "wb") as file:
            file.write(damaged)
    done = restore(told)
    assert state(told.paths) == expected
    assert index(told.paths) == postings
    assert "The staging port is 8443" in answers(told, "staging port")
    if damage in ("truncated", "flipped", "junk"):
        assert open(done.kept, "rb").read() == damaged, "the damaged file is kept, byte for byte"


def test_a_snapshot_that_is_cut_off_changes_nothing(told):
    with open(told.snapshot.path, "r+b") as file:
        file.truncate(told.snapshot.size - 40)
    expected = state(told.paths)
    names = sorted(os.listdir(told.paths.snapshots))
    with pytest.raises(AwhmError, match="no graph"):
        restore(told)
    assert state(told.paths) == expected
    assert sorted(os.listdir(told.paths.snapshots)) == names


def test_without_a_snapshot_there_is_nothing_to_restore(memory):
    with pytest.raises(AwhmError, match="no snapshot yet"):
        restoring.restore(memory.paths, memory.config, None, 1.0)
    assert not os.path.exists(memory.paths.data_dir)


def test_the_index_is_made_for_what_was_restored(told):
    expected = index(told.paths)
    told.say("The server port is 8080", session="t")
    told.consolidate()
    restore(told)
    assert index(told.paths) == expected


def test_leftovers_of_a_killed_restore_are_removed(told):
    os.makedirs(f"{told.paths.graph}/restoring-x/graph")
    restore(told)
    assert [name for name in os.listdir(told.paths.graph) if name.startswith("restoring-")] == []


def test_readers_see_the_old_state_or_the_new_one(told):
    for number in range(30):
        told.say(f"The port of service {number} is {4000 + number}.", session=f"t{number}")
    told.consolidate()
    counts, stop = set(), threading.Event()

    def read():
        while not stop.is_set():
            with contextlib.closing(sqlite3.connect(told.paths.graph_db)) as db:
                db.execute("BEGIN")
                nodes = db.execute("SELECT count(*) FROM nodes").fetchone()[0]
                docs = db.execute("SELECT sum(docs) FROM scopes").fetchone()[0]
                counts.add((nodes, docs))

    thread = threading.Thread(target=read)
    before = len(told.rows("id"))
    thread.start()
    try:
        done = restoring.restore(told.paths, told.config, None, time.time())
    finally:
        time.sleep(0.1)
        stop.set()
        thread.join()
    assert counts == {(before, before), (done.nodes, done.nodes)}


# Vectors.


class Embedder:
    """Vectors that stand for nothing, one a text; it counts what it was asked for."""

    def __init__(self):
        self.asked = []

    def windows(self, text):
        return [text]

    def embed(self, texts):
        self.asked += texts
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[sum(text.encode()) % WIDTH] = 1.0
        return vectors


def embedded(memory, embedder):
    from awhm_hooks.consolidate import indexing

    with contextlib.closing(open_writer(memory.paths).db) as db:
        from awhm_hooks.graph.writer import GraphWriter

        writer = GraphWriter(db, memory.paths.graph_db)
        indexing.index(memory.paths, writer, embedder, {})
        generation, count = writer.vectors_in_force()
        rows = vectors_write.read_rows(memory.paths.graph, generation)[:count]
        return {
            text: int(rows[row].argmax())
            for row, text in db.execute("SELECT v.row, n.text FROM vector_rows v JOIN nodes n ON n.id = v.node")
        }


def test_vectors_of_what_stays_are_kept_and_those_of_what_comes_back_are_made(told):
    embedder = Embedder()
    first = embedded(told, embedder)
    told.say("The server port is 8080", session="t")
    told.consolidate()
    later = embedded(told, embedder)
    kept = restore(told).kept
    embedder.asked.clear()
    assert embedded(told, embedder) == first
    assert embedder.asked == []
    restore(told, kept)
    assert embedded(told, embedder) == later
    assert set(embedder.asked) == {"The server port is 8080"}


@pytest.mark.parametrize("damage", ["gone", "cut", "graph gone too"])
def test_lost_vectors_are_made_again(told, damage):
    embedder = Embedder()
    first = embedded(told, embedder)
    for name in os.listdir(told.paths.graph):
        if name.startswith("vectors") and damage != "graph gone too":
            if damage == "gone":
                os.unlink(f"{told.paths.graph}/{name}")
            else:
                os.truncate(f"{told.paths.graph}/{name}", 5000)
    if damage == "graph gone too":
        os.unlink(told.paths.graph_db)
    restore(told)
    assert embedded(told, embedder) == first


def test_no_old_row_is_taken_for_a_new_memory_s(told):
    """The damaged store cannot say which vectors file was in force: a new one gets a name of its own."""
    embedded(told, Embedder())
    os.unlink(told.paths.graph_db)
    restoring.restore(told.paths, told.config, None, time.time())
    writer = open_writer(told.paths)
    generation, count = writer.vectors_in_force()
    writer.db.close()
    assert count == 0
    with pytest.raises(VectorsUnusable):
        vectors_write.read_rows(told.paths.graph, generation)


def test_no_model_is_asked_again(told):
    """A call that the restored state holds is not replayed, and one made since stays paid for."""
    calls = [("stage2:a", "s", 1.0, "claude-code", "haiku", 10, 5, None), ("stage2:b", "s", 2.0, "c", "m", 1, 1, 0.5)]

    def held():
        with contextlib.closing(sqlite3.connect(told.paths.graph_db)) as db:
            return db.execute("SELECT * FROM stage2_calls ORDER BY id").fetchall()

    def note(call):
        with contextlib.closing(sqlite3.connect(told.paths.graph_db)) as db, db:
            db.execute("INSERT INTO stage2_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?)", call)

    note(calls[0])
    path = snapshots.create(told.paths, time.time()).path
    note(calls[1])
    restore(told, path)
    assert held() == calls
    os.unlink(told.paths.graph_db)
    restore(told, path)
    assert held() == calls[:1]


# What was deleted.


def test_what_was_deleted_after_the_snapshot_does_not_come_back(told):
    salted = hasher(told.paths)
    append(told.paths, [salted.match("8443", time.time())])
    done = restore(told)
    assert done.deleted == 2
    assert not any("8443" in row[0] for row in told.rows("text"))
    ((preference,),) = told.rows("uid", "family = 'preference'")
    append(told.paths, [Tombstone(Kind.NODE, time.time(), subject=salted.of("node", preference))])
    restore(told)
    assert told.statements() == []


# Another machine's memories.


@pytest.fixture
def elsewhere(new_memory, tmp_path):
    """Another store, and what it exports."""
    from in_process import Memory

    other = Memory(tmp_path / "other", semantic=False)
    other.at = time.time() - 7200

    def export():
        path = str(tmp_path / "export.json")
        snapshots.export(other.paths, path, time.time())
        return path

    other.export = export
    return other


def take_in(memory, path, **more):
    return restoring.take_in(memory.paths, path, time.time(), **more)


def test_an_empty_store_takes_everything(memory, elsewhere):
    elsewhere.say("The staging port is 8443.", "I prefer tabs.")
    elsewhere.consolidate()
    merged, _ = take_in(memory, elsewhere.export())
    assert merged.added == len(elsewhere.rows("id"))
    assert state(memory.paths) == state(elsewhere.paths)
    assert index(memory.paths) == index(elsewhere.paths)


def test_the_second_time_nothing_is_new(memory, elsewhere):
    elsewhere.say("The staging port is 8443.", "I prefer tabs.")
    elsewhere.consolidate()
    path = elsewhere.export()
    take_in(memory, path)
    expected = state(memory.paths)
    merged, _ = take_in(memory, path)
    assert (merged.added, merged.superseded) == (0, 0)
    assert state(memory.paths) == expected


@pytest.mark.parametrize("order", [("here", "there"), ("there", "here")])
def test_in_one_slot_what_was_said_last_stands(told, elsewhere, order):
    at = time.time() - 3600
    said = {"here": (told, "8443"), "there": (elsewhere, "9443")}
    for name in order:
        store, port = said[name]
        at += 60
        store.say(f"The gateway port is {port}.", session=f"x{name}", at=at)
        store.consolidate()
    newer = f"The gateway port is {said[order[-1]][1]}"
    merged, _ = take_in(told, elsewhere.export())
    assert merged.superseded == 1
    assert [text for text in answers(told, "gateway port") if text.startswith("The gateway port is")] == [newer]
    take_in(elsewhere, _exported(told))
    assert [text for text in answers(elsewhere, "gateway port") if text.startswith("The gateway port is")] == [newer]


def _exported(memory):
    path = f"{memory.paths.data_dir}/back.json"
    snapshots.export(memory.paths, path, time.time())
    return path


def test_a_statement_that_both_have_is_one(told, elsewhere):
    elsewhere.say("I prefer dark mode", session="x")
    elsewhere.consolidate()
    merged, _ = take_in(told, elsewhere.export())
    assert (merged.added, merged.known) == (1, 1)
    assert told.rows("status", "family = 'preference'") == [("active",)]


def test_what_was_taken_back_there_is_taken_back_here(told, elsewhere):
    elsewhere_path = _exported(told)
    take_in(elsewhere, elsewhere_path)
    ((uid,),) = elsewhere.rows("uid", "family = 'fact'")
    raw_log.append_lines(
        elsewhere.paths,
        by_hand.SESSION,
        [{"kind": by_hand.RETRACT, "at": time.time(), "node": uid, "why": "wrong", "id": "r1"}],
    )
    elsewhere.consolidate()
    take_in(told, elsewhere.export())
    assert told.rows("status", "family = 'fact'") == [("retracted",)]
    with contextlib.closing(sqlite3.connect(told.paths.graph_db)) as db:
        assert db.execute("SELECT why FROM retractions").fetchall() == [("wrong",)]


def test_what_was_superseded_there_is_superseded_here(told, elsewhere):
    take_in(elsewhere, _exported(told))
    elsewhere.say("Actually, the staging port is 9443.", session="x")
    elsewhere.consolidate()
    take_in(told, elsewhere.export())
    assert ("The staging port is 8443", "superseded") in told.statements()
    assert answers(told, "staging port")[:1] == ["the staging port is 9443"]


def test_what_was_said_again_here_since_stands(told, elsewhere):
    take_in(elsewhere, _exported(told))
    elsewhere.say("The staging port is 9443.", session="x", at=told.at + 60)
    elsewhere.consolidate()
    told.say("The staging port is 8443.", session="y", at=told.at + 600)
    told.consolidate()
    take_in(told, elsewhere.export())
    assert answers(told, "staging port")[:1] == ["The staging port is 8443"]


def test_what_was_deleted_here_does_not_come_from_there(told, elsewhere):
    elsewhere.say("The client is Northwind.", session="x")
    elsewhere.consolidate()
    append(told.paths, [hasher(told.paths).match("Northwind", time.time())])
    merged, deleted = take_in(told, elsewhere.export())
    assert deleted == 2 and merged.added == 0
    assert not any("Northwind" in row[0] for row in told.rows("text"))


def test_it_survives_a_rebuild_though_no_raw_log_has_it(told, elsewhere):
    elsewhere.say("The client is Northwind.", session="x")
    elsewhere.consolidate()
    take_in(told, elsewhere.export())
    told.say("The gateway port is 22.", session="later")
    told.consolidate()
    expected = state(told.paths)
    with open(told.paths.graph_db, "wb") as file:
        file.write(b"junk" * 2000)
    told.consolidate()
    assert state(told.paths) == expected


def test_a_damaged_base_costs_only_what_it_held(told, elsewhere):
    elsewhere.say("The client is Northwind.", session="x")
    elsewhere.consolidate()
    take_in(told, elsewhere.export())
    (base,) = snapshots.bases(told.paths)
    with open(base.path, "w") as file:
        file.write("{")
    os.unlink(told.paths.graph_db)
    told.consolidate()
    assert ("The staging port is 8443", "active") in told.statements()
    assert "no graph" in open(told.paths.error_log).read()


def test_a_dry_run_changes_nothing(told, elsewhere):
    elsewhere.say("The client is Northwind.", session="x")
    elsewhere.consolidate()
    expected, names = state(told.paths), sorted(os.listdir(told.paths.snapshots))
    merged, _ = take_in(told, elsewhere.export(), dry_run=True)
    assert merged.added == 2
    assert (state(told.paths), sorted(os.listdir(told.paths.snapshots))) == (expected, names)


def test_projects_get_the_names_that_they_have_here(memory, elsewhere):
    elsewhere.say("The staging port is 8443.", project="/Users/ada/shop/api")
    elsewhere.consolidate()
    take_in(memory, elsewhere.export(), renamed=lambda name: name.replace("/Users/ada", "/home/ada"))
    found = ask(memory.paths, memory.config, "staging port", "/home/ada/shop/api", 5, time.time())
    assert [one.text for one in found] == ["The staging port is 8443"]


def test_names_meet_their_entity(told, elsewhere, tmp_path):
    path = tmp_path / "lite.json"
    stamp = "2024-01-01T00:00:00+00:00"
    nodes = [
        {"id": f"e{number}", "type": "semantic", "content": f"ORG: {name}", "entity_type": "ORG", "created_at": stamp}
        for number, name in enumerate(("Acme Ltd", "acme"))
    ]
    path.write_text(json.dumps({"nodes": {node["id"]: node for node in nodes}, "edges": []}))
    merged, _ = take_in(told, str(path))
    assert (merged.added, merged.known) == (1, 1)
    assert told.rows("text", "family = 'entity'") == [("ORG: Acme Ltd",)]
