"""What was known when, asked of the whole memory: with dates, in the guild's zone, and to whom it may be told."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from memory.core.values import Source
from memory.db.database import Database
from memory.language.dates import shown_day
from memory.language.detect import Language
from tests.gemini_server import GeminiServer, data_of, problem
from tests.memory.answers.answered_world import answered_by
from tests.memory.world import ALICE, BOB, GRUZILKIN, GUILD, HALL, World
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
        ("where did Alice live before Lyon?", ["What I was told about that time:", WAS]),
        ("where did Alice live before moving to Lyon?", ["What I was told about that time:", WAS]),
    ],
)
async def test_what_held_then_is_told_with_its_dates_and_what_followed(
    moved: World, question: str, listed: list[str]
) -> None:
    answer = await moved.ask(BOB, question)
    assert answer.text.splitlines() == listed
    assert answer.sources


@pytest.mark.parametrize(
    "question",
    [
        "did Alice live in Porto in March?",
        "what was Alice doing in March?",
        "what did Alice do in March?",
        "where did Alice live before Porto?",
    ],
)
async def test_of_what_was_never_told_the_ledger_tells_nothing(moved: World, question: str) -> None:
    answer = await moved.ask(BOB, question)
    assert "told about that time" not in answer.text
    assert "Paris" not in answer.text


async def test_what_do_you_know_of_then(moved: World) -> None:
    assert (await moved.ask_about(BOB, "Alice in March")).text.splitlines() == [IN_MARCH, WAS, SAILS]
    assert WAS in (await moved.ask_about(BOB, "Alice since February")).text


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
    assert "Paris" not in (await moved.ask(ALICE, "what did you know about me last year?")).text


async def test_days_are_those_of_the_guild(world: World) -> None:
    await world.memory.privacy.change_settings(GUILD, lambda now: replace(now, time_zone="Asia/Tokyo"))
    at(world, datetime(2026, 2, 28, 20, tzinfo=UTC))
    await world.remember(ALICE, "I sail")
    at(world, NOVEMBER)
    assert "sail" not in (await world.ask(BOB, "what did we believe about Alice in February?")).text
    answer = await world.ask(BOB, "what did we believe about Alice in March?")
    assert f"“I sail” – <@1> (since {day(2026, 3, 1)}" in answer.text


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
    assert "since the flood" in (await moved.ask(GRUZILKIN, "since when is Florent a baker?")).text


HELD = "about Alice, since 2026-01-10 12:00, until 2026-04-10 12:00: “I live in Paris” – @Alice"


@pytest.fixture
async def answered(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    """Alice moved from Paris to Lyon, and a model answers."""
    async with answered_by(gemini, database, understands=True, understand_seconds=30) as world:
        at(world, JANUARY)
        await world.remember(ALICE, "I live in Paris")
        at(world, APRIL)
        await world.remember(ALICE, "I live in Lyon")
        at(world, NOVEMBER)
        yield world


async def test_a_model_is_given_what_held_then_with_its_dates(answered: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: "She lived in Paris then."
    answer = await answered.ask(BOB, "where did Alice live before April?")
    assert answer.text.startswith("She lived in Paris then.")
    data = data_of(gemini.requests[-1])
    assert HELD in data
    assert data.count(": “I live in Lyon” – @Alice") == 1
    await answered.ask(BOB, "where does Alice live?")
    assert "Paris" not in data_of(gemini.requests[-1])
    gemini.fault = lambda _: problem(400)
    assert WAS in (await answered.ask(BOB, "where did Alice live before April?")).text


async def test_of_the_days_a_model_understands_it_is_given_what_held_then_in_any_language(
    answered: World, gemini: GeminiServer
) -> None:
    form = {"wants": "question", "people": ["@P2"]}
    gemini.says = lambda data: json.dumps(form) if "<typed-" in data else reply("memory", "W Paryżu [1].")
    for question, first_day, last_day, is_held in (
        ("gdzie Alice mieszkała w marcu?", "2026-03-01", "2026-03-31", True),
        ("gdzie Alice mieszkała w maju?", "2026-05-01", "2026-05-31", False),
        ("where did Alice live in the old days?", "", "", True),
    ):
        form |= {"first_day": first_day, "last_day": last_day}
        await answered.ask(BOB, question)
        assert (HELD in data_of(gemini.requests[-1])) is is_held, question


async def test_each_answer_leads_to_its_tellings(moved: World) -> None:
    answer = await moved.ask(BOB, "where did Alice use to live?")
    told = await moved.database.read("test", "SELECT message_id FROM facts WHERE text LIKE '%live%' ORDER BY fact_id")
    assert answer.sources == tuple(Source(HALL, row["message_id"]) for row in told)
