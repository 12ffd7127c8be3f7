import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate import tombstone_file
from awhm_hooks.consolidate.folding import folded
from awhm_hooks.consolidate.rolling import Windows, checksum
from awhm_hooks.consolidate.tombstones import Hasher, Kind, Said, Tombstone, Tombstones, cut, numbered
from awhm_hooks.errors import AwhmError
from awhm_hooks.paths import Paths

HASHER = Hasher(b"0123456789abcdef")
NOW = 100.0


def said(text, role="user", at=50.0, session="s", project="/p", message="m", **more):
    return Said(session, project, message, role, text, at, **more)


def kept(stones, *arguments, **named):
    return Tombstones(HASHER, stones).kept(said(*arguments, **named)).text


def bare(stone):
    """As it is read from the file: without the text itself."""
    return dataclasses.replace(stone, needle="")


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("role", "text", "left"),
    [
        ("user", "The client is Northwind", None),
        ("user", "Actually, the client is NORTHWIND!", None),
        ("user", "The client is Northwind. I prefer tabs.", "[deleted]. I prefer tabs."),
        ("user", "why does Northwind pay so late?", "why does [deleted] pay so late?"),
        ("assistant", "The client is Northwind. Noted.", "The client is [deleted]. Noted."),
        ("assistant", "Northwind? Northwind!", None),
        ("user", "I prefer tabs.", "I prefer tabs."),
        ("user", "", ""),
    ],
)
def test_a_stretch_takes_the_statement_with_it_and_leaves_the_rest(role, text, left, known):
    stone = HASHER.match("northwind", NOW)
    assert kept([stone if known else bare(stone)], text, role) == left


def test_what_is_said_later_is_kept():
    assert kept([HASHER.match("tabs", NOW)], "I prefer tabs", at=NOW + 1) == "I prefer tabs"


@pytest.mark.parametrize(
    ("condition", "elsewhere"),
    [
        ({"session": HASHER.of("session", "s")}, {"session": "t"}),
        ({"project": HASHER.of("project", "/p")}, {"project": "/q"}),
        ({"since": 40.0}, {"at": 39.0}),
        ({"message": HASHER.of("message", "s", "m")}, {"message": "n"}),
    ],
)
def test_a_condition_bounds_what_is_forgotten(condition, elsewhere):
    for stone in (HASHER.match("tabs", NOW, **condition), Tombstone(Kind.ALL, NOW, **condition)):
        assert kept([stone], "I prefer tabs") is None
        assert kept([stone], "I prefer tabs", **elsewhere) == "I prefer tabs"


def test_a_message_is_known_by_its_line_and_by_its_words_and_time():
    stone = Tombstone(Kind.ALL, NOW, **HASHER.identity(said("I prefer tabs", uuid="line")))
    assert kept([stone], "I prefer tabs", message="other", uuid="line") is None
    assert kept([stone], "I  prefer TABS", message="other", is_foreign=True, at=60.0) is None
    assert kept([stone], "I prefer tabs", message="other", is_foreign=True, at=300.0) == "I prefer tabs"
    assert kept([stone], "I prefer tabs", message="other") == "I prefer tabs", "our own records bear their ids"


def test_a_later_tombstone_knows_what_an_earlier_one_has_left():
    first = HASHER.match("northwind", NOW)
    second = Tombstone(Kind.ALL, NOW, **HASHER.identity(said("why does [deleted] pay late?")))
    assert kept([first, second], "why does Northwind pay late?", message="x", is_foreign=True) is None


def test_the_mark_of_a_deletion_is_not_deleted_again():
    text = "[deleted] and more that was deleted"
    once = kept([HASHER.match("deleted", NOW)], text, "assistant")
    assert once == "[deleted] and more that was [deleted]"
    assert kept([HASHER.match("deleted", NOW)], once, "assistant") == once


def test_statements_keep_their_numbers():
    text = "My name is Alice. The staging port is 8443. I prefer tabs."
    before = {one.text: number for number, one in numbered(text, ())}
    found = Tombstones(HASHER, [HASHER.match("8443", NOW)]).kept(said(text))
    after = {one.text: number for number, one in numbered(found.text, found.gone)}
    assert found.gone == (before["The staging port is 8443"],)
    assert after == {one: number for one, number in before.items() if number not in found.gone}


def test_nodes_and_names_are_forgotten_by_themselves():
    stones = Tombstones(
        HASHER,
        [
            Tombstone(Kind.NODE, NOW, subject=HASHER.of("node", "uid")),
            Tombstone(Kind.ENTITY, NOW, subject=HASHER.of("entity", "/p", "acme")),
        ],
    )
    assert stones.forgets_node("uid") and not stones.forgets_node("other")
    assert stones.forgets_entity("/p", "acme") and not stones.forgets_entity("/q", "acme")


TEXTS = st.text(st.sampled_from("abAB \n.üéß日🦒"), max_size=60)


@given(TEXTS, TEXTS)
def test_the_hash_alone_finds_what_the_text_finds(text, needle):
    if len(folded(needle)) < 1:
        return
    stone = HASHER.match(needle, NOW)
    assert kept([stone], text, "assistant") == kept([bare(stone)], text, "assistant")


@given(TEXTS, TEXTS)
def test_what_is_forgotten_is_in_nothing_that_is_kept(text, needle):
    stone = HASHER.match(needle, NOW)
    left = kept([stone], text, "assistant") if stone.needle else None
    if left is not None and "[deleted]" not in left:
        assert left == text and stone.needle not in folded(text)


@given(st.text(min_size=1, max_size=80), st.data())
def test_a_window_s_checksum_is_that_of_the_stretch(text, data):
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin + 1, len(text)))
    check = checksum(text[begin:end], HASHER.salt)
    assert begin in Windows(HASHER.salt).places(text, end - begin, check)


def test_cut_spans_are_marked():
    assert cut("abcdef", [(1, 2), (4, 6)]) == "a[deleted]cd[deleted]"


# The file.


@pytest.fixture
def paths(tmp_path):
    return Paths(str(tmp_path))


def test_tombstones_are_read_back_without_the_text(paths):
    hasher = tombstone_file.hasher(paths)
    stones = [hasher.match("blue giraffe", NOW, since=1.0), Tombstone(Kind.ALL, NOW, session=hasher.of("session", "s"))]
    tombstone_file.append(paths, stones)
    found = tombstone_file.load(paths)
    assert found.stones == stones and found.stones[0].needle == ""
    assert found.hasher.of("x") == hasher.of("x")
    with open(tombstone_file.path_of(paths)) as file:
        assert "giraffe" not in file.read()


def test_only_the_tombstones_from_a_place_on(paths):
    hasher = tombstone_file.hasher(paths)
    tombstone_file.append(paths, [hasher.match("one thing", NOW)])
    with open(tombstone_file.path_of(paths), "rb") as file:
        size = len(file.read())
    second = hasher.match("another", NOW)
    tombstone_file.append(paths, [second])
    assert tombstone_file.load(paths, size).stones == [second]


def test_a_torn_last_line_is_passed_over_and_not_joined_to_the_next(paths):
    hasher = tombstone_file.hasher(paths)
    with open(tombstone_file.path_of(paths), "a") as file:
        file.write('{"kind": "match", "bef')
    stone = hasher.match("one thing", NOW)
    tombstone_file.append(paths, [stone])
    assert tombstone_file.load(paths).stones == [stone]


def test_no_file_forgets_nothing(paths):
    assert not tombstone_file.load(paths)


@pytest.mark.parametrize("line", [{"kind": "later kind"}, {"kind": "match", "before": 1.0, "later field": 1}])
def test_a_newer_version_s_tombstone_is_refused(paths, line):
    tombstone_file.hasher(paths)
    with open(tombstone_file.path_of(paths), "a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(AwhmError, match="newer version"):
        tombstone_file.load(paths)


def test_a_file_without_its_salt_is_refused(paths):
    tombstone_file.hasher(paths)
    with open(tombstone_file.path_of(paths), "w") as file:
        file.write(json.dumps({"kind": "match", "before": 1.0}) + "\n")
    with pytest.raises(AwhmError, match="salt"):
        tombstone_file.load(paths)
