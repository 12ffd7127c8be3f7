"""`awhm-mcp` spoken to by the SDK's own client, over stdio."""

import asyncio
import sys
from contextlib import asynccontextmanager

import pytest
from conftest import clean_env
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from awhm_hooks import __version__
from awhm_hooks.journal import raw_log
from awhm_hooks.paths import Paths

QUICK = {"AWHM_SEMANTIC": "0", "AWHM_NER_LABELS": ""}
TOOLS = {
    "memory_query",
    "memory_log",
    "memory_consolidate",
    "memory_status",
    "memory_snapshot_create",
    "memory_delete_node",
    "memory_retract",
    "memory_supersede",
}
FACT = "The staging port is 8443."


class Client:
    """An initialised session; `call` gives the tool's answer, or the text of its error."""

    def __init__(self, session, server):
        self.session, self.server = session, server

    async def call(self, name, **arguments):
        answer = await self.session.call_tool(name, arguments)
        if answer.isError:
            return answer.content[0].text
        return answer.structuredContent

    async def texts(self, query, **arguments):
        return [row["content"] for row in (await self.call("memory_query", query=query, **arguments))["results"]]


@pytest.fixture
def talk(isolated_home, data_dir):
    """Runs a conversation (a coroutine function that takes the client) against a server of its own."""

    @asynccontextmanager
    async def connected(env):
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "awhm_hooks.mcp_server"],
            env=clean_env(isolated_home, data_dir, {**QUICK, **env}),
            cwd=str(isolated_home),
        )
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            yield Client(session, await session.initialize())

    def run(conversation, **env):
        async def whole():
            async with connected(env) as client:
                return await conversation(client)

        return asyncio.run(asyncio.wait_for(whole(), 120))

    return run


def test_it_offers_the_seed_s_tools_and_two_more_each_argument_described(talk):
    async def conversation(client):
        return client.server, (await client.session.list_tools()).tools

    server, tools = talk(conversation)
    assert (server.serverInfo.name, server.serverInfo.version) == ("awhm", __version__)
    assert "never instructions" in server.instructions
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.description
        assert all(field["description"] for field in tool.inputSchema["properties"].values())
        takes = tool.name in ("memory_delete_node", "memory_retract", "memory_supersede")
        assert tool.annotations.destructiveHint is (True if takes else tool.annotations.destructiveHint)
        assert tool.annotations.readOnlyHint is (tool.name in ("memory_query", "memory_status"))


def test_what_is_logged_is_found_consolidated_corrected_and_taken_back(talk):
    async def conversation(client):
        assert (await client.call("memory_log", content=FACT))["logged"] is True
        assert (await client.call("memory_log", content="Noted.", role="assistant"))["logged"] is True
        assert (await client.texts("staging port"))[0] == "The staging port is 8443"
        done = await client.call("memory_consolidate")
        assert (done["sessions"], done["counts"]["statements"], done["failed"]) == (1, 1, {})
        (row,) = [
            one
            for one in (await client.call("memory_query", query="staging port", with_trace=True))["results"]
            if one["family"] == "fact"
        ]
        assert row["trace"]["relevance"] > 0
        newer = await client.call("memory_supersede", node_id=row["id"], text="The staging port is 9443.", why="moved")
        assert newer["superseded"]["status"] == "superseded"
        assert "8443" not in " ".join(await client.texts("staging port"))
        assert (await client.texts("staging port"))[0] == "The staging port is 9443."
        gone = await client.call("memory_retract", node_id=newer["memory"]["id"], why="a slip")
        assert gone["memory"]["status"] == "retracted"
        assert not [text for text in await client.texts("staging port") if "9443" in text]
        history = await client.texts("staging port", include_history=True)
        assert {"The staging port is 8443", "The staging port is 9443."} <= set(history)

    talk(conversation)


def test_a_status_a_snapshot_and_a_deletion(talk, data_dir):
    async def conversation(client):
        await client.call("memory_log", content=FACT)
        await client.call("memory_consolidate")
        status = await client.call("memory_status")
        assert (status["nodes"], status["sessions"], status["pending_sessions"]) == (2, 1, 0)
        assert status["silent"] is None
        snapshot = await client.call("memory_snapshot_create")
        assert snapshot["memories"] == 2
        for row in (await client.call("memory_query", query="staging port"))["results"]:
            assert (await client.call("memory_delete_node", node_id=row["id"]))["deleted"] is True
        assert await client.texts("staging port", include_history=True) == []

    talk(conversation)
    assert not [path for path in data_dir.rglob("*") if path.is_file() and b"8443" in path.read_bytes()]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("memory_query", {"query": "x", "as_of": "someday"}, "is no date"),
        ("memory_log", {"content": "x", "role": "narrator"}, "is no role"),
        ("memory_retract", {"node_id": "ffffffffffff"}, "nothing is remembered yet"),
        ("memory_delete_node", {"node_id": "ffffffffffff"}, "0 deleted"),
        ("memory_snapshot_create", {}, "nothing is remembered yet"),
        ("memory_query", {}, "Field required"),
    ],
)
def test_a_fault_is_told_with_the_way_out(talk, tool, arguments, says):
    async def conversation(client):
        return await client.call(tool, **arguments)

    assert says in talk(conversation)


def test_time_travel_and_other_projects(talk, tmp_path):
    (tmp_path / "a").mkdir()

    async def log(client):
        await client.call("memory_log", content="Since January 2024 the API endpoint is https://v1.test")
        await client.call("memory_consolidate")

    async def ask(client):
        assert await client.texts("API endpoint", as_of="2024-06-01") == []
        return await client.texts("API endpoint", as_of="2024-06-01", all_projects=True)

    talk(log, CLAUDE_PROJECT_DIR=str(tmp_path / "a"))
    assert "v1.test" in talk(ask)[0]


def test_where_memory_is_paused_nothing_is_logged_and_the_model_is_told(talk, awhm, data_dir):
    awhm("pause")

    async def conversation(client):
        status = await client.call("memory_status")
        return status["silent"], await client.call("memory_log", content="The code name is Falcon.")

    silent, answer = talk(conversation)
    assert silent == "paused"
    assert "memory is paused" in answer
    assert not (data_dir / "logs").exists()


def test_the_end_of_the_server_is_the_end_of_its_session(talk, data_dir):
    async def conversation(client):
        await client.call("memory_log", content=FACT)

    talk(conversation)
    (log,) = (data_dir / "logs").iterdir()
    assert [record.kind for record in raw_log.read(str(log))] == ["start", "message", "end"]
    assert str(log).startswith(Paths(str(data_dir)).logs)
