"""The Anthropic SDK, the real one, against an API on loopback."""

import json
import sys
import threading

import pytest
from e2e.fake_api import FakeAPI, Rule

from awhm_hooks.consolidate.llm import AnthropicAPI, LLMError, LLMMissing, Usage
from awhm_hooks.consolidate.stage2_prompt import SCHEMA

ANSWER = {"memories": []}


@pytest.fixture
def api():
    with FakeAPI() as server:
        server.rules.append(Rule(tool_use={"name": "propose", "input": ANSWER}))
        yield server


def client(api, model="haiku", timeout_s=10.0, **environ):
    base = f"http://127.0.0.1:{api.port}"
    return AnthropicAPI(model, timeout_s, {"ANTHROPIC_BASE_URL": base, "ANTHROPIC_API_KEY": "sk-ant-fake", **environ})


def test_the_answer_is_the_input_of_the_one_tool(api):
    ours = client(api)
    assert json.loads(ours.complete_json("the rules", "the messages", SCHEMA)) == ANSWER
    (request,) = api.requests
    assert request.body["system"] == "the rules" and request.last_user == "the messages"
    assert request.body["tools"][0]["input_schema"] == SCHEMA
    assert request.body["tool_choice"] == {"type": "tool", "name": "propose"}
    assert ours.usage == Usage(request.body["model"], 8, 1, None), "the API tells tokens and no price"


@pytest.mark.parametrize(("named", "asked"), [("haiku", "claude-haiku"), ("claude-x-1", "claude-x-1"), ("", "claude-")])
def test_a_family_name_becomes_a_model_of_the_api(api, named, asked):
    client(api, named).complete_json("s", "u", SCHEMA)
    assert api.requests[0].body["model"].startswith(asked)


@pytest.mark.parametrize(("status", "told"), [(401, "401"), (429, "429"), (500, "500")])
def test_a_refusal_is_told_and_retried_once_at_most(api, status, told):
    api.rules.insert(0, Rule(status=status))
    with pytest.raises(LLMError, match=told):
        client(api).complete_json("s", "u", SCHEMA)
    assert len(api.requests) <= 2


def test_prose_is_a_failure_that_has_cost_something(api):
    api.rules.insert(0, Rule(text="I would rather not."))
    ours = client(api)
    with pytest.raises(LLMError, match="prose"):
        ours.complete_json("s", "u", SCHEMA)
    assert ours.usage.input_tokens == 8


def test_an_api_that_hangs_is_given_up(api):
    api.rules.insert(0, Rule(hold=threading.Event()))
    with pytest.raises(LLMError, match=r"(?i)timed? ?out"):
        client(api, timeout_s=0.5).complete_json("s", "u", SCHEMA)


def test_an_api_that_is_down_is_told(api):
    with pytest.raises(LLMError, match="anthropic: "):
        client(api, ANTHROPIC_BASE_URL="http://127.0.0.1:9").complete_json("s", "u", SCHEMA)


def test_no_key_makes_no_call(api):
    with pytest.raises(LLMMissing, match="ANTHROPIC_API_KEY"):
        client(api, ANTHROPIC_API_KEY="").ready()
    assert api.requests == []


def test_a_missing_package_is_named_with_the_way_out(api, monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(LLMMissing, match=r"awhm-hooks\[anthropic\]"):
        client(api).ready()
