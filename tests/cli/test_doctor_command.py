"""`awhm doctor`, `why`, `pause`, `resume`, `init` and `config` as processes."""

import json
import re

import pytest

from awhm_hooks.config import PARAMETERS

QUICK = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


@pytest.fixture
def run(awhm):
    return lambda *args, env=None, **more: awhm(*args, env={**QUICK, **(env or {})}, **more)


def payload(event, session, **more):
    return {"session_id": session, "transcript_path": "", "cwd": "/tmp", "hook_event_name": event, **more}


def prompt(hook, text, session, **more):
    return hook("prompt", payload("UserPromptSubmit", session, prompt=text, **more), env=QUICK)


def test_from_nothing_installed_to_healthy_by_the_commands_that_it_names(run, hook, isolated_home):
    ill = run("doctor", "--json")
    report = json.loads(ill.stdout)
    assert (ill.returncode, report["ok"]) == (1, False)
    (fix,) = [one["fix"] for one in report["findings"] if one["severity"] == "broken"]
    assert run(*fix.split()[1:]).returncode == 0
    prompt(hook, "The staging port is 8443.", "s-1")
    healthy = run("doctor", "--json")
    report = json.loads(healthy.stdout)
    assert (healthy.returncode, report["ok"]) == (0, True), report["findings"]
    assert re.match(r"\d{4}-\d\d-\d\dT[\d:]+[+-]", report["last_events"]["prompt"])
    assert report.keys() >= {"findings", "versions", "settings", "model", "counts", "bytes", "last_error", "data_dir"}


def test_in_words_each_finding_comes_with_its_command(run):
    told = run("doctor")
    assert told.returncode == 1
    assert "broken  hooks-not-installed: " in told.stdout
    assert "mend it: awhm hook install" in told.stdout
    assert told.stdout.rstrip().endswith("Something is broken.")


def test_a_broken_configuration_keeps_neither_the_doctor_nor_config_from_working(run, data_dir):
    data_dir.mkdir(mode=0o700)
    (data_dir / "config.toml").write_text("hook_max_memorys = 3 # mine\nk = 5\n")
    found = json.loads(run("doctor", "--json").stdout)["findings"]
    (fix,) = [one["fix"] for one in found if one["name"] == "config-invalid"]
    listed = run("config", "list")
    assert listed.returncode == 1
    assert "did you mean hook_max_memories?" in listed.stdout
    assert run(*fix.split()[1:]).returncode == 0
    assert (data_dir / "config.toml").read_text() == "k = 5\n"


def test_rebuild_makes_the_store_anew(run, hook, data_dir):
    prompt(hook, "The staging port is 8443.", "s-1")
    run("consolidate")
    (data_dir / "graph" / "memory_graph.sqlite").write_bytes(b"x" * 5000)
    found = json.loads(run("doctor", "--json").stdout)["findings"]
    assert "store-damaged" in {one["name"] for one in found}
    done = run("doctor", "--rebuild")
    assert "1 sessions read anew" in done.stdout
    assert "8443" in run("query", "staging port", "--all-projects").stdout


def test_why_tells_what_a_prompt_was_answered_with(run, hook):
    assert run("why").stdout == "No prompt was logged yet.\n"
    prompt(hook, "The staging port is 8443.", "s-1")
    assert "8443" in prompt(hook, "Which port does staging use?", "s-2", prompt_id="p-2").context
    for _ in range(2):
        answer = json.loads(run("why", "--last", "--json").stdout)["prompts"]
        assert [(one["session"], one["prompt_id"], len(one["told"])) for one in answer] == [("claude-s-2", "p-2", 1)]
        assert "8443" in answer[0]["told"][0]["text"]
        assert answer[0]["told"][0]["score"] > 0
        hook("session-end", payload("SessionEnd", "s-2", reason="other"), env=QUICK)
        run("consolidate")
    told = run("why", "s-1")
    assert "nothing was handed back" in told.stdout
    assert run("why", "s-1", "--last").returncode == 2
    assert "no session" in run("why", "nonesuch").stderr


def test_pause_and_resume_say_where_and_until_when(run, tmp_path):
    assert "everywhere until `awhm resume`" in run("pause").stdout
    assert "paused" in {one["name"] for one in json.loads(run("doctor", "--json").stdout)["findings"]}
    shop = tmp_path / "shop"
    shop.mkdir()
    made = json.loads(run("pause", "--project", str(shop), "--for", "2h", "--json").stdout)
    assert made["project"] == str(shop)
    assert made["since"] < made["until"]
    ended = json.loads(run("resume", "--json").stdout)["ended"]
    assert [one["project"] for one in ended] == [None, str(shop)]
    assert "Nothing was paused." in run("resume").stdout


@pytest.mark.parametrize(
    ("args", "says"), [(("--for", "soon"), "no duration"), (("--project", "/no/such/place"), "no such directory")]
)
def test_a_pause_that_means_nothing_is_refused(run, data_dir, args, says):
    done = run("pause", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert not (data_dir / "meta" / "pauses.jsonl").exists()


def test_resume_says_what_else_keeps_memory_silent(run, tmp_path):
    run("pause")
    (tmp_path / "home" / ".awhmignore").touch()
    assert ".awhmignore" in run("resume").stdout


def test_init_makes_the_directory_once(run, data_dir):
    assert "Memories will be kept in" in run("init").stdout
    assert data_dir.stat().st_mode & 0o777 == 0o700
    assert "is there already" in run("init").stdout


def test_config_lists_gets_and_sets(run, data_dir):
    listed = json.loads(run("config", "list", "--json").stdout)
    assert {one["name"] for one in listed["parameters"]} == PARAMETERS.keys() - {"data_dir"}
    assert run("config", "get", "k").stdout == "10\n"
    assert "k = 7" in run("config", "set", "k", "7").stdout
    assert run("config", "get", "k").stdout == "7\n"
    assert json.loads(run("config", "get", "k", "--json").stdout)["source"] == "config.toml"
    assert "AWHM_K" in run("config", "set", "k", "8", env={"AWHM_K": "3"}).stdout
    assert (data_dir / "config.toml").read_text() == "k = 8\n"
    run("config", "unset", "k")
    assert (data_dir / "config.toml").read_text() == ""
    text = run("config", "list").stdout
    assert "k = 10  (default)" in text
    assert all(what in text for _, what in PARAMETERS.values() if "data_dir" not in what and "Python API" not in what)


@pytest.mark.parametrize("args", [("get", "knn"), ("set", "knn", "3"), ("set", "k", "many"), ("set", "k", "0")])
def test_a_wrong_name_or_value_is_wrong_usage(run, data_dir, args):
    done = run("config", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert not data_dir.exists()
