"""Laws of install and uninstall over settings files of any content and any layout."""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import settings as run_with
from hypothesis import strategies as st

from awhm_hooks.manage.settings import hook_settings, install, uninstall

MARK = "awhm_hooks.entry"
BLOCK = hook_settings()
OLDER: dict[str, Any] = json.loads(json.dumps(BLOCK).replace('"timeout": 5', '"timeout": 20'))
EXAMPLES = 150

# A value is kept as it is spelled: a leaf as text, an object as pairs of a spelled key and a value, an array as a list.
Spelled = Any

NUMBERS = ["0", "-0", "1", "1.0", "1E5", "1e400", "123456789012345678901234567890", "0.10"]
STRINGS = [
    '""',
    '"a"',
    '"\\u0061"',
    '"\\/"',
    '"\\ud800"',
    '"é ☃ 😀"',
    '"\u2028"',
    '"// no, a string"',
    '"]}\\"{["',
    '"hooks"',
]
KEYS = ['"a"', '"b"', '"\\u0062"', '"env"', '"disableAllHooks"', '"é"', '""', '"Hooks"', '"Stop"']
leaves = st.sampled_from([*NUMBERS, *STRINGS, "true", "false", "null"])
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(st.sampled_from(KEYS), inner), max_size=3).map(tuple)
    ),
    max_leaves=8,
)
"""Keys may come twice in these."""

command_line = st.sampled_from(
    ['"echo mine"', '"/opt/x/other hook stop"', '"awhm status"', '"say done; awhm hook stop"']
)
foreign_hook = st.one_of(
    command_line.map(lambda line: (('"type"', '"command"'), ('"command"', line), ('"timeout"', "1.5"))),
    st.just((('"type"', '"command"'), ('"command"', '"other"'), ('"args"', ['"hook"', '"stop"']))),
    leaves,
)
hook_lists = st.lists(foreign_hook, max_size=2)
groups = st.one_of(
    hook_lists.map(lambda hooks: (('"hooks"', hooks),)),
    st.tuples(leaves, hook_lists).map(lambda pair: (('"matcher"', pair[0]), ('"hooks"', pair[1]))),
    values,
)
our_events = st.sampled_from(['"UserPromptSubmit"', '"Stop"', '"SessionStart"', '"SessionEnd"', '"St\\u006fp"'])
event = st.one_of(
    st.tuples(our_events, st.lists(groups, max_size=3)),
    st.tuples(st.sampled_from(['"PreToolUse"', '"PreToolUse"', '"x"']), st.lists(groups, max_size=2) | values),
)
hooks_objects = st.lists(event, max_size=4, unique_by=lambda member: json.loads(member[0])).map(tuple)


@st.composite
def contents(draw: st.DrawFn) -> Spelled:
    """A settings object, with or without hooks of other people."""
    members = draw(st.lists(st.tuples(st.sampled_from(KEYS), values), max_size=4))
    if draw(st.booleans()):
        members.insert(draw(st.integers(0, len(members))), ('"hooks"', draw(hooks_objects)))
    return tuple(members)


def pretty(value: Spelled, newline: str, unit: str, colon: str, indent: str = "") -> str:
    """As editors and the client lay it out."""
    if isinstance(value, str):
        return value
    opening, closing = "[]" if isinstance(value, list) else "{}"
    if not value:
        return opening + closing
    inner = indent + unit
    parts = [
        pretty(item, newline, unit, colon, inner)
        if isinstance(value, list)
        else item[0] + colon + pretty(item[1], newline, unit, colon, inner)
        for item in value
    ]
    return opening + newline + inner + ("," + newline + inner).join(parts) + newline + indent + closing


def compact(value: Spelled, comma: str, colon: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "[" + comma.join(compact(item, comma, colon) for item in value) + "]"
    return "{" + comma.join(key + colon + compact(item, comma, colon) for key, item in value) + "}"


def scattered(value: Spelled, blanks: Iterator[str]) -> str:
    """With any white space wherever JSON allows it."""
    if isinstance(value, str):
        return value
    parts = []
    for item in value:
        key = "" if isinstance(value, list) else item[0] + next(blanks) + ":" + next(blanks)
        parts.append(
            next(blanks) + key + scattered(item if isinstance(value, list) else item[1], blanks) + next(blanks)
        )
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return opening + (",".join(parts) or next(blanks)) + closing


@st.composite
def usual_files(draw: st.DrawFn) -> bytes:
    """Laid out by a program, or by a tidy person."""
    content = draw(contents())
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    layout = draw(st.sampled_from(["  ", "    ", "\t", "one line", "compact"]))
    if layout == "one line":
        text = compact(content, ", ", ": ")
    elif layout == "compact":
        text = compact(content, ",", ":")
    else:
        text = pretty(content, newline, layout, draw(st.sampled_from([": ", ":", " : "])))
    return (draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", newline]))).encode()


@st.composite
def odd_files(draw: st.DrawFn) -> bytes:
    """Valid, and that is all."""
    blank = st.sampled_from(["", "", " ", "\n", "\r\n", "\t", "\r", "\n\n   ", " \t"])
    blanks = iter(lambda: draw(blank), None)
    text = next(blanks) + scattered(draw(contents()), blanks) + next(blanks)
    return (draw(st.sampled_from(["", "\ufeff"])) + text).encode()


files = usual_files() | odd_files()


@contextmanager
def settings_file(content: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "settings.json"
        path.write_bytes(content)
        yield path


def decoded(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig"))


def without_ours(value: dict[str, Any]) -> dict[str, Any]:
    """The settings less the groups of ours, and less events and "hooks" that are empty."""
    hooks = {}
    for name, found in value.get("hooks", {}).items():
        kept = [group for group in found if MARK not in json.dumps(group)] if isinstance(found, list) else found
        if kept != []:
            hooks[name] = kept
    return {key: hooks if key == "hooks" else item for key, item in value.items() if key != "hooks" or hooks}


@run_with(max_examples=EXAMPLES, deadline=None)
@given(files, st.booleans())
def test_install_then_uninstall_gives_back_identical_bytes(content: bytes, older_first: bool) -> None:
    with settings_file(content) as path:
        if older_first:
            install(str(path), OLDER)
        assert install(str(path), BLOCK).changed
        assert not install(str(path), BLOCK).changed
        uninstall(str(path))
        assert path.read_bytes() == content
        assert os.listdir(path.parent) == ["settings.json"]


@run_with(max_examples=EXAMPLES, deadline=None)
@given(files)
def test_install_adds_one_hook_an_event_and_changes_no_value(content: bytes) -> None:
    with settings_file(content) as path:
        install(str(path), BLOCK)
        before, after = decoded(content), decoded(path.read_bytes())
    assert list(without_ours(after)) == list(without_ours(before))
    assert repr(without_ours(after)) == repr(without_ours(before))
    for name, ours in BLOCK["hooks"].items():
        assert after["hooks"][name] == before.get("hooks", {}).get(name, []) + ours


@run_with(max_examples=EXAMPLES, deadline=None)
@given(files)
def test_install_only_adds_bytes(content: bytes) -> None:
    """Apart from the white space inside empty brackets, what was there is there still, in order."""
    with settings_file(content) as path:
        install(str(path), BLOCK)
        installed = path.read_bytes()
    remaining = iter(installed)
    assert all(byte in remaining for byte in re.sub(rb"([\[{])[ \t\r\n]+([\]}])", rb"\1\2", content))


@run_with(max_examples=EXAMPLES, deadline=None)
@given(files)
def test_without_a_record_ours_goes_all_the_same(content: bytes) -> None:
    with settings_file(content) as path:
        install(str(path), BLOCK)
        (path.parent / "settings.json.awhm-record").unlink()
        uninstall(str(path))
        assert repr(without_ours(decoded(path.read_bytes()))) == repr(without_ours(decoded(content)))
        assert MARK.encode() not in path.read_bytes()


@run_with(max_examples=EXAMPLES, deadline=None)
@given(usual_files())
def test_after_another_edit_the_rest_keeps_its_bytes(content: bytes) -> None:
    added = b'"added": 1, '
    with settings_file(content) as path:
        install(str(path), BLOCK)
        path.write_bytes(path.read_bytes().replace(b"{", b"{" + added, 1))
        uninstall(str(path))
        left = path.read_bytes()
    if decoded(content):
        assert left == content.replace(b"{", b"{" + added, 1)
    else:
        assert decoded(left) == {"added": 1}
