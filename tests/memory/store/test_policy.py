"""The rule in SQL says the same as the pure one, for whatever message and policy."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.admission import Policy, Verdict, may_store
from memory.core.model import AuthorKind, Message
from memory.store import going, removal
from memory.store import policy as store
from memory.store.database import Connection, Database
from memory.store.going import tellable
from memory.store.log import add_messages, own_log
from tests.memory.logbook import NOON, messages, policies, rows_of

EXCLUDED_ROLE, OTHER_ROLE = 501, 502
GUILDS = count(1000)


async def put_in_force(connection: Connection, guild_id: int, policy: Policy) -> None:
    await connection.execute(
        """
        INSERT INTO guilds (guild_id, name, met_at, consent, kept_since, excluded_channels, excluded_roles)
        VALUES ($1, 'The Inn', $2, $3, $4, $5, $6)
        """,
        guild_id,
        NOON,
        policy.consent,
        policy.keep_since,
        list(policy.excluded_channels),
        [EXCLUDED_ROLE],
    )
    for user_id in (1, 2, 3, 4):
        roles = [OTHER_ROLE, EXCLUDED_ROLE] if user_id in policy.excluded_authors else [OTHER_ROLE]
        await connection.execute(
            "INSERT INTO members (guild_id, user_id, username, is_bot, roles) VALUES ($1, $2, 'x', false, $3)",
            guild_id,
            user_id,
            roles,
        )
    for choice, users in (("in", policy.opted_in), ("out", policy.opted_out)):
        for user_id in users:
            await store.choose(connection, guild_id, user_id, choice, NOON)
    for user_id, through in policy.erased_through.items():
        await store.forbid_through(connection, guild_id, [user_id], through, NOON)
    for channel_id, through in policy.channels_erased_through.items():
        await store.empty_through(connection, guild_id, channel_id, through, NOON)


@given(st.lists(messages(), min_size=1, max_size=30, unique_by=lambda message: message.message_id), policies())
@settings(max_examples=settings().max_examples // 2)
async def test_the_insert_judges_as_the_pure_rule_does(
    database: Database, said: Sequence[Message], policy: Policy
) -> None:
    guild_id = next(GUILDS)
    said = [replace(message, guild_id=guild_id) for message in said]
    async with database.transaction("test") as connection:
        await put_in_force(connection, guild_id, policy)
        assert (await store.load_policy(connection, guild_id)).policy == policy
        await own_log(connection, guild_id)
        added = await add_messages(connection, said)
    stored = {row["message_id"] for row in await rows_of(database, "chat_history", guild_id)}
    assert stored == {message.message_id for message in said if may_store(message, policy) is Verdict.ADMITTED}
    assert added.stored == len(stored)


@given(st.lists(messages(), min_size=1, max_size=30, unique_by=lambda message: message.message_id), policies())
@settings(max_examples=settings().max_examples // 2)
async def test_what_is_going_is_judged_as_the_pure_rule_does(
    database: Database, said: Sequence[Message], policy: Policy
) -> None:
    guild_id = next(GUILDS)
    said = [replace(message, guild_id=guild_id, answers=None) for message in said]
    told = f"SELECT message_id FROM chat_history AS said WHERE guild_id = $1 AND {tellable('said')}"
    async with database.transaction("test") as connection:
        await own_log(connection, guild_id)
        await add_messages(connection, said)
        await put_in_force(connection, guild_id, policy)
        before = await connection.fetch(told, guild_id)
        await going.begin(connection, guild_id)
        judged = await connection.fetch(told, guild_id)
    assert len(before) == len(said), "nothing is going yet"
    assert {row["message_id"] for row in judged} == {
        message.message_id
        for message in said
        if may_store(message, policy) is Verdict.ADMITTED and message.author_kind is not AuthorKind.SELF
    }


@given(st.lists(messages(), min_size=1, max_size=30, unique_by=lambda message: message.message_id), policies())
@settings(max_examples=settings().max_examples // 2)
async def test_what_may_not_stay_is_found_as_the_pure_rule_says(
    database: Database, said: Sequence[Message], policy: Policy
) -> None:
    guild_id = next(GUILDS)
    said = [replace(message, guild_id=guild_id, answers=None) for message in said]
    async with database.transaction("test") as connection:
        await own_log(connection, guild_id)
        await add_messages(connection, said)
        await put_in_force(connection, guild_id, policy)
        found = await removal.not_admitted(connection, guild_id, 100)
        few = await removal.not_admitted(connection, guild_id, 2)
    refused = {message.message_id for message in said if may_store(message, policy) is not Verdict.ADMITTED}
    within = replace(policy, keep_since=None)
    due = {message.message_id for message in said if may_store(message, within) is not Verdict.ADMITTED}
    assert due <= set(found) <= refused, "what is from before the horizon is found by its time"
    assert len(found) == len(set(found))
    assert len(few) == min(2, len(found))


async def test_without_a_guild_everybody_is_stored_who_did_not_say_no(database: Database) -> None:
    async with database.transaction("test") as connection:
        await store.choose(connection, 5, 2, "out", NOON)
        loaded = await store.load_policy(connection, 5)
    assert loaded == store.PolicyAt(Policy(opted_out=frozenset({2})), None)


async def test_every_decision_raises_the_epoch(database: Database) -> None:
    async with database.transaction("test") as connection:
        await put_in_force(connection, 6, Policy())
        epochs = [await store.epoch_of(connection, 6)]
        await store.choose(connection, 6, 1, "out", NOON)
        epochs.append(await store.epoch_of(connection, 6))
        await store.forbid_through(connection, 6, [1], 5, NOON)
        epochs.append(await store.epoch_of(connection, 6))
        await store.empty_through(connection, 6, 10, 5, NOON)
        epochs.append(await store.epoch_of(connection, 6))
    assert epochs == [0, 1, 2, 3]
