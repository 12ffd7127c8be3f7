import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from awhm_hooks.consolidate.captured import Captured, LuceneBM25
from awhm_hooks.consolidate.stage2_prompt import Known

OTHERS = (
    "I prefer dark mode",
    "The gate port is 22",
    "We deploy on Fridays",
    "Never push to main",
    "The database is Postgres 16",
)
SAME = [
    ("I prefer pnpm over npm for scripts", "The user prefers pnpm over npm for scripts"),
    ("The staging port is 8443", "Staging uses port 8443"),
    ("The staging port is 8443", "The port for staging is 8443"),
    ("run the tests before each commit", "Run tests before commit"),
    ("Never use tabs for indentation", "Don't use tabs for indentation"),
    ("We use Rust for the CLI", "The project uses Rust for the CLI"),
    ("The project uses Rust", "We go with Rust"),
    ("My name is Alice", "The user's name is Alice"),
    ("the staging port is 8443.", "Actually, the staging port is 8443"),
]
OTHER = [
    ("I prefer pnpm over npm for scripts", "I prefer npm over pnpm for scripts"),
    ("The staging port is 8443", "The staging port is 9443"),
    ("The staging port is 8443", "The production port is 8443"),
    ("run tests before commit", "Run tests after commit"),
    ("never use tabs", "Use tabs"),
    ("We use Rust for the CLI", "The user prefers Rust"),
    ("I prefer Rust", "We use Rust"),
    ("Alice manages Bob", "Bob manages Alice"),
    ("Alice reviews the API changes", "We use Rust"),
    ("The API endpoint is https://api.example.com/v1", "The API endpoint is https://api.example.com/v2"),
    ("the importer runs on Python 3.11", "The importer runs on Python 3.12"),
]


def known(*texts):
    return [Known(number, text, None, 1, "fact", float(number)) for number, text in enumerate(texts)]


@pytest.mark.parametrize("beside", [(), OTHERS])
@pytest.mark.parametrize(("text", "content"), SAME)
def test_what_is_known_in_other_words_is_known(text, content, beside):
    assert Captured(known(text, *beside), 0.92).holds(content)


@pytest.mark.parametrize("beside", [(), OTHERS])
@pytest.mark.parametrize(("text", "content"), OTHER)
def test_what_tells_something_else_is_new(text, content, beside):
    assert not Captured(known(text, *beside), 0.92).holds(content)


def test_what_was_admitted_a_moment_ago_is_known():
    captured = Captured(known(*OTHERS), 0.92)
    assert not captured.holds("We use Rust for the importer")
    captured.add(known("We use Rust for the importer")[0])
    assert captured.holds("The team uses Rust for the importer")


def test_meaning_decides_where_words_do_not_and_never_against_a_number_or_a_negation():
    def alike(text, others):
        return [0.97] * len(others)

    assert Captured(known("answers should be brief"), 0.92, alike).holds("replies must be short")
    assert not Captured(known("answers should be brief"), 0.92).holds("replies must be short")
    assert not Captured(known("the port is 8443"), 0.92, alike).holds("the gate is 9000")
    assert not Captured(known("answers should be brief"), 0.92, alike).holds("replies must not be short")


def test_an_empty_memory_knows_nothing():
    assert not Captured([], 0.92).holds("We use Rust")


TERMS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6)


@given(st.lists(TERMS, min_size=1, max_size=8), TERMS)
def test_coverage_is_the_share_of_rank_bm25_s_own_score(corpus, query):
    bm25 = LuceneBM25(corpus)
    assert isinstance(bm25, BM25Okapi)
    for share, document in zip(bm25.coverage(query), corpus, strict=True):
        assert 0.0 <= share <= 1.0 + 1e-9
        assert (share > 1.0 - 1e-9) == (set(query) <= set(document))
        assert (share == 0.0) == set(query).isdisjoint(document)
