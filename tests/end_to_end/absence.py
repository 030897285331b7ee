"""What goes on in a guild while the bot is away, and when it is back."""

import contextlib
from collections.abc import AsyncIterator

from local_guild.actions.posting import Draft, Revision
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, Overwrite
from memory.health import PartState
from tests.end_to_end.house import House, Inn, eventually, until
from tests.end_to_end.ledger import until_equal

READ_BACK = int(Permission.READ_MESSAGE_HISTORY)


def talk(inn: Inn, channel: Channel, count: int, said: str = "remark") -> list[int]:
    """Many messages at once; over HTTP they would take their time."""
    author = inn.person("aylin").user.id
    posting = inn.house.server.posting
    return [posting.send(Draft(channel=channel, author_id=author, content=f"{said} {n}")).id for n in range(count)]


def thread_in(inn: Inn, channel: Channel, name: str, *, private: bool = False) -> Channel:
    opened = inn.house.server.threads.start(channel, name, inn.person("aylin").user.id, private=private)
    if private:
        inn.house.server.seats.join(opened, inn.house.bot.id)
    return opened


def archive(inn: Inn, thread: Channel) -> None:
    assert thread.thread is not None
    thread.thread.archived = True
    thread.thread.archived_at = inn.house.server.clock.now()
    inn.house.server.world.keep(thread)


def meddle(inn: Inn, channel: Channel) -> None:
    """Edits and deletes of what was said, in the middle of it."""
    world, posting = inn.house.server.world, inn.house.server.posting
    ids = world.log(channel.id).ids()[-8:]
    edited, first, *bulk = (world.message(channel.id, message_id) for message_id in ids[1:6])
    assert edited is not None
    assert first is not None
    posting.edit(edited, Revision(content="said better"))
    posting.delete(first)
    posting.delete_many(channel, [message for message in bulk if message is not None])


def readable(inn: Inn, name: str, *, yes: bool) -> None:
    """Give the bot READ_MESSAGE_HISTORY in a channel, or take it away."""
    own = inn.channel(name).overwrites.get(inn.house.bot.id)
    allow = own.allow if own else 0
    overwrite = Overwrite(
        inn.house.bot.id,
        for_member=True,
        allow=allow | READ_BACK if yes else allow & ~READ_BACK,
        deny=0 if yes else READ_BACK,
    )
    inn.house.server.places.put_overwrite(inn.channel(name), overwrite)


@contextlib.asynccontextmanager
async def running_again(house: House, **options: object) -> AsyncIterator[None]:
    """The bot runs once more: what its last run said of the gateway does not count."""
    house.health.part("gateway").initializing()
    async with house.bot_running(**options):
        yield


async def until_live(inn: Inn) -> None:
    """Until all that could be read has been read, events move the progress along, and the guild can be decided for."""
    await until_equal(inn)
    await eventually(inn.house.memory.people.known_guilds, lambda known: inn.guild.id in known)
    await until(lambda: inn.house.state_of("catch-up") is PartState.ACTIVE)

    async def progress() -> set[int]:
        rows = await inn.house.rows(
            "SELECT channel_id FROM channel_progress WHERE guild_id = $1 AND contiguous_through IS NOT NULL",
            inn.guild.id,
        )
        return {row["channel_id"] for row in rows}

    wanted = {channel.id for channel in inn.house.server.world.channels_of(inn.guild.id)}
    await eventually(progress, lambda known: wanted <= known)
