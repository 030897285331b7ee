"""`python -m local_guild`: server and page alone on a port, without anything of Innkeeper."""

import asyncio
import logging
import signal
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from local_guild import serving as server
from local_guild.port import bind
from tests.local_guild.running import alone


@pytest.mark.parametrize(("options", "page"), [((), 200), (("--without-page",), 404)])
async def test_it_serves_its_people_and_unless_asked_not_to_its_page(
    tmp_path: Path, options: tuple[str, ...], page: int
) -> None:
    async with alone(tmp_path / "world", *options) as (process, http):
        assert len((await http.get("/local/world")).json()["guilds"]) == 1
        assert (await http.get("/")).status_code == page
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0


async def test_a_request_that_is_cut_off_by_an_orderly_stop_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "STOP_TIMEOUT_S", 0)
    arrived = asyncio.Event()

    async def wait_for_news(scope: Scope, _receive: Receive, _send: Send) -> None:
        assert scope["type"] == "http", "which is how it says that it has no lifespan"
        arrived.set()
        await asyncio.Event().wait()

    bound = bind("127.0.0.1", 0)
    async with server.serving(wait_for_news, bound):
        _, writer = await asyncio.open_connection(*bound.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: inn\r\n\r\n")
        await arrived.wait()
    writer.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
