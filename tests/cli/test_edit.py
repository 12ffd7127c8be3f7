import json

import pytest


@pytest.fixture
def uid(run, tmp_path):
    ran = run("remember", "The staging port is 8443", "--project", str(tmp_path), "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["id"]


def test_a_person_remembers_supersedes_and_takes_back(run, uid, tmp_path):
    assert run("query", "staging port", "--project", str(tmp_path)).stdout.startswith(" 1. The staging port is 8443")
    ran = run("supersede", uid[:6], "The staging port is 9443", "--why", "it moved")
    assert ran.returncode == 0 and "remembered: The staging port is 9443" in ran.stdout
    newer = ran.stdout.split()[0]
    shown = run("show", uid).stdout
    assert "superseded" in shown and newer in shown and "by hand: it moved" in shown
    ran = run("retract", newer, "--why", "a slip")
    assert ran.returncode == 0 and "retracted" in ran.stdout
    assert "a slip" in run("show", newer).stdout
    assert "Nothing is remembered" in run("query", "staging port", "--project", str(tmp_path)).stdout


def test_show_as_json_has_the_whole_life(answer, uid):
    shown = answer("show", uid)
    assert shown["id"] == uid and shown["status"] == "active" and shown["key"] == "fact:the staging port"
    assert shown["sources"][0]["session"] == "awhm-manual" and shown["said_at"].startswith("20")
    assert shown["superseded_by"] == [] and shown["retracted_at"] is None


@pytest.mark.parametrize("command", [("show", "nosuchid"), ("retract", "nosuchid"), ("supersede", "nosuchid", "x y")])
def test_an_unknown_id_is_a_failure(run, uid, command):
    ran = run(*command)
    assert ran.returncode == 1 and "no memory has this id" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize("command", [("show", "nosuchid"), ("retract", "nosuchid")])
def test_before_anything_is_remembered(run, data_dir, command):
    ran = run(*command)
    assert ran.returncode == 1 and "nothing is remembered yet" in ran.stderr
    assert not data_dir.exists()


def test_scope_and_key_may_be_given(run, answer):
    found = answer("remember", "fish, all the way", "--key", "preference:my shell", "--scope", "user")
    assert found["key"] == "preference:my shell"
    assert answer("show", found["id"])["scope"] == "user"
    assert run("remember", "x", "--scope", "everyone").returncode == 2
    assert run("remember", " ").returncode == 2
