"""A large guild is taken in and written down while everything else goes on."""

import asyncio
from typing import Any

import discord
import pytest

from bot.mirror.guilds import GuildMirror
from bot.mirror.members import ThreadGuests
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import GUILD, HALL, MUTED, READ_BACK, VIEW, channel, connection, denial, guild, user
from tests.end_to_end.house import eventually
from tests.loop_steps import loop_steps

MEMBERS, CHANNELS, DOORS = 10_000, 300, 20
MOST_AT_ONCE = 1 / 8
"""Of the whole work, so much may be done in one step: a share, since machines differ. It is about a fiftieth."""


def inn_with(members: int, channels: int = 1) -> discord.Guild:
    doors = [denial(MUTED if number == 0 else 50_000 + number, VIEW, of_member=number > 0) for number in range(DOORS)]
    state = connection()
    inn = guild([channel(HALL + number, overwrites=doors) for number in range(channels)], known_to=state)
    for number in range(members):
        data: Any = {
            "user": user(50_000 + number, f"guest-{number}"),
            "roles": [str(MUTED)] if number % 3 == 0 else [],
            "joined_at": None,
            "flags": 0,
        }
        inn._add_member(discord.Member(data=data, guild=inn, state=state))
    inn._member_count = members
    return inn


async def test_ten_thousand_members_block_nobody(database: Database) -> None:
    health = Health("bot", SystemClock())
    memory = MemoryManager(database, MemoryOptions(), SystemClock(), health)
    guests = ThreadGuests(memory.place_mirror, told_of_members=True)
    mirroring = GuildMirror(memory, guests, health.part("members"), told_of_changes=True)
    inn = inn_with(MEMBERS, CHANNELS)
    with loop_steps() as steps:
        working = asyncio.create_task(mirroring.run())
        mirroring.guild_appeared(inn)
        await mirroring.members_loaded(inn.id)
        assert await _is_vouched_for(database)
        working.cancel()
    assert max(steps) < sum(steps) * MOST_AT_ONCE, f"one of {len(steps)} steps took {max(steps) / sum(steps):.0%}"
    view = memory.place_mirror.view(GUILD)
    assert view.is_open
    assert view.readers(HALL).bit_count() == MEMBERS - MEMBERS // 3 - DOORS + DOORS // 3
    assert inn.default_role.permissions.value & READ_BACK
    async with database.connection("test") as reading:
        assert await reading.fetchval("SELECT count(*) FROM members WHERE guild_id = $1", GUILD) == MEMBERS


@pytest.mark.parametrize("is_known", [True, False], ids=["a member changed", "it has just appeared"])
async def test_of_a_guild_that_is_left_while_people_are_written_down_nobody_stays_at_hand(
    database: Database, is_known: bool
) -> None:
    health = Health("bot", SystemClock())
    memory = MemoryManager(database, MemoryOptions(), SystemClock(), health)
    guests = ThreadGuests(memory.place_mirror, told_of_members=True)
    mirroring = GuildMirror(memory, guests, health.part("members"), told_of_changes=True)
    inn = inn_with(3)
    working = asyncio.create_task(mirroring.run())
    if is_known:
        mirroring.guild_appeared(inn)
        await mirroring.members_loaded(inn.id)
        assert mirroring.has_written(inn.members[0])
    async with database.transaction("test") as busy:
        await busy.execute("LOCK TABLE members IN ACCESS EXCLUSIVE MODE")
        writing = asyncio.create_task(mirroring.member_changed(inn.members[0])) if is_known else None
        if writing is None:
            mirroring.guild_appeared(inn)
        await eventually(lambda: _waits(database))
        mirroring.guild_left(inn.id)
    if writing is not None:
        await writing
    await mirroring.members_loaded(inn.id)
    assert not any(map(mirroring.has_written, inn.members))
    working.cancel()


async def _waits(database: Database) -> bool:
    """Whether somebody waits for a table."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'"
    async with database.connection("test") as reading:
        return bool(await reading.fetchval(waiting))


async def _is_vouched_for(database: Database) -> bool:
    async with database.connection("test") as reading:
        found = await reading.fetchval("SELECT places_run IS NOT NULL FROM guilds WHERE guild_id = $1", GUILD)
    return bool(found)
