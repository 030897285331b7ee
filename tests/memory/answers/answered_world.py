"""A world in which a model answers: Gemini's own client against a server of ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.db.database import Database
from tests.gemini_server import GeminiServer
from tests.memory.world import World
from tests.models import answering


@asynccontextmanager
async def answered_by(
    gemini: GeminiServer, database: Database, *, cooldown: int = 0, understands: bool = False, **options: object
) -> AsyncIterator[World]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
    models = answering(model, seconds=120, others={Purpose.SMALL: model} if understands else {})
    await models.embedder.embed(["ready"])
    world = await World(database, models, member_cooldown_seconds=cooldown, **options).settle()
    yield world
    await world.memory.log.settled()
    await model.close()


@pytest.fixture(name="world")
async def answering_world(database: Database, gemini: GeminiServer) -> AsyncIterator[World]:
    """In a module that imports it, each world is one in which a model answers."""
    async with answered_by(gemini, database) as world:
        yield world
