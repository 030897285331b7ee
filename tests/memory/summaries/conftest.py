"""The house in which a model tells days."""

from collections.abc import AsyncIterator

import pytest

from memory.db.database import Database
from tests.memory.summaries.diary_house import DiaryHouse, diary_house


@pytest.fixture
async def house(database: Database) -> AsyncIterator[DiaryHouse]:
    async with diary_house(database) as house:
        await house.open_guild()
        yield house
