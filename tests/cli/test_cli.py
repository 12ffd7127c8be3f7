"""The command line as a process: its contracts with people (words) and with programs (exit codes, JSON)."""

import json
import os
import sqlite3
import sys
import time
from datetime import datetime
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from conftest import clean_env, worker_is_running

from awhm_hooks import __version__
from awhm_hooks.journal import buffer as buffers
from awhm_hooks.journal import raw_log, wal
from awhm_hooks.manage.settings import hook_settings
from awhm_hooks.paths import Paths

QUICK = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


@pytest.fixture
def run(awhm):
    """`run("status", "--json")`, without the parts that load models."""
    return lambda *args, env=None, **more: awhm(*args, env={**QUICK, **(env or {})}, **more)


@pytest.fixture
def answer(run):
    """The JSON that a command prints."""

    def asked(*args, **more):
        done = run(*args, "--json", **more)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "shop api"
    path.mkdir()
    return path


@pytest.fixture
def say(data_dir, project):
    """Messages as the hooks log them, one minute apart, in sessions that nobody has ended."""
    paths = Paths(str(data_dir))
    number = 0

    def said(*texts, session="claude-one", role="user", where=project, at=1_772_000_000.0):
        nonlocal number
        for text in texts:
            number += 1
            moment = at + 60 * number
            appended = raw_log.append_message(
                paths, session, role, text, moment, f"p{number}", os.path.realpath(where), str(where)
            )
            wal.append(paths, session, [buffers.message_record(appended, role, text, moment)])

    return said


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

    from awhm_hooks.cli.app import app

    undocumented = []

    def walk(command, path):
        if not command.help:
            undocumented.append(path)
        for name, child in getattr(command, "commands", {}).items():
            walk(child, f"{path} {name}")

    walk(get_command(app), "awhm")
    assert undocumented == []


def test_the_version_is_the_package_s(run):
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"awhm {__version__}\n")


def test_the_console_script_is_the_entry_point():
    (script,) = [one for one in entry_points(group="console_scripts") if one.name == "awhm"]
    assert script.value == "awhm_hooks.entry:main"


# Exit codes: 0 done, 1 what a person can mend, 2 wrong usage, 3 our own fault.


MISUSED = [
    ["query", "port", "--as-of", "gibberish"],
    ["query", "port", "--as-of", "2026-13-45"],
    ["query", "port", "--project", "/a", "--all-projects"],
    ["hook", "settings", "--command", " "],
    ["hook", "settings", "--command", "awhm.cmd"],
]


@pytest.mark.parametrize("command", MISUSED, ids=" ".join)
def test_wrong_usage_is_2_and_says_what_is_right(run, command):
    done = run(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("awhm: ") and "Traceback" not in done.stderr


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


def test_a_fault_of_ours_is_3_and_noted(run, say, project, data_dir):
    """A store that holds what it cannot: no file says so, and no code expects it."""
    say("The staging port is 8443.")
    run("consolidate")
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


def test_status_counts_what_is_stored_and_what_waits(answer, say, run):
    say("The staging port is 8443.", "I prefer pnpm over npm for scripts.")
    waiting = answer("status")
    assert (waiting["sessions"], waiting["pending_sessions"], waiting["nodes"]) == (1, 1, 0)
    run("consolidate")
    found = answer("status")
    assert {name: type(found[name]) for name in STATUS_KEYS} == STATUS_KEYS
    assert (found["sessions"], found["pending_sessions"], found["messages"], found["projects"]) == (1, 0, 2, 1)
    assert found["nodes"] == sum(found["nodes_by_family"].values()) == 4
    assert found["nodes_by_family"] == {"message": 2, "fact": 1, "preference": 1}
    assert found["edges"] >= 3


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


# query


RESULT_KEYS = {
    "id",
    "text",
    "family",
    "status",
    "score",
    "said_at",
    "scope",
    "project",
    "session",
    "role",
    "source",
    "valid_from",
    "valid_to",
}


@pytest.fixture
def known(run, say):
    say("The backup box is a Synology NAS.")
    run("consolidate")
    say("Actually, the backup box is a TrueNAS server.", "I prefer pnpm over npm for scripts.", session="claude-two")
    run("consolidate")


def texts(found):
    return [result["text"] for result in found["results"]]


@pytest.mark.usefixtures("known")
class TestQuery:
    def test_what_is_current_is_found_with_stable_keys(self, answer, project):
        found = answer("query", "backup box", cwd=project)
        assert set(found) == {"query", "results"} and found["query"] == "backup box"
        assert all(set(result) == RESULT_KEYS for result in found["results"])
        best = found["results"][0]
        assert best["text"] == "the backup box is a TrueNAS server"
        assert (best["family"], best["status"], best["scope"], best["source"]) == ("fact", "active", "project", "graph")
        assert best["project"] == os.path.realpath(project)
        assert datetime.fromisoformat(best["said_at"]).tzinfo is not None
        assert not any("Synology" in text for text in texts(found))

    def test_history_is_shown_on_request(self, answer, run, project):
        found = answer("query", "backup box", "--include-history", cwd=project)
        statuses = {result["text"]: result["status"] for result in found["results"]}
        assert statuses["The backup box is a Synology NAS"] == "superseded"
        assert statuses["the backup box is a TrueNAS server"] == "active"
        assert "superseded" in run("query", "backup box", "--include-history", cwd=project).stdout

    @pytest.mark.parametrize("k", [1, 2])
    def test_k_is_the_number_of_results_at_most(self, answer, project, k):
        assert len(texts(answer("query", "backup box", "-k", str(k), "--include-history", cwd=project))) == k

    def test_a_trace_shows_the_features(self, answer, run, project):
        (best, *_) = answer("query", "backup box", "--trace", cwd=project)["results"]
        assert set(best) == RESULT_KEYS | {"features", "terms"}
        assert all(isinstance(value, float) for value in best["features"].values())
        assert "score" in run("query", "backup box", "--trace", cwd=project).stdout

    def test_the_project_is_the_current_directory_s_or_the_named_one(self, answer, project, tmp_path):
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        assert texts(answer("query", "backup box", cwd=elsewhere)) == []
        assert texts(answer("query", "backup box", "--project", str(project), cwd=elsewhere))
        assert texts(answer("query", "backup box", "--all-projects", cwd=elsewhere))
        assert "I prefer pnpm over npm for scripts" in texts(answer("query", "pnpm", cwd=elsewhere)), "the user's own"

    def test_the_project_is_known_through_a_link_and_from_a_sub_directory_of_its_repository(
        self, answer, project, tmp_path
    ):
        (tmp_path / "link").symlink_to(project)
        assert texts(answer("query", "backup box", "--project", str(tmp_path / "link")))
        (project / ".git").mkdir()
        (project / "packages" / "web").mkdir(parents=True)
        assert texts(answer("query", "backup box", cwd=project / "packages" / "web"))

    def test_nothing_found_is_said_and_is_no_error(self, run, answer, project):
        done = run("query", "kubernetes", cwd=project)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "Nothing is remembered about that here.\n"
        assert answer("query", "kubernetes", cwd=project)["results"] == []

    def test_what_was_true_then(self, answer, project):
        assert texts(answer("query", "backup box", "--as-of", "2020-01-01", cwd=project)) == []
        today = texts(answer("query", "backup box", "--as-of", "today", cwd=project))
        assert "the backup box is a TrueNAS server" in today

    def test_words_are_for_people(self, run, project):
        lines = run("query", "backup box", cwd=project).stdout.splitlines()
        assert lines[0] == " 1. the backup box is a TrueNAS server"
        assert lines[1].strip().startswith("2026-02-25, fact, ")


def test_a_query_finds_what_waits(run, say, answer, project):
    say("The staging port is 8443.")
    (best, *_) = answer("query", "staging port", cwd=project)["results"]
    assert (best["text"], best["id"]) == ("The staging port is 8443", None)
    assert "not consolidated yet" in run("query", "staging port", cwd=project).stdout


@pytest.mark.parametrize("text", ["", " ", "[bold]port[/bold]", "'; DROP TABLE nodes", "端口", "\N{ROCKET}", "-x"])
def test_any_text_may_be_asked(run, say, project, text):
    say("The [bold]staging[/bold] port is 8443 → 端口 [link=x]y[/link]")
    done = run("query", "--", text, cwd=project)
    assert (done.returncode, done.stderr) == (0, "")


def test_markup_of_the_terminal_is_shown_as_it_was_said(run, say, project):
    say("The staging [bold red]port[/bold red] is 8443 :smile: always")
    assert "[bold red]port[/bold red] is 8443 :smile: always" in run("query", "staging port", cwd=project).stdout


# consolidate


def test_consolidate_tells_what_it_did_and_a_second_time_that_there_is_nothing(run, say, answer):
    say("The staging port is 8443.", "Actually, the staging port is 9443.")
    done = answer("consolidate")
    assert (done["sessions"], done["failed"]) == (1, {})
    assert {name: done["counts"][name] for name in ("messages", "statements", "superseded")} == {
        "messages": 2,
        "statements": 2,
        "superseded": 1,
    }
    assert answer("consolidate")["sessions"] == 0
    assert run("consolidate").stdout.strip() == "0 sessions consolidated: nothing new."


def test_a_session_that_fails_is_named_and_the_rest_is_done(run, say, answer, data_dir):
    say("The staging port is 8443.")
    say("The gate port is 22.", session="claude-broken")
    wal_file = Path(Paths(str(data_dir)).wal_file("claude-broken"))
    wal_file.unlink()
    wal_file.mkdir()
    done = run("consolidate", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert list(report["failed"]) == ["claude-broken"] and report["sessions"] == 1
    assert "claude-broken" in run("consolidate").stdout


def test_a_damaged_store_is_rebuilt_on_request(run, say, answer, project, data_dir):
    say("The staging port is 8443.")
    run("consolidate")
    (data_dir / "graph" / "memory_graph.sqlite").write_bytes(b"junk" * 5000)
    assert answer("consolidate")["sessions"] == 1
    assert "The staging port is 8443" in texts(answer("query", "staging port", cwd=project))
    assert [name for name in os.listdir(data_dir / "graph") if "damaged" in name]


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
    assert "awhm hook install" in ending
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


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_what_is_installed_is_taken_out_again(run, isolated_home, project, scope):
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


# The environment.


def test_the_data_directory_may_be_relative_or_have_a_tilde(run, isolated_home, tmp_path):
    for named, meant in (("here", tmp_path / "here"), ("~/there", isolated_home / "there")):
        done = run("status", "--json", env={"AWHM_DATA_DIR": named}, cwd=tmp_path)
        assert json.loads(done.stdout)["data_dir"] == str(meant)


def test_by_default_memories_are_kept_at_home(run, isolated_home):
    done = run("status", "--json", env={"AWHM_DATA_DIR": None})
    assert json.loads(done.stdout)["data_dir"] == str(isolated_home / ".awhm")


def test_json_is_utf_8_whatever_the_terminal_says(run, say, project):
    say("The arrow is → and the port is 端口")
    done = run("query", "arrow", "--json", cwd=project, env={"PYTHONIOENCODING": "cp1252:strict"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "→ and the port is 端口" in json.loads(done.stdout)["results"][0]["text"]


def test_a_reader_that_goes_away_is_no_fault(isolated_home, data_dir, say, project):
    import subprocess

    say(*[f"The port of service{n} is {n}. " + "More words about ports. " * 200 for n in range(30)])
    code = 'set -o pipefail; "$0" -m awhm_hooks query port -k 30 | head -c 10 >/dev/null; echo ${PIPESTATUS[0]}'
    done = subprocess.run(
        ["bash", "-c", code, sys.executable],
        env=clean_env(isolated_home, data_dir, QUICK),
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() in ("0", "1", "141")
    assert "fault of ours" not in done.stderr and "Traceback" not in done.stderr
    assert not worker_is_running(data_dir)
