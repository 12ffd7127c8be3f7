"""What is captured from a table of sentences that the patterns were not written from (docs/capture.md lists it)."""

import json
from pathlib import Path

import pytest

from awhm_hooks.journal.patterns import capture

TABLE = Path(__file__).parents[1] / "data" / "capture_unseen.jsonl"
DOCUMENT = Path(__file__).parents[2] / "docs" / "capture.md"
ROWS = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]
PRECISION_FLOOR = 0.95
RECALL_FLOOR = 0.70


def right_and_captured(rows):
    """(captured statements of a family that the sentence states, all captured statements)"""
    families = [(statement.family, row["expect"]) for row in rows for statement in capture(row["text"])]
    return sum(family in expect for family, expect in families), len(families)


def recall(rows):
    """The share of the sentences that state something from which a statement of such a family was captured."""
    stating = [row for row in rows if row["expect"]]
    return sum(right_and_captured([row])[0] > 0 for row in stating) / len(stating)


def test_the_table_is_wide_enough_to_measure_on():
    assert len({row["text"] for row in ROWS}) == len(ROWS) >= 150
    assert sum(not row["expect"] for row in ROWS) >= 75
    assert {row["language"] for row in ROWS} == {"en", "es", "de"}


def test_what_is_captured_was_stated():
    right, captured = right_and_captured(ROWS)
    assert right / captured >= PRECISION_FLOOR


def test_most_of_what_was_stated_is_captured():
    assert recall(ROWS) >= RECALL_FLOOR


@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_no_language_is_left_behind(language):
    """Sixty-odd sentences each: a looser floor than for the whole table."""
    rows = [row for row in ROWS if row["language"] == language]
    right, captured = right_and_captured(rows)
    assert right / captured >= PRECISION_FLOOR - 0.03
    assert recall(rows) >= RECALL_FLOOR - 0.03


def test_the_document_lists_every_sentence():
    document = DOCUMENT.read_text("utf-8")
    assert [row["text"] for row in ROWS if row["text"].splitlines()[0] not in document] == []
