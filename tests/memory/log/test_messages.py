"""The log, over a real database: any order of events, any text."""

import pytest

from memory.core.values import AuthorKind, Intent, Message
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
