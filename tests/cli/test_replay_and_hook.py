"""`awhm replay`, `awhm demo`, `awhm hook …`."""

import json
import time

import pytest

from awhm_hooks.manage.settings import hook_settings

# replay and demo


def recorded(project):
    common = {"session_id": "r1", "cwd": str(project), "transcript_path": ""}
    return [
        {**common, "hook_event_name": "SessionStart", "source": "startup"},
        {**common, "hook_event_name": "UserPromptSubmit", "prompt": "The staging port is 8443.", "prompt_id": "1"},
        {**common, "hook_event_name": "Stop", "last_assistant_message": "Noted.", "prompt_id": "1"},
        {**common, "hook_event_name": "PreCompact", "trigger": "auto"},
        {**common, "session_id": "r2", "hook_event_name": "UserPromptSubmit", "prompt": "Which port does staging use?"},
    ]


def test_a_replay_shows_what_each_event_did(run, project, tmp_path):
    file = tmp_path / "events.jsonl"
    file.write_text("".join(json.dumps(payload) + "\n" for payload in recorded(project)))
    kept = tmp_path / "kept"
    done = run("replay", str(file), "--data-dir", str(kept), "--json")
    assert done.returncode == 0, done.stderr
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["event"] for step in steps] == [payload["hook_event_name"] for payload in recorded(project)]
    assert steps[1]["logged"] == [{"role": "user", "text": "The staging port is 8443."}]
    assert steps[1]["captured"] == [
        {"family": "fact", "text": "The staging port is 8443", "key": "fact:the staging port"}
    ]
    assert "The staging port is 8443" in steps[4]["reply"]
    assert all(step["exit_code"] == 0 and step["seconds"] >= 0 for step in steps)
    assert (kept / "logs").is_dir()
    words = run("replay", str(file), "--data-dir", str(tmp_path / "again")).stdout
    for part in (
        "UserPromptSubmit (r1)",
        " ms",
        "logged    user: The staging port",
        "captured  fact:",
        "injected  - [",
    ):
        assert part in words


def test_a_replay_takes_a_file_each_and_an_array(run, project, tmp_path):
    payloads = recorded(project)
    files = []
    for number, payload in enumerate(payloads[:2]):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(payload, indent=1))
    files.append(tmp_path / "array.json")
    files[-1].write_text("\ufeff" + json.dumps(payloads[2:]), encoding="utf-8")
    done = run("replay", *map(str, files), "--json", "--data-dir", str(tmp_path / "kept"))
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == [
        payload["hook_event_name"] for payload in payloads
    ]


BAD_FILES = [
    ('{"hook_event_name": "Stop"}\n{"hook_event_name": \n', ":2: "),
    ('{"hook_event_name": "Stop"}\n[1]\n', ":2: "),
    ('{"hook_event_name": "Stop"}\n\n{"event": 1}\n', ":3: "),
    ("[1, 2]", ":1: "),
    ('"text"', ":1: "),
]


@pytest.mark.parametrize(("content", "place"), BAD_FILES)
def test_bad_input_of_a_replay_is_named_before_anything_runs(run, tmp_path, content, place):
    file = tmp_path / "bad.jsonl"
    file.write_text(content)
    kept = tmp_path / "kept"
    done = run("replay", str(file), "--data-dir", str(kept))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"awhm: {file}{place}")
    assert not kept.exists()


def test_the_demonstration_ends_with_what_the_second_session_was_told(run, data_dir):
    started = time.monotonic()
    done = run("demo", env={"AWHM_SEMANTIC": "0"})
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - started < 60
    ending = done.stdout.split("What the second session was told:")[1]
    assert "the staging port is 9443" in ending and "8443" not in ending
    assert "I prefer pnpm over npm for scripts" in ending
    assert "(nothing: no memory fits)" in ending
    assert " hook install " in ending
    assert not data_dir.exists(), "it has a directory of its own"


# hook


def settings_file(home, scope, project):
    return {
        "user": home / ".claude" / "settings.json",
        "project": project / ".claude" / "settings.json",
        "local": project / ".claude" / "settings.local.json",
    }[scope]


def test_the_block_is_printed_as_it_is_installed(run):
    assert json.loads(run("hook", "settings").stdout) == hook_settings()
    block = json.loads(run("hook", "settings", "--command", "/opt/my awhm").stdout)
    (handler,) = block["hooks"]["Stop"][0]["hooks"]
    assert (handler["command"], handler["args"]) == ("/opt/my awhm", ["hook", "stop"])


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_a_dry_run_shows_the_change_and_writes_nothing(run, isolated_home, project, data_dir, scope):
    done = run("hook", "install", "--scope", scope, "--dry-run", cwd=project)
    assert done.returncode == 0, done.stderr
    file = settings_file(isolated_home, scope, project)
    assert str(file) in done.stdout and "+" in done.stdout and "awhm_hooks.entry" in done.stdout
    assert not file.exists() and not data_dir.exists()


def test_what_is_installed_is_taken_out_again(run, isolated_home, project, scope="user"):
    file = settings_file(isolated_home, scope, project)
    file.parent.mkdir(parents=True)
    before = '{"permissions": {"deny": ["Bash(rm *)"]},\n\t"hooks": {"Stop": []}}'
    file.write_text(before)
    done = run("hook", "install", "--scope", scope, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "4 hooks added" in done.stdout and str(file) in done.stdout
    installed = file.read_text()
    assert installed.count("awhm_hooks.entry") == 4
    again = run("hook", "install", "--scope", scope, cwd=project)
    assert "installed already" in again.stdout and file.read_text() == installed
    dry = run("hook", "uninstall", "--scope", scope, "--dry-run", cwd=project)
    assert dry.returncode == 0 and file.read_text() == installed
    assert run("hook", "uninstall", "--scope", scope, cwd=project).returncode == 0
    assert file.read_text() == before
    assert "No hooks of ours" in run("hook", "uninstall", "--scope", scope, cwd=project).stdout


def test_settings_that_do_not_parse_are_refused_and_left(run, isolated_home, project):
    file = settings_file(isolated_home, "user", project)
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": ')
    done = run("hook", "install")
    assert done.returncode == 1 and str(file) in done.stderr
    assert file.read_text() == '{"hooks": '


def test_a_hook_on_the_command_line_never_fails(run, data_dir):
    """The client takes exit 2 for a veto of the prompt: whatever is wrong with a hook's call, it is 0."""
    for arguments in (["prompt"], ["stop", "--no-such-option"], ["session-start", "extra", "words"], ["prompt", "-h"]):
        done = run("hook", *arguments, stdin="{}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), arguments
