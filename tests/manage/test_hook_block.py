"""The hooks block: what is in it, whether its commands run where they are started, and knowing them again."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import awhm_hooks
from awhm_hooks.errors import AwhmError, UsageError
from awhm_hooks.manage.hook_block import (
    EVENTS,
    Owner,
    hook_settings,
    hook_settings_text,
    launch_code,
    owner_of,
    package_directories,
    resolve_interpreter,
)

PACKAGE = Path(awhm_hooks.__file__).parent
HOSTILE_MODULE = "import os, sys\nos.write(1, b'shadowed')\nsys.exit(3)\n"


def handlers(block: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = {}
    for event, groups in block["hooks"].items():
        (group,) = groups
        assert list(group) == ["hooks"]  # none of the four events needs a matcher
        (found[event],) = group["hooks"]
    return found


# The reference implementation has three hooks with 20, 20 and 60 s in shell form. Here a fourth starts each session
# (it adopts what a killed session left), no prompt waits longer than 5 s, and the worker is detached, so that
# session-end needs no minute.
TIMEOUTS_S = {"UserPromptSubmit": 5, "Stop": 10, "SessionStart": 5, "SessionEnd": 10}


@pytest.mark.report("AWHM-P005")
@pytest.mark.parametrize("command", [None, "/opt/awhm/bin/awhm"])
def test_timeouts_are_whole_seconds(command: str | None) -> None:
    timeouts = {event: handler["timeout"] for event, handler in handlers(hook_settings(command)).items()}
    assert timeouts == TIMEOUTS_S
    assert all(type(timeout) is int for timeout in timeouts.values())


def test_every_event_starts_its_hook_through_the_interpreter() -> None:
    for event, handler in handlers(hook_settings()).items():
        assert list(handler) == ["type", "command", "args", "timeout"]
        assert handler["type"] == "command"
        assert handler["command"] == sys.executable
        assert os.path.isabs(handler["command"])
        assert handler["args"] == ["-I", "-S", "-c", launch_code(package_directories()), EVENTS[event]]


def test_the_printed_block_is_the_block_with_a_line_for_each_hook() -> None:
    block = hook_settings()
    text = hook_settings_text(block)
    assert json.loads(text) == block
    assert sum('"command"' in line for line in text.splitlines()) == len(EVENTS)
    assert all('"timeout"' in line for line in text.splitlines() if '"command"' in line)


COMMANDS = [
    ("awhm", "awhm"),
    ("/home/Ana Maria/.local/bin/awhm", "/home/Ana Maria/.local/bin/awhm"),
    ("./bin/awhm", os.path.join(os.getcwd(), "bin", "awhm")),
    (r"C:\Users\Ana Maria\awhm.exe", r"C:\Users\Ana Maria\awhm.exe"),
]


@pytest.mark.parametrize(("command", "program"), COMMANDS)
def test_a_command_takes_the_place_of_the_interpreter(command: str, program: str) -> None:
    found = handlers(hook_settings(command))
    assert {event: handler["args"] for event, handler in found.items()} == {
        event: ["hook", name] for event, name in EVENTS.items()
    }
    assert {handler["command"] for handler in found.values()} == {program}


@pytest.mark.report("AWHM-P077")
@pytest.mark.parametrize("command", ["", "  ", r"C:\npm\awhm.cmd", "awhm.BAT"])
def test_a_command_that_no_client_can_start_is_refused(command: str) -> None:
    with pytest.raises(UsageError, match="--command"):
        hook_settings(command)


def test_a_path_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(AwhmError, match="UTF-8"):
        hook_settings("/opt/\udcff/awhm")


def test_the_package_and_its_libraries_are_named_once() -> None:
    directories = package_directories()
    assert directories[0] == str(PACKAGE.parent)
    assert len({os.path.realpath(directory) for directory in directories}) == len(directories)
    assert any(os.path.isdir(os.path.join(directory, "onnxruntime")) for directory in directories)


def test_a_wheel_holds_the_template_inside_the_package(tmp_path: Path) -> None:
    site = tmp_path / "site packages"
    shutil.copytree(PACKAGE, site / "awhm_hooks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "settings_templates", site / "awhm_hooks" / "settings_templates")
    code = (
        f"import sys; sys.path[:0] = [{str(site)!r}]\n"
        "import json\nfrom awhm_hooks.manage.hook_block import hook_settings\nprint(json.dumps(hook_settings()))"
    )
    printed = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True).stdout
    found = handlers(json.loads(printed))
    assert list(found) == list(EVENTS)
    assert ascii(str(site)) in found["Stop"]["args"][3]


# The commands, run.


def stand_in_package(parent: Path) -> Path:
    """A package of the name whose hook says what it was called with and where `json` came from."""
    package = parent / "awhm_hooks"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "entry.py").write_text(
        "import json, sys\ndef hook(name):\n print(json.dumps([name, sys.argv[1:], json.__file__]))\n"
    )
    return parent


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A project that holds modules of well-known names and a virtual environment first on PATH; a home with a space."""
    project = tmp_path / "project"
    for module in ("json.py", "awhm.py", "encodings.py", "awhm_hooks/__init__.py", "awhm_hooks/entry.py"):
        file = project / module
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HOSTILE_MODULE)
    programs = project / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "python3", "awhm"):
        (programs / name).write_text("#!/bin/sh\necho shadowed\nexit 3\n")
        (programs / name).chmod(0o755)
    home = tmp_path / "Ana Maria"
    home.mkdir()
    env = {"HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(project), "PYTHONHOME": "/gone"}
    return project, env


def run(argv: list[str], cwd: Path, env: dict[str, str], stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(argv, cwd=cwd, env=env, input=stdin, capture_output=True, check=False, timeout=60)


PLACES = ["site packages", "it's", 'a "quoted" place', "back\\slash", "día ☃", "[0]{code}$HOME"]


@pytest.mark.report("AWHM-P076")
@pytest.mark.report("AWHM-P077")
@pytest.mark.parametrize("shell", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_the_hook_runs_from_any_path_in_a_hostile_project(
    tmp_path: Path, hostile: tuple[Path, dict[str, str]], place: str, shell: bool
) -> None:
    directory = stand_in_package(tmp_path / place)
    (directory / "json.py").write_text(HOSTILE_MODULE)  # beside the package, and yet not before the standard library
    handler = handlers(hook_settings())["Stop"]
    handler["args"][3] = launch_code([str(directory)])
    handler = json.loads(json.dumps(handler))
    argv = [handler["command"], *handler["args"]]
    ran = run(["/bin/sh", "-c", shlex.join(argv)] if shell else argv, *hostile)
    assert (ran.returncode, ran.stderr) == (0, b"")
    name, rest, json_file = json.loads(ran.stdout)
    assert (name, rest) == ("stop", ["stop"])
    assert not json_file.startswith(str(tmp_path))


@pytest.mark.report("AWHM-P075")
@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("left", ["nothing", "empty directory", "package without the module"])
def test_a_missing_package_is_silent(
    tmp_path: Path, hostile: tuple[Path, dict[str, str]], event: str, left: str
) -> None:
    directory = tmp_path / "gone"
    if left != "nothing":
        directory.mkdir()
    if left == "package without the module":
        (directory / "awhm_hooks").mkdir()
    handler = handlers(hook_settings())[event]
    handler["args"][3] = launch_code([str(directory)])
    ran = run([handler["command"], *handler["args"]], *hostile, stdin=b'{"prompt": "hello"}\n')
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.report("AWHM-P076")
def test_the_installed_hooks_run_in_a_hostile_project(hostile: tuple[Path, dict[str, str]], data_dir: Path) -> None:
    project, env = hostile
    handler = handlers(hook_settings())["UserPromptSubmit"]
    payload = {"session_id": "s-1", "cwd": str(project), "hook_event_name": "UserPromptSubmit", "prompt": "I like tea."}
    ran = run(
        [handler["command"], *handler["args"]],
        project,
        env | {"AWHM_DATA_DIR": str(data_dir)},
        json.dumps(payload).encode(),
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    (log,) = (data_dir / "logs").iterdir()
    assert b"I like tea." in log.read_bytes()


# The interpreter.


def make_programs(root: Path, programs: dict[str, str]) -> None:
    """Files by their content; "-> name" makes a link."""
    for name, content in programs.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("-> "):
            path.symlink_to(root / content[3:])
        else:
            path.write_text(content)


VERSIONED = "python{}.{}".format(*sys.version_info[:2])
INTERPRETERS = [
    # what there is, sys.executable, prefixes, on Windows, the result
    ({"base/bin/python": "ELF", "venv/bin/python": "-> base/bin/python"}, "venv/bin/python", ["venv"], False, None),
    ({"shims/python": "#!/bin/bash", f"3/bin/{VERSIONED}": "ELF"}, "shims/python", ["3"], False, f"3/bin/{VERSIONED}"),
    ({"shims/python": "ELF", "3/bin/python3": "ELF"}, "shims/python", ["3"], False, "3/bin/python3"),
    ({"bin/python": "#!/bin/sh", "3/bin/python": "ELF"}, "bin/python", ["gone", "3"], False, "3/bin/python"),
    ({"3/bin/python": "ELF"}, "", ["3"], False, "3/bin/python"),
    ({"3/bin/python": "ELF"}, "gone/python", ["3"], False, "3/bin/python"),
    ({"v/python.exe": "MZ", "v/pythonw.exe": "MZ"}, "v/pythonw.exe", [], True, "v/python.exe"),
    ({"shims/python.bat": "", "3/python.exe": "MZ"}, "shims/python.bat", ["3"], True, "3/python.exe"),
    ({"x/python.cmd": "", "v/Scripts/python.exe": "MZ"}, "x/python.cmd", ["v"], True, "v/Scripts/python.exe"),
    ({"v/awhm-python.exe": "MZ"}, "v/awhm-python.exe", [], True, None),
]


@pytest.mark.report("AWHM-P076")
@pytest.mark.parametrize(("programs", "executable", "prefixes", "windows", "expected"), INTERPRETERS)
def test_the_interpreter_is_real_and_keeps_its_virtual_environment(
    tmp_path: Path,
    programs: dict[str, str],
    executable: str,
    prefixes: list[str],
    windows: bool,
    expected: str | None,
) -> None:
    make_programs(tmp_path, programs)
    full = str(tmp_path / executable) if executable else ""
    found = resolve_interpreter(full, [str(tmp_path / prefix) for prefix in prefixes], windows)
    assert found == str(tmp_path / (expected or executable))


def test_no_interpreter_is_an_error(tmp_path: Path) -> None:
    make_programs(tmp_path, {"shims/python": "#!/bin/bash", "bin/python": "#!/bin/bash"})
    with pytest.raises(AwhmError, match="--command"):
        resolve_interpreter(str(tmp_path / "shims/python"), [str(tmp_path)], windows=False)


# Knowing them again.

OURS = [
    *(
        handler
        for command in (None, "/x/awhm", "C:\\x\\awhm.exe")
        for handler in handlers(hook_settings(command)).values()
    ),
    {"type": "command", "command": "/old/python3.9", "args": ["-I", "-c", "from awhm_hooks.entry import hook", "stop"]},
    {"type": "command", "command": "/old/bin/python", "args": ["-m", "awhm_hooks", "hook", "session-end"]},
    {"type": "command", "command": "uvx", "args": ["--from", "awhm-hooks", "awhm", "hook", "prompt"]},
    {"type": "command", "command": "awhm hook prompt"},
    {"command": "awhm hook stop", "timeout": 20},
    {"type": "command", "command": "/home/ana maria/.local/bin/awhm hook prompt --semantic"},
    {"type": "command", "command": '"/home/ana maria/.local/bin/awhm" hook session-end --stage2'},
    {"type": "command", "command": "'/x/it is/awhm' hook session-start"},
    {"type": "command", "command": r"C:\Users\Ana\Scripts\awhm.exe hook stop"},
    {"type": "command", "command": r'"C:\Users\Ana Maria\Scripts\awhm.exe" hook stop'},
    {"type": "command", "command": "AWHM_STAGE2=1 uv run awhm hook session-end"},
    {"type": "command", "command": "awhm hook prompt 2>/dev/null || true"},
    {"type": "command", "command": "awhm hook stop >> /tmp/log 2>&1; exit 0"},
    {"type": "command", "command": 'awhm hook prompt"'},
]
MIXED = [
    {"type": "command", "command": "notify-send done && awhm hook stop"},
    {"type": "command", "command": "awhm hook stop; say done"},
    {"type": "command", "command": "tee /tmp/payload | awhm hook prompt"},
    {"type": "command", "command": "cd /x\nawhm hook prompt"},
]
OTHERS = [
    {"type": "command", "command": "echo mine"},
    {"type": "command", "command": "awhm status"},
    {"type": "command", "command": "awhm hook install"},
    {"type": "command", "command": "other hook prompt"},
    {"type": "command", "command": "other", "args": ["hook", "stop"]},
    {"type": "command", "command": "lint", "args": ["/src/awhm_hooks"]},
    {"type": "command", "command": "echo 'awhm hook prompt'"},
    {"type": "command", "command": "", "args": []},
    {"type": "command", "command": "hook stop"},
    {"type": "prompt", "prompt": "awhm hook prompt"},
    {"command": None},
    {"command": "x", "args": [1, None, {}]},
    "awhm hook prompt",
    None,
    [],
    {},
]


@pytest.mark.report("AWHM-P075")
@pytest.mark.parametrize(
    ("handler", "owner"),
    [
        *((handler, Owner.OURS) for handler in OURS),
        *((handler, Owner.MIXED) for handler in MIXED),
        *((handler, Owner.OTHER) for handler in OTHERS),
    ],
)
def test_whose_a_hook_is(handler: object, owner: Owner) -> None:
    assert owner_of(handler) is owner


def test_a_hook_under_a_name_of_its_own_is_known_by_its_command() -> None:
    handler = handlers(hook_settings("/opt/memory"))["Stop"]
    assert owner_of(handler) is Owner.OTHER
    assert owner_of(handler, {"/opt/memory"}) is Owner.OURS
