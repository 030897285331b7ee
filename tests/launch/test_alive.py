"""The container health check."""

import asyncio

from aiohttp import web
from aiohttp.test_utils import TestServer

from main import complaint


async def test_it_tells_the_living_from_the_silent_and_the_unknown() -> None:
    async def health(_: web.Request) -> web.Response:
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
        for process, told in (
            ("web", None),
            ("bot", "no word from bot since noon"),
            ("barman 0/2", None),
            ("barman", "no word from barman 1/2 since dawn"),
            ("cook", "no process cook has reported"),
        ):
            assert await asyncio.to_thread(complaint, process, str(server.make_url("")).rstrip("/")) == told


def test_an_address_without_a_server_is_a_complaint() -> None:
    assert "no answer" in (complaint("web", "http://127.0.0.1:9") or "")
    assert "not an http address" in (complaint("web", "file:///etc/passwd") or "")
