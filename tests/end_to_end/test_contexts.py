"""What is known of members reaches Discord, and what serves in its place while the model that merges is away.

The model that answers repeats what it was told of whoever asks, so that a reply shows it.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ai_clients.build import Models
from tests.end_to_end.house import GENERAL, Inn, eventually
from tests.gemini_server import GeminiServer
from tests.memory.contexts.context_house import MERGES, Narrator, models_of

CHESS, BONN, TOMATOES, BICYCLE, BREAD = "chess", "Bonn", "planted some tomatoes", "the old bicycle", "baking bread"
MERGED = "Merged told: "
NOTHING = "Nothing was told me."
_FACTS = re.compile(r"^\d+ about .*?, since [\d :-]{16}[^:]*: (.*)$", re.MULTILINE)
_KNOWN = re.compile(r'<member name="[^"]*">([^<]*)</member>')


def repeats(data: str) -> str:
    if "<question-" in data:
        return " ".join([*_FACTS.findall(data), *_KNOWN.findall(data)]) or NOTHING
    return Narrator.says(data)


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    gemini.says = repeats
    return models_of(gemini)[0]


@pytest.fixture
async def tomatoes(inn: Inn, gemini: GeminiServer) -> int:
    """What Aylin said the day before yesterday; she has facts, days and a today, which were merged once."""
    gemini.faults = {}
    # Where it is about noon, so that no day ends meanwhile.
    zone = f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
    await inn.house.memory.privacy.change_settings(inn.guild.id, lambda now: replace(now, time_zone=zone))
    planted = await say(inn, f"I {TOMATOES} behind the house", days_ago=2)
    await say(inn, f"I repaired {BICYCLE} again", days_ago=1)
    await say(inn, f"I am {BREAD} for everybody in the house")
    await inn.person("aylin").ask(f"Bot remember that I like {CHESS}")
    words = await eventually(lambda: ask(inn), lambda words: MERGED in words)
    assert in_order(words, MERGED, "Merged today", BREAD, "Merged before", TOMATOES, BICYCLE)
    Narrator(gemini).fail(MERGES)
    return planted


async def say(inn: Inn, text: str, days_ago: int = 0) -> int:
    clock = inn.house.server.clock
    clock.set(clock.now() - timedelta(days=days_ago))
    try:
        message = await inn.person("aylin").say(text)
    finally:
        clock.reset()
    await inn.until_stored(message)
    return message


async def ask(inn: Inn) -> str:
    return await inn.person("aylin").ask(f"<@{inn.house.bot.id}> what would I enjoy?")


def in_order(words: str, *parts: str) -> bool:
    places = [words.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


@pytest.mark.usefixtures("tomatoes")
async def test_the_last_good_context_serves_with_newer_facts_until_one_in_it_is_forgotten(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert BONN in await aylin.ask(f"Bot remember that I live in {BONN}")
    assert in_order(await ask(inn), f"live in {BONN}", MERGED, BREAD, TOMATOES)
    assert CHESS in await aylin.ask(f"Bot forget that I like {CHESS}")
    words = await ask(inn)
    assert in_order(words, BONN, BREAD, TOMATOES, BICYCLE)
    assert CHESS not in words
    assert "Merged" not in words


@pytest.mark.parametrize("method", ["PATCH", "DELETE"], ids=["edited", "deleted"])
async def test_it_does_not_serve_once_a_message_it_goes_back_to_has_changed(
    inn: Inn, tomatoes: int, method: str
) -> None:
    path = f"/channels/{inn.channel(GENERAL).id}/messages/{tomatoes}"
    changed = {"content": "I planted nothing at all"} if method == "PATCH" else None
    await inn.person("aylin").call(method, path, changed)
    await eventually(lambda: inn.stored(tomatoes), lambda row: row is None or "nothing at all" in row["text"])
    words = await ask(inn)
    assert in_order(words, CHESS, BREAD, BICYCLE)
    assert TOMATOES not in words
    assert "Merged" not in words
