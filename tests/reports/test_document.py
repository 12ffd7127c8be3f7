"""docs/reports.md names every case, and every case has its test."""

import re
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "reports.md"


def test_the_document_and_the_tests_hold_the_same_cases():
    cells = [line.split("|")[2] for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| ")]
    documented = {f"AWHM-{number}" for cell in cells for number in re.findall(r"P\d{3}", cell)}
    tested = {case for path in HERE.glob("test_*.py") for case in re.findall(r"AWHM-P\d{3}", path.read_text("utf-8"))}
    assert documented == tested
    assert len(tested) == 68
