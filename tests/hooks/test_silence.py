"""Hooks that are to be silent write nothing and hand nothing back: as real processes, on real payloads."""

import json
import shutil
import time

import pytest

from awhm_hooks.journal import optout, raw_log
from awhm_hooks.paths import Paths

FACT = "The staging port is 8443."
QUESTION = "Which port does staging use?"


def payload(event, cwd, session="s-1", **more):
    return {"session_id": session, "transcript_path": "", "cwd": str(cwd), "hook_event_name": event, **more}


def prompt(text, cwd, session="s-1", **more):
    return payload("UserPromptSubmit", cwd, session, prompt=text, **more)


def session_of(cwd, session="s-1"):
    """Every hook of one session, with its payload."""
    return [
        ("session-start", payload("SessionStart", cwd, session, source="startup")),
        ("prompt", prompt(FACT, cwd, session, prompt_id="p-1")),
        ("stop", payload("Stop", cwd, session, last_assistant_message="Noted.", prompt_id="p-1")),
        ("prompt", prompt(QUESTION, cwd, session, prompt_id="p-2")),
        ("session-end", payload("SessionEnd", cwd, session, reason="other")),
    ]


def state(directory):
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def kinds(data_dir, session="s-1"):
    return [record.kind for record in raw_log.read(Paths(str(data_dir)).log_file(f"claude-{session}"))]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "clients" / "acme").mkdir(parents=True)
    (tmp_path / "shop").mkdir()
    return tmp_path


def run_all(hook, cwd, session="s-1", env=None):
    for event, body in session_of(cwd, session):
        ran = hook(event, body, env=env)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.report("AWHM-P047")
@pytest.mark.parametrize("way", ["config", "environment", "link", "ignore file", "opt-in", "disabled", "project dir"])
def test_an_excluded_session_writes_nothing_and_is_told_nothing(hook, data_dir, project, way):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    secret, env, lines = project / "clients" / "acme", {}, ""
    if way == "config":
        lines = f'exclude = ["{project}/clients/**"]\n'
    elif way == "environment":
        env = {"AWHM_EXCLUDE": f"/nowhere,{project}/clients/*"}
    elif way == "link":
        lines, secret = f'exclude = ["{project}/clients"]\n', project / "link"
        secret.symlink_to(project / "clients" / "acme")
    elif way == "ignore file":
        (project / "clients" / ".awhmignore").touch()
    elif way == "opt-in":
        lines = f'opt_in = true\ninclude = ["{project}/shop"]\n'
    elif way == "disabled":
        env = {"AWHM_ENABLED": "0"}
    else:
        lines = f'exclude = ["{project}/clients"]\n'
        env, secret = {"CLAUDE_PROJECT_DIR": str(secret)}, project / "shop"
    (data_dir / "config.toml").write_text(lines)
    before = state(data_dir)
    run_all(hook, secret, "s-2", env)
    assert state(data_dir) == before


@pytest.mark.report("AWHM-P047")
def test_beside_the_exclusion_memory_works(hook, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    (data_dir / "config.toml").write_text(f'exclude = ["{project}/clients/**"]\n')
    assert "8443" in hook("prompt", prompt(QUESTION, project / "shop", "s-2")).context


def test_an_exclusion_that_begins_within_a_session_leaves_marks_without_a_word(hook, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", prompt_id="p-0"))
    (data_dir / "config.toml").write_text(f'exclude = ["{project}/clients"]\n')
    hook("prompt", prompt("The client's code name is Falcon.", project / "clients", prompt_id="p-1"))
    hook("stop", payload("Stop", project / "clients", last_assistant_message="Falcon it is.", prompt_id="p-1"))
    hook("prompt", prompt("Back in the shop.", project / "shop", prompt_id="p-2"))
    assert kinds(data_dir) == ["message", "silent", "silent", "message"]
    assert not [path for path, data in state(data_dir).items() if b"Falcon" in data]


def test_a_pause_silences_running_sessions_and_resume_ends_it(hook, awhm, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    hook("prompt", prompt("Good morning to the shop.", project / "shop"))
    assert awhm("pause").returncode == 0
    before = state(data_dir)
    run_all(hook, project / "shop")
    assert state(data_dir) == before
    assert awhm("resume").returncode == 0
    assert "8443" in hook("prompt", prompt(QUESTION, project / "shop")).context


def test_a_project_s_pause_leaves_the_others_alone(hook, awhm, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    assert awhm("pause", "--project", str(project / "clients")).returncode == 0
    before = state(data_dir)
    run_all(hook, project / "clients" / "acme", "s-2")
    assert state(data_dir) == before
    assert "8443" in hook("prompt", prompt(QUESTION, project / "shop", "s-3")).context


def test_a_pause_for_a_while_ends_by_itself(hook, awhm, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    awhm("pause", "--for", "2h")
    assert hook("prompt", prompt(QUESTION, project / "shop", "s-2")).stdout == b""
    path = data_dir / "meta" / optout.PAUSES
    mark = {**json.loads(path.read_text()), "at": time.time() - 7300, "until": time.time() - 100}
    path.write_text(json.dumps(mark) + "\n")
    assert "8443" in hook("prompt", prompt(QUESTION, project / "shop", "s-3")).context


@pytest.mark.report("AWHM-P046")
@pytest.mark.parametrize("used", ["installed", "by hooks alone"])
def test_a_deleted_data_directory_stays_deleted_until_init(hook, awhm, data_dir, project, used):
    if used == "installed":
        assert awhm("hook", "install").returncode == 0
    hook("prompt", prompt(FACT, project / "shop"))
    shutil.rmtree(data_dir)
    run_all(hook, project / "shop", "s-2")
    for event in ("prompt", "stop"):
        assert hook(event, b"{ no json").stdout == b""
    assert not data_dir.exists()
    assert "Memories will be kept" in awhm("init").stdout
    assert hook("prompt", prompt("hello again, shop", project / "shop")).stdout == b""
    assert kinds(data_dir) == ["message"]


def test_a_data_directory_that_never_was_is_made_by_the_first_hook(hook, data_dir, project):
    (project / "clients" / ".awhmignore").touch()
    hook("prompt", prompt("not to be heard", project / "clients"))
    assert not data_dir.exists()
    hook("prompt", prompt(FACT, project / "shop"))
    assert kinds(data_dir) == ["message"]


def test_a_worker_that_comes_late_does_not_bring_a_deleted_directory_back(data_dir, isolated_home):
    import subprocess
    import sys

    from conftest import clean_env

    code = "from awhm_hooks.consolidate.worker import main; main()"
    subprocess.run([sys.executable, "-c", code], env=clean_env(isolated_home, data_dir), check=True)
    assert not data_dir.exists()


@pytest.mark.parametrize("lines", ["knn = 3\n", "k = 'many'\n"])
def test_a_mistake_beside_an_exclusion_does_not_lift_it(hook, data_dir, project, lines):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    (data_dir / "config.toml").write_text(f'exclude = ["{project}/clients"]\n{lines}')
    run_all(hook, project / "clients", "s-2")
    assert kinds(data_dir, "s-2") == []
    assert "8443" in hook("prompt", prompt(QUESTION, project / "shop", "s-3")).context


def test_an_exclusion_that_cannot_be_read_silences_everywhere(hook, data_dir, project):
    hook("prompt", prompt(FACT, project / "shop", "before"))
    (data_dir / "config.toml").write_text(f'exclude = ["{project}/clients"\n')
    run_all(hook, project / "shop", "s-2")
    assert kinds(data_dir, "s-2") == []
