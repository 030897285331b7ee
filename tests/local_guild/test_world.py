"""Worlds from a file, in which any HTTP client can be a member."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from local_guild.state.describe import read_world
from local_guild.state.ids import Clock
from tests.local_guild.people import Body, RefusedError, people_of
from tests.local_guild.running import served

WORLD: Body = {
    "bot": "Keeper",
    "guilds": [
        {
            "name": "The Fox",
            "owner": "ada",
            "roles": [{"name": "Staff", "permissions": ["manage_messages"]}],
            "members": [{"name": "ada"}, {"name": "bob", "nick": "Bobby", "roles": ["Staff"]}, {"name": "cy"}],
            "channels": [
                {"name": "Rooms", "type": "category"},
                {
                    "name": "hall",
                    "category": "Rooms",
                    "messages": [
                        {
                            "author": "ada",
                            "content": "first",
                            "at": "2026-01-01T10:00:00Z",
                            "reactions": {"👍": ["bob"]},
                        },
                        {"author": "bob", "content": "second", "minutes_ago": 5},
                    ],
                    "threads": [{"name": "aside", "owner": "bob", "private": True, "members": ["cy"]}],
                },
                {"name": "office", "only": ["Staff"]},
            ],
        }
    ],
}


async def test_a_world_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    path.write_text(json.dumps(WORLD), encoding="utf-8")
    async with served(tmp_path / "data", world=read_world(path, Clock())) as running:
        told, people = await people_of(running.http)
        (guild,) = told["guilds"]
        assert (told["bot"]["name"], guild["name"]) == ("Keeper", "The Fox")
        rooms = {channel["name"]: channel for channel in guild["channels"]}
        privates = {name: room["private"] for name, room in rooms.items()}
        assert privates == {"Rooms": False, "hall": False, "office": True}
        second, first = await people["cy"].history(int(rooms["hall"]["id"]))
        assert (first["content"], first["timestamp"][:16]) == ("first", "2026-01-01T10:00")
        assert first["reactions"][0]["count"] == 1
        assert second["content"] == "second"
        age = datetime.now(UTC) - datetime.fromisoformat(second["timestamp"])
        assert timedelta(minutes=4) < age < timedelta(minutes=10)
        office = int(rooms["office"]["id"])
        await people["bob"].say(office, "staff only")
        with pytest.raises(RefusedError, match="50001"):
            await people["cy"].history(office)
        assert [one.name for one in running.server.world.channels.values() if one.thread is not None] == ["aside"]
