"""Recall through the real log, index and vectors: the questions people ask, heard by those who may hear the answer."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, timedelta

import pytest

from memory.core.values import Member, Message
from memory.db.database import Database
from memory.places.view import Audience
from memory.recall.query import Limits
from memory.recall.results import Recollection
from memory.recall.store import RecallReading
from tests.memory.recall.index_world import ANY, EVERYWHERE, GUILD, VECTORS, IndexWorld

ANNA, BOB, CARA = 11, 12, 13
SMALL_TALK = (
    "morning all",
    "anyone up for a round of chess tonight?",
    "my train was late again, forty minutes",
    "coffee machine is broken, bring your own",
    "lol that video",
    "who left the window open?",
    "sounds good to me",
    "I will be away over lunch",
)


class Talk(IndexWorld):
    """A guild of three who talk; questions are asked a day later."""

    async def chat(self) -> None:
        for number, text in enumerate(SMALL_TALK):
            await self.say(text, author=(ANNA, BOB, CARA)[number % 3], after=timedelta(hours=2))

    async def ask(
        self, question: str, audience: Audience = EVERYWHERE, *, k: int = 3, limits: Limits = ANY, vectors: bool = True
    ) -> tuple[Recollection, ...]:
        when = self.clock.now() + timedelta(days=1)
        looked = await self.recalling(VECTORS if vectors else None).look(
            question, audience, CARA, when, UTC, limits=limits
        )
        return () if looked is None else looked.chosen(k=k)

    async def best(self, question: str, audience: Audience = EVERYWHERE) -> Message:
        return (await self.ask(question, audience))[0].message


@pytest.fixture
async def talk(database: Database) -> AsyncIterator[Talk]:
    talk = Talk(database)
    await talk.settle(GUILD)
    for user_id, name in ((ANNA, "Anna"), (BOB, "Bob"), (CARA, "Cara")):
        await talk.memory.people.meet_member(Member(GUILD, user_id, name))
    await talk.chat()
    yield talk
    await talk.memory.log.settled()


async def test_what_somebody_said_about_somebody(talk: Talk) -> None:
    await talk.say("I painted the fence", author=BOB, after=timedelta(hours=3))
    about = await talk.say("Bob is the best painter I know", author=ANNA, after=timedelta(hours=3))
    await talk.indexer.catch_up()
    assert await talk.best("what did Anna say about Bob?") == about


async def test_a_time_that_is_named_narrows(talk: Talk) -> None:
    await talk.say("the meeting is about the garden", author=ANNA, after=timedelta(days=40))
    then = await talk.say("the meeting is about the budget", author=ANNA, after=timedelta(days=40))
    await talk.say("the meeting is about the garden", author=ANNA, after=timedelta(days=40))
    await talk.indexer.catch_up()
    assert await talk.best(f"what was the meeting about on {then.sent_at:%d %B %Y}?") == then


async def test_another_word_for_the_same_thing_is_found(talk: Talk) -> None:
    said = await talk.say("had a blast biking along the canal", author=ANNA, after=timedelta(hours=3))
    await talk.indexer.catch_up()
    assert await talk.best("bicycle ride along the water") == said


async def test_what_plainly_answers_is_surer_than_what_is_merely_alike(talk: Talk) -> None:
    said = await talk.say("I bought a red lantern on the market in Ghent", author=ANNA, after=timedelta(hours=3))
    await talk.indexer.catch_up()
    for question in ("what is the capital of Mongolia?", "when did Bob climb Kilimanjaro?", "quantum chromodynamics"):
        assert all(one.chance < 0.3 for one in await talk.ask(question))
    found = (await talk.ask("where did Anna buy the red lantern?"))[0]
    assert found.message == said
    assert found.chance > 0.7
    assert sum(found.why.values()) > 0
    assert (found.source.channel_id, found.source.message_id) == (said.channel_id, said.message_id)


async def test_more_questions_at_once_than_there_are_connections(talk: Talk) -> None:
    await talk.chat()
    await talk.settle()
    recalling, when = talk.recalling(), talk.clock.now() + timedelta(days=1)
    asked = [recalling.look("who plays chess?", EVERYWHERE, CARA, when, UTC) for _ in range(20)]
    for looked in await asyncio.gather(*asked):
        assert looked is not None
        assert any("chess" in one.message.text for one in looked.chosen(k=3))


@pytest.mark.parametrize("read", ["terms", "tail"])
async def test_what_is_indexed_in_the_midst_of_a_search_is_found(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    """The indexer commits right after one of the reads, and the word was never said before."""
    said = await talk.say("The radishes are pink.")
    plain = getattr(RecallReading, read)

    async def and_then_indexed(*given: object) -> object:
        found = await plain(*given)
        await talk.indexer.catch_up()
        return found

    monkeypatch.setattr(RecallReading, read, and_then_indexed)
    found = await talk.ask("radishes", vectors=False)
    assert found
    assert found[0].message.message_id == said.message_id
