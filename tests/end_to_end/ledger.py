"""The log against the local guild's own state: message by message, in every channel and thread the bot may read."""

from datetime import datetime
from typing import Any, NamedTuple

import pytest

from local_guild.state.permissions import Permission
from local_guild.state.world import Channel
from tests.end_to_end.house import Inn, eventually

WRITTEN_BY_SOMEONE = frozenset((0, 19, 20, 23))
NEEDED = int(Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY)


class Line(NamedTuple):
    channel_id: int
    parent_id: int | None
    author_id: int
    text: str
    edited_at: datetime | None


Ledger = dict[int, Line]


def told(inn: Inn) -> Ledger:
    """What Discord would hand out to the bot."""
    world, access, bot = inn.house.server.world, inn.house.server.access, inn.house.bot
    return {
        message.id: Line(channel.id, _parent(channel), message.author_id, message.content, message.edited_at)
        for channel in (*world.channels_of(inn.guild.id), *world.threads_of(inn.guild.id))
        if access.in_channel(channel, bot.id) & NEEDED == NEEDED
        for message in world.log(channel.id).newest_first()
        if message.type in WRITTEN_BY_SOMEONE
    }


async def logged(inn: Inn) -> Ledger:
    rows: list[dict[str, Any]] = await inn.house.rows(
        "SELECT message_id, channel_id, parent_id, author_id, text, edited_at FROM chat_history WHERE guild_id = $1",
        inn.guild.id,
    )
    return {row.pop("message_id"): Line(**row) for row in rows}


async def until_equal(inn: Inn) -> Ledger:
    """Until the log holds exactly what Discord has; a test that waits in vain shows the difference."""
    try:
        return await eventually(lambda: logged(inn), lambda log: log == told(inn))
    except TimeoutError:
        log, discord = await logged(inn), told(inn)
        missing = {message_id: discord[message_id] for message_id in discord.keys() - log.keys()}
        surplus = {message_id: log[message_id] for message_id in log.keys() - discord.keys()}
        other = {i: (log[i], discord[i]) for i in log.keys() & discord.keys() if log[i] != discord[i]}
        pytest.fail(f"missing {missing}\nsurplus {surplus}\nother {other}")


def _parent(channel: Channel) -> int | None:
    return channel.parent_id if channel.thread is not None else None
