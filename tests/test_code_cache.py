"""A copy of the package in a directory of its own, so that no other test's imports come from what is broken here."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "awhm_hooks"
REFRESH = "import sys; sys.path.insert(0, sys.argv[1]); from awhm_hooks import code_cache; print(code_cache.refresh())"
LOADERS = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from awhm_hooks import entry
def leave(code):
    ours = {name: module.__spec__ for name, module in sys.modules.items() if "awhm_hooks" in name}
    found = {name: type(spec.loader).__name__ for name, spec in ours.items()}
    print(json.dumps(found))
    sys.stdout.flush()
    left(code)
left, os._exit = os._exit, leave
entry.hook("prompt", [])
"""


@pytest.fixture
def place(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "lib" / "awhm_hooks", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def python(place, code):
    data = tempfile.mkdtemp(dir=place)
    environ = {"AWHM_DATA_DIR": data, "HOME": data, "AWHM_SEMANTIC": "0", "PATH": os.defpath}
    payload = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "We use pnpm.", "cwd": str(place)}
    command = [sys.executable, "-I", "-S", "-c", code, str(place / "lib")]
    ran = subprocess.run(command, input=json.dumps(payload), env=environ, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.strip()


def refresh(place):
    return python(place, REFRESH) == "True"


def loaders(place):
    found = json.loads(python(place, LOADERS))
    assert "awhm_hooks.recall.engine" in found, "the hook did its work"
    return {name: loader for name, loader in found.items() if name.startswith("awhm_hooks.")}


def cache_file(place):
    (file,) = (place / "lib" / "awhm_hooks" / "__pycache__").glob("hooks.*.code")
    return file


def test_a_hook_takes_its_modules_from_the_cache(place):
    assert set(loaders(place).values()) == {"SourceFileLoader"}
    assert refresh(place)
    found = loaders(place)
    before = {"awhm_hooks.entry", "awhm_hooks.code_cache"}
    assert {name for name, loader in found.items() if loader != "CachedFinder"} == before
    assert len(found) > 40


def test_the_cache_is_written_when_a_module_changes_comes_or_goes(place):
    module = place / "lib" / "awhm_hooks" / "journal" / "extra.py"
    assert refresh(place)
    assert not refresh(place)
    module.write_text("A = 1\n")
    assert refresh(place)
    module.write_text("A = 22\n")
    assert refresh(place)
    module.unlink()
    assert refresh(place)
    assert not refresh(place)


def test_a_changed_module_is_imported_from_its_source(place):
    refresh(place)
    changed = place / "lib" / "awhm_hooks" / "journal" / "wal.py"
    changed.write_text(changed.read_text() + "\n# changed\n")
    found = loaders(place)
    assert found["awhm_hooks.journal.wal"] == "SourceFileLoader"
    assert found["awhm_hooks.journal.raw_log"] == "CachedFinder"


@pytest.mark.parametrize("share", [0.0, 0.00001, 0.1, 0.5, 0.97, 0.9999])
def test_a_cache_that_is_cut_short_is_no_fault(place, share):
    refresh(place)
    file = cache_file(place)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    assert set(loaders(place).values()) == {"SourceFileLoader"}
    assert refresh(place), "it is mended"


def test_code_that_does_not_read_is_imported_from_its_source(place):
    refresh(place)
    file = cache_file(place)
    data = bytearray(file.read_bytes())
    begin = int.from_bytes(data[:8], "little")
    data[8:begin] = bytes(begin - 8)
    file.write_bytes(data)
    assert set(loaders(place).values()) == {"SourceFileLoader"}


def test_another_interpreter_s_cache_is_left_alone(place):
    refresh(place)
    file = cache_file(place)
    file.write_bytes(file.read_bytes().replace(sys.version.encode(), sys.version.encode().swapcase()))
    assert set(loaders(place).values()) == {"SourceFileLoader"}


def test_a_traceback_names_file_and_line(place):
    refresh(place)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from awhm_hooks import code_cache; code_cache.install()\n"
        "import traceback\nfrom awhm_hooks.journal import wal\n"
        "assert type(wal.__spec__.loader).__name__ == 'CachedFinder'\n"
        "try: wal.line_of(object())\n"
        "except Exception: print(traceback.format_exc())"
    )
    shown = python(place, code)
    lines = (PACKAGE / "journal" / "wal.py").read_text().split("\n")
    number = lines.index('    body = wire_json.dumps(record).encode("ascii")') + 1
    assert f'{place / "lib" / "awhm_hooks" / "journal" / "wal.py"}", line {number}, in line_of' in shown
