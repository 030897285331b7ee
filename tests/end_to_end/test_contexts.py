"""What is known of members reaches Discord, and what serves in its place while the model that merges is away.

The model that answers repeats what it was told of whoever asks, so that a reply shows it.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, Inn, Person, eventually, open_house
from tests.gemini_server import gemini_server
from tests.memory.contexts.context_house import MERGES, Narrator, models_of

CHESS, BONN, TOMATOES, BICYCLE, BREAD = "chess", "Bonn", "planted some tomatoes", "the old bicycle", "baking bread"
MERGED = "Merged told: "
NOTHING = "Nothing was told me."
_FACTS = re.compile(r"^\d+ about .*?, since [\d :-]{16}[^:]*: (.*)$", re.MULTILINE)
_KNOWN = re.compile(r'<member name="[^"]*">([^<]*)</member>')


@dataclass
class Story:
    """Aylin has facts, days and a today; the others have one of them each."""

    inn: Inn
    narrator: Narrator
    tomatoes: int = 0
    """What Aylin said the day before yesterday."""

    async def asks(self, name: str) -> str:
        return await self.inn.person(name).ask(f"<@{self.inn.house.bot.id}> what would I enjoy?")

    async def until_merged(self) -> str:
        return await eventually(lambda: self.asks("aylin"), lambda words: MERGED in words)

    async def live(self) -> None:
        aylin, maren, gruzilkin = map(self.inn.person, ("aylin", "maren", "gruzilkin"))
        self.tomatoes = await self._say(aylin, f"I {TOMATOES} behind the house", days_ago=2)
        await self._say(maren, "I sold a boat to a stranger", days_ago=2)
        await self._say(aylin, f"I repaired {BICYCLE} again", days_ago=1)
        await self._say(maren, "I bought a cart with a roof", days_ago=1)
        await self._say(aylin, f"I am {BREAD} for everybody in the house")
        await self._say(gruzilkin, "I am painting the fence of the garden")
        await aylin.ask(f"Bot remember that I like {CHESS}")
        await self.inn.person("florent").ask("Bot remember that I collect stamps")

    async def _say(self, person: Person, text: str, days_ago: int = 0) -> int:
        clock = self.inn.house.server.clock
        clock.set(clock.now() - timedelta(days=days_ago))
        try:
            message = await person.say(text)
        finally:
            clock.reset()
        await self.inn.until_stored(message)
        return message


def repeats(data: str) -> str:
    if "<question-" in data:
        return " ".join([*_FACTS.findall(data), *_KNOWN.findall(data)]) or NOTHING
    return Narrator.says(data)


@asynccontextmanager
async def story_in(folder: Path, database_url: str) -> AsyncIterator[Story]:
    async with gemini_server() as server:
        server.says = repeats
        models, _ = models_of(server)
        limits = {"member_cooldown_seconds": 0, "member_hourly_questions": 0}
        async with open_house(folder, database_url, guilds=1, models=models, **limits) as house, house.bot_running():
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            # Where it is about noon, so that no day ends meanwhile.
            zone = f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
            await house.memory.privacy.change_settings(inn.guild.id, lambda now: replace(now, time_zone=zone))
            story = Story(inn, Narrator(server))
            await story.live()
            yield story


@pytest.fixture
async def story(tmp_path: Path, database_url: str) -> AsyncIterator[Story]:
    async with story_in(tmp_path, database_url) as story:
        yield story


def in_order(words: str, *parts: str) -> bool:
    places = [words.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


async def test_the_last_good_context_serves_with_newer_facts_until_one_in_it_is_forgotten(story: Story) -> None:
    aylin = story.inn.person("aylin")
    assert in_order(await story.until_merged(), MERGED, "Merged today", BREAD, "Merged before", TOMATOES, BICYCLE)
    story.narrator.fail(MERGES)
    assert BONN in await aylin.ask(f"Bot remember that I live in {BONN}")
    words = await story.asks("aylin")
    assert in_order(words, f"live in {BONN}", MERGED, BREAD, TOMATOES)
    assert CHESS in await aylin.ask(f"Bot forget that I like {CHESS}")
    words = await story.asks("aylin")
    assert in_order(words, BONN, BREAD, TOMATOES, BICYCLE)
    assert CHESS not in words
    assert "Merged" not in words


@pytest.mark.parametrize("method", ["PATCH", "DELETE"], ids=["edited", "deleted"])
async def test_it_does_not_serve_once_a_message_it_goes_back_to_has_changed(story: Story, method: str) -> None:
    aylin = story.inn.person("aylin")
    await story.until_merged()
    story.narrator.fail(MERGES)
    path = f"/channels/{story.inn.channel(GENERAL).id}/messages/{story.tomatoes}"
    await aylin.call(method, path, {"content": "I planted nothing at all"} if method == "PATCH" else None)
    await eventually(
        lambda: story.inn.stored(story.tomatoes), lambda row: row is None or "nothing at all" in row["text"]
    )
    words = await story.asks("aylin")
    assert in_order(words, CHESS, BREAD, BICYCLE)
    assert TOMATOES not in words
    assert "Merged" not in words
