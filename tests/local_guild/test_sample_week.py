"""A week of chat at the press of a button."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from local_guild.sample_week import SCRIPT, moment_of, read_script
from tests.local_guild.people import Body
from tests.local_guild.running import Served

ROOMS = ("general", "kitchen-table", "back-room")


async def play(local_guild: Served) -> httpx.Response:
    """Press the button; nobody watches here, so there need be no pauses."""
    local_guild.server.sample_week.pause_seconds = 0
    body = {"guild_id": str(local_guild.guild.id)}
    return await local_guild.http.post(f"{local_guild.address.url}/local/sample-week", json=body)


async def history(local_guild: Served, room: str) -> list[Body]:
    """Everything in the room, oldest first."""
    path, found = f"/channels/{local_guild.channel(room).id}/messages?limit=100", list[Body]()
    while True:
        before = f"&before={found[-1]['id']}" if found else ""
        page = (await local_guild.call("GET", path + before, by=local_guild.user("maren"))).json()
        if not page:
            return found[::-1]
        found.extend(page)


async def test_a_second_press_adds_nothing(local_guild: Served) -> None:
    first, second = await asyncio.gather(play(local_guild), play(local_guild))
    assert sorted((first.status_code, second.status_code)) == [200, 409]
    before = [await history(local_guild, room) for room in ROOMS]
    again = await play(local_guild)
    assert (again.status_code, again.json()["message"]) == (409, "The sample week has been played here already.")
    assert [await history(local_guild, room) for room in ROOMS] == before
    unknown = await local_guild.http.post(f"{local_guild.address.url}/local/sample-week", json={"guild_id": "1"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, 10004)


@pytest.mark.parametrize(
    "now", [timedelta(), timedelta(minutes=3), timedelta(hours=8, minutes=30), timedelta(hours=23)]
)
def test_today_is_never_in_the_future(now: timedelta) -> None:
    script = read_script(SCRIPT.read_text("utf-8"))
    moment = datetime(2026, 3, 18, tzinfo=UTC) + now
    latest = max(line.at for line in script if line.days_ago == 0)
    moments = [moment_of(line, moment, latest) for line in script]
    assert moments == sorted(moments)
    assert moments[-1] <= moment
    assert moment - moments[0] > timedelta(days=5)
