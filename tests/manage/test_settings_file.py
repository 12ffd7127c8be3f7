"""The settings file on disk: links, modes, backup, dry runs, and other programs that write to it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import awhm_hooks
from awhm_hooks.errors import AwhmError
from awhm_hooks.manage.settings import apply, hook_settings, install, plan_install, plan_uninstall, uninstall

CHECKOUT = Path(awhm_hooks.__file__).parents[1]
EVENTS = ["UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"]
MARK = "awhm_hooks.entry"
BACKUP = "settings.json.awhm-backup"
MIXED_FILE = b'{"a": [1, 2], "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo mine"}]}]}, "b": {}}'


@pytest.fixture
def block() -> dict[str, Any]:
    return hook_settings()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """The place of a settings file in a directory of its own; not there yet."""
    directory = tmp_path / "config"
    directory.mkdir()
    return directory / "settings.json"


def ours(data: bytes) -> dict[str, int]:
    """How many groups of ours each event has."""
    hooks = json.loads(data)["hooks"]
    return {event: sum(MARK in json.dumps(group) for group in groups) for event, groups in hooks.items()}


@pytest.mark.report("AWHM-P073")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_a_link_stays_a_link_and_its_target_keeps_mode_and_owner(
    tmp_path: Path, settings: Path, block: dict[str, Any], mode: int
) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    target = dotfiles / "claude.json"
    target.write_bytes(MIXED_FILE)
    if os.geteuid() == 0:
        os.chown(target, 12345, 54321)
    target.chmod(mode)
    settings.symlink_to("../dotfiles/claude.json")
    before = target.stat()

    install(str(settings), block)
    assert settings.is_symlink()
    assert ours(target.read_bytes()) == dict.fromkeys(EVENTS, 1)
    after = target.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    backup = dotfiles / "claude.json.awhm-backup"
    assert backup.read_bytes() == MIXED_FILE
    assert backup.stat().st_mode == before.st_mode
    assert os.listdir(settings.parent) == ["settings.json"]

    uninstall(str(settings))
    assert settings.is_symlink()
    assert target.read_bytes() == MIXED_FILE
    assert target.stat().st_mode == before.st_mode
    assert os.listdir(dotfiles) == ["claude.json"]


def test_a_dangling_link_gets_its_target(tmp_path: Path, settings: Path, block: dict[str, Any]) -> None:
    settings.symlink_to(tmp_path / "dotfiles" / "claude.json")
    install(str(settings), block)
    assert json.loads((tmp_path / "dotfiles" / "claude.json").read_bytes()) == block
    uninstall(str(settings))
    assert settings.is_symlink()
    assert not (tmp_path / "dotfiles").exists()


def test_the_backup_is_from_before_the_first_install(settings: Path, block: dict[str, Any]) -> None:
    settings.write_text('{"a": 1}')
    install(str(settings), hook_settings("/old/awhm"))
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 2'))
    install(str(settings), block)
    assert (settings.parent / BACKUP).read_text() == '{"a": 1}'
    assert uninstall(str(settings)).backup == str(settings.parent / BACKUP)  # it says more than the file: kept
    assert settings.read_text() == '{"a": 2}'
    assert (settings.parent / BACKUP).read_text() == '{"a": 1}'


def test_an_install_with_nothing_to_do_leaves_no_backup(settings: Path, block: dict[str, Any]) -> None:
    settings.write_text(json.dumps(block))
    assert not install(str(settings), block).changed
    assert os.listdir(settings.parent) == ["settings.json"]


def test_a_dry_run_shows_all_and_writes_nothing(settings: Path, block: dict[str, Any]) -> None:
    settings.write_text('{\n  "a": 1\n}\n')
    change = install(str(settings), block, dry_run=True)
    lines = change.diff.splitlines()
    assert lines[:2] == [f"--- {settings}", f"+++ {settings}"]
    assert '-  "a": 1' in lines
    assert '+  "a": 1,' in lines
    assert sum(line.startswith("+") and MARK in line for line in lines) == 4
    assert change.added == 4
    assert os.listdir(settings.parent) == ["settings.json"]
    assert settings.read_text() == '{\n  "a": 1\n}\n'

    assert install(str(settings), block) == change
    installed = settings.read_bytes()
    files = sorted(os.listdir(settings.parent))
    change = uninstall(str(settings), dry_run=True)
    assert (change.removed, change.after) == (4, b'{\n  "a": 1\n}\n')
    assert settings.read_bytes() == installed
    assert sorted(os.listdir(settings.parent)) == files


def test_a_dry_run_makes_no_directory(tmp_path: Path, block: dict[str, Any]) -> None:
    change = install(str(tmp_path / "x" / "settings.json"), block, dry_run=True, record_dir=str(tmp_path / "meta"))
    assert change.diff.startswith("--- /dev/null\n")
    assert os.listdir(tmp_path) == []


def test_a_file_that_another_program_changes_meanwhile_is_left_to_it(settings: Path, block: dict[str, Any]) -> None:
    settings.write_bytes(MIXED_FILE)
    plan = plan_install(str(settings), block)
    settings.write_bytes(b'{"by": "the client"}')
    with pytest.raises(AwhmError, match="another program"):
        apply(plan)
    assert settings.read_bytes() == b'{"by": "the client"}'

    settings.unlink()
    plan = plan_install(str(settings), block)
    settings.write_bytes(b'{"by": "the client"}')
    with pytest.raises(AwhmError, match="another program"):
        apply(plan)

    settings.unlink()
    install(str(settings), block)
    plan = plan_uninstall(str(settings))
    settings.write_bytes(b'{"by": "the client"}')
    with pytest.raises(AwhmError, match="another program"):
        apply(plan)
    assert settings.read_bytes() == b'{"by": "the client"}'


def test_installs_side_by_side_leave_one_of_each(tmp_path: Path, settings: Path) -> None:
    settings.write_bytes(MIXED_FILE)
    code = (
        "import sys\nfrom awhm_hooks.manage.settings import hook_settings, install\n"
        "install(sys.argv[1], hook_settings(), record_dir=sys.argv[2])"
    )
    argv = [sys.executable, "-c", code, str(settings), str(tmp_path / "meta")]
    running = [subprocess.Popen(argv, cwd=CHECKOUT, stderr=subprocess.DEVNULL) for _ in range(4)]
    codes = [process.wait() for process in running]
    assert 0 in codes
    assert ours(settings.read_bytes()) == dict.fromkeys(EVENTS, 1)
    assert (settings.parent / BACKUP).read_bytes() == MIXED_FILE


def test_a_file_that_cannot_be_read_is_an_error_with_its_name(tmp_path: Path, block: dict[str, Any]) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    for name in ("directory", "loop", "file/settings.json"):
        for act in (lambda path: install(path, block), uninstall):
            with pytest.raises(AwhmError) as caught:
                act(str(tmp_path / name))
            assert str(caught.value).startswith(str(tmp_path / name))


def test_a_failed_write_leaves_the_file_whole(settings: Path, block: dict[str, Any]) -> None:
    settings.write_bytes(MIXED_FILE)
    (settings.parent / f"settings.json.{os.getpid()}.tmp").mkdir()  # where the new bytes would go
    with pytest.raises(AwhmError, match=r"settings\.json"):
        install(str(settings), block)
    assert settings.read_bytes() == MIXED_FILE


def test_records_are_kept_where_told(tmp_path: Path, settings: Path, block: dict[str, Any]) -> None:
    settings.write_bytes(b'{"env": {"KEY": "sk-secret"}, "hooks": {"Stop": [ ]}}')
    records = tmp_path / "meta" / "settings"
    install(str(settings), block, record_dir=str(records))
    assert sorted(os.listdir(settings.parent)) == ["settings.json", BACKUP]
    (record,) = records.iterdir()
    assert record.stat().st_mode & 0o777 == 0o600
    assert b"sk-secret" not in record.read_bytes()
    uninstall(str(settings), record_dir=str(records))
    assert settings.read_bytes() == b'{"env": {"KEY": "sk-secret"}, "hooks": {"Stop": [ ]}}'
    assert list(records.iterdir()) == []


def test_uninstall_needs_nothing_of_the_data_directory(tmp_path: Path, settings: Path, block: dict[str, Any]) -> None:
    settings.write_bytes(MIXED_FILE)
    install(str(settings), block, record_dir=str(tmp_path / "meta"))
    shutil.rmtree(tmp_path / "meta")
    assert uninstall(str(settings), record_dir=str(tmp_path / "meta")).removed == 4
    assert settings.read_bytes() == MIXED_FILE
