"""Contexts: merged once from facts, today and the days before, then found at hand, and gone with their sources."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest
from aiohttp import web

from memory.contexts import prompt as merge_context
from memory.contexts.service import PATIENCE, window_of
from memory.core.values import Message
from memory.db.database import Connection, Database
from memory.places.view import Audience
from memory.summaries import week_prompt
from tests.end_to_end.house import eventually
from tests.gemini_server import problem
from tests.memory.contexts.context_house import MERGES, ContextHouse, at_noon, context_house
from tests.memory.models.metered import until
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, NOON
from tests.models import BY

HOUR = timedelta(hours=1)


@pytest.fixture
async def house(database: Database) -> AsyncIterator[ContextHouse]:
    async with context_house(database) as house:
        yield house


async def live_through_a_week(house: ContextHouse) -> Message:
    """Alice tells something of herself, and speaks on four days of March: the 7th to the 9th, and today, the 10th. What
    she said on the 8th."""
    await house.remember(ALICE, "I like chess")
    await house.say(ALICE, "I sold the old cart", at=at_noon(house, 7))
    tomatoes = await house.say(ALICE, "I planted some tomatoes", at=at_noon(house, 8))
    await house.say(ALICE, "I repaired the old bicycle", at=at_noon(house, 9))
    await house.say(ALICE, "I am baking bread")
    return tomatoes


WEEK = (
    "2026-03-07 Alice wrote that I sold the old cart. 2026-03-08 Alice wrote that I planted some tomatoes."
    " 2026-03-09 Alice wrote that I repaired the old bicycle."
)
MERGED = (
    "Merged told: “I like chess” – @Alice. Merged today: Alice wrote that I am baking bread."
    f" Merged before: Week: {WEEK}"
)


async def test_facts_today_and_the_days_before_are_merged_once(house: ContextHouse) -> None:
    await live_through_a_week(house)
    assert await house.memories(ALICE) == MERGED
    assert await house.memories(ALICE) == MERGED
    assert (len(house.narrator.calls("histories")), len(house.narrator.calls("contexts"))) == (1, 1)
    hall = house.memory.places.audience_of(GUILD, HALL)
    assert await house.memory.get_memories(hall, CARL.user_id, BY) is None, "of whom nobody spoke"


async def test_after_a_restart_nothing_is_made_again(house: ContextHouse) -> None:
    await live_through_a_week(house)
    await house.memories(ALICE)
    asked = len(house.narrator.server.requests)
    await house.stop(house.memory)
    again = house.start()
    house.look(again)
    assert await house.memories(ALICE, memory=again) == MERGED
    assert len(house.narrator.server.requests) == asked


async def test_many_who_ask_at_once_in_two_processes_are_one_merge(house: ContextHouse) -> None:
    await live_through_a_week(house)
    other = house.start()
    house.look(other)
    for memory in (house.memory, other):  # today is looked at in both: a day that changes meanwhile is merged again
        await house.memories(BOB, memory=memory)
    before = Counter(what for what in ("histories", "contexts") for _ in house.narrator.calls(what))
    told = await asyncio.gather(
        *(house.memories(ALICE, memory=memory) for memory in (house.memory, other) for _ in range(5))
    )
    after = Counter(what for what in ("histories", "contexts") for _ in house.narrator.calls(what))
    assert after - before == {"histories": 1, "contexts": 1}
    assert MERGED in told
    assert all("chess" in one for one in told), "whoever did not wait for it gets what there was"
    assert [await house.memories(ALICE, memory=memory) for memory in (house.memory, other)] == [MERGED, MERGED]


async def test_a_warm_question_asks_the_database_once(house: ContextHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    await live_through_a_week(house)
    await house.memories(ALICE)
    used: list[str] = []
    use: Callable[..., AbstractAsyncContextManager[Connection]] = house.database._use

    def noted(name: str, *rest: object) -> AbstractAsyncContextManager[Connection]:
        used.append(name)
        return use(name, *rest)

    monkeypatch.setattr(house.database, "_use", noted)
    assert await house.memory.get_memories(house.memory.places.audience_of(GUILD, HALL), ALICE.user_id, BY) == MERGED
    assert used == ["store.contexts.find"]


async def test_today_is_looked_at_again_soon_if_nobody_had_said_anything(house: ContextHouse) -> None:
    await house.remember(ALICE, "I like chess")
    assert "bread" not in await house.memories(ALICE)
    await house.say(ALICE, "I am baking bread")
    assert "bread" not in await house.memories(ALICE), "it was looked at just now"
    house.clock.move(timedelta(minutes=2))
    assert "bread" in await house.memories(ALICE)
    await house.say(ALICE, "I burnt it")
    house.clock.move(timedelta(minutes=2))
    assert "burnt" not in await house.memories(ALICE), "what was told stays as it is for an hour"


async def test_each_key_is_made_anew_when_its_own_part_changes(
    house: ContextHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> tuple[int, int]:
        return len(house.narrator.calls("histories")), len(house.narrator.calls("contexts"))

    await live_through_a_week(house)
    await house.memories(ALICE)
    assert made() == (1, 1)
    await house.remember(ALICE, "I live in Bonn")
    assert "Bonn" in await house.memories(ALICE)
    assert made() == (1, 2), "facts"
    await house.say(ALICE, "I burnt the bread")
    await house.memories(ALICE)
    assert made() == (1, 2), "today is told once an hour"
    house.clock.move(HOUR)
    assert "burnt" in await house.memories(ALICE)
    assert made() == (1, 3), "today"
    house.clock.move(timedelta(days=1))
    await house.say(ALICE, "I am baking again")
    assert "2026-03-10 Alice" in await house.memories(ALICE)
    assert made() == (2, 4), "the history ends with another day"
    monkeypatch.setattr(merge_context, "VERSION", merge_context.VERSION + 1)
    house.memory.contexts._caches.profiles.clear()  # as after the restart that a new version takes
    await house.memories(ALICE)
    assert made() == (2, 5), "the rules of merging"
    monkeypatch.setattr(week_prompt, "VERSION", week_prompt.VERSION + 1)
    house.memory.contexts._caches.profiles.clear()
    await house.memories(ALICE)
    assert made() == (3, 5), "the rules of a history, which says the same as before"


async def test_one_part_and_two_short_ones_need_no_model(house: ContextHouse) -> None:
    await house.remember(ALICE, "I like chess")
    await house.say(BOB, "I am painting the fence")
    await house.say(BOB, "I bought brushes", at=at_noon(house, 8))
    await house.say(BOB, "I bought paint", at=at_noon(house, 9))
    await house.say(CARL, "I sold my old boat", at=at_noon(house, 9))
    assert await house.memories(ALICE) == "“I like chess” – <@1>."
    told = await house.memories(BOB)
    assert told.index("painting") < told.index("brushes") < told.index("bought paint")
    assert "sold my old boat" in await house.memories(CARL)
    assert house.narrator.calls("histories") == house.narrator.calls("contexts") == []


async def test_a_question_does_not_wait_for_a_model_that_is_slow(
    house: ContextHouse, caplog: pytest.LogCaptureFixture
) -> None:
    await live_through_a_week(house)
    await house.memories(BOB)  # so that the days have been told, and only Alice is to be merged
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_: web.Request) -> web.StreamResponse:
        asked.set()
        await go_on.wait()
        return problem(400)

    house.narrator.server.faults = {MERGES: slow}
    told = await house.memories(ALICE, patience=PATIENCE)
    assert "chess" in told
    assert "Merged" not in told
    await asked.wait()
    assert len(await claims_on_contexts(house)) == 1, "nobody waited until the model had given up"
    house.narrator.server.faults = {}
    go_on.set()
    await until(lambda: "no model merged a member's context" in caplog.text)
    await eventually(lambda: claims_on_contexts(house), lambda held: not held)  # it is given back after that
    house.clock.move(timedelta(minutes=6))
    assert "Merged" in await house.memories(ALICE)


async def claims_on_contexts(house: ContextHouse) -> list[str]:
    rows = await house.database.read("test", "SELECT what FROM claims WHERE what LIKE 'context %'")
    return [row["what"] for row in rows]


async def test_the_work_goes_on_behind_a_question_that_did_not_wait(house: ContextHouse) -> None:
    await live_through_a_week(house)
    assert "Merged" not in await house.memories(ALICE, patience=0)
    await until(lambda: house.narrator.calls("contexts"))
    assert await house.memories(ALICE) == MERGED


async def test_a_model_that_fails_is_left_alone_for_a_while(house: ContextHouse) -> None:
    await live_through_a_week(house)
    house.narrator.fail(MERGES)
    for _ in range(4):
        await house.memories(ALICE)
    assert len(house.narrator.calls("histories")) == 1
    house.clock.move(timedelta(minutes=6))
    await house.memories(ALICE)
    assert len(house.narrator.calls("histories")) == 2


async def test_the_last_good_context_does_not_serve_for_longer_than_a_week(house: ContextHouse) -> None:
    await live_through_a_week(house)
    await house.memories(ALICE)
    house.narrator.fail(MERGES)
    house.clock.move(timedelta(days=7))
    assert await house.memories(ALICE) == "“I like chess” – <@1>."


async def test_without_any_model_the_parts_are_joined(database: Database) -> None:
    async with context_house(database, with_models=False) as house:
        await live_through_a_week(house)
        told = await house.memories(ALICE)
        assert [word in told for word in ("chess", "baking bread", "tomatoes")] == [True] * 3
        assert house.narrator.server.requests == []


async def test_a_place_whose_readers_are_unknown_hears_itself_alone(house: ContextHouse) -> None:
    await live_through_a_week(house)
    await house.memories(ALICE)
    closed = Audience.of_place_alone(GUILD, CELLAR)
    assert await house.memory.get_memories(closed, ALICE.user_id, BY) is None


async def test_the_night_warms_those_who_were_asked_about(house: ContextHouse) -> None:
    for member in (ALICE, BOB):
        await house.remember(member, "I like chess")
        for day in (7, 8, 9):
            await house.say(member, f"I planted {day} tomatoes", at=at_noon(house, day))
        await house.say(member, "I am baking bread")
    await house.memories(ALICE)
    before = len(house.narrator.calls("histories"))
    await house.pass_night()
    made = house.narrator.calls("histories")[before:]
    assert len(made) == 1
    assert 'member="Alice"' in made[0]
    asked = len(house.narrator.server.requests)
    assert "2026-03-08" in await house.memories(ALICE)
    assert len(house.narrator.server.requests) == asked, "it was ready"


async def test_who_was_not_asked_about_for_a_week_is_not_warmed(house: ContextHouse) -> None:
    await live_through_a_week(house)
    await house.memories(ALICE)
    house.clock.move(timedelta(days=8))
    await house.say(ALICE, "I found a coin", at=house.clock.now() - timedelta(days=1))
    await house.say(ALICE, "I lost a shoe", at=house.clock.now() - timedelta(days=2))
    made = len(house.narrator.calls("contexts")), len(house.narrator.calls("histories"))
    await house.pass_night()
    assert (len(house.narrator.calls("contexts")), len(house.narrator.calls("histories"))) == made


def test_the_window_is_yesterday_and_the_five_days_before_it() -> None:
    window = window_of("Pacific/Auckland", NOON)
    assert (f"{window.first}", f"{window.last}", f"{window.today}") == ("2026-03-05", "2026-03-10", "2026-03-11")
