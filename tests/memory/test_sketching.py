"""Sketches in recall: they lead to what was said long ago, and never to what may not be heard or is gone."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from ai_clients.sketches import record_bytes
from memory import sketching
from memory.core.audience import Audience
from memory.core.model import MessageEdit
from memory.core.recall.found import Limits
from memory.sketching import Sketching
from memory.store import recall, sketches
from memory.store.database import Database
from memory.store.errors import DatabaseAway
from memory.store.sketches import Sketched, SketchStore
from tests.memory.index_world import ALICE, BOB, CELLAR, GUILD, HALL, LOUNGE, VECTORS, IndexWorld, heard
from tests.memory.metered import until

ASKED = "Who repairs bicycles?"
BICYCLE = "My bike is fixed, the mechanic did well"
NO_LIMITS = Limits()
OPEN = heard(HALL, LOUNGE)


class SketchedWorld(IndexWorld):
    """A guild whose talk is more than few, so that it is sketched."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.sketching = Sketching(SketchStore(database))

    async def chat(self, count: int, channel: int = HALL, author: int = BOB) -> None:
        for number in range(count):
            await self.say(f"the soup of day {number} was salty again", channel, author)

    async def sketched(self) -> Sketched:
        await self.indexer.catch_up()
        await self.sketching.ready(GUILD, VECTORS.name)
        found = self.sketching.of(GUILD, VECTORS.name)
        assert found is not None
        return found

    async def meant(self, sketched: Sketched, audience: Audience = OPEN, limits: Limits = NO_LIMITS) -> list[int]:
        """The nearest first, as recall finds them."""
        [vector] = await VECTORS.embed([ASKED])
        assert vector is not None
        picked = sketched.pick(vector, audience, limits)
        reading = self.recall.reading(audience)
        found = await reading.by_meaning(VECTORS.name, vector, limits, 100, picked)
        return [one.message_id for one in found]


@pytest.fixture
async def world(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SketchedWorld]:
    monkeypatch.setattr(sketches, "FEW", 5)
    monkeypatch.setattr(sketches, "PICKED", 3)
    monkeypatch.setattr(recall, "COMPARED", 5)
    world = SketchedWorld(database)
    await world.settle()
    yield world
    await world.sketching.stop()


async def test_they_lead_to_what_was_said_long_before(world: SketchedWorld) -> None:
    said = await world.say(BICYCLE)
    await world.chat(12)
    found = await world.meant(await world.sketched())
    assert found[0] == said.message_id
    assert len(found) == 3
    assert said.message_id not in [one.message_id for one in await world.by_meaning(ASKED, OPEN)], "only with sketches"


async def test_what_was_said_afterwards_is_compared_as_well(world: SketchedWorld) -> None:
    await world.chat(12)
    sketched = await world.sketched()
    said = await world.say(BICYCLE)
    await world.indexer.catch_up()
    assert (await world.meant(sketched))[0] == said.message_id


async def test_what_is_gone_is_not_found(world: SketchedWorld) -> None:
    said = await world.say(BICYCLE)
    await world.chat(12)
    sketched = await world.sketched()
    await world.memory.delete_messages(GUILD, HALL, {said.message_id})
    await world.memory.settled()
    assert said.message_id not in await world.meant(sketched)


async def test_what_was_edited_counts_as_it_is_now(world: SketchedWorld) -> None:
    said, other = await world.say(BICYCLE), await world.say("the soup was fine")
    await world.chat(12)
    sketched = await world.sketched()
    for message, text in ((said, "the soup needs pepper"), (other, BICYCLE)):
        await world.memory.edit_message(
            MessageEdit(GUILD, HALL, message.message_id, text, message.sent_at + timedelta(hours=1))
        )
    await world.memory.settled()
    await world.indexer.catch_up()
    assert (await world.meant(sketched))[0] == other.message_id


async def test_they_lead_nowhere_that_may_not_be_heard(world: SketchedWorld) -> None:
    secret = await world.say(BICYCLE, CELLAR)
    await world.chat(12)
    sketched = await world.sketched()
    late_secret = await world.say(BICYCLE, CELLAR)
    await world.indexer.catch_up()
    assert {secret.message_id, late_secret.message_id}.isdisjoint(await world.meant(sketched))
    assert {secret.message_id, late_secret.message_id} <= {*await world.meant(sketched, heard(HALL, CELLAR))}


async def test_what_is_said_behind_doors_changes_nothing_in_front_of_them(
    world: SketchedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither which of the few are compared, nor which of what was said last."""
    monkeypatch.setattr(recall, "MOST_LATER", 2)
    said = await world.say(BICYCLE, LOUNGE)
    await world.chat(3, LOUNGE)
    few = heard(LOUNGE)
    await world.chat(12)
    sketched = await world.sketched()
    before = await world.meant(sketched, few), await world.meant(sketched)
    await world.chat(4, CELLAR)
    await world.indexer.catch_up()
    assert (await world.meant(sketched, few), await world.meant(sketched)) == before
    assert said.message_id in before[0]
    assert len(before[0]) == 4, "all of what is so little is compared"
    anew = Sketching(SketchStore(world.database))
    await anew.ready(GUILD, VECTORS.name)
    again = anew.of(GUILD, VECTORS.name)
    assert again is not None
    assert (await world.meant(again, few), await world.meant(again)) == before
    await anew.stop()


async def test_authors_and_times_narrow_them_down(world: SketchedWorld) -> None:
    await world.chat(6)
    early, late = await world.say(BICYCLE, author=ALICE), await world.say(BICYCLE, LOUNGE, author=ALICE)
    others = await world.say(BICYCLE, author=BOB)
    await world.chat(6)
    sketched = await world.sketched()
    by_alice = Limits(author_ids=frozenset({ALICE}))
    assert {*await world.meant(sketched, limits=by_alice)} == {early.message_id, late.message_id}
    then = Limits(after=late.sent_at, before=others.sent_at + timedelta(seconds=1))
    assert {*await world.meant(sketched, limits=then)} == {late.message_id, others.message_id}
    there = Limits(channel_ids=frozenset({LOUNGE}))
    assert await world.meant(sketched, limits=there) == [late.message_id]
    another = await world.say(BICYCLE, LOUNGE, author=BOB)
    await world.indexer.catch_up()
    assert another.message_id not in await world.meant(sketched, limits=by_alice), "what came later is narrowed, too"
    assert await world.meant(sketched, limits=there) == [another.message_id, late.message_id]


async def test_a_guild_that_says_little_has_none(world: SketchedWorld) -> None:
    await world.chat(5)
    await world.indexer.catch_up()
    await world.sketching.ready(GUILD, VECTORS.name)
    assert world.sketching.of(GUILD, VECTORS.name) is None


async def test_they_are_read_once_for_all_who_ask(world: SketchedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.chat(12)
    await world.indexer.catch_up()
    read = SketchStore.read
    times = 0

    async def counted(self: SketchStore, guild_id: int, model: str, most_bytes: int) -> Sketched | None:
        nonlocal times
        times += 1
        return await read(self, guild_id, model, most_bytes)

    monkeypatch.setattr(SketchStore, "read", counted)
    await asyncio.gather(*(world.sketching.ready(GUILD, VECTORS.name) for _ in range(5)))
    await world.sketching.ready(GUILD, VECTORS.name)
    assert times == 1
    monkeypatch.setattr(sketching, "FRESH_SECONDS", 0.0)
    old = world.sketching.of(GUILD, VECTORS.name)
    assert old is not None, "the old ones serve until the new are read"
    await world.sketching.ready(GUILD, VECTORS.name)
    assert times == 2
    assert world.sketching.of(GUILD, VECTORS.name) is not old


async def test_they_are_not_kept_for_long(world: SketchedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketching, "KEPT_SECONDS", 0.05)
    await world.chat(12)
    await world.indexer.catch_up()
    await world.sketching.ready(GUILD, VECTORS.name)
    await until(lambda: not world.sketching._kept)


async def test_without_the_database_there_are_none_and_nobody_fails(
    world: SketchedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.chat(12)
    await world.indexer.catch_up()
    read = SketchStore.read

    async def away(*_: object) -> Sketched | None:
        raise DatabaseAway

    monkeypatch.setattr(SketchStore, "read", away)
    await world.sketching.ready(GUILD, VECTORS.name)
    assert world.sketching.of(GUILD, VECTORS.name) is None
    monkeypatch.setattr(SketchStore, "read", read)
    await until(lambda: world.sketching.of(GUILD, VECTORS.name))


async def test_as_many_of_each_channel_as_there_is_room_for(world: SketchedWorld) -> None:
    await world.chat(8, HALL)
    await world.chat(3, LOUNGE)
    await world.indexer.catch_up()
    found = await SketchStore(world.database).read(GUILD, VECTORS.name, 10 * record_bytes(256))
    assert found is not None
    assert (found.sketches.among([HALL]), found.sketches.among([LOUNGE])) == (5, 3)
