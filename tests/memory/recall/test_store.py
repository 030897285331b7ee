"""What is found: by words of many scripts and by meaning, within what may be heard, whatever is asked."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from hypothesis import given, settings

from memory.db.database import Database
from memory.language.stems import words_of
from memory.places.view import Audience
from memory.recall import store as recall
from memory.recall.query import Limits
from memory.recall.store import Meant
from tests.memory.log.logbook import ANY_TEXT
from tests.memory.recall.index_world import (
    ALICE,
    BOB,
    CELLAR,
    EVERYWHERE,
    GUILD,
    HALL,
    LOUNGE,
    NOON,
    OTHER_GUILD,
    VECTORS,
    IndexWorld,
    heard,
)
from tests.memory.tables import tables_of


@pytest.fixture
async def world(database: Database) -> IndexWorld:
    return await IndexWorld(database).settle(GUILD, OTHER_GUILD)


@pytest.mark.parametrize(("said", "asked"), tables_of(__file__)["found"])
async def test_words_of_many_languages_are_found(world: IndexWorld, said: str, asked: str) -> None:
    message = await world.say(said)
    for other in ("nothing to see", "ganz etwas anderes", "ничего такого", "今日は雨です"):
        await world.say(other)
    assert (await world.in_tail(asked))[-1:] == [message.message_id]
    await world.indexer.catch_up()
    assert (await world.by_words(asked))[:1] == [message.message_id]


@pytest.mark.parametrize("few_words", [recall.FEW_WORDS, 0], ids=["few words", "many words"])
async def test_a_typo_is_forgiven(world: IndexWorld, few_words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "FEW_WORDS", few_words)
    message = await world.say("the accordion is in the attic")
    await world.say("an accord was reached")
    await world.indexer.catch_up()
    assert (await world.by_words("acordion"))[:1] == [message.message_id]


@pytest.mark.parametrize(
    "question",
    [
        *("", "   ", "?!…", "\x00", "'; DROP TABLE message_index; --", "heron' | 'stork", "\\' \\\\ :A :*", "#100"),
        *("heron & !stork:* <-> (pond", "the of and to", "😀 👩‍👩‍👧"),
        "x" * 4_000,
        "heron " * 700,
        " ".join(f"word{number}" for number in range(700)),
        "水" * 4_000,
    ],
    ids=repr,
)
async def test_absurd_questions_find_nothing_they_should_not(world: IndexWorld, question: str) -> None:
    message = await world.say("The heron stood in the pond")
    await world.say("word1 of the old stories")
    await world.indexer.catch_up()
    found = set(await world.by_words(question))
    assert (message.message_id in found) == ("heron" in words_of(question))
    assert await world.in_tail(question) == []
    assert await world.count("message_index") == 2


@given(text=ANY_TEXT, asked=ANY_TEXT)
@settings(max_examples=25)
async def test_whatever_is_said_or_asked_nothing_breaks(any_world: IndexWorld, text: str, asked: str) -> None:
    message = await any_world.say(text)
    await any_world.indexer.catch_up()
    await any_world.found(asked)
    terms = await any_world.terms(asked)
    reading = any_world.recall.reading(EVERYWHERE)
    around = await reading.around([message.message_id], terms)
    assert message.message_id in {one.found.message_id for one in around}


@pytest.fixture
async def any_world(world: IndexWorld) -> AsyncIterator[IndexWorld]:
    yield world
    await world.check_counts()


@pytest.mark.parametrize("few", [True, False], ids=["one by one", "through the index"])
async def test_only_what_may_be_heard_is_found(world: IndexWorld, few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "FEW", 20_000 if few else 0)
    public = await world.say("the treasure is a legend", HALL)
    private = await world.say("the treasure is under the third step", CELLAR)
    foreign = await world.say("the treasure of another guild", guild=OTHER_GUILD)
    for is_indexed in (False, True):
        for channels, expected in (
            ((HALL,), {public.message_id}),
            ((HALL, CELLAR), {public.message_id, private.message_id}),
        ):
            assert await world.found("treasure", heard(*channels)) == expected
        assert await world.found("treasure", heard(LOUNGE)) == set()
        assert await world.found("treasure", heard(HALL, guild=OTHER_GUILD)) == {foreign.message_id}
        if not is_indexed:
            await world.indexer.catch_up()
    hall = heard(HALL)
    terms = await world.terms("treasure", hall)
    everything = [message.message_id for message in (public, private, foreign)]
    reading = world.recall.reading(hall)
    around = await reading.around(everything, terms)
    assert [(one.found.message_id, one.message()) for one in around] == [(public.message_id, public)]
    assert {found.message_id for found in await world.by_meaning("hidden gold", hall)} == {public.message_id}
    assert await world.by_meaning("hidden gold", heard(LOUNGE)) == []


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "not yet"])
async def test_a_question_can_be_narrowed_down(world: IndexWorld, indexed: bool) -> None:
    first = await world.say("the tournament is on", HALL, ALICE)
    second = await world.say("the tournament is off", LOUNGE, BOB, after=timedelta(days=2))
    if indexed:
        await world.indexer.catch_up()
    ask = world.by_words if indexed else world.in_tail
    for limits, expected in (
        (Limits(author_ids=frozenset((BOB,))), [second]),
        (Limits(channel_ids=frozenset((HALL,))), [first]),
        (Limits(after=NOON + timedelta(days=1)), [second]),
        (Limits(before=NOON + timedelta(days=1)), [first]),
        (Limits(author_ids=frozenset((ALICE,)), after=NOON + timedelta(days=1)), []),
        (Limits(channel_ids=frozenset((4711,))), []),
    ):
        wanted = [message.message_id for message in expected]
        assert await ask("tournaments", EVERYWHERE, limits) == wanted
        if indexed:
            meant = await world.by_meaning("a championship", EVERYWHERE, limits)
            assert [found.message_id for found in meant] == wanted
    assert await ask("tournaments", heard(LOUNGE), Limits(channel_ids=frozenset((HALL,)))) == []


@pytest.mark.parametrize("few", [True, False], ids=["one by one", "through the index"])
async def test_rare_words_and_short_messages_weigh_more(
    world: IndexWorld, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "FEW", 20_000 if few else 0)
    await world.say_all(f"pizza again, the {number}th time this year" for number in range(8))
    rare = await world.say("anchovy on everything")
    long = await world.say("pizza with anchovy " + " ".join(f"ingredient{number}" for number in range(60)))
    both = await world.say("anchovy pizza, anchovy pizza")
    await world.indexer.catch_up()
    assert (await world.by_words("pizza with anchovy"))[:3] == [both.message_id, rare.message_id, long.message_id]


async def test_neighbours_come_along_in_order_with_their_scores(world: IndexWorld) -> None:
    said = await world.say_all([f"line {number}" for number in range(4)] + ["the heron"] + ["next one", "a pond"])
    await world.say("the heron elsewhere", LOUNGE)
    await world.indexer.catch_up()
    terms = await world.terms("heron pond")
    [vector] = await VECTORS.embed(["here comes a heron"])
    reading = world.recall.reading(EVERYWHERE)
    heard_there = await reading.around([said[4].message_id], terms, Meant(VECTORS.name, vector), reach=2)
    around = [one.found for one in heard_there]
    assert [one.message() for one in heard_there] == said[2:7]
    assert [found.message_id for found in around] == [message.message_id for message in said[2:7]]
    assert [sorted(found.matched) for found in around] == [[], [], [0], [], [1]]
    assert all(found.meaning is not None and -1 <= found.meaning <= 1 for found in around)
    assert around[2].meaning == max(found.meaning or 0 for found in around)


async def test_of_very_many_the_newest_of_each_channel_are_compared(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "COMPARED", 4)
    hall = await world.say_all((f"note {number}" for number in range(6)), HALL)
    lounge = await world.say_all((f"note {number}" for number in range(2)), LOUNGE)
    await world.indexer.catch_up()
    found = {one.message_id for one in await world.by_meaning("note", Audience(GUILD, HALL, frozenset((HALL, LOUNGE))))}
    assert found == {message.message_id for message in (*hall[-3:], *lounge[-1:])}
