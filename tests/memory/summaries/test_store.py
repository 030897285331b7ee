"""What the store promises about days: texts go with their sources, and are written under a claim."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import uuid4

import pytest

from memory.core.values import AuthorKind, Intent, Member
from memory.db.database import Database
from memory.leases import Lease, LeaseStore
from memory.log.reading import MessageStore
from memory.log.store import own_log
from memory.places.view import Audience
from memory.summaries.calendar import HALL_SCOPE, day_on
from memory.summaries.make_store import DayMakingStore
from memory.summaries.store import Begun, DayStore, MadeDay
from tests.memory.summaries.diary_house import ALICE, BOB, CELLAR, GUILD, HALL, LOUNGE, DiaryHouse
from tests.memory.summaries.diary_house import diary_house as opened
from tests.memory.world import there

TENTH = date(2026, 3, 10)
US = Member(GUILD, 99, "innkeeper", is_bot=True)
_WAITING = """
SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE NOT granted AND locktype = 'advisory' AND datname = current_database()
"""


@dataclass
class Shelf:
    """A house with a day that was told from what was said in two rooms."""

    house: DiaryHouse

    def __post_init__(self) -> None:
        database = self.house.database
        self.days, self.making, self.claims = DayStore(database), DayMakingStore(database), LeaseStore(database)
        self.day = there(day_on("UTC", TENTH))

    async def claim(self, what: str = "day") -> Lease:
        claim = Lease(GUILD, what, uuid4())
        now = self.house.clock.now()
        assert await self.claims.take_in([GUILD], what, claim.claimed_by, now=now, until=now + timedelta(minutes=1))
        return claim

    async def begin(self, channels: set[int], scope: int = HALL_SCOPE) -> Begun:
        return await self.making.begin(GUILD, scope, channels, self.day, self.house.clock.now())

    async def tell(self, claim: Lease | None = None, scope: int = HALL_SCOPE) -> bool:
        claim = claim or await self.claim()
        begun = await self.begin({HALL, LOUNGE}, scope)
        texts = {message.author_id: message.text for message in begun.source.messages}
        made = MadeDay(texts, is_final=True, made_at=self.house.clock.now(), version=1, model="m")
        kept = await self.making.finish(claim, scope, self.day, begun, made)
        await self.claims.release_in([GUILD], claim.what, claim.claimed_by)
        return kept

    async def told(self, *sources: int, scope: int = HALL_SCOPE) -> set[int]:
        audience = Audience(GUILD, sources[0], frozenset(sources))
        return {one.user_id for one in await self.days.told(audience, [scope], TENTH, TENTH)}


@pytest.fixture
async def shelf(database: Database) -> AsyncIterator[Shelf]:
    async with opened(database, with_model=False) as house:
        await house.open_guild()
        yield Shelf(house)


async def test_only_what_was_read_disturbs_a_day(shelf: Shelf) -> None:
    house = shelf.house
    read = await house.say(ALICE, "In the hall")
    elsewhere = await house.say(BOB, "In the cellar", CELLAR)
    earlier = await house.say(BOB, "The day before", at=house.clock.now() - timedelta(days=1))
    ours = await house.say(US, "I have forgotten that", kind=AuthorKind.SELF)
    assert await shelf.tell()
    unread = await house.say(BOB, "In the hall, too late to be read")
    await house.edit(unread, "Edited, and still not read")
    await house.edit(ours, "I have forgotten something")
    await house.delete(unread, elsewhere, earlier, ours)
    assert await shelf.told(HALL, LOUNGE) == {1}
    await house.edit(read, "In the hall, edited")
    assert await shelf.told(HALL, LOUNGE) == set()
    (row,) = await shelf.days.disturbed(GUILD)
    assert not row.has_text


async def test_an_edit_that_changes_no_word_does_not_hide_the_next(shelf: Shelf) -> None:
    """It arrives anew, behind what was read."""
    said = await shelf.house.say(ALICE, "In the hall")
    assert await shelf.tell()
    await shelf.house.edit(said, said.text)
    shelf.house.clock.move(timedelta(minutes=1))
    await shelf.house.edit(said, "In the hall, edited")
    assert await shelf.told(HALL, LOUNGE) == set()


async def test_what_turns_out_to_be_said_to_us_disturbs_a_day_that_has_it(shelf: Shelf) -> None:
    said = await shelf.house.say(ALICE, "Innkeeper, forget it")
    assert await shelf.tell()
    await MessageStore(shelf.house.database).note_addressed(GUILD, HALL, said.message_id, Intent.FORGET)
    assert await shelf.told(HALL, LOUNGE) == set()
    assert (await shelf.begin({HALL})).source.messages == ()


async def test_a_day_that_comes_again_is_another(shelf: Shelf) -> None:
    """Whoever still makes something from the former one has to notice."""
    await shelf.house.say(ALICE, "In the hall")
    first = await shelf.begin({HALL})
    await shelf.making.drop(GUILD, HALL_SCOPE, shelf.day)
    again = await shelf.begin({HALL})
    assert again.source == first.source
    assert again.changes != first.changes


async def test_what_changes_while_a_day_is_being_read_is_read_as_it_is_then(shelf: Shelf) -> None:
    """It is not yet on record what the day is told from, so nobody would notice later."""
    said = await shelf.house.say(ALICE, "In the hall")
    database = shelf.house.database
    async with database.transaction("test") as connection:
        await own_log(connection, GUILD)
        await connection.execute("DELETE FROM chat_history WHERE message_id = $1", said.message_id)
        reading = asyncio.create_task(shelf.begin({HALL}))
        async with asyncio.timeout(60):
            while not reading.done() and not await connection.fetchval(_WAITING):  # noqa: ASYNC110 - another's state
                await asyncio.sleep(0.01)
    assert (await reading).source.messages == ()


async def test_whoever_lost_the_claim_writes_nothing(shelf: Shelf) -> None:
    await shelf.house.say(ALICE, "In the hall")
    lost = await shelf.claim()
    shelf.house.clock.move(timedelta(minutes=2))
    await shelf.claim()
    assert not await shelf.tell(lost)
    assert await shelf.told(HALL) == set()
