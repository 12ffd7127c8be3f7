"""Writing the graph: all or nothing, one writer at a time, nothing lost."""

import os
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.errors import SchemaTooNew, StoreCorrupt
from awhm_hooks.graph.store import USER_SCOPE, open_graph
from awhm_hooks.graph.writer import CHUNK, open_writer, pack_chunk, set_aside, uid_of, unpack_chunk
from awhm_hooks.paths import Paths


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path / "data"))


@pytest.fixture
def writer(paths):
    made = open_writer(paths)
    yield made
    made.db.close()


def add(writer, text, uid, family="fact", scope=USER_SCOPE, **fields):
    return writer.add_node(family, text, **{"uid": uid, "scope": scope, "said_at": 1.0, **fields})


def state(writer):
    """All rows of all tables."""
    tables = [row[0] for row in writer.db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {table: writer.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}


# Transactions.


class Unforeseen(Exception):
    pass


def test_all_of_a_transaction_or_nothing(writer):
    with writer.transaction():
        add(writer, "The port is 1", "a")
    before = state(writer)
    with pytest.raises(Unforeseen), writer.transaction():
        scope = writer.scope_id("/new")
        first, second = add(writer, "The host is x", "b", scope=scope), add(writer, "The port is 2", "c")
        writer.add_edge(first, second, "temporal")
        writer.supersede(second, 1, 2.0, "same key")
        raise Unforeseen
    assert state(writer) == before
    with writer.transaction():
        add(writer, "The gate is 3", "d")
    assert writer.sizes([USER_SCOPE])[0] == 2, "what was rolled back is not indexed later"
    assert writer.postings([USER_SCOPE], ["host"]) == {}


def test_each_transaction_is_a_generation(writer):
    before = writer.generation()
    for uid in ("a", "b"):
        with writer.transaction():
            add(writer, "x", uid)
    assert writer.generation() == before + 2


def test_a_node_s_id_is_unique(writer):
    with writer.transaction():
        add(writer, "x", "a")
    with pytest.raises(sqlite3.IntegrityError), writer.transaction():
        add(writer, "y", "a")
    assert writer.has_uid("a") == 1 and writer.has_uid("b") is None


def test_ids_are_the_same_at_every_rebuild_and_parts_do_not_run_together():
    assert uid_of("message", "s", "m") == uid_of("message", "s", "m")
    assert len({uid_of("a", "bc"), uid_of("ab", "c"), uid_of("abc"), uid_of("a", "b", "c")}) == 4
    assert uid_of("a\ud800").isalnum()


# Postings.


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), max_size=50))
def test_chunks_unpack_to_what_was_packed(entries):
    assert unpack_chunk(pack_chunk(entries)) == entries


@settings(deadline=None, max_examples=8)
@given(st.lists(st.integers(1, CHUNK + 900), min_size=1, max_size=3))
def test_a_common_word_s_postings_fill_chunk_after_chunk(tmp_path_factory, batches):
    writer = open_writer(Paths(str(tmp_path_factory.mktemp("store"))))
    number = 0
    for size in batches:
        with writer.transaction():
            for _ in range(size):
                number += 1
                add(writer, "port", str(number))
    counts = [count for count, _ in writer.postings([USER_SCOPE], ["port"])["port"]]
    documents = [node for count, words in writer.postings([USER_SCOPE], ["port"])["port"] for node in words[:count]]
    writer.db.close()
    assert documents == list(range(1, number + 1))
    assert all(count == CHUNK for count in counts[:-1]) and 0 < counts[-1] <= CHUNK


def test_a_word_without_end_and_a_text_without_end_are_counted_within_bounds(writer):
    with writer.transaction():
        add(writer, "port " * 5000, "a")
    ((count, words),) = writer.postings([USER_SCOPE], ["port"])["port"]
    assert (words[count] >> 20, words[count] & 0xFFFFF) == (4095, 5000)


# Edges, sources, sessions.


def test_of_an_edge_that_is_added_again_the_greater_weight_counts(writer):
    with writer.transaction():
        a, b = add(writer, "x", "a"), add(writer, "y", "b")
        for weight in (0.5, 0.8, 0.3):
            writer.add_edge(a, b, "association", weight)
    assert writer.associated([a]) == [(a, b, 0.8)]


def test_a_session_s_time_only_widens_and_its_progress_is_the_last_noted(writer):
    with writer.transaction():
        writer.note_session("s", "/p", 10.0, 20.0, 100, False)
        writer.note_session("s", "/p", 15.0, 18.0, 250, True)
    row = writer.db.execute("SELECT first_at, last_at, consumed, ended FROM sessions").fetchone()
    assert row == (10.0, 20.0, 250, 1)
    assert writer.consumed("s") == 250


def test_an_injection_is_an_access_once(writer):
    with writer.transaction():
        number = add(writer, "The port is 1", "a")
        for at in (5.0, 9.0):
            writer.note_injections("s", [7, 8], ["a", "gone"], at)
    node = writer.nodes([number])[number]
    assert (node.access_count, node.last_accessed) == (1, 5.0)
    assert sorted(writer.injected_marks("s")) == [7, 8]


def test_a_statement_made_again_counts_as_accessed_and_time_never_runs_back(writer):
    with writer.transaction():
        number = add(writer, "The port is 1", "a", said_at=10.0)
        writer.reinforce(number, 30.0)
        writer.reinforce(number, 20.0)
    node = writer.nodes([number])[number]
    assert (node.access_count, node.last_accessed) == (2, 30.0)


def test_the_same_statement_is_found_in_its_scope_and_family_while_it_is_active(writer):
    with writer.transaction():
        acme = writer.scope_id("/acme")
        number = add(writer, "The port is 1", "a", scope=acme, statement_key="the port is 1")
        newer = add(writer, "The port is 2", "b", scope=acme, statement_key="the port is 2")
    assert writer.find_statement(acme, "fact", "the port is 1") == number
    assert writer.find_statement(USER_SCOPE, "fact", "the port is 1") is None
    assert writer.find_statement(acme, "policy", "the port is 1") is None
    with writer.transaction():
        writer.supersede(newer, number, 2.0, "same key")
    assert writer.find_statement(acme, "fact", "the port is 1") is None


# Supersession.


def superseded(writer, at, **older):
    """A statement and its message, superseded at a moment: (status, valid_from, valid_to) of both."""
    with writer.transaction():
        message = add(writer, "The port is 1. Nice.", "m", "message")
        old = add(writer, "The port is 1", "a", **older)
        new = add(writer, "The port is 2", "b")
        writer.add_edge(old, message, "abstraction")
        writer.supersede(new, old, at, "same key")
    nodes = writer.nodes([old, message])
    return [(nodes[number].status, nodes[number].valid_from, nodes[number].valid_to) for number in (old, message)]


WINDOWS = [
    (50.0, {"valid_from": 10.0}, ("superseded", 10.0, 50.0)),
    (50.0, {"valid_from": 10.0, "valid_to": 30.0}, ("superseded", 10.0, 30.0)),
    (50.0, {"valid_from": None}, ("superseded", None, 50.0)),
]


@pytest.mark.parametrize(("at", "older", "window"), WINDOWS)
def test_superseding_closes_the_window_of_the_older(writer, at, older, window):
    assert superseded(writer, at, **older)[0] == window


def test_superseding_reaches_the_messages_that_said_it(writer):
    assert [status for status, *_ in superseded(writer, 50.0)] == ["superseded", "superseded"]
    assert writer.db.execute("SELECT newer, older, at, reason FROM supersessions").fetchall() == [
        (3, 2, 50.0, "same key")
    ]


def test_a_message_that_said_both_stays(writer):
    with writer.transaction():
        message = add(writer, "The port is 1. Actually, the port is 2.", "m", "message")
        old, new = add(writer, "The port is 1", "a"), add(writer, "The port is 2", "b")
        for statement in (old, new):
            writer.add_edge(statement, message, "abstraction")
        writer.supersede(new, old, 50.0, "same key")
    assert writer.nodes([message])[message].status == "active"


# Files.


def test_the_store_is_made_private(paths, writer):
    assert stat.S_IMODE(os.stat(paths.data_dir).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(paths.graph).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(paths.graph_db).st_mode) == 0o600


def test_what_is_deleted_leaves_no_trace_in_the_file(paths, writer):
    with writer.transaction():
        add(writer, "The client is Northwind", "a")
    with writer.transaction():
        writer.db.execute("DELETE FROM postings")
        writer.db.execute("DELETE FROM nodes")
    writer.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(paths.graph_db, "rb") as file:
        assert b"orthwind" not in file.read()


def test_a_newer_store_is_refused_before_anything_is_changed(paths):
    os.makedirs(paths.graph)
    with sqlite3.connect(paths.graph_db) as db:
        db.execute("CREATE TABLE precious (x)")
        db.execute("PRAGMA user_version = 999")
    db.close()
    with open(paths.graph_db, "rb") as file:
        before = file.read()
    with pytest.raises(SchemaTooNew):
        open_writer(paths)
    with open(paths.graph_db, "rb") as file:
        assert file.read() == before
    assert os.listdir(paths.graph) == ["memory_graph.sqlite"]


@pytest.mark.parametrize("content", [b"junk" * 5000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_junk_is_refused_and_left_as_it_is(paths, content):
    os.makedirs(paths.graph)
    with open(paths.graph_db, "wb") as file:
        file.write(content)
    with pytest.raises(StoreCorrupt):
        open_writer(paths)
    with open(paths.graph_db, "rb") as file:
        assert file.read() == content


def test_a_store_set_aside_takes_its_companions_along_and_replaces_no_other(paths):
    os.makedirs(paths.graph)
    kept = []
    for n in range(3):
        for suffix in ("", "-wal", "-shm"):
            with open(paths.graph_db + suffix, "w") as file:
                file.write(f"{n}{suffix}")
        kept.append(set_aside(paths.graph_db, 1_772_000_000.0))
    assert len(set(kept)) == 3 and not os.path.exists(paths.graph_db)
    for n, target in enumerate(kept):
        for suffix in ("", "-wal", "-shm"):
            with open(target + suffix) as file:
                assert file.read() == f"{n}{suffix}"


# Processes.


WRITE = """
import sys, os, time
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.paths import Paths
name, directory, go = sys.argv[1:]
while not os.path.exists(go):
    time.sleep(0.001)
writer = open_writer(Paths(directory))
for n in range(25):
    with writer.transaction():
        scope = writer.scope_id("/shared")
        writer.add_node("fact", f"the common port of {name} is {n}", uid=f"{name}{n}", scope=scope, said_at=1.0)
"""


def start(code, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=environment, stderr=subprocess.PIPE)


def test_several_processes_write_at_once_and_nothing_is_lost(tmp_path):
    go, directory = tmp_path / "go", tmp_path / "data"
    open_writer(Paths(str(directory))).db.close()
    crowd = [start(WRITE, name, str(directory), str(go)) for name in ("one", "two", "three")]
    time.sleep(0.3)
    go.touch()
    assert [(process.communicate()[1], process.returncode) for process in crowd] == [(b"", 0)] * 3
    graph = open_graph(Paths(str(directory)).graph_db)
    (scope,) = [number for number in graph.scope_ids("/shared") if number != USER_SCOPE]
    assert graph.sizes([scope])[0] == 75
    ((count, words),) = graph.postings([scope], ["common"])["common"]
    assert (count, sorted(words[:count])) == (75, list(range(1, 76)))
    assert graph.db.execute("PRAGMA quick_check").fetchone() == ("ok",)
    graph.close()


def test_a_writer_killed_in_a_transaction_leaves_the_store_as_it_was(tmp_path):
    directory = tmp_path / "data"
    writer = open_writer(Paths(str(directory)))
    with writer.transaction():
        add(writer, "The port is 1", "a")
    before = state(writer)
    writer.db.close()
    code = (
        "import sys, os, signal; from awhm_hooks.graph.writer import open_writer; from awhm_hooks.paths import Paths;"
        "w = open_writer(Paths(sys.argv[1]))\n"
        "with w.transaction():\n"
        " for n in range(5000): w.add_node('fact', f'fact {n} ' * 20, uid=str(n), scope=1, said_at=1.0)\n"
        " w.flush()\n"
        " os.kill(os.getpid(), signal.SIGKILL)"
    )
    process = start(code, str(directory))
    process.communicate()
    assert process.returncode == -9
    writer = open_writer(Paths(str(directory)))
    assert state(writer) == before
    writer.db.close()
