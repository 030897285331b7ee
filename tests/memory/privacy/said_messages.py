"""Messages that tell their time by their ids, what is stored of them, and the ways by which they come again."""

from dataclasses import replace
from datetime import timedelta

from memory.core.values import AuthorKind, Member, Message, last_id_of
from tests.memory.log.logbook import edit_to, rows_of
from tests.memory.world import GUILD, HALL, INNKEEPER, World


async def say(world: World, author: Member, text: str, channel: int = HALL, **more: object) -> Message:
    """With an id that tells its time, as Discord's do."""
    world.clock.move(timedelta(seconds=1))
    kind = AuthorKind.SELF if author is INNKEEPER else AuthorKind.BOT if author.is_bot else AuthorKind.PERSON
    now = world.clock.now()
    said = Message(GUILD, channel, last_id_of(now), author.user_id, kind, text, now)
    said = replace(said, **more)  # type: ignore[arg-type] # a test's shorthand for replacing fields
    await world.hear(said)
    return said


async def texts(world: World) -> set[object]:
    return {row["text"] for row in await rows_of(world.database, "chat_history", GUILD)}


async def come_again(world: World, *said: Message) -> None:
    """By every way there is: live, as a page, by comparison, and as an edit."""
    for message in said:
        await world.memory.ingest_message(message)
        await world.memory.log.edit_message(edit_to(replace(message, text="edited", edited_at=world.clock.now())))
        await world.memory.log.store_page(GUILD, message.channel_id, [message])
        await world.memory.log.reconcile(GUILD, message.channel_id, [message])
    await world.memory.log.settled()
