"""The local guild is for this machine alone: no other address, no other name, no page of another site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import aiohttp
import httpx
import pytest

from local_guild.safety import NotLoopbackError
from local_guild.server import LocalGuild
from local_guild.serving import serve
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.10", "example.org", ""])  # noqa: S104 - to be refused
async def test_other_addresses_are_refused(tmp_path: Path, host: str) -> None:
    server = LocalGuild.open(tmp_path)
    try:
        with pytest.raises(NotLoopbackError, match=r"127\.0\.0\.1"):
            async with serve(server, host):
                pytest.fail(f"served on {host}")
    finally:
        await server.close()


def test_the_command_refuses_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "local_guild", "--host", "0.0.0.0", "--data-dir", str(tmp_path)]  # noqa: S104 - to be refused
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert "serves this machine only: use 127.0.0.1, not 0.0.0.0" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_a_foreign_name_or_site_is_refused(local_guild: Served, scene: Scene) -> None:
    path, headers = f"/api/v10/channels/{scene.hall}/messages", {"Authorization": scene.guest.token}
    own = local_guild.address.url
    port = local_guild.address.port
    cases: list[tuple[dict[str, str], bool]] = [
        ({}, True),
        ({"Origin": own}, True),
        ({"Host": f"localhost:{port}"}, True),
        ({"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}, True),
        ({"Host": "evil.example"}, False),
        ({"Host": f"evil.example:{port}"}, False),
        ({"Host": "127.0.0.1.evil.example"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Origin": "null"}, False),
    ]
    for extra, answered in cases:
        answer = await local_guild.http.post(path, json={"content": "x"}, headers=headers | extra)
        assert answer.status_code == (200 if answered else 403), extra
        world = await local_guild.http.get("/local/world", headers=extra)
        if "evil" in extra.get("Host", ""):
            assert world.status_code == 403


async def test_no_answer_may_be_read_by_another_site(scene: Scene) -> None:
    answer: httpx.Response = await scene.bot.http.get("/local/world", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_foreign_page_gets_no_socket(local_guild: Served) -> None:
    async with aiohttp.ClientSession() as http:
        for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await http.ws_connect(local_guild.address.gateway_url, headers=headers)
            assert refused.value.status == 403
