"""The local guild remembers its world over a restart, however it ended."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from tests.local_guild.people import Body, Person
from tests.local_guild.running import served
from tests.loopback import NO_TLS


@asynccontextmanager
async def local_guild_process(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    """`python -m local_guild` on a free port, and a client for it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "local_guild", "--without-page", "--port", "0", "--data-dir", str(folder)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        url = next(word for word in line.split() if word.startswith("http://"))
        async with httpx.AsyncClient(base_url=url, timeout=30, verify=NO_TLS) as http:
            yield process, http
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def people_of(http: httpx.AsyncClient) -> tuple[Body, list[Person]]:
    world = (await http.get("/local/world")).json()
    (guild,) = world["guilds"]
    people = [Person(http, int(who["id"]), who["name"], who["token"]) for who in guild["members"]]
    return world, people


async def test_whatever_was_answered_is_there_after_the_process_died(tmp_path: Path) -> None:
    async with local_guild_process(tmp_path) as (process, http):
        before, (owner, *_) = await people_of(http)
        hall = int(before["guilds"][0]["channels"][0]["id"])
        kept, gone, edited = [await owner.say(hall, text) for text in ("kept", "gone", "eddited")]
        await owner.delete(hall, gone["id"])
        await owner.edit(hall, edited["id"], "edited")
        await owner.react(hall, kept["id"], "👍")
        thread = await owner.call("POST", f"/channels/{hall}/threads", {"name": "aside", "type": 11})
        said = await owner.history(hall)
        process.kill()
    async with local_guild_process(tmp_path) as (_, http):
        after, (owner, *_) = await people_of(http)
        assert after == before
        again = await owner.history(hall)
        assert [message["content"] for message in again] == [message["content"] for message in said]
        assert [message["id"] for message in again] == [message["id"] for message in said]
        assert [message["edited_timestamp"] for message in again] == [message["edited_timestamp"] for message in said]
        assert again[-1]["reactions"][0]["emoji"]["name"] == "👍"
        assert (await owner.call("GET", f"/channels/{thread['id']}"))["name"] == "aside"


async def test_an_enforced_nonce_is_remembered(tmp_path: Path) -> None:
    sent = []
    for _ in range(2):
        async with served(tmp_path) as running:
            body = {"content": "once", "nonce": "outbox-7", "enforce_nonce": True}
            path = f"/channels/{running.channel('general').id}/messages"
            answer = await running.call("POST", path, by=running.server.world.bot, json=body)
            sent.append(answer.json()["id"])
    assert sent[0] == sent[1]


async def test_files_go_with_their_messages_and_what_is_left_over_goes_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "attachments"
    async with served(tmp_path) as running:
        path = f"{running.address.api_url}/channels/{running.channel('general').id}/messages"
        headers = {"Authorization": running.user("aylin").token}
        kept, gone = [
            (
                await running.http.post(path, files={"files[0]": ("a.txt", b"words", "text/plain")}, headers=headers)
            ).json()
            for _ in range(2)
        ]
        await running.call("DELETE", f"/channels/{gone['channel_id']}/messages/{gone['id']}", by=running.user("aylin"))
        assert [file.name for file in folder.iterdir()] == [kept["attachments"][0]["id"]]
    (folder / "124").write_bytes(b"left over from a crash")
    async with served(tmp_path) as running:
        assert [file.name for file in folder.iterdir()] == [kept["attachments"][0]["id"]]
        assert (await running.http.get(httpx.URL(kept["attachments"][0]["url"]).path)).content == b"words"
