"""What a model says its answer is: from memory, which is checked; talk, which is marked; or missing, and looked for."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from memory.answers.read_reply import LONGEST_SEARCH, ModelReply
from memory.core.values import Source
from memory.db.database import Database
from memory.language.detect import Language
from tests.gemini_server import GeminiServer, data_of, gemini_server, problem, rules_of
from tests.memory.answers.answered_world import answered_by
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, LOUNGE, World
from tests.replies import reply

UNKNOWN = "Nobody told me."
NOT_FROM_MEMORY = "-# Not from my memory."
MAY_SEARCH = 'into "searches"'


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with gemini_server() as server:
        yield server


@pytest.fixture
async def world(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    async with answered_by(gemini, database, model_seconds=20, seconds=60) as world:
        yield world


def number_of(data: str, words: str) -> str:
    return next(line.split()[0] for line in data.splitlines() if words in line and line[0].isdigit())


@pytest.mark.parametrize(
    "said",
    [
        "On Friday at eight [{n}].",
        "It begins at 8 on Friday [{n}].",
        "Bob says so [{n}].",
        "The quiz is on Friday [{n}].",
    ],
)
async def test_what_rests_on_the_lines_it_cites_is_posted(world: World, gemini: GeminiServer, said: str) -> None:
    told = await world.say(BOB, "The quiz is on Friday at eight")
    gemini.says = lambda data: reply("memory", said.replace("{n}", number_of(data, "quiz")))
    answer = await world.ask(ALICE, "when is the quiz?")
    assert not answer.without_model
    assert answer.sources == (Source(HALL, told.message_id),)


@pytest.mark.parametrize(
    "said",
    [
        "On Friday at eight.",
        "Everyone loves purple doors [{n}].",
        "The quiz wanders through purple doors and sings [{n}].",
        "Purple door [{n}].",
        "On Friday at eight [99].",
    ],
)
async def test_what_claims_memory_and_rests_on_nothing_is_not_posted(
    world: World, gemini: GeminiServer, said: str
) -> None:
    told = await world.say(BOB, "The quiz is on Friday at eight")
    gemini.says = lambda data: reply("memory", said.replace("{n}", number_of(data, "quiz")))
    answer = await world.ask(ALICE, "when is the quiz?")
    assert answer.without_model
    assert "purple" not in answer.text.casefold()
    assert "My language model gave no usable answer." in answer.text
    assert answer.sources == (Source(HALL, told.message_id),)


async def test_what_was_said_in_another_language_cannot_be_compared(world: World, gemini: GeminiServer) -> None:
    await world.say(BOB, "Das Rätselspiel ist am Freitag um acht, und es gibt Kuchen für alle")
    gemini.says = lambda data: reply("memory", f"The game is in the evening, with cake [{number_of(data, 'Kuchen')}].")
    answer = await world.ask(ALICE, "when is the Rätselspiel?", language=Language.EN)
    assert answer.text.startswith("The game is in the evening")


async def test_yes_is_an_answer_where_the_line_speaks_of_what_was_asked(world: World, gemini: GeminiServer) -> None:
    await world.say(BOB, "I do like pickles")
    gemini.says = lambda data: reply("memory", f"Yes, he does [{number_of(data, 'pickles')}].")
    assert (await world.ask(ALICE, "does Bob like pickles?")).text == "Yes, he does."


async def test_talk_is_given_as_it_is(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: reply("general", "The capital of Peru is Lima.")
    answer = await world.ask(ALICE, "what is the capital of Peru?")
    assert answer.text == "The capital of Peru is Lima."
    assert not answer.without_model


@pytest.mark.parametrize(
    ("asked", "said"),
    [("tell me a joke about <@2>", "He walks into a bar."), ("tell me a joke", "Bob walks into a bar.")],
)
async def test_talk_about_people_is_marked(world: World, gemini: GeminiServer, asked: str, said: str) -> None:
    await world.say(BOB, "Hello there")
    gemini.says = lambda _: reply("general", said)
    assert (await world.ask(ALICE, asked)).text == f"{said}\n{NOT_FROM_MEMORY}"


async def test_talk_that_uses_what_is_known_links_it_and_needs_no_mark(world: World, gemini: GeminiServer) -> None:
    told = await world.say(BOB, "Our cat sleeps in the oven")
    gemini.says = lambda data: reply("general", f"Bob keeps a hot cat in his oven [{number_of(data, 'oven')}].")
    answer = await world.ask(ALICE, "tell me a joke about our cat")
    assert (answer.text, answer.sources) == ("Bob keeps a hot cat in his oven.", (Source(HALL, told.message_id),))


async def test_talk_links_nothing_that_it_does_not_use(world: World, gemini: GeminiServer) -> None:
    await world.say(BOB, "Our cat sleeps in the oven")
    gemini.says = lambda data: reply("general", f"Alice once stole eleven purple trains [{number_of(data, 'oven')}].")
    answer = await world.ask(ALICE, "tell me a joke")
    assert (answer.sources, answer.citations) == ((), ())
    assert answer.text == f"Alice once stole eleven purple trains.\n{NOT_FROM_MEMORY}"


async def test_the_mark_is_in_the_language_of_the_answer(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: reply("general", "Bob geht in eine Bar.")
    answer = await world.ask(ALICE, "erzähl mir einen Witz über <@2>", language=Language.DE)
    assert answer.text.endswith("\n-# Nicht aus meinem Gedächtnis.")


def missing_first(gemini: GeminiServer, then: str, *searches: str) -> None:
    """What it says when it may search, and what when it has been looked for."""
    gemini.says = lambda data: (
        reply("missing", UNKNOWN, *searches)
        if MAY_SEARCH in rules_of(gemini.requests[-1])
        else reply("memory", then.replace("{n}", number_of(data, "Zwetschgendatschi")))
    )


async def hidden(world: World, channel: int = LOUNGE) -> Source:
    """Something that the question's own words do not find."""
    told = await world.say(BOB, "Zwetschgendatschi, as every year", channel)
    await world.memory.indexer.catch_up()
    return Source(channel, told.message_id)


async def test_what_is_missing_is_looked_for_once_more(world: World, gemini: GeminiServer) -> None:
    source = await hidden(world)
    missing_first(gemini, "Zwetschgendatschi [{n}].", "Zwetschgendatschi")
    answer = await world.ask(ALICE, "what is served in autumn?")
    assert (answer.text, answer.sources) == ("Zwetschgendatschi.", (source,))
    first, second = gemini.requests
    assert "Zwetschgendatschi" not in data_of(first)
    assert "Zwetschgendatschi" in data_of(second)
    assert source.message_id in answer.evidence.used.messages
    usage = await world.memory.metering.usage(GUILD)
    assert sum(one.tally.calls for one in usage.today) == 2


async def test_a_second_look_hears_no_more_than_the_first(world: World, gemini: GeminiServer) -> None:
    await hidden(world, CELLAR)
    missing_first(gemini, "Zwetschgendatschi.", "Zwetschgendatschi")
    answer = await world.ask(ALICE, "what is served in autumn?")
    assert answer.text == UNKNOWN
    assert all("Zwetschgendatschi" not in data_of(request) for request in gemini.requests)


async def test_the_model_is_asked_twice_at_most(world: World, gemini: GeminiServer) -> None:
    await hidden(world)
    gemini.says = lambda _: reply("missing", UNKNOWN, "Zwetschgendatschi")
    answer = await world.ask(ALICE, "what is served in autumn?")
    assert answer.text == UNKNOWN
    assert len(gemini.requests) == 2


@pytest.mark.parametrize("searches", [(), ("",), ("  ",), ("a word nobody said",)])
async def test_where_nothing_is_found_it_is_asked_once(
    world: World, gemini: GeminiServer, searches: tuple[str, ...]
) -> None:
    gemini.says = lambda _: reply("missing", UNKNOWN, *searches)
    assert (await world.ask(ALICE, "what is served in autumn?")).text == UNKNOWN
    assert len(gemini.requests) == 1


async def test_who_misses_something_need_not_say_so(world: World, gemini: GeminiServer) -> None:
    gemini.says = lambda _: reply("missing", "")
    answer = await world.ask(ALICE, "what is served in autumn?")
    assert answer.text == "I looked through what I was told and through the messages: nothing about that."
    assert not answer.without_model


async def test_a_guild_may_do_without(world: World, gemini: GeminiServer) -> None:
    await hidden(world)
    await world.memory.privacy.change_settings(GUILD, lambda settings: replace(settings, second_look=False))
    gemini.says = lambda _: reply("missing", UNKNOWN, "Zwetschgendatschi")
    assert (await world.ask(ALICE, "what is served in autumn?")).text == UNKNOWN
    assert len(gemini.requests) == 1
    assert MAY_SEARCH not in rules_of(gemini.requests[0])


async def test_a_second_call_that_fails_leaves_the_first_answer(world: World, gemini: GeminiServer) -> None:
    await hidden(world)
    gemini.says = lambda _: reply("missing", UNKNOWN, "Zwetschgendatschi")
    gemini.fault = lambda _: problem(400) if len(gemini.requests) > 1 else None  # type: ignore[assignment,return-value]
    assert (await world.ask(ALICE, "what is served in autumn?")).text == UNKNOWN


def test_searches_are_few_short_and_different() -> None:
    asked = ModelReply.model_validate({"kind": "missing", "searches": ["a\nb", "a b", "x" * 9_999, "fourth", "fifth"]})
    assert asked.to_look_for() == ("a b", "x" * LONGEST_SEARCH)
