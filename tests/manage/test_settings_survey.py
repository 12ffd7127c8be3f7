"""What the doctor is told: which hooks stand where, whether they can run, and how often."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from awhm_hooks.manage.hook_block import EVENTS, hook_settings, launch_code
from awhm_hooks.manage.settings import inspect, install, managed_settings_path, plugin_hook_files


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def one_hook(handler: dict[str, Any], event: str = "Stop") -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [{"type": "command", "timeout": 5, **handler}]}]}}


@pytest.fixture
def block() -> dict[str, Any]:
    return hook_settings()


@pytest.mark.report("AWHM-P082")
def test_a_fresh_install_is_in_order(tmp_path: Path, block: dict[str, Any]) -> None:
    path = write(tmp_path / "settings.json", "{\n}\n")
    install(path, block)
    survey = inspect([path, str(tmp_path / "gone.json")])
    file, gone = survey.files
    assert (file.exists, file.error, file.switches) == (True, None, ())
    assert (gone.exists, gone.error, gone.hooks) == (False, None, ())
    assert survey.events == set(EVENTS)
    assert survey.doubles == ()
    first = survey.hooks[0]
    assert (first.event, first.path, first.line) == ("UserPromptSubmit", path, 6)
    assert (first.mixed, first.plugin, first.missing, first.problems) == (False, False, (), ())
    assert first.handler == block["hooks"]["UserPromptSubmit"][0]["hooks"][0]


@pytest.mark.report("AWHM-P082")
def test_what_a_hook_needs_and_lacks_is_named(tmp_path: Path) -> None:
    site = tmp_path / "site's"
    (site / "awhm_hooks").mkdir(parents=True)
    (site / "awhm_hooks" / "entry.py").touch()
    empty = tmp_path / "empty"
    empty.mkdir()
    gone, program = str(tmp_path / "gone"), str(tmp_path / "gone" / "bin" / "python")
    cases: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({"command": sys.executable, "args": ["-c", launch_code([str(site)])]}, ()),
        ({"command": sys.executable, "args": ["-c", launch_code([str(empty), str(site)])]}, ()),
        ({"command": program, "args": ["-c", launch_code([str(site)])]}, (program,)),
        ({"command": sys.executable, "args": ["-c", launch_code([str(empty)])]}, (str(empty / "awhm_hooks"),)),
        ({"command": sys.executable, "args": ["-c", launch_code([gone, str(site)])]}, (gone,)),
        ({"command": sys.executable, "args": ["-c", launch_code([gone])]}, (gone, gone + "/awhm_hooks")),
        ({"command": "awhm-that-is-not-there", "args": ["hook", "stop"]}, ("awhm-that-is-not-there",)),
        ({"command": sys.executable, "args": ["-c", "from awhm_hooks.entry import ("]}, ()),
        ({"command": "/gone/awhm hook stop"}, ()),
    ]
    for handler, missing in cases:
        path = write(tmp_path / "settings.json", one_hook(handler))
        (hook,) = inspect([path]).hooks
        assert hook.missing == missing, handler


def test_a_name_is_looked_up_on_the_path_given(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "awhm-of-mine"
    write(program, "#!/bin/sh\n")
    program.chmod(0o755)
    path = write(tmp_path / "settings.json", one_hook({"command": "awhm-of-mine", "args": ["hook", "stop"]}))
    assert inspect([path], search_path=str(tmp_path / "bin")).hooks[0].missing == ()
    assert inspect([path], search_path="/usr/bin:/bin").hooks[0].missing == ("awhm-of-mine",)


PROBLEMS: list[tuple[dict[str, Any], str]] = [
    ({"timeout": "5"}, "not a number"),
    ({"timeout": True}, "not a number"),
    ({"timeout": None}, "not a number"),
    ({"timeout": 5000}, "not milliseconds"),
    ({"type": "shell"}, '"command"'),
    ({"async": True}, "async"),
]


@pytest.mark.report("AWHM-P005")
@pytest.mark.parametrize(("change", "problem"), PROBLEMS)
def test_what_keeps_the_client_from_running_a_hook_is_named(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    path = write(tmp_path / "settings.json", one_hook({"command": "awhm hook stop", **change}))
    (hook,) = inspect([path]).hooks
    (found,) = hook.problems
    assert problem in found


@pytest.mark.report("AWHM-P082")
@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly"])
def test_switches_that_are_on_are_named(tmp_path: Path, key: str) -> None:
    path = write(tmp_path / "settings.json", {"hooks": {}, key: True})
    assert inspect([path]).files[0].switches == (key,)
    for off in (False, None, 0, "true"):
        write(tmp_path / "settings.json", {key: off})
        assert inspect([path]).files[0].switches == ()


@pytest.mark.report("AWHM-P019")
def test_identical_hooks_of_two_settings_files_run_once(tmp_path: Path, block: dict[str, Any]) -> None:
    user, project = (write(tmp_path / name / "settings.json", block) for name in ("user", "project"))
    survey = inspect([user, project, user])
    assert len(survey.files) == 2
    assert [(double.event, double.runs) for double in survey.doubles] == [(event, 1) for event in EVENTS]
    assert [hook.path for hook in survey.doubles[0].hooks] == [user, project]


@pytest.mark.report("AWHM-P019")
def test_different_hooks_and_those_of_a_plugin_run_each(tmp_path: Path, block: dict[str, Any]) -> None:
    user = write(tmp_path / "user.json", block)
    local = write(tmp_path / "local.json", one_hook({"command": "awhm hook stop"}))
    plugin = write(tmp_path / "plugin" / "hooks" / "hooks.json", block)
    survey = inspect([user, local], plugins=[plugin])
    assert {double.event: double.runs for double in survey.doubles} == {**dict.fromkeys(EVENTS, 2), "Stop": 3}
    assert [hook.plugin for hook in survey.doubles[1].hooks] == [False, False, True]


def test_a_program_inside_a_plugin_is_not_missing(tmp_path: Path) -> None:
    handler = {"command": "${CLAUDE_PLUGIN_ROOT}/bin/awhm", "args": ["hook", "stop"]}
    plugin = write(tmp_path / "hooks.json", one_hook(handler))
    (hook,) = inspect([], plugins=[plugin]).hooks
    assert (hook.plugin, hook.missing) == (True, ())


def test_a_line_that_does_more_than_awhm_is_told_apart(tmp_path: Path) -> None:
    path = write(tmp_path / "settings.json", one_hook({"command": "say done; awhm hook stop"}))
    assert inspect([path]).hooks[0].mixed


UNREADABLE = [
    ('{ "a": 1, }', "line 1, column"),
    ('{"hooks": []}', '"hooks" is not an object'),
    ("[]", "not an object"),
    ("7", "not an object"),
]


@pytest.mark.parametrize(("text", "reason"), UNREADABLE)
def test_a_file_that_is_not_understood_is_reported(tmp_path: Path, text: str, reason: str) -> None:
    (file,) = inspect([write(tmp_path / "settings.json", text)]).files
    assert file.exists
    assert file.error is not None
    assert reason in file.error


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    blank = write(tmp_path / "blank.json", "\n")
    directory, empty = inspect([str(tmp_path), blank]).files
    assert directory.error is not None
    assert directory.error.startswith(f"{tmp_path}: ")
    assert (empty.exists, empty.error, empty.hooks) == (True, None, ())


def test_a_command_of_any_name_is_known_from_the_record(tmp_path: Path) -> None:
    path = write(tmp_path / "settings.json", "{}")
    install(path, hook_settings("/opt/memory"), record_dir=str(tmp_path / "meta"))
    assert inspect([path]).hooks == ()
    assert len(inspect([path], record_dir=str(tmp_path / "meta")).hooks) == len(EVENTS)


def test_hooks_of_installed_plugins_are_found(tmp_path: Path) -> None:
    places = {name: tmp_path / "cache" / name for name in ("awhm", "off", "bare", "twice")}
    files = {name: write(place / "hooks" / "hooks.json", {}) for name, place in places.items() if name != "bare"}
    entries = {f"{name}@market": [{"scope": "user", "installPath": str(place)}] * 2 for name, place in places.items()}
    entries["odd@market"] = [{"scope": "user"}, 7]  # type: ignore[list-item]
    entries["older@market"] = {"installPath": str(places["twice"])}  # type: ignore[assignment]
    write(tmp_path / "plugins" / "installed_plugins.json", {"version": 2, "plugins": entries})
    write(tmp_path / "settings.json", {"enabledPlugins": {"off@market": False, "awhm@market": True}})
    assert plugin_hook_files(str(tmp_path)) == [files["awhm"], files["twice"]]


@pytest.mark.parametrize("text", [None, "", "[]", "{", '{"plugins": []}', "\ufeff{}"])
def test_without_a_list_of_plugins_there_are_none(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        write(tmp_path / "plugins" / "installed_plugins.json", text)
    assert plugin_hook_files(str(tmp_path)) == []


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        ("linux", "/etc/claude-code/managed-settings.json"),
        ("darwin", "/Library/Application Support/ClaudeCode/managed-settings.json"),
    ],
)
def test_managed_settings_have_their_place(platform: str, path: str) -> None:
    assert managed_settings_path(platform) == path
