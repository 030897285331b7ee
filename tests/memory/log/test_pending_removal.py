"""A large erasure takes its time. What it has decided to remove is told to nobody from its first moment on, and what a
model makes of it meanwhile is never written down."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest
from aiohttp import web

from memory.db.database import Database
from memory.log.reading import MessageStore
from memory.manager import MemoryManager
from memory.policy.settings import GuildSettings
from memory.privacy.service import Privacy
from memory.privacy.tables import ALL_TABLES
from memory.recall.results import Bookmark, Recollection
from tests.memory.contexts.context_house import MERGES, TELLS, ContextHouse, at_noon, context_house
from tests.memory.summaries.diary_house import ALICE, BOB, GUILD, HALL, LOUNGE
from tests.models import BY

WORD = "ptarmigan"
LAST = 2**62
REPLY = 77_000
WAYS = {
    "recent",
    "conversation",
    "elsewhere",
    "while there is no database",
    "recalled",
    "read again",
    "before it",
    "after it",
    "day",
    "memories",
    "linked to",
}
Erase = Callable[..., Awaitable[object]]
"""In a house; looked at as it goes on, or not."""
ERASURES: dict[str, Erase] = {
    "member": lambda house, *look: house.memory.privacy.erase_member(GUILD, ALICE.user_id, LAST, *look),
    "opting out": lambda house, *look: house.memory.privacy.opt_out(GUILD, ALICE.user_id, *look),
    "channel": lambda house, *look: house.memory.privacy.erase_channel(GUILD, HALL, LAST, BOB.user_id, *look),
    "guild": lambda house, *look: house.memory.privacy.erase_guild(GUILD, *look),
}


@pytest.fixture
async def house(database: Database) -> AsyncIterator[ContextHouse]:
    async with context_house(database, with_models=False) as house:
        yield house


class Listener:
    """Hears all that a process tells of what Alice said, by every way on which messages are told."""

    def __init__(self, house: ContextHouse, memory: MemoryManager) -> None:
        self.house = house
        self.memory = memory
        self.marks: list[Bookmark] = []
        self.aside = 0

    async def tells(self) -> set[str]:
        hall, lounge = (self.memory.places.audience_of(GUILD, place) for place in (HALL, LOUNGE))
        read, receipts = MessageStore(self.memory._database), self.memory.receipts._store
        recalled = await self.recalled()
        told = {
            "recent": await read.recent(hall, 50),
            "conversation": await read.recent_conversation(hall, 50),
            "elsewhere": await read.recent_elsewhere(lounge, 50),
            "while there is no database": self.memory.answers._ring.recent_conversation(hall, 50),
            "recalled": recalled,
            "read again": await self.memory.recall.read_again(hall, self.marks),
            "before it": await self.memory.recall.read_again(hall, [Bookmark(self.aside, with_before=True)]),
            "after it": await self.memory.recall.read_again(hall, [Bookmark(self.aside, with_after=True)]),
            "day": await self.memory.day_answers.day(hall, await self.memory.day_answers.days.today(GUILD), BY),
            "memories": await self.house.memories(ALICE, memory=self.memory),
        }
        standing = await receipts.standing(GUILD, [mark.message_id for mark in self.marks])
        return {way for way, what in told.items() if WORD in str(what)} | ({"linked to"} if standing else set())

    async def recalled(self) -> tuple[Recollection, ...]:
        audience, now = self.memory.places.audience_of(GUILD, HALL), self.house.clock.now()
        found = await self.memory.recall.search(f"who fed the {WORD}?", audience, BOB.user_id, now, k=9)
        self.marks = self.marks or [Bookmark.of(one) for one in found]
        return found


async def listeners_to(house: ContextHouse) -> tuple[Listener, Listener]:
    """To the process that erases, and to one that has not heard of it; with messages in the index, and behind it."""
    house.memory.privacy._erasure._chunk = 2
    other = house.start()
    house.look(other)
    here, there = Listener(house, house.memory), Listener(house, other)
    for number in range(8):
        if number == 6:
            await house.memory.indexer.catch_up()
            here.aside = there.aside = (await house.say(BOB, "Good for you")).message_id
        await house.say(ALICE, f"I fed the {WORD} {number} times")
    for listener in (here, there):
        await listener.recalled()
    assert await here.tells() == WAYS
    assert await there.tells() == WAYS - {"while there is no database"}
    return here, there


@pytest.mark.parametrize("erase", ERASURES.values(), ids=ERASURES)
async def test_what_is_going_is_told_by_nobody(house: ContextHouse, erase: Erase) -> None:
    here, there = await listeners_to(house)
    left: list[int] = []

    async def look(_done: int, _of: int) -> None:
        left.append(await messages(house))
        assert await here.tells() == set()
        assert await there.tells() == set()

    await erase(house, look)
    assert left[:3] == [6, 4, 2], "it was looked at in between"
    assert await messages(house) == 0
    assert await marks(house) == []
    await house.say(BOB, f"The {WORD} is back", LOUNGE)
    if erase is not ERASURES["guild"]:
        assert "elsewhere" not in await here.tells()
        lounge = house.memory.places.audience_of(GUILD, LOUNGE)
        assert WORD in str(await MessageStore(house.database).recent(lounge, 50))


async def test_what_settings_take_away_is_told_by_nobody_while_it_goes(
    house: ContextHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await listeners_to(house)
    remove, heard = Privacy._remove_chunk, []

    async def look_first(privacy: Privacy, guild_id: int) -> int:
        heard.append(await here.tells() | await there.tells())
        return await remove(privacy, guild_id)

    def without_the_hall(now: GuildSettings) -> GuildSettings:
        return replace(now, log=replace(now.log, excluded_channels=frozenset({HALL})))

    monkeypatch.setattr(Privacy, "_remove_chunk", look_first)
    await house.memory.privacy.change_settings(GUILD, without_the_hall)
    summaries = {"day", "memories"}  # each goes with the messages it was made from
    assert [ways - summaries for ways in heard] == [set(), set()]
    assert heard[-1] == set()
    assert await marks(house) == []


async def test_an_erasure_that_broke_off_goes_on_being_told_by_nobody(house: ContextHouse) -> None:
    here, there = await listeners_to(house)

    async def break_off(_done: int, _of: int) -> None:
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        await house.memory.privacy.erase_member(GUILD, ALICE.user_id, LAST, break_off)
    assert await messages(house) == 6
    assert await here.tells() | await there.tells() == set()
    await house.memory.purge(house.clock.now())
    assert (await messages(house), await marks(house)) == (0, [])


async def test_a_channel_deleted_in_parts_is_told_by_nobody_and_goes_at_the_next_start(
    house: ContextHouse,
) -> None:
    here, there = await listeners_to(house)
    house.memory.log._removed_at_once = 2
    await house.memory.log.delete_channel(GUILD, HALL)
    await asyncio.wait_for(house.memory.privacy.is_unfinished.wait(), 60)
    assert 0 < await messages(house) < 8, "there is more than goes at once"
    assert await here.tells() | await there.tells() == set()
    restarted = house.start()
    assert await messages(house) > 0
    await restarted.purge(house.clock.now())
    assert (await messages(house), await marks(house)) == (0, [])


async def messages(house: ContextHouse) -> int:
    return len(await house.database.read("test", "SELECT 1 FROM chat_history WHERE text LIKE $1", f"%{WORD}%"))


async def marks(house: ContextHouse) -> list[object]:
    rows = await house.database.read("test", "SELECT unnest(going) AS mark FROM guilds")
    return [row["mark"] for row in rows]


@pytest.fixture
async def kept(database: Database) -> AsyncIterator[ContextHouse]:
    async with context_house(database) as house:
        yield house


async def traces(database: Database) -> set[str]:
    """Tables that hold the word anywhere."""
    query = "SELECT 1 FROM {} AS row WHERE row::text ILIKE $1"
    return {one.table for one in ALL_TABLES if await database.read("test", query.format(one.table), f"%{WORD}%")}


@pytest.mark.parametrize("model", [TELLS, MERGES])
@pytest.mark.parametrize("erase", ERASURES.values(), ids=ERASURES)
async def test_what_is_made_meanwhile_of_what_was_erased_is_not_kept(
    kept: ContextHouse, erase: Erase, model: str
) -> None:
    await kept.remember(ALICE, f"I keep a {WORD}")
    await kept.say(ALICE, f"I fed the {WORD}", at=at_noon(kept, 8))
    await kept.say(ALICE, f"The {WORD} laid an egg")
    held, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_request: web.Request) -> None:
        held.set()
        await go_on.wait()

    kept.narrator.server.faults = {model: wait}  # type: ignore[dict-item] # it only waits
    asking = asyncio.create_task(kept.memories(ALICE))
    await asyncio.wait_for(held.wait(), 60)
    await erase(kept)
    go_on.set()
    assert WORD not in await asking
    await kept.memory.contexts.stop()
    await kept.memory.day_answers.stop()
    assert await traces(kept.database) == set()
