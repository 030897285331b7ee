"""How much there is: by days of the guild's own clocks, and of what a reader may read alone."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

from ai_clients.settings import ModelOptions
from memory.audit import Deed
from memory.core.values import AuthorKind, Message, last_id_of
from memory.health import Health
from memory.models.metering import Metering
from memory.models.usage import DaySpending, ModelCall, UsageStore
from memory.overview import Erased
from memory.settings import MemoryOptions
from tests.memory.facts.held_facts import alone
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World

LATE = datetime(2026, 2, 27, 23, 30, tzinfo=UTC)
"""In Berlin, of which the tests have the clocks, half past midnight on the 28th."""


async def said_at(world: World, at: datetime, channel: int = HALL) -> None:
    message = Message(GUILD, channel, last_id_of(at), ALICE.user_id, AuthorKind.PERSON, "Good evening!", at)
    await world.hear(message)


async def in_berlin(world: World) -> None:
    await world.memory.privacy.change_settings(GUILD, lambda settings: replace(settings, time_zone="Europe/Berlin"))


async def test_messages_are_counted_on_the_days_of_the_guild_where_one_may_read(world: World) -> None:
    await in_berlin(world)
    await said_at(world, LATE)
    await said_at(world, LATE.replace(hour=22))
    await said_at(world, LATE.replace(minute=40), CELLAR)
    await said_at(world, LATE.replace(day=1))
    days = await world.memory.overview.messages(alone(BOB), 3)
    assert days == {date(2026, 2, 27): 1, date(2026, 2, 28): 1, date(2026, 3, 1): 0}
    assert (await world.memory.overview.messages(alone(ALICE, CELLAR), 3))[date(2026, 2, 28)] == 2
    assert len(await world.memory.overview.messages(alone(BOB), 90)) == 90


async def test_what_was_erased_is_told_and_not_of_whom(world: World) -> None:
    await said_at(world, LATE)
    await said_at(world, LATE.replace(minute=40), CELLAR)
    await world.memory.privacy.opt_out(GUILD, FLORENT.user_id)
    await world.memory.privacy.opt_in(GUILD, FLORENT.user_id)
    assert await world.memory.overview.erasures(GUILD, 9) == [], "nobody had anything erased by opting in"
    now = world.clock.now()
    await world.memory.privacy.erase_channel(GUILD, HALL, last_id_of(now), BOB.user_id)
    world.clock.move(timedelta(days=1))
    await world.memory.privacy.erase_member(GUILD, ALICE.user_id, last_id_of(world.clock.now()))
    day = world.clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    told = [Erased(day, None, 1), Erased(now, HALL, 1)]
    assert await world.memory.overview.erasures(GUILD, 9) == told
    assert await world.memory.overview.erasures(GUILD, 1) == told[:1]
    assert await world.memory.overview.erasures(GUILD + 1, 9) == []
    listed = await world.memory.audit_log.of_guild(alone(BOB), skip=0, most=9)
    assert [one.deed for one in listed.entries] == [Deed.ERASED_CHANNEL], "the minute would tell who it was"


async def test_calls_of_models_and_what_they_cost_stand_on_their_days(world: World) -> None:
    await in_berlin(world)
    calls = [
        ModelCall(guild, uuid4(), at, "answer", model, "ok", 1_000_000, 0, False, 500)
        for guild, at, model in (
            (GUILD, LATE, "priced"),
            (GUILD, LATE, "unpriced"),
            (GUILD, LATE.replace(hour=22), "priced"),
            (GUILD + 1, LATE, "priced"),
        )
    ]
    await UsageStore(world.database).record(calls)
    prices = ModelOptions.model_validate({"MODEL_PRICES": "priced=1/4"})
    health = Health("test", world.clock)
    metering = Metering(world.database, MemoryOptions(), world.clock, health, prices=prices)
    spent = await metering.by_day(GUILD, 3)
    assert spent[date(2026, 2, 28)] == DaySpending(2, 2_000_000, Decimal(1))
    assert [one.calls for one in spent.values()] == [1, 2, 0]
