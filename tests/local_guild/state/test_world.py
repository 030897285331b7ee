"""/local/world, by which any HTTP client can be a member; and worlds from a file."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from local_guild.state.describe import WorldFileError, WorldText, build_world, read_world
from local_guild.state.ids import Clock
from tests.local_guild.people import Body, Person, RefusedError
from tests.local_guild.running import Served, served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness
from tests.loopback import NO_TLS


def shape(value: Body) -> Body:
    """The types in a JSON value; of a list, those of all its items, which must agree."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        shapes = [shape(item) for item in value]
        assert all(other == shapes[0] for other in shapes if other != [])
        return shapes[:1]
    return type(value).__name__


async def test_the_world_has_exactly_the_documented_shape(local_guild: Served) -> None:
    answer = await local_guild.http.get("/local/world")
    assert answer.headers["Content-Type"] == "application/json"
    world = answer.json()
    with_roles = [member for member in world["guilds"][0]["members"] if member["roles"]]
    assert with_roles
    world["guilds"][0]["members"] = with_roles
    assert shape(world) == {
        "bot": {"id": "str", "name": "str", "token": "str"},
        "guilds": [
            {
                "id": "str",
                "name": "str",
                "channels": [{"id": "str", "name": "str", "type": "int", "private": "bool"}],
                "members": [{"id": "str", "name": "str", "token": "str", "roles": ["str"]}],
                "roles": [{"id": "str", "name": "str"}],
                "sample_week_played": "bool",
            }
        ],
    }


async def test_a_past_comes_with_its_ids_and_authors_and_is_no_news(
    local_guild: Served, scene: Scene, witness: Witness
) -> None:
    known = {"id": str(scene.guest.id), "name": "whatever"}
    gone = {"id": "77", "name": "olga", "display_name": "Olga", "bot": False}
    first: Body = {"id": str(scene.hall + 1), "author": gone, "content": "Bot, remember the fog"}
    answer: Body = {"id": str(scene.hall + 2), "author": known, "content": "Which?", "reply_to": first["id"]}
    place = f"/local/guilds/{scene.guild_id}/channels/{scene.hall}/past"

    async def bring(*messages: Body, to: str = place) -> tuple[int, Body]:
        brought = await local_guild.http.post(to, json={"messages": messages})
        return brought.status_code, brought.json()

    assert await bring(first) == (200, {"added": 1})
    assert await bring(first, answer) == (200, {"added": 1})
    assert (await bring(first, to=place.replace(str(scene.guild_id), "1")))[0] == 404
    newest, oldest = (await scene.guest.history(scene.hall, limit=100))[-2:]
    assert (oldest["content"], oldest["author"]["global_name"]) == ("Bot, remember the fog", "Olga")
    assert newest["referenced_message"]["id"] == oldest["id"] == first["id"]
    assert newest["author"]["id"] == str(scene.guest.id)
    await scene.guest.say(scene.hall, "Good morning")
    await witness.heard("Good morning")
    assert [message.content for message in witness.all("message")] == ["Good morning"]


async def test_the_default_world_has_what_a_newcomer_needs(scene: Scene) -> None:
    (guild,) = scene.world["guilds"]
    assert len(guild["members"]) == 4
    assert sum(not channel["private"] for channel in guild["channels"]) >= 2
    assert sum(channel["private"] for channel in guild["channels"]) >= 1
    known = {role["id"] for role in guild["roles"]}
    assert all(role in known for member in guild["members"] for role in member["roles"])
    tokens = [member["token"] for member in guild["members"]] + [scene.world["bot"]["token"]]
    assert len(set(tokens)) == 5


async def test_anybody_with_http_is_a_member(local_guild: Served, witness: Witness) -> None:
    """As the documentation has it: two calls, no library."""
    async with httpx.AsyncClient(base_url=local_guild.address.url, verify=NO_TLS) as http:
        guild = (await http.get("/local/world")).json()["guilds"][0]
        member, channel = guild["members"][1], guild["channels"][0]
        answer = await http.post(
            f"/api/v10/channels/{channel['id']}/messages",
            headers={"Authorization": member["token"]},
            json={"content": "hello from curl"},
        )
    assert answer.status_code == 200
    message = await witness.heard("hello from curl")
    assert (message.author.id, message.channel.id) == (int(member["id"]), int(channel["id"]))


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
        told = (await running.http.get("/local/world")).json()
        (guild,) = told["guilds"]
        assert (told["bot"]["name"], guild["name"]) == ("Keeper", "The Fox")
        rooms = {channel["name"]: channel for channel in guild["channels"]}
        assert {name: room["private"] for name, room in rooms.items()} == {
            "Rooms": False,
            "hall": False,
            "office": True,
        }
        people = {
            who["name"]: Person(running.http, int(who["id"]), who["name"], who["token"]) for who in guild["members"]
        }
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
        threads = await people["cy"].call("GET", f"/guilds/{guild['id']}/threads/active")
        assert [thread["name"] for thread in threads["threads"]] == ["aside"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"owner": "nobody"}, "nobody"),
        ({"channels": [{"name": "hall", "only": ["Ghosts"]}]}, "Ghosts"),
        ({"channels": [{"name": "hall", "category": "Nowhere"}]}, "Nowhere"),
        ({"roles": [{"name": "Staff", "permissions": ["fly"]}]}, "fly"),
        ({"channels": [{"name": "hall", "messages": [{"author": "ghost", "content": "boo"}]}]}, "ghost"),
    ],
)
def test_a_mistake_in_the_file_is_named(change: Body, complaint: str) -> None:
    guild = WORLD["guilds"][0] | change
    with pytest.raises(WorldFileError, match=complaint):
        build_world(WorldText.model_validate({"guilds": [guild]}), Clock())
