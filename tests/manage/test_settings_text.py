"""Editing JSON text in place: what is read strictly, and which bytes an edit adds."""

import json
import sys

import pytest

from awhm_hooks.errors import SettingsRefused
from awhm_hooks.manage.settings_text import Document, style_of

REFUSED = [
    # text, line, column, a word of the reason
    ('{"a": 1,}', 1, None, "strict JSON"),
    ('{\n  "a": 1, // why\n  "b": 2\n}', 2, 11, "comment"),
    ("/* all */ {}", 1, 1, "comment"),
    ('{\r\n\t"a": [1,\r\n\t2,,]}', 3, None, "strict JSON"),
    ("{'a': 1}", 1, 2, "strict JSON"),
    ('{"a": NaN}', 1, 7, "NaN"),
    ('{"NaN": "Infinity \\" NaN",\n "b": [-Infinity]}', 2, 8, "-Infinity"),
    ('{"a": 01}', 1, None, "strict JSON"),
    ('{"a": "line\nbreak"}', 1, 12, "strict JSON"),
    ('{"a": 1} {}', 1, 10, "Extra data"),
    ('{"a": ', 1, None, "strict JSON"),
    ("\ufeff\ufeff{}", 1, 1, "strict JSON"),
    ("\u00a0{}", 1, 1, "strict JSON"),
]


@pytest.mark.parametrize(("text", "line", "column", "reason"), REFUSED)
def test_anything_but_strict_json_is_refused_with_its_place(
    text: str, line: int, column: int | None, reason: str
) -> None:
    with pytest.raises(SettingsRefused, match=reason) as caught:
        Document("/x/settings.json", text.encode())
    place = f"/x/settings.json: line {line}, column {column if column is not None else ''}"
    assert str(caught.value).startswith(place)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf8_are_refused_with_their_place(bom: bytes) -> None:
    with pytest.raises(SettingsRefused, match="line 2, column 8: not UTF-8"):
        Document("s", bom + '{\n"b": "é'.encode() + b'\xff"}')


def test_nesting_beyond_the_stack_is_refused() -> None:
    depth = sys.getrecursionlimit() * 100
    with pytest.raises(SettingsRefused, match="nested too deeply"):
        Document("s", b"[" * depth + b"]" * depth)


STYLES = [
    # text, newline, pretty, unit, colon
    ('{\n  "a": 1\n}', "\n", True, "  ", ": "),
    ('{\r\n\t"a" : 1\r\n}', "\r\n", True, "\t", " : "),
    ('{\n"a":1}', "\n", True, "", ":"),
    ('{"a":1}', "\n", False, "  ", ":"),
    ('{ "a": {\n}}', "\n", False, "  ", ": "),
    ('{\r"a":\r1}', "\r", True, "", ": "),
    ("{}", "\n", True, "  ", ": "),
    ("", "\n", True, "  ", ": "),
]


@pytest.mark.parametrize(("text", "newline", "pretty", "unit", "colon"), STYLES)
def test_the_style_of_a_file_is_seen(text: str, newline: str, pretty: bool, unit: str, colon: str) -> None:
    style = style_of(text)
    assert (style.newline, style.pretty, style.unit, style.colon) == (newline, pretty, unit, colon)


APPENDED = [
    # before, after an item 7 is added to "x"
    ('{"x":[]}', '{"x":[7]}'),
    ('{"x": [1]}', '{"x": [1, 7]}'),
    ('{"x":[1]}', '{"x":[1,7]}'),
    ('{"x":[1 , 2 ]}', '{"x":[1 , 2, 7 ]}'),
    ('{"x": [ 1 ]}', '{"x": [ 1, 7 ]}'),
    ('{\n  "x": []\n}', '{\n  "x": [\n    7\n  ]\n}'),
    ('{\n  "x": [ ]\n}', '{\n  "x": [\n    7\n  ]\n}'),
    ('{\r\n\t"x": [\r\n\t\t1\r\n\t]\r\n}', '{\r\n\t"x": [\r\n\t\t1,\r\n\t\t7\r\n\t]\r\n}'),
    ('{\n    "x": [1, 2]\n}', '{\n    "x": [1, 2, 7]\n}'),
    ('{"x": [\n1,\n\n  2]}', '{"x": [\n1,\n\n  2,\n  7]}'),
]


@pytest.mark.parametrize(("before", "after"), APPENDED)
def test_an_item_is_added_in_the_way_of_its_neighbours(before: str, after: str) -> None:
    document = Document("s", before.encode())
    (member,) = document.members(document.root())
    document.append_item(member.place, 7)
    assert document.text == after
    (member,) = document.members(document.root())
    document.remove(member.place, len(member.place.value) - 1)
    assert json.loads(document.text) == json.loads(before)


MEMBERS = [
    ("{}", '{\n  "k": {\n    "n": [\n      1\n    ]\n  }\n}'),
    ('{"a":1}', '{"a":1,"k":{"n":[1]}}'),
    ('{ "a": 1 }', '{ "a": 1, "k": {"n": [1]} }'),
    ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": {\n\t\t"n": [\n\t\t\t1\n\t\t]\n\t}\n}\n'),
    ('{"a": 1,\n "b": 2}', '{"a": 1,\n "b": 2,\n "k": {\n   "n": [\n     1\n   ]\n }}'),
]


@pytest.mark.parametrize(("before", "after"), MEMBERS)
def test_a_member_is_added_in_the_way_of_its_neighbours(before: str, after: str) -> None:
    document = Document("s", before.encode())
    document.append_member(document.root(), "k", {"n": [1]})
    assert document.text == after
    document.remove(document.root(), len(document.root().value) - 1)
    assert document.text == before


REMOVED = [
    # before, index, after
    ("[1]", 0, "[]"),
    ("[ 1 ]", 0, "[]"),
    ("[1, 2 ,3]", 0, "[2 ,3]"),
    ("[1, 2 ,3]", 1, "[1 ,3]"),
    ("[1, 2 ,3 ]", 2, "[1, 2 ]"),
    ('{"a": {"b": [1, ","]}, "c": 2}', 0, '{"c": 2}'),
    ('{"a": 1,\r\n "a": 2}', 1, '{"a": 1}'),
]


@pytest.mark.parametrize(("before", "index", "after"), REMOVED)
def test_removal_takes_one_comma_along(before: str, index: int, after: str) -> None:
    document = Document("s", before.encode())
    document.remove(document.root(), index)
    assert document.text == after


def test_splices_are_on_record_both_ways() -> None:
    before = '{"a": 1, "b": [2, 3]}'
    document = Document("s", b"\xef\xbb\xbf" + before.encode())
    document.append_member(document.root(), "é", ["\u2028"])
    document.remove(document.root(), 0)
    document.replace(document.members(document.root())[0].place, {"x": None})
    after = document.text
    forth, back = before, after
    for splice in document.done:
        forth = splice.of(forth)
    for splice in document.undo:
        back = splice.of(back)
    assert (forth, back) == (after, before)
    assert document.encoded() == b"\xef\xbb\xbf" + after.encode()


def test_a_number_of_any_length_is_left_alone() -> None:
    text = '{"n": ' + "9" * 10_000 + ', "x": []}'
    document = Document("s", text.encode())
    document.append_item(document.members(document.root())[1].place, 1)
    assert document.text == text.replace("[]", "[1]")
