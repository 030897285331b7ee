"""Replies that are to be taken back: each by one process, and nothing that came meanwhile is lost."""

import asyncio
from datetime import timedelta

from memory.receipts.retractions import Replacement, Retraction, Retractions
from memory.receipts.store import AT_ONCE
from tests.memory.facts.held_facts import told
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, GUILD, HALL, World


async def marked(world: World, asked_in: int, because: str = "source") -> None:
    await world.execute(
        """
        INSERT INTO receipts (guild_id, asked_in, channel_id, asker_id, made_at, language, message_ids,
                              take_back_at, because)
        VALUES ($1, $2, $3, $4, $5, 'en', $6, $7, $8)
        """,
        *(GUILD, asked_in, HALL, ALICE.user_id, world.clock.now(), [asked_in + 1], AT_ONCE, because),
    )


async def test_two_processes_do_not_take_the_same_back(world: World) -> None:
    for asked_in in (501, 502, 503):
        await marked(world, asked_in)
    one, other = (Retractions(world.database, world.clock, world.memory.place_mirror, world.health) for _ in range(2))
    seen: list[int] = []

    async def work(door: Retractions) -> None:
        for _ in range(50):
            async with door.due(GUILD) as due:
                for reply in due:
                    seen.append(reply.asked_in)
                    await asyncio.sleep(0.01)
                    await door.done(reply)
            if not await door.guilds([GUILD]):
                return
            await asyncio.sleep(0.02)

    await asyncio.gather(work(one), work(other))
    assert sorted(seen) == [501, 502, 503]


async def due_in(world: World, *, but: int = 0) -> list[Retraction]:
    async with world.memory.retractions.due(GUILD, [but]) as due:
        return due


async def test_what_came_in_between_is_not_lost(world: World) -> None:
    """A message was noted, or another answer put in its place, while the old one was taken back."""
    await marked(world, 501)
    store = world.memory.retractions
    [due] = await due_in(world)
    assert due.instead is Replacement.TAKEN_BACK
    await world.execute("UPDATE receipts SET message_ids = message_ids || 777")
    await store.done(due)
    [again] = await due_in(world)
    assert again.message_ids == (502, 777)
    await world.execute("UPDATE receipts SET take_back_at = NULL, because = NULL")
    await store.done(again)
    assert len(await rows_of(world.database, "receipts", GUILD)) == 1


async def test_what_stands_instead(world: World) -> None:
    gone = "INSERT INTO tombstones (guild_id, message_id, channel_id) VALUES ($1, 601, $2), ($1, 602, $2)"
    await world.execute(gone, GUILD, HALL)
    rows = {
        501: ("source", Replacement.TAKEN_BACK),
        502: ("forgotten", Replacement.TAKEN_BACK),
        503: ("lapsed", Replacement.FORGOTTEN),
        504: ("question", Replacement.NOTHING),
        601: ("source", Replacement.NOTHING),
        602: ("lapsed", Replacement.NOTHING),
    }
    for asked_in, (because, _) in rows.items():
        await marked(world, asked_in, because)
    assert {one.asked_in: one.instead for one in await due_in(world)} == {key: what for key, (_, what) in rows.items()}


async def test_tries_are_counted_and_what_is_put_off_can_be_left_out(world: World) -> None:
    await marked(world, 501)
    store = world.memory.retractions
    [due] = await due_in(world)
    await store.put_off(due)
    [again] = await due_in(world)
    assert isinstance(again, Retraction)
    assert (due.tries, again.tries) == (0, 1)
    assert await due_in(world, but=501) == []


async def test_a_fact_that_expires_leaves_replies_standing(world: World) -> None:
    fact = told(await world.remember(BOB, "Alice likes pizza"))
    await marked(world, 501)
    await world.execute("UPDATE receipts SET take_back_at = NULL, because = NULL, quoted_facts = $1", [fact.fact_id])
    await world.execute("UPDATE guilds SET fact_days = 1 WHERE guild_id = $1", GUILD)
    world.clock.move(timedelta(days=3))
    await world.memory.purge(world.clock.now())
    assert await rows_of(world.database, "facts", GUILD) == []
    assert [row["take_back_at"] for row in await rows_of(world.database, "receipts", GUILD)] == [None]
