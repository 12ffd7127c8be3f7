"""Nothing said is lost: not to a lock, not to many at once, not to a damaged file."""

import json
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import WORKER_TIMEOUT_S, worker_is_running

_HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
db.execute("ROLLBACK")
"""

CROWDS = [
    (8, "My favourite number is {}.", "favourite number"),
    (5, "Mi número favorito es el {}.", "número favorito"),
    (5, "Der Port von Dienst {0} ist 80{0}0.", "Port von Dienst"),
]


@pytest.mark.report("AWHM-P065")
@pytest.mark.parametrize(("count", "text", "asked"), CROWDS, ids=["case", "Spanish", "German"])
def test_sessions_that_end_at_once_under_a_held_lock_are_all_kept(person, count, text, asked):
    """Ours has one backend, SQLite; another process holds its write lock for a second."""
    person.tells("The staging port is 8443.", session="before")
    graph = person.data_dir / "graph" / "memory_graph.sqlite"
    with subprocess.Popen([sys.executable, "-c", _HOLD, str(graph), "1"], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"

        def session(number):
            said = person.says(text.format(number), f"c-{number}")
            return said.returncode, person.leaves(f"c-{number}", wait=False).returncode

        with ThreadPoolExecutor(count) as crowd:
            assert set(crowd.map(session, range(count))) == {(0, 0)}
    assert sorted(one for _, one in person.messages() if "8443" not in one) == [text.format(n) for n in range(count)]
    person.waits()
    kept = person.rows("SELECT session, text FROM nodes WHERE family = 'message' ORDER BY session")
    assert kept == [("claude-before", "The staging port is 8443.")] + [
        (f"claude-c-{n}", text.format(n)) for n in range(count)
    ]
    with sqlite3.connect(graph) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert person.asks(asked)


@pytest.mark.report("AWHM-P065")
def test_prompts_are_answered_while_the_store_is_being_written(person):
    person.tells("The staging port is 8443.", session="before")
    stop = threading.Event()

    def sessions():
        number = 0
        while not stop.is_set():
            person.says(f"Fact {number}: module {number} is done.", f"w-{number}")
            person.leaves(f"w-{number}", wait=False)
            number += 1
        return number

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(sessions)
        told = [person.says("Which port does staging use?", f"r-{n}") for n in range(12)]
        stop.set()
        count = writing.result()
    assert {run.returncode for run in told} == {0}
    assert all("8443" in run.context for run in told)
    end = time.monotonic() + WORKER_TIMEOUT_S
    while worker_is_running(person.data_dir) and time.monotonic() < end:
        time.sleep(0.05)
    person.leaves("r-0")
    assert (
        person.rows("SELECT count(*) FROM nodes WHERE session LIKE 'claude-w-%' AND family = 'message'")[0][0] == count
    )


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def a_list(path):
    path.write_bytes(b"[]")


def empty(path):
    path.write_bytes(b"")


def flipped(path):
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(byte ^ 0xFF for byte in data[4096:8192])
    path.write_bytes(bytes(data))


@pytest.mark.report("AWHM-P067")
@pytest.mark.parametrize("damage", [half, a_list, empty, flipped])
def test_a_damaged_store_is_kept_aside_and_made_anew_from_the_logs(person, damage):
    """Ours heals by itself: the next worker rebuilds, so the doctor is asked before it."""
    person.tells("The staging port is 8443.", "I prefer tabs over spaces.", session="before")
    folder = person.data_dir / "graph"
    graph = folder / "memory_graph.sqlite"
    for name in ("-wal", "-shm"):
        (folder / (graph.name + name)).unlink(missing_ok=True)
    damage(graph)
    damaged = graph.read_bytes()
    wal = person.data_dir / "wal" / "claude-torn.wal"
    person.says("The mail host is mx1.", "torn")
    wal.write_bytes(wal.read_bytes()[:-20])
    run = person.says("I prefer uv over pip.")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert person.messages("s-1") == [("user", "I prefer uv over pip.")]
    assert graph.read_bytes() == damaged
    doctor = person.runs("doctor", "--json")
    if damage is not empty:
        assert doctor.returncode != 0
        (finding,) = [one for one in json.loads(doctor.stdout)["findings"] if one["name"].startswith("store-")]
        assert finding["fix"].startswith("awhm ")
    person.leaves()
    if damage is not empty:
        kept = [path for path in folder.iterdir() if path.read_bytes() == damaged]
        assert len(kept) == 1 and kept[0] != graph
    texts = {text.rstrip(".") for _, text in person.statements()}
    assert texts >= {"The staging port is 8443", "I prefer tabs over spaces", "I prefer uv over pip"}
    assert len(person.rows("SELECT 1 FROM nodes WHERE family = 'message'")) == 4
