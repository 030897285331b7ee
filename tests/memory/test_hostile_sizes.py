"""Whatever members put in, and however much of it: nobody else has to wait for it to be read."""

import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import product

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.core.values import AuthorKind, Message
from memory.db.database import Database, ExternalPostgres
from memory.privacy.export_queries import Signposts
from tests.databases import PostgresServer
from tests.gemini_server import gemini_server
from tests.loop_steps import MOST_SECONDS, loop_steps
from tests.memory.world import ALICE, BOB, EVERYONE, GRUZILKIN, GUILD, HALL, NOON, PLANT_FACTS, World, audience
from tests.models import BY, answering

FACTS, MESSAGES, NICKNAMES = 1_000, 40, 5_000
LATIN, CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщ"
ENDINGS = {letters: ["".join(three) for three in product(letters, repeat=3)] for letters in (LATIN, CYRILLIC)}
_CHANCE = random.Random(9)


def words(count: int, letters: str = LATIN, beginning: int = 4) -> str:
    """Different ones with one beginning, so that each may be a form of every other."""
    return " ".join(letters[:beginning] + ending for ending in _CHANCE.choices(ENDINGS[letters], k=count))


def texts(count: int, size: int) -> list[str]:
    """In two scripts, as long as they may be."""
    return [words(size // 8, CYRILLIC if number % 2 else LATIN) for number in range(count)]


@pytest.fixture
def tasks_end_with_their_test() -> None:
    """Not here: all tests have one world."""


@pytest.fixture(scope="module")
async def world(postgres_server: PostgresServer) -> AsyncIterator[World]:
    """A guild where one member told another's life, many wrote much, and many facts say what somebody is called."""
    name = await postgres_server.create(await postgres_server.template())
    database = await Database.open(ExternalPostgres(postgres_server.url_of(name)))
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
        models = answering(model, seconds=60, others={Purpose.SMALL: model})
        gemini.says = replied
        world = await World(database, models, member_cooldown_seconds=0, member_hourly_questions=0).settle()
        await plant(database)
        for number, text in enumerate(texts(MESSAGES, 4_000)):
            author = EVERYONE[number % 4].user_id
            said = Message(GUILD, HALL, 1_000 + number, author, AuthorKind.PERSON, f"alice {text}", NOON)
            await world.memory.ingest_message(said)
        await world.memory.log.settled()
        await world.memory.indexer.catch_up()
        await world.remember(BOB, "Florent likes tea")  # what is done for the first time takes longer
        await world.forget(BOB, "tea")
        await world.ask(BOB, "what about tea?")
        yield world
        await world.memory.log.settled()
        await world.memory.contexts.stop()
        await model.close()
    await database.close()
    await postgres_server.drop(name)


async def plant(database: Database) -> None:
    told = [f"<@{ALICE.user_id}> {text}" for text in texts(FACTS, 600)]
    called = [f"<@{GRUZILKIN.user_id}> is called {'a' * 24}{number:06}" for number in range(NICKNAMES)]
    async with database.transaction("test") as connection:
        for subject, told_of in ((GRUZILKIN, called), (ALICE, told)):
            await connection.execute(PLANT_FACTS, GUILD, subject.user_id, BOB.user_id, HALL, told_of, NOON)
        await connection.execute(
            """
            INSERT INTO fact_aliases (guild_id, name_key, fact_id, user_id)
            SELECT guild_id, substr(text, 16), fact_id, subject_id FROM facts WHERE subject_id = $1
            """,
            GRUZILKIN.user_id,
        )


def replied(data: str) -> str:
    """By the model: what it was given, in sentences, or in the shape of a fact."""
    repeated = " ".join(data.split()[-1_500:])
    is_answer = "<question-" in data
    return repeated if is_answer else json.dumps({"text": f"@P1 {repeated}", "about": [1], "numbers": [1, 2]})


async def remember_this(world: World) -> object:
    said = await world.say(ALICE, ("alice is bob " * 400)[:4_000])
    return await world.remember(BOB, "this about Alice", about=said)


async def merge(world: World) -> object:
    return await world.memory.contexts.text_for(audience(), ALICE.user_id, BY, patience=60.0)


async def export(world: World) -> object:
    reader = replace(audience(), viewer_id=ALICE.user_id)
    return await world.memory.exports.of_member(reader, Signposts("The Inn", {}, lambda *_: ""), BytesIO())


HOSTILE: Sequence[tuple[str, Callable[[World], Awaitable[object]]]] = (
    ("forget many words", lambda world: world.forget(BOB, words(285)[:2_000])),
    ("forget a hundred words", lambda world: world.forget(BOB, words(60) + " " + words(30, CYRILLIC))),
    ("forget of somebody", lambda world: world.forget(BOB, "alice " + words(200)[:2_000])),
    ("remember as much as fits", lambda world: world.remember(BOB, "alice " + words(73, CYRILLIC))),
    ("remember a denial", lambda world: world.remember(BOB, "alice does not live in " + words(60))),
    ("remember too much", lambda world: world.remember(BOB, "alice " + "é " * 1_990)),
    ("remember names", lambda world: world.remember(BOB, "alice is bob " * 300)),
    ("remember this", remember_this),
    ("a part of a name", lambda world: world.remember(BOB, "a" * 24 + "00000 likes tea")),
    ("ask in many words", lambda world: world.ask(BOB, words(500) + "?")),
    ("ask in another script", lambda world: world.ask(BOB, words(500, CYRILLIC) + "?")),
    ("ask of somebody", lambda world: world.ask(BOB, "what did people say of alice? " + words(20))),
    ("ask for a time", lambda world: world.ask(BOB, "what did alice like last week? " + words(100))),
    ("ask about somebody", lambda world: world.ask_about(BOB, "alice")),
    ("ask about nobody", lambda world: world.ask_about(BOB, words(500))),
    ("ask in single letters", lambda world: world.ask(BOB, "é " * 1_990)),
    ("ask in names", lambda world: world.ask(BOB, "alice bob " * 390)),
    ("forget in names", lambda world: world.forget(BOB, "alice bob " * 190)),
    ("merge what was told", merge),
    ("a day", lambda world: world.memory.day_answers.day(audience(), NOON.date(), BY)),
    ("an export", export),
    ("a context", lambda world: world.memory.get_memories(audience(), ALICE.user_id, BY)),
)

TRIES = 3


@pytest.mark.parametrize("do", [pytest.param(do, id=name) for name, do in HOSTILE])
async def test_nobody_waits_while_it_is_read(world: World, do: Callable[[World], Awaitable[object]]) -> None:
    """By the best of three tries: what is slow is slow each time, what a busy machine does to one step is not."""
    longest = []
    for _ in range(TRIES):
        with loop_steps() as steps:
            await do(world)
        longest.append(max(steps))
        if longest[-1] < MOST_SECONDS:
            return
    raise AssertionError(f"{min(longest) * 1_000:.0f} ms in one step, at best")
