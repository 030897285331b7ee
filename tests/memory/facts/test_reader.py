"""The small model reading tellings, wishes and facts: what it may do, what it may not, and when it is away."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from memory.core.outcomes import Forgotten, Limit, NothingFound, UnclearWhat
from memory.core.values import Standing
from memory.db.database import Database
from tests.gemini_server import GeminiServer, data_of, rules_of
from tests.memory.facts.held_facts import kept, texts
from tests.memory.facts.small_model import putting_down, replying, small_world
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, HALL, World, as_a, audience, there
from tests.models import BY


@pytest.fixture
async def world(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    async with small_world(database, gemini) as world:
        yield world


async def rows(world: World, query: str) -> list[dict[str, Any]]:
    return [dict(row) for row in await world.database.read("test", query)]


async def test_a_telling_is_put_into_the_third_person(world: World, gemini: GeminiServer) -> None:
    gemini.says = putting_down(text="@P1 and @P2 are married", about=[1, 2])
    outcome = kept(await world.remember(ALICE, "gruzilkin and I are married"))
    assert outcome.fact.text == "<@1> and <@3> are married"
    assert {outcome.subject, *outcome.others} == {ALICE, GRUZILKIN}
    (prompt,) = gemini.requests
    assert "gruzilkin and I are married" in data_of(prompt)
    assert "gruzilkin" not in rules_of(prompt)
    standings = await rows(world, "SELECT subject_id, standing FROM facts ORDER BY subject_id")
    assert [(row["subject_id"], row["standing"]) for row in standings] == [(1, "self"), (3, "hearsay")]


async def test_what_the_rules_cannot_part_the_model_may(world: World, gemini: GeminiServer) -> None:
    told = [{"text": "@P1 is fond of tea", "about": [1]}, {"text": "@P1 was born in Lyon", "about": [1]}]
    gemini.says = replying(facts=told)
    outcome = kept(await world.remember(ALICE, "me, born in Lyon, fond of tea"))
    assert [outcome.fact.text, *(fact.text for fact in outcome.also)] == [
        "<@1> is fond of tea",
        "<@1> was born in Lyon",
    ]
    await world.forget(ALICE, "that I was born in Lyon")
    assert await texts(world) == ["<@1> is fond of tea"]


async def test_it_sees_no_fact_that_the_audience_may_not_hear(world: World, gemini: GeminiServer) -> None:
    gemini.says = putting_down(text="@P1 hides the truffles", about=[1])
    await world.remember(ALICE, "I hide the truffles", CELLAR)
    gemini.says = putting_down(text="@P1 likes tea", about=[1])
    await world.remember(ALICE, "I like tea", HALL)
    assert "truffles" not in data_of(gemini.requests[-1])


@pytest.mark.parametrize(
    "reply",
    [
        {"text": "@P1 robbed a bank in Rome", "about": [1]},
        {"text": "@P1 likes tea https://evil.example/x", "about": [1]},
        {"text": "@P1 likes 17 teas", "about": [1]},
        {"text": "@P1 likes <b>tea</b>", "about": [1]},
        {"text": "@P9 likes tea", "about": [9]},
        {"text": "<@4> likes tea", "about": [1]},
        {"text": "@P1 likes tea", "about": []},
        {"text": "likes tea", "about": [1]},
        {"text": "", "about": [1]},
        {"text": "@P1 likes tea " * 60, "about": [1]},
        {"text": "@P1 likes tea", "about": [1], "replaces": [7]},
        {"text": "@P1 likes tea to @P3", "about": [1]},
        {"text": "@P1 likes tea @everyone", "about": [1]},
        {"nonsense": True},
    ],
)
async def test_whatever_it_makes_up_the_words_themselves_are_kept(
    world: World, gemini: GeminiServer, reply: dict[str, object]
) -> None:
    gemini.says = putting_down(**reply)
    outcome = kept(await world.remember(ALICE, "I like tea"))
    assert (outcome.fact.text, outcome.subject, outcome.fact.standing) == ("“I like tea” – <@1>", ALICE, Standing.SELF)


async def test_this_may_be_an_earlier_message(world: World, gemini: GeminiServer) -> None:
    first = await world.say(FLORENT, "I moved to Lyon last week")
    await world.say(BOB, "nice weather today")

    def points(data: str) -> str:
        number = there(re.search(r'<message n="(\d+)" from="(@P\d)">I moved', data))
        text, about = f"{number[2]} moved to Lyon last week", [int(number[2][2:])]
        return putting_down(text=text, about=about, message=int(number[1]))(data)

    gemini.says = points
    outcome = kept(await world.remember(BOB, "this about Florent"))
    assert outcome.fact.text == "<@4> moved to Lyon last week"
    (row,) = await rows(world, "SELECT source_message_id FROM facts")
    assert row["source_message_id"] == first.message_id


async def test_what_shall_be_forgotten_is_found_by_its_meaning(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: "{}"
    await world.remember(ALICE, "I have a puppy named Rex")
    await world.remember(ALICE, "I own a boat")
    gemini.says = replying(numbers=[2])  # the newest is the first
    gone = as_a(Forgotten, await world.forget(ALICE, "my four-legged friend"))
    assert [fact.text for fact in gone.facts] == ["“I have a puppy named Rex” – <@1>"]
    gemini.says = replying(numbers=[])
    assert isinstance(await world.forget(ALICE, "my harpsichord"), NothingFound)
    gemini.says = replying(numbers=[44])
    assert isinstance(await world.forget(ALICE, "my harpsichord"), NothingFound)
    assert await texts(world) == ["“I own a boat” – <@1>"]


async def test_many_are_asked_about_before_they_go(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: "{}"
    for dish in ("pizza", "soup", "bread", "cheese"):
        await world.remember(ALICE, f"I like {dish}")
    gemini.says = replying(numbers=[1, 2, 3, 4])
    assert len(as_a(UnclearWhat, await world.forget(ALICE, "whatever concerns nourishment")).candidates) == 4
    assert len(await texts(world)) == 4


HOBBIES = [f"I like a rather long description of hobby number {number}" for number in range(12)]


async def fill(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: "{}"
    for hobby in HOBBIES:
        await world.remember(ALICE, hobby)


async def known_of_alice(world: World, channel: int = HALL) -> str:
    return await world.memory.contexts.text_for(audience(channel), ALICE.user_id, BY, patience=60.0) or ""


async def test_what_is_too_much_is_merged_and_not_cut(world: World, gemini: GeminiServer) -> None:
    await fill(world, gemini)
    merged = "@P1 likes long descriptions of hobby number 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11."
    gemini.says = replying(text=merged)
    asked = len(gemini.requests)
    for _ in range(2):
        assert await known_of_alice(world) == merged.replace("@P1", "<@1>")
    assert len(gemini.requests) - asked == 1


async def test_a_forgotten_fact_is_out_of_the_merge_before_the_reply(world: World, gemini: GeminiServer) -> None:
    await fill(world, gemini)
    gemini.says = replying(text="@P1 likes long descriptions of hobby number 0 and 11.")
    assert "0 and 11" in await known_of_alice(world)
    assert isinstance(await world.forget(ALICE, f"that {HOBBIES[11]}"), Forgotten)
    assert await rows(world, "SELECT 1 FROM texts") == []
    for _ in range(2):
        assert "11" not in await known_of_alice(world)


async def test_beyond_their_limit_a_member_is_served_by_rules_and_words(
    database: Database, gemini: GeminiServer
) -> None:
    async with small_world(database, gemini, member_cooldown_seconds=60) as world:
        gemini.says = putting_down(text="@P1 drinks a lot of tea", about=[1])
        assert kept(await world.remember(ALICE, "I drink a lot of tea")).fact.text == "<@1> drinks a lot of tea"
        assert kept(await world.remember(ALICE, "I own a boat")).fact.text == "“I own a boat” – <@1>"
        outcome = as_a(NothingFound, await world.forget(ALICE, "what I swallow"))
        assert outcome.wait is not None
        assert outcome.wait.limit is Limit.COOLDOWN
        assert isinstance(await world.forget(ALICE, "that I own a boat"), Forgotten), "its very words need no model"
        assert len(gemini.requests) == 1
        kept(await world.remember(BOB, "Alice owns a boat"))
        assert len(gemini.requests) == 2, "everybody has a limit of their own"
        world.clock.move(timedelta(minutes=1))
        gemini.says = replying(numbers=[1])
        assert isinstance(await world.forget(ALICE, "what I swallow"), Forgotten)
