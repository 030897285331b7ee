"""Measures whether anything waits while the bot takes in a guild of 10,000 members, and while the guild changes.

The bot's own mirror, on discord.py's objects, with a PostgreSQL. Reading the guild from the gateway, which is
discord.py's part, is done before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from benchmarks.bot_here import opened_memory
from benchmarks.figures import Figure, at_most
from benchmarks.large_guild import FIRST_CHANNEL, large_guild
from benchmarks.yardsticks import Blocks, Yardstick, calibrated_loop, longest_block
from bot.mirror.guilds import GuildMirror
from memory.health import Health
from memory.manager import MemoryManager

MOST_LOOPS = 30.0
CHANGES = 100
PATIENCE = 12
MORE_PERMISSIONS = 1 << 34


async def measure(full: bool) -> list[Figure]:
    taken: list[Blocks] = []
    changed: list[Blocks] = []
    for _ in range(5 if full else 2):
        guild = large_guild().of_discord()
        async with opened_memory(MemoryManager) as memory, _mirroring(memory.manager, memory.health) as mirror:
            async with longest_block() as blocks:
                await _take_in(guild, mirror.guild_mirror, memory.manager)
            taken.append(blocks)
            async with longest_block() as blocks:
                await _change(guild, mirror, memory.manager)
            changed.append(blocks)
    loop = calibrated_loop()
    return [*_figures("taken in", taken, loop), *_figures("changed, and asked after each change", changed, loop)]


def _figures(what: str, rounds: list[Blocks], loop: Yardstick) -> list[Figure]:
    worked = min(blocks.worked for blocks in rounds)
    waited = min(blocks.waited for blocks in rounds) * 1e3
    return [
        *loop.figures(f"taking in: longest block while a guild is {what}", worked, at_most(MOST_LOOPS)),
        Figure(f"taking in: the same by the clock on the wall, {what}", waited, "ms"),
    ]


class _Mirror:
    def __init__(self, memory: MemoryManager, health: Health) -> None:
        self.guild_mirror = GuildMirror(memory, health.part("members"), told_of_changes=True)


@asynccontextmanager
async def _mirroring(memory: MemoryManager, health: Health) -> AsyncIterator[_Mirror]:
    mirror = _Mirror(memory, health)
    running = asyncio.create_task(mirror.guild_mirror.run())
    try:
        yield mirror
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _take_in(guild: discord.Guild, mirroring: GuildMirror, memory: MemoryManager) -> None:
    """Wait until the guild is open and written down. The mirror gives up in seconds; on a busy machine we do not."""
    mirroring.guild_appeared(guild)
    for _ in range(PATIENCE):
        await mirroring.members_loaded(guild.id)
        if len(memory.places.audience_of(guild.id, FIRST_CHANNEL).sources) > 1:
            return
    raise RuntimeError("the guild was not taken in")


async def _change(guild: discord.Guild, mirror: _Mirror, memory: MemoryManager) -> None:
    """Change a role, a door and a member in turn, as events tell it, with a question after each."""
    roles, channels, members = guild.roles[1:], guild.text_channels, guild.members
    for number in range(CHANGES):
        role, channel, member = roles[number % len(roles)], channels[number % len(channels)], members[number]
        role._permissions ^= MORE_PERMISSIONS
        mirror.guild_mirror.role_changed(role)
        _ask(memory, guild)
        channel._overwrites = channel._overwrites[:-1]
        mirror.guild_mirror.channel_changed(channel)
        _ask(memory, guild)
        member._roles.add(roles[number % len(roles)].id)
        await mirror.guild_mirror.member_changed(member)
        _ask(memory, guild)
        await asyncio.sleep(0)


def _ask(memory: MemoryManager, guild: discord.Guild) -> None:
    if FIRST_CHANNEL not in memory.places.audience_of(guild.id, FIRST_CHANNEL).sources:
        raise RuntimeError("a place may always draw upon itself")
