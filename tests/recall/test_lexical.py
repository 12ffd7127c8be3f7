from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from awhm_hooks.graph.writer import open_writer
from awhm_hooks.paths import Paths
from awhm_hooks.recall import lexical
from awhm_hooks.recall.tokens import tokenise


class LuceneBM25(BM25Okapi):
    """rank-bm25 with Lucene's idf, which stays positive for tiny corpora: the oracle."""

    def _calc_idf(self, nd):
        self.idf = {word: log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


def build(directory, texts, place_of=lambda n: 0):
    """A store of messages; place 0 is the user's scope, any other number a project's."""
    writer = open_writer(Paths(str(directory)))
    with writer.transaction():
        for n, text in enumerate(texts):
            place = place_of(n)
            scope = writer.scope_id(f"/p{place}") if place else 1
            writer.add_node("message", text, uid=f"u{n}", scope=scope, said_at=float(n))
    return writer


def scores(writer, scopes, query):
    return lexical.search(writer, scopes, tokenise(query)).scores


# The seed's own figures (k1 1.5, b 0.75, Lucene's idf); "javascript" in lower case, as we split "JavaScript" besides.
SEED = [
    (["python one", "python two", "python three"], "python two", [0.133531, 1.114361, 0.133531]),
    (["Python programming language", "javascript web development", "Python data science numpy"], "Python programming",
     [1.519197, 0.0, 0.431196]),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "query", "expected"), SEED)
def test_the_seed_s_scores(tmp_path, monkeypatch, texts, query, expected):
    monkeypatch.setattr(lexical, "K1", 1.5)
    monkeypatch.setattr(lexical, "B", 0.75)
    found = scores(build(tmp_path, texts), [1], query)
    assert [round(found.get(n + 1, 0.0), 6) for n in range(len(texts))] == pytest.approx(expected, abs=2e-6)


def test_a_word_that_nobody_said_finds_nothing(tmp_path):
    assert scores(build(tmp_path, ["python one"]), [1], "golang") == {}


WORDS = st.sampled_from(
    [
        "port",
        "staging",
        "deploy",
        "pnpm",
        "npm",
        "tabs",
        "spaces",
        "redis",
        "postgres",
        "helix",
        "retry",
        "queue",
        "8443",
        "api.example",
    ]
)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=25)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(WORDS, min_size=1, max_size=6, unique=True).map(" ".join))
def test_stored_postings_give_rank_bm25_s_scores(tmp_path_factory, texts, query):
    writer = build(tmp_path_factory.mktemp("graph"), texts)
    terms = list(dict.fromkeys(tokenise(query)))
    oracle = LuceneBM25([tokenise(text) for text in texts], k1=lexical.K1, b=lexical.B).get_scores(terms)
    found = scores(writer, [1], query)
    assert {n + 1: pytest.approx(score) for n, score in enumerate(oracle) if score > 0} == found


@settings(max_examples=30, deadline=None)
@given(
    TEXTS, st.lists(st.integers(0, 2), min_size=25, max_size=25), st.lists(WORDS, min_size=1, max_size=4, unique=True)
)
def test_the_scopes_searched_are_the_whole_corpus(tmp_path_factory, texts, places, query):
    writer = build(tmp_path_factory.mktemp("graph"), texts, lambda n: places[n])
    ids = [row[0] for row in writer.db.execute("SELECT id FROM scopes")]
    chosen = ids[:2]
    held = {row[0] for row in writer.db.execute(f"SELECT id FROM nodes WHERE scope IN ({','.join(map(str, chosen))})")}
    inside = [(n + 1, text) for n, text in enumerate(texts) if n + 1 in held]
    found = scores(writer, chosen, " ".join(query))
    if not inside:
        assert found == {}
        return
    terms = list(dict.fromkeys(tokenise(" ".join(query))))
    oracle = LuceneBM25([tokenise(text) for _, text in inside], k1=lexical.K1, b=lexical.B).get_scores(terms)
    assert {n: pytest.approx(score) for (n, _), score in zip(inside, oracle, strict=True) if score > 0} == found


def test_commits_one_after_another_give_the_same_index_as_one(tmp_path):
    texts = [f"port {n % 7} staging {'deploy ' * (n % 3)}" for n in range(60)]
    at_once = build(tmp_path / "a", texts)
    writer = open_writer(Paths(str(tmp_path / "b")))
    for n, text in enumerate(texts):
        with writer.transaction():
            writer.add_node("message", text, uid=f"u{n}", scope=1, said_at=float(n))
    query = "which port does staging deploy"
    assert scores(writer, [1], query) == scores(at_once, [1], query)


def test_the_order_of_the_best_survives_the_limit_on_postings(tmp_path, monkeypatch):
    texts = [f"common word {n}" + (" rare" if n % 50 == 0 else "") + (" common" * (n % 4)) for n in range(600)]
    writer = build(tmp_path, texts)
    terms = tokenise("rare common word")
    whole = lexical.search(writer, [1], terms)
    monkeypatch.setattr(lexical, "MAX_POSTINGS", 5)
    limited = lexical.search(writer, [1], terms)
    assert limited.best(12) == whole.best(12)
    assert limited.scores == {node: pytest.approx(whole.scores[node]) for node in limited.scores}
    assert all(sorted(limited.terms_held(node)) == ["common", "rar", "word"] for node in limited.best(12))


def test_late_terms_count_for_the_documents_that_lead(tmp_path, monkeypatch):
    writer = build(tmp_path, [f"special common {n}" if n % 2 else f"common {n}" for n in range(40)])
    terms = tokenise("special common")
    whole = lexical.search(writer, [1], terms)
    monkeypatch.setattr(lexical, "MAX_POSTINGS", 5)
    monkeypatch.setattr(lexical, "_LEADING", 10)
    limited = lexical.search(writer, [1], terms)
    leading = limited.best(10)
    assert [limited.scores[node] for node in leading] == [pytest.approx(whole.scores[node]) for node in leading]
    assert sum(1 for node in limited.scores if limited.scores[node] == pytest.approx(whole.scores[node])) == 10
    assert len(limited.scores) == 20


def test_a_rolled_back_transaction_leaves_the_index_alone(tmp_path):
    writer = build(tmp_path, ["one port"])
    with pytest.raises(ZeroDivisionError), writer.transaction():
        writer.add_node("message", "two port", uid="x", scope=1, said_at=0.0)
        raise ZeroDivisionError
    assert len(scores(writer, [1], "port")) == 1
    assert writer.sizes([1]) == (1, 2)
