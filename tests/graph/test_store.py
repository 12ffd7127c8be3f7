"""Reading the graph: what a reader is given, and what it refuses."""

import os
import sqlite3

import pytest

from awhm_hooks.errors import SchemaTooNew, StoreCorrupt
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA, STEPS
from awhm_hooks.graph.store import USER_SCOPE, open_graph
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.paths import Paths
from awhm_hooks.recall.tokens import tokenise


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path / "data"))


@pytest.fixture
def writer(paths):
    made = open_writer(paths)
    yield made
    made.db.close()


@pytest.fixture
def reader(paths):
    opened = []

    def open_it():
        opened.append(open_graph(paths.graph_db))
        return opened[-1]

    yield open_it
    for graph in opened:
        graph.close()


def add(writer, text, uid, family="fact", scope=USER_SCOPE, **fields):
    return writer.add_node(family, text, **{"uid": uid, "scope": scope, "said_at": 1.0, **fields})


# Opening.


def test_no_store_is_none(paths):
    assert open_graph(paths.graph_db) is None
    assert not os.path.exists(paths.data_dir), "reading makes nothing"


def test_a_file_that_nothing_was_written_to_yet_is_none(paths):
    os.makedirs(paths.graph)
    open(paths.graph_db, "w").close()
    assert open_graph(paths.graph_db) is None


@pytest.mark.parametrize("content", [b"junk" * 5000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_file_that_is_no_store_is_corrupt_and_named(paths, content):
    os.makedirs(paths.graph)
    with open(paths.graph_db, "wb") as file:
        file.write(content)
    with pytest.raises(StoreCorrupt, match=r"memory_graph\.sqlite.*awhm consolidate"):
        open_graph(paths.graph_db)
    with open(paths.graph_db, "rb") as file:
        assert file.read() == content


def test_a_directory_in_its_place_is_an_error_of_the_data_base(paths):
    os.makedirs(paths.graph_db)
    with pytest.raises(sqlite.Error):
        open_graph(paths.graph_db)


@pytest.mark.parametrize("version", range(len(STEPS)))
def test_a_store_that_awaits_its_migration_is_none_to_a_reader(paths, version):
    os.makedirs(paths.graph)
    with sqlite3.connect(paths.graph_db) as db:
        db.execute("CREATE TABLE anything (x)")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    assert open_graph(paths.graph_db) is None


def test_a_newer_schema_is_refused(paths):
    os.makedirs(paths.graph)
    with sqlite3.connect(paths.graph_db) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    with pytest.raises(SchemaTooNew, match="update awhm"):
        open_graph(paths.graph_db)


def test_a_reader_sees_one_state_while_a_writer_works(writer, reader):
    with writer.transaction():
        add(writer, "The port is 1", "a")
    graph = reader()
    with writer.transaction():
        add(writer, "The host is x", "b")
        assert set(graph.nodes([1, 2])) == {1}, "not committed yet"
    assert set(graph.nodes([1, 2])) == {1, 2}


# Scopes, nodes, edges.


def test_a_project_sees_the_user_s_scope_and_its_own(writer, reader):
    with writer.transaction():
        acme, globex = writer.scope_id("/acme"), writer.scope_id("/globex")
    graph = reader()
    assert graph.scope_ids("/acme") == [USER_SCOPE, acme]
    assert graph.scope_ids("/nowhere") == [USER_SCOPE]
    assert graph.scope_ids("user") == [USER_SCOPE]
    assert sorted(graph.scope_ids(None)) == sorted([USER_SCOPE, acme, globex])


def test_a_node_comes_back_with_all_that_it_was_given(writer, reader):
    given = {
        "role": "user",
        "canonical_key": "fact:the port",
        "confidence": 0.8,
        "project": "/p",
        "session": "claude-s",
        "message": "p1:u",
        "said_at": 12.5,
        "valid_from": 10.0,
        "valid_to": 20.0,
        "change": 1,
    }
    with writer.transaction():
        number = add(writer, "The port is 8443 – señor \N{ROCKET}", "a", **given)
    node = reader().nodes([number])[number]
    assert {name: getattr(node, name) for name in given} == given
    assert (node.text, node.status, node.type) == ("The port is 8443 – señor \N{ROCKET}", "active", "semantic")
    assert (node.created_at, node.last_accessed, node.access_count) == (12.5, 12.5, 0)
    assert node.length == len(tokenise(node.text))


FAMILIES = [
    ("message", "episodic"),
    ("outcome", "episodic"),
    ("fact", "semantic"),
    ("entity", "semantic"),
    ("preference", "procedural"),
    ("policy", "procedural"),
]


@pytest.mark.parametrize(("family", "kind"), FAMILIES)
def test_the_type_follows_from_the_family(writer, reader, family, kind):
    with writer.transaction():
        number = add(writer, "x", "a", family)
    assert reader().nodes([number])[number].type == kind


def test_unknown_numbers_are_no_nodes(writer, reader):
    assert reader().nodes([7, -1]) == {}
    assert reader().nodes([]) == {}


def test_a_slot_is_looked_up_in_scope_and_among_what_is_active(writer, reader):
    with writer.transaction():
        acme = writer.scope_id("/acme")
        old = add(writer, "The port is 1", "a", scope=acme, canonical_key="fact:the port")
        new = add(writer, "The port is 2", "b", scope=acme, canonical_key="fact:the port")
        add(writer, "The port is 3", "c", canonical_key="fact:the port")
        writer.supersede(new, old, 2.0, "same key")
    assert [node.id for node in reader().by_key("fact:the port", [acme])] == [new]


def test_postings_give_each_term_s_documents_frequency_and_length(writer, reader):
    texts = ["port port mango", "mango gateway", "weather"]
    with writer.transaction():
        numbers = [add(writer, text, str(n)) for n, text in enumerate(texts)]
    found = reader().postings([USER_SCOPE], ["port", "mango", "nothing"])
    unpacked = {
        term: [(words[i], words[count + i] >> 20, words[count + i] & 0xFFFFF) for i in range(count)]
        for term, chunks in found.items()
        for count, words in chunks
    }
    assert unpacked["port"] == [(numbers[0], 2, 3)]
    assert [(node, frequency) for node, frequency, _ in unpacked["mango"]] == [(numbers[0], 1), (numbers[1], 1)]
    assert "nothing" not in unpacked


def test_sizes_count_documents_and_terms_by_scope(writer, reader):
    with writer.transaction():
        acme = writer.scope_id("/acme")
        add(writer, "port mango gateway", "a", scope=acme)
        add(writer, "weather", "b")
    graph = reader()
    assert graph.sizes([acme]) == (1, 3)
    assert graph.sizes([USER_SCOPE, acme]) == (2, 4)
    assert graph.sizes([99]) == (0, 0)


def test_associations_lead_either_way_and_other_edges_are_none(writer, reader):
    with writer.transaction():
        fact, entity = add(writer, "x", "a"), add(writer, "ORG: Acme", "b", "entity")
        message, reply = add(writer, "m", "c", "message"), add(writer, "r", "d", "message")
        writer.add_edge(fact, entity, "association", 0.8)
        writer.add_edge(fact, message, "abstraction")
        writer.add_edge(message, reply, "temporal")
    graph = reader()
    assert graph.associated([entity]) == [(entity, fact, 0.8)]
    assert graph.associated([fact]) == [(fact, entity, 0.8)]
    assert graph.associated([message]) == []


def test_messages_tell_the_slots_of_what_was_captured_from_them(writer, reader):
    with writer.transaction():
        message = add(writer, "The port is 1. Nice.", "m", "message")
        keyed = add(writer, "The port is 1", "a", canonical_key="fact:the port")
        loose = add(writer, "Nice", "b", "outcome")
        for statement in (keyed, loose):
            writer.add_edge(statement, message, "abstraction")
    assert reader().statement_keys([message]) == {message: [("fact:the port", "active")]}


def test_what_is_not_noted_is_nothing(writer, reader):
    graph = reader()
    assert graph.injected_marks("s") == []
    assert graph.consumed("s") == 0
    assert graph.vectors_in_force() == (0, 0)
