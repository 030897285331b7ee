"""Days in receipts: those behind a member's context, and those that are told themselves."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from memory.core.outcomes import Answer
from memory.core.provenance import DayKey
from memory.core.values import Message
from memory.db.database import Database
from memory.language.detect import Language
from tests.memory.contexts.context_house import ContextHouse, context_house
from tests.memory.summaries.diary_house import ALICE, BOB, GUILD, HALL, LOUNGE

DAY = timedelta(days=1)


@pytest.fixture
async def house(database: Database) -> AsyncIterator[ContextHouse]:
    async with context_house(database) as house:
        yield house


async def answered(house: ContextHouse, words: str, question: str) -> Answer:
    """What a model says when Alice asks in the hall."""
    house.narrator.server.says = lambda data: words if "<question-" in data else house.narrator.says(data)
    house.clock.move(timedelta(minutes=1))
    return await house.ask(ALICE, question)


def midnight(house: ContextHouse, ago: timedelta = timedelta()) -> DayKey:
    return DayKey(0, house.clock.now().replace(hour=0, minute=0, second=0, microsecond=0) - ago)


async def put(house: ContextHouse, answer: Answer) -> str | None:
    """Why the reply to it would have to be taken back, if it had to be."""
    asked = await house.say(ALICE, "Bot so?")
    receipts = house.memory.receipts
    receipt = receipts.receipt_of(
        house.memory.places.audience_of(GUILD, HALL), asked.message_id, ALICE.user_id, Language.EN, answer.evidence
    )
    await receipts.put(receipt)
    async with house.database.connection("test") as connection:
        because: str | None = await connection.fetchval(
            "SELECT because FROM receipts WHERE asked_in = $1", asked.message_id
        )
    return because


async def merged_from_three_parts(house: ContextHouse) -> Message:
    """Bob's context of a fact, of yesterday, and of today: what he said today, in another room."""
    await house.remember(BOB, "I like tea")
    await house.say(BOB, "I sold the old cart", LOUNGE, at=house.clock.now() - DAY)
    said = await house.say(BOB, "I am painting the fence", LOUNGE)
    assert "Merged" in await house.memories(BOB)
    return said


async def test_a_day_behind_a_context_is_repeated_by_its_words(house: ContextHouse) -> None:
    """Said in another room, so that nothing but the day has it."""
    said = await merged_from_three_parts(house)
    answer = await answered(house, "He is busy with his fence.", "what would Bob enjoy?")
    assert set(answer.evidence.quoted.days) == {midnight(house)}
    assert not answer.evidence.quoted.facts
    assert await put(house, answer) is None
    await house.delete(said)
    assert await put(house, answer) == "source"


async def test_a_fact_behind_a_context_is_not_laid_to_its_days(house: ContextHouse) -> None:
    said = await merged_from_three_parts(house)
    answer = await answered(house, "A cup of tea.", "what would Bob enjoy?")
    assert answer.evidence.quoted.facts
    assert not answer.evidence.quoted.days
    assert set(answer.evidence.used.days) == {midnight(house, ago=DAY), midnight(house)}
    await house.delete(said)
    assert await put(house, answer) is None, "whatever becomes of the day"


async def test_a_day_that_is_told_is_repeated(house: ContextHouse) -> None:
    said = await house.say(BOB, "I finally finished painting the old boat")
    answer = await house.ask(ALICE, "what happened today?")
    assert "boat" in answer.text
    assert midnight(house) in answer.evidence.quoted.days
    assert await put(house, answer) is None
    await house.edit(said, "I have not even begun")
    assert await put(house, answer) == "source"
