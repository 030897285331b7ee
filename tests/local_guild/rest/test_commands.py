"""Application commands that Discord would refuse to register are refused."""

from __future__ import annotations

from tests.local_guild.guests import Body
from tests.local_guild.running import Served

OPTION = {"type": 3, "name": "a", "description": "b"}
CHOICE = ["options", "0", "choices", "0", "name_localizations"]


def choices(german: str) -> list[Body]:
    return [{"name": "c", "value": str(number), "name_localizations": {"de": german}} for number in range(20)]


def many_choices(german: str) -> list[Body]:
    return [OPTION | {"name": f"o{number}", "choices": choices(german)} for number in range(20)]


REFUSED: list[tuple[Body, list[str]]] = [
    ({"name": "Soup", "description": "x"}, ["name"]),
    ({"name": "two words", "description": "x"}, ["name"]),
    ({"name": "x" * 33, "description": "x"}, ["name"]),
    ({"name": "soup"}, ["description"]),
    ({"name": "soup", "description": "x" * 101}, ["description"]),
    ({"name": "Soup", "type": 2, "description": "none allowed"}, ["description"]),
    ({"name": "soup", "description": "x", "options": [OPTION | {"name": str(n)} for n in range(26)]}, ["options"]),
    ({"name": "soup", "description": "x", "options": [OPTION, OPTION]}, ["options", "1", "name"]),
    (
        {"name": "soup", "description": "x", "options": [OPTION, OPTION | {"name": "c", "required": True}]},
        ["options", "1"],
    ),
    (
        {"name": "soup", "description": "x", "options": [OPTION, OPTION | {"name": "c", "type": 1}]},
        ["options"],
    ),
    (
        {
            "name": "soup",
            "description": "x",
            "options": [OPTION | {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}],
        },
        ["options", "0", "autocomplete"],
    ),
    ({"name": "soup", "description": "x", "name_localizations": {"de": "Suppe"}}, ["name_localizations", "de"]),
    (
        {"name": "soup", "description": "x", "options": [OPTION | {"name_localizations": {"fr": "deux mots"}}]},
        ["options", "0", "name_localizations", "fr"],
    ),
    (
        {"name": "soup", "description": "x", "description_localizations": {"de": "x" * 101}},
        ["description_localizations", "de"],
    ),
    (
        {"name": "soup", "description": "x", "options": [OPTION | {"description_localizations": {"ru": ""}}]},
        ["options", "0", "description_localizations", "ru"],
    ),
    # Discord knows two kinds of Spanish, and no `es`.
    (
        {"name": "soup", "description": "x", "description_localizations": {"es": "x"}},
        ["description_localizations", "es", "[key]"],
    ),
    ({"name": "soup", "description": "x", "options": [OPTION | {"choices": choices("x" * 101)}]}, [*CHOICE, "de"]),
    # Of each text the longest translation counts: these are 400 times 100 characters.
    ({"name": "soup", "description": "x", "options": many_choices("x" * 100)}, []),
]


async def test_what_discord_refuses(local_guild: Served) -> None:
    for body, place in REFUSED:
        answer = await post(local_guild, body)
        assert (answer["status"], answer["code"]) == (400, 50035), body
        node = answer["errors"]
        for step in place:
            node = node[step]
        assert node["_errors"][0]["code"], body
    listed = await local_guild.call("GET", commands_of(local_guild), by=local_guild.server.world.bot)
    assert listed.json() == []
    accepted = await post(local_guild, {"name": "soup", "description": "x", "options": many_choices("x")})
    assert accepted["status"] == 201


async def test_at_most_a_hundred_and_no_name_twice(local_guild: Served) -> None:
    bot, path = local_guild.server.world.bot, commands_of(local_guild)
    many = [{"name": f"c{number}", "description": "x"} for number in range(101)]
    refused = await local_guild.call("PUT", path, by=bot, json=many)
    assert (refused.status_code, refused.json()["code"]) == (400, 30032)
    assert len((await local_guild.call("PUT", path, by=bot, json=many[:100])).json()) == 100
    assert (await post(local_guild, many[100]))["code"] == 30032
    twice = await local_guild.call("PUT", path, by=bot, json=[many[0], many[0]])
    assert "name" in twice.json()["errors"]["1"]
    as_member = await local_guild.call("PUT", path, by=local_guild.user("maren"), json=[])
    assert (as_member.status_code, as_member.json()["code"]) == (403, 50001)


def commands_of(local_guild: Served) -> str:
    return f"/applications/{local_guild.server.world.bot.id}/commands"


async def post(local_guild: Served, body: Body) -> Body:
    answer = await local_guild.call("POST", commands_of(local_guild), by=local_guild.server.world.bot, json=body)
    return {"status": answer.status_code, **answer.json()}
