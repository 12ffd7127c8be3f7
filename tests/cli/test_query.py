"""`awhm query` and `awhm consolidate`."""

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from conftest import clean_env, worker_is_running

from awhm_hooks.paths import Paths
from cli.conftest import QUICK

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


def texts(found):
    return [result["text"] for result in found["results"]]


SHORT_NAMES = ["The deploy job is called :fire: in [bold]Slack[/bold]", "Der Alarm heißt :rocket: :smile:"]


@pytest.mark.parametrize("text", SHORT_NAMES)
def test_what_was_said_is_printed_as_it_was_said(run, text):
    remembered = run("remember", text)
    assert text in remembered.stdout
    (found,) = json.loads(run("query", text, "--json").stdout)["results"]
    for command in (["query", text], ["show", found["id"]], ["delete", "--match", text.split()[-1], "--dry-run"]):
        assert text in run(*command).stdout, command


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

    def test_k_is_the_number_of_results_at_most(self, answer, project):
        assert len(texts(answer("query", "backup box", "-k", "1", "--include-history", cwd=project))) == 1

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


@pytest.mark.parametrize("text", ["", "[bold]port[/bold]", "'; DROP TABLE nodes", "端口", "-x"])
def test_any_text_may_be_asked(run, say, project, text):
    say("The [bold]staging[/bold] port is 8443 → 端口 [link=x]y[/link]")
    done = run("query", "--", text, cwd=project)
    assert (done.returncode, done.stderr) == (0, "")


def test_markup_of_the_terminal_is_shown_as_it_was_said(run, say, project):
    say("The staging [bold red]port[/bold red] is 8443 always")
    assert "[bold red]port[/bold red] is 8443 always" in run("query", "staging port", cwd=project).stdout


def test_json_is_utf_8_whatever_the_terminal_says(run, say, project):
    say("The arrow is → and the port is 端口")
    done = run("query", "arrow", "--json", cwd=project, env={"PYTHONIOENCODING": "cp1252:strict"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "→ and the port is 端口" in json.loads(done.stdout)["results"][0]["text"]


def test_a_reader_that_goes_away_is_no_fault(isolated_home, data_dir, say, project):
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


def test_a_damaged_store_is_rebuilt_on_request(say, consolidate, answer, project, data_dir):
    say("The staging port is 8443.")
    consolidate()
    (data_dir / "graph" / "memory_graph.sqlite").write_bytes(b"junk" * 5000)
    assert answer("consolidate")["sessions"] == 1
    assert "The staging port is 8443" in texts(answer("query", "staging port", cwd=project))
    assert [name for name in os.listdir(data_dir / "graph") if "damaged" in name]
