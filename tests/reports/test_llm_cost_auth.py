"""No model is called unasked, and what is called is counted, capped and owned up to."""

import json

import claude_stub
import pytest

from reports.person import Person, has_logged

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-fake-key"}
PROMPTS = ["let's use Rust {}", "dann nehmen wir eben Rust {}", "pues usamos Rust {}"]


@pytest.mark.report("AWHM-P080")
@pytest.mark.parametrize("text", PROMPTS, ids=["case", "German", "Spanish"])
def test_without_a_wish_no_model_is_called(tmp_path, text):
    stub = claude_stub.make(tmp_path / "stub")
    person = Person(tmp_path, PATH=f"{tmp_path}/stub:/usr/bin:/bin", **KEYS)
    count = 20 if text == PROMPTS[0] else 4
    for number in range(count):
        person.says(text.format(number), f"b-{number}")
        person.leaves(f"b-{number}", wait=False)
    person.waits()
    person.waits_for_all_processes()
    assert person.runs("consolidate").returncode == 0
    assert stub.calls == []
    assert person.status()["stage2"]["spending"]["total"]["calls"] == 0


@pytest.mark.report("AWHM-P080")
@pytest.mark.parametrize(("sessions", "cap", "called"), [(4, "20", 4), (6, "5", 5), (3, "0", 0)])
def test_with_stage_2_each_session_is_one_call_up_to_a_daily_cap(tmp_path, sessions, cap, called):
    stub = claude_stub.make(tmp_path / "stub")
    person = Person(tmp_path, AWHM_STAGE2_COMMAND=stub.path, AWHM_STAGE2_MAX_CALLS_PER_DAY=cap, **KEYS)
    for number in range(sessions):
        has_logged(person, f"b-{number}", [f"let's use Rust {number}", "Fine."])
        person.leaves(f"b-{number}", wait=False)
    person.waits()
    for _ in range(2):
        done = person.runs("consolidate", "--stage2", env={"AWHM_STAGE2": "1"})
        assert done.returncode == 0, done.stderr
    assert len(stub.calls) == called
    shown = person.runs("status", env={"AWHM_STAGE2": "1"}).stdout
    assert f"{called} of {cap} calls" in shown
    if called:
        assert "ANTHROPIC_API_KEY" in shown, "who pays is said"
        ledger = person.status()["stage2"]["spending"]["total"]
        assert (ledger["calls"], ledger["input_tokens"], ledger["output_tokens"]) == (
            called,
            1200 * called,
            50 * called,
        )
        assert ledger["cost_usd"] == pytest.approx(0.0025 * called)
    assert json.dumps([call["env"].get("AWHM_STAGE2_KEY") for call in stub.calls]) == json.dumps([None] * called)


@pytest.mark.report("AWHM-P080")
def test_without_a_key_nobody_is_said_to_pay_for_one(tmp_path):
    stub = claude_stub.make(tmp_path / "stub")
    person = Person(tmp_path, AWHM_STAGE2="1", AWHM_STAGE2_COMMAND=stub.path)
    person.says("let's use Rust then")
    person.leaves(wait=False)
    person.waits_for_all_processes()
    assert len(stub.calls) == 1
    assert "API_KEY" not in person.runs("status").stdout
