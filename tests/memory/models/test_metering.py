"""Asking models through the one door: what is on record, what a report says, how long it is kept; the daily budget of a
guild, renewed at its midnight and shared by processes; and how often a member may ask."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pgvector import HalfVector

from ai_clients.base import Call, Outcome, Purpose, Usage
from ai_clients.embedding import GuardedEmbedder
from ai_clients.errors import BudgetExhausted, ModelError, Refused, TimedOut
from ai_clients.guard import Guard
from ai_clients.settings import ModelOptions
from memory.core.outcomes import Limit, Wait
from memory.db.database import Database, ExternalPostgres
from memory.db.errors import DatabaseAway
from memory.health import PartState
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import HOUR, Askers, Requester, Routine, Tally, UsageStore
from memory.settings import tokens
from tests.end_to_end.cable import cable_to
from tests.memory.log.logbook import rows_of
from tests.memory.models.metered import GUILD, NOON, OTHER, QUESTION, Costly, Office, Who, ask, chain, office, until
from tests.memory.world import World


class Vectors:
    """Stands where a provider would; the words themselves will do for vectors."""

    name, dimensions = "vectors", 3

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        return [HalfVector([*map(float, text.encode())]) for text in texts]


@pytest.fixture
async def inn(database: Database) -> AsyncIterator[Office]:
    async with office(database) as opened:
        yield opened


async def test_every_attempt_is_on_record_and_no_word_of_it(inn: Office) -> None:
    metering = inn.metering()
    models = chain(Costly("m1", error=Refused("blocked")), Costly("m2"))
    reply = await metering.ask_for(GUILD, models, QUESTION, Who, by=Routine.NIGHT)
    assert (reply.value.who, reply.model) == ("Bob.", "m2")
    assert await ask(metering, Costly("m3"), of=OTHER, purpose=Purpose.SMALL, live=False) == "Bob."
    await metering.close()
    here, there = await rows_of(inn.database, "model_calls", GUILD), await rows_of(inn.database, "model_calls", OTHER)
    kept = ("model", "purpose", "outcome", "tokens_in", "tokens_out", "is_estimated", "at")
    assert {tuple(row[name] for name in kept) for row in here} == {
        ("m1", "answer", "refused", 0, 0, False, NOON),
        ("m2", "answer", "ok", 100, 10, False, NOON),
    }
    assert [(row["model"], row["purpose"]) for row in there] == [("m3", "small")]
    assert here[0].keys() - set(kept) == {"guild_id", "call_id", "milliseconds"}
    assert not [row for row in (*here, *there) if "tea" in str(row) or "Bob" in str(row)]


async def test_what_a_model_took_without_saying_so_is_estimated(inn: Office) -> None:
    metering = inn.metering()
    silent = Costly(error=TimedOut("too slow"))
    with pytest.raises(ModelError):
        await metering.ask_for(GUILD, chain(silent), QUESTION, Who, by=Routine.NIGHT, seconds=1.0)
    (tally,) = [spending.tally for spending in (await metering.usage(GUILD)).today]
    assert tally.failed == tally.calls == silent.asked > 0
    assert tally.tokens_in > 0
    assert tally.is_estimated


async def test_numbers_no_table_can_hold_are_kept_as_large_as_it_can(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=0)
    await ask(metering, Costly("m\x00" + "x" * 500, usage=Usage(2**40, -5)))
    (spending,) = (await metering.usage(GUILD)).today
    assert (spending.tally.tokens_in, spending.tally.tokens_out) == (2**31 - 1, 0)


async def test_a_report_counts_the_guilds_own_days(inn: Office) -> None:
    await inn.meet(GUILD, "America/Los_Angeles")
    metering = inn.metering()
    inn.clock.move(datetime(2026, 3, 1, 7, 59, tzinfo=UTC) - NOON)
    for used in (1, 10, 100):  # yesterday in Los Angeles, then twice today
        await ask(metering, Costly(usage=Usage(used, 0)))
        inn.clock.move(timedelta(minutes=1))
    report = await metering.usage(GUILD)
    assert [spending.tally.tokens for spending in report.today] == [110]
    assert [spending.tally.tokens for spending in report.week] == [111]
    assert report.budget.renewed_at == datetime(2026, 3, 2, 8, tzinfo=UTC)
    inn.clock.move(timedelta(days=7))
    report = await metering.usage(GUILD)
    assert (report.today, report.week, report.budget.spent) == ((), (), 0)
    assert [spending.tally.tokens for spending in report.month] == [111]
    assert (await metering.usage(OTHER)).month == ()


async def test_a_report_knows_prices_where_somebody_said_them(inn: Office) -> None:
    prices = ModelOptions.model_validate({"MODEL_PRICES": "m1=1/10; gemma-*=0/0", "PRICE_CURRENCY": "EUR"})
    metering = inn.metering(prices=prices, GUILD_DAILY_TOKENS=0)
    for name in ("m1", "gemma-4", "ollama:qwen3", "mystery"):
        await ask(metering, Costly(name, usage=Usage(500_000, 100_000)))
    report = await metering.usage(GUILD)
    costs = {spending.tally.model: spending.cost for spending in report.today}
    assert costs == {"m1": Decimal("1.5"), "gemma-4": 0, "ollama:qwen3": 0, "mystery": None}
    assert report.currency == "EUR"


async def test_vectors_are_on_record_and_outside_the_budget(inn: Office) -> None:
    metering = inn.metering(GUILD_DAILY_TOKENS=1000)
    metering.recorder(GUILD)(Call(Purpose.EMBED, "vectors-1", Usage(5000, 0, is_estimated=True), 0.25, Outcome.OK))
    await ask(metering)
    report = await metering.usage(GUILD)
    assert report.budget.spent == 110
    assert report.budget.left == 890
    assert report.today[0].tally == Tally("embed", "vectors-1", 1, 0, 5000, 0, True, 250)


async def test_vectors_that_somebody_else_makes_are_on_record_and_our_own_are_not(inn: Office) -> None:
    metering = inn.metering()
    bought = GuardedEmbedder(Vectors(), Guard("vectors-1"), 20.0)
    for vectors, words in ((bought, ["tea", "rum"]), (Vectors(), ["tea"])):
        assert await metering.embed(GUILD, vectors, words, by=Routine.INDEX) == await Vectors().embed(words)
    (spending,) = (await metering.usage(GUILD)).today
    assert (spending.tally.model, spending.tally.calls, spending.tally.is_estimated) == ("vectors-1", 1, True)


async def test_whatever_is_asked_for_a_member_is_admitted_once_for_each_request(inn: Office) -> None:
    metering, model = inn.metering(MEMBER_COOLDOWN_SECONDS=10), Costly()
    for request in (Requester(1, 50), Requester(1, 50), Requester(2, 51), Routine.NIGHT):
        await ask(metering, model, by=request)
    assert metering.has_admitted(GUILD, Requester(1, 50))
    inn.clock.move(timedelta(seconds=3))
    for asking in (
        ask(metering, model, by=Requester(1, 52)),
        ask(metering, model, by=Requester(1, 52)),
        metering.embed(GUILD, GuardedEmbedder(Vectors(), Guard("vectors"), 5), ["tea"], by=Requester(1, 52)),
    ):
        with pytest.raises(AskedTooOften) as refused:
            await asking
        assert refused.value.wait == Wait(7, Limit.COOLDOWN)
    assert model.asked == 4
    assert not metering.has_admitted(GUILD, Requester(1, 52))


async def test_the_record_is_kept_for_a_while_and_goes_with_its_guild(database: Database) -> None:
    world = await World(database).settle()
    store = UsageStore(database)
    async with office(database) as inn:
        metering = inn.metering()
        for _ in range(2):
            await ask(metering)
            inn.clock.move(timedelta(days=60))
    await world.memory.purge(inn.clock.now())
    assert await store.requests_since(NOON) == {"m1": 1}, "one is 120 days old, and USAGE_DAYS is 90"
    await world.memory.privacy.leave_guild(GUILD)
    world.clock.move(timedelta(days=8))
    await world.memory.purge(world.clock.now())
    assert await store.requests_since(NOON) == {}
    await world.memory.close()


async def test_nothing_is_lost_while_the_database_is_away(database_url: str) -> None:
    async with cable_to(database_url) as cable:
        database = await Database.open(ExternalPostgres(cable.url))
        async with office(database) as inn:
            metering = inn.metering()
            await ask(metering, Costly("before"))
            await cable.cut(database)
            assert await ask(metering, Costly("meanwhile")) == "Bob."
            assert await ask(metering, Costly("first of its guild"), of=OTHER) == "Bob."
            with pytest.raises(DatabaseAway):
                await metering.usage(GUILD)
            assert await metering.requests_since(NOON) == {}
            await until(lambda: "cannot be written down" in " ".join(inn.health.part("usage").snapshot().issues))
            await cable.mend()
            await until(lambda: inn.health.part("usage").snapshot().counts.get("calls") == 3)
            models = {spending.tally.model for spending in (await metering.usage(GUILD)).today}
            assert models == {"before", "meanwhile"}
        await database.close()


async def test_nobody_waits_for_a_table_that_does_not_answer(inn: Office) -> None:
    metering = inn.metering()
    async with inn.database.transaction("test.lock") as connection:
        await connection.execute("LOCK TABLE model_calls IN ACCESS EXCLUSIVE MODE")
        async with asyncio.timeout(20):  # the statement itself would wait longer than that
            assert await ask(metering) == "Bob."
    assert (await metering.usage(GUILD)).budget.spent == 110


LEAST = tokens(QUESTION.rules) + tokens(QUESTION.data)
"""What the question takes by itself."""


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


async def test_a_budget_goes_on_where_the_last_process_ended(inn: Office) -> None:
    first = inn.metering(GUILD_DAILY_TOKENS=1000)
    await ask(first, Costly(usage=Usage(1000, 0)))
    await first.close()
    with pytest.raises(BudgetExhausted):
        await ask(inn.metering(GUILD_DAILY_TOKENS=1000))


async def test_a_budget_is_known_while_a_call_cannot_be_written_down(inn: Office) -> None:
    first, metering = inn.metering(GUILD_DAILY_TOKENS=1000), inn.metering(GUILD_DAILY_TOKENS=1000)
    await ask(first, Costly(usage=Usage(1000, 0)))
    await first.close()
    async with inn.database.transaction("test.check") as connection:
        await connection.execute("ALTER TABLE model_calls ADD CHECK (model <> 'odd')")
    await ask(metering, Costly("odd"), of=OTHER)
    with pytest.raises(BudgetExhausted):
        await ask(metering)


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


ALICE = 2


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_an_hour_holds_so_many_questions() -> None:
    askers = Askers(hourly=3)
    assert [askers.admit(GUILD, ALICE, after(minute * 60)) for minute in (0, 10, 20)] == [None] * 3
    assert askers.admit(GUILD, ALICE, after(30 * 60)) == Wait(30 * 60, Limit.HOURLY)
    assert askers.admit(GUILD, ALICE, after(60 * 60)) is None
    assert askers.admit(GUILD, ALICE, after(60 * 60)) == Wait(10 * 60, Limit.HOURLY)


def test_a_question_that_is_answered_once_more_counts_once() -> None:
    askers = Askers(timedelta(seconds=10), 2)
    assert [askers.admit(GUILD, ALICE, after(second), 7) for second in (0, 1, 2)] == [None] * 3
    assert askers.admit(GUILD, ALICE, after(3), 8) == Wait(7, Limit.COOLDOWN)
    assert askers.admit(GUILD, ALICE, after(4), 8) == Wait(6, Limit.COOLDOWN), "what was turned away may not come back"
    assert askers.admit(GUILD, ALICE, after(10), 8) is None


@given(st.lists(st.integers(0, 900), max_size=60), st.integers(0, 300), st.integers(0, 8))
def test_whoever_is_admitted_kept_both_limits(pauses: list[int], cooldown: int, hourly: int) -> None:
    askers = Askers(timedelta(seconds=cooldown), hourly)
    now, admitted = NOON, []
    for pause in pauses:
        now += timedelta(seconds=pause)
        wait = askers.admit(GUILD, ALICE, now)
        if wait is None:
            admitted.append(now)
        else:
            assert 0 < wait.seconds <= max(cooldown, HOUR.total_seconds())
    assert all(later - earlier >= timedelta(seconds=cooldown) for earlier, later in pairwise(admitted))
    if hourly:
        assert all(later - earlier >= HOUR for earlier, later in zip(admitted, admitted[hourly:], strict=False))
