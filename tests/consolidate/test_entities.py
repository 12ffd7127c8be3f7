"""One node for an entity, however it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate.entities import EntityIndex, normalise

ACME, SMITH, DOE = 1, 2, 3
KNOWN: list[tuple[int, str | None, str, list[str]]] = [
    (ACME, "ORG", "Acme", []),
    (SMITH, "PERSON", "John Smith", []),
    (DOE, "PERSON", "John Doe", []),
]

NORMAL_FORMS = [
    ("Acme Holdings Ltd", "acme"),
    ("acme.com", "acme"),
    ("https://www.acme-corp.com/about", "acme corp"),
    ("Acme's", "acme"),
    ("John Smith", "john smith"),
    ("ACME, Inc.", "acme"),
    ("Foo & Bar LLC", "foo bar"),
    ("Limited Company", "limited company"),
    ("node.js", "node"),
    ("O'Reilly Media", "o reilly media"),
    ("The Acme Holdings", "acme"),
    ("The Hague", "hague"),
    ("docs.acme.co.uk", "acme"),
    ("https://user:pw@acme.io:8080/x?y", "acme"),
    ("http://localhost:8080", "localhost"),
    ("Amazon.com, Inc.", "amazon"),
    ("ACME’S", "acme"),
    ("Globex S.A.", "globex"),
    ("Straße AG", "strasse"),
    ("C++", "c++"),
    ("C#", "c#"),
    ("C", "c"),
    ("main.py", "main py"),
    ("", ""),
    ("---", ""),
    # Here the reference makes "m nchen", "" and "v1": letters of every script count, and a version is no domain.
    ("München GmbH", "münchen"),
    ("小明", "小明"),
    ("हिन्दी", "हिन्दी"),
    ("v1.2", "v1 2"),
]

RESOLUTIONS = [
    ("acme.com", "ORG", ACME),
    ("Acme Holdings Ltd", "ORG", ACME),
    ("ACME", None, ACME),
    ("Acme Research Labs", "ORG", ACME),
    ("acme", "PRODUCT", ACME),
    ("John Smith", "PERSON", SMITH),
    ("John", "PERSON", None),
    ("Smith", "PERSON", None),
    ("Acme", "PERSON", None),
    ("Acme North Sea Gas", "ORG", None),
    ("Globex", "ORG", None),
    ("", None, None),
]

MENTIONS = [
    ("The Acme contract is signed", [ACME]),
    ("The contract is signed", []),
    ("John Smith left acme.com, says John Doe", [SMITH, ACME, DOE]),
    ("acme's invoice, Acme's address", [ACME]),
    ("the acmeist movement", []),
    ("see https://acme.com/contract", [ACME]),
]


@pytest.mark.parametrize(("surface", "form"), NORMAL_FORMS)
def test_spellings_meet_in_one_normal_form(surface: str, form: str) -> None:
    assert normalise(surface) == form


@pytest.mark.parametrize(("surface", "label", "node"), RESOLUTIONS)
def test_a_name_resolves_to_the_one_entity_it_can_mean(surface: str, label: str | None, node: int | None) -> None:
    assert EntityIndex(KNOWN).resolve(surface, label) == node


@pytest.mark.parametrize(("text", "nodes"), MENTIONS)
def test_a_text_names_known_entities_by_whole_words(text: str, nodes: list[int]) -> None:
    assert EntityIndex(KNOWN).mentions(text) == nodes


def test_a_spelling_is_an_alias_once() -> None:
    index = EntityIndex(KNOWN)
    assert index.register(ACME, "ORG", "Acme Holdings") is True
    assert index.register(ACME, "ORG", "acme  holdings") is False
    assert index.register(ACME, "ORG", "Acme") is False
    assert index.register(ACME, "ORG", "Road Runner Traps") is True
    assert index.resolve("Road Runner Traps", "ORG") == ACME
    assert index.mentions("ask road runner traps about it") == [ACME]


def test_aliases_read_from_the_graph_count_like_names() -> None:
    index = EntityIndex([(7, "ORG", "Globex", ["Globex Industries", "GBX"])])
    assert index.resolve("gbx", None) == 7
    assert index.register(7, "ORG", "GBX") is False


def test_a_shared_alias_is_decided_by_the_label_or_not_at_all() -> None:
    index = EntityIndex([(1, "PERSON", "Jordan", []), (2, "GPE", "Jordan", [])])
    assert index.resolve("Jordan", "GPE") == 2
    assert index.resolve("Jordan", "LOC") == 2
    assert index.resolve("Jordan", None) is None
    assert index.mentions("I met Jordan") == [1, 2]


def test_the_longest_name_wins_where_names_overlap() -> None:
    index = EntityIndex([(1, "ORG", "Docker", []), (2, "ORG", "Docker Compose", [])])
    assert index.mentions("we run docker compose and docker") == [2, 1]


def test_everyday_words_are_names_only_with_a_capital_of_their_own() -> None:
    index = EntityIndex([(1, "PERSON", "Will", []), (2, "PRODUCT", "Rust", [])])
    assert index.mentions("it will rust") == []
    assert index.mentions("Will it work?") == []
    assert index.mentions("ask Will about Rust") == [1, 2]


def test_names_are_found_in_scripts_without_spaces() -> None:
    index = EntityIndex([(1, "PERSON", "小明", [])])
    assert index.mentions("小明在北京工作") == [1]
    assert index.resolve("小明", "PERSON") == 1


def test_meaning_decides_last_within_one_label_and_never_across_numbers() -> None:
    index = EntityIndex([(1, "ORG", "Data Platform Team", []), (2, "PRODUCT", "Release 2", [])])
    asked: list[tuple[str, str]] = []

    def alike(one: str, other: str) -> float:
        asked.append((one, other))
        return 0.9

    assert index.resolve("Platform Data Group", "ORG", alike) == 1
    assert asked == [("platform data", "data platform team")]
    assert index.resolve("Platform Data Group", "ORG", alike, cosine_min=0.95) is None
    assert index.resolve("Platform Data Group", None, alike) is None
    assert index.resolve("Platform Data Group", "PERSON", alike) is None
    assert index.resolve("My Release 3", "PRODUCT", alike) is None
    assert index.resolve("Zyx", "ORG", alike) is None


surfaces = st.text(max_size=30) | st.lists(
    st.sampled_from(["Acme", "Holdings", "Ltd", "the", "John", "Ünal", "'s", ".com", "C++", "小明", "&", "2"]),
    max_size=5,
).map(" ".join)


@given(surfaces)
def test_a_registered_name_resolves_to_its_entity(surface: str) -> None:
    index = EntityIndex([(9, "ORG", surface, [])])
    assert index.resolve(surface, "ORG") == (9 if normalise(surface) else None)
    assert index.resolve(surface.upper(), None) in (9, None)
    assert index.register(9, "ORG", surface) is False


@given(surfaces)
def test_the_normal_form_is_stable_words(surface: str) -> None:
    form = normalise(surface)
    assert form == " ".join(form.split())
    assert "\n" not in form
