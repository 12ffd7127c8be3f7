import os

import pytest

from awhm_hooks.journal import wal
from awhm_hooks.paths import Paths


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path / "data"))


def test_records_come_back_in_order(paths):
    wal.append(paths, "s", [{"k": "m", "n": 1}, {"k": "i", "n": 2}])
    _, size = wal.append(paths, "s", [{"k": "m", "n": 3}])
    records, read_size = wal.read_tail(paths.wal_file("s"))
    assert [record["n"] for record in records] == [1, 2, 3]
    assert size == read_size == os.path.getsize(paths.wal_file("s"))
    assert wal.read_all(paths.wal_file("s")) == records


def test_a_missing_log_has_no_records(paths):
    assert wal.read_tail(paths.wal_file("s")) == ([], 0)
    assert wal.read_all(paths.wal_file("s")) == []


@pytest.mark.parametrize("damage", [b"junk", b"00000000 {}", b'12345678 {"k":"m","n":9}', b"\xff\xfe"])
def test_torn_and_changed_lines_are_passed_over(paths, damage):
    wal.append(paths, "s", [{"k": "m", "n": 1}])
    with open(paths.wal_file("s"), "ab") as file:
        file.write(damage)
    wal.append(paths, "s", [{"k": "m", "n": 2}])
    assert [record["n"] for record in wal.read_tail(paths.wal_file("s"))[0]] == [1, 2]


def test_reading_begins_at_the_last_checkpoint(paths):
    wal.append(paths, "s", [{"k": "m", "n": 1}, {"k": "k", "n": 2}, {"k": "m", "n": 3}])
    assert [record["n"] for record in wal.read_tail(paths.wal_file("s"))[0]] == [2, 3]


def test_a_long_log_is_read_from_its_end(paths):
    wal.append(paths, "s", [{"k": "m", "n": n, "pad": "x" * 1000} for n in range(400)])
    records, _ = wal.read_tail(paths.wal_file("s"), 50_000)
    assert [record["n"] for record in records] == list(range(400))[-len(records) :]
    assert 40 <= len(records) <= 50


def test_a_log_is_removed_only_when_it_is_settled(paths):
    wal.append(paths, "s", [{"k": "m"}])
    assert not wal.remove_if(paths.wal_file("s"), lambda: False)
    assert os.path.exists(paths.wal_file("s"))
    assert wal.remove_if(paths.wal_file("s"), lambda: True)
    assert not os.path.exists(paths.wal_file("s"))
    assert wal.remove_if(paths.wal_file("s"), lambda: False)
