"""What was known when, asked of the whole memory: with dates, in the guild's zone, and to whom it may be told."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.core.values import Source
from memory.db.database import Database
from memory.language.dates import shown_day
from memory.language.detect import Language
from tests.gemini_server import data_of, gemini_server, problem
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, HALL, LOUNGE, World
from tests.models import answering
from tests.replies import reply

JANUARY, APRIL = datetime(2026, 1, 10, 12, tzinfo=UTC), datetime(2026, 4, 10, 12, tzinfo=UTC)
NOVEMBER = datetime(2026, 11, 15, 12, tzinfo=UTC)


def at(world: World, moment: datetime) -> None:
    world.clock.move(moment - world.clock.now())


@pytest.fixture
async def moved(world: World) -> World:
    """Alice lived in Paris until April, and Bob says that she sails."""
    at(world, JANUARY)
    await world.remember(ALICE, "I live in Paris")
    await world.remember(BOB, "Alice sails")
    at(world, APRIL)
    await world.remember(ALICE, "I live in Lyon")
    at(world, NOVEMBER)
    return world


def day(year: int, month: int, number: int) -> str:
    return shown_day(date(year, month, number))


PARIS, LYON = "“I live in Paris” – <@1>", "“I live in Lyon” – <@1>"
WAS = f"• {PARIS} ({day(2026, 1, 10)} – {day(2026, 4, 10)}; since then: {LYON})"
IN_MARCH = f"What I was told about that time ({day(2026, 3, 1)} – {day(2026, 3, 31)}):"
SAILS = f"• <@2> says: <@1> sails (since {day(2026, 1, 10)})"


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("what did we believe about Alice in March?", [IN_MARCH, WAS, SAILS]),
        ("what did we believe in March?", [IN_MARCH, WAS, SAILS]),
        ("what did we know about Alice sailing in March?", [IN_MARCH, SAILS]),
        ("where did Alice use to live?", ["What I was told about that time:", WAS]),
        ("where did Alice live before April?", [f"What I was told about that time (… – {day(2026, 3, 31)}):", WAS]),
        ("did Alice live in Paris in March?", [IN_MARCH, WAS]),
        ("since when is Alice in Lyon?", ["What I was told about that time:", f"• {LYON} (since {day(2026, 4, 10)})"]),
        ("how long has Alice been sailing?", ["What I was told about that time:", SAILS]),
    ],
)
async def test_what_held_then_is_told_with_its_dates_and_what_followed(
    moved: World, question: str, listed: list[str]
) -> None:
    answer = await moved.ask(BOB, question)
    assert answer.text.splitlines() == listed
    assert answer.sources


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("was wussten wir im März über Alice?", Language.DE),
        ("wo hat Alice früher gewohnt?", Language.DE),
        ("que savions-nous d'Alice en mars ?", Language.FR),
        ("où habitait Alice avant ?", Language.FR),
        ("¿qué sabíamos de Alice en marzo?", Language.ES),
        ("¿dónde vivía Alice antes?", Language.ES),
        ("что мы знали о <@1> в марте?", Language.RU),
        ("где раньше жила <@1>?", Language.RU),
    ],
)
async def test_in_the_other_languages(moved: World, question: str, language: Language) -> None:
    answer = await moved.ask(BOB, question, language=language)
    assert f"{day(2026, 1, 10)} – {day(2026, 4, 10)}" in answer.text
    assert "What I" not in answer.text


async def test_of_oneself(moved: World) -> None:
    known = (await moved.ask(ALICE, "what did you know about me in April?")).text
    assert f"({day(2026, 4, 1)} – {day(2026, 4, 30)})" in known
    assert PARIS in known
    before = await moved.ask(ALICE, "what did you know about me last year?")
    assert "Paris" not in before.text


@pytest.mark.parametrize("question", ["did Alice live in Porto in March?", "what was Alice doing in March?"])
async def test_of_what_was_never_told_the_ledger_tells_nothing(moved: World, question: str) -> None:
    answer = await moved.ask(BOB, question)
    assert "told about that time" not in answer.text
    assert "Paris" not in answer.text


@pytest.mark.parametrize(
    "question", ["where did Alice live before Lyon?", "where did Alice live before moving to Lyon?"]
)
async def test_where_somebody_lived_before_they_lived_elsewhere(moved: World, question: str) -> None:
    assert (await moved.ask(BOB, question)).text.splitlines() == ["What I was told about that time:", WAS]


async def test_before_what_was_never_told_the_ledger_tells_nothing(moved: World) -> None:
    assert "told about that time" not in (await moved.ask(BOB, "where did Alice live before Porto?")).text


async def test_what_do_you_know_of_then(moved: World) -> None:
    assert (await moved.ask_about(BOB, "Alice in March")).text.splitlines() == [IN_MARCH, WAS, SAILS]
    assert WAS in (await moved.ask_about(BOB, "Alice since February")).text


async def test_days_are_those_of_the_guild(world: World) -> None:
    await world.memory.privacy.change_settings(GUILD, lambda now: replace(now, time_zone="Asia/Tokyo"))
    at(world, datetime(2026, 2, 28, 20, tzinfo=UTC))
    await world.remember(ALICE, "I sail")
    at(world, NOVEMBER)
    assert "sail" not in (await world.ask(BOB, "what did we believe about Alice in February?")).text
    answer = await world.ask(BOB, "what did we believe about Alice in March?")
    assert f"“I sail” – <@1> (since {day(2026, 3, 1)}" in answer.text


async def test_what_was_forgotten_was_never_known(moved: World) -> None:
    await moved.forget(ALICE, "that I live in Lyon")
    answer = await moved.ask(BOB, "what did we believe about Alice in March?")
    assert answer.text.splitlines()[1:] == [SAILS]
    assert "Paris" not in (await moved.ask(BOB, "where did Alice live before April?")).text


async def test_only_those_hear_of_it_who_may(world: World) -> None:
    at(world, JANUARY)
    await world.remember(ALICE, "I live in Paris", CELLAR)
    at(world, APRIL)
    await world.remember(ALICE, "I live in Lyon", CELLAR)
    at(world, NOVEMBER)
    questions = (
        "what did we believe about Alice in March?",
        "where did Alice live before April?",
        "what did we know in March?",
    )
    for question in questions:
        assert "Paris" in (await world.ask(FLORENT, question, CELLAR)).text
        for place in (HALL, LOUNGE):
            said = (await world.ask(FLORENT, question, place)).text
            assert "Paris" not in said
            assert "Lyon" not in said
            assert f"{day(2026, 4, 10)}" not in said


@pytest.mark.parametrize("withheld", ["Paris", "Lyon"])
async def test_what_is_withheld_is_told_of_no_time(moved: World, withheld: str) -> None:
    """Nor what it replaced, whose end would tell when something was told."""
    async with moved.database.connection("test") as connection:
        await connection.execute("UPDATE facts SET withheld = true WHERE text LIKE '%' || $1 || '%'", withheld)
    for question in ("what did we believe about Alice in March?", "what did we know about Alice since February?"):
        said = (await moved.ask(BOB, question)).text
        assert withheld not in said
        assert f"{day(2026, 4, 10)} –" not in said
        assert f"– {day(2026, 4, 10)}" not in said


async def test_what_nobody_told_is_left_to_the_messages(moved: World) -> None:
    await moved.say(BOB, "Florent has been a baker since the flood")
    await moved.memory.indexer.catch_up()
    answer = await moved.ask(GRUZILKIN, "since when is Florent a baker?")
    assert "since the flood" in answer.text


async def test_the_ordinary_question_knows_nothing_of_then(moved: World) -> None:
    assert "Paris" not in (await moved.ask(BOB, "where does Alice live?")).text
    assert "Paris" not in (await moved.ask(BOB, "what did Alice do in March?")).text


async def test_a_model_is_given_what_held_then_with_its_dates(database: Database) -> None:
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
        gemini.says = lambda _: "She lived in Paris then."
        models = answering(model, seconds=120)
        await models.embedder.embed(["ready"])
        world = await World(database, models, member_cooldown_seconds=0).settle()
        at(world, JANUARY)
        await world.remember(ALICE, "I live in Paris")
        at(world, APRIL)
        await world.remember(ALICE, "I live in Lyon")
        at(world, NOVEMBER)
        answer = await world.ask(BOB, "where did Alice live before April?")
        assert answer.text.startswith("She lived in Paris then.")
        data = data_of(gemini.requests[-1])
        assert "about Alice, since 2026-01-10 12:00, until 2026-04-10 12:00: “I live in Paris” – @Alice" in data
        assert data.count(": “I live in Lyon” – @Alice") == 1
        await world.ask(BOB, "where does Alice live?")
        assert "Paris" not in data_of(gemini.requests[-1])
        gemini.fault = lambda _: problem(400)
        alone = await world.ask(BOB, "where did Alice live before April?")
        assert WAS in alone.text
        await world.memory.log.settled()
        await model.close()


async def test_of_the_days_a_model_understands_it_is_given_what_held_then_in_any_language(database: Database) -> None:
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
        form = {"wants": "question", "first_day": "2026-03-01", "last_day": "2026-03-31", "people": ["@P2"]}
        gemini.says = lambda data: json.dumps(form) if "<typed-" in data else reply("memory", "W Paryżu [1].")
        models = answering(model, seconds=120, others={Purpose.SMALL: model})
        await models.embedder.embed(["ready"])
        world = await World(database, models, member_cooldown_seconds=0, understand_seconds=30).settle()
        at(world, JANUARY)
        await world.remember(ALICE, "I live in Paris")
        at(world, APRIL)
        await world.remember(ALICE, "I live in Lyon")
        at(world, NOVEMBER)
        held = "about Alice, since 2026-01-10 12:00, until 2026-04-10 12:00: “I live in Paris” – @Alice"
        await world.ask(BOB, "gdzie Alice mieszkała w marcu?")
        assert held in data_of(gemini.requests[-1])
        form |= {"first_day": "2026-05-01", "last_day": "2026-05-31"}
        await world.ask(BOB, "gdzie Alice mieszkała w maju?")
        assert held not in data_of(gemini.requests[-1])
        form |= {"first_day": "", "last_day": ""}
        await world.ask(BOB, "where did Alice live in the old days?")
        assert held in data_of(gemini.requests[-1])
        await world.memory.log.settled()
        await model.close()


async def test_each_answer_leads_to_its_tellings(moved: World) -> None:
    answer = await moved.ask(BOB, "where did Alice use to live?")
    async with moved.database.connection("test") as connection:
        told = await connection.fetch("SELECT message_id FROM facts WHERE text LIKE '%live%' ORDER BY fact_id")
    assert answer.sources == tuple(Source(HALL, row["message_id"]) for row in told)
