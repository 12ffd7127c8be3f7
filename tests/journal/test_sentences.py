"""Which parts of a message are read as its writer's own prose."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awhm_hooks.journal.patterns import capture
from awhm_hooks.journal.patterns.sentences import WINDOW_CHARS, blocks, open_quote, pasted

TABLE = Path(__file__).parents[1] / "data" / "capture_dev.jsonl"
STATING = [row for row in map(json.loads, TABLE.read_text("utf-8").splitlines()) if row["expect"]]


def said(text):
    return [statement.text for statement in capture(text)]


PASTED = [
    ("code fence", "```python\n# always use tabs\n```"),
    ("fence behind words", "Look: ```\nalways use tabs\n``` and tell me"),
    ("fence on one line", "Look: ``` always use tabs. " + "never use spaces. " * 30 + "```"),
    ("fence closed behind words", "```\nalways use tabs```\nwhat is this"),
    ("triple quotes", '"""\nalways use tabs\n"""\nis this docstring fine'),
    ("element of paragraphs", "<article>\nalways use tabs\n\nnever use spaces\n\n</article>\nsummarise"),
    ("quotation of lines", "“Always use tabs.\nNever use spaces.”\nwhat do you think"),
    ("long quotation", 'It says "' + "never use spaces. " * 60 + '" and so on'),
    ("mail", "From: bob@shop.test\nSubject: rules\n\nAlways use tabs."),
    ("introduced by oneself", "Review this page I pasted:\n\nAlways use tabs. Never use spaces."),
    ("Spanish introduction", "Mira lo que he copiado:\nUsa siempre tabs."),
    ("German introduction", "Das habe ich von Bob bekommen:\nAb sofort immer Tabs verwenden."),
    ("fence left open", "```\nmy name is Bob\n"),
    ("tilde fence", "~~~\nalways use tabs\n~~~"),
    ("inline code", "`always use tabs` is in the linter's help"),
    ("quoted line", "> I prefer tabs"),
    ("quotation", 'She wrote "I prefer Vim".'),
    ("German quotation", "Er schrieb „Ich bevorzuge Vim“."),
    ("Spanish quotation", "Escribió «prefiero Vim»."),
    ("single quotes", "the string 'my name is Bob' is in the test"),
    ("heading", "# Always use tabs"),
    ("table", "| rule | value |\n|---|---|\n| our port is | 8080 |"),
    ("json", '{\n  "name": "our port is 8080"\n}'),
    ("log", "2024-05-01 12:00:01 INFO our port is 8080\n[12:03:11] my name is Bob\nERROR: our database is Postgres"),
    ("traceback", 'Traceback (most recent call last):\n  File "x.py", line 3\nour port is 8080\nValueError: no'),
    ("diff", "diff --git a/x b/x\n@@ -1 +1 @@\n-always use tabs\n+never use tabs"),
    ("shell", "$ cat notes.txt\nalways use tabs\nour port is 8080"),
    ("code line", "const port = 8080; // always use this"),
    ("indented code", "    always use tabs"),
    ("tag", "<summary>never deploy on red</summary>"),
    ("introduced", "The docs say:\n\nAlways use tabs.\nOur port is 80."),
    ("labelled speaker", "Bob: I prefer tabs"),
    ("user story", "user story: my name is Bob"),
]


@pytest.mark.parametrize(("kind", "text"), PASTED)
def test_pasted_text_states_nothing(kind, text):
    assert capture(text) == []


@pytest.mark.parametrize(("kind", "text"), PASTED)
def test_what_stands_apart_from_a_paste_is_read(kind, text):
    closing = "\n```" if kind == "fence left open" else ""
    assert said(f"Our port is 7070.\n\n{text}{closing}\n\nI prefer spaces.") == ["Our port is 7070", "I prefer spaces"]


@pytest.mark.parametrize("row", STATING[::7], ids=lambda row: row["text"])
def test_no_statement_survives_a_fence_or_a_quote_mark(row):
    assert capture(f"```\n{row['text']}\n```") == []
    assert capture(f"> {row['text']}") == []


@pytest.mark.parametrize("row", STATING[::2], ids=lambda row: row["text"])
def test_a_request_beside_a_statement_changes_nothing(row):
    request = {
        "en": "Please look at src/app.py.",
        "es": "Mira src/app.py, por favor.",
        "de": "Schau dir bitte src/app.py an.",
    }[row["language"]]
    assert said(f"{request}\n\n{row['text']}\n\n{request}") == said(row["text"])


# Size.

HOSTILE = {
    "a is": "a is " * 20_000,
    "spaces": " " * 100_000,
    "a is, in lines": ("a is " * 190 + "\n") * 105,
    "spaces, in lines": (" " * 990 + "x\n") * 100,
    "we": ("we " * 320 + "\n") * 100,
    "moved from to": ("moved from to " * 70 + "\n") * 100,
    "we moved": ("we moved " + "x " * 480 + "\n") * 100,
    "fixing": ("fixing " + "x " * 480 + "\n") * 100,
    "and": ("my name is bob and " * 50 + "\n") * 100,
    "commas": ("the a, b, " * 90 + "\n") * 110,
    "colons": ("a: " * 320 + "\n") * 100,
    "quotes": '"' * 100_000,
    "backticks": "`'" * 50_000,
    "emphasis": "**" * 50_000,
    "el la es": ("el la es que " * 70 + "\n") * 100,
    "der die ist": ("der die das ist " * 60 + "\n") * 100,
    "one line of sentences": "We use the thing. " * 6_000,
    "stops": ("a. " * 330 + "\n") * 100,
    "links": ("http://" + "a." * 490 + "\n") * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long(name):
    capture(HOSTILE[name])  # compiles what this text needs
    begin = time.process_time()
    capture(HOSTILE[name])
    assert time.process_time() - begin < 1.0


def test_a_huge_message_is_read_at_both_ends_only():
    filler = "lorem ipsum dolor\n" * (WINDOW_CHARS // 9)
    text = f"Our port is 1111.\n{filler}Our host is middle.test.\n{filler}Our database is Postgres.\n"
    found = capture(text)
    assert [one.text for one in found] == ["Our port is 1111", "Our database is Postgres"]
    assert [text[one.start : one.end] for one in found] == [one.text for one in found]


def test_the_end_of_a_huge_paste_is_known_to_be_inside_its_fence():
    text = "Look:\n```\n" + "lorem ipsum dolor\n" * 4_000 + "our port is 1111\n```\nOur port is 2222.\n"
    assert said(text) == ["Our port is 2222"]


def test_a_line_too_long_to_be_typed_is_skipped():
    assert said("Our port is 1111. " + "lorem " * 200 + "\nOur port is 2222.") == ["Our port is 2222"]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab .!?\n*_`\"'->#İß\t", max_size=120))
def test_a_block_knows_the_place_of_each_of_its_characters(text):
    for block in blocks(text):
        for index, char in enumerate(block.text):
            original = text[block.place(index)]
            assert original == char or (char == " " and original.isspace())


OWN = [
    ("a fence that is only named", "We open blocks with ``` here. Always use tabs."),
    ("quotes that are only named", "I always use \"\"\" for docstrings.\nNever use ''' for them."),
    ("an element that is only named", "<T> is the type.\nAlways use tabs."),
    ("behind a fence", "```\nx = 1\n```\nAlways use tabs."),
    ("behind an element", "<p>\nx\n</p>\nAlways use tabs."),
    ("one's own rules", "Here are the rules I wrote:\nAlways use tabs."),
]


@pytest.mark.parametrize(("kind", "text"), OWN, ids=[kind for kind, _ in OWN])
def test_one_s_own_words_beside_such_marks_are_read(kind, text):
    assert said(text), kind


SPANS = [
    ("nothing of one's own\nin two lines", []),
    ("look:\n```\na\n\nb\n```\nfine", ["```\na\n\nb\n```"]),
    ("> a\n> b\n\nI agree", ["> a\n> b"]),
    ("mine\n\n> a\n\nmine\n\n> b", ["> a", "> b"]),
    ("see: ~~~\na\n~~~", ["~~~\na\n~~~"]),
    ("<doc>\n\na\n\n</doc>\nmine", ["<doc>\n\na\n\n</doc>"]),
]


@pytest.mark.parametrize(("text", "stretches"), SPANS)
def test_the_stretches_that_are_another_s_words(text, stretches):
    assert [text[begin:end] for begin, end in pasted(text, 0, len(text))] == stretches


@pytest.mark.parametrize("before", ["```\n", "<doc>\n", "Look:\n~~~\n"])
def test_a_stretch_far_into_a_paste_is_known_as_pasted(before):
    text = before + "a line of it\n\n" * 2_000 + {"`": "```", "<": "</doc>", "L": "~~~"}[before[0]] + "\nmine again"
    ((begin, end),) = pasted(text, 20_000, 20_300)
    assert text[begin:end].strip() == text[20_000:20_300].strip()
    assert pasted(text, len(text) - 10, len(text)) == []


@pytest.mark.parametrize(
    ("text", "mark"), [('x "a b c" d', '"'), ("x “a\nb” d", "“"), ("x «a b c» d", "«"), ("x a b", "")]
)
def test_the_mark_of_the_quotation_around_a_place(text, mark):
    inside = text.find("b")
    assert open_quote(text, inside) == mark
    assert open_quote(text, 0) == open_quote(text, len(text) - 1) == ""


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["```", "~~~", "> a", "<p>", "</p>", "", "word", "x: ```", "log:"]), max_size=30),
    st.data(),
)
def test_pasted_stretches_are_ordered_and_inside(lines, data):
    text = "\n".join(lines)
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    found = pasted(text, begin, end)
    places = [place for span in found for place in span]
    assert places == sorted(places)
    assert all(begin <= first < last <= end for first, last in found)
