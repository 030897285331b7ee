"""The log, over a real database: any order of events, any text."""

from datetime import timedelta

import pytest

from memory.core.values import AuthorKind, Intent, Message, MessageEdit
from memory.log.reading import MessageStore
from tests.memory.world import GUILD, HALL, NOON, World, audience


def message(message_id: int = 1, text: str = "hello", **changes: object) -> Message:
    values: dict[str, object] = {
        "guild_id": GUILD,
        "channel_id": HALL,
        "message_id": message_id,
        "author_id": 1,
        "author_kind": AuthorKind.PERSON,
        "text": text,
        "sent_at": NOON,
    }
    return Message(**{**values, **changes})  # type: ignore[arg-type] # a test's shorthand for replacing fields


def edit(text: str, minutes: int, message_id: int = 1) -> MessageEdit:
    return MessageEdit(GUILD, HALL, message_id, text, NOON + timedelta(minutes=minutes), author_id=1)


async def recent(world: World, channel: int = HALL) -> list[Message]:
    await world.memory.log.settled()
    return await MessageStore(world.database).recent(audience(channel), 100)


async def test_a_page_that_was_read_before_an_edit_is_stored_as_edited(world: World) -> None:
    await world.memory.log.edit_message(edit("edited", 1))
    await world.memory.log.settled()
    await world.memory.log.store_page(GUILD, HALL, [message(), message(2)])
    assert {one.message_id: one.text for one in await recent(world)} == {1: "edited", 2: "hello"}


async def test_conversation_leaves_out_bots_and_what_was_said_to_us(world: World) -> None:
    store = MessageStore(world.database)
    for number, kind in enumerate(AuthorKind, start=1):
        await world.memory.ingest_message(message(number, author_kind=kind))
    await world.memory.ingest_message(message(9, "Bot remember this"))
    await world.memory.log.settled()
    await store.note_addressed(GUILD, HALL, 9, Intent.REMEMBER)
    assert [one.message_id for one in await store.recent_conversation(audience(), 10)] == [1]


@pytest.mark.parametrize("order", [(Intent.QUESTION, Intent.REMEMBER), (Intent.REMEMBER, Intent.QUESTION)])
async def test_what_was_wanted_is_no_question_whichever_is_noted_first(
    world: World, order: tuple[Intent, Intent]
) -> None:
    for intent in order:
        await MessageStore(world.database).note_addressed(GUILD, HALL, 9, intent)
    async with world.database.connection("test") as connection:
        noted = await connection.fetchval("SELECT intent FROM addressed WHERE message_id = 9")
    assert noted == "remember"
