"""The world outlives the process: how it is stopped, what is deleted, a long history."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from local_guild.server import LocalGuild
from local_guild.state.ids import Clock, Snowflakes, snowflake_at, time_of
from local_guild.state.messages import Message, MessageLog
from tests.local_guild.generate import WorldPlan, generate
from tests.local_guild.running import PATIENCE_SECONDS, served
from tests.loopback import NO_TLS

ROOT = Path(__file__).parents[3]


async def reopened(folder: Path) -> LocalGuild:
    server = LocalGuild.open(folder)
    await server.close()
    return server


async def test_a_deleted_channel_takes_its_messages_along(tmp_path: Path) -> None:
    async with served(tmp_path) as before:
        await before.say("tom", "kitchen-table", "soon gone")
        doomed = before.channel("kitchen-table")
        await before.call("DELETE", f"/channels/{doomed.id}", by=before.user("maren"))
    after = await reopened(tmp_path)
    assert doomed.id not in after.world.channels
    assert len(after.world.log(doomed.id)) == 0


@asynccontextmanager
async def process(folder: Path, *options: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """`python -m local_guild`, and the address it prints."""
    command = [sys.executable, "-m", "local_guild", "--port", "0", "--data-dir", str(folder), *options]
    running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    try:
        assert running.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            line = (await running.stdout.readline()).decode()
        yield running, next(word for word in line.split() if word.startswith("http"))
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_cleanly_when_asked(tmp_path: Path, stop: signal.Signals) -> None:
    async with process(tmp_path) as (running, url):
        async with httpx.AsyncClient(verify=NO_TLS) as http:
            assert (await http.get(f"{url}/local/world")).status_code == 200
        running.send_signal(stop)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await running.wait() == 0


async def test_a_described_world_is_started_with(tmp_path: Path) -> None:
    description = tmp_path / "world.json"
    people = [{"name": "ada"}, {"name": "bo", "roles": ["Night watch"]}]
    watch = {"name": "watch", "only": ["Night watch"], "messages": [{"author": "bo", "content": "all quiet"}]}
    guild = {
        "name": "The Anchor",
        "owner": "ada",
        "roles": [{"name": "Night watch"}],
        "members": people,
        "channels": [{"name": "hall"}, watch],
    }
    await asyncio.to_thread(description.write_text, json.dumps({"bot": "Keeper", "guilds": [guild]}))
    async with process(tmp_path, "--world", str(description), "--without-page") as (running, _):
        running.terminate()
        await running.wait()
    world = (await reopened(tmp_path)).world
    assert world.bot.name == "Keeper"
    (channel,) = (channel for channel in world.channels.values() if channel.name == "watch")
    assert [message.content for message in world.log(channel.id).before(None, 10)] == ["all quiet"]


async def test_a_long_history_is_read_back_whole(tmp_path: Path) -> None:
    clock = Clock()
    world = generate(WorldPlan(messages=30_000, days=30, seed=4), clock)
    server = LocalGuild.open(tmp_path, clock=clock, world=world)
    await server.close()
    again = (await reopened(tmp_path)).world
    channels = [channel.id for channel in world.channels.values()]
    assert {c: again.log(c).ids() for c in channels} == {c: world.log(c).ids() for c in channels}
    assert sum(len(again.log(channel)) for channel in channels) == 30_000
    newest = again.log(channels[0]).before(None, 100)
    assert newest == world.log(channels[0]).before(None, 100)


def test_ids_carry_the_time_of_the_clock() -> None:
    clock = Clock()
    moment = datetime(2026, 3, 4, 5, 6, 7, 890_000, tzinfo=UTC)
    clock.set(moment, frozen=True)
    ids = Snowflakes(clock, first_low=(1 << 22) - 5)
    made = [ids.next() for _ in range(10)]
    assert made == sorted(set(made)), "increasing also where the low bits start again"
    assert abs(time_of(made[0]) - moment) < timedelta(milliseconds=2)
    assert made[0] >= snowflake_at(moment)


def test_a_clock_set_back_makes_no_id_twice() -> None:
    clock = Clock()
    ids = Snowflakes(clock)
    made = []
    for _ in range(3):
        clock.set(datetime(2026, 3, 4, tzinfo=UTC), frozen=True)
        made += [ids.next() for _ in range(5)]
    assert len(set(made)) == len(made)


def test_messages_of_the_past_find_their_place() -> None:
    now = datetime(2026, 3, 4, tzinfo=UTC)
    said = [Message(snowflake_at(now - timedelta(days=days)), 1, 2) for days in (3, 1, 2)]
    log = MessageLog()
    for message in said:
        log.add(message)
    assert log.ids() == sorted(message.id for message in said)
