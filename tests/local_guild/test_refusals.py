"""What Discord refuses is refused with its code: what is not there, not seen, not permitted, or malformed."""

from typing import Any

import pytest

from tests.local_guild.running import Served

# JSON as it goes over the wire.
Body = Any

LAYOUT = 1 << 15
TEXT: Body = {"type": 10, "content": "Soup"}
ROW: Body = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Take", "custom_id": "take"}]}
SOUP: Body = {"name": "soup", "description": "x"}
OPTION: Body = {"type": 3, "name": "a", "description": "b"}
CHOICES: Body = [{"name": "c", "value": str(n), "name_localizations": {"de": "x" * 100}} for n in range(20)]

# Who calls what, and what comes back. {places} are filled in.
REFUSALS: list[tuple[str, str, str, Body, int, int]] = [
    ("Innkeeper", "GET", "/channels/{nobody}", None, 404, 10003),
    ("Innkeeper", "GET", "/guilds/{nobody}/channels", None, 404, 10004),
    ("Innkeeper", "GET", "/guilds/{guild}/members/{nobody}", None, 404, 10007),
    ("Innkeeper", "GET", "/channels/{hall}/messages/{nobody}", None, 404, 10008),
    ("maren", "PUT", "/guilds/{guild}/members/{jonas}/roles/{nobody}", None, 404, 10011),
    ("Innkeeper", "POST", "/channels/{hall}/messages", {"content": ""}, 400, 50006),
    ("Innkeeper", "POST", "/channels/{hall}/messages", {"content": "x" * 2001}, 400, 50035),
    ("Innkeeper", "POST", "/channels/{hall}/messages", {"embeds": [{"description": "x" * 4097}]}, 400, 50035),
    ("jonas", "GET", "/channels/{cellar}/messages", None, 403, 50001),
    ("jonas", "POST", "/channels/{cellar}/messages", {"content": "x"}, 403, 50001),
    ("jonas", "POST", "/guilds/{guild}/channels", {"name": "mine"}, 403, 50013),
    ("jonas", "DELETE", "/channels/{hall}", None, 403, 50013),
    ("jonas", "POST", "/guilds/{guild}/roles", {"name": "king"}, 403, 50013),
    ("jonas", "PUT", "/channels/{hall}/permissions/{jonas}", {"type": 1, "allow": "8"}, 403, 50013),
    ("jonas", "POST", "/channels/{hall}/messages/bulk-delete", {"messages": ["1", "2"]}, 403, 50013),
    ("jonas", "POST", "/interactions", {"type": 2, "channel_id": "{hall}", "data": {"name": "dance"}}, 404, 10063),
]


async def test_what_is_not_there_not_seen_or_not_permitted(local_guild: Served) -> None:
    rooms = {"hall": local_guild.channel("general").id, "cellar": local_guild.channel("back-room").id}
    places = rooms | {"guild": local_guild.guild.id, "jonas": local_guild.user("jonas").id, "nobody": 1 << 40}
    answered = []
    for who, method, path, body, _, _ in REFUSALS:
        sent = body | {"channel_id": str(rooms["hall"])} if body and "channel_id" in body else body
        answer = await local_guild.call(method, path.format(**places), by=local_guild.user(who), json=sent)
        answered.append((who, method, path, body, answer.status_code, answer.json()["code"]))
    assert answered == REFUSALS


async def test_only_the_author_edits_and_only_moderators_delete(local_guild: Served) -> None:
    said = await local_guild.say("aylin", "general", "mine")
    path = f"/channels/{said['channel_id']}/messages/{said['id']}"
    maren, jonas = local_guild.user("maren"), local_guild.user("jonas")
    assert (await local_guild.call("PATCH", path, by=maren, json={"content": "yours"})).json()["code"] == 50005
    assert (await local_guild.call("DELETE", path, by=jonas)).json()["code"] == 50013
    assert (await local_guild.call("DELETE", path, by=maren)).status_code == 204


async def test_no_or_unknown_token_is_401(local_guild: Served) -> None:
    for given in ({}, *({"Authorization": text} for text in ("", "nonsense", "Bot nonsense"))):
        answer = await local_guild.http.get("/api/v10/users/@me", headers=given)
        assert (answer.status_code, answer.json()) == (401, {"message": "401: Unauthorized", "code": 0})


LAYOUTS: list[tuple[Body, str]] = [
    ({"flags": LAYOUT, "content": "Words", "components": [TEXT]}, "cannot be used when using"),
    ({"flags": LAYOUT, "components": [{"type": 10, "content": "x" * 2001}] * 2}, "length of all texts"),
    ({"flags": LAYOUT, "components": [{"type": 17, "components": [TEXT] * 20}] * 2}, "number of components"),
    ({"flags": LAYOUT, "components": [{"type": 17, "components": []}]}, "Must be between 1"),
    ({"flags": LAYOUT, "components": [{"type": 17, "components": [{"type": 17}]}]}, "must be one of"),
    ({"flags": LAYOUT, "components": [{"type": 9, "components": [TEXT]}]}, "accessory"),
    ({"flags": LAYOUT, "components": [ROW, ROW]}, "duplicated"),
    ({"flags": LAYOUT, "components": []}, "50006"),
    ({"content": "Words", "components": [TEXT]}, "must be one of"),
]


@pytest.mark.parametrize(("body", "why"), LAYOUTS, ids=[why for _, why in LAYOUTS])
async def test_layouts_that_discord_does_not_take(local_guild: Served, body: Body, why: str) -> None:
    path = f"/channels/{local_guild.channel('general').id}/messages"
    refused = await local_guild.call("POST", path, by=local_guild.server.world.bot, json=body)
    assert refused.status_code == 400
    assert why in refused.text


def soup(*options: Body, **fields: Body) -> Body:
    return SOUP | {"options": list(options)} | fields


COMMANDS: list[tuple[Body, str]] = [
    (soup(name="Soup"), "name"),
    (soup(name="x" * 33), "name"),
    (soup(description=""), "description"),
    (soup(description="x" * 101), "description"),
    (soup(name_localizations={"de": "Suppe"}), "name_localizations"),
    # Discord knows two kinds of Spanish, and no `es`.
    (soup(description_localizations={"es": "x"}), "description_localizations"),
    (soup(*(OPTION | {"name": str(number)} for number in range(26))), "options"),
    (soup(OPTION, OPTION), "already exists"),
    (soup(OPTION, OPTION | {"name": "c", "required": True}), "placed before"),
    (soup(OPTION, OPTION | {"name": "c", "type": 1}), "mutually exclusive"),
    (soup(OPTION | {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}), "autocomplete"),
    # Of each text the longest translation counts: these are 400 times 100 characters.
    (soup(*(OPTION | {"name": f"o{n}", "choices": CHOICES} for n in range(20))), "maximum size"),
]


@pytest.mark.parametrize(("form", "why"), COMMANDS, ids=[str(number) for number in range(len(COMMANDS))])
async def test_commands_that_discord_does_not_register(local_guild: Served, form: Body, why: str) -> None:
    bot = local_guild.server.world.bot
    refused = await local_guild.call("PUT", f"/applications/{bot.id}/commands", by=bot, json=[form])
    assert (refused.status_code, refused.json()["code"]) == (400, 50035)
    assert why in str(refused.json()["errors"]["0"])
