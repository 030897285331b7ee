"""A world with a small model: the real SDK, and a server on loopback that says what a test wants."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.gemini import GeminiApi, GeminiModel
from ai_clients.guard import Guard
from memory.db.database import Database
from tests.gemini_server import GeminiServer
from tests.memory.world import World


@asynccontextmanager
async def small_world(database: Database, gemini: GeminiServer, **options: object) -> AsyncIterator[World]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=10.0)
    guard = Guard(model.name)
    chain = Chain(Purpose.SMALL, [Link(model, guard)], 10.0)
    models = Models({Purpose.SMALL: chain}, StaticVectors(), {model.name: guard}, (model,))
    world = await World(database, models, **{"member_cooldown_seconds": 0, **options}).settle()
    try:
        yield world
    finally:
        await world.memory.log.settled()
        await world.memory.contexts.stop()
        await model.close()


def replying(**fields: Any) -> Callable[[str], str]:  # noqa: ANN401 - whatever a reply may hold
    return lambda _: json.dumps(fields)


def putting_down(**told: Any) -> Callable[[str], str]:  # noqa: ANN401 - as above
    """One thing that was told; `message` is what "this" points at."""
    return lambda _: json.dumps(told_once(told))


def told_once(told: dict[str, Any]) -> dict[str, Any]:
    message = {"message": told["message"]} if "message" in told else {}
    return {"facts": [{key: value for key, value in told.items() if key != "message"}], **message}
