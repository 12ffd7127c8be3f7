"""The real client with the memory as tools: registered by `claude mcp add`, called by the model."""

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from conftest import wait_for_worker

from e2e import store
from e2e.client import Machine
from e2e.fake_api import Request, Rule

SERVER = "awhm-lite"
MODULE = "awhm_hooks.mcp_server"
FACT = "The staging port is 8443."
TOOLS = ["query", "log", "consolidate", "status", "snapshot_create", "delete_node", "retract", "supersede"]


def tool(name: str) -> str:
    return f"mcp__{SERVER}__memory_{name}"


@pytest.fixture(scope="module")
def machine(new_machine: Callable[..., Machine]) -> Machine:
    """A machine with the hooks and, as the seed's README has it, the MCP server."""
    machine = new_machine()
    # The tools are in the first request: the client waits for the server, and offers them outright.
    machine.extra_env |= {"MCP_CONNECTION_NONBLOCKING": "0", "MCP_TIMEOUT": "60000", "ENABLE_TOOL_SEARCH": "false"}
    added = claude(machine, "mcp", "add", "--transport", "stdio", SERVER, "--", sys.executable, "-m", MODULE)
    assert added.returncode == 0, added.stderr
    return machine


def claude(machine: Machine, *args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [machine.binary, *args],
        cwd=machine.project,
        env=machine.env(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def call(machine: Machine, name: str, **arguments: Any) -> tuple[str, Request]:
    """The model calls a tool; what the client sent it back, and the first request of that turn."""
    prompt = f"Please call {name} {uuid.uuid4().hex}"
    machine.api.rules[:] = [
        Rule(last_user=prompt, after_tool=False, tool_use={"name": tool(name), "input": arguments}),
        Rule(after_tool=True, text="Done."),
    ]
    before = len(machine.api.turns())
    turn = machine.ask(prompt, "--allowedTools", ",".join(map(tool, TOOLS)))
    assert turn.returncode == 0, turn.stderr
    first, *_, last = machine.api.turns()[before:]
    return last.last_user, first


def test_the_client_connects_and_offers_the_tools(machine: Machine) -> None:
    listed = claude(machine, "mcp", "list")
    assert SERVER in listed.stdout
    assert "Connected" in listed.stdout
    _, request = call(machine, "status")
    offered = {one["name"]: one for one in request.body["tools"]}
    assert {tool(name) for name in TOOLS} <= offered.keys()
    assert offered[tool("query")]["input_schema"]["required"] == ["query"]


def test_what_the_model_logs_it_finds_again_and_corrects(machine: Machine) -> None:
    answer, _ = call(machine, "log", content=FACT)
    assert json.loads(answer)["logged"] is True
    assert FACT in [message.text for message in store.logged(machine.data_dir)]
    answer, _ = call(machine, "consolidate")
    assert json.loads(answer)["failed"] == {}
    answer, _ = call(machine, "query", query="staging port")
    (fact,) = [row for row in json.loads(answer)["results"] if row["family"] == "fact"]
    answer, _ = call(machine, "supersede", node_id=fact["id"], text="The staging port is 9443.")
    assert json.loads(answer)["superseded"]["id"] == fact["id"]
    answer, _ = call(machine, "query", query="staging port")
    assert "9443" in answer
    assert "8443" not in answer
    answer, _ = call(machine, "retract", node_id="ffffffffffff")
    assert "no memory has this id" in answer


def test_what_a_tool_returned_is_not_learned_as_said(machine: Machine) -> None:
    wait_for_worker(machine.data_dir)
    said = [message for message in store.logged(machine.data_dir) if message.session.startswith("claude-")]
    assert said
    assert not [message for message in said if re.search(r"\b[89]443\b", message.text)]
