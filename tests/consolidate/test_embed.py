"""The worker's vectors: one definition of tokens, pooling and windows, whatever the batch."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prepared_model import copied, generation, prepared, replaced

from awhm_hooks.consolidate import embed
from awhm_hooks.manage.model_sentences import SENTENCES
from awhm_hooks.recall import semantic, wordpiece


@pytest.fixture(scope="module")
def embedder():
    return embed.Embedder(prepared())


@pytest.fixture(scope="module")
def vocabulary():
    return wordpiece.Vocabulary((generation(prepared()) / "vocab.bin").read_bytes())


def test_rows_have_unit_length_and_the_order_of_the_texts(embedder):
    vectors = embedder.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    backwards = embedder.embed(SENTENCES[::-1])[::-1]
    assert (vectors * backwards).sum(axis=1).min() > 0.99999


def test_what_else_is_in_the_batch_does_not_matter(embedder):
    together = embedder.embed(["yes", "word " * 300, "What did we decide about the retry policy?"])
    alone = np.concatenate([embedder.embed([text]) for text in ("yes", "word " * 300)])
    assert (together[:2] * alone).sum(axis=1).min() > 0.99999


def test_the_fast_way_is_close_to_the_precise_one(embedder):
    fast = embed.Embedder(prepared(), precise=False).embed(SENTENCES)
    cosines = (fast * embedder.embed(SENTENCES)).sum(axis=1)
    assert cosines.min() > 0.98
    assert np.linalg.norm(fast, axis=1) == pytest.approx(1, abs=1e-5)


def test_nothing_gives_nothing(embedder):
    assert embedder.embed([]).shape == (0, 384)
    assert np.linalg.norm(embedder.embed([""])) == pytest.approx(1, abs=1e-5)


def test_a_batch_stays_within_its_tokens():
    encoded = [[0] * size for size in (256, 3, 17, 256, 100) for _ in range(40)]
    batches = list(embed._batches(encoded))
    assert sorted(index for batch in batches for index in batch) == list(range(200))
    for batch in batches:
        assert len(batch) * max(len(encoded[index]) for index in batch) <= embed.BATCH_TOKENS


def test_a_missing_model_is_an_error_of_ours(tmp_path):
    from awhm_hooks.paths import Paths

    with pytest.raises(semantic.ModelUnusable, match="prepare"):
        embed.Embedder(Paths(str(tmp_path)))


@pytest.mark.parametrize("name", ["document.onnx", "vocab.bin"])
def test_a_damaged_model_is_an_error_of_ours(tmp_path, name):
    paths = copied(tmp_path)
    replaced(generation(paths) / name, b"nonsense")
    with pytest.raises(embed.EmbeddingFailed):
        embed.Embedder(paths)


def tokens(text, vocabulary):
    return len(wordpiece.encode(text, vocabulary, 10**6)) - 2


def test_a_text_that_fits_is_one_window(vocabulary):
    text = "  It fits. \n"
    assert embed.windows(text, vocabulary) == [text]
    assert embed.windows("", vocabulary) == [""]


def test_a_long_text_is_cut_at_sentences_into_overlapping_windows(vocabulary):
    sentences = [f"Sentence number {index} says something about the matter at hand." for index in range(200)]
    found = embed.windows(" ".join(sentences), vocabulary)
    assert len(found) > 5
    for window in found[:-1]:
        assert window.endswith(".")
    assert all(any(sentence in window for window in found) for sentence in sentences)
    for before, after in itertools.pairwise(found):
        assert after.split(". ")[0] in before


@given(
    st.lists(
        st.sampled_from(
            ["word", "antidisestablishmentarianism", "x" * 700, "a.b.c/d-e", "文字", "한국어" * 40, "\n", "end."]
        ),
        max_size=900,
    )
)
def test_windows_cover_the_text_and_fit_the_model(vocabulary, words):
    text = " ".join(words)
    found = embed.windows(text, vocabulary)
    if len(found) == 1:
        assert found == [text] or found[0] == text.strip()
        return
    at = 0
    for window in found:
        start = text.find(window, max(0, at - len(window) - 5000))
        assert start >= 0
        assert text[at:start].strip() == ""
        at = start + len(window)
        assert tokens(window, vocabulary) <= embed.WINDOW_TOKENS
    assert text[at:].strip() == ""


def test_windows_of_one_endless_word_end(vocabulary):
    found = embed.windows("a.b/" * 3000, vocabulary)
    assert "".join(found) == "a.b/" * 3000
    assert max(tokens(window, vocabulary) for window in found) <= embed.WINDOW_TOKENS
