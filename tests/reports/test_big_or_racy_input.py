"""Input of any size, and a transcript that lags behind: what was said is kept, and nothing breaks over its length."""

import json

import claude_stub
import pytest
from conftest import wait_for_worker
from e2e import store
from e2e.client import wait_until
from e2e.fake_api import Rule

from reports import transcripts
from reports.person import Person, has_logged
from reports.watching import watched

PASTES = {
    "case": (("x" * 79 + "\n") * 37_500 + " The flaky test is test_refund.", "Which test is flaky?", "test_refund"),
    "5 MB of one line": ("Our queue is BullMQ. " + "z" * 5_000_000, "Which queue is ours?", "BullMQ"),
    "1 MB of Chinese": ("日志" * 250_000 + "\nThe broken page is /checkout.", "Which page is broken?", "/checkout"),
    "200 kB of emoji": ("🚀" * 50_000 + "\nThe slow query is q_orders.", "Which query is slow?", "q_orders"),
}


@pytest.mark.report("AWHM-P037")
@pytest.mark.parametrize("kind", PASTES)
def test_a_huge_prompt_is_kept_head_and_tail_quickly_and_in_little_memory(person, kind):
    text, asked, part = PASTES[kind]
    seen = watched(person, "prompt", person.payload("prompt", "s-1", prompt=text))
    assert (seen.returncode, seen.stdout, seen.stderr) == (0, b"", b"")
    assert seen.started == [], "nobody gets it by argument or environment"
    assert seen.peak_kb < 300_000
    assert min(person.says(text, f"t-{n}").seconds for n in range(3)) < 2
    ((_, kept),) = person.messages("s-1")
    assert kept[:20] == text[:20] and part in kept
    if len(text) > 300_000:
        assert "characters left out" in kept and len(kept) < 250_000
    else:
        assert kept == text
    assert part in person.says(asked, "s-2").context
    if kind == "case":
        person.leaves()
        assert any(part in one["text"] for one in person.asks(part))


SESSIONS = [("m", 60, 8_000), ("ß", 30, 3_000), ("漢字", 10, 20_000)]


@pytest.mark.report("AWHM-P038")
@pytest.mark.parametrize(("filler", "count", "size"), SESSIONS, ids=["case", "German", "Chinese"])
def test_a_model_gets_a_long_session_by_standard_input(tmp_path, filler, count, size):
    stub = claude_stub.make(tmp_path / "stub")
    person = Person(tmp_path, AWHM_STAGE2="1", AWHM_STAGE2_COMMAND=stub.path)
    texts = [f"Message {n}: " + " ".join([filler * 9] * (size // (len(filler) * 9 + 1))) for n in range(count)]
    has_logged(person, "s-1", texts)
    person.leaves(wait=False)
    person.waits_for_all_processes()
    assert stub.calls
    for call in stub.calls:
        assert max(len(argument.encode()) for argument in call["argv"]) < 32_000
        assert max(len(name.encode()) + len(value.encode()) for name, value in call["env"].items()) < 32_000
    assert sum(call["stdin_bytes"] for call in stub.calls) > 10_000
    assert f"Message {count - 2}" in "".join(call["stdin"] for call in stub.calls)


LATE = [
    ("Tests fail.", "All 214 tests pass now."),
    ("Die Tests schlagen fehl.", "Alle 214 Tests laufen durch."),
    ("Fallan las pruebas.", "Ahora pasan las 214 pruebas."),
]


@pytest.mark.report("AWHM-P039")
@pytest.mark.parametrize(("before", "now"), LATE, ids=["case", "German", "Spanish"])
def test_the_reply_is_the_payload_s_also_where_the_transcript_lags(person, before, now):
    person.says("Run the tests.", prompt_id="1")
    person.is_answered(before, prompt_id="1")
    person.says("Again.", prompt_id="2")
    path = person.home / ".claude" / "projects" / "-shop-api" / "s-1.jsonl"
    transcripts.write(path, [transcripts.line("assistant", before, 1_700_000_000, "s-1", person.project)])
    assert person.is_answered(now, prompt_id="2").stdout == b""
    assert person.messages("s-1") == [
        ("user", "Run the tests."),
        ("assistant", before),
        ("user", "Again."),
        ("assistant", now),
    ]


@pytest.mark.report("AWHM-P039")
@pytest.mark.parametrize("transcript", ["", "gone.jsonl", "/", "torn"])
def test_without_a_reply_in_the_payload_nothing_is_logged_and_nothing_breaks(person, transcript):
    """Ours differs from some: a reply without text has no field, and none is looked for in a file that may lag."""
    path = person.home / "torn"
    path.write_text('{"type":"assistant","message":{"content":[{"type":"text","te')
    payload = person.payload("stop", "s-1", transcript_path=str(path) if transcript == "torn" else transcript)
    done = person.hook("stop", json.dumps(payload).encode(), person.env)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert person.messages() == []


@pytest.mark.report("AWHM-P039")
def test_the_real_client_s_replies_are_logged_each_once(new_machine):
    machine = new_machine()
    replies = {"first": "Tests fail.", "second": "All 214 tests pass now."}
    machine.api.rules = [Rule(last_user=said, text=text) for said, text in replies.items()]
    machine.extra_env["AWHM_NER_LABELS"] = ""
    with machine.terminal() as terminal:
        terminal.say("first run of the tests")
        terminal.say("second run of the tests")
        wait_until(lambda: len(store.logged(machine.data_dir)) == 4, "the second reply in the log", 60)
        terminal.leave()
    wait_for_worker(machine.data_dir)
    logged = [message.text for message in store.logged(machine.data_dir) if message.role == "assistant"]
    assert logged == [*replies.values()]
