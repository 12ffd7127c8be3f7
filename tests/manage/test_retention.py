import os
import shutil
import time

import pytest

from awhm_hooks.consolidate import by_hand
from awhm_hooks.errors import UsageError
from awhm_hooks.graph.store import open_graph
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage import editing, retention

DAY_S = 86_400.0
NOW = 1_800_000_000.0


def session(memory, name, days_old, text="The port of {} is 8443.", ended=True):
    at = NOW - days_old * DAY_S
    memory.say(text.format(name), session=name, at=at)
    if ended:
        raw_log.append_mark(memory.paths, name, raw_log.END, at + 1, "/p", {"reason": "other"})
    os.utime(memory.paths.log_file(name), (at, at))


def collect(memory, apply=True, **rules):
    wanted = retention.Rules(
        **{"log_age_s": 0.0, "log_bytes": 0.0, "superseded_age_s": 0.0, "damaged_age_s": 0.0, **rules}
    )
    return retention.collect(memory.paths, memory.config, wanted, NOW, apply)


def logs(memory):
    return sorted(name.removesuffix(".jsonl") for name in os.listdir(memory.paths.logs))


@pytest.fixture
def aged(memory):
    for name, days in (("old", 400), ("older", 500), ("new", 5)):
        session(memory, name, days)
    memory.consolidate()
    return memory


def test_old_logs_go_and_their_memories_stay(aged):
    before = aged.rows("*")
    found = collect(aged, log_age_s=365 * DAY_S)
    assert sorted(log.session for log in found.logs) == ["old", "older"] and found.total_bytes() > 200
    assert logs(aged) == ["new"] and aged.rows("*") == before


def test_a_dry_run_tells_the_same_and_changes_nothing(aged):
    told = collect(aged, apply=False, log_age_s=365 * DAY_S)
    assert logs(aged) == ["new", "old", "older"]
    assert collect(aged, log_age_s=365 * DAY_S) == told


def test_the_oldest_logs_go_until_the_rest_fits(aged):
    size = os.path.getsize(aged.paths.log_file("new"))
    collect(aged, log_bytes=2.5 * size)
    assert logs(aged) == ["new", "old"]
    collect(aged, log_bytes=1.0)
    assert logs(aged) == []


@pytest.mark.parametrize("reason", ["not consolidated", "not ended", "has a write-ahead log", "by hand"])
def test_what_is_still_needed_stays(memory, reason):
    session(memory, "s", 400, ended=reason != "not ended")
    memory.consolidate()
    if reason == "not consolidated":
        memory.say("One more thing.", session="s", at=NOW - 399 * DAY_S)
    elif reason == "has a write-ahead log":
        wal.append(memory.paths, "s", [{"k": "b", "at": 1.0}])
    elif reason == "by hand":
        os.unlink(memory.paths.log_file("s"))
        editing.remember(memory.paths, memory.config, "My name is Alice", "/p", NOW, None, None)
        os.utime(memory.paths.log_file(by_hand.SESSION), (1.0, 1.0))
    if reason == "not ended":
        graph_write(memory, "UPDATE sessions SET ended = 0")
    assert collect(memory, log_age_s=DAY_S, log_bytes=1.0).logs == []
    assert len(logs(memory)) == 1


def graph_write(memory, statement):
    from awhm_hooks.graph.writer import open_writer

    writer = open_writer(memory.paths)
    writer.db.execute(statement)
    writer.db.close()


def test_a_session_that_goes_on_later_is_taken_up(aged):
    collect(aged, log_age_s=DAY_S)
    aged.say("The port of the gate is 22.", session="old", at=NOW)
    assert aged.consolidate().counts["messages"] == 1
    assert len(aged.rows("id", "session = 'old' AND family = 'message'")) == 2


def test_statements_that_ceased_to_hold_long_ago_go(memory):
    session(memory, "a", 900, "The staging port is 1111.")
    session(memory, "b", 800, "The staging port is 2222.")
    session(memory, "c", 10, "The staging port is 3333.")
    memory.consolidate()
    found = collect(memory, superseded_age_s=365 * DAY_S)
    assert found.statements == 1
    assert memory.statements() == [("The staging port is 2222", "superseded"), ("The staging port is 3333", "active")]
    statuses = memory.rows("status", "family = 'message'")
    assert statuses == [("superseded",), ("superseded",), ("active",)], "a message that said it stays history"
    assert memory.consolidate().sessions == 0


def test_nothing_comes_back_because_what_took_its_place_grew_old(memory):
    session(memory, "a", 900, "The staging port is 1111.")
    session(memory, "b", 800, "The staging port is 2222.")
    memory.consolidate()
    memory.at = NOW - 790 * DAY_S
    ((uid,),) = memory.rows("uid", "text = 'The staging port is 2222'")
    editing.retract(memory.paths, memory.config, uid, "", memory.at)
    graph_write(memory, "UPDATE nodes SET valid_to = 1.8e9 WHERE text LIKE '%1111%' AND family = 'fact'")
    collect(memory, superseded_age_s=365 * DAY_S)
    assert memory.statements() == [("The staging port is 1111", "superseded")]


def test_copies_of_a_damaged_store_go_after_a_while(aged):
    for name, days in (("memory_graph.sqlite.damaged-1", 31), ("memory_graph.sqlite.damaged-2", 5)):
        path = f"{aged.paths.graph}/{name}"
        shutil.copy(aged.paths.graph_db, path)
        os.utime(path, (NOW - days * DAY_S,) * 2)
    assert [file.kind for file in collect(aged, damaged_age_s=30 * DAY_S).damaged] == ["damaged"]
    assert [name for name in os.listdir(aged.paths.graph) if "damaged" in name] == ["memory_graph.sqlite.damaged-2"]


def test_what_killed_processes_left_half_written_goes(aged):
    for name, at in ((f"{aged.paths.meta}/attempts.json.1.tmp", NOW - 2 * DAY_S), (f"{aged.paths.logs}/x.2.tmp", NOW)):
        open(name, "w").close()
        os.utime(name, (at, at))
    assert [os.path.basename(file.path) for file in collect(aged).leftovers] == ["attempts.json.1.tmp"]


def test_nothing_is_old_in_a_new_store(memory):
    assert collect(memory, log_age_s=1.0).is_nothing()
    assert not os.path.exists(memory.paths.data_dir)
    session(memory, "s", 1)
    memory.consolidate()
    wanted = retention.rules(memory.config)
    assert retention.collect(memory.paths, memory.config, wanted, time.time(), True).logs == []


@pytest.mark.parametrize(
    ("age", "size", "seconds", "limit"),
    [("90", "500MB", 90 * DAY_S, 5e8), ("12w", "1.5 gb", 84 * DAY_S, 1.5e9), ("2y", "10kB", 730 * DAY_S, 1e4)],
)
def test_ages_and_sizes_as_people_write_them(memory, age, size, seconds, limit):
    found = retention.rules(memory.config, age, size)
    assert (found.log_age_s, found.log_bytes) == (seconds, limit)


@pytest.mark.parametrize("wrong", ["", "x", "-3d", "3 moons", "5"])
def test_what_is_no_size_is_wrong_usage(memory, wrong):
    if wrong:
        with pytest.raises(UsageError):
            retention.rules(memory.config, None, wrong)
    if wrong not in ("", "5"):
        with pytest.raises(UsageError):
            retention.rules(memory.config, wrong)


def test_index_and_sizes_follow(memory):
    session(memory, "a", 900, "The staging port is 1111.")
    session(memory, "b", 10, "The staging port is 2222.")
    memory.consolidate()
    collect(memory, superseded_age_s=DAY_S)
    graph = open_graph(memory.paths.graph_db)
    docs = graph.db.execute("SELECT sum(docs) FROM scopes").fetchone()[0]
    assert docs == graph.db.execute("SELECT count(*) FROM nodes").fetchone()[0]
