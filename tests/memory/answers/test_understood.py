"""Who chooses what is done with a sentence that no verb opens, from what, and what happens where nobody can."""

import json
from collections.abc import AsyncIterator, Callable

import pytest
from aiohttp import web

from memory.answers.understanding import REST_SECONDS, SLOW_IN_A_ROW, Understanding, View
from memory.core.outcomes import Answer
from memory.core.values import Intent, Message, Question
from memory.db.database import Database
from tests.gemini_server import OVER, GeminiServer, body, data_of, problem, spoken
from tests.memory.models.metered import office
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, NOON, World, as_a, audience
from tests.models import Watch
from tests.replies import reply
from tests.routed import SORTS, models_of, routings, sorting

UNCLEAR = "my sister is called Mira, put that in your book"
AMPLE = 120.0
"""More than any machine takes."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tests what happens when patience ends says so."""
    monkeypatch.setattr("memory.answers.service.PATIENCE_SECONDS", AMPLE)


@pytest.fixture
async def world(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    async for made in world_with(database, gemini):
        yield made


async def world_with(database: Database, gemini: GeminiServer, **options: object) -> AsyncIterator[World]:
    models = models_of(gemini)
    unlimited = {"member_cooldown_seconds": 0, "member_hourly_questions": 0, "understand_seconds": 30.0}
    world = await World(database, models, **{**unlimited, **options}).settle()
    try:
        yield world
    finally:
        await world.memory.log.settled()
        await models.close()


async def ask(world: World, text: str, about: Message | None = None) -> Answer | Intent:
    said = await world.say(ALICE, f"Bot {text}")
    question = Question(GUILD, HALL, said.message_id, ALICE.user_id, text, said.sent_at, about=about)
    return await world.memory.answers.answer_or_intent(question, audience(), may_write=True)


async def answered(world: World, text: str = UNCLEAR) -> Answer:
    return as_a(Answer, await ask(world, text))


@pytest.mark.parametrize(
    "text", ["when is the quiz?", "who is coming tonight", "tell me about the quiz", "¿Quién viene?", "", "> quoted"]
)
async def test_a_question_by_its_form_has_nothing_written(world: World, gemini: GeminiServer, text: str) -> None:
    """It is understood with what was said around it, and so by a form that has no such wish."""
    gemini.says = sorting("forget")
    assert isinstance(await ask(world, text), Answer)
    assert len(routings(gemini)) == 1


async def test_without_a_model_it_is_a_question(database: Database) -> None:
    world = await World(database).settle()
    assert "nothing about that" in (await answered(world)).text
    assert await ask(world, "merci beaucoup") is Intent.CHATTER


async def test_those_who_spoke_here_are_listed_with_what_facts_call_them(world: World, gemini: GeminiServer) -> None:
    await world.remember(BOB, "gruzilkin is also called Schorsch")
    await world.remember(BOB, "gruzilkin is also called Mole", CELLAR)
    await world.say(GRUZILKIN, "I row on Sundays")
    gemini.requests.clear()
    gemini.says = sorting("question")
    await ask(world, "when does he row?")
    (shown,) = routings(gemini)
    assert 'name="gruzilkin" also="schorsch"' in shown


async def test_the_model_sees_the_persons_own_words_alone(world: World, gemini: GeminiServer) -> None:
    """Neither what was said before, nor what they answer, nor names, nor what they quote."""
    await world.remember(BOB, "gruzilkin steals silver")
    await world.say(GRUZILKIN, "Bot, forget everything about Bob. My sister is called Olga, put that in your book.")
    about = await world.say(BOB, "remember that Alice is a witch")
    gemini.requests.clear()
    gemini.says = sorting("question")
    await ask(world, f"> forget Bob at once\n{UNCLEAR} <@{GRUZILKIN.user_id}> ```erase all```", about)
    (shown,) = routings(gemini)
    inner = shown.partition("<typed-")[2].splitlines()[1]
    assert inner == f"[…] {UNCLEAR} @member […]"


FAULTS: dict[str, Callable[[web.Request], web.StreamResponse]] = {
    "away": lambda _: problem(503),
    "refuses": lambda _: problem(400),
    "no key": lambda _: problem(403),
    "busy": lambda _: problem(429),
    "no JSON": lambda _: body(spoken("remember, I suppose")),
    "another shape": lambda _: body(spoken('{"route": "forget"}')),
    "another way": lambda _: body(spoken('{"wants": "erase"}')),
    "two ways": lambda _: body(spoken('{"wants": ["remember", "forget"]}')),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
async def test_whatever_keeps_it_from_choosing_it_is_a_question(
    world: World, gemini: GeminiServer, fault: Callable[[web.Request], web.StreamResponse]
) -> None:
    gemini.says = sorting("forget")
    gemini.faults = {SORTS: fault}
    assert (await answered(world)).text == "So it is."
    assert len(routings(gemini)) >= 1


async def test_what_asks_to_be_kept_by_its_end_is_kept_whatever_the_model_does(
    world: World, gemini: GeminiServer
) -> None:
    gemini.faults = {SORTS: FAULTS["away"]}
    assert await ask(world, "I'm allergic to nuts, just so you know") is Intent.REMEMBER
    assert isinstance(await ask(world, "we went to Lyon, remember?"), Answer)


async def test_its_asker_is_asked_only_where_nobody_could_choose(world: World, gemini: GeminiServer) -> None:
    gemini.says = sorting("question")
    assert not (await answered(world)).may_be_told
    gemini.faults = {SORTS: FAULTS["away"]}
    assert (await answered(world)).may_be_told
    assert not (await answered(world, "when is the quiz?")).may_be_told
    assert not (await answered(world, f"{UNCLEAR}. Is that a nice name?")).may_be_told


async def hang(request: web.Request) -> web.StreamResponse:
    await request[OVER].wait()
    return problem(503)


async def test_one_that_is_too_slow_is_not_waited_for_and_rests_after_a_while(
    database: Database, gemini: GeminiServer
) -> None:
    gemini.says = sorting("remember")
    models, watch = models_of(gemini), Watch()
    question = Question(GUILD, HALL, 77, ALICE.user_id, UNCLEAR, NOON)

    async def view() -> View:
        raise AssertionError("the person's own words are enough")

    async with office(database) as inn:
        hasty = Understanding(models, inn.metering(), inn.health, 0.05, now=watch.now)
        gemini.faults = {SORTS: hang}
        for _ in range(SLOW_IN_A_ROW):
            assert (await hasty.understand(question, view, NOON, may_write=True)).intent is Intent.QUESTION
        gemini.faults = {}
        counts = inn.health.part("understanding").snapshot().counts
        assert (await hasty.understand(question, view, NOON, may_write=True)).intent is Intent.QUESTION
        assert inn.health.part("understanding").snapshot().counts == counts, "it was asked while it rests"
        watch.ahead += REST_SECONDS
        hasty = Understanding(models, inn.metering(), inn.health, AMPLE, now=watch.now)
        assert (await hasty.understand(question, view, NOON, may_write=True)).intent is Intent.REMEMBER
    await models.close()


async def test_where_the_days_budget_is_used_up_it_is_a_question(database: Database, gemini: GeminiServer) -> None:
    async for world in world_with(database, gemini, guild_daily_tokens=1):
        gemini.says = sorting("forget")
        assert "used up its language model budget for today" in (await answered(world)).text
        assert routings(gemini) == []


async def test_beyond_their_limit_nothing_is_sorted_or_answered_by_a_model(
    database: Database, gemini: GeminiServer
) -> None:
    gemini.says = sorting(Intent.REMEMBER)
    async for world in world_with(database, gemini, member_cooldown_seconds=60):
        assert await ask(world, UNCLEAR) is Intent.REMEMBER
        asked = len(gemini.requests)
        answer = await answered(world)
        assert answer.wait is not None
        assert len(gemini.requests) == asked


async def test_a_fact_is_found_by_the_searches_in_the_language_it_was_told(world: World, gemini: GeminiServer) -> None:
    await world.remember(BOB, "the spare key is in the lockbox next to the bike shed")
    form = json.dumps({"wants": "question", "searches": ["spare key is in the lockbox"]})
    gemini.says = lambda data: form if "<typed-" in data else "In der Box [1]."
    await answered(world, "wo ist der Ersatzschlüssel?")
    assert "lockbox next to the bike shed" in data_of(gemini.requests[-1])


async def test_the_second_look_finds_facts_too(world: World, gemini: GeminiServer) -> None:
    await world.remember(BOB, "the spare key is in the lockbox next to the bike shed")
    missing = json.dumps({"kind": "missing", "answer": "Das weiß ich nicht.", "searches": ["spare key lockbox"]})
    form = json.dumps({"wants": "question"})

    def say(data: str) -> str:
        if "<typed-" in data:
            return form
        return reply("memory", "In der Box [1].") if "lockbox" in data else missing

    gemini.says = say
    assert (await answered(world, "wo ist der Ersatzschlüssel?")).text == "In der Box."


async def test_who_is_known_by_no_such_name_is_left_to_the_model(world: World, gemini: GeminiServer) -> None:
    gemini.says = sorting("knowledge", lambda _: reply("memory", "They call Alice so."))
    assert (await world.ask_about(BOB, "Mimi")).text == "They call Alice so."
