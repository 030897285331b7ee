"""What is kept of contexts: only if all that it was made from holds, and only by who has the claim."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

from memory.contexts.service import window_of
from memory.contexts.store import ContextStore, DayPart, MemberParts, NewText, TextKind
from memory.core.values import Fact, Guild, Standing
from memory.db.database import Database
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.leases import Lease, LeaseStore
from memory.people.store import GuildStore
from memory.places.view import Audience

GUILD, HALL, LOUNGE = 100, 1001, 1002
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
TODAY = date(2026, 3, 10)
WINDOW = window_of("UTC", NOON)
EVERYBODY = Audience(GUILD, HALL, frozenset((HALL, LOUNGE)), is_hall=True)
STARTS = datetime(2026, 3, 9, tzinfo=UTC)
WHAT = "context 0 1"


class Shelf:
    """The store, with one day and one fact of member 1, and a claim in hand."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.store = ContextStore(database)
        self.facts = FactStore(database)
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
        await self.execute("INSERT INTO day_entries VALUES ($1, 0, $2, 1, 'member', 1, 'Alice sang.')", GUILD, STARTS)
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

    async def parts(self) -> MemberParts:
        return (await self.store.find(EVERYBODY, [0], 1, WINDOW)).parts()

    async def made(self) -> tuple[NewText, NewText]:
        """Of the day, and of the day and the fact."""
        parts = await self.parts()
        return new_text(TextKind.WEEK, parts.days), new_text(TextKind.CONTEXT, parts.days, parts.hall_facts)

    async def told(self) -> list[str]:
        return sorted(text.kind for text in (await self.parts()).texts)

    async def put(self) -> list[bool]:
        return [await self.store.put(self.claim, made) for made in await self.made()]

    async def kept(self) -> list[str]:
        return [row["kind"] for row in await self.database.read("test", "SELECT kind FROM texts ORDER BY kind")]


def new_text(kind: TextKind, days: tuple[DayPart, ...], facts: tuple[Fact, ...] = ()) -> NewText:
    return NewText(
        kind=kind,
        scope=0,
        user_id=1,
        made_on=TODAY,
        version=1,
        made_from="x",
        facts=facts,
        days=days,
        source_channels=frozenset((HALL, LOUNGE)),
        text="Alice likes chess, and sang.",
        model="m",
        made_at=NOON,
        asked_at=NOON,
    )


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


@pytest.mark.parametrize("change", [*CHANGES.values(), *FACT_CHANGES.values()], ids=[*CHANGES, *FACT_CHANGES])
async def test_what_slipped_through_is_not_told_and_swept_away(shelf: Shelf, change: str) -> None:
    await shelf.put()
    await shelf.execute("ALTER TABLE days DISABLE TRIGGER USER")
    await shelf.execute("ALTER TABLE facts DISABLE TRIGGER USER")
    await shelf.execute(change)
    left = ["week"] if "facts" in change else []
    assert await shelf.told() == left
    await shelf.store.sweep(GUILD, WINDOW.first)
    assert await shelf.kept() == left


@pytest.mark.parametrize("change", [*CHANGES.values(), *FACT_CHANGES.values()], ids=[*CHANGES, *FACT_CHANGES])
async def test_what_changed_while_a_model_wrote_is_not_kept(shelf: Shelf, change: str) -> None:
    week, context = await shelf.made()
    await shelf.execute(change)
    assert not await shelf.store.put(shelf.claim, context)
    assert await shelf.store.put(shelf.claim, week) is ("facts" in change)


async def test_who_lost_the_claim_keeps_nothing(shelf: Shelf) -> None:
    late = replace(shelf.claim, claimed_by=uuid4())
    for made in await shelf.made():
        assert not await shelf.store.put(late, made)
