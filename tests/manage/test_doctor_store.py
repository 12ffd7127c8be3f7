"""The doctor on the store, the data directory and the configuration."""

import glob
import os
import shutil
import sqlite3

import numpy as np
import pytest

from awhm_hooks import error_log
from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import vectors_write, worker
from awhm_hooks.consolidate.attempts import Attempts
from awhm_hooks.files import locked
from awhm_hooks.graph.writer import open_writer
from awhm_hooks.journal import raw_log
from awhm_hooks.manage import doctor, doctor_activity, doctor_place, doctor_store, pausing
from awhm_hooks.recall.vectors import WIDTH

NOW = 1_800_000_000.0
SEMANTIC = AWHMConfig()


def names(found):
    return [one.name for one in found]


def of_store(memory, config=None):
    return names(doctor_store.examine(memory.paths, config or memory.config).findings)


@pytest.fixture
def full(memory):
    """A store with two consolidated sessions and an edge or two."""
    for number in range(2):
        memory.say(f"The port of service {number} is 844{number}.", "I prefer tabs.", session=f"claude-{number}")
    memory.consolidate()
    return memory


def change(memory, *statements):
    db = sqlite3.connect(memory.paths.graph_db)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_no_store_and_a_sound_one_have_no_finding(memory, full):
    assert of_store(full) == []
    shutil.rmtree(memory.paths.graph)
    assert of_store(memory) == []


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("INSERT INTO edges VALUES (1, 999, 'association', 1.0)", "store-orphans"),
        ("INSERT INTO vector_rows VALUES (0, 999, 0)", "store-orphans"),
        ("INSERT INTO sources VALUES (999, 's', 'm')", "store-orphans"),
        ("UPDATE scopes SET docs = docs + 1 WHERE id = 1", "index-sizes"),
        ("UPDATE scopes SET terms = 0", "index-sizes"),
        ("DELETE FROM nodes WHERE family = 'preference'", "index-orphans"),
        ("UPDATE postings SET count = count + 1", "index-orphans"),
    ],
)
def test_what_does_not_fit_together_is_named_and_a_rebuild_mends_it(full, statement, name):
    before = full.statements()
    change(full, "PRAGMA foreign_keys = OFF", statement)
    findings = {one.name: one for one in doctor_store.examine(full.paths, full.config).findings}
    assert findings[name].fix == "awhm doctor --rebuild"
    kept, report = doctor.rebuild(full.paths, full.config)
    assert os.path.exists(kept)
    assert report.failed == {}
    assert of_store(full) == ["damaged-copies"]
    assert sorted(full.statements()) == sorted(before)


@pytest.mark.report("AWHM-P067")
@pytest.mark.parametrize("damage", [b"", b"no store at all" * 400, None])
def test_a_damaged_store_is_named_and_left_as_it_is(full, damage):
    for path in glob.glob(full.paths.graph_db + "-*"):
        os.unlink(path)
    with open(full.paths.graph_db, "r+b") as file:
        data = file.read()
        file.seek(0)
        file.truncate()
        file.write(data[: len(data) // 2] if damage is None else damage)
    before = os.stat(full.paths.graph_db)
    findings = doctor_store.examine(full.paths, full.config).findings
    if damage != b"":
        assert [(one.name, one.fix) for one in findings] == [("store-damaged", "awhm consolidate")]
        assert os.stat(full.paths.graph_db).st_size == before.st_size
    full.consolidate()
    assert len(full.statements()) == 3
    assert of_store(full) == ([] if damage == b"" else ["damaged-copies"])


def test_a_newer_and_an_older_schema_are_told_apart(full):
    change(full, "PRAGMA user_version = 99")
    assert of_store(full) == ["store-too-new"]
    change(full, "PRAGMA user_version = 1")
    assert of_store(full) == ["store-outdated"]


def test_memories_without_vectors_and_a_file_of_another_generation(full):
    assert of_store(full, SEMANTIC) == ["memories-without-vectors"]
    with locked(full.paths.worker_lock):
        assert of_store(full, SEMANTIC) == []
    writer = open_writer(full.paths)
    ids = [row[0] for row in writer.db.execute("SELECT id FROM nodes")]
    vectors_write.create(full.paths.graph, 1, np.zeros((len(ids), WIDTH), np.uint8))
    with writer.transaction():
        writer.note_vectors(1, 0, [(node, 0) for node in ids])
    writer.db.close()
    assert of_store(full, SEMANTIC) == []
    os.rename(f"{full.paths.graph}/vectors.1.u8", f"{full.paths.graph}/vectors.2.u8")
    assert of_store(full, SEMANTIC) == ["vectors-unusable"]
    change(full, "UPDATE meta SET value = '1' WHERE name = 'vectors_count'")
    assert "vectors-orphans" in of_store(full, SEMANTIC)


# What happened.


def activity(memory, now, consumed=None):
    return doctor_activity.examine(memory.paths, memory.config, consumed or {}, None, "/nowhere", now, True)


def test_sessions_that_wait_for_long_and_that_fail(memory):
    memory.say("The staging port is 8443.", session="claude-a")
    os.utime(memory.paths.log_file("claude-a"), (NOW, NOW))
    assert (activity(memory, NOW + 60).pending, names(activity(memory, NOW + 60).findings)) == (["claude-a"], [])
    assert names(activity(memory, NOW + 2 * 86_400).findings) == ["consolidation-behind"]
    memory.paths.make(memory.paths.meta)
    for _ in range(3):
        Attempts(memory.paths).begin("claude-a")
    assert names(activity(memory, NOW + 2 * 86_400).findings) == ["session-fails"]
    worker.run(memory.paths, memory.config, 5.0, insist=True)
    store = doctor_store.examine(memory.paths, memory.config)
    assert activity(memory, NOW + 2 * 86_400, store.consumed).pending == []


def test_what_is_not_a_hook_s_does_not_count_as_one_s_last_event(memory):
    memory.say("Said in Python.", session="python-1")
    memory.say("Heard by a hook.", session="claude-1", at=NOW)
    imported = {"kind": "message", "role": "user", "text": "x", "at": NOW + 5, "prompt_id": "", "uuid": "u", "id": "i"}
    raw_log.append_lines(memory.paths, "claude-1", [imported])
    with open(memory.paths.log_file("claude-1"), "ab") as file:
        file.write(b'{"kind": "message", "torn')
    assert activity(memory, NOW).last == {"prompt": NOW, "stop": None, "session-start": None, "session-end": None}


def test_recent_errors_of_worker_and_hooks_are_told_with_a_way_on(memory):
    error_log.note(memory.paths, "worker session s", "old", NOW - 9 * 86_400)
    assert names(activity(memory, NOW).findings) == []
    error_log.note(memory.paths, "worker vectors", "no model", NOW - 60)
    error_log.note(memory.paths, "prompt", "disk", NOW - 50)
    error_log.note(memory.paths, "cli x.py:3", "bug", NOW - 40)
    found = {one.name: one for one in activity(memory, NOW).findings}
    assert found.keys() == {"worker-error", "hook-error"}
    assert found["worker-error"].fix == "awhm consolidate"


# The directory and the configuration.


def of_place(memory, environ):
    return names(doctor_place.directory_findings(memory.paths, environ))


def test_open_rights_are_named_and_mended(full, tmp_path):
    environ = {"HOME": str(tmp_path)}
    assert of_place(full, environ) == []
    os.chmod(full.paths.log_file("claude-0"), 0o644)
    (finding,) = doctor_place.directory_findings(full.paths, environ)
    assert finding.name == "permissions-open"
    assert full.paths.log_file("claude-0") in finding.message
    assert os.system(finding.fix) == 0
    assert of_place(full, environ) == []


def test_a_directory_that_is_none_that_never_was_and_that_was_deleted(memory, tmp_path):
    environ = {"HOME": str(tmp_path)}
    assert of_place(memory, environ) == ["nothing-stored-yet"]
    pausing.begin_anew(memory.paths, environ)
    os.rmdir(memory.paths.data_dir)
    (finding,) = doctor_place.directory_findings(memory.paths, environ)
    assert (finding.name, finding.fix) == ("data-directory-deleted", "awhm init")
    with open(memory.paths.data_dir, "w"):
        assert of_place(memory, environ) == ["data-not-a-directory"]


@pytest.mark.parametrize(
    ("text", "environ", "name", "fix"),
    [
        ("hook_max_memorys = 3\n", {}, "config-invalid", "awhm config unset hook_max_memorys"),
        ("k = = 3\n", {}, "config-invalid", "mv "),
        ("", {"AWHM_K": "x"}, "environment-invalid", "unset AWHM_K"),
        ("", {"AWHM_SEMANTC": "0"}, "environment-unknown", "unset AWHM_SEMANTC"),
        ('include = ["~/work"]\n', {}, "include-without-opt-in", "awhm config set opt_in true"),
    ],
)
def test_a_configuration_that_is_not_understood(memory, text, environ, name, fix):
    memory.paths.make(memory.paths.data_dir)
    with open(memory.paths.config_toml, "w") as file:
        file.write(text)
    _, (finding,) = doctor_place.configuration(memory.paths, environ)
    assert finding.name == name
    assert finding.fix.startswith(fix)


def test_silence_where_it_was_asked_for_is_a_note(memory, tmp_path):
    config = AWHMConfig(exclude=(str(tmp_path),))
    environ = {"HOME": str(tmp_path)}
    assert names(doctor_place.silence_findings(memory.paths, config, environ, str(tmp_path / "x"), NOW)) == [
        "silent-here"
    ]
    off = AWHMConfig(enabled=False)
    assert names(doctor_place.silence_findings(memory.paths, off, environ, "/", NOW)) == ["switched-off"]


def test_disk_use_adds_up(full):
    with open(full.paths.config_toml, "w") as file:
        file.write("k = 3\n")
    used = doctor_place.disk_use(full.paths)
    assert used["total"] == used["logs"] + used["graph"] + used["meta"] + len("k = 3\n")
