"""The block of hooks for Claude Code's settings, and how a hook of ours is known again."""

import importlib.util
import json
import os
import re
import shlex
import sys
from collections.abc import Collection, Sequence
from enum import Enum
from typing import Any

import awhm_hooks
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.manage.settings_text import Style

# Code, not a script's path: Python exits 2 for a script that is gone, and exit 2 erases the person's prompt. The
# directories come after the standard library, so that nothing in them can stand in for a part of it.
LAUNCH_CODE = """\
import sys;sys.path+={directories}
try:
 from awhm_hooks.entry import hook
except ImportError:
 sys.exit()
hook(sys.argv[1])"""

EVENTS = {"UserPromptSubmit": "prompt", "Stop": "stop", "SessionStart": "session-start", "SessionEnd": "session-end"}
"""The client's event -> our name of the hook."""

_TEMPLATE = os.path.join("settings_templates", "hooks.json")
_WITH_LIBRARIES = ("onnxruntime", "tokenizers", "numpy")
MARK = "awhm_hooks.entry"
_NAME = "awhm"
_WINDOWS_SCRIPTS = (".cmd", ".bat")
_OPERATORS = re.compile(r"[();<>|&]+")
_IDLE = (["true"], [":"], ["exit", "0"])


def hook_settings(command: str | None = None) -> dict[str, Any]:
    """The block `{"hooks": {...}}`: one hook an event, in exec form, with absolute paths.

    `command` is an executable that takes `hook prompt` and so on, used in place of this interpreter and package.
    Raises AwhmError where no interpreter can be named, UsageError for a command that cannot be started.
    """
    with open(_template_path(), encoding="utf-8") as file:
        block: dict[str, Any] = json.load(file)
    if command is None:
        program, code = interpreter(), launch_code(package_directories())
    else:
        program, code = _checked_command(command), None
    for groups in block["hooks"].values():
        for handler in (handler for group in groups for handler in group["hooks"]):
            handler["command"] = program
            if code is None:
                handler["args"] = ["hook", handler["args"][-1]]
            else:
                handler["args"] = [arg.replace("{code}", code) for arg in handler["args"]]
    return block


def hook_settings_text(block: dict[str, Any]) -> str:
    """The block as a person reads and pastes it: one line a hook."""
    return Style().render(block, "") + "\n"


def _template_path() -> str:
    """The template, inside the package in a wheel, beside it in a checkout."""
    package = os.path.dirname(os.path.abspath(awhm_hooks.__file__))
    for parent in (package, os.path.dirname(package)):
        path = os.path.join(parent, _TEMPLATE)
        if os.path.isfile(path):
            return path
    raise AwhmError(f"{os.path.join(package, _TEMPLATE)} is missing: install awhm-hooks again")


def launch_code(directories: Sequence[str]) -> str:
    """What the interpreter runs: import the hook from these directories, or exit 0 without a word."""
    return LAUNCH_CODE.replace("{directories}", "[" + ",".join(ascii(path) for path in directories) + "]")


def package_directories() -> list[str]:
    """Where this package and the libraries of its hooks are imported from; once each, the package's own first."""
    found = [os.path.dirname(os.path.dirname(os.path.abspath(awhm_hooks.__file__)))]
    for name in _WITH_LIBRARIES:
        spec = importlib.util.find_spec(name)
        found += [os.path.dirname(place) for place in (spec and spec.submodule_search_locations) or []]
    spelled: dict[str, str] = {}
    for path in found:
        spelled.setdefault(os.path.realpath(path), _encodable(path))
    return list(spelled.values())


def _encodable(path: str) -> str:
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise AwhmError(f"{path!a}: Claude Code cannot start a program whose path is not UTF-8") from error
    return path


# The interpreter.


def interpreter() -> str:
    """The absolute path of the Python that runs this, its virtual environment kept, shims resolved."""
    return _encodable(resolve_interpreter(sys.executable, (sys.prefix, sys.base_prefix), windows=os.name == "nt"))


def resolve_interpreter(executable: str, prefixes: Sequence[str], windows: bool) -> str:
    """The interpreter to name in the settings.

    A link is kept, as following it leaves the virtual environment. A shim (a script that looks up the interpreter
    anew at each start) costs tens of milliseconds and follows the directory it is run in: the interpreter below
    `prefixes` is taken instead. Raises AwhmError where there is none.
    """
    path = os.path.abspath(executable) if executable else ""
    candidates = [path]
    if windows:  # pythonw.exe has no stdout
        candidates.insert(0, os.path.join(os.path.dirname(path), "python.exe"))
    names = ["python.exe", os.path.join("Scripts", "python.exe")] if windows else _posix_names()
    candidates += [os.path.join(prefix, name) for prefix in prefixes for name in names]
    for candidate in candidates:
        if os.path.isfile(candidate) and not _is_shim(candidate, windows):
            return candidate
    raise AwhmError("no Python interpreter found for the hooks: name the awhm executable with --command")


def _posix_names() -> list[str]:
    major, minor = sys.version_info[:2]
    return [os.path.join("bin", name) for name in (f"python{major}.{minor}", f"python{major}", "python")]


def _is_shim(path: str, windows: bool) -> bool:
    if os.path.basename(os.path.dirname(path)) == "shims":
        return True
    if windows:
        return path.lower().endswith(_WINDOWS_SCRIPTS)
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def _checked_command(command: str) -> str:
    """The executable as given; absolute where it has a directory, as a hook's own directory follows `cd`."""
    if not command.strip():
        raise UsageError("--command needs an executable")
    if command.lower().endswith(_WINDOWS_SCRIPTS):
        raise UsageError(f"--command {command}: a hook is started without a shell and needs an .exe, not a script")
    if os.path.dirname(command):
        return _encodable(os.path.abspath(os.path.expanduser(command)))
    return _encodable(command)


# Knowing a hook of ours again, whatever version wrote it.


class Owner(Enum):
    """Whose a hook is."""

    OURS = "ours"
    MIXED = "ours and more"
    """A shell line that runs awhm and something else: not to be removed as a whole."""
    OTHER = "another's"


def owner_of(handler: object, commands: Collection[str] = ()) -> Owner:
    """Whose this entry of a "hooks" array is; `commands` are executables installed under names of their own."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return Owner.OTHER
    command, args = handler["command"], handler.get("args")
    if isinstance(args, list):
        return Owner.OURS if _is_call([command, *map(str, args)], commands) else Owner.OTHER
    return _owner_of_line(command, commands)


def _is_call(words: Sequence[str], commands: Collection[str]) -> bool:
    """Whether the words end in `awhm hook EVENT`, options aside, or carry our launch code."""
    if any(MARK in word for word in words):
        return True
    if words and words[0] in commands and list(words[1:2]) == ["hook"]:
        return True
    words = list(words)
    while len(words) > 3 and words[-1].startswith("-"):
        words.pop()
    program, *call = words[-3:] if len(words) >= 3 else [""]
    return call[:1] == ["hook"] and call[1] in EVENTS.values() and _NAME in re.split(r"[\\/]", program)[-1].lower()


def _owner_of_line(line: str, commands: Collection[str]) -> Owner:
    """The same for the shell form. Redirections, and a last `|| true`, are part of a call."""
    calls, others = 0, 0
    for words in _simple_commands(line):
        if _is_call(words, commands):
            calls += 1
        elif words not in _IDLE:
            others += 1
    if not calls:
        return Owner.OTHER
    return Owner.MIXED if others else Owner.OURS


def _simple_commands(line: str) -> list[list[str]]:
    """The words of each command of a shell line, without operators and redirections."""
    found: list[list[str]] = []
    for row in line.replace("\\", "/").splitlines():
        lexer = shlex.shlex(row, posix=True, punctuation_chars=True)
        lexer.whitespace_split, lexer.commenters = True, ""
        try:
            tokens = list(lexer)
        except ValueError:  # a quote that is not closed
            tokens = row.replace('"', " ").replace("'", " ").split()
        found += _split_at_operators(tokens)
    return found


def _split_at_operators(tokens: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    target = False
    for token in tokens:
        if target:
            target = False
        elif not _OPERATORS.fullmatch(token):
            found[-1].append(token)
        elif "<" in token or ">" in token:
            target = True
            if found[-1] and found[-1][-1].isdigit():
                found[-1].pop()
        else:
            found.append([])
    return [words for words in found if words]
