import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awhm_hooks.graph import postings
from awhm_hooks.graph.store import open_graph
from awhm_hooks.graph.writer import CHUNK, open_writer, unpack_chunk
from awhm_hooks.paths import Paths

WORDS = st.lists(st.sampled_from("port name alice client deploy redis cache tabs".split()), max_size=8).map(" ".join)


def index(writer):
    """(scope, term) -> {document: packed}, and that a term's documents are in order."""
    found = {}
    for scope, term, data in writer.db.execute("SELECT scope, term, data FROM postings ORDER BY scope, term, chunk"):
        entries = unpack_chunk(data)
        held = found.setdefault((scope, term), {})
        assert [node for node, _ in entries] == sorted(node for node, _ in entries)
        assert not held or max(held) < entries[0][0]
        held.update(entries)
    sizes = dict(writer.db.execute("SELECT id, docs || ' ' || terms FROM scopes"))
    lengths = dict(writer.db.execute("SELECT id, length FROM nodes"))
    return found, sizes, lengths


def filled(directory, texts):
    writer = open_writer(Paths(str(directory)))
    with writer.transaction():
        other = writer.scope_id("/p")
        for number, text in texts.items():
            scope = 1 if number % 3 else other
            writer.add_node("message", text, uid=f"u{number}", scope=scope, said_at=1.0, id=number)
    return writer


@given(st.lists(WORDS, min_size=1, max_size=12), st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rewritten_postings_are_those_of_a_store_that_never_held_the_rest(tmp_path_factory, texts, data):
    held = dict(enumerate(texts, 1))
    gone = data.draw(st.sets(st.sampled_from(sorted(held))))
    changed = data.draw(st.dictionaries(st.sampled_from(sorted(held)), WORDS, max_size=4))
    changed = {number: text for number, text in changed.items() if number not in gone}
    writer = filled(tmp_path_factory.mktemp("a"), held)
    with writer.transaction():
        postings.rewrite(writer.db, set(gone), changed)
        writer.db.executemany("DELETE FROM nodes WHERE id = ?", [(number,) for number in gone])
    left = {number: changed.get(number, text) for number, text in held.items() if number not in gone}
    assert index(writer) == index(filled(tmp_path_factory.mktemp("b"), left))
    writer.db.close()


def test_a_long_term_keeps_its_chunks_in_order(tmp_path):
    count = 2 * CHUNK + 10
    writer = filled(tmp_path, {number: "port" for number in range(1, count + 1)})
    gone = set(range(1, CHUNK + 1)) | {CHUNK + 5, count}
    with writer.transaction():
        assert postings.rewrite(writer.db, gone, {CHUNK + 7: "name", 2 * CHUNK + 9: "port port"}) == 0
    found, _, _ = index(writer)
    expected = {number for number in range(1, count + 1) if number not in gone and number != CHUNK + 7}
    held = {number for (_, term), entries in found.items() if term == "port" for number in entries}
    assert held == expected
    assert {number for (_, term), entries in found.items() if term == "nam" for number in entries} == {CHUNK + 7}


def test_terms_that_are_nowhere_any_more_are_counted(tmp_path):
    writer = filled(tmp_path, {1: "port alice", 2: "port redis"})
    with writer.transaction():
        assert postings.rewrite(writer.db, {1}, {}) == 1
    assert open_graph(writer.path).postings([1], ["alic"]) == {}


@pytest.mark.parametrize("texts", [{}, {1: "port"}])
def test_nothing_to_do_changes_nothing(tmp_path, texts):
    writer = filled(tmp_path, texts)
    before = index(writer)
    with writer.transaction():
        assert postings.rewrite(writer.db, set(), {}) == 0
    assert index(writer) == before
