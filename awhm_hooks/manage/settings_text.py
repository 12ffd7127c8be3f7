"""Byte-exact editing of a JSON file: values with their places, and splices that leave every other byte alone."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from awhm_hooks.errors import SettingsRefused

BOM = "\ufeff"
_BLANK = re.compile(r"[ \t\r\n]*")
_BREAK = re.compile(r"\r\n|\n|\r")
_LAST_LINE = re.compile(r"(?:\r\n|\n|\r)([ \t]*)\Z")
_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<constant>NaN|-?Infinity)')
_FIRST_MEMBER = re.compile(r'[ \t\r\n]*\{([ \t\r\n]*)"(?:[^"\\]|\\.)*"([ \t\r\n]*:[ \t\r\n]*)')
_TOO_DEEP = "nested too deeply"
_LONGEST_INTEGER = 4000  # digits; Python refuses to convert more than 4,300


class _ConstantError(Exception):
    """Python's decoder reads NaN and Infinity; JSON has neither."""


def _refuse_constant(name: str) -> Any:
    raise _ConstantError(name)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=_integer)


@dataclass(frozen=True)
class Place:
    """A value and where it stands in the text. Of a key that comes twice in an object, the value has the last."""

    start: int
    end: int
    value: Any


@dataclass(frozen=True)
class Member:
    """One `"key": value` of an object; `start` is the key's."""

    start: int
    key: str
    place: Place

    @property
    def end(self) -> int:
        return self.place.end


@dataclass(frozen=True)
class Splice:
    """Replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str

    def of(self, text: str) -> str:
        return text[: self.start] + self.text + text[self.end :]


@dataclass(frozen=True)
class Style:
    """How a file is laid out. `pretty` is about containers that are empty yet; the others show their own way."""

    newline: str = "\n"
    pretty: bool = True
    unit: str = "  "
    colon: str = ": "

    @property
    def comma(self) -> str:
        """What follows an item on the same line."""
        return ", " if self.colon[-1:].isspace() else ","

    def render(self, value: Any, indent: str | None) -> str:
        """The value as JSON, its lines indented by `indent`; on one line where that is None. A hook takes one line."""
        if indent is None or not value or not isinstance(value, dict | list) or "command" in value:
            return json.dumps(value, separators=(self.comma, self.colon))
        pad = self.newline + indent + self.unit
        if isinstance(value, dict):
            parts = [self.member(key, item, indent + self.unit) for key, item in value.items()]
            return "{" + pad + ("," + pad).join(parts) + self.newline + indent + "}"
        parts = [self.render(item, indent + self.unit) for item in value]
        return "[" + pad + ("," + pad).join(parts) + self.newline + indent + "]"

    def member(self, key: str, value: Any, indent: str | None) -> str:
        return json.dumps(key) + self.colon + self.render(value, indent)


def style_of(text: str) -> Style:
    """The line ends, indentation and spacing that most of the file has."""
    newlines = Counter(_BREAK.findall(text))
    newline = newlines.most_common(1)[0][0] if newlines else "\n"
    first = _FIRST_MEMBER.match(text)
    if first is None:
        return Style(newline)
    colon = Style.colon if _BREAK.search(first[2]) else first[2]
    own_line = _LAST_LINE.search(first[1])
    if own_line is None:
        return Style(newline, pretty=False, colon=colon)
    return Style(newline, unit=own_line[1], colon=colon)


class Document:
    """The text of one settings file while it is edited.

    `done` lists the splices made, in order; `undo` those that take them all back, in order.
    """

    def __init__(self, path: str, data: bytes) -> None:
        """Raises SettingsRefused, with the line and the column, for anything but strict JSON or blank text."""
        self.path = path
        self.text = data.decode("utf-8", "replace")
        self.bom = BOM if self.text.startswith(BOM) else ""
        self.text = self.text[len(self.bom) :]
        try:
            data.decode()
        except UnicodeDecodeError as error:
            valid = len(data[: error.start].decode()) - len(self.bom)
            raise self._not_json("not UTF-8", valid) from error
        self.done: list[Splice] = []
        self.undo: list[Splice] = []
        if not self.blank:
            self._check()
        self.style = style_of(self.text)

    @property
    def blank(self) -> bool:
        """Nothing but white space: the client takes such a file for `{}`."""
        return not self.text.strip()

    def _check(self) -> None:
        try:
            _DECODER.decode(self.text)
        except json.JSONDecodeError as error:
            comment = self.text[error.pos : error.pos + 2] in ("//", "/*")
            raise self._not_json("a comment" if comment else error.msg, error.pos) from error
        except _ConstantError as error:
            matches = _STRING_OR_CONSTANT.finditer(self.text)
            place = next(match.start() for match in matches if match["constant"])
            raise self._not_json(f"{error} is no JSON value", place) from error
        except RecursionError as error:
            raise self._not_json(_TOO_DEEP, 0) from error

    def _not_json(self, reason: str, position: int) -> SettingsRefused:
        return self.refusal(f"{reason} (Claude Code wants strict JSON, without comments and trailing commas)", position)

    def refusal(self, reason: str, position: int) -> SettingsRefused:
        """The error that leaves the file as it is and says where and how to mend it."""
        line = self.text.count("\n", 0, position) + 1
        column = position - self.text.rfind("\n", 0, position)
        return SettingsRefused(
            f"{self.path}: line {line}, column {column}: {reason}. The file is left as it is: mend that place and run "
            "the command again, or edit by hand what `awhm hook settings` prints."
        )

    def line_of(self, place: Place) -> int:
        return self.text.count("\n", 0, place.start) + 1

    def encoded(self) -> bytes:
        return (self.bom + self.text).encode()

    # Reading. The text was checked as a whole, so the scanners below need not doubt it.

    def root(self) -> Place:
        return self._value(self._skip(0))

    def _skip(self, position: int) -> int:
        match = _BLANK.match(self.text, position)
        return match.end() if match else position

    def _value(self, start: int) -> Place:
        try:
            value, end = _DECODER.raw_decode(self.text, start)
        except RecursionError as error:  # just short of the limit in the check, whose stack was less deep
            raise self._not_json(_TOO_DEEP, start) from error
        return Place(start, end, value)

    def members(self, container: Place) -> list[Member]:
        """The members of an object in order, a key that comes twice twice."""
        found = []
        for key in self._children(container):
            value = self._value(self._skip(self._skip(key.end) + 1))
            found.append(Member(key.start, key.value, value))
        return found

    def items(self, container: Place) -> list[Place]:
        """The items of an array in order."""
        return list(self._children(container))

    def _children(self, container: Place) -> Iterator[Place]:
        """The items of an array, or the keys of an object."""
        is_object = self.text[container.start] == "{"
        position = self._skip(container.start + 1)
        while position < container.end - 1:
            child = self._value(position)
            yield child
            end = child.end
            if is_object:
                end = self._value(self._skip(self._skip(end) + 1)).end
            position = self._skip(self._skip(end) + 1)

    # Editing. Every place read before an edit is stale after it.

    def splice(self, start: int, end: int, text: str) -> None:
        self.undo.insert(0, Splice(start, start + len(text), self.text[start:end]))
        self.done.append(Splice(start, end, text))
        self.text = self.done[-1].of(self.text)

    def replace(self, place: Place, value: Any) -> None:
        """Put a value in the place of another, on one line."""
        self.splice(place.start, place.end, self.style.render(value, None))

    def append_item(self, array: Place, value: Any) -> None:
        """Add a last item, laid out as the one before it."""
        self._append(array, self.items(array), lambda indent: self.style.render(value, indent))

    def append_member(self, container: Place, key: str, value: Any) -> None:
        """Add a last member, laid out as the one before it."""
        self._append(container, self.members(container), lambda indent: self.style.member(key, value, indent))

    def _append(
        self, container: Place, children: Sequence[Place | Member], render: Callable[[str | None], str]
    ) -> None:
        if not children:
            self._fill(container, render)
            return
        last = children[-1]
        if len(children) > 1:
            gap = self.text[children[-2].end : last.start].partition(",")[2]
        else:
            gap = self.text[container.start + 1 : last.start] or self.style.comma[1:]
        own_line = _LAST_LINE.search(gap)
        if own_line is None:
            added = "," + gap + render(None)
        else:
            added = "," + own_line[0] + render(own_line[1])
        self.splice(last.end, last.end, added)

    def _fill(self, container: Place, render: Callable[[str | None], str]) -> None:
        inside = container.start + 1, container.end - 1
        if not self.style.pretty:
            self.splice(*inside, render(None))
            return
        indent = self._line_indent(container.start)
        inner = indent + self.style.unit
        self.splice(*inside, self.style.newline + inner + render(inner) + self.style.newline + indent)

    def _line_indent(self, position: int) -> str:
        before = self.text[:position]
        line = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def remove(self, container: Place, index: int) -> None:
        """Take out one item of an array or member of an object, with its comma; the last one leaves `[]` or `{}`."""
        is_object = self.text[container.start] == "{"
        children: Sequence[Place | Member] = self.members(container) if is_object else self.items(container)
        if len(children) == 1:
            self.splice(container.start + 1, container.end - 1, "")
        elif index == 0:
            self.splice(children[0].start, children[1].start, "")
        else:
            self.splice(children[index - 1].end, children[index].end, "")
