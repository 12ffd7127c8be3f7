"""What a message states, and what it does not. The table tests/data/capture_dev.jsonl holds the breadth, the cases
here name the kinds."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.journal.patterns import MAX_STATEMENTS, Statement, capture, languages
from awhm_hooks.journal.patterns.languages import Group, Language
from awhm_hooks.journal.patterns.reading import read
from awhm_hooks.journal.slots import canonical_key

DATA = Path(__file__).parents[1] / "data"
TABLE = [json.loads(line) for line in (DATA / "capture_dev.jsonl").read_text("utf-8").splitlines()]
CONFORMANCE = json.loads((DATA / "awhm_lite_conformance.json").read_text("utf-8"))
STATING = [row for row in TABLE if row["expect"]]

# Rows of the reference's behaviour that we answer otherwise on purpose; all are tagged "run" (not asserted there).
DIFFERENT_PATTERNS = {
    "do you think I should always use tabs?": "a question states no policy",
    "if my name is Bob, does the login page greet me?": "a condition states no fact",
    "it is called Hermes": "a pronoun names no slot",
    "I'm a backend engineer": "the short form says the same as 'I am'",
    "Traceback: ValueError": "pasted output is nobody's statement",
    "successfully: deployed": "pasted output is nobody's statement",
    "we prefer tabs": "its key says preference, so does its capture",
    "<private>my password is hunter2</private>": "a private span, and a password is no fact to remember",
}


def families(text):
    return [statement.family for statement in capture(text)]


def said(text):
    return [statement.text for statement in capture(text)]


def only(text) -> Statement:
    (statement,) = capture(text)
    return statement


# The table.


def precision_and_recall(rows):
    right = wrong = missed = 0
    for row in rows:
        got, expected = Counter(families(row["text"])), Counter(row["expect"])
        common = sum((got & expected).values())
        right += common
        wrong += sum(got.values()) - common
        missed += sum(expected.values()) - common
    return right / (right + wrong), right / (right + missed)


@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_the_table_of_a_language_is_met(language):
    rows = [row for row in TABLE if row["language"] == language]
    precision, recall = precision_and_recall(rows)
    assert len(rows) > 400
    assert precision >= 0.99
    assert recall >= 0.96


def test_statements_name_the_slots_of_the_table():
    wrong = [row for row in STATING if "key" in row and row["key"] not in [one.key for one in capture(row["text"])]]
    assert wrong == []


def test_a_statement_is_found_in_the_language_it_is_made_in():
    strange = [row for row in STATING if any(one.language != row["language"] for one in capture(row["text"]))]
    assert strange == []


def test_the_key_of_a_captured_text_is_the_statements_key():
    differing = [
        (one.text, one.key, canonical_key(one.text))
        for row in STATING
        for one in capture(row["text"])
        if canonical_key(one.text) != one.key
    ]
    assert differing == []


def test_gates_lose_nothing():
    """Groups that are skipped by their gates would not have matched."""
    plain = {code: ungated(languages.load(code)) for code in ("en", "es", "de")}
    for row in TABLE:
        gated = capture(row["text"])
        codes = languages.spoken(languages.word_set(languages.fold(row["text"])))
        assert read(row["text"], [plain[code] for code in codes], MAX_STATEMENTS) == gated


@pytest.mark.parametrize(
    "text",
    [
        "Do we always squash-merge, and is our main branch called trunk?",
        "Is it true that we use pnpm and never npm?",
        "What do I prefer, tabs or spaces?",
        "¿qué puerto usamos siempre en staging?",
        "wann haben wir entschieden, dass wir immer rebasen?",
        "How do I make sure that we never push to main?",
    ],
)
def test_what_only_asks_states_nothing_in_any_language(text):
    assert read(text, [languages.load(code) for code in ("en", "es", "de")], MAX_STATEMENTS) == []
    assert capture(text) == []


def ungated(language: Language) -> Language:
    same = Language(
        language.code, language.groups, {}, language.rules, {}, language.actions, language.articles,
        capital_nouns=language.capital_nouns,
    )  # fmt: skip
    same.groups = {name: Group(group.sources) for name, group in language.groups.items()}
    same.patterns, same.words, same.ends = language.patterns, language.words, language.ends
    return same


@pytest.mark.parametrize("row", CONFORMANCE["patterns"], ids=lambda row: row["input"])
def test_the_references_categories_are_present(row):
    got = {category for statement in capture(row["input"]) for category in statement.categories}
    expected = {category for category, _ in row["matches"]}
    if row["input"] in DIFFERENT_PATTERNS:
        assert row["source"] == "run"
        assert got != expected, "no longer different: take it off the list"
    else:
        assert got == expected


# What is kept of a statement.

KEPT = [
    ("I prefer dark mode over light mode, can you set it up?", ["I prefer dark mode over light mode"]),
    ("My name is Alice and I prefer dark mode", ["My name is Alice", "I prefer dark mode"]),
    ("my name is Bob, does the login page greet me?", ["my name is Bob"]),
    ("ok, quick note: our port is 8080, thanks!", ["our port is 8080"]),
    ("I live in Oslo and work at Acme", ["I live in Oslo", "I work at Acme"]),
    ("We use Postgres and deploy on Fly.io.", ["We use Postgres", "We deploy on Fly.io"]),
    ("We use Postgres, Redis and Kafka.", ["We use Postgres, Redis and Kafka"]),
    ("Always run tests, lint and build.", ["Always run tests, lint and build"]),
    ("Never push to main, it breaks staging.", ["Never push to main"]),
    ("From 2026-03-01 the API endpoint is https://v2.test", ["From 2026-03-01 the API endpoint is https://v2.test"]),
    ("From now on, answer in British English.", ["From now on, answer in British English"]),
    ("from now on: never push to main, ok?", ["from now on: never push to main"]),
    ("If you change the schema, always add a migration.", ["always add a migration"]),
    ("We no longer use Redux, we use Zustand.", ["We no longer use Redux, we use Zustand"]),
    ("The port was 3000, now it's 4000.", ["The port was 3000, now it's 4000"]),
    ("**Always** use tabs   in Makefiles.", ["Always use tabs in Makefiles"]),
    ("The team name is “Falcon”.", ["The team name is “Falcon”"]),
    ("The default branch is `trunk`.", ["The default branch is `trunk`"]),
    ("Vivo en Málaga y trabajo en Telefónica.", ["Vivo en Málaga", "trabajo en Telefónica"]),
    ("Ich heiße Eva und bevorzuge kurze Antworten.", ["Ich heiße Eva", "Ich bevorzuge kurze Antworten"]),
    ("Prefiero los commits pequeños, ¿puedes dividir este?", ["Prefiero los commits pequeños"]),
    ("Ich bevorzuge kleine Commits, kannst du den hier aufteilen?", ["Ich bevorzuge kleine Commits"]),
    ("We decided to keep the monolith since the whole team\nknows it well, can you document that?",
     ["We decided to keep the monolith since the whole team knows it well"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), KEPT)
def test_a_statement_keeps_its_own_words_and_no_more(text, expected):
    assert said(text) == expected


def test_a_statement_says_where_it_stands():
    text = "Hi!\n\n- ok, **always** use tabs\n- btw our port is 8080."
    found = [(text[one.start : one.end], one.text) for one in capture(text)]
    assert found == [("always** use tabs", "always use tabs"), ("our port is 8080", "our port is 8080")]


CORRECTIONS = [
    ("Actually, the port is 8080", "the port is 8080", ("correction", "fact")),
    ("Actually no, I prefer Rust.", "I prefer Rust", ("correction", "preference")),
    ("That's wrong. The port is 8080.", "The port is 8080", ("correction", "fact")),
    ("Correction: never use tabs.", "never use tabs", ("correction", "preference")),
    ("The port is actually 8080.", "The port is actually 8080", ("correction", "fact")),
    ("No, it's Python 3.11", "it's Python 3.11", ("correction",)),
    ("I meant 8081, not 8080.", "8081, not 8080", ("correction",)),
    ("En realidad, el puerto es 9090.", "el puerto es 9090", ("correction", "fact")),
    ("Corrección: la fecha límite es el 3 de mayo.", "la fecha límite es el 3 de mayo", ("correction", "fact")),
    ("Eigentlich ist der Port 9090.", "ist der Port 9090", ("correction", "fact")),
    ("Das stimmt nicht, der Port ist 8080.", "der Port ist 8080", ("correction", "fact")),
]


@pytest.mark.parametrize(("text", "words", "categories"), CORRECTIONS)
def test_a_correction_is_flagged_and_its_marker_left_out(text, words, categories):
    statement = only(text)
    assert (statement.text, statement.categories) == (words, categories)
    assert statement.is_correction
    assert statement.confidence == 0.9


@pytest.mark.parametrize(
    ("text", "family", "category", "confidence"),
    [
        ("Our port is 8080.", "fact", "fact", 0.8),
        ("I prefer tabs.", "preference", "preference", 0.75),
        ("Never use tabs.", "policy", "preference", 0.75),
        ("That worked, thanks!", "outcome", "outcome", 0.65),
    ],
)
def test_family_category_and_confidence_are_the_references(text, family, category, confidence):
    statement = only(text)
    assert (statement.family, statement.categories, statement.confidence) == (family, (category,), confidence)
    assert not statement.is_correction


SCOPES = [
    ("My name is Alice.", "user"),
    ("I live in Oslo.", "user"),
    ("I prefer tabs.", "user"),
    ("My default shell is zsh.", "user"),
    ("Mi editor es Helix", "user"),
    ("Prefiero tabs a espacios.", "user"),
    ("Ich wohne in Köln.", "user"),
    ("Mein Editor ist Helix.", "user"),
    ("We prefer pnpm.", "project"),
    ("Our port is 8080.", "project"),
    ("My project uses Bazel.", "project"),
    ("Never use tabs.", "project"),
    ("Preferimos pnpm.", "project"),
    ("Wir bevorzugen pnpm.", "project"),
]


@pytest.mark.parametrize(("text", "scope"), SCOPES)
def test_what_is_about_the_person_travels_with_the_person(text, scope):
    assert only(text).scope == scope


CHANGES = [
    "The API endpoint moved to https://v2.test",
    "Yesterday we moved the API endpoint to https://v2.test",
    "We moved from Jenkins to GitHub Actions.",
    "We switched to pnpm last week.",
    "we no longer use Redux, we use Zustand",
    "The port isn't 3000 any more, it's 4000.",
    "The web app now uses Tailwind.",
    "The default branch is now main.",
    "We renamed the service to Hermes.",
    "I moved to Oslo last month.",
    "We replaced Celery with Dramatiq.",
    "Ya no usamos Jenkins, usamos GitHub Actions.",
    "Cambiamos el puerto a 9090.",
    "El producto ahora se llama Orbit.",
    "Wir nutzen Jenkins nicht mehr.",
    "Wir haben den Port auf 9090 geändert.",
    "Der API-Endpunkt ist jetzt https://v3.beispiel.de",
]


@pytest.mark.parametrize("text", CHANGES)
def test_a_change_is_flagged(text):
    assert only(text).change


@pytest.mark.parametrize("text", ["Our port is 8080.", "We use pnpm.", "Prefiero tabs a espacios.", "Ich heiße Jonas."])
def test_a_plain_statement_is_no_change(text):
    assert not only(text).change


# What is no statement.

REPORTED = [
    "I like that, sounds good",
    "Should I prefer tabs?",
    "If I always used Go, would it be faster?",
    'She said "I prefer Vim".',
    "I need help with this endpoint",
    "No, the index is fine. My curl parsed the wrong field.",
    "<task-notification>\n<summary>Monitor event: CI failed; never deploy on red</summary>\n</task-notification>",
    "/home/dev/shop-api/src/main.py fails",
]


@pytest.mark.parametrize("text", REPORTED)
def test_reported_false_positives_stay_out(text):
    assert capture(text) == []


def test_no_more_than_forty_statements_are_taken():
    text = "\n".join(f"- never use library{number}" for number in range(100))
    assert said(text) == [f"never use library{number}" for number in range(MAX_STATEMENTS)]


def test_a_repeated_statement_is_taken_once():
    assert said("Our port is 8080.\nOur port is 8080.") == ["Our port is 8080"]


LOADING = """
import sys
from awhm_hooks.journal.patterns import capture
found = capture(sys.argv[1])
languages = [name[-2:] for name in sys.modules if name[:-2] == "awhm_hooks.journal.patterns."]
from awhm_hooks import wire_json
print(wire_json.dumps([len(found), sorted(languages)]))
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rename login.py", [0, []]),
        ("Which port do we use, and do we always deploy from main?", [0, []]),
        ("Do we use npm? We use pnpm.", [1, ["en"]]),
        ("I prefer tabs", [1, ["en"]]),
        ("Prefiero tabs a espacios", [1, ["es"]]),
        ("Ich bevorzuge Tabs", [1, ["de"]]),
    ],
)
def test_only_the_languages_a_text_shows_are_loaded(text, expected):
    process = subprocess.run(
        [sys.executable, "-c", LOADING, text], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert json.loads(process.stdout) == expected


# A wish beside a request, a habit of one word, and what is only put off.

KEPT = {
    "Prefiero pnpm, ¿puedes cambiarlo?": "Prefiero pnpm",
    "Me gustan los tabs, ¿lo cambias?": "Me gustan los tabs",
    "Odio los comentarios obvios, ¿los quitas?": "Odio los comentarios obvios",
    "I always squash-merge.": "I always squash-merge",
    "I never force-push to shared branches.": "I never force-push to shared branches",
    "I usually rebase.": "I usually rebase",
    "Ich squashe immer.": "Ich squashe immer",
    "I prefer to write the tests first": "I prefer to write the tests first",
    "I prefer not to use ORMs": "I prefer not to use ORMs",
    "Prefiero no usar ORMs": "Prefiero no usar ORMs",
    "Ich nehme lieber pnpm": "Ich nehme lieber pnpm",
    "Wir sind gestern auf pnpm umgestiegen.": "Wir sind gestern auf pnpm umgestiegen",
}
LEFT = [
    "Prefiero tabs, ¿no?",
    "Prefiero tabs, ¿verdad?",
    "Usamos pnpm, ¿no crees?",
    "¿Prefieres pnpm, o npm?",
    "I prefer not to decide now",
    "I prefer to wait for the review",
    "I prefer to do this tomorrow",
    "Prefiero no decidir ahora",
    "Prefiero esperar a mañana",
    "Ich bevorzuge, jetzt nicht zu entscheiden",
    "Ich warte lieber bis morgen",
    "I always forget.",
    "Did I always squash-merge?",
    "I never squash-merge, do you?",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_taste_is_kept_without_what_follows(text):
    assert said(text) == [KEPT[text]]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_put_off_or_asked_is_no_taste(text):
    assert said(text) == []


# Laws.

PIECES = st.sampled_from(
    [
        *(row["text"] for row in TABLE[::11]),
        "\n", "\n\n", " ", ", ", ". ", "```\n", "> ", "- ", "`", '"', "'", "**", "?", "!", ":", "and ", "und ", "y ",
        "if ", "wenn ", "si ", "Actually, ", "no, ", "from now on ", "\t", "\r\n", "\ud800", "\u0000", "İ", "ß", "🙂",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=200))
def test_any_text_gives_well_formed_statements(text):
    found = capture(text)
    assert len(found) <= MAX_STATEMENTS
    assert found == capture(text)
    for one in found:
        assert 0 <= one.start < one.end <= len(text)
        assert one.text == one.text.strip() != ""
        assert one.family in ("fact", "preference", "policy", "outcome")
        assert one.scope in ("user", "project")
        assert one.categories


def test_statements_compare_and_show_by_value():
    first, second = only("Our port is 8080."), only("Our port is 8080.")
    assert first == second
    assert hash(first) == hash(second)
    assert first != only("Our port is 8081.")
    assert first != "Our port is 8080"
    assert "key='fact:the port'" in repr(first)
