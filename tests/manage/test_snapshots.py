import json
import os
import sqlite3
import tempfile
import threading
import time

import pytest
from graph_state import index, state
from hypothesis import given, settings
from hypothesis import strategies as st
from in_process import Memory

from awhm_hooks.errors import AwhmError, StoreCorrupt
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.manage import graph_json, snapshots

NOW = 1_772_100_000.0


@pytest.fixture
def told(memory):
    """A store with something of everything."""
    memory.say("The staging port is 8443.", "I prefer tabs.", "My name is Ada Lovelace.")
    memory.say("Noted.", role="assistant")
    memory.say("Actually, the staging port is 9443.", "yes", "ポートは 8443 です – “so” it is 🎉", session="t")
    memory.consolidate()
    return memory


def test_a_snapshot_is_one_file_in_the_snapshots_folder(told):
    made = snapshots.create(told.paths, NOW)
    assert made.path == f"{told.paths.snapshots}/snapshot_20260226_100000.json"
    assert (made.nodes, made.size) == (len(told.rows("id")), os.path.getsize(made.path))
    assert os.stat(made.path).st_mode & 0o777 == 0o600
    assert os.listdir(told.paths.snapshots) == ["snapshot_20260226_100000.json"]


def test_it_has_the_fields_of_the_reference_s_format(told):
    whole = json.load(open(snapshots.create(told.paths, NOW).path, encoding="utf-8"))
    assert whole["version"] == "2.0" and whole["created_at"] == "2026-02-26T10:00:00+00:00"
    assert whole["wal_state"] == []
    nodes = whole["graph"]["nodes"]
    for uid, node in nodes.items():
        assert node["id"] == uid
        assert node.keys() >= {
            "type", "content", "strength", "created_at", "last_accessed", "source_sessions", "source_refs",
            "access_count", "canonical_key", "status", "supersedes", "valid_from", "valid_to", "confidence",
            "entity_type", "aliases",
        }  # fmt: skip
    by_text = {node["content"]: node for node in nodes.values() if node["family"] == "fact"}
    old, new = by_text["The staging port is 8443"], by_text["the staging port is 9443"]
    assert (old["status"], new["status"]) == ("superseded", "active")
    assert new["supersedes"] == [old["id"]]
    assert old["valid_to"] == new["valid_from"]
    assert new["canonical_key"] == old["canonical_key"] is not None
    assert {edge["type"] for edge in whole["graph"]["edges"]} >= {"temporal", "abstraction"}


def test_two_in_one_second_are_two(told):
    first, second = snapshots.create(told.paths, NOW), snapshots.create(told.paths, NOW)
    assert first.path != second.path
    assert [one.path for one in snapshots.listed(told.paths)] == [second.path, first.path]


def test_the_newest_is_first_whatever_the_files_dates(told):
    for at in (NOW, NOW + 7200, NOW + 3600):
        path = snapshots.create(told.paths, at).path
        os.utime(path, (NOW, NOW))
    assert [one.created_at for one in snapshots.listed(told.paths)] == [NOW + 7200, NOW + 3600, NOW]
    assert snapshots.latest(told.paths).created_at == NOW + 7200


def test_without_memories_there_is_nothing_to_keep(memory):
    with pytest.raises(AwhmError, match="nothing is remembered yet"):
        snapshots.create(memory.paths, NOW)
    assert snapshots.listed(memory.paths) == [] and snapshots.latest(memory.paths) is None
    assert not os.path.exists(memory.paths.data_dir)


def test_a_damaged_store_is_not_written_as_if_it_were_whole(told):
    data = bytearray(open(told.paths.graph_db, "rb").read())
    for at in range(4096, len(data), 997):
        data[at] ^= 0xFF
    with open(told.paths.graph_db, "wb") as file:
        file.write(data)
    with pytest.raises(StoreCorrupt, match="snapshot restore"):
        snapshots.create(told.paths, NOW)
    assert not os.path.exists(told.paths.snapshots) or os.listdir(told.paths.snapshots) == []


def test_a_snapshot_is_of_one_moment_though_the_worker_writes_on(told):
    """Each round of a writer adds two nodes and an edge in one transaction; a snapshot never holds half a round."""
    stop = threading.Event()

    def write():
        writer = open_writer(told.paths)
        number = 0
        while not stop.is_set():
            number += 1
            with writer.transaction():
                pair = [writer.add_node("fact", f"half {n}", uid=f"{number}-{n}", scope=1, said_at=NOW) for n in (0, 1)]
                writer.add_edge(*pair, "association")
        writer.db.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        counts = []
        for round_ in range(8):
            graph = graph_json.read(snapshots.create(told.paths, NOW + round_).path)
            halves = [node.uid for node in graph.nodes if node.columns["text"].startswith("half")]
            pairs = [edge for edge in graph.edges if edge[2] == "association" and edge[0] in halves]
            assert len(halves) == 2 * len(pairs)
            counts.append(len(halves))
    finally:
        stop.set()
        thread.join()
    assert counts[-1] > counts[0], "the writer was at work"


def test_what_is_written_is_what_is_read(told):
    graph = graph_json.read(snapshots.create(told.paths, NOW).path)
    nodes, _ = state(told.paths)
    columns = ("uid", "family", "text", "role", "status", "canonical_key", None, "project", "session", "message",
               "said_at", "valid_from", "valid_to", "confidence", "access_count", "provenance")  # fmt: skip
    read = sorted(tuple(node.scope if name is None else node.columns[name] for name in columns) for node in graph.nodes)
    assert read == nodes


def test_the_difference_names_what_came_went_and_changed(told):
    before = snapshots.create(told.paths, NOW).path
    told.say("Actually, the staging port is 7443.", session="u")
    told.consolidate()
    found = snapshots.difference(told.paths, before, None)
    assert sorted(change.text for change in found.added) == [
        "Actually, the staging port is 7443.",
        "the staging port is 7443",
    ]
    assert found.removed == []
    assert {(one.text, one.before, one.after) for one in found.changed} == {
        ("the staging port is 9443", "active", "superseded"),
        ("Actually, the staging port is 9443.", "active", "superseded"),
    }
    after = snapshots.create(told.paths, NOW + 1).path
    backwards = snapshots.difference(told.paths, after, before)
    assert [change.id for change in backwards.removed] == [change.id for change in found.added]
    assert snapshots.difference(told.paths, after, None) == snapshots.Difference(after, told.paths.graph_db)


TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)
MOMENTS = st.floats(1, 4_000_000_000).map(lambda at: round(at, 3))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(TEXTS, MOMENTS, st.none() | MOMENTS, st.sampled_from(["active", "superseded"])), max_size=6))
def test_any_text_and_moment_comes_back_as_it_was(rows):
    with tempfile.TemporaryDirectory() as directory:
        memory = Memory(directory)
        writer = open_writer(memory.paths)
        with writer.transaction():
            for number, (text, at, until, status) in enumerate(rows):
                writer.add_node(
                    "fact", text, uid=f"n{number}", scope=1, said_at=at, valid_from=at, valid_to=until, status=status
                )
        path = snapshots.keep(memory.paths, writer, NOW, snapshots.ASKED).path
        writer.db.close()
        read = [
            tuple(node.columns[name] for name in ("text", "said_at", "valid_to", "status"))
            for node in graph_json.read(path).nodes
        ]
        assert read == rows


# What is no snapshot, and what is said of it.
NO_GRAPHS = [
    ("", "no graph"),
    ("{", "no graph"),
    ("[1]", "needs a JSON object with nodes and edges"),
    ('{"nodes": 3}', "needs a JSON object with nodes and edges"),
    ('{"nodes": {"a": 1}}', "node a is no JSON object"),
    ('{"nodes": {"a": {"id": "a", "content": "x"}}}', "node a needs id, content and created_at"),
    ('{"nodes": {"a": {"content": "x", "created_at": "2026-01-01", "status": "gone"}}}', "the status 'gone'"),
    ('{"nodes": {}, "edges": [{"source": "a"}]}', "edge 0 lacks"),
    ('{"nodes": {}, "edges": [], "supersessions": [{"newer": "a"}]}', "supersession 0 lacks"),
    ('{"nodes": {}, "awhm_hooks": {"schema": 999}}', "written by a newer version"),
]


@pytest.mark.parametrize(("content", "reason"), NO_GRAPHS)
def test_a_file_that_is_no_graph_is_refused_by_name(tmp_path, content, reason):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(AwhmError, match=reason) as refused:
        graph_json.read(str(path))
    assert str(path) in str(refused.value)


LEGACY = {
    "version": "1.0",
    "nodes": {
        "n1": {
            "id": "n1",
            "type": "semantic",
            "content": "My name is Alice",
            "embedding": [],
            "strength": {"recency": 1.0, "frequency": 1, "composite": 1.0},
            "created_at": "2024-01-01T00:00:00+00:00",
            "last_accessed": "2024-01-02T00:00:00+00:00",
            "source_sessions": ["s1"],
            "source_refs": [{"session_id": "s1", "message_index": 0}],
            "access_count": 3,
        },
        "n2": {"id": "n2", "type": "semantic", "content": "ORG: Acme", "created_at": "2024-01-01T00:00:00",
               "entity_type": "ORG", "aliases": ["Acme", "Acme Ltd"]},
        "n3": {"id": "n3", "type": "procedural", "content": "Use key ghp_" + "a1B2" * 9,
               "created_at": "2024-01-01T00:00:00+00:00", "canonical_key": "policy:use:key"},
    },
    "edges": [{"source": "n1", "target": "n2", "type": "association", "weight": 0.8,
               "created_at": "2024-01-01T00:00:00+00:00"}],
}  # fmt: skip


@pytest.mark.parametrize("wrapped", [False, True], ids=["a graph file", "a snapshot"])
def test_an_older_file_is_brought_up_to_date(tmp_path, wrapped):
    path = tmp_path / "old.json"
    inner = {"nodes": LEGACY["nodes"], "edges": LEGACY["edges"]}
    whole = {"version": "1.0", "graph": inner, "wal_state": []} if wrapped else LEGACY
    path.write_text(json.dumps(whole, indent=2))
    graph = graph_json.read(str(path))
    name, company, policy = graph.nodes
    assert (name.columns["status"], name.columns["valid_from"], name.columns["valid_to"]) == (
        "active", 1_704_067_200.0, None,
    )  # fmt: skip
    assert (name.columns["confidence"], name.columns["access_count"], name.scope) == (0.6, 3, "user")
    assert [node.columns["family"] for node in graph.nodes] == ["fact", "entity", "policy"]
    assert (company.name, company.aliases) == ("Acme", ["Acme", "Acme Ltd"])
    assert "ghp_" not in policy.columns["text"], "what another program wrote is redacted"
    assert graph.edges == [("n1", "n2", "association", 0.8)]


def test_the_index_of_a_snapshot_is_not_needed(told):
    """Postings are made again from the text."""
    assert "postings" not in open(snapshots.create(told.paths, NOW).path).read()
    assert index(told.paths)


def test_a_transcript_is_told_from_a_graph(tmp_path, told):
    made = snapshots.create(told.paths, NOW).path
    legacy = tmp_path / "graph.json"
    legacy.write_text(json.dumps(LEGACY))
    line = tmp_path / "t.jsonl"
    line.write_text('{"type":"user","message":{"content":"\\"nodes\\""}}\n{"type":"user"}\n')
    text = tmp_path / "x.txt"
    text.write_text("nodes")
    found = [graph_json.is_graph(str(path)) for path in (made, legacy, line, text)]
    assert found == [True, True, False, False]


def test_an_export_is_a_snapshot_elsewhere(told, tmp_path):
    path = str(tmp_path / "memories.json")
    made = snapshots.export(told.paths, path, NOW)
    assert made.nodes == len(graph_json.read(path).nodes)
    assert snapshots.listed(told.paths) == []


def test_readers_are_not_in_the_way(told):
    reader = sqlite3.connect(told.paths.graph_db)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM nodes").fetchone()
    started = time.monotonic()
    snapshots.create(told.paths, NOW)
    assert time.monotonic() - started < 10
    reader.close()
