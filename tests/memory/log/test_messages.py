"""The log, over a real database: any order of events, any text."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.values import AuthorKind, Intent, Message, MessageEdit
from memory.db.database import Database
from memory.log.reading import MessageStore
from tests.memory.world import ALICE, BOB, GUILD, HALL, LOUNGE, NOON, World, audience
from tests.models import BY


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


async def test_equal_texts_are_separate_messages(world: World) -> None:
    await world.memory.ingest_message(message(1))
    await world.memory.ingest_message(message(2))
    assert len(await recent(world)) == 2


CREATE, EDIT_1, EDIT_2, DELETE = "create", "edit 1", "edit 2", "delete"


async def play(world: World, events: tuple[str, ...], message_id: int) -> None:
    for event in events:
        if event == CREATE:
            await world.memory.ingest_message(message(message_id))
        elif event == DELETE:
            await world.memory.log.delete_messages(GUILD, HALL, [message_id])
        else:
            await world.memory.log.edit_message(edit(event, int(event[-1]), message_id))


async def test_a_page_that_was_read_before_an_edit_is_stored_as_edited(world: World) -> None:
    await world.memory.log.edit_message(edit("edited", 1))
    await world.memory.log.settled()
    await world.memory.log.store_page(GUILD, HALL, [message(), message(2)])
    assert {one.message_id: one.text for one in await recent(world)} == {1: "edited", 2: "hello"}


@given(st.lists(st.sampled_from([CREATE, EDIT_1, EDIT_2, DELETE]), max_size=8))
@settings(max_examples=20)
async def test_any_sequence_ends_as_it_should(database: Database, events: list[str]) -> None:
    world = World(database)
    async with database.transaction("test") as connection:
        await connection.execute("TRUNCATE chat_history, tombstones, addressed CASCADE")
    await play(world, tuple(events), 1)
    stored = await recent(world)
    if DELETE in events or CREATE not in events:
        assert stored == []
    else:
        newest = max((event for event in events if event in (EDIT_1, EDIT_2)), default="hello")
        assert [one.text for one in stored] == [newest]


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


@pytest.mark.parametrize("change", ["delete", "delete channel"])
async def test_a_fact_taken_from_a_message_goes_with_it(world: World, change: str) -> None:
    said = await world.say(ALICE, "I have a cat", LOUNGE)
    await world.remember(BOB, "this", about=said)
    assert await world.memory.get_memories(audience(), 1, BY) == "“I have a cat” – <@1>."
    if change == "delete":
        await world.memory.log.delete_messages(GUILD, LOUNGE, [said.message_id])
    else:
        await world.memory.log.delete_channel(GUILD, LOUNGE)
    await world.memory.log.settled()
    assert await world.memory.get_memories(audience(), 1, BY) is None


async def test_a_fact_taken_from_a_message_follows_its_edit(world: World) -> None:
    said = await world.say(ALICE, "I have a cat")
    await world.remember(BOB, "this", about=said)
    await world.memory.log.edit_message(edit("I have a dog", 60, said.message_id))
    await world.memory.log.settled()
    assert await world.memory.get_memories(audience(), 1, BY) == "“I have a dog” – <@1>."
    await world.memory.log.edit_message(edit("", 61, said.message_id))
    await world.memory.log.settled()
    assert await world.memory.get_memories(audience(), 1, BY) is None


async def test_a_fact_is_not_taken_from_a_deleted_message(world: World) -> None:
    said = await world.say(ALICE, "I have a cat")
    await world.memory.log.delete_messages(GUILD, HALL, [said.message_id])
    await world.remember(BOB, "this", about=said)
    assert await world.memory.get_memories(audience(), 1, BY) is None
