"""Servers on loopback that speak as Gemini and as OpenAI do."""

from collections.abc import AsyncIterator

import pytest

from ai_clients.openai_compatible.client import Server
from tests.openai_server import OpenAIServer


@pytest.fixture
async def server(openai: OpenAIServer) -> AsyncIterator[Server]:
    """Our own end of it."""
    asked = openai.as_server()
    yield asked
    await asked.close()
