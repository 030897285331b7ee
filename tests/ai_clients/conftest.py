"""Servers on loopback that speak as Gemini and as OpenAI do."""

from collections.abc import AsyncIterator

import pytest

from ai_clients.openai_compatible.client import Server
from tests.gemini_server import GeminiServer, gemini_server
from tests.openai_server import OpenAIServer, openai_server


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with gemini_server() as server:
        yield server


@pytest.fixture
async def openai() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server


@pytest.fixture
async def server(openai: OpenAIServer) -> AsyncIterator[Server]:
    """Our own end of it."""
    asked = openai.as_server()
    yield asked
    await asked.close()
