"""Messages of every shape go into the log and come back, and what counts as conversation there."""

from dataclasses import fields, replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.clock import SetClock
from memory.core.values import Attachment, AuthorKind, Intent, Message, MessageEdit
from memory.db.database import Database
from memory.health import Health
from memory.language.text import repair
from memory.log.reading import MessageStore, stored
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.memory.log.logbook import odd_messages, rows_of
from tests.memory.world import GUILD, HALL, NOON, World, audience


async def test_conversation_leaves_out_bots_and_what_was_said_to_us(world: World) -> None:
    store = MessageStore(world.database)
    for number, kind in enumerate(AuthorKind, start=1):
        await world.memory.ingest_message(Message(GUILD, HALL, number, 1, kind, "hello", NOON))
    await world.hear(Message(GUILD, HALL, 9, 1, AuthorKind.PERSON, "Bot remember this", NOON))
    await store.note_addressed(GUILD, HALL, 9, Intent.REMEMBER)
    assert [one.message_id for one in await store.recent_conversation(audience(), 10)] == [1]


@pytest.mark.parametrize("order", [(Intent.QUESTION, Intent.REMEMBER), (Intent.REMEMBER, Intent.QUESTION)])
async def test_what_was_wanted_is_no_question_whichever_is_noted_first(
    world: World, order: tuple[Intent, Intent]
) -> None:
    for intent in order:
        await MessageStore(world.database).note_addressed(GUILD, HALL, 9, intent)
    assert [row["intent"] for row in await rows_of(world.database, "addressed", GUILD)] == ["remember"]


GUILDS = count(3000)


COMES_WITH_IT = ("text", "attachments", "embeds", "poll", "forwarded", "stickers")


def repaired(value: Any) -> Any:  # noqa: ANN401 - a message, or anything in it
    match value:
        case str():
            return repair(value)
        case tuple():
            return tuple(map(repaired, value))
        case Message() | Attachment():
            return replace(value, **{one.name: repaired(getattr(value, one.name)) for one in fields(value)})
    return value


@given(odd_messages(), odd_messages(), st.booleans())
@settings(max_examples=settings().max_examples // 2)
async def test_an_edit_of_any_shape_replaces_all_of_it(
    database: Database, said: Message, then: Message, overtakes: bool
) -> None:
    guild_id = next(GUILDS)
    said = replace(said, guild_id=guild_id, edited_at=None)
    memory = MemoryManager(database, MemoryOptions(), SetClock(NOON), Health("bot", SetClock(NOON)))
    new = {name: getattr(then, name) for name in COMES_WITH_IT}
    edit = MessageEdit(replace(said, edited_at=NOON, **new))
    if overtakes:
        await memory.log.edit_message(edit)
        await memory.log.settled()
    await memory.ingest_message(said)
    await memory.log.edit_message(edit)
    await memory.log.settled()
    async with database.connection("test") as connection:
        assert await stored(connection, guild_id, [said.message_id]) == [repaired(replace(said, edited_at=NOON, **new))]
