"""A statement that says what a known one says, and one that only sounds like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate.dedup import near_duplicate, same_words

# Their cosines (MiniLM) are between 0.92 and 0.99 on both sides.
SAME = [
    ("I prefer TypeScript over JavaScript", "I like TypeScript more than JavaScript"),
    ("Always use black for formatting", "Use black for formatting, always"),
    ("The API endpoint is https://api.example.com/v2", "API endpoint: https://api.example.com/v2/"),
    ("I live in Cape Town", "I'm living in Cape Town"),
    ("we deploy on Fridays", "we deploy every Friday"),
    ("Never commit directly to main", "Don't commit directly to main"),
    ("the server port is 8080", "the port of the server is 8080."),
    ("use exponential backoff when retrying", "We decided to use exponential backoff when retrying"),
    ("Nunca uses npm", "¡No uses npm!"),
    ("Wir nutzen nie Tabs", "wir nutzen keine Tabs"),
]
DIFFERENT = [
    ("the port is 8080", "the port is 8081"),
    ("always use tabs", "never use tabs"),
    ("I prefer Rust over Go", "I prefer Go over Rust"),
    ("use tabs, not spaces", "use spaces, not tabs"),
    ("run tests before commit", "run tests after commit"),
    ("use v1.2 of the client", "use v1.3 of the client"),
    ("call get_user first", "call get_users first"),
    ("read .env first", "read env first"),
    ("set --verbose", "set --quiet"),
    ("I work at Acme", "I worked at Acme"),
    ("Alice reports to Bob", "Bob reports to Alice"),
    ("Alice manages Bob", "Bob manages Alice"),
    ("move the file from src to lib", "move the file from lib to src"),
    ("commit with sign-off", "commit without sign-off"),
    ("the meeting is on Monday", "the meeting is on Tuesday"),
    ("Deploys go through Jenkins", "Deploys no longer go through Jenkins"),
    ("we do deploy on Fridays", "we don't deploy on Fridays"),
    ("ich mag Tabs", "ich mag keine Tabs"),
    ("prefiero el modo oscuro", "prefiero el modo claro"),
    ("enable the cache in tests", "disable the cache in tests"),
]


@pytest.mark.parametrize(("known", "new"), SAME)
def test_the_same_in_other_words_is_one_memory(known: str, new: str) -> None:
    assert near_duplicate(new, [(1, known)], {1: 0.95}) == 1
    assert near_duplicate(known, [(1, new)], {1: 0.95}) == 1


@pytest.mark.parametrize(("known", "new"), DIFFERENT)
def test_a_value_a_negation_or_an_order_makes_two_memories(known: str, new: str) -> None:
    assert near_duplicate(new, [(1, known)], {1: 0.99}) is None
    assert near_duplicate(known, [(1, new)], {1: 0.99}) is None


def test_the_same_normalised_statement_needs_no_cosine() -> None:
    known = [(1, "I prefer Go"), (2, "I prefer Rust")]
    assert near_duplicate("Actually, I  PREFER rust.", known) == 2
    assert near_duplicate("I prefer Zig", known) is None


def test_the_cosine_must_be_above_the_threshold() -> None:
    known = [(1, "Always use black for formatting")]
    new = "Use black for formatting, always"
    assert near_duplicate(new, known, {1: 0.92}) is None
    assert near_duplicate(new, known, {1: 0.93}) == 1
    assert near_duplicate(new, known, {1: 0.93}, threshold=0.95) is None
    assert near_duplicate(new, known, {2: 0.99}) is None
    assert near_duplicate(new, known) is None


def test_the_closest_candidate_is_taken() -> None:
    known = [(1, "we deploy on Fridays"), (2, "we always deploy on Fridays, please")]
    assert near_duplicate("we deploy every Friday", known, {1: 0.93, 2: 0.97}) == 2


statements = st.lists(
    st.sampled_from(
        ["I", "prefer", "Rust", "over", "Go", "not", "the", "8080", "get_user", "never", "using", "uses", "."]
    )
).map(" ".join)


@given(statements, statements)
def test_sameness_goes_both_ways(one: str, other: str) -> None:
    assert same_words(one, one)
    assert same_words(one, other) is same_words(other, one)


@given(statements, st.sampled_from(["9090", "getUser", "never", "Alice", "without"]))
def test_a_word_that_matters_always_tells_apart(statement: str, word: str) -> None:
    assert not same_words(statement, f"{statement} {word}")
