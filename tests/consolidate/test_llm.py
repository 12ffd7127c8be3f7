import json
import os
import subprocess
import sys
import time
from pathlib import Path

import claude_stub
import pytest

from awhm_hooks.config import AWHMConfig
from awhm_hooks.consolidate import llm
from awhm_hooks.consolidate.llm import AnthropicAPI, ClaudeCode, LLMError, LLMMissing, Usage
from awhm_hooks.consolidate.stage2_prompt import SCHEMA, SYSTEM
from awhm_hooks.errors import AwhmError
from awhm_hooks.files import locked
from awhm_hooks.journal import own_call
from awhm_hooks.paths import Paths

ENVELOPES = json.loads((Path(__file__).parents[1] / "data" / "claude_envelopes.json").read_text())


@pytest.fixture
def stub(tmp_path):
    return claude_stub.make(tmp_path / "bin")


@pytest.fixture
def new_client(tmp_path, stub):
    def make(command=None, model="haiku", timeout_s=30.0, **environ):
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environ}
        return ClaudeCode(Paths(str(tmp_path / "data")), command or stub.path, model, timeout_s, env)

    return make


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# claude -p


def test_a_call_is_lean_hook_free_and_reads_its_prompt_from_stdin(new_client, stub, tmp_path):
    stub.plays(claude_stub.answer({"x": 1}))
    found = new_client().complete_json("Be brief.\nVery.", "the prompt → here", {"type": "object"})
    assert json.loads(found) == {"memories": [{"x": 1}]}
    (call,) = stub.calls
    argv = call["argv"]
    assert call["stdin"] == "the prompt → here"
    assert argv[0] == "-p" and "the prompt" not in " ".join(argv)
    follows = {name: argv[argv.index(name) + 1] for name in argv if name.startswith("--") and name != argv[-1]}
    assert json.loads(follows["--settings"]) == {"disableAllHooks": True}
    assert follows["--tools"] == "" and follows["--output-format"] == "json" and follows["--model"] == "haiku"
    assert follows["--system-prompt"] == "Be brief. Very."
    assert json.loads(follows["--json-schema"]) == {"type": "object"}
    assert {"--no-session-persistence", "--strict-mcp-config"} <= set(argv)
    assert Path(call["cwd"]) == tmp_path / "data" / "meta" / "neutral" and call["files"] == []


def test_the_child_has_the_markers_and_none_of_its_caller_s_session(new_client, stub):
    inherited = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SESSION_ID": "x",
        "CLAUDE_PID": "1",
        "AWHM_STAGE2": "1",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    }
    new_client(**inherited).complete_json("s", "u", {})
    env = stub.calls[0]["env"]
    assert not set(env) & (set(inherited) - {"ANTHROPIC_BASE_URL"})
    assert env["AWHM_HOOK_ACTIVE"] == env["AWHM_IN_STAGE2"] == "1"
    assert env["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] == "1" and env["CLAUDE_CODE_MAX_RETRIES"] == "1"
    assert env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"


def test_no_model_named_leaves_the_choice_to_the_client(new_client, stub):
    new_client(model="").complete_json("s", "u", {})
    assert "--model" not in stub.calls[0]["argv"]


def test_usage_is_read_from_the_envelope(new_client, stub):
    client = new_client()
    client.complete_json("s", "u", {})
    assert client.usage == Usage("claude-haiku-5-5", 1200, 50, 0.0025)


@pytest.mark.report("AWHM-P038")
@pytest.mark.parametrize("size", [480_000, 5_000_000])
def test_a_large_prompt_goes_through_stdin_and_no_argument_is_large(new_client, stub, size):
    new_client().complete_json(SYSTEM, "é" * (size // 2), SCHEMA)
    (call,) = stub.calls
    assert call["stdin_bytes"] == size
    assert max(len(argument.encode()) for argument in call["argv"]) < 32_000
    assert sum(len(argument.encode()) for argument in call["argv"]) < 32_000


def test_arguments_that_would_be_too_large_make_no_call(new_client, stub):
    with pytest.raises(LLMError, match="at most"):
        new_client().complete_json("x" * 31_000, "u", {})
    assert stub.calls == []


@pytest.mark.report("AWHM-P034")
@pytest.mark.parametrize("locale", ["C", "de_DE.ISO-8859-1", "ja_JP.SJIS"])
@pytest.mark.parametrize("text", ["Moved from REST → gRPC — latency", "端口是 8443", "naïve café 👍"])
def test_the_answer_is_utf8_whatever_the_locale(new_client, stub, locale, text):
    stub.plays(claude_stub.answer({"content": text}))
    environ = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}
    assert json.loads(new_client(**environ).complete_json("s", "u → v", {}))["memories"] == [{"content": text}]
    assert stub.calls[0]["stdin"] == "u → v"


REFUSED = {
    "http_401": "401: Invalid API key",
    "http_429": "Request rejected (429)",
    "connection_refused": "Connection refused",
    "no_credentials": "Not logged in",
    "json_schema_never_valid": "Failed to provide valid structured output",
    "json_schema_model_answers_in_prose": "in prose",
    "text": "in prose",
}


@pytest.mark.parametrize("name", REFUSED)
def test_every_failure_that_the_client_was_seen_to_report_is_told(new_client, stub, name):
    seen = ENVELOPES[name]
    stub.plays({"out": json.dumps(seen["stdout"]), "code": seen["exit_code"]})
    client = new_client()
    with pytest.raises(LLMError) as told:
        client.complete_json("s", "u", {})
    assert REFUSED[name] in str(told.value) and len(str(told.value)) < 300
    assert client.usage.cost_usd == seen["stdout"]["total_cost_usd"], "a failed call may have cost something"


def test_a_good_answer_is_one_with_exit_code_0_and_structured_output(new_client, stub):
    seen = ENVELOPES["json_schema"]["stdout"]
    stub.plays({"out": json.dumps(seen)})
    assert json.loads(new_client().complete_json("s", "u", {})) == seen["structured_output"]
    stub.plays({"out": json.dumps(seen), "code": 1})
    with pytest.raises(LLMError):
        new_client().complete_json("s", "u", {})


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"err": "error: unknown option '--x'\n", "code": 1}, "unknown option"),
        ({"out": "Killed\n", "code": 137}, "Killed"),
        ({"out": "", "code": 0}, "no output"),
        ({"out": '{"type": "resu', "code": 0}, "without an answer"),
    ],
)
def test_no_envelope_is_a_clear_failure(new_client, stub, part, told):
    stub.plays(part)
    with pytest.raises(LLMError, match=told):
        new_client().complete_json("s", "u", {})


@pytest.mark.parametrize("before", ["npm warn deprecated\n", '{"level": "info"}\n', "[1, 2]\n"])
def test_an_envelope_behind_a_wrapper_s_words_is_found(new_client, stub, before):
    stub.plays({"out": before + claude_stub.envelope({"memories": []}) + "\n"})
    assert json.loads(new_client().complete_json("s", "u", {})) == {"memories": []}


def test_the_events_of_a_verbose_client_end_in_the_envelope(new_client, stub):
    stub.plays({"out": f'[{{"type": "system"}}, {claude_stub.envelope({"memories": []})}]'})
    assert json.loads(new_client().complete_json("s", "u", {})) == {"memories": []}


def test_a_call_that_hangs_is_ended_with_everything_that_it_started(new_client, stub):
    stub.plays({"sleep": 60, "child": True})
    started = time.monotonic()
    with pytest.raises(LLMError, match=r"within 1\.5 s"):
        new_client(timeout_s=1.5).complete_json("s", "u", {})
    assert time.monotonic() - started < 10
    pids = [stub.calls[0]["pid"], int((stub.directory / "child.pid").read_text())]
    end = time.monotonic() + 5
    while any(map(is_running, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(is_running, pids))


def test_a_secret_in_an_error_is_not_repeated(new_client, stub):
    key = "sk-ant-api03-" + "a1B2c3D4" * 10
    stub.plays({"err": f"invalid key {key}\n", "code": 1})
    with pytest.raises(LLMError) as told:
        new_client().complete_json("s", "u", {})
    assert key not in str(told.value)


# Where claude is


def test_claude_is_found_on_the_path_of_the_caller(tmp_path, stub):
    assert llm.find_command("claude", {"PATH": str(stub.directory), "HOME": str(tmp_path)}) == [stub.path]


def test_claude_is_found_where_its_installer_puts_it(tmp_path, stub):
    place = tmp_path / "home" / ".local" / "bin" / "claude"
    place.parent.mkdir(parents=True)
    place.symlink_to(stub.path)
    assert llm.find_command("claude", {"PATH": "/nowhere", "HOME": str(tmp_path / "home")}) == [str(place)]


def test_a_command_may_have_spaces_in_its_path_or_arguments(tmp_path, stub):
    spaced = tmp_path / "with space" / "claude"
    spaced.parent.mkdir()
    spaced.symlink_to(stub.path)
    assert llm.find_command(str(spaced), {"PATH": ""}) == [str(spaced)]
    assert llm.find_command("env -u X claude", {"PATH": f"/usr/bin:{stub.directory}"})[1:] == ["-u", "X", "claude"]


@pytest.mark.parametrize("command", ["claude", "/no/such/claude", "", "no-such-program --flag"])
def test_a_missing_claude_is_named_with_the_way_out(new_client, command, tmp_path):
    client = ClaudeCode(Paths(str(tmp_path / "data")), command, "haiku", 5.0, {"PATH": "/nowhere", "HOME": "/nowhere"})
    with pytest.raises(LLMMissing, match="stage2_command"):
        client.ready()
    with pytest.raises(LLMMissing, match="stage2_command"):
        client.complete_json("s", "u", {})


def test_a_file_that_is_no_program_is_a_missing_claude(new_client, tmp_path):
    broken = tmp_path / "claude"
    broken.write_bytes(b"\x00\x01")
    broken.chmod(0o755)
    with pytest.raises(LLMMissing, match="cannot be started"):
        new_client(command=str(broken)).complete_json("s", "u", {})


# Hooks inside a call


def calls_file(tmp_path):
    return str(tmp_path / "data" / "meta" / own_call.FILE)


def probe(tmp_path, session):
    """A process that asks, as a hook does, whether it is inside a call."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(llm.__file__).parents[2])!r});"
        "from awhm_hooks.journal import own_call;"
        f"open({str(tmp_path / 'verdicts')!r}, 'a').write("
        f"str(own_call.is_inside({calls_file(tmp_path)!r}, {session!r})) + '\\n')"
    )
    return {"argv": [sys.executable, "-c", code], "only": ["PATH"]}


def verdicts(tmp_path):
    return (tmp_path / "verdicts").read_text().split()


def test_a_hook_below_the_call_knows_it_even_with_an_empty_environment_and_another_session(new_client, stub, tmp_path):
    in_a_session_of_its_own = probe(tmp_path, "another")
    in_a_session_of_its_own["argv"] = ["setsid", "-w", *in_a_session_of_its_own["argv"]]
    stub.plays({**claude_stub.answer(), "run": [probe(tmp_path, "another"), in_a_session_of_its_own]})
    new_client().complete_json("s", "u", {})
    assert verdicts(tmp_path) == ["True", "True"]


def test_a_hook_elsewhere_goes_on_while_a_call_runs(stub, tmp_path):
    stub.plays({**claude_stub.answer(), "sleep": 1.5})
    code = (
        "from awhm_hooks.consolidate.llm import ClaudeCode; from awhm_hooks.paths import Paths;"
        f"paths = Paths({str(tmp_path / 'data')!r});"
        f"ClaudeCode(paths, {stub.path!r}, 'haiku', 30.0, {{}}).complete_json('s', 'u', {{}})"
    )
    with subprocess.Popen([sys.executable, "-c", code], env={"PYTHONPATH": os.pathsep.join(sys.path)}) as caller:
        while not stub.calls:
            time.sleep(0.05)
        assert not own_call.is_inside(calls_file(tmp_path), "another")
        argv = stub.calls[0]["argv"]
        assert own_call.is_inside(calls_file(tmp_path), argv[argv.index("--session-id") + 1])
    assert caller.returncode == 0


def test_the_session_of_a_call_is_known_after_it_has_ended(new_client, stub, tmp_path):
    new_client().complete_json("s", "u", {})
    argv = stub.calls[0]["argv"]
    session = argv[argv.index("--session-id") + 1]
    assert own_call.is_inside(calls_file(tmp_path), session)
    assert not own_call.is_inside(calls_file(tmp_path), "another")


def test_many_calls_leave_a_small_file(new_client, tmp_path, stub):
    for _ in range(3):
        new_client().complete_json("s", "u", {})
    lines = Path(calls_file(tmp_path)).read_text().splitlines()
    assert len(lines) == 3 and len(set(lines)) == 3
    Path(calls_file(tmp_path)).write_text("".join(f"old-{n} 1\n" for n in range(500)))
    new_client().complete_json("s", "u", {})
    assert len(Path(calls_file(tmp_path)).read_text().splitlines()) <= 50


def test_another_container_s_process_numbers_mean_nothing_here(tmp_path):
    path = tmp_path / "calls"
    path.write_text(f"one pid:[1] {os.getppid()}\n")
    with locked(str(path)):
        assert not own_call.is_inside(str(path), "s-1")
        path.write_text(f"one {own_call.namespace()} {os.getppid()}\n")
        assert own_call.is_inside(str(path), "s-1")
    assert not own_call.is_inside(str(path), "s-1"), "without the lock no call is running"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00 9 9\n", b"\n\n", b"one 99999999999\n"])
def test_a_damaged_file_silences_no_hook(tmp_path, content):
    path = tmp_path / "calls"
    path.write_bytes(content)
    assert not own_call.is_inside(str(path), "s-1")
    assert not own_call.is_inside(str(tmp_path / "missing"), "s-1")


# The configured client


def test_the_configuration_names_the_client(tmp_path):
    paths = Paths(str(tmp_path))
    assert isinstance(llm.make_client(paths, AWHMConfig(), {}), ClaudeCode)
    assert isinstance(llm.make_client(paths, AWHMConfig(stage2_client="anthropic"), {}), AnthropicAPI)
    with pytest.raises(AwhmError, match="claude-code, anthropic"):
        AWHMConfig(stage2_client="gpt")


@pytest.mark.report("AWHM-P080")
@pytest.mark.parametrize(
    ("client", "environ", "billed"),
    [
        ("claude-code", {}, ""),
        ("claude-code", {"ANTHROPIC_API_KEY": ""}, ""),
        ("claude-code", {"ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY"),
        ("claude-code", {"ANTHROPIC_AUTH_TOKEN": "t"}, "ANTHROPIC_AUTH_TOKEN"),
        ("anthropic", {"ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY"),
        ("somebody's own", {"ANTHROPIC_API_KEY": "k"}, ""),
    ],
)
def test_a_key_that_would_be_billed_is_named(client, environ, billed):
    assert llm.billing(client, environ) == billed
