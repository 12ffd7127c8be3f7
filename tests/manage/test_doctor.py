"""The doctor on the hooks and what they did: each state by name, with the command that mends it."""

import json
import os
import time

import pytest

from awhm_hooks.journal import optout, raw_log
from awhm_hooks.manage import doctor, pausing, settings
from awhm_hooks.manage.doctor_finding import Severity

DAY_S = 86_400.0
NOW = time.time()


@pytest.fixture
def environ(tmp_path, monkeypatch):
    """A home with no client on the PATH. Recall by meaning is off, so that no model is missed."""
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


@pytest.fixture
def paths(memory):
    return memory.paths


@pytest.fixture
def settings_file(environ):
    return os.path.join(environ["HOME"], ".claude", "settings.json")


@pytest.fixture
def installed(paths, environ, settings_file):
    pausing.begin_anew(paths, environ)
    paths.make(paths.meta)
    settings.install(settings_file, settings.hook_settings(), record_dir=paths.meta + "/settings")
    return settings_file


def examine(paths, environ, cwd=None, now=NOW, **more):
    return doctor.examine(paths, {**environ, **more}, cwd or environ["HOME"], now)


def findings(report, severity=None):
    return {one.name: one for one in report.findings if severity in (None, one.severity)}


def broken(report):
    """What is broken, by name; each has a way to mend it."""
    found = findings(report, Severity.BROKEN)
    assert report.is_healthy is (not found)
    assert all(one.fix for one in found.values())
    return set(found)


def say_days_ago(memory, days, session="claude-s"):
    at = NOW - days * DAY_S
    raw_log.append_mark(memory.paths, session, raw_log.START, at - 2, "/p", {"source": "startup"})
    memory.say("The staging port is 8443.", session=session, at=at)
    memory.say("Noted.", session=session, role="assistant", at=at + 1)
    raw_log.append_mark(memory.paths, session, raw_log.END, at + 2, "/p", {"reason": "other"})
    os.utime(memory.paths.log_file(session), (at + 2, at + 2))


def transcript(environ, days_ago, cwd):
    folder = os.path.join(environ["HOME"], ".claude", "projects", "-p")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{days_ago}.jsonl")
    with open(path, "w") as file:
        file.write(json.dumps({"type": "user", "cwd": str(cwd)}) + "\n")
    os.utime(path, (NOW - days_ago * DAY_S,) * 2)


# The healthy state, and the four of the report.


def test_the_healthy_state_is_told_with_times_sizes_and_counts(memory, environ, installed):
    say_days_ago(memory, 0.1)
    memory.consolidate()
    report = examine(memory.paths, environ)
    assert broken(report) == set()
    assert findings(report, Severity.WARNING) == {}
    at = NOW - 0.1 * DAY_S
    expected = {"prompt": at, "stop": at + 1, "session-start": at - 2, "session-end": at + 2}
    assert report.last_events == pytest.approx(expected, abs=0.01)
    assert (report.counts["memories"], report.counts["fact"], report.counts["pending_sessions"]) == (3, 1, 0)
    assert report.bytes["total"] > report.bytes["graph"] > 0
    assert report.versions["awhm"] and report.versions["onnxruntime"]
    assert [file["path"] for file in report.settings] == [installed]


@pytest.mark.report("AWHM-P082")
def test_hooks_that_are_not_registered(paths, environ):
    found = findings(examine(paths, environ))
    assert found["hooks-not-installed"].fix == "awhm hook install"
    assert broken(examine(paths, environ)) == {"hooks-not-installed"}


@pytest.mark.report("AWHM-P082")
def test_hooks_whose_program_is_gone(memory, environ, settings_file):
    say_days_ago(memory, 0.1)
    block = settings.hook_settings()
    for (group,) in block["hooks"].values():
        group["hooks"][0]["command"] = "/gone/python"
    with open(settings_file, "w") as file:
        json.dump(block, file)
    report = examine(memory.paths, environ)
    assert broken(report) == {"hook-program-missing"}
    assert "/gone/python" in findings(report)["hook-program-missing"].message


@pytest.mark.report("AWHM-P082")
def test_hooks_that_are_switched_off(memory, environ, installed):
    say_days_ago(memory, 0.1)
    with open(installed) as file:
        block = json.load(file)
    with open(installed, "w") as file:
        json.dump({"disableAllHooks": True, **block}, file)
    report = examine(memory.paths, environ)
    assert broken(report) == {"hooks-disabled"}
    assert os.system(findings(report)["hooks-disabled"].fix) == 0
    assert broken(examine(memory.paths, environ)) == set()


@pytest.mark.report("AWHM-P082")
@pytest.mark.parametrize("used_days_ago", [None, 2])
def test_hooks_that_have_logged_nothing_of_late(memory, environ, installed, tmp_path, used_days_ago):
    say_days_ago(memory, 9)
    memory.consolidate()
    if used_days_ago:
        transcript(environ, used_days_ago, tmp_path)
    report = examine(memory.paths, environ)
    assert broken(report) == {"no-capture"}
    assert "9 days" in findings(report)["no-capture"].message


def test_a_holiday_is_no_fault_and_neither_is_use_where_memory_is_opted_out(memory, environ, installed, tmp_path):
    say_days_ago(memory, 9)
    memory.consolidate()
    transcript(environ, 9, tmp_path)
    assert broken(examine(memory.paths, environ)) == set()
    (tmp_path / "clients").mkdir()
    transcript(environ, 1, tmp_path / "clients")
    (tmp_path / "clients" / ".awhmignore").touch()
    assert broken(examine(memory.paths, environ)) == set()


def test_a_pause_is_a_note_and_explains_silence(memory, environ, installed, tmp_path):
    say_days_ago(memory, 9)
    memory.consolidate()
    transcript(environ, 1, tmp_path)
    pausing.pause(memory.paths, environ, optout.EVERYWHERE, NOW - 8 * DAY_S)
    report = examine(memory.paths, environ)
    assert broken(report) == set()
    assert findings(report)["paused"].fix == "awhm resume"
    pausing.resume(memory.paths, optout.EVERYWHERE, NOW - 0.5 * DAY_S)
    assert broken(examine(memory.paths, environ)) == set()


# Registration.


@pytest.mark.report("AWHM-P019")
def test_hooks_in_settings_and_plugin_are_reported_with_the_file_to_edit(memory, environ, installed, tmp_path):
    say_days_ago(memory, 0.1)
    root = tmp_path / "plugin"
    (root / "hooks").mkdir(parents=True)
    (root / "hooks" / "hooks.json").write_text(json.dumps(settings.hook_settings()))
    plugins = tmp_path / "home" / ".claude" / "plugins"
    plugins.mkdir()
    (plugins / "installed_plugins.json").write_text(json.dumps({"plugins": {"awhm@x": [{"installPath": str(root)}]}}))
    report = examine(memory.paths, environ)
    doubles = [one for one in report.findings if one.name == "hooks-twice"]
    assert len(doubles) == 4
    assert all(installed in one.message and one.fix == "awhm hook uninstall --scope user" for one in doubles)
    assert report.is_healthy


def test_a_project_s_second_registration_is_named_with_its_scope(memory, environ, installed, tmp_path):
    project = tmp_path / "shop"
    (project / ".claude").mkdir(parents=True)
    other = settings.hook_settings("/bin/true")["hooks"]["Stop"]
    other[0]["hooks"][0]["command"] = "/opt/awhm"
    (project / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": other}}))
    found = findings(examine(memory.paths, environ, str(project)))
    assert found["hooks-twice"].fix == "awhm hook uninstall --scope project"
    assert found["hook-program-missing"].fix == "awhm hook install --scope project"


@pytest.mark.report("AWHM-P079")
def test_another_profile_s_hooks_are_listed_and_do_not_count_here(paths, environ, installed, tmp_path):
    report = examine(paths, environ, str(tmp_path), CLAUDE_CONFIG_DIR=str(tmp_path / "work"))
    assert "hooks-not-installed" in broken(report)
    assert installed in findings(report)["hooks-not-installed"].message
    assert report.settings == [
        {"path": installed, "events": sorted(settings.hook_settings()["hooks"]), "read_here": False}
    ]


def change_hook(path, event, **fields):
    with open(path) as file:
        block = json.load(file)
    block["hooks"][event][0]["hooks"][0].update(fields)
    with open(path, "w") as file:
        json.dump(block, file)


@pytest.mark.parametrize(
    ("fields", "name"),
    [({"timeout": "5"}, "hook-skipped"), ({"async": True}, "hook-skipped"), ({"type": "prompt"}, "hook-skipped")],
)
def test_a_hook_that_the_client_passes_over(memory, environ, installed, fields, name):
    say_days_ago(memory, 0.1)
    change_hook(installed, "Stop", **fields)
    assert broken(examine(memory.paths, environ)) == {name}


def test_a_hook_that_does_not_start_is_told_with_its_reason(memory, environ, installed, tmp_path):
    say_days_ago(memory, 0.1)
    (tmp_path / "broken" / "awhm_hooks").mkdir(parents=True)
    (tmp_path / "broken" / "awhm_hooks" / "__init__.py").touch()
    (tmp_path / "broken" / "awhm_hooks" / "entry.py").touch()
    with open(installed) as file:
        text = file.read()
    here = json.dumps(repr(os.path.dirname(os.path.dirname(os.path.dirname(doctor.__file__)))))[1:-1]
    assert here in text
    with open(installed, "w") as file:
        file.write(text.replace(here, repr(str(tmp_path / "broken"))))
    report = examine(memory.paths, environ)
    assert broken(report) == {"hook-does-not-start"}
    assert "No module named" in findings(report)["hook-does-not-start"].message


def test_a_project_s_settings_start_nothing(paths, environ, tmp_path):
    project = tmp_path / "shop"
    (project / ".claude").mkdir(parents=True)
    evil = project / "awhm"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    evil.chmod(0o755)
    handler = {"type": "command", "command": str(evil), "args": ["hook", "prompt"]}
    (project / ".claude" / "settings.json").write_text(
        json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [handler]}]}})
    )
    assert "hooks-incomplete" in broken(examine(paths, environ, str(project)))
    assert not (tmp_path / "started").exists()


def test_settings_that_cannot_be_read_and_events_without_a_hook(memory, environ, installed):
    say_days_ago(memory, 0.1)
    settings.uninstall(installed, record_dir=memory.paths.meta + "/settings")
    with open(installed, "w") as file:
        file.write('{"hooks": ')
    assert broken(examine(memory.paths, environ)) == {"hooks-not-installed", "settings-unreadable"}
    block = settings.hook_settings()
    del block["hooks"]["Stop"]
    with open(installed, "w") as file:
        json.dump(block, file)
    report = examine(memory.paths, environ)
    assert broken(report) == {"hooks-incomplete"}
    assert "Stop" in findings(report)["hooks-incomplete"].message
