"""Installing and removing our hooks: in which file, what else stays as it is, and what is refused."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from awhm_hooks.errors import SettingsRefused, UsageError
from awhm_hooks.manage.settings import hook_settings, install, settings_path, uninstall

EVENTS = ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"]
MARK = "awhm_hooks.entry"
BACKUP = "settings.json.awhm-backup"
RECORD = "settings.json.awhm-record"

MIXED_FILE = json.dumps(
    {
        "permissions": {"deny": ["Bash(rm *)"]},
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "echo mine"}]}],
            "UserPromptSubmit": [{"matcher": "*", "hooks": [{"type": "command", "command": "echo other"}]}],
            "PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}],
        },
        "x-unknown": 1,
    },
    separators=(",", ":"),
).encode()


@pytest.fixture
def block() -> dict[str, Any]:
    return hook_settings()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """The place of a settings file in a directory of its own; not there yet."""
    directory = tmp_path / "config"
    directory.mkdir()
    return directory / "settings.json"


def older(block: dict[str, Any]) -> dict[str, Any]:
    """The block as another interpreter would have it."""
    text = json.dumps(block)
    for event in EVENTS:
        command = block["hooks"][event][0]["hooks"][0]["command"]
        text = text.replace(json.dumps(command), '"/old/venv/bin/python"')
    result: dict[str, Any] = json.loads(text)
    assert result != block
    return result


def ours(data: bytes) -> dict[str, int]:
    """How many hooks of ours each event has."""
    counts = {}
    for event, groups in json.loads(data.decode("utf-8-sig")).get("hooks", {}).items():
        counts[event] = sum(MARK in json.dumps(handler) for group in groups for handler in group["hooks"])
    return {event: count for event, count in counts.items() if count}


# Which file.

PATHS = [
    # scope, CLAUDE_CONFIG_DIR, --config-dir, below the root
    ("user", None, None, "home/.claude/settings.json"),
    ("user", "{root}/work profile", None, "work profile/settings.json"),
    ("user", "{root}/work profile", "{root}/other", "other/settings.json"),
    ("user", None, "other", "home/shop/src/other/settings.json"),
    ("project", "{root}/work profile", None, "home/shop/.claude/settings.json"),
    ("local", None, "{root}/other", "home/shop/.claude/settings.local.json"),
]


@pytest.mark.report("AWHM-P079")
@pytest.mark.parametrize(("scope", "variable", "option", "expected"), PATHS)
def test_each_scope_has_its_file(
    tmp_path: Path, scope: str, variable: str | None, option: str | None, expected: str
) -> None:
    cwd = tmp_path / "home" / "shop" / "src"
    cwd.mkdir(parents=True)
    (tmp_path / "home" / "shop" / ".git").touch()  # a worktree: a file, not a directory
    environ = {"HOME": str(tmp_path / "home")}
    if variable is not None:
        environ["CLAUDE_CONFIG_DIR"] = variable.format(root=tmp_path)
    config_dir = option.format(root=tmp_path) if option else None
    assert settings_path(scope, environ, str(cwd), config_dir) == str(tmp_path / expected)


def test_without_a_repository_the_project_is_the_directory(tmp_path: Path) -> None:
    assert settings_path("project", {}, str(tmp_path)) == str(tmp_path / ".claude" / "settings.json")


@pytest.mark.parametrize(("scope", "environ"), [("global", {"HOME": "/h"}), ("", {"HOME": "/h"}), ("user", {})])
def test_a_scope_without_a_file_is_a_usage_error(scope: str, environ: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        settings_path(scope, environ, "/")


@pytest.mark.report("AWHM-P079")
def test_only_the_file_named_changes(tmp_path: Path, block: dict[str, Any]) -> None:
    for name in (".claude", ".claude-work"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "settings.json").write_text("{}")
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / ".claude-work")}
    install(settings_path("user", environ, str(tmp_path)), block, record_dir=str(tmp_path / "meta"))
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert [name for name in files if not name.startswith("meta")] == [
        ".claude-work/settings.json",
        f".claude-work/{BACKUP}",
        ".claude/settings.json",
    ]
    assert (tmp_path / ".claude" / "settings.json").read_text() == "{}"


# Beside other people's settings.


@pytest.mark.report("AWHM-P071")
def test_everything_else_stays_and_comes_back_as_it_was(settings: Path, block: dict[str, Any]) -> None:
    settings.write_bytes(MIXED_FILE)

    first = install(str(settings), block)
    installed = settings.read_bytes()
    assert (first.added, first.removed, first.backup) == (4, 0, str(settings.parent / BACKUP))
    before, after = json.loads(MIXED_FILE), json.loads(installed)
    assert list(after) == list(before)
    assert list(after["hooks"]) == [*before["hooks"], "SessionStart", "SessionEnd"]
    for event, groups in before["hooks"].items():
        assert after["hooks"][event] == groups + block["hooks"].get(event, [])
    assert b"\n" not in installed  # one line it was, one line it stays

    second = install(str(settings), block)
    assert (second.changed, second.added, second.removed) == (False, 0, 0)
    assert settings.read_bytes() == installed

    third = uninstall(str(settings))
    assert (third.added, third.removed, third.backup) == (0, 4, None)
    assert settings.read_bytes() == MIXED_FILE
    assert os.listdir(settings.parent) == ["settings.json"]


def test_a_missing_file_is_made_private_and_goes_again(tmp_path: Path, block: dict[str, Any]) -> None:
    settings = tmp_path / "a home" / ".claude" / "settings.json"
    change = install(str(settings), block)
    assert (change.before, change.backup) == (None, None)
    assert json.loads(settings.read_bytes()) == block
    assert settings.stat().st_mode & 0o777 == 0o600
    assert settings.parent.stat().st_mode & 0o777 == 0o700
    assert uninstall(str(settings)).after is None
    assert os.listdir(tmp_path) == []


def test_a_file_made_by_install_stays_once_it_holds_more(settings: Path, block: dict[str, Any]) -> None:
    install(str(settings), block)
    settings.write_text(settings.read_text().replace("{", '{\n  "model": "opus",', 1))
    uninstall(str(settings))
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'


def test_a_directory_that_came_into_use_stays(tmp_path: Path, block: dict[str, Any]) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    install(str(settings), block)
    (tmp_path / ".claude" / "notes").touch()
    uninstall(str(settings))
    assert os.listdir(tmp_path / ".claude") == ["notes"]


KEPT = [
    b"{}",
    b"{ }\n",
    b"",
    b" \n",
    b"\xef\xbb\xbf",
    b'{"hooks":{}}',
    b'{"hooks": {\n}, "a": 1}',
    b'{"hooks": {"Stop": []}}\n',
    b'{\n  "hooks": {\n    "Stop": [\n    ],\n    "PreToolUse": []\n  }\n}',
    b'{\n\t"env": {"A": "\\u00e9\xc3\xa9"},\n\t"hooks": {}\n}',
    b'\xef\xbb\xbf{\r\n  "env": {},\r\n  "model": "opus"\r\n}\r\n',
    b'{\r\n "a": 1.0,\n "a": 1e5,\r "b": [1 ,2 , 3]}',
    b'{"hooks": {"Stop": [{"matcher": "x"}, 7, {"hooks": null}], "Notification": "no array"}}',
]


@pytest.mark.report("AWHM-P074")
@pytest.mark.parametrize("old_block_first", [False, True])
@pytest.mark.parametrize("before", KEPT)
def test_uninstall_gives_the_bytes_back(
    settings: Path, block: dict[str, Any], before: bytes, old_block_first: bool
) -> None:
    settings.write_bytes(before)
    if old_block_first:
        install(str(settings), older(block))
    install(str(settings), block)
    installed = settings.read_bytes()
    assert installed.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    if b"\r\n" in before and b"\n" not in before.replace(b"\r\n", b""):
        assert b"\n" not in installed.replace(b"\r\n", b"")
    uninstall(str(settings))
    assert settings.read_bytes() == before
    assert os.listdir(settings.parent) == ["settings.json"]


def test_a_pretty_file_reads_as_if_written_by_hand(settings: Path) -> None:
    settings.write_text('{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []}\n\t\t]\n\t}\n}\n')
    change = install(str(settings), hook_settings("awhm"))
    assert change.after is not None
    assert change.after.decode().splitlines()[1:13] == [
        '\t"hooks": {',
        '\t\t"Stop": [',
        '\t\t\t{"hooks": []},',
        "\t\t\t{",
        '\t\t\t\t"hooks": [',
        '\t\t\t\t\t{"type": "command", "command": "awhm", "args": ["hook", "stop"], "timeout": 10}',
        "\t\t\t\t]",
        "\t\t\t}",
        "\t\t],",
        '\t\t"UserPromptSubmit": [',
        "\t\t\t{",
        '\t\t\t\t"hooks": [',
    ]


# Hooks of ours that are there already.


def test_an_outdated_hook_is_brought_up_to_date_in_its_place(settings: Path, block: dict[str, Any]) -> None:
    install(str(settings), older(block))
    settings.write_bytes(settings.read_bytes().replace(b'"Stop": [', b'"Stop": [ {"hooks": []},'))
    change = install(str(settings), block)
    assert (change.added, change.removed) == (4, 4)
    assert ours(settings.read_bytes()) == dict.fromkeys(EVENTS, 1)
    assert json.loads(settings.read_bytes())["hooks"]["Stop"] == [{"hooks": []}, *block["hooks"]["Stop"]]


def test_second_and_misplaced_hooks_are_taken_out(settings: Path, block: dict[str, Any]) -> None:
    old = older(block)["hooks"]
    present = {"hooks": {"Stop": old["Stop"] + block["hooks"]["Stop"] + old["Stop"], "PreCompact": old["Stop"]}}
    settings.write_text(json.dumps(present))
    change = install(str(settings), block)
    assert (change.added, change.removed) == (3, 3)
    after = json.loads(settings.read_bytes())
    assert after["hooks"] == {event: block["hooks"][event] for event in ["Stop", "UserPromptSubmit", *EVENTS[2:]]}


@pytest.mark.report("AWHM-P075")
def test_uninstall_takes_out_what_older_versions_wrote(settings: Path, block: dict[str, Any]) -> None:
    shell = {"type": "command", "command": '"/home/ana maria/.local/bin/awhm" hook prompt --semantic', "timeout": 20}
    mine = {"type": "command", "command": "echo mine"}
    present = {"hooks": {"UserPromptSubmit": [{"matcher": "", "hooks": [shell, mine]}, {"hooks": [shell]}]}}
    settings.write_text(json.dumps(present))
    install(str(settings), block)
    uninstall(str(settings))
    assert json.loads(settings.read_bytes()) == {"hooks": {"UserPromptSubmit": [{"matcher": "", "hooks": [mine]}]}}
    left = subprocess.run(["grep", "-rn", "awhm", str(settings.parent)], capture_output=True, check=False)
    assert (left.returncode, left.stdout) == (1, b"")


def test_a_command_of_any_name_is_found_again(settings: Path) -> None:
    settings.write_bytes(MIXED_FILE)
    install(str(settings), hook_settings("/opt/memory"))
    assert not install(str(settings), hook_settings("/opt/memory")).changed
    settings.write_bytes(settings.read_bytes().replace(b"x-unknown", b"x-known"))
    assert uninstall(str(settings)).removed == 4
    assert settings.read_bytes() == MIXED_FILE.replace(b"x-unknown", b"x-known")


def test_a_line_that_does_more_than_awhm_is_left_and_named(settings: Path, block: dict[str, Any]) -> None:
    line = {"type": "command", "command": "say done; awhm hook stop"}
    before = json.dumps({"hooks": {"Stop": [{"hooks": [line]}]}}, indent=2)
    settings.write_text(before)
    for change in (install(str(settings), block), uninstall(str(settings))):
        (warning,) = change.warnings
        assert warning.startswith(f"{settings}:6: ")
    assert settings.read_text() == before


@pytest.mark.parametrize("key", ["disableAllHooks", "allowManagedHooksOnly"])
def test_settings_that_keep_hooks_from_running_are_named(settings: Path, block: dict[str, Any], key: str) -> None:
    settings.write_text(json.dumps({key: True}))
    (warning,) = install(str(settings), block).warnings
    assert f'"{key}" is on' in warning
    settings.write_text(json.dumps({key: False}))
    assert install(str(settings), block).warnings == ()


# After other edits.


def reformatted(data: bytes) -> bytes:
    """As the client writes its settings back."""
    return json.dumps(json.loads(data), indent=2, ensure_ascii=False).encode()


EDITS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("a key added", lambda data: data.replace(b'"x-unknown":1', b'"x-unknown":1,"added":[]')),
    ("a hook added behind ours", lambda data: data.replace(b'"timeout":10}]}]', b'"timeout":10}]},{"hooks":[]}]', 1)),
    ("a hook added in our group", lambda data: data.replace(b'"timeout":10}]}]', b'"timeout":10},7]}]', 1)),
    ("written anew by the client", reformatted),
]


@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize(("edit"), [edit for _, edit in EDITS], ids=[name for name, _ in EDITS])
def test_after_other_edits_only_ours_goes(
    settings: Path, block: dict[str, Any], edit: Callable[[bytes], bytes], recorded: bool
) -> None:
    settings.write_bytes(MIXED_FILE)
    install(str(settings), block)
    edited = edit(settings.read_bytes())
    assert edited != settings.read_bytes()
    settings.write_bytes(edited)
    if not recorded:
        (settings.parent / RECORD).unlink()
    change = uninstall(str(settings))
    assert change.removed == 4
    expected = json.loads(MIXED_FILE)
    stop = expected["hooks"]["Stop"]
    if b'"added"' in edited:
        expected["added"] = []
    if b'{"hooks":[]}' in edited:
        stop.append({"hooks": []})
    if b"},7]" in edited:
        stop.append({"hooks": [7]})
    assert json.loads(settings.read_bytes()) == expected
    if edit is reformatted:
        assert settings.read_bytes() == reformatted(MIXED_FILE)


def test_an_empty_container_from_before_outlives_other_edits(settings: Path, block: dict[str, Any]) -> None:
    settings.write_text('{"hooks": {"Stop": [], "PreToolUse": []}, "a": 1}')
    install(str(settings), block)
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 2'))
    uninstall(str(settings))
    assert settings.read_text() == '{"hooks": {"Stop": [], "PreToolUse": []}, "a": 2}'


def test_a_damaged_record_does_no_harm(settings: Path, block: dict[str, Any]) -> None:
    for damage in (b"", b"{}", b"[1]", b'{"version": 2}', b"\xff", None):
        settings.write_bytes(MIXED_FILE)
        install(str(settings), block)
        record = settings.parent / RECORD
        recorded = record.read_bytes()
        # None: well-formed, and its splices wrong
        record.write_bytes(recorded.replace(b'"undo": [[', b'"undo": [[0, 3, ""], [') if damage is None else damage)
        uninstall(str(settings))
        assert settings.read_bytes() == MIXED_FILE
        assert not record.exists()


# What is refused.

REFUSED = [
    # text, line, column, reason
    ('{\n  "a": 1, // why\n}', 2, 11, "a comment"),
    ('{"hooks": {},}', 1, None, "strict JSON"),
    ("[]", 1, 1, "not an object"),
    ("null", 1, 1, "not an object"),
    ('{"hooks": []}', 1, 11, '"hooks" is not an object'),
    ('{"hooks": null}', 1, 11, '"hooks" is not an object'),
    ('{"hooks": {},\n "\\u0068ooks": {}}', 2, 2, 'a second "hooks"'),
    ('{"hooks": {"Stop":\n{}}}', 2, 1, '"Stop" is not an array'),
    ('{"hooks": {"Stop": [], "Stop": []}}', 1, 24, 'a second "Stop"'),
]


@pytest.mark.parametrize(("text", "line", "column", "reason"), REFUSED)
def test_a_file_that_is_not_understood_is_refused(
    settings: Path, block: dict[str, Any], text: str, line: int, column: int | None, reason: str
) -> None:
    settings.write_text(text)
    place = f"{settings}: line {line}, column {column if column is not None else ''}"
    with pytest.raises(SettingsRefused) as caught:
        install(str(settings), block)
    assert str(caught.value).startswith(place)
    assert reason in str(caught.value)
    assert settings.read_text() == text
    assert os.listdir(settings.parent) == ["settings.json"]


def test_uninstall_refuses_only_a_file_that_may_hold_ours(settings: Path) -> None:
    settings.write_text("{ // nothing of ours\n}")
    assert not uninstall(str(settings)).changed
    settings.write_text('{ // "awhm hook stop"\n}')
    with pytest.raises(SettingsRefused, match="line 1, column 3: a comment"):
        uninstall(str(settings))


def test_uninstall_without_a_file_changes_nothing(settings: Path) -> None:
    change = uninstall(str(settings))
    assert (change.changed, change.removed, change.diff) == (False, 0, "")
    assert os.listdir(settings.parent) == []
