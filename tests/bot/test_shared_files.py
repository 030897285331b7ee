"""Where files may be fetched from, and how much of them."""

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr
from yarl import URL

from bot.settings import BotOptions
from bot.shared_files import FileWorker, NoSuchFile
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions

FORBIDDEN = (
    "http://cdn.discordapp.com/attachments/1/2/a.txt",
    "https://cdn.discordapp.com.evil.example/attachments/1/2/a.txt",
    "https://evil.example/attachments/1/2/a.txt",
    "https://user:pass@cdn.discordapp.com/attachments/1/2/a.txt",
    "https://cdn.discordapp.com:8443/attachments/1/2/a.txt",
    "https://cdn.discordapp.com/avatars/1/2/a.txt",
    "http://127.0.0.1:9/attachments/1/2/a.txt",
    "http://169.254.169.254/attachments/latest",
    "file:///attachments/etc/passwd",
    "/attachments/1/2/a.txt",
)


def worker_for(database: Database, **options: object) -> FileWorker:
    clock = SystemClock()
    health = Health("bot", clock)
    memory = MemoryManager(database, MemoryOptions.model_validate({}), clock, health)
    given = BotOptions.model_validate({"token": SecretStr("none"), **options})
    return FileWorker(memory, given, health.part("files"))


async def test_only_discords_own_addresses_are_fetched(database: Database) -> None:
    worker = worker_for(database)
    assert worker.may_fetch(URL("https://cdn.discordapp.com/attachments/1/2/message.txt?ex=1&hm=2"))
    assert worker.may_fetch(URL("https://media.discordapp.net/attachments/1/2/cat.png"))
    for address in FORBIDDEN:
        assert not worker.may_fetch(URL(address)), address
        with pytest.raises(NoSuchFile):
            await worker.fetch(address, 100)


async def test_no_redirect_is_followed_and_no_more_is_read_than_was_announced(database: Database) -> None:
    async def serve(request: web.Request) -> web.StreamResponse:
        match request.match_info["what"]:
            case "moved":
                raise web.HTTPFound("/attachments/fine")
            case "large":
                return web.Response(body=b"x" * 101)
        return web.Response(body=b"fine")

    app = web.Application()
    app.router.add_get("/attachments/{what}", serve)
    async with TestServer(app) as server:
        here = f"127.0.0.1:{server.port}"
        worker = worker_for(database, DISCORD_API_BASE=f"http://{here}/api/v10", DISCORD_GATEWAY_URL=f"ws://{here}")
        assert await worker.fetch(f"http://localhost:{server.port}/attachments/fine", 4) == b"fine"
        with pytest.raises(NoSuchFile):
            await worker.fetch(f"http://{here}/attachments/large", 100)
        with pytest.raises(aiohttp.ClientResponseError):
            await worker.fetch(f"http://{here}/attachments/moved", 100)
        await worker.close()
