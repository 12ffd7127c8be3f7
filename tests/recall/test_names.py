import pytest

from awhm_hooks.recall.names import holds, names, speaker


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("Which hotel did we book in Kyoto?", {"kyoto"}, set()),
        ("I need the dates for Kyoto, not the Tokyo stay.", {"kyoto"}, {"tokyo"}),
        ("What is prescribed for my dog Luna, not Maria's cat?", {"luna"}, {"maria"}),
        ("What is the deadline of Project Aster in Berlin?", {"project aster", "berlin"}, set()),
        ("Did the review of Aster, Atlas and Boreas end?", {"aster", "atlas", "boreas"}, set()),
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


def test_a_name_of_several_words_is_held_whole():
    assert holds("Project Aster ships.", {"project aster"})
    assert not holds("Project Atlas ships.", {"project aster"})


@pytest.mark.parametrize(
    ("text", "name"),
    [("Mike: hello", "mike"), ("Note to self: hello", ""), ("todo: hello", ""), ("Mike said hello", "")],
)
def test_who_speaks(text, name):
    assert speaker(text) == name
