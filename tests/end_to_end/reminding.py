"""Reminders as a member asks for them, sees them and gets them, over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any

from local_guild.state.messages import Message
from local_guild.state.world import ChannelType
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import fill_in, press, text_of

_made_due: set[tuple[int, datetime]] = set()


async def change(person: Person, message: Payload, label: str, *values: str) -> Payload:
    return await fill_in(person, await press(person, message, label), *values, message=message)


def said_in(inn: Inn, channel_id: int, words: str) -> list[Message]:
    """Messages of the bot's in a place."""
    world = inn.house.server.world
    ours = [one for one in world.log(channel_id).after(0, 1_000) if one.author_id == world.bot.id]
    return [one for one in ours if words in text_in(one)]


def text_in(message: Message) -> str:
    return text_of({"content": message.content, "components": message.components})


def said_privately(inn: Inn, person: Person, words: str) -> list[Message]:
    channels = inn.house.server.world.channels.values()
    private = [one for one in channels if one.type == ChannelType.DM and person.user.id in one.recipient_ids]
    return [message for channel in private for message in said_in(inn, channel.id, words)]


async def hears(person: Person, words: str, channel: str = GENERAL) -> Payload:
    """A reminder in its place, as its owner sees it."""
    inn, channel_id = person.inn, person.inn.channel(channel).id
    await until(lambda: said_in(inn, channel_id, words))
    message_id = said_in(inn, channel_id, words)[0].id
    answer: Payload = (await person.call("GET", f"/channels/{channel_id}/messages/{message_id}")).json()
    return answer


async def rows_of(inn: Inn) -> list[dict[str, Any]]:
    return await inn.house.rows("SELECT * FROM reminders WHERE guild_id = $1 ORDER BY reminder_id", inn.guild.id)


async def make_due(inn: Inn, ago: timedelta = timedelta(seconds=1), only: int | None = None) -> None:
    """All that is open in a guild, or one of them, since then. Never at a moment that was due before: for one moment a
    reminder is said once, and a test comes back to it within the second."""
    due_at = (datetime.now(UTC) - ago).replace(microsecond=0)
    while (inn.guild.id, due_at) in _made_due:
        due_at -= timedelta(seconds=1)
    _made_due.add((inn.guild.id, due_at))
    due = (
        "UPDATE reminders SET due_at = $2 WHERE guild_id = $1 AND state = 'open'"
        " AND ($3::bigint IS NULL OR reminder_id = $3) RETURNING 1"
    )
    await inn.house.rows(due, inn.guild.id, due_at, only)
    inn.house.memory.reminders.wake()


async def in_state(inn: Inn, *states: str) -> list[dict[str, Any]]:
    return await eventually(lambda: rows_of(inn), lambda rows: [row["state"] for row in rows] == list(states))
