"""Whose word it is stands in answers by a model, whether or not the model says so."""

from collections.abc import AsyncIterator

import pytest

from memory.db.database import Database
from memory.language.detect import Language
from memory.policy.authority import Action
from tests.gemini_server import GeminiServer
from tests.memory.answers.answered_world import answered_by
from tests.memory.facts.held_facts import Holding, told
from tests.memory.world import ALICE, BOB, FLORENT, GRUZILKIN, World
from tests.replies import reply

HEARSAY = "-# Hearsay, told by <@2>."


@pytest.fixture
async def spoken(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    """A world in which a model answers, and Bob has told of Alice what she never said."""
    async with answered_by(gemini, database) as world:
        await world.remember(BOB, "Alice owns a lighthouse in Brittany")
        await world.remember(ALICE, "I play chess")
        yield world


async def answer(spoken: World, gemini: GeminiServer, words: str, kind: str = "memory") -> str:
    gemini.says = lambda _: reply(kind, f"{words} [1][2]" if kind == "memory" else words)
    return (await spoken.ask(FLORENT, "what about <@1>?", language=Language.EN)).text


@pytest.mark.parametrize(
    ("words", "kind", "said_behind"),
    [
        ("Alice owns a lighthouse in Brittany.", "memory", f"\n{HEARSAY}"),
        ("She plays chess. She also has a lighthouse, in Brittany.", "memory", f"\n{HEARSAY}"),
        ("Bob says that Alice owns a lighthouse in Brittany.", "memory", ""),
        ("Alice owns a lighthouse in Brittany. That is what Bob told me.", "memory", ""),
        ("Alice plays chess.", "memory", ""),
        ("There is nothing like Brittany in spring.", "memory", ""),
        ("I know nothing of that.", "missing", ""),
    ],
)
async def test_hearsay_that_is_told_as_if_it_were_so(
    spoken: World, gemini: GeminiServer, words: str, kind: str, said_behind: str
) -> None:
    assert await answer(spoken, gemini, words, kind) == words + said_behind


async def test_what_its_subject_confirmed_is_hearsay_no_longer(spoken: World, gemini: GeminiServer) -> None:
    holding = Holding(spoken)
    [_, lighthouse] = await holding.shown(ALICE, ALICE)
    await holding.do(Action.CONFIRM, ALICE, lighthouse.fact)
    words = "Alice owns a lighthouse in Brittany."
    assert await answer(spoken, gemini, words) == words


async def test_what_several_told_names_them_all(spoken: World, gemini: GeminiServer) -> None:
    told(await spoken.remember(GRUZILKIN, "Alice collects foghorns"))
    words = "She owns a lighthouse in Brittany. She collects foghorns."
    said = await answer(spoken, gemini, words)
    assert said.splitlines()[1:] == ["-# Hearsay, told by <@2>, <@3>."]
