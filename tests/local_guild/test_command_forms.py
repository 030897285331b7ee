"""Application commands that Discord would refuse to register are refused, with the place of the mistake."""

from __future__ import annotations

import pytest

from tests.local_guild.guests import Body
from tests.local_guild.running import Served

SOUP: Body = {"name": "soup", "description": "x"}
OPTION: Body = {"type": 3, "name": "a", "description": "b"}


def with_options(*options: Body) -> Body:
    return SOUP | {"options": list(options)}


def choices(german: str) -> list[Body]:
    return [{"name": "c", "value": str(number), "name_localizations": {"de": german}} for number in range(20)]


REFUSED: list[tuple[Body, str]] = [
    (SOUP | {"name": "Soup"}, "name"),
    (SOUP | {"name": "two words"}, "name"),
    (SOUP | {"name": "x" * 33}, "name"),
    (SOUP | {"description": ""}, "description"),
    (SOUP | {"description": "x" * 101}, "description"),
    ({"name": "Soup", "type": 3, "description": "none allowed"}, "description"),
    (with_options(*(OPTION | {"name": str(number)} for number in range(26))), "options"),
    (with_options(OPTION, OPTION), "options 1 name"),
    (with_options(OPTION, OPTION | {"name": "c", "required": True}), "options 1"),
    (with_options(OPTION, OPTION | {"name": "c", "type": 1}), "options"),
    (with_options(OPTION | {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}), "options 0 autocomplete"),
    (SOUP | {"name_localizations": {"de": "Suppe"}}, "name_localizations de"),
    (SOUP | {"description_localizations": {"de": "x" * 101}}, "description_localizations de"),
    # Discord knows two kinds of Spanish, and no `es`.
    (SOUP | {"description_localizations": {"es": "x"}}, "description_localizations es [key]"),
    # Of each text the longest translation counts: these are 400 times 100 characters.
    (with_options(*(OPTION | {"name": f"o{n}", "choices": choices("x" * 100)} for n in range(20))), ""),
]


@pytest.mark.parametrize(("form", "place"), REFUSED, ids=[str(number) for number in range(len(REFUSED))])
async def test_what_discord_refuses(local_guild: Served, form: Body, place: str) -> None:
    refused = await register(local_guild, [form])
    assert (refused["status"], refused["told"]["code"]) == (400, 50035)
    node = refused["told"]["errors"]["0"]
    for step in place.split():
        node = node[step]
    assert node["_errors"][0]["code"]


async def test_at_most_a_hundred_and_no_name_twice(local_guild: Served) -> None:
    many = [SOUP | {"name": f"soup-{number}"} for number in range(101)]
    assert (await register(local_guild, many))["told"]["code"] == 30032
    assert (await register(local_guild, [SOUP, SOUP]))["told"]["code"] == 50035
    assert len((await register(local_guild, many[:100]))["told"]) == 100


async def register(local_guild: Served, forms: list[Body]) -> Body:
    bot = local_guild.server.world.bot
    answer = await local_guild.call("PUT", f"/applications/{bot.id}/commands", by=bot, json=forms)
    return {"status": answer.status_code, "told": answer.json()}
