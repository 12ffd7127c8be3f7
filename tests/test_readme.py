"""README.md and docs/commands.md say what there is: every command, option and parameter, and the gate's own words."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from conftest import clean_env

from awhm_hooks import paths
from awhm_hooks.cli.app import command_line
from awhm_hooks.config import ALIASES, NOT_PARAMETERS, PARAMETERS
from awhm_hooks.entry import HOOKS
from awhm_hooks.manage.hook_block import EVENTS, hook_settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

OWN_CALLS_ONLY = {"AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"}
"""Set by Stage 2 for its own call; nobody sets them by hand."""


def commands(group: Any, names: tuple[str, ...] = ("awhm",)) -> Iterator[tuple[str, Any]]:
    """(full name, command) of every command below a group that is not hidden."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from commands(command, (*names, name))
        else:
            yield " ".join((*names, name)), command


def long_options(command: Any) -> set[str]:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    return {name for one in shown for name in one.opts if name.startswith("--")}


def sections(text: str) -> dict[str, str]:
    """Title in code quotes -> what stands below it, up to the next title."""
    parts = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {title.strip("` "): body for title, body in zip(parts[1::2], parts[2::2], strict=True)}


ALL = dict(commands(typer.main.get_command(command_line())))
SECTIONS = sections(COMMANDS)


@pytest.mark.parametrize("name", ALL)
def test_each_command_has_a_section_with_its_options(name: str) -> None:
    assert name in SECTIONS, f"docs/commands.md has no section `{name}`"
    in_the_text = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", SECTIONS[name]))
    assert long_options(ALL[name]) - in_the_text == set(), "these options are not described"


@pytest.mark.parametrize("name", [title for title in SECTIONS if title.startswith("awhm ")])
def test_each_section_is_of_a_command_and_lists_only_options_that_it_has(name: str) -> None:
    in_the_table = set(re.findall(r"^\| `(--[a-z][a-z0-9-]*)", SECTIONS[name], flags=re.MULTILINE))
    if name in {f"awhm hook {hook}" for hook in HOOKS}:
        return
    assert name in ALL, "there is no such command"
    assert in_the_table - long_options(ALL[name]) == set(), "these options are not there"


@pytest.mark.parametrize("name", ALL)
def test_each_command_has_an_example(name: str) -> None:
    examples = re.findall(r"^```(?:bash|console)\n(.*?)^```$", SECTIONS[name], flags=re.MULTILINE | re.DOTALL)
    assert any(re.search(rf"^\$ {name}\b", example, flags=re.MULTILINE) for example in examples)


@pytest.mark.parametrize("name", ALL)
def test_the_readme_names_each_command(name: str) -> None:
    assert f"`{name}" in README


@pytest.mark.parametrize(("event", "hook"), EVENTS.items())
def test_each_hook_is_described_with_the_timeout_that_is_installed(event: str, hook: str) -> None:
    timeout = hook_settings("awhm")["hooks"][event][0]["hooks"][0]["timeout"]
    rows = [line for line in README.splitlines() if line.startswith(f"| `{hook}` | `{event}`")]
    assert len(rows) == 1
    assert rows[0].endswith(f"| {timeout} s |")


def parameter_rows() -> list[str]:
    """The README's rows, as they are to be."""
    rows = []
    for name, (default, meaning) in PARAMETERS.items():
        shown = json.dumps(list(default) if isinstance(default, tuple) else default)
        escaped = re.sub(r"([|*<])", r"\\\1", meaning)
        rows.append(f"| `{name}` | `{shown}` | {escaped} |")
    return rows


def test_the_table_of_parameters_is_that_of_the_code() -> None:
    section = sections(README)["Configuration"]
    found = [line for line in section.splitlines() if re.match(r"\| `[a-z]\w*` \|", line)]
    assert found == parameter_rows()


def test_each_variable_of_the_environment_is_named() -> None:
    for name in {*ALIASES, *NOT_PARAMETERS} - OWN_CALLS_ONLY:
        assert f"`{name}" in README


def test_each_place_of_the_data_directory_is_in_the_tree() -> None:
    tree = sections(README)["Data directory"]
    where = paths.Paths("/data")
    for slot in set(paths.Paths.__slots__) - {"data_dir"}:
        name = getattr(where, slot).rsplit("/", 1)[1]
        assert name in tree, f"{name} is not in the tree"


def test_the_gate_runs_the_tests_in_the_readme_s_words() -> None:
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("--quiet ", "")
    for words in ("python -m pip install -e '.[dev]'", "python -m pytest -q"):
        assert words in README
        assert words in gate


def test_the_python_example_runs_and_remembers(isolated_home: Path, data_dir: Path) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", example],
        env={**clean_env(isolated_home, data_dir), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=isolated_home,
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "https://api.example.com/v2" in ran.stdout


@pytest.mark.parametrize("name", ["README.md", "docs/commands.md"])
def test_each_link_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (ROOT / name).parent.joinpath(target).exists(), f"{name} links to {target}"
