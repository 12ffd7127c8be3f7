"""docs/reports.md names every case, and every case has its test."""

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "reports.md"

COUNTING = """
import json, sys, pytest
class Marked:
    def pytest_collection_modifyitems(self, items):
        self.cases = [[mark.args[0] for mark in item.iter_markers("report")] for item in items]
marked = Marked()
pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", sys.argv[1]], plugins=[marked])
print(json.dumps(marked.cases))
"""


def rows():
    """(class, its cases, how many inputs) of the table."""
    cells = [line.split("|")[1:4] for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [(name.strip(), re.findall(r"P\d{3}", cases), int(inputs)) for name, cases, inputs in cells if "P0" in cases]


def test_the_document_and_the_tests_hold_the_same_cases():
    documented = {f"AWHM-{number}" for _, cases, _ in rows() for number in cases}
    tested = {case for path in HERE.glob("test_*.py") for case in re.findall(r"AWHM-P\d{3}", path.read_text("utf-8"))}
    assert documented == tested
    assert len(tested) == 68


def test_the_document_counts_the_inputs():
    command = [sys.executable, "-c", COUNTING, str(HERE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parents[1])
    tests = json.loads(done.stdout.splitlines()[-1])
    for name, cases, inputs in rows():
        marked = [test for test in tests if any(f"AWHM-{number}" in test for number in cases)]
        assert len(marked) == inputs, name
        assert inputs >= len(cases) + 2, f"{name}: two inputs of our own beside the report's"
