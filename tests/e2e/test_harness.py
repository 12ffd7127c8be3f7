"""The tests' own safety: a run that touches the home of the person who started it fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import conftest
import pytest

SLIPS = {
    "nothing": "",
    "a memory is created": "(home / '.awhm' / 'logs').mkdir(parents=True)",
    "a client's folder is created": "(home / '.claude').mkdir()",
    "settings are changed": "(home / '.claude' / 'settings.json').write_text('{}')",
    "HOME is used as it is": "(Path.home() / '.awhm').mkdir()",
}
HARMLESS = {"nothing", "HOME is used as it is"}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_run_that_touches_the_real_home_fails(slip: str, tmp_path: Path) -> None:
    home, tests = tmp_path / "home", tmp_path / "tests"
    home.mkdir()
    if "settings" in slip:
        (home / ".claude").mkdir()
        (home / ".claude" / "settings.json").write_text("{ }")
    tests.mkdir()
    for name in ("conftest.py", "in_process.py"):
        shutil.copy(Path(conftest.__file__).with_name(name), tests / name)
    body = f"home = Path(os.environ['AWHM_TEST_REAL_HOME'])\n    {SLIPS[slip]}"
    (tests / "test_slip.py").write_text(f"import os\nfrom pathlib import Path\n\ndef test_it():\n    {body}\n")

    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tests)]
    ran = subprocess.run(command, env=env, cwd=tests, capture_output=True, check=False, text=True, timeout=60)
    assert "1 passed" in ran.stdout
    assert ("the real home was touched" in ran.stdout) == (slip not in HARMLESS)
    assert ran.returncode == (0 if slip in HARMLESS else 1)
