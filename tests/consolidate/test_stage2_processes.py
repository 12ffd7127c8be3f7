"""Stage 2 as people run it: hooks, worker and command line as processes, a small executable for `claude`."""

import json
import subprocess
import sys
import time

import claude_stub
import pytest
from claude_stub import answer, failure, proposal
from conftest import clean_env, hook_command, wait_for_worker

from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths

DECISION = "Let's go with Rust for the importer then."
FOUND = "We use Rust for the importer"
QUESTION = "Which language is the importer in?"


@pytest.fixture
def claude(tmp_path):
    return claude_stub.make(tmp_path / "bin")


@pytest.fixture
def on(claude):
    """The environment with Stage 2 switched on."""
    return {"AWHM_STAGE2": "1", "AWHM_STAGE2_COMMAND": claude.path, "AWHM_NER_LABELS": "", "AWHM_SEMANTIC": "0"}


def payload(event, session="s-1", **more):
    name = {"prompt": "UserPromptSubmit", "session-end": "SessionEnd", "session-start": "SessionStart"}[event]
    fields = {
        "session_id": session,
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop-api/{session}.jsonl",
        "cwd": "/home/dev/shop-api",
        "permission_mode": "default",
        "hook_event_name": name,
    }
    return {**fields, **more}


def prompt(text, session="s-1"):
    return payload("prompt", session, prompt=text, prompt_id=f"p-{session}-{abs(hash(text))}")


def end(session="s-1"):
    return payload("session-end", session, reason="prompt_input_exit")


def logs(data_dir):
    return sorted(path.stem for path in (data_dir / "logs").glob("*.jsonl"))


def status(awhm, env):
    ran = awhm("status", "--json", env=env)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["stage2"]


def test_what_a_model_finds_at_the_end_of_a_session_is_recalled_in_the_next(hook, data_dir, claude, on):
    claude.plays(answer(proposal(FOUND, [1], slot="the importer language")))
    hook("prompt", prompt(DECISION), on)
    hook("session-end", end(), on)
    wait_for_worker(data_dir)
    assert FOUND in hook("prompt", prompt(QUESTION, "s-2"), on).context
    assert len(claude.calls) == 1


@pytest.mark.parametrize("is_asked", [True, False])
def test_the_option_of_the_hook_switches_it_on(awhm, hook, data_dir, claude, on, is_asked):
    claude.plays(answer(proposal(FOUND, [1])))
    env = {**on, "AWHM_STAGE2": None}
    hook("prompt", prompt(DECISION), env)
    option = ["--stage2"] if is_asked else []
    ran = awhm("hook", "session-end", *option, env=env, stdin=json.dumps(end()))
    assert (ran.returncode, ran.stdout) == (0, "")
    wait_for_worker(data_dir)
    assert len(claude.calls) == int(is_asked)


def test_an_option_in_the_settings_reaches_the_hook(data_dir, isolated_home, claude, on):
    """As a person writes it into settings.json, behind the hook's name."""
    env = clean_env(isolated_home, data_dir, {**on, "AWHM_STAGE2": None})
    for arguments, data in (
        (hook_command("prompt"), prompt(DECISION)),
        ([*hook_command("session-end"), "--stage2"], end()),
    ):
        subprocess.run(arguments, input=json.dumps(data).encode(), env=env, check=True, cwd=isolated_home)
    wait_for_worker(data_dir)
    assert len(claude.calls) == 1


def test_the_configuration_file_switches_it_on(hook, data_dir, claude, on):
    data_dir.mkdir()
    (data_dir / "config.toml").write_text(
        f'stage2_enabled = true\nstage2_command = "{claude.path}"\nsemantic = false\n'
    )
    hook("prompt", prompt(DECISION))
    hook("session-end", end())
    wait_for_worker(data_dir)
    assert len(claude.calls) == 1


@pytest.mark.report("AWHM-P080")
def test_without_being_asked_no_call_is_made_and_then_one_a_session_up_to_the_cap(awhm, hook, data_dir, claude, on):
    keyed = {**on, "AWHM_STAGE2": None, "ANTHROPIC_API_KEY": "sk-ant-fake"}
    for n in range(20):
        hook("prompt", prompt(f"let's use Rust {n}", f"b-{n}"), keyed)
        hook("session-end", end(f"b-{n}"), keyed)
    wait_for_worker(data_dir)
    awhm("consolidate", env=keyed)
    assert claude.calls == []
    assert status(awhm, keyed)["never_asked"] == 20

    capped = {**keyed, "AWHM_STAGE2": "1", "AWHM_STAGE2_MAX_CALLS_PER_DAY": "15"}
    ran = awhm("consolidate", "--stage2", env=capped)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert len(claude.calls) == 15
    assert "ANTHROPIC_API_KEY is set" in ran.stdout and "5 sessions still wait" in ran.stdout
    awhm("consolidate", "--stage2", env=capped)
    assert len(claude.calls) == 15

    shown = awhm("status", env=capped).stdout
    assert "15 of 15 calls" in shown and "ANTHROPIC_API_KEY is set: calls are billed to that key" in shown
    found = status(awhm, capped)
    assert found["spending"]["today"]["calls"] == 15
    assert found["spending"]["total"]["input_tokens"] == 15 * 1200
    assert found["spending"]["total"]["cost_usd"] == pytest.approx(15 * 0.0025)

    awhm("consolidate", "--stage2", env={**capped, "AWHM_STAGE2_MAX_CALLS_PER_DAY": "50"})
    assert len(claude.calls) == 20, "one call a session"


def test_the_model_of_one_run_can_be_named(awhm, hook, data_dir, claude, on):
    hook("prompt", prompt(DECISION), {**on, "AWHM_STAGE2": None})
    hook("session-end", end(), {**on, "AWHM_STAGE2": None})
    wait_for_worker(data_dir)
    ran = awhm("consolidate", "--stage2", "--stage2-model", "sonnet", "--json", env={**on, "AWHM_STAGE2": None})
    assert json.loads(ran.stdout)["stage2"]["calls"] == 1
    argv = claude.calls[0]["argv"]
    assert argv[argv.index("--model") + 1] == "sonnet"


@pytest.mark.report("AWHM-P038")
def test_a_session_of_large_messages_goes_through_stdin(awhm, hook, data_dir, claude, on):
    paths = Paths(str(data_dir))
    for n in range(60):
        text = f"this is part {n} of it " + "word " * 1_600
        raw_log.append_message(paths, "claude-s-1", "user", text, 1_772_000_000.0 + n, f"p{n}", "/p", "/p")
    hook("session-end", end(), on)
    wait_for_worker(data_dir)
    calls = claude.calls
    assert len(calls) > 1 and all(call["stdin_bytes"] <= 60_000 for call in calls)
    assert all(f"this is part {n} of it" in "".join(call["stdin"] for call in calls) for n in range(60))
    assert max(len(argument.encode()) for call in calls for argument in call["argv"]) < 32_000


@pytest.mark.report("AWHM-P034")
@pytest.mark.parametrize("locale", ["C", "en_US.CP1252"])
def test_arrows_and_dashes_are_stored_as_they_are(hook, data_dir, claude, on, locale):
    """The case's own prompt has neither REST nor latency, and what nobody said is refused: here the person says it."""
    claude.plays(answer(proposal("Moved from REST → gRPC — latency", [1])))
    env = {**on, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0"}
    hook("prompt", prompt("let's move from REST to gRPC then, for the latency"), env)
    hook("session-end", end(), env)
    wait_for_worker(data_dir)
    records = raw_log.read(Paths(str(data_dir)).log_file("claude-s-1"))
    (call,) = [record for record in records if record.kind == "stage2"]
    assert [memory["text"] for memory in call.fields["memories"]] == ["Moved from REST → gRPC — latency"]
    assert "→ gRPC — latency" in hook("prompt", prompt("why gRPC, was it latency?", "s-2"), env).context


FAILING = {
    "prose": ({"out": claude_stub.envelope(result="I would rather not.")}, "in prose"),
    "401": (failure(401, "Invalid API key · Fix external API key"), "401: Invalid API key"),
    "429": (failure(429, "API Error: Request rejected (429) · slow down"), "(429)"),
    "down": (failure(None, "API Error: Connection refused (ECONNREFUSED)"), "Connection refused"),
    "hang": ({"sleep": 60}, "no answer within 1 s"),
    "crash": ({"code": 139}, "exit code 139"),
    "missing": (None, "was not found on PATH; set stage2_command"),
}


@pytest.mark.parametrize("name", FAILING)
def test_whatever_fails_stage_1_s_result_is_whole_and_status_says_what_it_was(awhm, hook, data_dir, claude, on, name):
    part, told = FAILING[name]
    env = {**on, "AWHM_STAGE2_TIMEOUT_S": "1"}
    if part is None:
        env["AWHM_STAGE2_COMMAND"] = "no-such-claude"
    else:
        claude.plays(part)
    hook("prompt", prompt("The staging port is 8443. " + DECISION), env)
    hook("session-end", end(), env)
    wait_for_worker(data_dir)
    assert "8443" in hook("prompt", prompt("Which port is staging on?", "s-2"), env).context
    shown = awhm("status", env=env).stdout
    (line,) = [line for line in shown.splitlines() if "last error" in line]
    assert told in line and "1 session waits" in shown


def test_a_person_who_asks_for_it_is_told_what_failed_and_may_try_again_at_once(awhm, hook, data_dir, claude, on):
    part, told = FAILING["429"]
    claude.plays(part)
    hook("prompt", prompt(DECISION), on)
    hook("session-end", end(), on)
    wait_for_worker(data_dir)
    ran = awhm("consolidate", "--stage2", env=on)
    assert ran.returncode == 1 and told in ran.stdout and len(claude.calls) == 2
    claude.plays(answer(proposal(FOUND, [1])))
    assert awhm("consolidate", "--stage2", env=on).returncode == 0
    found = status(awhm, on)
    assert (found["waiting"], found["admitted_in_graph"], found["spending"]["total"]["failed"]) == (0, 1, 2)


# No hook of ours inside the call


def inner_hooks(claude, **how):
    """A wrapper that starts every hook of ours inside the call, as a client with its own session does."""
    steps = []
    for event, data in (
        ("session-start", payload("session-start", "child-9", source="startup")),
        ("prompt", prompt("inner words that nobody typed", "child-9")),
        ("session-end", end("child-9")),
    ):
        steps.append({"argv": hook_command(event), "payload": data, **how})
    claude.plays({**answer(), "run": steps})


STRIPPED = {
    "as it is": {},
    "without the markers": {"without": ["AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"]},
    "with little more than its home": {"only": ["PATH", "HOME", "AWHM_DATA_DIR", "AWHM_STAGE2", "AWHM_STAGE2_COMMAND"]},
}


@pytest.mark.report("AWHM-P013")
@pytest.mark.parametrize("name", STRIPPED)
def test_hooks_inside_a_call_do_nothing_and_no_chain_begins(hook, data_dir, claude, on, name):
    inner_hooks(claude, **STRIPPED[name])
    hook("prompt", prompt("Let's go with Rust then."), on)
    hook("session-end", end(), on)
    wait_for_worker(data_dir)
    assert len(claude.calls) == 1
    assert logs(data_dir) == ["claude-s-1"]
    hook("prompt", prompt("one more thing, let's go with Zig", "s-2"), on)
    hook("session-end", end("s-2"), on)
    wait_for_worker(data_dir)
    assert logs(data_dir) == ["claude-s-1", "claude-s-2"], "hooks of people's own sessions go on"
    assert len(claude.calls) == 2


@pytest.mark.report("AWHM-P013")
def test_the_command_line_inside_a_call_asks_nobody(hook, data_dir, claude, on):
    again = [sys.executable, "-m", "awhm_hooks", "consolidate", "--stage2"]
    claude.plays({**answer(), "run": [{"argv": again, "payload": {}}]})
    hook("prompt", prompt(DECISION), on)
    hook("session-end", end(), on)
    wait_for_worker(data_dir)
    assert len(claude.calls) == 1


@pytest.mark.report("AWHM-P015")
@pytest.mark.parametrize("marker", ["AWHM_HOOK_ACTIVE", "AWHM_IN_STAGE2"])
def test_the_end_of_a_call_s_session_leaves_the_live_one_alone(hook, data_dir, marker):
    hook("prompt", prompt("I prefer 2-space indents."))
    wal = next((data_dir / "wal").glob("*.wal"))
    before = wal.read_bytes()
    hook("session-end", end("child-9"), {marker: "1"})
    assert wal.read_bytes() == before and logs(data_dir) == ["claude-s-1"]
    assert "2-space" in hook("prompt", prompt("indent preference?")).context


def test_a_hook_outside_is_heard_while_a_call_runs(hook, data_dir, claude, on):
    claude.plays({**answer(), "sleep": 3})
    hook("prompt", prompt(DECISION), on)
    hook("session-end", end(), on)
    end_at = time.monotonic() + 60
    while not claude.calls and time.monotonic() < end_at:
        time.sleep(0.05)
    assert claude.calls
    hook("prompt", prompt("The gate port is 22.", "s-2"), on)
    assert logs(data_dir) == ["claude-s-1", "claude-s-2"]
    wait_for_worker(data_dir, pending=1)
