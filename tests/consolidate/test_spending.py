import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awhm_hooks.consolidate import spending
from awhm_hooks.consolidate.llm import Usage
from awhm_hooks.consolidate.spending import Ledger, failures, summary
from awhm_hooks.paths import Paths

NOW = datetime(2026, 2, 20, 12, 0).timestamp()
DAY = 86_400.0
USED = Usage("claude-haiku-5-5", 1000, 50, 0.01)


@pytest.fixture
def ledger(tmp_path):
    paths = Paths(str(tmp_path))
    paths.make(paths.meta)
    return Ledger(paths)


def call(ledger, session="s", at=NOW, error="", usage=USED, messages=1, **more):
    number = ledger.begin(session, "claude-code", "haiku", at, messages, more.pop("billed_to", ""))
    ledger.end(number, session, at + 1, usage, error, **more)


def test_an_unused_ledger_is_all_zero_and_writes_nothing(ledger, tmp_path):
    found = summary(ledger.lines(), NOW)
    assert (found.total.calls, found.last_error, found.last_call_at) == (0, None, None)
    assert not (tmp_path / "meta" / spending.FILE).exists()


def test_the_sums_of_the_day_and_of_all(ledger):
    call(ledger, at=NOW - DAY, admitted=2, refused={"unsupported": 1})
    call(ledger, admitted=1, refused={"unsupported": 2, "below": 1})
    call(ledger, error="401: no")
    found = summary(ledger.lines(), NOW)
    assert (found.today.calls, found.total.calls) == (2, 3)
    assert (found.today.input_tokens, found.total.input_tokens, found.total.output_tokens) == (2000, 3000, 150)
    assert found.total.cost_usd == pytest.approx(0.03) and found.today.cost_usd == pytest.approx(0.02)
    assert (found.total.admitted, found.total.failed) == (3, 1)
    assert found.refused == {"unsupported": 3, "below": 1}
    assert (found.last_error, found.last_error_at, found.last_model) == ("401: no", NOW + 1, "claude-haiku-5-5")


def test_a_client_that_tells_no_price_is_counted_as_such(ledger):
    call(ledger, usage=Usage("m", 5, 5, None))
    found = summary(ledger.lines(), NOW)
    assert (found.total.unpriced, found.total.cost_usd) == (1, 0.0)


def test_a_call_that_was_cut_short_is_a_call_and_a_failure(ledger):
    ledger.begin("s", "claude-code", "haiku", NOW, 1)
    assert spending.calls_of_day(ledger.lines(), NOW) == 1
    found = summary(ledger.lines(), NOW)
    assert (found.total.calls, found.total.failed) == (1, 1)
    assert failures(ledger.lines())["s"].tries == 1


def test_the_cap_counts_the_calls_of_the_local_day(ledger):
    call(ledger, at=NOW - DAY)
    call(ledger, at=NOW)
    call(ledger, at=NOW, error="429")
    assert spending.calls_of_day(ledger.lines(), NOW) == 2


def test_why_no_call_could_be_made_is_said_once_and_is_no_call(ledger):
    for _ in range(3):
        ledger.note_error("claude was not found", NOW)
    found = summary(ledger.lines(), NOW)
    assert len(ledger.lines()) == 1
    assert (found.total.calls, found.last_error) == (0, "claude was not found")


def test_failures_wait_longer_each_time_and_three_are_enough(ledger):
    waits = []
    for tries in range(1, 4):
        call(ledger, at=NOW, error="529")
        failed = failures(ledger.lines())["s"]
        assert failed.tries == tries
        waits.append(next((s for s in (0, 601, 3_601, 10 * DAY) if failed.may_try(NOW + 1 + s, 1)), None))
    assert waits == [601, 3_601, None]
    assert failed.has_given_up()


def test_what_was_said_since_is_worth_another_call(ledger):
    for _ in range(3):
        call(ledger, error="529", messages=4)
    assert not failures(ledger.lines())["s"].may_try(NOW + DAY, 4)
    assert failures(ledger.lines())["s"].may_try(NOW + 2, 5)
    call(ledger, error="529", messages=5)
    assert failures(ledger.lines())["s"].tries == 1


def test_a_success_ends_the_count_and_sessions_do_not_share_it(ledger):
    call(ledger, "a", error="529")
    call(ledger, "b", error="529")
    call(ledger, "a")
    assert set(failures(ledger.lines())) == {"b"}


def test_torn_and_damaged_lines_are_passed_over(ledger, tmp_path):
    call(ledger)
    path = tmp_path / "meta" / spending.FILE
    path.write_bytes(path.read_bytes() + b'{"k": "end", "ca\n[1]\n\xff\xff\nnull\n')
    call(ledger)
    assert summary(ledger.lines(), NOW).total.calls == 2


def test_a_long_ledger_is_folded_and_its_sums_stay(ledger, tmp_path):
    for n in range(20):
        call(ledger, f"s{n}", NOW - 100 * DAY + n, error="x" if n % 5 == 0 else "", admitted=1, refused={"r": 2})
    call(ledger, "new", usage=Usage("m", 1, 1, None))
    before = summary(ledger.lines(), NOW)
    path = tmp_path / "meta" / spending.FILE
    path.write_text(path.read_text() + " " * spending.MAX_BYTES + "\n")
    ledger.compact(NOW)
    after = summary(ledger.lines(), NOW)
    assert len(ledger.lines()) == 3 and path.stat().st_size < 2_000
    assert (after.total, after.today, after.refused) == (before.total, before.today, before.refused)
    ledger.compact(NOW)
    assert len(ledger.lines()) == 3


EVENTS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["ok", "failed", "cut"]), st.integers(1, 3)), max_size=12
)


@given(EVENTS)
def test_tries_are_the_failures_since_the_last_success_or_the_last_new_message(events):
    lines = []
    expected: dict[str, list[int]] = {"a": [], "b": []}
    for number, (session, came, messages) in enumerate(events):
        lines.append({"k": "begin", "call": str(number), "session": session, "at": float(number), "messages": messages})
        if came != "cut":
            error = {"error": "x"} if came == "failed" else {}
            lines.append({"k": "end", "call": str(number), "session": session, "at": float(number), **error})
        tries, seen = expected[session] or [0, 0]
        if came == "ok":
            expected[session] = []
        else:
            expected[session] = [tries + 1 if messages <= seen or not tries else 1, messages]
    found = failures(json.loads(json.dumps(lines)))
    assert {name: one.tries for name, one in found.items()} == {name: e[0] for name, e in expected.items() if e}
