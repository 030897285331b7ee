"""What is kept of contexts: only if all it was made from holds, only for its readers, and only by who has the claim."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

from memory.contexts.service import window_of
from memory.contexts.store import ContextStore, DayPart, Hashes, MadeContext, MadeHistory, MemberParts, Stamp
from memory.core.values import Guild, Standing
from memory.db.database import Database
from memory.db.table_declarations import Erasing
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.leases import Lease, LeaseStore
from memory.log.store import log_transaction
from memory.people.store import GuildStore
from memory.places.view import Audience
from memory.privacy.erase import carry_out

GUILD, HALL, LOUNGE, CELLAR = 100, 1001, 1002, 1003
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
TODAY = date(2026, 3, 10)
WINDOW = window_of("UTC", NOON)
EVERYBODY = Audience(GUILD, HALL, frozenset((HALL, LOUNGE)), is_hall=True)
NARROW = Audience(GUILD, HALL, frozenset((HALL,)))
STARTS = datetime(2026, 3, 9, tzinfo=UTC)
WHAT = "context 0 1"
HASHES = Hashes("f", "t", "h")


class Shelf:
    """The store, with one day and one fact of member 1, and a claim in hand."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.store = ContextStore(database)
        self.facts = FactStore(database, 400)
        self.claim = Lease(GUILD, WHAT, uuid4())

    async def stock(self) -> "Shelf":
        await GuildStore(self.database).meet(Guild(GUILD, "The Inn"), [], NOON)
        await self.execute(
            """
            INSERT INTO days (guild_id, scope, starts_at, ends_at, day, is_final, source_channels, people, messages,
                read_seq, seen_seq, model, made_at, tried_at)
            VALUES ($1, 0, $2, $3, $4, true, ARRAY[1001, 1002], ARRAY[1], 1, 5, 5, 'm', $2, $2)
            """,
            GUILD,
            STARTS,
            STARTS + timedelta(days=1),
            STARTS.date(),
        )
        await self.execute("INSERT INTO day_summaries VALUES ($1, 0, $2, 1, 'Alice sang.')", GUILD, STARTS)
        await self.tell("<@1> likes chess", message_id=7)
        assert await LeaseStore(self.database).take_in(
            [GUILD], WHAT, self.claim.claimed_by, now=NOON, until=NOON + timedelta(minutes=1)
        )
        return self

    async def tell(self, text: str, message_id: int) -> None:
        new = NewFact(
            guild_id=GUILD,
            subject_id=1,
            teller_id=1,
            channel_id=HALL,
            message_id=message_id,
            source_message_id=None,
            text=text,
            standing=Standing.SELF,
            in_hall=True,
            everywhere=False,
            valid_from=NOON,
        )
        await self.facts.remember([new], EVERYBODY)

    async def execute(self, statement: str, *values: object) -> None:
        async with self.database.transaction("test") as connection:
            await connection.execute(statement, *values)

    async def parts(self, audience: Audience = EVERYBODY) -> MemberParts:
        return await self.store.parts(audience, [0], 1, WINDOW, 1)

    async def stamp(self, audience: Audience = EVERYBODY) -> Stamp:
        return await self.store.stamp(audience, [0], 1, WINDOW)

    async def context(self) -> MadeContext:
        parts = await self.parts()
        return MadeContext(
            scope=0,
            user_id=1,
            version=1,
            days=parts.days,
            source_channels=frozenset((HALL, LOUNGE)),
            text="Alice likes chess, and sang.",
            model="m",
            made_at=NOON,
            made_on=TODAY,
            hashes=HASHES,
            fact_ids=tuple(fact.fact_id for fact in parts.hall_facts),
            facts_digest=parts.facts_digest,
        )

    async def history(self, days: tuple[DayPart, ...]) -> MadeHistory:
        return MadeHistory(
            scope=0,
            user_id=1,
            version=1,
            days=days,
            source_channels=frozenset((HALL, LOUNGE)),
            text="Alice sang.",
            model="m",
            made_at=NOON,
            last_day=WINDOW.last,
            made_from="x",
        )

    async def told(self, audience: Audience = EVERYBODY) -> tuple[int, int]:
        parts = await self.parts(audience)
        return len(parts.histories), len(parts.contexts)

    async def put(self) -> tuple[bool, bool]:
        made = await self.context()
        history = await self.store.put_history(self.claim, await self.history(made.days))
        return history, await self.store.put_context(self.claim, made)


@pytest.fixture
async def shelf(database: Database) -> Shelf:
    return await Shelf(database).stock()


CHANGES = {
    "a day has changed": "UPDATE days SET changes = changes + 1 WHERE guild_id = 100",
    "a day is gone": "DELETE FROM days WHERE guild_id = 100",
}
FACT_CHANGES = {
    "a fact is gone": "DELETE FROM facts WHERE guild_id = 100",
    "a fact says something else": "UPDATE facts SET text = 'x' WHERE guild_id = 100",
    "a fact is for others": "UPDATE facts SET channel_id = 1003 WHERE guild_id = 100",
}


async def test_what_was_made_is_told_to_those_who_could_read_all_of_it(shelf: Shelf) -> None:
    assert await shelf.put() == (True, True)
    assert await shelf.told() == (1, 1)
    assert await shelf.told(NARROW) == (0, 0)
    parts = await shelf.parts(NARROW)
    assert [day.text for day in parts.days] == [None]
    assert parts.days[0].is_closed
    assert not (await shelf.parts()).days[0].is_closed


@pytest.mark.parametrize("change", [*CHANGES.values(), *FACT_CHANGES.values()], ids=[*CHANGES, *FACT_CHANGES])
async def test_a_change_takes_what_was_made_from_it_away_at_once(shelf: Shelf, change: str) -> None:
    await shelf.put()
    await shelf.execute(change)
    async with shelf.database.connection("test") as connection:
        assert await connection.fetchval("SELECT count(*) FROM contexts") == 0
        assert await connection.fetchval("SELECT count(*) FROM histories") == int("facts" in change)


@pytest.mark.parametrize("change", [*CHANGES.values(), *FACT_CHANGES.values()], ids=[*CHANGES, *FACT_CHANGES])
async def test_what_slipped_through_is_not_told_and_swept_away(shelf: Shelf, change: str) -> None:
    await shelf.put()
    await shelf.execute("ALTER TABLE days DISABLE TRIGGER USER")
    await shelf.execute("ALTER TABLE facts DISABLE TRIGGER USER")
    await shelf.execute(change)
    expected = (1, 0) if "facts" in change else (0, 0)
    assert await shelf.told() == expected
    await shelf.store.sweep(GUILD)
    async with shelf.database.connection("test") as connection:
        assert await connection.fetchval("SELECT count(*) FROM contexts") == 0
        assert await connection.fetchval("SELECT count(*) FROM histories") == expected[0]


@pytest.mark.parametrize("change", [*CHANGES.values(), *FACT_CHANGES.values()], ids=[*CHANGES, *FACT_CHANGES])
async def test_what_changed_while_a_model_wrote_is_not_kept(shelf: Shelf, change: str) -> None:
    made = await shelf.context()
    history = await shelf.history(made.days)
    await shelf.execute(change)
    assert not await shelf.store.put_context(shelf.claim, made)
    assert await shelf.store.put_history(shelf.claim, history) is ("facts" in change)


async def test_who_lost_the_claim_keeps_nothing(shelf: Shelf) -> None:
    made = await shelf.context()
    late = replace(shelf.claim, claimed_by=uuid4())
    assert not await shelf.store.put_context(late, made)
    assert not await shelf.store.put_history(late, await shelf.history(made.days))


async def test_newer_facts_leave_it_as_it_is(shelf: Shelf) -> None:
    await shelf.put()
    await shelf.tell("<@1> lives in Bonn", message_id=8)
    assert await shelf.told() == (1, 1)


async def test_a_context_is_told_for_a_week_and_a_history_for_its_day(shelf: Shelf) -> None:
    await shelf.put()
    for days, expected in ((0, (1, 1)), (1, (0, 1)), (6, (0, 1)), (7, (0, 0))):
        window = window_of("UTC", NOON + timedelta(days=days))
        parts = await shelf.store.parts(EVERYBODY, [0], 1, window, 1)
        assert (len(parts.histories), len(parts.contexts)) == expected


async def test_the_stamp_changes_with_all_that_matters_and_with_nothing_else(shelf: Shelf) -> None:
    stamps = [await shelf.stamp()]
    assert await shelf.stamp() == stamps[0]
    assert await shelf.stamp(NARROW) != stamps[0], "who reads it"
    for change in (
        "UPDATE days SET made_at = made_at + interval '1 hour' WHERE guild_id = 100",
        CHANGES["a day has changed"],
        FACT_CHANGES["a fact says something else"],
        FACT_CHANGES["a fact is gone"],
        "UPDATE guilds SET epoch = epoch + 1 WHERE guild_id = 100",
        CHANGES["a day is gone"],
    ):
        await shelf.execute(change)
        stamps.append(await shelf.stamp())
    assert len(set(stamps)) == len(stamps)
    for change in (
        "INSERT INTO guilds (guild_id, name, met_at) SELECT 200, name, met_at FROM guilds",
        "UPDATE guilds SET name = 'Another' WHERE guild_id = 100",
    ):
        await shelf.execute(change)
        assert await shelf.stamp() == stamps[-1]


async def test_a_context_made_by_another_process_changes_the_stamp(shelf: Shelf) -> None:
    before = await shelf.stamp()
    await shelf.put()
    assert await shelf.stamp() != before


async def test_who_asked_is_remembered_for_a_while_unless_they_want_nothing_kept(shelf: Shelf) -> None:
    await shelf.store.note_asked(GUILD, 1, NOON)
    await shelf.store.note_asked(GUILD, 2, NOON - timedelta(days=8))
    await shelf.store.note_asked(GUILD, 1, NOON - timedelta(days=9))
    await shelf.execute("INSERT INTO consents (guild_id, user_id, choice, decided_at) VALUES (100, 3, 'out', $1)", NOON)
    await shelf.store.note_asked(GUILD, 3, NOON)
    assert await shelf.store.asked_since(GUILD, NOON - timedelta(days=7)) == [1]
    assert await shelf.store.asked_since(GUILD, NOON - timedelta(days=70)) == [1], "the other is not kept"


async def test_erasing_a_member_takes_all_of_it(shelf: Shelf) -> None:
    await shelf.put()
    await shelf.store.note_asked(GUILD, 1, NOON)
    async with log_transaction(shelf.database, "test", GUILD) as connection:
        await carry_out(connection, Erasing.MEMBER, {"guild": GUILD, "member": 1, "through": 2**62})
        for table in ("contexts", "histories", "asked_about"):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0
