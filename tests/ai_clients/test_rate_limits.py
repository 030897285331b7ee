"""Limits per minute and day are kept whoever comes when, and live questions go first."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_clients.errors import RateLimited
from ai_clients.guard import WINDOW, RateLimiter, Ticket, day_start
from ai_clients.settings import Limits
from tests.virtual_time import now, virtually

BEGIN = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


def pace(limits: Limits) -> RateLimiter:
    return RateLimiter("m", limits, now=now, today=lambda: BEGIN + timedelta(seconds=now()))


@virtually
async def test_one_that_cannot_have_its_turn_in_time_is_told_at_once_and_when_it_could() -> None:
    paced = pace(Limits(requests_per_minute=1))
    await paced.admit(1, live=True, within=1)
    await asyncio.sleep(20)
    with pytest.raises(RateLimited) as limited:
        await paced.admit(1, live=True, within=39)
    assert limited.value.retry_after == 40
    assert now() == 20


@virtually
async def test_background_work_waits_behind_questions_that_come_later() -> None:
    paced = pace(Limits(requests_per_minute=1))
    order: list[str] = []

    async def asking(name: str, live: bool) -> None:
        await paced.admit(1, live=live, within=1000)
        order.append(name)

    await asking("first", True)
    background = [asyncio.create_task(asking(f"background {number}", False)) for number in range(2)]
    await asyncio.sleep(30)
    live = [asyncio.create_task(asking(f"live {number}", True)) for number in range(2)]
    await asyncio.gather(*background, *live)
    assert order == ["first", "live 0", "live 1", "background 0", "background 1"]
    assert now() == 4 * WINDOW


@virtually
async def test_background_work_leaves_room_for_questions() -> None:
    paced = pace(Limits(requests_per_minute=8, requests_per_day=100))
    for _ in range(6):
        await paced.admit(1, live=False, within=0)
    with pytest.raises(RateLimited):
        await paced.admit(1, live=False, within=1)
    for _ in range(2):
        await paced.admit(1, live=True, within=0)
    paced.seed(67)
    await asyncio.sleep(WINDOW)
    with pytest.raises(RateLimited):
        await paced.admit(1, live=False, within=100)
    await paced.admit(1, live=True, within=0)


@virtually
async def test_a_day_ends_at_midnight_where_the_quota_is_counted() -> None:
    paced = pace(Limits(requests_per_day=1))
    paced.seed(1)
    with pytest.raises(RateLimited) as limited:
        await paced.admit(1, live=True, within=3600)
    assert limited.value.retry_after == timedelta(hours=12).total_seconds()  # 20:00 in UTC is noon in California
    await asyncio.sleep(limited.value.retry_after)
    await paced.admit(1, live=True, within=0)
    assert paced.used_today == 1
    assert day_start(BEGIN) == datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    assert day_start(datetime(2026, 7, 2, 6, 59, tzinfo=UTC)) == datetime(2026, 7, 1, 7, 0, tzinfo=UTC)


@virtually
async def test_one_that_gives_up_leaves_the_line() -> None:
    paced = pace(Limits(requests_per_minute=1))
    await paced.admit(1, live=True, within=0)
    first = asyncio.create_task(paced.admit(1, live=True, within=100))
    second = asyncio.create_task(paced.admit(1, live=True, within=100))
    await asyncio.sleep(1)
    first.cancel()
    await second
    assert now() == WINDOW


ARRIVALS = st.lists(
    st.tuples(st.floats(0, 200), st.integers(0, 400), st.booleans(), st.floats(0, 300)), min_size=1, max_size=40
)


@given(ARRIVALS, st.integers(1, 6), st.integers(200, 1000), st.integers(5, 40))
@virtually
async def test_no_minute_and_no_day_holds_more_than_allowed(
    arrivals: Sequence[tuple[float, int, bool, float]], requests: int, tokens: int, daily: int
) -> None:
    paced = pace(Limits(requests, daily, tokens))
    admitted: list[Ticket] = []

    async def arriving(at: float, size: int, live: bool, within: float) -> None:
        await asyncio.sleep(at)
        try:
            ticket = await paced.admit(size, live=live, within=within)
        except RateLimited:
            assert now() <= at + within + 1e-6
            return
        assert now() <= at + within + 1e-6
        admitted.append(ticket)

    await asyncio.gather(*(arriving(*arrival) for arrival in arrivals))
    assert len(admitted) <= daily
    for first in admitted:
        minute = [ticket for ticket in admitted if first.at <= ticket.at < first.at + WINDOW]
        assert len(minute) <= requests
        assert len(minute) == 1 or sum(ticket.tokens for ticket in minute) <= tokens
