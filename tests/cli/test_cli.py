"""The command line's contracts with people (words) and with programs (exit codes, JSON): all commands, and status."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime
from importlib.metadata import entry_points

import pytest

from awhm_hooks import __version__
from cli.conftest import QUICK

# Help and version.


COMMANDS = [
    [],
    ["status"],
    ["query"],
    ["consolidate"],
    ["replay"],
    ["demo"],
    ["hook"],
    ["hook", "settings"],
    ["hook", "install"],
    ["hook", "uninstall"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(run, data_dir, command):
    done = run(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    usage, _, rest = done.stdout.partition("\n")
    assert " ".join(["awhm_hooks", *command, "[OPTIONS]"]) in usage
    assert len(rest.split("Options:")[0].split()) >= 6, "a sentence on what it does"
    assert not data_dir.exists(), "help makes nothing"


def test_no_command_is_without_words():
    from typer.main import get_command

    from awhm_hooks.cli.app import command_line

    undocumented = []

    def walk(command, path):
        if not command.help:
            undocumented.append(path)
        for name, child in getattr(command, "commands", {}).items():
            walk(child, f"{path} {name}")

    walk(get_command(command_line()), "awhm")
    assert undocumented == []


def test_the_version_is_the_package_s(run):
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"awhm {__version__}\n")


def test_the_console_script_is_the_entry_point():
    (script,) = [one for one in entry_points(group="console_scripts") if one.name == "awhm"]
    assert script.value == "awhm_hooks.entry:main"


# Exit codes: 0 done, 1 what a person can mend, 2 wrong usage, 3 our own fault.


MISUSED = [
    ["no-such-command"],
    ["query"],
    ["query", "port", "-k", "0"],
    ["query", "port", "--no-such-option"],
    ["status", "superfluous"],
    ["replay"],
    ["hook", "no-such-command"],
    ["hook", "install", "--scope", "elsewhere"],
    ["query", "port", "--as-of", "gibberish"],
    ["query", "port", "--as-of", "2026-13-45"],
    ["query", "port", "--as-of", ""],
    ["query", "port", "--project", " "],
    ["delete", "--match", "port", "--since", "", "--yes"],
    ["delete", "--match", "port", "--session", "", "--yes"],
    ["import", ".", "--since", ""],
    ["import", ".", "--project", ""],
    ["remember", "The port is 8443.", "--project", ""],
    ["query", "port", "--project", "/a", "--all-projects"],
    ["hook", "settings", "--command", " "],
    ["hook", "settings", "--command", "awhm.cmd"],
]


@pytest.mark.parametrize("command", MISUSED, ids=" ".join)
def test_wrong_usage_is_2_and_says_what_is_right(run, data_dir, command):
    done = run(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip()) > 20
    assert "fault of ours" not in done.stderr and "Traceback" not in done.stderr
    assert not data_dir.exists(), "it is no error of the store's"


@pytest.mark.parametrize("command", [[], ["hook"]])
def test_a_command_of_several_shows_them_where_none_is_named(run, command):
    done = run(*command)
    assert done.returncode == 2
    assert "Commands:" in done.stdout + done.stderr and "fault of ours" not in done.stderr


def not_a_store(data_dir):
    (data_dir / "graph").mkdir(parents=True)
    (data_dir / "graph" / "memory_graph.sqlite").write_bytes(b"junk" * 5000)


def newer_store(data_dir):
    (data_dir / "graph").mkdir(parents=True)
    with sqlite3.connect(data_dir / "graph" / "memory_graph.sqlite") as db:
        db.execute("PRAGMA user_version = 999")
    db.close()


def unreadable_configuration(data_dir):
    data_dir.mkdir()
    (data_dir / "config.toml").write_text("k = = 1")


def unknown_parameter(data_dir):
    data_dir.mkdir()
    (data_dir / "config.toml").write_text("kk = 1")


def data_dir_is_a_file(data_dir):
    data_dir.write_text("")


BROKEN = [
    (not_a_store, ["status"], "awhm consolidate"),
    (not_a_store, ["query", "port"], "awhm consolidate"),
    (newer_store, ["status"], "update awhm"),
    (newer_store, ["query", "port"], "update awhm"),
    (newer_store, ["consolidate"], "update awhm"),
    (unreadable_configuration, ["status"], "config.toml"),
    (unknown_parameter, ["query", "port"], "kk: no such parameter"),
    (data_dir_is_a_file, ["consolidate"], "awhm"),
    (lambda data_dir: None, ["replay", "no-such-file.jsonl"], "no-such-file.jsonl"),
]


@pytest.mark.parametrize(("breakage", "command", "hint"), BROKEN)
def test_what_a_person_can_mend_is_1_and_named(run, data_dir, breakage, command, hint):
    breakage(data_dir)
    done = run(*command)
    assert (done.returncode, done.stdout.strip()) == (1, "")
    assert done.stderr.startswith("awhm: ") and hint in done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_of_ours_is_3_and_noted(run, say, consolidate, project, data_dir):
    """A store that holds what it cannot: no file says so, and no code expects it."""
    say("The staging port is 8443.")
    consolidate()
    with sqlite3.connect(data_dir / "graph" / "memory_graph.sqlite") as db:
        db.execute("UPDATE nodes SET said_at = 'soon'")
    db.close()
    done = run("query", "staging port", cwd=project)
    assert done.returncode == 3
    assert "a fault of ours" in done.stderr and "Traceback" not in done.stderr
    assert "cli" in (data_dir / "meta" / "errors.log").read_text()
    assert "cli" in run("status").stdout


# status


STATUS_KEYS = {
    "data_dir": str,
    "nodes": int,
    "edges": int,
    "nodes_by_family": dict,
    "nodes_by_status": dict,
    "sessions": int,
    "pending_sessions": int,
    "messages": int,
    "projects": int,
    "bytes_on_disk": int,
    "last_events": dict,
}


def test_the_status_of_nothing_makes_nothing(run, answer, data_dir):
    found = answer("status")
    assert (found["nodes"], found["edges"], found["sessions"], found["pending_sessions"]) == (0, 0, 0, 0)
    assert set(found["last_events"].values()) == {None} and found["last_error"] is None
    assert "never" in run("status").stdout
    assert not data_dir.exists()


def test_status_counts_what_is_stored_and_what_waits(answer, say, consolidate):
    say("The staging port is 8443.", "I prefer pnpm over npm for scripts.")
    waiting = answer("status")
    assert (waiting["sessions"], waiting["pending_sessions"], waiting["nodes"]) == (1, 1, 0)
    consolidate()
    found = answer("status")
    assert {name: type(found[name]) for name in STATUS_KEYS} == STATUS_KEYS
    assert (found["sessions"], found["pending_sessions"], found["messages"], found["projects"]) == (1, 0, 2, 1)
    assert found["nodes"] == sum(found["nodes_by_family"].values()) == 4
    assert found["nodes_by_family"] == {"message": 2, "fact": 1, "preference": 1}
    assert found["edges"] >= 3


def test_status_waits_for_a_store_that_is_being_closed(answer, say, consolidate, data_dir):
    """The last connection locks the whole store while it writes its journal back: for longer than a hook would wait."""
    say("The deploy target is Fly.io")
    consolidate()
    with contextlib.closing(sqlite3.connect(data_dir / "graph/memory_graph.sqlite", check_same_thread=False)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        letting_go = threading.Timer(2.0, db.close)
        letting_go.start()
        assert answer("status")["nodes"] > 0
        letting_go.join()


def test_a_store_that_stays_locked_is_named_with_the_way_out(run, say, consolidate, data_dir):
    say("The deploy target is Fly.io")
    consolidate()
    store = data_dir / "graph/memory_graph.sqlite"
    with contextlib.closing(sqlite3.connect(store)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        done = run("status")
    assert done.returncode == 1
    assert done.stderr == f"awhm: {store}: database is locked; another process uses it, try again\n"


def test_status_tells_when_each_hook_last_ran(hook, answer):
    before = time.time() - 1
    common = {"session_id": "s", "cwd": "/tmp"}
    hook("session-start", {**common, "hook_event_name": "SessionStart", "source": "startup"}, QUICK)
    hook("prompt", {**common, "hook_event_name": "UserPromptSubmit", "prompt": "The port is 1."}, QUICK)
    events = answer("status")["last_events"]
    assert set(events) == {"prompt", "stop", "session-start", "session-end"}
    assert events["stop"] is None and events["session-end"] is None
    for name in ("prompt", "session-start"):
        moment = datetime.fromisoformat(events[name])
        assert moment.tzinfo is not None and before <= moment.timestamp() <= time.time()


def test_status_shows_the_last_error(hook, answer, run):
    hook("prompt", b"no json")
    assert "prompt" in answer("status")["last_error"]
    assert "prompt" in run("status").stdout.split("Last error")[1]


# The environment.


def test_the_data_directory_may_be_relative_or_have_a_tilde(run, isolated_home, tmp_path):
    for named, meant in (("here", tmp_path / "here"), ("~/there", isolated_home / "there")):
        done = run("status", "--json", env={"AWHM_DATA_DIR": named}, cwd=tmp_path)
        assert json.loads(done.stdout)["data_dir"] == str(meant)


def test_by_default_memories_are_kept_at_home(run, isolated_home):
    done = run("status", "--json", env={"AWHM_DATA_DIR": None})
    assert json.loads(done.stdout)["data_dir"] == str(isolated_home / ".awhm")


def test_every_command_is_found_in_the_module_that_is_listed_for_it():
    from typer.main import get_command

    from awhm_hooks.cli.app import COMMANDS, command_line

    whole = list(get_command(command_line()).commands)
    assert sorted(whole) == sorted(command for commands in COMMANDS.values() for command in commands)
    for command in whole:
        assert command in get_command(command_line(command)).commands


def test_a_query_does_not_load_what_other_commands_need(tmp_path):
    code = (
        "import sys; sys.argv = ['awhm', 'query', 'x'];"
        "from awhm_hooks.cli.app import run\n"
        "try: run()\n"
        "except SystemExit: print([name for name in ('numpy', 'spacy', 'dateparser') if name in sys.modules])"
    )
    environ = {**os.environ, "AWHM_DATA_DIR": str(tmp_path), "AWHM_SEMANTIC": "0"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ)
    assert ran.stdout.strip().endswith("[]"), ran
