"""A hook keeps nobody waiting and blocks no prompt, whatever is slow, long, left over or broken around it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import hook_command

from reports.person import has_in_graph, has_logged
from reports.watching import on_a_small_disk, started, watched, without_network, without_privilege

AT_ONCE_S = 1.0
"""What the reports allow; a hook takes a tenth of it. The best of a few runs counts: the machine may be busy."""


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def best(runs):
    return min(run.seconds for run in runs)


# Slow work.


@pytest.fixture(scope="module")
def slow_world(new_person, tmp_path_factory):
    """5,000 memories, a model that never loads, and Stage 2 with a `claude` that takes a minute to answer."""
    slow = tmp_path_factory.mktemp("slow")
    claude = script(slow / "claude", f"echo called >> {slow}/calls; exec sleep 60")
    someone = new_person(AWHM_STAGE2="1", AWHM_STAGE2_COMMAND=str(claude), AWHM_SEMANTIC="1")
    has_in_graph(someone, [f"Note {n}: part {n % 97} goes to shelf {n % 89}." for n in range(5000)])
    models = someone.home / "models"
    models.mkdir()
    os.mkfifo(models / "current.json")  # whoever reads the model's manifest waits for ever
    someone.env["AWHM_MODELS_DIR"] = str(models)
    someone.slow = slow
    return someone


REPLIES = [
    "Done. The retry limit is now 5.",
    "Fertig. Das Limit für Wiederholungen ist jetzt 5.",
    "ok",
    "words " * 50_000,
]


@pytest.mark.report("AWHM-P001")
@pytest.mark.parametrize("reply", REPLIES, ids=["case", "German", "short", "300 kB"])
def test_stop_logs_the_reply_and_does_no_slow_work(slow_world, reply):
    session = f"s-{REPLIES.index(reply)}"
    runs = [slow_world.is_answered(reply if n == 0 else f"{reply} ({n})", session) for n in range(3)]
    assert [(run.returncode, run.stdout, run.stderr) for run in runs] == [(0, b"", b"")] * 3
    assert best(runs) < AT_ONCE_S
    assert slow_world.messages(session)[0][0] == "assistant"
    assert slow_world.messages(session)[0][1][:20] == reply[:20].strip()
    payload = slow_world.payload("stop", session, last_assistant_message=f"{reply} again")
    seen = watched(slow_world, "stop", payload)
    assert (seen.started, seen.loaded, seen.connected) == ([], [], [])
    assert not (slow_world.slow / "calls").exists()


# A long session.


@pytest.fixture(scope="module")
def long_session(new_person):
    """Turn 4,001 of one session, its transcript of 20 MB beside it; and somebody at turn 10 of another."""
    veteran, beginner = new_person(), new_person()
    for someone, turns in ((veteran, 4000), (beginner, 9)):
        texts = [f"Turn {n}: look at module {n % 311} once more." for n in range(2 * turns)]
        has_logged(someone, "s-1", texts)
        transcript = someone.home / ".claude" / "projects" / "-shop-api" / "s-1.jsonl"
        transcript.parent.mkdir(parents=True)
        transcript.write_text('{"type":"user","message":{"role":"user","content":"%s"}}\n' % ("x" * 5000) * turns)
        someone.says("What was module 3?", prompt_id="warm")
    return veteran, beginner


ASKED = ["What port does staging use?", "¿Qué puerto usa staging?", "Welchen Port hat Staging? " * 40]


@pytest.mark.report("AWHM-P002")
@pytest.mark.parametrize("text", ASKED, ids=["case", "Spanish", "long"])
def test_a_turn_late_in_a_session_costs_what_an_early_one_does(long_session, text):
    added, read = [], []
    quickest = [9.0, 9.0]
    for n in range(6):  # in turn, so that what else the machine does falls on both
        for place, someone in enumerate(long_session):
            asked = someone.says(f"{text} {n}", prompt_id=f"q{len(text)}-{n}")
            told = someone.is_answered(f"Staging uses 8443. {text} {n}")
            quickest[place] = min(quickest[place], asked.seconds + told.seconds)
    for someone in long_session:
        before = someone.size()
        someone.says(f"{text} again", prompt_id=f"q{len(text)}-again")
        added.append(someone.size() - before)
        reply = someone.payload("stop", "s-1", last_assistant_message=f"{text} 8443.")
        seen = watched(someone, "stop", reply)
        read.append(seen.read)
        assert not [path for path in seen.opened if path.endswith("/-shop-api/s-1.jsonl")]
    assert quickest[0] < 2 * quickest[1]
    assert added[0] < added[1] + 20 * len(text) + 4000
    assert read[0] < read[1] + 200_000, "the log's tail and the write-ahead log's since its last checkpoint"


# A backlog.


@pytest.mark.report("AWHM-P003")
@pytest.mark.parametrize(
    ("known", "asked", "part", "backlog"),
    [
        ("We decided to use BullMQ as our queue library.", "remind me which queue library we picked", "BullMQ", 200),
        ("Usamos BullMQ como librería de colas.", "¿qué librería de colas usamos?", "BullMQ", 40),
        ("Unsere Queue-Bibliothek ist BullMQ.", "Welche Queue-Bibliothek nehmen wir nochmal?", "BullMQ", 5),
    ],
)
def test_a_backlog_is_left_to_the_worker_and_the_answer_is_given(person, known, asked, part, backlog):
    person.tells(known, session="before")
    for n in range(backlog):
        has_logged(person, f"crashed-{n}", [f"Crashed session {n} was about ticket {n}.", "I see."])
    consolidated = "SELECT count(*) FROM sessions"
    before = person.rows(consolidated)
    run = person.says(asked, "now-0")
    assert part in run.context
    assert best([run, *(person.says(asked, f"now-{n}") for n in (1, 2))]) < AT_ONCE_S
    assert watched(person, "prompt", person.payload("prompt", "now-3", prompt=asked)).started == []
    assert person.rows(consolidated) == before
    person.leaves("now-0")
    assert person.status()["pending_sessions"] == 0
    assert person.rows(consolidated)[0][0] >= backlog + 4


# A broken store.


def read_only(person):
    person.data_dir.mkdir()
    person.data_dir.chmod(0o500)
    return without_privilege(hook_command("prompt"))


def graph_is_a_directory(person):
    (person.data_dir / "graph" / "memory_graph.sqlite").mkdir(parents=True)
    return hook_command("prompt")


def disk_full(person):
    return on_a_small_disk(hook_command("prompt"), 2048)


def graph_is_corrupt(person):
    (person.data_dir / "graph").mkdir(parents=True)
    (person.data_dir / "graph" / "memory_graph.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 20_000)
    return hook_command("prompt")


def log_is_a_directory(person):
    (person.data_dir / "logs" / "claude-s-1.jsonl").mkdir(parents=True)
    return hook_command("prompt")


def configuration_is_wrong(person):
    person.data_dir.mkdir()
    (person.data_dir / "config.toml").write_text("k = 'many'\n")
    return hook_command("prompt")


@pytest.mark.report("AWHM-P004")
@pytest.mark.parametrize(
    ("breakage", "calls"),
    [
        (graph_is_corrupt, 200),
        (read_only, 40),
        (graph_is_a_directory, 40),
        (disk_full, 40),
        (log_is_a_directory, 20),
        (configuration_is_wrong, 20),
    ],
)
def test_a_broken_store_blocks_no_prompt_however_often(person, breakage, calls):
    """No hook counts its failures: where the report calls 200 times each, one breakage stands for all."""
    command = breakage(person)

    def call(number):
        payload = person.payload("prompt", "s-1", prompt="create the release PR", prompt_id=f"p{number}")
        done = started(person, command, payload)
        return done.returncode, done.stdout, done.stderr

    with ThreadPoolExecutor(4) as crowd:
        outcomes = set(crowd.map(call, range(calls)))
    assert outcomes == {(0, b"", b"")}
    person.data_dir.chmod(0o700) if person.data_dir.is_dir() else None
    errors = person.data_dir / "meta" / "errors.log"
    if breakage is not read_only:
        lines = errors.read_text().splitlines()
        assert lines and len(lines[0]) < 600
        assert len(lines) <= 2 * calls, "a line for what is broken, and one for what follows from it"


# Seconds.


def timeouts_of(text):
    return {int(found) for found in re.findall(r'"timeout": (\d+)[,}\s]', text)}


@pytest.mark.report("AWHM-P005")
@pytest.mark.parametrize("options", [(), ("--command", "/opt/awhm/bin/awhm")], ids=["case", "another executable"])
def test_printed_timeouts_are_seconds(person, options):
    block = json.loads(person.runs("hook", "settings", *options).stdout)["hooks"]
    seconds = {
        event: entry["timeout"] for event, ((entry,),) in ((e, [g["hooks"] for g in gs]) for e, gs in block.items())
    }
    assert all(type(value) is int for value in seconds.values())
    assert seconds["UserPromptSubmit"] <= 10 and seconds["Stop"] <= 15 and 5 <= seconds["SessionEnd"] <= 60


@pytest.mark.report("AWHM-P005")
@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_an_install_would_write_seconds(person, scope):
    shown = person.runs("hook", "install", "--dry-run", "--scope", scope).stdout
    assert shown.count('"timeout"') == 4
    assert timeouts_of(shown) <= set(range(5, 16))


@pytest.mark.report("AWHM-P005")
def test_an_older_install_in_milliseconds_is_set_right(person):
    settings = person.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    old = json.loads(person.runs("hook", "settings").stdout)
    for groups in old["hooks"].values():
        groups[0]["hooks"][0]["timeout"] *= 1000
    settings.write_text(json.dumps(old))
    assert person.runs("hook", "install").returncode == 0
    assert timeouts_of(settings.read_text()) <= set(range(5, 16))


# The network.

EVENTS = {
    "prompt": {"prompt": "where did we leave the importer?"},
    "stop": {"last_assistant_message": "At step 3."},
    "session-end": {"reason": "prompt_input_exit"},
    "session-start": {"source": "startup"},
}
PROXIED = {"HTTPS_PROXY": "http://proxy.invalid:3128", "PIP_INDEX_URL": "https://index.invalid/simple"}


def test_the_filter_ends_whoever_asks_for_the_network(person):
    code = "import socket; socket.socket(socket.AF_UNIX); socket.getaddrinfo('index.invalid', 443)"
    done = subprocess.run(without_network([sys.executable, "-c", code]), capture_output=True)
    assert done.returncode == -signal.SIGSYS


@pytest.mark.report("AWHM-P006")
@pytest.mark.parametrize("env", [{}, {"AWHM_SEMANTIC": "1"}, PROXIED], ids=["case", "by meaning", "behind a proxy"])
@pytest.mark.parametrize("event", EVENTS)
def test_no_hook_touches_the_network(person, event, env):
    person.says("The importer stopped at step 2.", "before")
    payload = person.payload(event, "s-1", **EVENTS[event])
    done = started(person, without_network(hook_command(event)), payload, **env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert watched(person, event, {**payload, "session_id": "s-2"}, **env).connected == []


@pytest.mark.report("AWHM-P006")
def test_the_worker_does_without_the_network_too(person):
    person.says("The importer stopped at step 2.")
    started(person, without_network(hook_command("session-end")), person.payload("session-end", "s-1", reason="other"))
    person.waits()
    assert len(person.rows("SELECT 1 FROM nodes WHERE family = 'message'")) == 1


@pytest.mark.report("AWHM-P006")
def test_recall_by_meaning_writes_and_calls_nowhere_else(person):
    """ONNX Runtime has a telemetry of its own, which would keep a device id and a database in the home."""
    scratch = person.home / "tmp"
    scratch.mkdir()
    env = {"AWHM_SEMANTIC": "1", "TMPDIR": str(scratch), "XDG_CACHE_HOME": str(person.home / "cache")}
    person.says("The importer stopped at step 2.", "before", env=env)
    ended = person.payload("session-end", "before", reason="other")
    assert started(person, without_network(hook_command("session-end")), ended, **env).returncode == 0
    person.waits()
    asked = person.payload("prompt", "s-1", prompt="where did we leave the importer?")
    assert started(person, without_network(hook_command("prompt")), asked, **env).returncode == 0
    assert person.rows("SELECT count(*) FROM vector_rows")[0][0] == 1
    assert [path for path in (*person.home.rglob("*Microsoft*"), *scratch.iterdir(), *person.home.rglob("*.ses"))] == []


# The first run.


@pytest.mark.report("AWHM-P008")
@pytest.mark.parametrize("installer", ["pip", "uv", "npm"])
def test_no_hook_installs_anything_and_a_missing_package_is_silence(person, installer):
    """Ours differs: nothing is ever installed in a hook, so there is no state "installing" to tell of."""
    tools, scratch = person.home / "bin", person.home / "tmp"
    scratch.mkdir()
    for name in (installer, "python3", "python"):
        script(tools / name, f'echo "$0" >> {person.home}/called; sleep 120')
    env = {"PATH": f"{tools}:/usr/bin:/bin", "TMPDIR": str(scratch), "CLAUDE_PLUGIN_DATA": str(person.home / "plugin")}
    gone = [part.replace("awhm_hooks.entry", "awhm_hooks_not_there.entry") for part in hook_command("session-start")]
    assert gone != hook_command("session-start")
    for number in range(5):
        for event, fields in EVENTS.items():
            command = [*gone[:-1], event]
            done = started(person, command, person.payload(event, f"s-{number}", **fields), **env)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (person.home / "called").exists()
    assert list(scratch.iterdir()) == [] and not (person.home / "plugin").exists() and not person.data_dir.exists()


@pytest.mark.report("AWHM-P008")
def test_a_model_whose_preparation_is_killed_again_and_again_leaves_nothing_behind(person):
    """What a first run does have to make, the model, is the detached worker's, one at a time under a lock."""
    models, scratch = person.home / "models", person.home / "tmp"
    scratch.mkdir()
    env = {"AWHM_SEMANTIC": "1", "AWHM_MODELS_DIR": str(models), "TMPDIR": str(scratch)}
    person.says("The importer stopped at step 2.", env=env)
    for number in range(4):
        if number == 0:
            person.leaves(wait=False, env=env)
        else:
            person.begins(f"s-{number + 2}", env=env)
            person.leaves(f"s-{number + 2}", wait=False, env=env)
        end = time.monotonic() + 60
        while not (making := {path.parent for path in models.glob("making-*/*")}) and time.monotonic() < end:
            time.sleep(0.02)
        assert len(making) == 1
        person.kills_all_processes()
        assert person.says("where did we leave the importer?", f"q-{number}", env=env).returncode == 0
    assert len(list(models.glob("making-*"))) <= 1, "the next preparation clears it away"
    assert person.status()["pending_sessions"] <= 8
