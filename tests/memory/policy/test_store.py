"""The rule in SQL says the same as the pure one, for whatever message and policy."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from textwrap import indent

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.provenance import Evidence, ReplyReceipt
from memory.core.values import Answered, AuthorKind, Message
from memory.db.database import Connection, Database, LogWrite
from memory.db.migrate import SCHEMA
from memory.language.detect import Language
from memory.log import reading
from memory.log.reading import not_pending_removal
from memory.log.store import NOT_CLOSED, add_messages, log_transaction
from memory.policy import store
from memory.policy.rules import Policy, Verdict, may_store
from memory.policy.settings import LogSettings, would_go
from memory.privacy import erase
from memory.receipts import store as unkept
from memory.summaries import make_store
from tests.memory.log.logbook import AUTHORS, IDS, NOON, messages, policies

EXCLUDED_ROLE, OTHER_ROLE = 501, 502
GUILDS = count(1000)
TIME_OF_SMALL_IDS = datetime(2015, 1, 1, tzinfo=UTC)


async def put_in_force(connection: Connection, guild_id: int, policy: Policy) -> None:
    await connection.execute(
        """
        INSERT INTO guilds (guild_id, name, met_at, consent, kept_since, excluded_channels, excluded_roles,
            names_left_out)
        VALUES ($1, 'The Inn', $2, $3, $4, $5, $6, $7)
        """,
        *(guild_id, NOON, policy.consent, policy.keep_since, list(policy.excluded_channels), [EXCLUDED_ROLE]),
        sorted(policy.left_out),
    )
    for user_id in (1, 2, 3, 4):
        roles = [OTHER_ROLE, EXCLUDED_ROLE] if user_id in policy.excluded_authors else [OTHER_ROLE]
        member = "INSERT INTO members (guild_id, user_id, username, is_bot, roles) VALUES ($1, $2, 'x', false, $3)"
        await connection.execute(member, guild_id, user_id, roles)
    for choice, users in (("in", policy.opted_in), ("out", policy.opted_out)):
        for user_id in users:
            await store.choose(connection, guild_id, user_id, choice, NOON)
    for user_id, through in policy.erased_through.items():
        await store.forbid_through(connection, guild_id, [user_id], through, NOON)
    for channel_id, through in policy.channels_erased_through.items():
        await store.empty_through(connection, guild_id, channel_id, through, NOON)


@st.composite
def said(draw: st.DrawFn) -> list[Message]:
    """Messages of every shape; ours may answer somebody."""
    drawn = draw(st.lists(messages(), min_size=1, max_size=30, unique_by=lambda message: message.message_id))
    answered = st.none() | st.builds(Answered, st.sampled_from(AUTHORS), IDS)
    return [replace(one, answers=draw(answered)) if one.author_kind is AuthorKind.SELF else one for one in drawn]


@given(said(), policies())
@settings(max_examples=settings().max_examples // 2)
async def test_whoever_asks_the_tables_is_told_what_the_pure_rule_says(
    database: Database, said: Sequence[Message], policy: Policy
) -> None:
    guild_id = next(GUILDS)
    said = [replace(message, guild_id=guild_id) for message in said]
    # The log does not say whom a message answers: an answer goes with its question.
    stored = [replace(message, answers=None) for message in said]
    async with log_transaction(database, "test", guild_id) as connection:
        await add_messages(connection, stored)
        await put_in_force(connection, guild_id, policy)
        assert (await store.load_policy(connection, guild_id)).policy == policy
        await what_is_stored_is_judged(connection, stored, policy)
        await connection.execute("DELETE FROM chat_history WHERE guild_id = $1", guild_id)
        await what_arrives_is_judged(connection, said, policy)
        await askers_are_judged(connection, stored, policy)
        await people_are_judged(connection, guild_id, policy)


def refused(said: Iterable[Message], policy: Policy) -> set[int]:
    return {message.message_id for message in said if may_store(message, policy) is not Verdict.ADMITTED}


async def ids_of(connection: Connection, guild_id: int, query: str) -> set[int]:
    rows = await connection.fetch(f"SELECT message_id FROM {query}", guild_id)
    return {row["message_id"] for row in rows}


async def what_is_stored_is_judged(connection: LogWrite, stored: Sequence[Message], policy: Policy) -> None:
    guild_id = stored[0].guild_id
    out = refused(stored, policy)
    everything = {message.message_id for message in stored}
    found = await erase.not_admitted(connection, guild_id, 100)
    due = refused(stored, replace(policy, keep_since=None))
    assert sorted(found) == sorted(due), "what is from before the horizon is found by its time"
    assert len(await erase.not_admitted(connection, guild_id, 2)) == min(2, len(found))
    expired = {row["message_id"] for row in await connection.fetch(erase.EXPIRED, guild_id, 100, max(everything))}
    assert expired | due == out
    log = LogSettings(
        policy.consent, None, policy.excluded_channels, frozenset({EXCLUDED_ROLE}), names_left_out=policy.left_out
    )
    assert (await would_go(connection, guild_id, log, NOON)).messages == len(out)
    told = f"chat_history AS said WHERE guild_id = $1 AND {not_pending_removal('said')}"
    assert await ids_of(connection, guild_id, told) == everything, "nothing is going yet"
    await reading.begin(connection, guild_id)
    ours = {message.message_id for message in stored if message.author_kind is AuthorKind.SELF}
    assert await ids_of(connection, guild_id, told) == everything - out - ours


async def what_arrives_is_judged(connection: LogWrite, said: Sequence[Message], policy: Policy) -> None:
    guild_id = said[0].guild_id
    added = await add_messages(connection, said)
    kept = await ids_of(connection, guild_id, "chat_history WHERE guild_id = $1")
    assert kept == {message.message_id for message in said} - refused(said, policy)
    assert added.stored == len(kept)


async def askers_are_judged(connection: LogWrite, said: Sequence[Message], policy: Policy) -> None:
    """As if each were a question; its time is told by its id."""
    guild_id = said[0].guild_id
    for message in said:
        question = replace(
            message, author_kind=AuthorKind.PERSON, parent_id=None, sent_at=TIME_OF_SMALL_IDS, speaker=None
        )
        receipt = ReplyReceipt(
            guild_id, question.message_id, question.channel_id, question.author_id, NOON, Language.EN, Evidence()
        )
        is_kept = await unkept.asker_to_keep(connection, receipt) == question.author_id
        assert is_kept == (may_store(question, policy) is Verdict.ADMITTED)
        erasures = Policy(
            erased_through=policy.erased_through,
            channels_erased_through=policy.channels_erased_through,
            opted_out=policy.opted_out,
        )
        withdrawn = may_store(question, erasures) is not Verdict.ADMITTED
        assert await unkept.is_withdrawn(connection, receipt) == withdrawn


async def people_are_judged(connection: Connection, guild_id: int, policy: Policy) -> None:
    """Wherever they spoke, on a day that begins with some message."""
    anywhere = replace(policy, excluded_channels=frozenset(), channels_erased_through={}, keep_since=None)
    for first_id in (1, 20, 40):
        spoken = [Message(guild_id, 99, first_id, user_id, AuthorKind.PERSON, "", NOON) for user_id in AUTHORS]
        barred = await make_store.not_to_be_told_of(connection, guild_id, AUTHORS, first_id)
        assert barred == {one.author_id for one in spoken if may_store(one, anywhere) is not Verdict.ADMITTED}


MAY_BE_TOLD = f"""
CREATE OR REPLACE FUNCTION may_be_told(of_guild bigint, said_in bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM chat_history AS arrived
        WHERE arrived.guild_id = $1 AND arrived.message_id = said_in AND arrived.author_kind <> 'self'
{indent(f"AND {NOT_CLOSED.strip()}", " " * 8)}
{indent(f"AND {store.MAY_STAY}", " " * 8)});
END $$;
""".replace("$1", "of_guild")


def test_the_schema_has_the_rule_written_out() -> None:
    """A database is made from the schema alone. After a change, `MAY_BE_TOLD` is what has to stand there."""
    assert MAY_BE_TOLD.strip() in SCHEMA.read_text("utf-8")


async def test_every_decision_raises_the_epoch(database: Database) -> None:
    async with database.transaction("test") as connection:
        await put_in_force(connection, 6, Policy())
        assert await store.epoch_of(connection, 6) == 0
        await store.choose(connection, 6, 1, "out", NOON)
        assert await store.epoch_of(connection, 6) == 1
        await store.forbid_through(connection, 6, [1], 5, NOON)
        assert await store.epoch_of(connection, 6) == 2
        await store.empty_through(connection, 6, 10, 5, NOON)
        assert await store.epoch_of(connection, 6) == 3
