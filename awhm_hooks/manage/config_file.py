"""The configuration as a person sees and changes it: where each value comes from, what is wrong, one line changed.

A file is changed by lines, so that comments and order stay; a change that cannot be made so is refused.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from awhm_hooks.config import ALIASES, NOT_PARAMETERS, PARAMETERS, checked
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.files import locked, write_whole
from awhm_hooks.paths import Paths

DEFAULT = "default"
FILE = "config.toml"
DATA_DIR = "data_dir"

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Entry:
    """A parameter in force. `source` is "default", "config.toml" or the variable's name; `what` says what it is."""

    name: str
    value: object
    default: object
    source: str
    what: str


@dataclass(frozen=True)
class Problem:
    """Something wrong: in the file or the environment (`source`), about one name, or "" for the file as a whole."""

    source: str
    name: str
    message: str


@dataclass(frozen=True)
class Listing:
    """Every parameter, and what is wrong; what is wrong does not count."""

    entries: list[Entry]
    problems: list[Problem]


def read(paths: Paths, environ: Mapping[str, str]) -> Listing:
    """What is in force. Raises OSError."""
    problems: list[Problem] = []
    try:
        held = tomllib.loads(_text_of(paths.config_toml))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        held = {}
        problems.append(Problem(FILE, "", f"{paths.config_toml}: {problem}"))
    found: dict[str, tuple[object, str]] = {}
    for name, value in held.items():
        _take(found, problems, name, value, FILE)
    for variable, text in sorted(environ.items()):
        if variable.startswith("AWHM_") and variable not in NOT_PARAMETERS:
            _take(found, problems, ALIASES.get(variable) or variable[5:].lower(), text, variable)
    entries = []
    for name, (default, what) in PARAMETERS.items():
        value, source = found.get(name) or (default, DEFAULT)
        if name != DATA_DIR:
            entries.append(Entry(name, value, default, source, what))
    return Listing(entries, problems)


def _take(found: dict[str, tuple[object, str]], problems: list[Problem], name: str, value: object, source: str) -> None:
    if name == DATA_DIR:
        problems.append(Problem(source, name, "data_dir has no effect there: set AWHM_DATA_DIR"))
        return
    try:
        found[name] = checked(name, value), source
    except AwhmError as problem:
        problems.append(Problem(source, name, str(problem)))


def entry(paths: Paths, environ: Mapping[str, str], name: str) -> Entry:
    """One parameter. Raises UsageError for an unknown name."""
    _known(name)
    return next(one for one in read(paths, environ).entries if one.name == name)


def _known(name: str) -> object:
    """The default of a parameter. Raises UsageError."""
    if name not in PARAMETERS:
        try:
            checked(name, None)
        except AwhmError as problem:
            raise UsageError(str(problem)) from None
    if name == DATA_DIR:
        raise UsageError("data_dir: the file is in that directory itself; set AWHM_DATA_DIR")
    return PARAMETERS[name][0]


def parsed(name: str, text: str) -> object:
    """The value that a person wrote for a parameter. Raises UsageError."""
    default = _known(name)
    value: object = text
    if isinstance(default, bool):
        word = text.strip().lower()
        if word not in _TRUE + _FALSE:
            raise UsageError(f"{name} = {text!r}: expected true or false")
        value = word in _TRUE
    elif isinstance(default, tuple):
        value = _list_of(text)
    try:
        return checked(name, value)
    except AwhmError as problem:
        raise UsageError(str(problem)) from None


def _list_of(text: str) -> list[object]:
    """A TOML array, or texts with commas between them."""
    if text.lstrip().startswith("["):
        try:
            found = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError as problem:
            raise UsageError(f"{text}: {problem}") from None
        return list(found)
    return [part.strip() for part in text.split(",") if part.strip()]


def change(paths: Paths, name: str, value: object | None) -> bool:
    """Write a value into the file, or with None take it out; False where it says so already.

    Raises UsageError for an unknown name, AwhmError for a file that cannot be changed by lines, OSError.
    """
    if value is not None:
        _known(name)
    paths.make(paths.data_dir)
    paths.make(paths.meta)
    target = os.path.realpath(paths.config_toml)  # a link, as people who keep their settings in a repository have it
    with locked(f"{paths.meta}/config.lock"):
        before = _text_of(target)
        after = changed(before, name, value, paths.config_toml)
        if after == before:
            return False
        write_whole(target, after.encode("utf-8"), _mode_of(target))
    return True


def _text_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except FileNotFoundError:
        return ""


def _mode_of(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        return 0o600


# By lines.


def changed(text: str, name: str, value: object | None, path: str) -> str:
    """The file's text with one parameter set, or with None taken out. Raises AwhmError where that cannot be done."""
    try:
        held = _parsed(text)
    except tomllib.TOMLDecodeError as problem:
        raise AwhmError(f"{path}: {problem}; mend it by hand first") from None
    if any(isinstance(one, dict) for one in held.values()):
        raise AwhmError(f"{path}: it has tables, and no parameter is one; take them out by hand first")
    if value is not None and name in held and _same(held[name], value):
        return text
    lines = text.splitlines(keepends=True)
    place = _place_of(lines, name) if name in held else None
    if name in held and place is None:
        raise AwhmError(f"{path}: {name} cannot be changed by lines; change it by hand")
    newline = "\r\n" if "\r\n" in text else "\n"
    after = _spliced(lines, place, name, value, newline)
    wanted = {**{one: held[one] for one in held if one != name}, **({} if value is None else {name: _plain(value)})}
    try:
        made = _parsed(after)
    except tomllib.TOMLDecodeError:
        made = {}
    if made != wanted:
        raise AwhmError(f"{path}: {name} cannot be changed by lines; change it by hand")
    return after


def _parsed(text: str) -> dict[str, object]:
    return tomllib.loads(text.replace("\r\n", "\n"))


def _same(held: object, value: object) -> bool:
    return type(held) is type(_plain(value)) and held == _plain(value)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _place_of(lines: list[str], name: str) -> tuple[int, int] | None:
    """From which line to which the assignment goes; None where it cannot be told apart."""
    opening = re.compile(rf"\s*(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')\s*=")
    whole = _parsed("".join(lines))
    for start, line in enumerate(lines):
        if not opening.match(line):
            continue
        for end in range(start + 1, len(lines) + 1):
            try:
                rest = _parsed("".join(lines[:start] + lines[end:]))
            except tomllib.TOMLDecodeError:
                continue
            if rest == {one: whole[one] for one in whole if one != name}:
                return (start, end) if end == start + 1 or not any("#" in part for part in lines[start:end]) else None
    return None


def _spliced(lines: list[str], place: tuple[int, int] | None, name: str, value: object | None, newline: str) -> str:
    if place is None:
        if value is None:
            return "".join(lines)
        joint = newline if lines and not lines[-1].endswith("\n") else ""
        return f"{''.join(lines)}{joint}{name} = {toml_of(value)}{newline}"
    start, end = place
    if value is None:
        return "".join(lines[:start] + lines[end:])
    indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    ending = newline if lines[end - 1].endswith("\n") else ""
    comment = _comment_of(lines[start]) if end == start + 1 else ""
    line = f"{indent}{name} = {toml_of(value)}{comment}{ending}"
    return "".join([*lines[:start], line, *lines[end:]])


def _comment_of(line: str) -> str:
    """The comment behind a value, with the white space before it."""
    body = line.rstrip("\r\n")
    for at in (place for place, character in enumerate(body) if character == "#"):
        try:
            whole, part = _parsed(body), _parsed(body[:at])
        except tomllib.TOMLDecodeError:
            continue
        if whole == part:
            return body[len(body[:at].rstrip()) :]
    return ""


def toml_of(value: object) -> str:
    """A parameter's value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(toml_of(one) for one in value) + "]"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
