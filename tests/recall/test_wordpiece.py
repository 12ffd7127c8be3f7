"""The tokeniser gives the ids of the `tokenizers` library: on every character, on the corpora, on anything."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from awhm_hooks.manage import model_source
from awhm_hooks.recall import wordpiece

EVAL = Path(__file__).parents[3] / "shared" / "eval"
TOKENS = (model_source.DATA / "vocab.txt").read_text(encoding="utf-8").splitlines()
VOCABULARY = wordpiece.Vocabulary(wordpiece.build(TOKENS))


def library_tokeniser() -> Tokenizer:
    ids = {token: index for index, token in enumerate(TOKENS)}
    tokeniser = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    tokeniser.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokeniser.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", wordpiece.CLS), ("[SEP]", wordpiece.SEP)]
    )
    tokeniser.add_special_tokens(list(wordpiece.SPECIAL))
    tokeniser.enable_truncation(wordpiece.MAX_TOKENS)
    return tokeniser


LIBRARY = library_tokeniser()


def differing(texts: list[str]) -> list[str]:
    found = LIBRARY.encode_batch(texts)
    pairs = zip(texts, found, strict=True)
    return [text for text, encoding in pairs if encoding.ids != wordpiece.encode(text, VOCABULARY)]


def strings(value: object) -> list[str]:
    """Every text anywhere inside a JSON value."""
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inside for text in strings(item)]


def texts_of(path: Path) -> list[str]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = raw.decode("utf-8", "replace")
    if path.suffix == ".jsonl":
        return text.splitlines()
    return strings(json.loads(text))


CASES = [
    "",
    " \t\r\n ",
    "Which text editor am I used to?",
    "don't SHOUT, it's naïve: café, Ångström, İstanbul, ΣΊΣΥΦΟΣ, straße",
    "日本語と한국어 और हिन्दी العربية עברית ไทย",
    "emoji 😀👩‍👩‍👧 and zero\u200bwidth\u00adsoft\ufefftext",
    "[CLS] within [SEP][MASK] and [UNK] [pad] [PAD]ding [CLS",
    "https://api.example.com/v2?x=1&y=%20 C:\\Users\\me tests/test_auth.py::test_x foo_bar fooBar",
    "a" * 100,
    "a" * 101,
    "b" + "a" * 99 + " c",
    "ﬁ ﬂ ½ ² ™ № Å ≠ ‼ …",
    "\x00\x1b[31mred\x1b[0m\x7f\x85\ufffd",
    "word " * 400,
    "." * 400,
    "x" * 5000,
    "not a token: ##ing # # ##",
]


@pytest.mark.parametrize("text", CASES, ids=lambda text: repr(text[:20]))
def test_the_ids_are_the_librarys(text):
    assert wordpiece.encode(text, VOCABULARY) == LIBRARY.encode(text).ids


def test_every_character_is_treated_as_the_library_does():
    codes = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    texts = [" ".join(f"a{chr(code)}b" for code in codes[n : n + 32]) for n in range(0, len(codes), 32)]
    assert [hex(ord(text[1])) for text in differing(texts)] == []


@pytest.mark.parametrize(
    "path", sorted(EVAL.glob("*.json*")) + sorted(EVAL.rglob("*.jsonl")), ids=lambda path: path.name
)
def test_the_corpora_are_tokenised_as_by_the_library(path):
    texts = sorted(set(texts_of(path)))[:1500]
    assert differing(texts) == []


@given(st.text(max_size=300))
def test_any_text_is_tokenised_as_by_the_library(text):
    assert wordpiece.encode(text, VOCABULARY) == LIBRARY.encode(text).ids


PIECES = ["un", "believ", "able", "[SEP]", "[CLS]", " ", "\n", ".", "'", "é", "e\u0301", "文", "😀", "[", "]", "##"]


@given(st.lists(st.sampled_from(PIECES), max_size=400).map("".join))
def test_texts_of_awkward_pieces_are_tokenised_as_by_the_library(text):
    assert wordpiece.encode(text, VOCABULARY) == LIBRARY.encode(text).ids


@given(st.text(alphabet=st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), max_size=3))
def test_lone_surrogates_vanish(text):
    assert wordpiece.encode(f"a{text} b", VOCABULARY) == wordpiece.encode("a b", VOCABULARY)


@pytest.mark.parametrize("room", [2, 3, 10, 256])
def test_a_long_text_is_cut_and_still_closed(room):
    ids = wordpiece.encode("one two three " * 500, VOCABULARY, room)
    assert (len(ids), ids[0], ids[-1]) == (room, wordpiece.CLS, wordpiece.SEP)


@pytest.mark.parametrize("index", [1996, 2023, 30521, 30000, 1005])
def test_a_token_is_found_under_its_id(index):
    token = TOKENS[index]
    continues = token.startswith("##")
    assert VOCABULARY.find(token.removeprefix("##").encode(), continues) == index


def test_every_token_is_found_under_its_id():
    for index, token in enumerate(TOKENS):
        continues = token.startswith("##") and len(token) > 2
        assert VOCABULARY.find((token[2:] if continues else token).encode(), continues) == index


@pytest.mark.parametrize("token", [b"", b"zzzzqqqq", b"x" * 200, "Ж".encode() * 3], ids=repr)
def test_what_is_no_token_has_no_id(token):
    assert VOCABULARY.find(token, False) == -1


@pytest.mark.parametrize(
    "data",
    [b"", b"AWHMVOC1", b"AWHMVOC2" + bytes(200), b"AWHMVOC1\x12" + bytes(10), wordpiece.build(TOKENS)[:5000]],
    ids=lambda data: repr(data[:10]),
)
def test_a_damaged_file_is_refused(data):
    with pytest.raises(ValueError, match="vocabulary"):
        wordpiece.Vocabulary(data)
