"""The memory as tools, as the SDK's own client meets it: over HTTP and over stdio, with the tokens of members."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

from memory.manager import MemoryManager
from tests.end_to_end.house import BACK_ROOM, GENERAL, House, Inn, Person, eventually, until
from tests.end_to_end.web_process import token_of, web_memory
from web.api.app import Api, McpRoute
from web.guard import Doors, Guard

TOOLS = {
    "ask",
    "catch_up",
    "channels",
    "days",
    "events",
    "facts",
    "forget",
    "members",
    "recall",
    "remember",
    "reminders",
}
MAIN = Path(__file__).parents[2] / "main.py"
WORD = "zimtstern"


@dataclass(frozen=True)
class Web:
    memory: MemoryManager
    address: str

    async def token(self, person: Person, *, may_write: bool = True) -> str:
        return await token_of(self.memory, person, may_write=may_write)

    @asynccontextmanager
    async def client(self, token: str) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as http,
            Client(streamable_http_client(f"{self.address}/mcp", http_client=http)) as client,
        ):
            yield client


@pytest.fixture(scope="module")
async def web(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Web]:
    async with web_memory(house.database_url, data_dir=tmp_path_factory.mktemp("web")) as memory:
        api = Api(Doors(lambda: memory, is_tls=False))
        mcp = McpRoute(api.app)
        app = Starlette(routes=[api, mcp], lifespan=mcp.lifespan)
        server = uvicorn.Server(uvicorn.Config(Guard(app), port=0, log_level="error"))
        serving = asyncio.create_task(server.serve())
        await until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Web(memory, f"http://127.0.0.1:{port}")
        server.should_exit = True
        await serving


async def call(client: Client, tool: str, **given: object) -> Any:  # noqa: ANN401 - JSON
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **given: object) -> str:
    result = await client.call_tool(tool, given)
    assert result.is_error, result.structured_content
    return " ".join(getattr(one, "text", "") for one in result.content)


async def test_a_member_s_assistant_remembers_asks_and_forgets(inn: Inn, web: Web) -> None:
    aylin, room = inn.person("aylin"), str(inn.channel(GENERAL).id)
    said = await aylin.say(f"the bakery sells {WORD} on Fridays")
    await inn.until_stored(said)
    async with web.client(await web.token(aylin)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        assert room in {one["id"] for one in (await call(client, "channels"))["items"]}
        assert [one["name"] for one in (await call(client, "members", name="ayl"))["items"]] == ["Aylin"]

        kept = (await call(client, "remember", text="I take my coffee black", channel=room))["memory"]
        listed = await call(client, "facts", about=str(aylin.user.id))
        assert [one["id"] for one in listed["items"]] == [kept["id"]]
        answer = await call(client, "ask", question="how do I take my coffee?")
        assert "black" in answer["text"]

        found = await eventually(
            lambda: call(client, "recall", words=WORD), lambda seen: bool(seen["items"]), seconds=120
        )
        assert found["items"][0]["message"]["id"] == str(said)
        answer = await call(client, "ask", question=f"when does the bakery sell {WORD}?")
        assert "Fridays" in answer["text"]
        assert answer["sources"][0]["link"].endswith(f"/{room}/{said}")

        shown = await call(client, "forget", memory_id=kept["id"])
        assert shown["would_forget"]["id"] == kept["id"]
        assert (await call(client, "facts"))["items"] != [], "it was shown, and nothing was done"
        await call(client, "forget", memory_id=kept["id"], confirmed=True)
        assert (await call(client, "facts"))["items"] == []

        assert (await call(client, "catch_up", since="3 hours"))["channels"] >= 0
        assert "1 hour" in await refused(client, "catch_up", since="someday")
        assert (await call(client, "reminders"))["items"] == []
        assert "items" in await call(client, "days")
        summary = await client.read_resource(f"innkeeper://channels/{room}/summary")
        assert json.loads(getattr(summary.contents[0], "text", ""))["channel_id"] == room
        memory = await client.read_resource(f"innkeeper://members/{aylin.user.id}/memory")
        assert json.loads(getattr(memory.contents[0], "text", ""))["items"] == []


async def test_nobody_hears_more_than_they_could_read_and_a_reading_token_changes_nothing(inn: Inn, web: Web) -> None:
    maren, aylin, back_room = inn.person("maren"), inn.person("aylin"), inn.channel(BACK_ROOM)
    said = await maren.say(f"the {WORD} recipe is under the third tile", BACK_ROOM)
    await inn.until_stored(said)
    async with web.client(await web.token(maren)) as client:
        await eventually(lambda: call(client, "recall", words=WORD), lambda seen: bool(seen["items"]), seconds=120)
    async with web.client(await web.token(aylin, may_write=False)) as client:
        heard = [
            await call(client, "ask", question=f"where is the {WORD} recipe?"),
            await call(client, "recall", words=WORD),
            await call(client, "catch_up", since="3 hours"),
            await call(client, "facts"),
            await call(client, "days"),
            await call(client, "channels"),
        ]
        assert "third tile" not in json.dumps(heard)
        assert str(back_room.id) not in json.dumps(heard)
        hidden = [
            await refused(client, tool, **{name: "x", "channel": str(back_room.id)})
            for tool, name in (("ask", "question"), ("catch_up", "since"))
        ]
        assert all("cannot read it" in said for said in hidden), hidden
        assert "may only read" in await refused(
            client, "remember", text="I like tea", channel=str(inn.channel(GENERAL).id)
        )


async def test_without_a_token_that_opens_anything_there_is_nothing(inn: Inn, web: Web) -> None:
    async with httpx2.AsyncClient() as http:
        answer = await http.post(f"{web.address}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    token = await web.token(inn.person("aylin"))
    async with web.client(f"{token}x") as client:
        assert "opens nothing" in await refused(client, "facts")
    async with web.client("nonsense") as client:
        assert "no token of Innkeeper's" in await refused(client, "facts")


async def test_the_same_over_stdio(inn: Inn, web: Web) -> None:
    token = await web.token(inn.person("aylin"))
    started = StdioServerParameters(
        command=sys.executable, args=[str(MAIN), "mcp", "--at", web.address], env={"INNKEEPER_TOKEN": token}
    )
    with Path(os.devnull).open("w") as nowhere:  # noqa: ASYNC230 - nothing is ever waited for there
        async with Client(stdio_client(started, errlog=nowhere)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            assert (await call(client, "reminders"))["items"] == []
