"""The local guild is for this machine alone: no other address, no other name, no page of another site."""

import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.local_guild.running import Served


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.10", "example.org"])  # noqa: S104 - to be refused
def test_the_command_refuses_other_addresses_in_one_line(tmp_path: Path, host: str) -> None:
    command = [sys.executable, "-m", "local_guild", "--host", host, "--data-dir", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert f"serves this machine only: use 127.0.0.1, not {host}" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_a_foreign_name_or_site_is_refused(local_guild: Served) -> None:
    path = f"/api/v10/channels/{local_guild.channel('general').id}/messages"
    headers = {"Authorization": local_guild.person("jonas").token}
    own, port = local_guild.address.url, local_guild.address.port
    cases: list[tuple[dict[str, str], bool]] = [
        ({}, True),
        ({"Origin": own}, True),
        ({"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}, True),
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
        assert world.status_code == (403 if "evil" in extra.get("Host", "") else 200), extra
        assert "Access-Control-Allow-Origin" not in world.headers


async def test_a_foreign_page_gets_no_socket(local_guild: Served) -> None:
    async with aiohttp.ClientSession() as http:
        for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await http.ws_connect(local_guild.address.gateway_url, headers=headers)
            assert refused.value.status == 403
