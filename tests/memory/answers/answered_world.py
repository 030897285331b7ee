"""A world in which a model answers: Gemini's own client against a server of ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.db.database import Database
from tests.gemini_server import GeminiServer
from tests.memory.world import World
from tests.models import Watch, answering


@asynccontextmanager
async def answered_by(
    gemini: GeminiServer,
    database: Database,
    *,
    cooldown: int = 0,
    model_seconds: float = 20.0,
    seconds: float = 60.0,
    watch: Watch | None = None,
) -> AsyncIterator[World]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=model_seconds)
    models = answering(model, seconds=seconds, watch=watch)
    await models.embedder.embed(["ready"])
    world = await World(database, models, member_cooldown_seconds=cooldown).settle()
    yield world
    await world.memory.log.settled()
    await model.close()
