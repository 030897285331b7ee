"""Slash commands: told to Discord only when they changed, and answered only to the one who asked."""

import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bot.words import Slash
from memory.core.values import Category
from memory.language.detect import Language
from memory.language.wording import wording
from memory.policy.setting_fields import Setting
from memory.policy.settings import FIELDS
from tests.end_to_end.house import GENERAL, House, Inn, Payload, eventually, open_house, until
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import commands_of, definitions_of, use, words_of

SLASH, MESSAGE_MENU = 1, 3
LOCALES = {"de": Language.DE, "fr": Language.FR, "es-ES": Language.ES, "es-419": Language.ES, "ru": Language.RU}


async def test_the_status_is_shown_to_whoever_asks_and_nobody_else(own_inn: Inn) -> None:
    house, maren = own_inn.house, own_inn.person("maren")
    async with house.bot_running():
        await eventually(lambda: commands_of(house))
        await maren.ask("Bot remember that gruzilkin whistles")
        status = await Screen.open(maren, "innkeeper", "status")
        short = status.words
        await status.press("Details")
        words = await status.until("gateway")
        about = words_of(await use(own_inn.person("aylin"), "innkeeper", "about"))
        to_members = words_of(await use(own_inn.person("aylin"), "innkeeper", "status"))
    for part in ("gateway", "messages", "members", "replies", "catch-up", "back-fill", "channels done", "🟢"):
        assert part in words
    assert "gateway" not in short
    assert re.search(r"I keep \d+ messages? from this server\.", short)
    assert to_members.count("\n") == 0
    assert "Bot remember" in about
    history = (await own_inn.person("aylin").call("GET", f"/channels/{own_inn.channel(GENERAL).id}/messages")).json()
    assert not [message for message in history if "gateway" in message["content"]]


async def test_the_status_of_one_server_counts_nothing_of_another(database_url: str, tmp_path: Path) -> None:
    async with open_house(tmp_path, database_url, guilds=2) as house, house.bot_running():
        here, next_door = Inn(house, next(house.fresh)), Inn(house, next(house.fresh))
        await eventually(lambda: commands_of(house))
        for number in range(7):
            await next_door.until_stored(await next_door.person("aylin").say(f"next door {number}"))
        await here.until_stored(await here.person("maren").say("here"))
        status = await Screen.open(here.person("maren"), "innkeeper", "status")
        assert "I keep 1 message from this server." in status.words
        await status.press("Details")
        assert "latency" not in await status.until("gateway"), "counts are of all servers together"
        assert "I keep" not in words_of(await use(here.person("aylin"), "innkeeper", "status"))


async def test_a_command_that_breaks_says_so(own_inn: Inn) -> None:
    house, maren = own_inn.house, own_inn.person("maren")
    async with house.bot_running():
        await eventually(lambda: commands_of(house))
        await house.rows("ALTER TABLE process_health RENAME COLUMN parts TO pieces")
        outcome = await use(maren, "innkeeper", "status")
        await house.rows("ALTER TABLE process_health RENAME COLUMN pieces TO parts")
    assert "went wrong on my side" in words_of(outcome)
    assert "(Request command-" in words_of(outcome)


async def test_two_starts_tell_the_commands_once(own_house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot")

    def said() -> list[str]:
        return [record.message for record in caplog.records if record.name == "bot.command_sync"]

    async with own_house.bot_running():
        await until(lambda: len(said()) == 1)
    own_house.health.part("gateway").initializing()
    async with own_house.bot_running():
        await until(lambda: len(said()) == 2)
    assert said() == ["slash commands updated on Discord", "slash commands up to date"]
    assert {"remember fact", "privacy erase", "settings log", "recall text"} <= set(await commands_of(own_house))


def told(parts: Sequence[Payload], *path: str) -> Iterator[tuple[str, tuple[str, Payload]]]:
    """What is said of each command, of what it takes and of the choices, with its translations, by its key."""
    for part in parts:
        key = "_".join((*path, part["name"])).replace("-", "_")
        yield key, (part["description"], part["description_localizations"])
        for choice in part.get("choices") or []:
            yield f"{key}_{choice['value']}", (choice["name"], choice["name_localizations"])
        yield from told(part.get("options") or [], *path, part["name"])


def renamed(parts: Sequence[Payload]) -> list[str]:
    inner = [name for part in parts for name in renamed(part.get("options") or [])]
    return [part["name"] for part in parts if part.get("name_localizations")] + inner


async def test_everyone_reads_in_their_language_what_a_command_does_and_calls_it_by_one_name(own_house: House) -> None:
    async with own_house.bot_running():
        definitions = await eventually(lambda: definitions_of(own_house))
    assert {one["type"] for one in definitions} == {SLASH, MESSAGE_MENU}

    def translated(key: Slash | Category | Setting) -> tuple[str, dict[str, str]]:
        return wording(Language.EN, key), {locale: wording(language, key) for locale, language in LOCALES.items()}

    said = dict(told([one for one in definitions if one["type"] == SLASH]))
    of_its_own = {key.name.lower(): translated(key) for key in Slash}
    of_its_own |= {f"memory_add_category_{key}": translated(key) for key in Category}
    assert {name: said[name] for name in of_its_own} == of_its_own
    of_settings = [translated(one.key(part)) for one in FIELDS.values() for part in ("", "help", *one.choices)]
    assert {name: words for name, words in said.items() if name not in of_its_own and words not in of_settings} == {}
    assert renamed(definitions) == []
