"""Without its shards a process says nothing to Discord, whatever it was about to say."""

import asyncio
from pathlib import Path

import discord
import pytest

from bot.client import InnkeeperClient
from bot.connection import Endpoint, ShardsLostError, endpoint, fenced, speaking_to
from bot.settings import BotOptions
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import lease_in
from tests.local_guild.running import served


async def test_what_waited_for_a_process_that_was_stopped_is_not_heard_any_more(database: Database) -> None:
    clock = SystemClock()
    memory = MemoryManager(database, MemoryOptions(), clock, health := Health("bot", clock))
    heard: list[str] = []

    async def on_ready() -> None:
        heard.append("ready")

    for lease in (lease_in(database), lost := lease_in(database)):
        client = InnkeeperClient(BotOptions(), memory, health, clock, lease)
        await client._async_setup_hook()
        client.event(on_ready)
        lost.lost.set()
        client.dispatch("ready")
        await asyncio.sleep(0)
        assert heard == ["ready"]


async def test_what_would_change_something_is_looked_at_right_before_it_is_sent(tmp_path: Path) -> None:
    ours = asyncio.Event()
    ours.set()
    async with served(tmp_path) as discord_here:
        there = endpoint(BotOptions.model_validate(discord_here.settings))
        with speaking_to(Endpoint.current()):
            there.use()
            async with discord.Client(intents=discord.Intents.none(), http_trace=fenced(ours.is_set)) as client:
                await client.login(discord_here.server.world.bot.token)
                hall = await client.fetch_channel(discord_here.channel("general").id)
                assert isinstance(hall, discord.TextChannel)
                said = await hall.send("a word")
                ours.clear()
                with pytest.raises(ShardsLostError):
                    await hall.send("another")
                with pytest.raises(ShardsLostError):
                    await said.delete()
                # Answers to interactions take another way through discord.py, and the same one to the wire.
                hook = discord.Webhook.partial(1, "token", client=client)
                with pytest.raises(ShardsLostError):
                    await hook.send("another")
                assert (await hall.fetch_message(said.id)).content == "a word"
