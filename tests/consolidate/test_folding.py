import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate.folding import find, folded, span_at


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("The  Client\nis NORTHWIND.", "client is northwind", ["Client\nis NORTHWIND"]),
        ("a\ta a", "a", ["a", "a", "a"]),
        ("Mu\u0308ller und MÜLLER", "müller", ["Mu\u0308ller", "MÜLLER"]),
        ("STRASSE, straße", "strasse", ["STRASSE", "straße"]),
        ("ﬁne", "fi", ["ﬁ"]),
        ("日本語テキスト", "本語", ["本語"]),
        ("한글", unicodedata.normalize("NFD", "글"), ["글"]),
        ("nothing", "something", []),
        ("nothing", "", []),
        ("", "a", []),
    ],
)
def test_a_needle_is_found_as_it_stands_in_the_text(text, needle, found):
    assert [text[begin:end] for begin, end in find(text, folded(needle))] == found


@given(st.text(max_size=40), st.integers(0, 40), st.integers(1, 40))
def test_every_stretch_of_a_text_is_found_in_it(text, begin, length):
    stretch = text[begin : begin + length]
    needle = folded(stretch)
    if needle and needle in folded(text):
        spans = find(text, needle)
        assert spans and all(0 <= a < b <= len(text) for a, b in spans)
        assert spans == sorted(spans)


@given(st.text(max_size=40), st.data())
def test_a_place_in_the_folded_text_is_one_in_the_text(text, data):
    plain = folded(text)
    if plain:
        at = data.draw(st.integers(0, len(plain) - 1))
        length = data.draw(st.integers(1, len(plain) - at))
        begin, end = span_at(text, at, length)
        assert plain[at : at + length].strip() in folded(text[begin:end])
