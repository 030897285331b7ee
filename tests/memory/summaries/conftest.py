"""The house in which a model tells days."""

from collections.abc import AsyncIterator

import pytest

from memory.db.database import Database
from tests.memory.summaries.diary_house import DiaryHouse, Scribe, diary_house


@pytest.fixture
async def kept(database: Database) -> AsyncIterator[tuple[DiaryHouse, Scribe]]:
    async with diary_house(database) as (house, scribe):
        await house.open_guild()
        yield house, scribe


@pytest.fixture
def house(kept: tuple[DiaryHouse, Scribe]) -> DiaryHouse:
    return kept[0]


@pytest.fixture
def scribe(kept: tuple[DiaryHouse, Scribe]) -> Scribe:
    return kept[1]
