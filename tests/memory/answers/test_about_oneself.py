"""Questions about oneself: "I" is whoever asks, and what was told answers them in whatever language it was told."""

import pytest

from memory.core.outcomes import Remembered
from memory.db.database import Database
from memory.language.detect import Language
from tests.gemini_server import GeminiServer, data_of
from tests.memory.answers.answered_world import answered_by
from tests.memory.world import ALICE, BOB, FLORENT, World, as_a

TOLD = {
    Language.EN: "I live in Bonn",
    Language.DE: "ich wohne in Bonn",
    Language.FR: "j'habite à Bonn",
    Language.ES: "yo vivo en Bonn",
    Language.RU: "я живу в Bonn",
}
ASKED = {
    Language.EN: "where do I live?",
    Language.DE: "wo wohne ich?",
    Language.FR: "où j'habite ?",
    Language.ES: "¿dónde vivo?",
    Language.RU: "где я живу?",
}
ALSO_TOLD = ("I play the cello", "I am allergic to nuts", "I drive a Skoda", "I like chess", "my sister is a pilot")


@pytest.mark.parametrize("told", Language)
async def test_where_one_lives_is_found_in_every_language(world: World, told: Language) -> None:
    assert as_a(Remembered, await world.remember(ALICE, TOLD[told], language=told)).fact.subject_id == ALICE.user_id
    for body in ALSO_TOLD:
        await world.remember(ALICE, body)
    for asked, question in ASKED.items():
        first = (await world.ask(ALICE, question, language=asked)).text.splitlines()[1]
        assert "Bonn" in first, question


async def test_nobody_else_is_meant_by_i(world: World) -> None:
    await world.remember(ALICE, "ich wohne in Bonn", language=Language.DE)
    assert "Bonn" not in (await world.ask(BOB, "where do I live?")).text
    assert "Bonn" in (await world.ask(BOB, "where does Alice live?")).text


async def test_what_does_not_fit_is_not_told_because_somebody_says_i(world: World) -> None:
    await world.remember(ALICE, "ich wohne in Bonn", language=Language.DE)
    assert "nothing about that" in (await world.ask(ALICE, "can I bring a ladder?")).text
    assert "nothing about that" in (await world.ask(ALICE, "tell me the capital of Peru")).text


async def test_few_facts_of_the_asker_are_shown_to_a_model_in_whatever_language(
    gemini: GeminiServer, database: Database
) -> None:
    async with answered_by(gemini, database) as world:
        await world.remember(ALICE, "ich wohne in Bonn", language=Language.DE)
        for body in ALSO_TOLD:
            await world.remember(ALICE, body)
        await world.ask(ALICE, "what is my shoe size?")
        shown = data_of(gemini.requests[-1])
        assert all(word in shown for word in ("Bonn", "cello", "nuts", "Skoda", "chess", "pilot"))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I live in {place} since two years", "where do I live?"),
        ("Ich wohne seit zwei Jahren in {place}", "wo wohne ich?"),
        ("J'habite à {place} depuis deux ans", "où j'habite ?"),
        ("Vivo en {place} desde hace dos años", "¿dónde vivo?"),
        ("Я живу в {place} уже два года", "где я живу?"),
    ],
)
async def test_what_others_say_of_themselves_is_no_answer(world: World, said: str, asked: str) -> None:
    """Their own is, also if others have said the same of themselves since; whoever said nothing hears of nobody."""
    await world.say(ALICE, said.format(place="Bilbao"))
    await world.say(BOB, said.format(place="Madrid"))
    await world.memory.indexer.catch_up()
    for asker, other, place in ((ALICE, BOB, "Bilbao"), (BOB, ALICE, "Madrid")):
        words = (await world.ask(asker, asked)).text
        assert f"• <@{asker.user_id}>: “{said.format(place=place)}" in words
        assert f"• <@{other.user_id}>: " not in words
    assert "Madrid" not in (await world.ask(FLORENT, asked)).text
