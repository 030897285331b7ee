"""The daily budget of a guild: kept, renewed at its midnight, shared by processes, and not in the way without need."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from ai_clients.base import Purpose, Usage
from ai_clients.errors import BudgetExhausted
from memory.db.database import Database
from memory.health import PartState
from memory.models.metering import Metering
from memory.settings import tokens
from tests.memory.models.metered import GUILD, OTHER, QUESTION, Costly, Office, ask, office, until

LEAST = tokens(QUESTION.rules) + tokens(QUESTION.data)
"""What the question takes by itself."""


@pytest.fixture
async def inn(database: Database) -> AsyncIterator[Office]:
    async with office(database) as opened:
        yield opened


async def until_budget(metering: Metering, *, is_left: bool) -> None:
    """It is read again behind the questions, so it takes some of them."""
    async with asyncio.timeout(60):
        while True:
            try:
                await ask(metering, Costly(usage=Usage(0, 0)))
                was_left = True
            except BudgetExhausted:
                was_left = False
            if was_left is is_left:
                return
            await asyncio.sleep(0.02)


async def test_a_budget_that_is_used_up_is_renewed_at_the_guilds_midnight(inn: Office) -> None:
    await inn.meet(GUILD, "Europe/Berlin")
    metering, model = inn.metering(GUILD_DAILY_TOKENS=220 + LEAST - 1), Costly()
    for _ in range(2):
        await ask(metering, model)
    with pytest.raises(BudgetExhausted) as refused:
        await ask(metering, model)
    assert model.asked == 2, "the model itself is left in peace"
    assert refused.value.retry_after == 11 * 3600, "midnight in Berlin is at 23:00"
    assert "tea" not in str(refused.value)
    await ask(metering, model, of=OTHER)
    inn.clock.move(timedelta(hours=11))
    assert await ask(metering, model) == "Bob."


async def test_without_a_budget_there_is_no_end(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=0)
    for _ in range(3):
        await ask(metering, Costly(usage=Usage(10**9, 0)))
    assert (await metering.usage(GUILD)).budget.tokens == 0


async def test_a_budget_goes_on_where_the_last_process_ended(inn: Office) -> None:
    first = inn.metering(GUILD_DAILY_TOKENS=1000)
    await ask(first, Costly(usage=Usage(1000, 0)))
    await first.close()
    with pytest.raises(BudgetExhausted):
        await ask(inn.metering(GUILD_DAILY_TOKENS=1000))


async def test_what_another_process_uses_is_seen_in_time(inn: Office) -> None:
    mine, theirs = inn.metering(GUILD_DAILY_TOKENS=1000), inn.metering(GUILD_DAILY_TOKENS=1000)
    await ask(mine)
    await ask(theirs, Costly(usage=Usage(5000, 0)))
    await theirs.close()
    inn.clock.move(timedelta(minutes=2))

    await until_budget(mine, is_left=False)


async def test_many_at_once_do_not_go_beyond_it_together(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=LEAST * 3)
    model = Costly(usage=Usage(LEAST, 0), hold=asyncio.Event())
    asking = [asyncio.create_task(ask(metering, model)) for _ in range(10)]
    await until(lambda: sum(task.done() for task in asking) == 7)
    assert model.hold is not None
    model.hold.set()
    outcomes = await asyncio.gather(*asking, return_exceptions=True)
    assert sum(isinstance(outcome, BudgetExhausted) for outcome in outcomes) == 7
    assert (await metering.usage(GUILD)).budget.left == 0


async def test_what_failed_or_was_broken_off_holds_nothing_back(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=LEAST + 1)
    stuck = Costly(hold=asyncio.Event())
    asking = asyncio.create_task(ask(metering, stuck))
    await until(lambda: stuck.asked)
    asking.cancel()
    await asyncio.wait([asking])
    assert await ask(metering) == "Bob."


async def test_background_work_leaves_some_to_those_who_ask(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=1000)
    await ask(metering, Costly(usage=Usage(750, 0)))
    with pytest.raises(BudgetExhausted):
        await ask(metering, purpose=Purpose.SUMMARISE, live=False)
    assert await ask(metering) == "Bob."


async def test_a_budget_that_cannot_be_counted_is_a_line_in_the_log_and_a_failing_part(
    inn: Office, caplog: pytest.LogCaptureFixture
) -> None:
    await inn.meet(GUILD, "A zone/that was abolished")
    metering = inn.metering(GUILD_DAILY_TOKENS=1000)
    usage, held = inn.health.part("usage"), asyncio.Event()
    model = Costly(hold=held)
    asking = asyncio.create_task(ask(metering, model))
    await until(lambda: model.asked)
    assert usage.snapshot().state is PartState.FAILING
    held.set()
    assert await asking == "Bob."
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == ["budget failed"]
    await metering.close()
    assert usage.snapshot().state is PartState.ACTIVE
