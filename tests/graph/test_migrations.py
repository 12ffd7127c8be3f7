"""The schema's steps: from nothing, from every older version, twice, and by several processes at once."""

import os
import re
import subprocess
import sys
import time

import pytest

from awhm_hooks.errors import SchemaTooNew
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.migrations import SCHEMA, STEPS
from awhm_hooks.graph.model import COLUMNS
from awhm_hooks.graph.writer import migrate, open_writer
from awhm_hooks.paths import Paths


@pytest.fixture
def connect(tmp_path):
    opened = []

    def connected(name="graph.sqlite"):
        opened.append(sqlite.connect(str(tmp_path / name), sqlite.WRITE_WAIT_S))
        return opened[-1]

    yield connected
    for db in opened:
        db.close()


def schema(db):
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    return [(*row[:3], re.sub(r"\s+", " ", row[3] or "")) for row in rows]


def contents(db):
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def version(db):
    return db.execute("PRAGMA user_version").fetchone()[0]


def test_the_schema_s_number_is_that_of_its_steps():
    assert len(STEPS) == SCHEMA


def test_an_empty_file_gets_the_whole_schema(connect):
    db = connect()
    migrate(db, "graph.sqlite")
    assert version(db) == SCHEMA
    assert {row[1] for row in db.execute("PRAGMA table_info(nodes)")} >= set(COLUMNS)
    assert db.execute("SELECT id, key FROM scopes").fetchall() == [(1, "user")]


def test_a_second_time_changes_nothing(connect):
    db = connect()
    migrate(db, "graph.sqlite")
    before = schema(db), contents(db), db.total_changes
    migrate(db, "graph.sqlite")
    assert (schema(db), contents(db), db.total_changes) == before


@pytest.mark.parametrize("begun", range(1, len(STEPS) + 1))
def test_an_older_store_keeps_its_rows_and_gets_the_same_schema(connect, begun):
    old, fresh = connect("old.sqlite"), connect("fresh.sqlite")
    migrate(old, "old.sqlite", STEPS[:begun])
    assert version(old) == begun
    old.execute(
        "INSERT INTO nodes (uid, type, family, text, scope, said_at, created_at, last_accessed)"
        " VALUES ('a', 'semantic', 'fact', 'The port is 1', 1, 5.0, 5.0, 5.0)"
    )
    old.execute("INSERT INTO sessions VALUES ('s', '/p', 1.0, 2.0, 300, 1)")
    migrate(old, "old.sqlite")
    migrate(fresh, "fresh.sqlite")
    assert schema(old) == schema(fresh)
    assert old.execute("SELECT uid, text, status, said_at FROM nodes").fetchall() == [
        ("a", "The port is 1", "active", 5.0)
    ]
    assert old.execute("SELECT * FROM sessions").fetchall() == [("s", "/p", 1.0, 2.0, 300, 1)]
    assert old.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_step_that_fails_leaves_nothing_of_itself_and_is_done_later(connect):
    db = connect()
    good = "\nCREATE TABLE first (x);\nINSERT INTO first VALUES (1);\n"
    broken = "\nCREATE TABLE second (x);\nINSERT INTO no_such_table VALUES (1);\n"
    with pytest.raises(sqlite.OperationalError):
        migrate(db, "graph.sqlite", (good, broken))
    db.close()
    db = connect()
    assert (version(db), [row[1] for row in schema(db)]) == (1, ["first"])
    migrate(db, "graph.sqlite", (good, "\nCREATE TABLE second (x);\n"))
    assert (version(db), contents(db)) == (2, {"first": [(1,)], "second": []})


def test_a_newer_schema_is_refused(connect):
    db = connect()
    db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(SchemaTooNew, match=rf"schema {SCHEMA + 1}, known up to {SCHEMA}"):
        migrate(db, "graph.sqlite")
    assert schema(db) == []


MIGRATE = """
import sys, os, time
from awhm_hooks.graph import sqlite
from awhm_hooks.graph.writer import migrate
db = sqlite.connect(sys.argv[1], sqlite.WRITE_WAIT_S)
while not os.path.exists(sys.argv[2]):
    time.sleep(0.001)
migrate(db, sys.argv[1])
print(db.execute("PRAGMA user_version").fetchone()[0])
"""


def start(path, go):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", MIGRATE, str(path), str(go)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("begun", [0, 1])
def test_processes_that_migrate_at_once_do_each_step_once(tmp_path, connect, begun):
    db, go = connect("shared.sqlite"), tmp_path / "go"
    migrate(db, "shared.sqlite", STEPS[:begun])
    crowd = [start(tmp_path / "shared.sqlite", go) for _ in range(4)]
    time.sleep(0.5)
    go.touch()
    ended = [(*process.communicate(), process.returncode) for process in crowd]
    assert ended == [(f"{SCHEMA}\n".encode(), b"", 0)] * 4
    fresh = connect("fresh.sqlite")
    migrate(fresh, "fresh.sqlite")
    assert (schema(db), contents(db)) == (schema(fresh), contents(fresh))


def test_opening_for_writing_migrates(tmp_path):
    paths = Paths(str(tmp_path / "data"))
    os.makedirs(paths.graph)
    db = sqlite.connect(paths.graph_db, sqlite.WRITE_WAIT_S)
    migrate(db, paths.graph_db, STEPS[:1])
    db.close()
    for _ in range(2):
        writer = open_writer(paths)
        assert version(writer.db) == SCHEMA
        writer.db.close()
