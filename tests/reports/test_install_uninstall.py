"""The hooks go into Claude Code's settings and out again, and touch nothing else."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import awhm_hooks
from awhm_hooks.errors import UsageError
from awhm_hooks.manage.hook_block import hook_settings

EVENTS = {"UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"}
PACKAGE = Path(awhm_hooks.__file__).parent


def own_handlers(settings):
    """Our hooks in a settings file, by event."""
    found = {}
    for event, groups in json.loads(settings.read_bytes().decode("utf-8-sig"))["hooks"].items():
        for handler in (handler for group in groups for handler in group["hooks"]):
            if "awhm" in json.dumps(handler):
                found.setdefault(event, []).append(handler)
    return found


# Beside others' settings.

CASE = {
    "permissions": {"deny": ["Bash(rm *)"]},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "echo mine"}]}],
        "UserPromptSubmit": [{"matcher": "*", "hooks": [{"type": "command", "command": "echo other"}]}],
        "PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}],
    },
    "x-unknown": 1,
}
FILES = {
    "case": json.dumps(CASE, separators=(",", ":")).encode(),
    "tabs": json.dumps(CASE, indent="\t").encode() + b"\n\n",
    "odd spacing": b'{ "hooks" : {"Stop":[ ]} ,\n\n  "model":"opus" }\n',
    "umlauts": '{\n  "statusLine": {"command": "printf ü → ✓"},\n  "hooks": {}\n}'.encode(),
    "byte order mark, CRLF": b'\xef\xbb\xbf{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
}


@pytest.mark.report("AWHM-P071")
@pytest.mark.report("AWHM-P074")
@pytest.mark.parametrize("kind", FILES)
def test_an_install_keeps_what_is_there_and_an_uninstall_gives_it_back(person, kind):
    settings = person.settings()
    before = FILES[kind]
    settings.write_bytes(before)
    if kind == "case":
        shown = person.runs_well("hook", "install", "--dry-run")
        assert settings.read_bytes() == before and "+" in shown and not person.data_dir.exists()
    person.runs_well("hook", "install")
    installed = settings.read_bytes()
    old, new = json.loads(before.decode("utf-8-sig")), json.loads(installed.decode("utf-8-sig"))
    assert [key for key in new if key in old] == list(old)
    for event, groups in old["hooks"].items():
        assert new["hooks"][event][: len(groups)] == groups
    assert {event: len(found) for event, found in own_handlers(settings).items()} == dict.fromkeys(EVENTS, 1)
    assert installed.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in installed) == (b"\r\n" in before)
    if b"\r\n" in before:
        assert installed.count(b"\n") == installed.count(b"\r\n")
    person.runs_well("hook", "install")
    assert settings.read_bytes() == installed
    person.runs_well("hook", "uninstall")
    assert settings.read_bytes() == before


@pytest.mark.report("AWHM-P071")
@pytest.mark.parametrize("content", [b'{"hooks": ', b"[]", b'{"hooks": []}', b"\xff\xfe{\x00}\x00"])
def test_a_file_that_is_not_understood_is_refused_and_left(person, content):
    settings = person.settings()
    settings.write_bytes(content)
    done = person.runs("hook", "install")
    assert done.returncode != 0 and "settings.json" in done.stderr
    assert settings.read_bytes() == content


LINKS = [
    ("dotfiles/claude.json", 0o600),
    ("a folder/with spaces/settings.json", 0o640),
    (".dotfiles/claude/settings.json", 0o644),
]


@pytest.mark.report("AWHM-P073")
@pytest.mark.parametrize(("place", "mode"), LINKS)
def test_a_symbolic_link_stays_one(person, place, mode):
    target = person.home / place
    target.parent.mkdir(parents=True)
    target.write_text('{"model": "opus"}\n')
    target.chmod(mode)
    settings = person.settings()
    settings.symlink_to(target)
    person.runs_well("hook", "install")
    assert settings.is_symlink() and settings.resolve() == target.resolve()
    assert set(own_handlers(target)) == EVENTS
    assert stat.S_IMODE(target.stat().st_mode) == mode
    backups = [path for path in target.parent.iterdir() if path != target and path.read_text() == '{"model": "opus"}\n']
    assert len(backups) == 1
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]
    person.runs_well("hook", "uninstall")
    assert settings.is_symlink() and target.read_text() == '{"model": "opus"}\n'


# Out again.

OLDER = {
    "another path": ("/old/venv/bin/python", ["-I", "-c", "from awhm_hooks.entry import hook;hook('stop')", "stop"]),
    "a command by name": ("awhm hook stop", None),
    "a one-off": ("uvx", ["--from", "awhm-hooks", "awhm", "hook", "stop"]),
}


@pytest.mark.report("AWHM-P075")
@pytest.mark.parametrize("kind", OLDER)
def test_an_uninstall_leaves_no_trace_in_any_scope(person, kind):
    """Run by a copy that was never installed, as `uvx` would: the hooks' own package is gone. An MCP server was
    registered by Claude Code and is its to remove (`claude mcp remove`)."""
    command, arguments = OLDER[kind]
    handler = {"type": "command", "command": command, **({"args": arguments} if arguments else {})}
    before = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo mine"}]}]}}
    user = person.settings()
    user.write_text(json.dumps(before))
    person.runs_well("hook", "install")
    old = json.loads(user.read_text())
    old["hooks"]["Stop"].append({"hooks": [handler]})
    user.write_text(json.dumps(old))
    for scope in ("project", "local") if kind == "another path" else ():
        person.runs_well("hook", "install", "--scope", scope)
    shutil.rmtree(person.data_dir / "meta" / "settings")
    copy = person.home / "one off"
    shutil.copytree(PACKAGE, copy / "awhm_hooks", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys; sys.path.insert(0, {str(copy)!r}); from awhm_hooks.entry import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "hook", "uninstall", "--all-scopes"],
        cwd=person.project,
        env={"HOME": str(person.home), "PATH": os.environ["PATH"], "AWHM_DATA_DIR": str(person.data_dir)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    places = [*person.home.glob(".claude/settings*.json"), *person.home.glob(".claude*.json")]
    places += [path for path in (person.project / ".claude").glob("**/*.json")]
    assert [path for path in places if "awhm" in path.read_text()] == []
    assert json.loads(user.read_text()) == before
    assert person.data_dir.exists(), "memories are the person's"


# Started anywhere.

HOSTILE = "import os\nos.write(1, b'shadowed')\nos._exit(3)\n"


@pytest.fixture(scope="module")
def installed(new_person):
    someone = new_person()
    someone.runs_well("hook", "install")
    return someone


@pytest.mark.report("AWHM-P076")
@pytest.mark.parametrize("event", sorted(EVENTS))
def test_the_installed_command_runs_the_installed_interpreter(installed, person, event):
    (handler,) = own_handlers(installed.settings())[event]
    assert os.path.isabs(handler["command"]) and "-I" in handler["args"]
    project = person.home / "Ana Maria" / "project"
    tools = project / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("python3", "python", "awhm"):
        (tools / name).write_text("#!/bin/sh\necho shadowed\nexit 3\n")
        (tools / name).chmod(0o755)
    for name in ("awhm.py", "json.py", "os.py", "sitecustomize.py"):
        (project / name).write_text(HOSTILE)
    env = {
        "PATH": f"{tools}:/usr/bin:/bin",
        "HOME": str(person.home / "Ana Maria"),
        "PYTHONPATH": str(project),
        "PYTHONSTARTUP": str(project / "json.py"),
        "AWHM_DATA_DIR": str(person.data_dir),
        **person.env,
    }
    payload = person.payload("prompt", "s-1", cwd=project, prompt="I prefer tabs.", last_assistant_message="ok")
    argv = [handler["command"], *handler["args"]]
    done = subprocess.run(argv, input=json.dumps(payload).encode(), cwd=project, env=env, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert person.files_with('"session_id"') == [] and list((person.data_dir / "logs").iterdir())


HOMES = ["Ana Maria", "O'Brien & Søn", 'say "hi" $HOME']


@pytest.mark.report("AWHM-P077")
@pytest.mark.parametrize("home", HOMES)
def test_a_path_with_a_space_works_with_and_without_a_shell(person, home):
    program = person.home / home / ".local" / "bin" / "awhm"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m awhm_hooks "$@"\n')
    program.chmod(0o755)
    settings = person.settings()
    person.runs_well("hook", "install", "--command", str(program))
    for event, (handler,) in own_handlers(settings).items():
        assert handler["command"] == str(program) and handler["args"][0] == "hook", event
    (handler,) = own_handlers(settings)["UserPromptSubmit"]
    exec_form = [handler["command"], *handler["args"]]
    for number, argv in enumerate((exec_form, ["/bin/sh", "-c", shlex.join(exec_form)])):
        payload = person.payload("prompt", f"s-{number}", prompt="The port is 8443.")
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(person.home),
            "AWHM_DATA_DIR": str(person.data_dir),
            **person.env,
        }
        done = subprocess.run(
            argv, input=json.dumps(payload).encode(), env=env, cwd=PACKAGE.parent, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert person.messages(f"s-{number}") == [("user", "The port is 8443.")]


@pytest.mark.report("AWHM-P077")
@pytest.mark.parametrize(
    "command", [r"C:\Users\Ana Maria\.local\bin\awhm.cmd", r"C:\npm\awhm.BAT", "awhm.cmd", r"D:\a b\awhm.bat"]
)
def test_a_windows_script_is_refused_as_a_target(command):
    with pytest.raises(UsageError, match=r"\.exe"):
        hook_settings(command)


@pytest.mark.report("AWHM-P077")
@pytest.mark.parametrize("command", [r"C:\Users\Ana Maria\.local\bin\awhm.exe", r"\\server\share\my tools\awhm.exe"])
def test_a_windows_executable_is_named_as_it_is_in_exec_form(command):
    for groups in hook_settings(command)["hooks"].values():
        (handler,) = groups[0]["hooks"]
        assert handler["command"] == command and handler["args"][0] == "hook"


# Elsewhere.


def tree(folder):
    return {path: (path.lstat().st_mtime_ns, path.lstat().st_size) for path in [folder, *folder.rglob("*")]}


@pytest.mark.report("AWHM-P078")
@pytest.mark.parametrize("folder", ["", "packages/web", "año nuevo"])
def test_a_session_writes_nothing_into_the_project(person, folder):
    git = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.test"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *words], cwd=person.project, check=True, capture_output=True)
    cwd = person.project / folder
    cwd.mkdir(parents=True, exist_ok=True)
    before = tree(person.project)
    person.begins(cwd=cwd)
    person.says("I prefer small PRs", cwd=cwd)
    person.is_answered("ok", cwd=cwd)
    person.says("which PRs do I prefer?", "s-2", cwd=cwd)
    person.leaves(cwd=cwd)
    assert tree(person.project) == before
    status = subprocess.run(["git", "status", "--porcelain", "--ignored"], cwd=person.project, capture_output=True)
    assert status.stdout == b""
    assert subprocess.run(["git", "fsck"], cwd=person.project, capture_output=True).returncode == 0


PROFILES = [".claude-work", "profiles/a b/claude", ".config/claude"]


@pytest.mark.report("AWHM-P079")
@pytest.mark.parametrize("profile", PROFILES)
def test_only_the_profile_in_use_is_installed_into(person, profile):
    default, work = person.settings(), person.home / profile / "settings.json"
    work.parent.mkdir(parents=True)
    for path in (default, work):
        path.write_text('{"model": "opus"}\n')
    before = tree(default.parent)
    env = {"CLAUDE_CONFIG_DIR": str(work.parent)}
    person.runs_well("hook", "install", env=env)
    assert tree(default.parent) == before
    assert set(own_handlers(work)) == EVENTS
    other = person.home / "other profile"
    person.runs_well("hook", "install", "--config-dir", str(other), env=env)
    assert set(own_handlers(other / "settings.json")) == EVENTS
    if profile != PROFILES[0]:
        return
    found = json.loads(person.runs("doctor", "--json", env=env).stdout)["settings"]
    assert {(one["path"], one["read_here"]) for one in found} == {
        (str(work), True),
        (str(other / "settings.json"), False),
    }
