"""The container health check."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer

from main import complaint


@pytest.fixture
async def report() -> AsyncIterator[BaseTestServer]:
    async def health(request: web.Request) -> web.Response:
        processes = [
            {"name": "web", "alive": True, "beat_at": "now"},
            {"name": "bot", "alive": False, "beat_at": "noon"},
            {"name": "barman 0/2", "alive": True, "beat_at": "now"},
            {"name": "barman 1/2", "alive": False, "beat_at": "dawn"},
        ]
        return web.json_response({"processes": processes})

    app = web.Application()
    app.router.add_get("/api/health", health)
    async with TestServer(app) as server:
        yield server


async def _complaint(process: str, server: BaseTestServer) -> str | None:
    return await asyncio.to_thread(complaint, process, str(server.make_url("")).rstrip("/"))


async def test_it_tells_the_living_from_the_silent_and_the_unknown(report: BaseTestServer) -> None:
    assert await _complaint("web", report) is None
    assert await _complaint("bot", report) == "no word from bot since noon"
    assert await _complaint("barman 0/2", report) is None
    assert await _complaint("barman", report) == "no word from barman 1/2 since dawn"
    assert await _complaint("cook", report) == "no process cook has reported"


def test_an_address_without_a_server_is_a_complaint() -> None:
    assert "no answer" in (complaint("web", "http://127.0.0.1:9") or "")
    assert "not an http address" in (complaint("web", "file:///etc/passwd") or "")
