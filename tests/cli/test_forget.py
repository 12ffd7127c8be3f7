import json
import os
import pty
import subprocess
import sys
import time

import pytest
from conftest import clean_env, wait_for_worker

PROJECT = "/tmp/shop-api"
QUICK = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}


def payload(event, session, **fields):
    names = {"prompt": "UserPromptSubmit", "stop": "Stop", "session-end": "SessionEnd"}
    return {"session_id": session, "cwd": PROJECT, "hook_event_name": names[event], **fields}


def grep(data_dir, *words):
    found = set()
    for folder, _, names in os.walk(data_dir):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read().lower()
            found.update(name for word in words if word.lower().encode() in data)
    return found


@pytest.fixture
def quick(hook):
    """A hook whose worker loads no models."""
    return lambda event, fields: hook(event, fields, env=QUICK)


@pytest.fixture
def told(quick, run, data_dir):
    """Two sessions: a fact in the first, the same words in a reply of the second; a snapshot of it all."""
    quick("prompt", payload("prompt", "s-1", prompt="The client is Northwind", prompt_id="p1"))
    quick("stop", payload("stop", "s-1", last_assistant_message="Noted.", prompt_id="p1"))
    quick("session-end", payload("session-end", "s-1", reason="other"))
    quick("prompt", payload("prompt", "s-2", prompt="Who pays us? I prefer short answers.", prompt_id="p2"))
    quick("stop", payload("stop", "s-2", last_assistant_message="Northwind does.", prompt_id="p2"))
    quick("session-end", payload("session-end", "s-2", reason="other"))
    wait_for_worker(data_dir)
    assert run("snapshot", "create").returncode == 0
    return data_dir


@pytest.mark.report("AWHM-P045")
def test_what_is_deleted_is_nowhere_and_stays_away(told, run, answer, quick):
    assert len(grep(told, "northwind")) >= 4
    ran = run("delete", "--match", "Northwind", "--yes")
    assert ran.returncode == 0, ran.stderr
    assert "messages in raw logs" in ran.stdout and "snapshots" in ran.stdout and "Verified" in ran.stdout
    assert grep(told, "northwind") == set()
    quick("session-end", payload("session-end", "s-1", reason="other"))
    wait_for_worker(told)
    assert run("consolidate").returncode == 0
    assert grep(told, "northwind") == set()
    assert "nothing of that is remembered" in run("delete", "--match", "Northwind", "--yes").stdout
    assert answer("query", "short answers", "--all-projects")["results"]


def test_an_unknown_id_is_a_failure_that_says_so(told, run):
    ran = run("delete", "nosuchid", "--yes")
    assert ran.returncode == 1 and "0 deleted" in ran.stderr
    assert grep(told, "northwind")


def test_without_a_terminal_it_wants_yes(told, run):
    ran = run("delete", "--match", "Northwind")
    assert ran.returncode == 2 and "--yes" in ran.stderr
    assert grep(told, "northwind")


def test_a_dry_run_shows_what_would_go(told, run, answer):
    ran = run("delete", "--match", "northwind", "--dry-run")
    assert ran.returncode == 0 and "would be deleted" in ran.stdout and "- The client is Northwind" in ran.stdout
    found = answer("delete", "--match", "northwind", "--dry-run")
    assert found["dry_run"] and found["deleted"] == 0 and found["counts"]["snapshots"] == 1
    assert grep(told, "northwind")


def test_json_tells_counts_and_what_the_scan_found(told, answer):
    found = answer("delete", "--match", "northwind", "--yes")
    assert found.keys() == {"deleted", "dry_run", "by", "counts", "verified", "transcripts"}
    assert found["deleted"] >= 3 and found["by"] == "match" and not found["dry_run"]
    assert found["verified"]["found"] == 0 and found["verified"]["files"] > 5


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("some", "--match", "x y"),
        ("--match", "x"),
        ("--since", "the day that never was"),
    ],
)
def test_wrong_usage_is_told_from_failure(told, run, arguments):
    ran = run("delete", *arguments, "--yes")
    assert ran.returncode in (1, 2) and ran.stderr and "Traceback" not in ran.stderr
    assert grep(told, "northwind")


def test_verify_tells_where_it_is_and_fails(told, run, answer):
    ran = run("delete", "--verify", "Northwind")
    assert ran.returncode == 1 and "memory_graph.sqlite" in ran.stdout and "claude-s-1.jsonl" in ran.stdout
    assert run("delete", "--verify", "a word never said").returncode == 0
    run("delete", "--match", "Northwind", "--yes")
    found = answer("delete", "--verify", "Northwind")
    assert found["found"] == 0 and found["bytes"] > 10_000
    assert run("delete", "--verify").returncode == 0


def test_a_session_and_a_project(told, run, answer):
    assert run("delete", "--session", "s-1", "--yes").returncode == 0
    assert grep(told, "The client is Northwind") == set() and grep(told, "northwind does")
    assert run("delete", "--session", "s-1", "--yes").returncode == 1
    assert run("delete", "--project", PROJECT, "--yes").returncode == 0
    assert grep(told, "northwind") == set()
    assert answer("status")["nodes"] == 0


def test_since_takes_a_day(told, run, answer):
    assert "0 deleted" in run("delete", "--since", "tomorrow", "--yes").stdout
    assert run("delete", "--since", "yesterday", "--yes").returncode == 0
    assert answer("status")["nodes"] == 0


def at_a_terminal(answer, home, data_dir, *arguments):
    """The command as a person sees it, who types an answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "awhm_hooks", *arguments],
        env=clean_env(home, data_dir, QUICK),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.close(theirs)
    os.write(ours, answer.encode() + b"\n")
    shown, _ = process.communicate(timeout=60)
    os.close(ours)
    return process.returncode, shown


def test_at_a_terminal_it_asks_first(told, isolated_home):
    code, shown = at_a_terminal("n", isolated_home, told, "delete", "--match", "Northwind")
    assert code == 1 and "Delete this for good?" in shown and "- The client is Northwind" in shown
    assert grep(told, "northwind")
    code, shown = at_a_terminal("y", isolated_home, told, "delete", "--match", "Northwind")
    assert code == 0 and "Verified" in shown
    assert grep(told, "northwind") == set()


def test_gc_shows_first_and_does_it_when_told(told, run, answer):
    log = told / "logs" / "claude-s-1.jsonl"
    os.utime(log, (time.time() - 100 * 86_400,) * 2)
    ran = run("gc", "--older-than", "90d")
    assert ran.returncode == 0 and "claude-s-1.jsonl" in ran.stdout and "--yes" in ran.stdout and log.exists()
    found = answer("gc", "--older-than", "90d", "--yes")
    assert [entry["session"] for entry in found["logs"]] == ["claude-s-1"] and not log.exists()
    assert "Nothing is old enough" in run("gc", "--older-than", "90d").stdout
    assert run("gc", "--older-than", "soon").returncode == 2
    assert answer("query", "client", "--all-projects")["results"], "its memories stay"


def test_the_transcripts_of_the_client_are_named_and_left(quick, run, data_dir, tmp_path):
    transcript = tmp_path / "s-9.jsonl"
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    line = {"type": "user", "uuid": "u1", "timestamp": stamp, "message": {"role": "user", "content": "Northwind it is"}}
    transcript.write_text(json.dumps(line) + "\n")
    started = {**payload("prompt", "s-9", transcript_path=str(transcript)), "hook_event_name": "SessionStart"}
    quick("session-start", {**started, "source": "startup"})
    quick("prompt", payload("prompt", "s-9", prompt="Northwind it is", prompt_id="p1"))
    run("consolidate")
    ran = run("delete", "--match", "northwind", "--yes")
    assert str(transcript) in ran.stdout
    assert "Northwind" in transcript.read_text() and grep(data_dir, "northwind") == set()
