"""The table of calls: written once however often it is tried, read by day, purpose and model, and forgotten in time."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.db.database import Database
from memory.models.usage import ModelCall, Tally, UsageStore

GUILD, OTHER = 100, 200
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def call(
    at: datetime = NOON,
    guild: int = GUILD,
    *,
    purpose: str = "answer",
    model: str = "m1",
    outcome: str = "ok",
    tokens: tuple[int, int] = (100, 10),
    estimated: bool = False,
    milliseconds: int = 500,
) -> ModelCall:
    return ModelCall(guild, uuid4(), at, purpose, model, outcome, *tokens, estimated, milliseconds)


@pytest.fixture
def store(database: Database) -> UsageStore:
    return UsageStore(database)


async def test_calls_are_added_up_by_purpose_and_model(store: UsageStore) -> None:
    await store.record(
        [
            call(milliseconds=1000),
            call(outcome="rate_limited", tokens=(0, 0), milliseconds=200),
            call(model="m2", tokens=(1000, 500), estimated=True),
            call(purpose="summarise", tokens=(20, 3)),
            call(guild=OTHER, tokens=(9999, 9999)),
        ]
    )
    (tallies,) = await store.tallies(GUILD, [NOON])
    assert tallies == (
        Tally("answer", "m2", 1, 0, 1000, 500, True, 500),
        Tally("answer", "m1", 2, 1, 100, 10, False, 1200),
        Tally("summarise", "m1", 1, 0, 20, 3, False, 500),
    )
    assert tallies[1].mean_seconds == 0.6


async def test_each_period_holds_what_was_used_from_its_beginning_on(store: UsageStore) -> None:
    await store.record([call(NOON - timedelta(days=days)) for days in (0, 1, 6, 29, 40)])
    since = [NOON - timedelta(days=days) for days in (0, 6, 29)]
    periods = await store.tallies(GUILD, since)
    assert [period[0].calls for period in periods] == [1, 3, 4]
    assert await store.tallies(OTHER, since) == [(), (), ()]


async def test_what_is_written_twice_counts_once(store: UsageStore) -> None:
    calls = [call(), call()]
    await store.record(calls)
    await store.record([*calls, call()])
    (tallies,) = await store.tallies(GUILD, [NOON])
    assert tallies[0].calls == 3


async def test_tokens_of_a_day_leave_one_purpose_out(store: UsageStore) -> None:
    await store.record([call(), call(purpose="embed", tokens=(5000, 0)), call(NOON - timedelta(hours=13))])
    assert await store.tokens_since(GUILD, NOON - timedelta(hours=12), but_for="embed") == 110
    assert await store.tokens_since(OTHER, NOON, but_for="embed") == 0


async def test_requests_are_counted_for_all_guilds_together(store: UsageStore) -> None:
    await store.record([call(), call(guild=OTHER), call(model="m2"), call(NOON - timedelta(seconds=1))])
    assert await store.requests_since(NOON) == {"m1": 2, "m2": 1}


async def test_what_is_too_old_goes(store: UsageStore) -> None:
    await store.record([call(NOON - timedelta(days=2)), call(NOON - timedelta(days=1)), call()])
    assert await store.forget_before(NOON - timedelta(days=1)) == 1
    (tallies,) = await store.tallies(GUILD, [NOON - timedelta(days=9)])
    assert tallies[0].calls == 2


async def test_the_largest_numbers_add_up(store: UsageStore) -> None:
    most = 2**31 - 1
    await store.record([call(tokens=(most, most), milliseconds=most) for _ in range(3)])
    (tallies,) = await store.tallies(GUILD, [NOON])
    assert tallies[0].tokens == 6 * most
    assert await store.tokens_since(GUILD, NOON, but_for="embed") == 6 * most
