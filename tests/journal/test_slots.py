"""Which slot a statement fills, and what supersedes what."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.journal.patterns import capture
from awhm_hooks.journal.slots import canonical_key, statement_key, strip_correction, supersedes

CONFORMANCE = json.loads((Path(__file__).parents[1] / "data" / "awhm_lite_conformance.json").read_text("utf-8"))

# Rows of the reference's behaviour that we answer otherwise on purpose; all are tagged "run" (not asserted there).
DIFFERENT_KEYS = {
    "I'm based in Oslo": "the short form fills the same slot as 'I am based in'",
    "it is what it is": "a pronoun names no slot",
    "why is the sky blue": "a question names no slot",
}


@pytest.mark.parametrize("row", CONFORMANCE["canonical_keys"], ids=lambda row: row["input"] or "nothing")
def test_keys_are_the_references(row):
    if row["input"] in DIFFERENT_KEYS:
        assert row["source"] == "run"
        assert canonical_key(row["input"]) != row["key"], "no longer different: take it off the list"
    else:
        assert canonical_key(row["input"]) == row["key"]


@pytest.mark.parametrize("row", CONFORMANCE["correction_prefix"], ids=lambda row: row["input"])
def test_correction_markers_are_the_references(row):
    stripped, is_correction = strip_correction(row["input"])
    assert is_correction == row["is_correction"]
    assert stripped == row.get("stripped", stripped)


@pytest.mark.parametrize("row", CONFORMANCE["statement_key"], ids=lambda row: row["input"])
def test_statements_are_compared_as_the_reference_compares_them(row):
    assert statement_key(row["input"]) == row["output"]


@pytest.mark.parametrize("row", CONFORMANCE["supersession"], ids=str)
def test_supersession_is_the_references(row):
    got = supersedes(row["new_key"], row["new_is_correction"], row["old_key"], row["message_distance"], row["window"])
    assert got == row["supersedes"]


# Texts that fill one slot, however they put it.
SAME_SLOT = {
    "fact:the api endpoint": [
        "The API endpoint is https://v1.test",
        "Our API endpoint is https://v1.test",
        "The API endpoint moved to https://v2.test",
        "The API endpoint is now https://v2.test",
        "The API endpoint was changed to https://v2.test",
        "Yesterday we moved the API endpoint to https://v2.test",
        "From 2026-03-01 the API endpoint is https://v2.test",
        "Actually, the API endpoint is https://v2.test",
        "The API endpoint was https://v1.test, now it's https://v2.test",
    ],
    "fact:i live in": ["I live in Oslo", "I'm based in Oslo", "I moved to Oslo", "Vivo en Oslo", "Ich wohne in Oslo"],
    "fact:i work at": ["I work at Acme", "I work for Acme", "I joined Acme", "Trabajo en Acme", "Ich arbeite bei Acme"],
    "fact:my name": ["My name is Ana", "I'm Ana", "Call me Ana", "Me llamo Ana", "Ich heiße Ana", "Mein Name ist Ana"],
    "fact:the staging port": ["Our staging port is 8443", "The staging port is 1", "We changed the staging port to 1"],
    "fact:the app port": [
        "The app runs on port 8080",
        "The app listens on port 8080",
        "The app moved to port 9090",
        "The app's port is 8080",
        "The app is on port 8080",
    ],
    "fact:the database": ["We use Postgres as our database", "Our database is Postgres", "The database is Postgres"],
    "fact:the ci": ["We use Jenkins for CI", "We moved our CI from Jenkins to GitHub Actions", "Our CI is Jenkins"],
    "fact:my default shell": ["my default shell is zsh", "I changed my default shell to fish"],
    "fact:the project": ["The project is called Hermes", "We renamed the project to Hermes"],
    "fact:my favourite editor": ["My favourite editor is Helix", "My favorite editor is Helix"],
    "fact:el puerto de staging": ["El puerto de staging es 8443", "Nuestro puerto de staging es 8443"],
    "fact:mi editor": ["Mi editor es Helix", "mi editor ahora es Zed"],
    "fact:staging-port": ["Der Staging-Port ist 8443", "Unser Staging-Port ist 8443", "Der Staging-Port ist jetzt 1"],
    "fact:mein editor": ["Mein Editor ist Helix"],
    "preference:dark": ["I prefer dark mode", "I prefer to have dark mode", "Ich bevorzuge den Dark Mode"],
    "preference:tabs": ["I prefer tabs", "We prefer to use tabs", "Prefiero tabs a espacios", "Ich mag Tabs lieber"],
    "policy:use:tabs": ["Never use tabs", "Always use tabs", "Nunca uses tabs", "Usa siempre tabs", "Nutze nie Tabs"],
    None: [
        "I use Python for scripting",
        "We use Sentry for our errors",
        "That worked, thanks!",
        "it is broken",
        "what is the port",
        "there is a bug in the parser",
        "who is our lead",
        "eso es todo",
        "das ist fertig",
        "",
        "   ",
        "...",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in SAME_SLOT.items() for text in texts])
def test_one_slot_has_one_key_however_it_is_put(key, text):
    assert canonical_key(text) == key


def test_slots_that_differ_in_one_word_stay_apart():
    assert canonical_key("my default shell is zsh") != canonical_key("my default editor is Helix")
    assert canonical_key("The staging port is 1") != canonical_key("The production port is 1")


def test_a_corrected_fact_replaces_the_wrong_one():
    wrong, right = "The backup box is a Synology NAS.", "Actually, the backup box is a TrueNAS server."
    (old,), (new,) = capture(wrong), capture(right)
    assert supersedes(new.key, new.is_correction, old.key, None, 3)


MARKED = [
    ("Sorry, actually the port is 1", "the port is 1"),
    ("no wait, the port is 1", "the port is 1"),
    ("Scratch that, the port is 1", "the port is 1"),
    ("En realidad, el puerto es 1", "el puerto es 1"),
    ("Corrección: el puerto es 1", "el puerto es 1"),
    ("No, es el puerto 1", "el puerto 1"),
    ("Korrektur: der Port ist 1", "der Port ist 1"),
    ("Nein, es ist der Port 1", "der Port 1"),
    ("Das stimmt nicht, der Port ist 1", "der Port ist 1"),
]


@pytest.mark.parametrize(("text", "stripped"), MARKED)
def test_markers_of_three_languages_are_stripped(text, stripped):
    assert strip_correction(text) == (stripped, True)


@pytest.mark.parametrize("text", ["No tests yet", "The port is actually 1", "Nothing", "I meet Bob", "Es ist der Port"])
def test_what_only_resembles_a_marker_stays(text):
    assert strip_correction(f" {text} ") == (text, False)


def test_the_first_statement_that_a_process_looks_at_loses_its_marker_too():
    process = subprocess.run(
        [sys.executable, "-c", "from awhm_hooks.journal.slots import *; print(strip_correction('Actually, it is 1'))"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert process.stdout.strip() == "('1', True)"


COMPARING = """
import sys
from awhm_hooks.journal import slots
slots.statement_key("The API endpoint is https://v2.test")
slots.supersedes("fact:a", False, "fact:a", None, 3)
print([name for name in sys.modules if name.endswith((".en", ".es", ".de", ".checks", ".reading"))])
"""


def test_comparing_statements_loads_no_patterns():
    """The buffer is folded at every prompt."""
    process = subprocess.run(
        [sys.executable, "-c", COMPARING], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert process.stdout.strip() == "[]"


KEYS = st.sampled_from([None, "", "fact:a", "fact:b", "preference:a", "preference:b", "policy:use:a", "policy:use:b"])


@given(KEYS, st.booleans(), KEYS, st.none() | st.integers(-2, 9), st.integers(0, 5))
def test_without_a_correction_only_the_same_key_supersedes(new, is_correction, old, distance, window):
    if supersedes(new, is_correction, old, distance, window) and new != old:
        assert is_correction
        assert new.split(":")[0] == old.split(":")[0] != "fact"
        assert 1 <= distance <= window


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_has_a_key_or_none_and_a_statement_key(text):
    key = canonical_key(text)
    assert key is None or key.split(":")[0] in ("fact", "preference", "policy")
    assert statement_key(text) == statement_key(f"  {text.strip()}  ")


def test_a_huge_text_has_a_key_in_bounded_work():
    assert canonical_key("a is " * 100_000) is None
