import re
import subprocess
import sys

import pytest

from awhm_hooks import regexes

SOURCES = {"number": r"(?i)\bno (?P<n>\d+)", "either": "x|y"}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(regexes, "_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(regexes, "_groups", {})
    return tmp_path


def fresh(name, sources):
    regexes._groups.clear()
    return regexes.group(name, sources)


def test_cached_patterns_match_like_compiled_ones(cache):
    fresh("test", SOURCES)
    loaded = fresh("test", SOURCES)
    assert list(cache.iterdir())
    assert loaded["number"].search("see No 12")["n"] == "12"
    assert loaded["number"].flags == re.compile(SOURCES["number"]).flags
    assert loaded["either"].sub("z", "xay") == "zaz"


def test_the_second_process_does_not_import_re(tmp_path):
    code = (
        "import sys; from awhm_hooks import regexes as r; r._CACHE_DIR = sys.argv[1];"
        "print(r.group('t', {'a': '(?i)b+'})['a'].search('aBB')[0], 're' in sys.modules)"
    )
    runs = [
        subprocess.run([sys.executable, "-S", "-c", code, str(tmp_path)], capture_output=True, text=True).stdout.split()
        for _ in range(2)
    ]
    assert runs == [["BB", "True"], ["BB", "False"]]


def test_changed_sources_are_compiled_anew(cache):
    fresh("test", SOURCES)
    assert fresh("test", {"number": "other", "either": "q"})["number"].search("other")


@pytest.mark.parametrize("damage", [b"", b"junk" * 50, b"\0" * 8])
def test_a_damaged_cache_is_no_fault(cache, damage):
    fresh("test", SOURCES)
    (file,) = cache.iterdir()
    file.write_bytes(damage)
    assert fresh("test", SOURCES)["either"].search("x")


def test_a_flipped_byte_is_noticed(cache):
    fresh("test", SOURCES)
    (file,) = cache.iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    assert fresh("test", SOURCES)["number"].search("no 3")["n"] == "3"


def test_a_cache_that_cannot_be_written_is_no_fault(cache, monkeypatch):
    (cache / "file").write_text("")
    monkeypatch.setattr(regexes, "_CACHE_DIR", str(cache / "file" / "below"))
    assert fresh("test", SOURCES)["either"].search("y")
