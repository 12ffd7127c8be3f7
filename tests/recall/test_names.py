import pytest

from awhm_hooks.recall.names import holds, names


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("Which hotel did we book in Kyoto?", {"kyoto"}, set()),
        ("I need the dates for Kyoto, not the Tokyo stay.", {"kyoto"}, {"tokyo"}),
        ("What is prescribed for my dog Luna, not Maria's cat?", {"luna"}, {"maria"}),
        ("what did we decide on friday", set(), set()),
        ("When is the review on Monday in November?", set(), set()),
        ("WHY DOES THIS FAIL", set(), set()),
        (
            "Wann ist das Zeitfenster für das Deployment in Produktion?",
            {"zeitfenster", "deployment", "produktion"},
            set(),
        ),
        ("Kyoto", set(), set()),
        ("", set(), set()),
    ],
)
def test_names_are_capitalised_words_inside_a_sentence(text, wanted, unwanted):
    assert names(text) == (wanted, unwanted)


def test_a_text_holds_a_name_however_it_is_written():
    assert holds("booked in KYOTO", {"kyoto"})
    assert not holds("booked in Tokyo", {"kyoto"})
