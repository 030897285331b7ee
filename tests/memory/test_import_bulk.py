"""The bulk way into the log: ready for COPY, and judged no less than message by message."""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import timedelta
from itertools import count

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.admission import Policy, Verdict, may_store
from memory.core.model import Attachment, AuthorKind, Message
from memory.core.text import repair
from memory.store.bulk import add_in_bulk
from memory.store.copy_format import unpack
from memory.store.database import Database
from memory.store.extras import read, written
from memory.store.log import own_log
from tests.memory.exports import SENT, packed
from tests.memory.imports import log_of
from tests.memory.logbook import CHANNELS, messages, odd_messages, policies, rows_of
from tests.memory.store.test_policy import put_in_force
from tests.memory.world import BOB, GUILD, HALL, World

LATER = SENT + timedelta(hours=1)
GUILDS = count(3000)


@given(st.lists(odd_messages(), min_size=1, max_size=4))
@settings(max_examples=settings().max_examples // 2)
def test_what_is_packed_for_copy_can_be_unpacked(said: list[Message]) -> None:
    place = said[0]
    here = [replace(message, channel_id=place.channel_id, parent_id=place.parent_id) for message in said]
    ready = packed(here)
    assert [row.message for row in unpack(ready)] == [storable(message) for message in here]
    ids = [message.message_id for message in said]
    assert (ready.count, ready.first_id, ready.last_id) == (len(said), min(ids), max(ids))


def storable(message: Message) -> Message:
    return replace(message, text=repair(message.text), **read(orjson.loads(written(message) or "null")))


async def test_what_is_packed_is_stored_as_it_was(world: World) -> None:
    said = [
        Message(GUILD, HALL, 1, 1, AuthorKind.PERSON, "größer\n\t\\ \N{PARTY POPPER}", SENT, parent_id=900),
        Message(
            *(GUILD, HALL, 2**62, 2, AuthorKind.WEBHOOK, "", SENT.replace(microsecond=7), LATER, 1, 900),
            attachments=(Attachment("plan.pdf", "application/pdf", 5, 'a "plan" \\'),),
            stickers=("Wave",),
        ),
    ]
    async with world.database.transaction("test") as connection:
        await own_log(connection, GUILD)
        added = await add_in_bulk(connection, packed(said))
    assert (added.stored, added.known) == (2, 0)
    assert await log_of(world) == {message.message_id: message for message in said}


async def test_one_id_of_two_kinds_is_judged_for_each(world: World) -> None:
    await world.memory.opt_out(GUILD, BOB.user_id)
    said = [
        Message(GUILD, HALL, number, BOB.user_id, kind, "x", SENT)
        for number, kind in ((1, AuthorKind.WEBHOOK), (2, AuthorKind.PERSON))
    ]
    async with world.database.transaction("test") as connection:
        await own_log(connection, GUILD)
        await add_in_bulk(connection, packed(said))
    assert sorted(await log_of(world)) == [1]


def close_together(number: int) -> int:
    """So few ids that erasures often end at the oldest message of an author, or just before or behind it."""
    return number % 6


@given(
    st.lists(messages(), min_size=1, max_size=6, unique_by=lambda message: close_together(message.message_id)),
    policies(),
    st.sampled_from(CHANNELS),
    st.sampled_from([None, *CHANNELS]),
)
async def test_the_bulk_way_judges_as_the_pure_rule_does(
    database: Database, said: Sequence[Message], policy: Policy, channel: int, parent: int | None
) -> None:
    guild_id = next(GUILDS)
    here = replace(said[0], guild_id=guild_id, channel_id=channel, parent_id=parent)
    said = [
        replace(
            here,
            message_id=close_together(message.message_id),
            author_id=message.author_id,
            author_kind=message.author_kind,
            sent_at=message.sent_at,
        )
        for message in said
    ]
    erased = {user_id: close_together(through) for user_id, through in policy.erased_through.items()}
    policy = replace(policy, erased_through=erased)
    async with database.transaction("test") as connection:
        await put_in_force(connection, guild_id, policy)
        await own_log(connection, guild_id)
        added = await add_in_bulk(connection, packed(said))
    kept = {row["message_id"] for row in await rows_of(database, "chat_history", guild_id)}
    assert kept == {message.message_id for message in said if may_store(message, policy) is Verdict.ADMITTED}
    assert added.stored == len(kept)


@given(messages(), messages(), policies())
def test_what_is_newer_may_be_stored_if_the_oldest_may(older: Message, newer: Message, policy: Policy) -> None:
    """The bulk way rests on it: it asks for the lowest id and the earliest time of each author and kind alone."""
    like_older = replace(
        newer,
        channel_id=older.channel_id,
        parent_id=older.parent_id,
        author_id=older.author_id,
        author_kind=older.author_kind,
        message_id=max(older.message_id, newer.message_id),
        sent_at=max(older.sent_at, newer.sent_at),
    )
    if may_store(older, policy) is Verdict.ADMITTED:
        assert may_store(like_older, policy) is Verdict.ADMITTED


def test_no_part_of_the_policy_is_unknown_to_these_tests() -> None:
    """What is added to `Policy` has to be varied by `policies()`, and judged by the place, the author or the age."""
    assert {each.name for each in fields(Policy)} == {
        "consent",
        "opted_out",
        "opted_in",
        "erased_through",
        "channels_erased_through",
        "excluded_channels",
        "excluded_authors",
        "keep_since",
    }
