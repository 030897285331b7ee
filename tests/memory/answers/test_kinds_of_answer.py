"""Answers by a model: what it is given, and what it says its answer is: from memory, talk, or missing."""

import re
from dataclasses import replace

import pytest

from memory.answers.generate import LONGEST_SEARCH, ModelReply
from memory.core.outcomes import Answer, Citation, Remembered
from memory.core.values import Source
from memory.language.detect import Language
from tests.gemini_server import GeminiServer, data_of, problem, rules_of
from tests.memory.answers.answered_world import answering_world  # noqa: F401 - the world of these tests
from tests.memory.world import ALICE, BOB, GRUZILKIN, GUILD, HALL, LOUNGE, World, as_a
from tests.replies import reply

UNKNOWN = "Nobody told me."
NOT_FROM_MEMORY = "-# Not from my memory."
MAY_SEARCH = 'into "searches"'


def number_of(data: str, words: str) -> str:
    return next(line.split()[0] for line in data.splitlines() if words in line and line[0].isdigit())


async def test_the_model_answers_and_its_sources_are_linked(world: World, gemini: GeminiServer) -> None:
    told = await world.say(BOB, "The quiz is on Friday at eight")
    await world.say(BOB, "Nobody has a cat")
    gemini.says = lambda data: f"On Friday at eight [{number_of(data, 'quiz')}]."
    answer = await world.ask(ALICE, "when is the quiz?")
    source = Source(HALL, told.message_id)
    cited = (Citation(len("On Friday at eight"), source),)
    assert answer == Answer("On Friday at eight.", (source,), without_model=False, citations=cited)


async def test_an_answer_goes_back_to_the_facts_that_give_the_nicknames_before_its_model(
    world: World, gemini: GeminiServer
) -> None:
    named = as_a(Remembered, await world.remember(BOB, "gruzilkin is Sergey"))
    await world.say(GRUZILKIN, "The quiz is on Friday at eight")
    gemini.says = lambda data: f"On Friday [{number_of(data, 'quiz')}]."
    answer = await world.ask(ALICE, "when is the quiz?")
    assert "gruzilkin: sergey" in data_of(gemini.requests[0])
    assert named.fact.fact_id in answer.evidence.used.facts


async def test_the_model_is_given_names_and_never_bare_tags(world: World, gemini: GeminiServer) -> None:
    await world.remember(BOB, "gruzilkin is Sergey")
    await world.say(BOB, "<@1> look at <this> & that")
    await world.ask(ALICE, "who is <@3>?", language=Language.DE)
    data = data_of(gemini.requests[0])
    assert re.search(r"^1 about gruzilkin, since [\d :-]+, hearsay of Bob: ", data, re.MULTILINE)
    assert "Bob: @Alice look at &lt;this&gt; &amp; that" in data
    assert "German" in rules_of(gemini.requests[0])
    assert "Sergey" not in rules_of(gemini.requests[0])


async def test_each_request_has_a_fence_of_its_own(world: World, gemini: GeminiServer) -> None:
    await world.ask(ALICE, "who likes tea?")
    await world.ask(ALICE, "who likes tea?")
    fences = {re.findall(r"<question-(\w+)", data_of(body))[0] for body in gemini.requests}
    assert len(fences) == 2


POSTED = {
    "a date": "On 18 January 2024 [{n}].",
    "a sum of days": "17 days [{n}].",
    "yes or no": "No, it has been moved [{n}].",
    "arithmetic behind it": "Entry is 30 Euro [{n}]. Insgesamt sind es also 69 Euro, von denen 30 noch offen sind.",
    "advice behind it": "It is on Friday [{n}]. Pack thermal layers, waterproof gloves and thick socks.",
    "a question back": "The week before what? I am not sure what you would like to know.",
    "what it cannot do": "I can't do that. I only remember things and answer questions.",
    "a list": "In short [{n}]:\n- at eight\n- at eight, in the mill\n1. bring a pen",
    "a summary": "Friday at eight [{n}]. In summary, the quiz is on Friday.",
    "repeating the question": "When is the quiz? On Friday [{n}]. When is the quiz? On Friday.",
    "no line named": "If you mean the quiz: on Friday, because Bob said so.",
    "another language": "В пятницу в восемь [{n}]: так сказал Боб.",
    "long": "On Friday [{n}]. " + " ".join(f"Round {n} is about owls." for n in range(100)),
}


@pytest.mark.parametrize("kind", ["memory", "general"])
@pytest.mark.parametrize("said", POSTED.values(), ids=POSTED.keys())
async def test_what_a_model_says_is_posted_word_for_word(
    world: World, gemini: GeminiServer, said: str, kind: str
) -> None:
    told = await world.say(BOB, "The quiz is on Friday at eight")
    gemini.says = lambda data: reply(kind, said.replace("{n}", number_of(data, "quiz")))
    answer = await world.ask(ALICE, "when is the quiz?")
    assert not answer.without_model
    assert answer.text.removesuffix(f"\n{NOT_FROM_MEMORY}") == said.replace(" [{n}]", "")
    assert answer.sources == ((Source(HALL, told.message_id),) if "{n}" in said else ())


@pytest.mark.parametrize(
    ("asked", "said", "mark"),
    [
        ("tell me a joke about <@2>", "He walks into a bar.", f"\n{NOT_FROM_MEMORY}"),
        ("tell me a joke", "Bob walks into a bar.", f"\n{NOT_FROM_MEMORY}"),
        ("what is the capital of Peru?", "The capital of Peru is Lima.", ""),
    ],
)
async def test_talk_is_given_as_it_is_and_marked_if_it_is_about_people(
    world: World, gemini: GeminiServer, asked: str, said: str, mark: str
) -> None:
    await world.say(BOB, "Hello there")
    gemini.says = lambda _: reply("general", said)
    answer = await world.ask(ALICE, asked)
    assert (answer.text, answer.without_model) == (said + mark, False)


async def test_talk_that_uses_what_is_known_links_it_and_needs_no_mark(world: World, gemini: GeminiServer) -> None:
    told = await world.say(BOB, "Our cat sleeps in the oven")
    gemini.says = lambda data: reply("general", f"Bob keeps a hot cat in his oven [{number_of(data, 'oven')}].")
    answer = await world.ask(ALICE, "tell me a joke about our cat")
    assert (answer.text, answer.sources) == ("Bob keeps a hot cat in his oven.", (Source(HALL, told.message_id),))


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


async def test_the_model_is_asked_twice_at_most(world: World, gemini: GeminiServer) -> None:
    await hidden(world)
    gemini.says = lambda _: reply("missing", UNKNOWN, "Zwetschgendatschi")
    assert (await world.ask(ALICE, "what is served in autumn?")).text == UNKNOWN
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
    assert answer.text == "I looked through what I was told and what was said, and found nothing about that."
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


async def test_an_answer_that_lacks_something_is_looked_for_too(world: World, gemini: GeminiServer) -> None:
    source = await hidden(world)
    gemini.says = lambda data: (
        reply("memory", "There is soup. What else I do not see.", "Zwetschgendatschi")
        if MAY_SEARCH in rules_of(gemini.requests[-1])
        else reply("memory", f"Soup and Zwetschgendatschi [{number_of(data, 'Zwetschgendatschi')}].")
    )
    answer = await world.ask(ALICE, "what is served in autumn?")
    assert (answer.text, answer.sources) == ("Soup and Zwetschgendatschi.", (source,))


async def test_an_answer_that_lacks_something_is_better_than_none(world: World, gemini: GeminiServer) -> None:
    await hidden(world)
    gemini.says = lambda _: (
        reply("memory", "There is soup. What else I do not see.", "Zwetschgendatschi")
        if MAY_SEARCH in rules_of(gemini.requests[-1])
        else reply("missing", UNKNOWN)
    )
    assert (await world.ask(ALICE, "what is served in autumn?")).text == "There is soup. What else I do not see."


def test_searches_are_few_short_and_different() -> None:
    asked = ModelReply.model_validate({"kind": "missing", "searches": ["a\nb", "a b", "x" * 9_999, "fourth", "fifth"]})
    assert asked.to_look_for() == ("a b", "x" * LONGEST_SEARCH)
