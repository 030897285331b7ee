"""Registering application commands, through discord.py's command tree and by plain REST."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
from discord import app_commands

from tests.local_guild.guests import Body
from tests.local_guild.running import Connect, Served, served

Interaction = discord.Interaction[discord.Client]


class Registrar(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)


GERMAN = {"greet": "begruessen", "About greet": "Über das Grüßen", "Merry": "Fröhlich"}


class German(app_commands.Translator):
    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        return GERMAN.get(string.message) if locale is discord.Locale.german else None


@pytest.fixture
async def registrar(connect: Connect) -> Registrar:
    registrar = Registrar()
    await connect(registrar)
    return registrar


async def register(registrar: Registrar, name: str, *, guild: discord.abc.Snowflake | None = None) -> None:
    @registrar.tree.command(name=app_commands.locale_str(name), description=f"About {name}", guild=guild)
    @app_commands.choices(mood=[app_commands.Choice(name=app_commands.locale_str("Merry"), value="merry")])
    async def command(interaction: Interaction, mood: str, loud: app_commands.Range[int, 1, 3] = 1) -> None:
        raise AssertionError("only registered here")


async def test_sync_and_read_back(local_guild: Served, registrar: Registrar) -> None:
    await registrar.tree.set_translator(German())
    await register(registrar, "greet")
    await register(registrar, "local", guild=local_guild_of(local_guild))

    @registrar.tree.command(description="For keepers", nsfw=True)
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_contexts(guilds=True)
    async def keepers(interaction: Interaction) -> None:
        raise AssertionError("only registered here")

    synced = {command.name: command for command in await registrar.tree.sync()}
    fetched = {command.name: command for command in await registrar.tree.fetch_commands()}
    assert set(synced) == set(fetched) == {"greet", "keepers"}
    greet, guarded = fetched["greet"], fetched["keepers"]
    assert greet.id == synced["greet"].id
    # Translations are kept, but listed only to those who ask for them.
    assert synced["greet"].name_localizations == {discord.Locale.german: "begruessen"}
    assert greet.name_localizations == {}
    path = f"{commands_of(local_guild)}?with_localizations=true"
    listed = (await local_guild.call("GET", path, by=local_guild.server.world.bot)).json()
    translated = next(one for one in listed if one["name"] == "greet")
    assert translated["name_localizations"] == {"de": "begruessen"}
    assert translated["description_localizations"] == {"de": "Über das Grüßen"}
    assert translated["options"][0]["choices"][0]["name_localizations"] == {"de": "Fröhlich"}
    url = f"{local_guild.address.url}/local/guilds/{local_guild.guild.id}/commands"
    token = local_guild.user("maren").token
    offered = await local_guild.http.get(url, headers={"Authorization": token})
    assert "About greet" in offered.text
    assert "_localizations" not in offered.text
    mood, loud = greet.options
    assert isinstance(mood, app_commands.Argument)
    assert isinstance(loud, app_commands.Argument)
    assert [choice.value for choice in mood.choices] == ["merry"]
    assert (mood.required, loud.required, loud.min_value, loud.max_value) == (True, False, 1, 3)
    assert guarded.default_member_permissions == discord.Permissions(manage_guild=True)
    assert guarded.nsfw
    assert {one["name"]: one["contexts"] for one in listed} == {"greet": None, "keepers": [0]}
    in_guild = await registrar.tree.sync(guild=local_guild_of(local_guild))
    assert [(command.name, command.guild_id) for command in in_guild] == [("local", local_guild.guild.id)]
    # A second sync of the same definitions changes nothing, not even an id.
    assert {command.id for command in await registrar.tree.sync()} == {command.id for command in synced.values()}


async def test_edit_and_delete(local_guild: Served, registrar: Registrar) -> None:
    await register(registrar, "greet")
    (command,) = await registrar.tree.sync()
    edited = await command.edit(description="Say hello")
    assert (edited.id, edited.description) == (command.id, "Say hello")
    assert [option.name for option in edited.options] == ["mood", "loud"]
    # discord.py leaves permissions out of an edit, so this part goes by hand.
    path = f"{commands_of(local_guild)}/{command.id}"
    bot = local_guild.server.world.bot
    await local_guild.call("PATCH", path, by=bot, json={"default_member_permissions": "4"})
    fetched = await registrar.tree.fetch_command(command.id)
    assert fetched.default_member_permissions == discord.Permissions(ban_members=True)
    assert fetched.description == "Say hello"
    await fetched.delete()
    with pytest.raises(discord.NotFound) as gone:
        await registrar.tree.fetch_command(command.id)
    assert gone.value.code == 10063


async def test_creating_the_same_name_again_replaces_it(local_guild: Served) -> None:
    first = await post(local_guild, {"name": "soup", "description": "Of the day"})
    second = await post(local_guild, {"name": "soup", "description": "Of yesterday"})
    assert (first["status"], second["status"]) == (201, 200)
    assert first["id"] == second["id"]
    assert first["version"] != second["version"]
    # A context menu of the same name is another command.
    assert (await post(local_guild, {"name": "soup", "type": 3}))["id"] != first["id"]


async def test_commands_survive_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as before:
        created = await post(before, {"name": "soup", "description": "Of the day"})
    async with served(tmp_path) as after:
        path = f"/applications/{after.server.world.bot.id}/commands/{created['id']}"
        found = await after.call("GET", path, by=after.server.world.bot)
        assert found.json()["description"] == "Of the day"


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


def local_guild_of(local_guild: Served) -> discord.Object:
    return discord.Object(local_guild.guild.id)


def commands_of(local_guild: Served) -> str:
    return f"/applications/{local_guild.server.world.bot.id}/commands"


async def post(local_guild: Served, body: Body) -> Body:
    answer = await local_guild.call("POST", commands_of(local_guild), by=local_guild.server.world.bot, json=body)
    return {"status": answer.status_code, **answer.json()}
