"""Messages of every shape go in and come back, as far as anything can hold them."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.clock import SetClock
from memory.core.values import Attachment, Message, MessageEdit
from memory.db.database import Database
from memory.health import Health
from memory.language.text import repair
from memory.log.reading import stored
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.memory.log.logbook import NOON, odd_messages

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


async def read_back(database: Database, guild_id: int, said: Sequence[Message]) -> dict[int, Message]:
    async with database.connection("test") as connection:
        found = await stored(connection, guild_id, [message.message_id for message in said])
    return {message.message_id: message for message in found}


@given(odd_messages(), odd_messages(), st.booleans())
@settings(max_examples=settings().max_examples // 2)
async def test_an_edit_of_any_shape_replaces_all_of_it(
    database: Database, said: Message, then: Message, overtakes: bool
) -> None:
    guild_id = next(GUILDS)
    said = replace(said, guild_id=guild_id, edited_at=None)
    memory = MemoryManager(database, MemoryOptions(), SetClock(NOON), Health("bot", SetClock(NOON)))
    new = {name: getattr(then, name) for name in COMES_WITH_IT}
    ids = (guild_id, said.channel_id, said.message_id)
    edit = MessageEdit(*ids, edited_at=NOON, author_id=said.author_id, author_kind=said.author_kind, **new)
    if overtakes:
        await memory.log.edit_message(edit)
        await memory.log.settled()
    await memory.ingest_message(said)
    await memory.log.edit_message(edit)
    await memory.log.settled()
    assert await read_back(database, guild_id, [said]) == {
        said.message_id: repaired(replace(said, edited_at=NOON, **new))
    }
