"""Vectors are made once a run, and are the worker's own; with them a question without a shared word is answered."""

import sqlite3
from pathlib import Path

import numpy as np
from prepared_model import prepared

from awhm_hooks.consolidate.embed import Embedder
from awhm_hooks.evaluate import runner
from awhm_hooks.evaluate.answering import Setting
from awhm_hooks.evaluate.corpus import Corpus, Granularity, Question, Session, Store, Turn
from awhm_hooks.evaluate.embedding import shared_embedder

TEXTS = ["The lighthouse keeper feeds the gulls.", "Bread rises overnight.", "The lighthouse keeper feeds the gulls."]


def rows(file: Path) -> int:
    with sqlite3.connect(file) as cache:
        return int(cache.execute("SELECT count(*) FROM vectors").fetchone()[0])


def test_cached_vectors_are_the_embedders_own(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    embedder = shared_embedder(prepared().models, str(file))
    made = embedder.embed(TEXTS)
    assert np.array_equal(made[0], made[2]) and rows(file) == 2
    assert np.array_equal(embedder.embed(TEXTS), made)
    assert np.allclose((made * Embedder(prepared()).embed(TEXTS)).sum(axis=1), 1.0, atol=1e-4)
    assert embedder.embed([]).shape == (0, 384)


def test_windows_are_the_embedders_own(tmp_path: Path) -> None:
    embedder = shared_embedder(prepared().models, str(tmp_path / "vectors.sqlite"))
    text = "the gulls wait for bread. " * 80
    assert embedder.windows(text) == embedder.windows(text) == Embedder(prepared()).windows(text)


def test_meaning_is_part_of_what_is_measured(tmp_path: Path) -> None:
    turns = (
        Turn("m0", "user", "The tomatoes want a warm windowsill.", 1e9),
        Turn("m1", "user", "Helix is what I write code in.", 1e9 + 1),
    )
    question = Question("q", "Which vegetables like heat?", turns=frozenset({"m0"}), project="p")
    corpus = Corpus("c", "native", Granularity.TURN, (Store((Session("s", turns, "p"),), (question,)),))
    file = tmp_path / "vectors.sqlite"
    (found,) = runner.run(corpus, Setting({"ner_labels": ()}, prepared().models, str(file)), processes=1)
    assert found.ranked[Granularity.TURN][:1] == ("m0",)
    assert rows(file) >= 2
