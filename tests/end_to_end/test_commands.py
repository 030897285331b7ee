"""Slash commands: told to Discord only when they changed, and answered only to the one who asked."""

import logging
from collections.abc import Iterator, Sequence

import pytest

from bot.words import Slash
from memory.core.values import Category
from memory.language.detect import Language
from memory.language.wording import wording
from memory.policy.setting_fields import Setting
from memory.policy.settings import FIELDS
from tests.end_to_end.absence import running_again
from tests.end_to_end.house import GENERAL, House, Inn, Payload, until
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import commands_of, definitions_of, use, words_of

SLASH, MESSAGE_MENU = 1, 3
LOCALES = {"de": Language.DE, "fr": Language.FR, "es-ES": Language.ES, "es-419": Language.ES, "ru": Language.RU}


async def test_the_status_is_shown_to_whoever_asks_and_counts_nothing_of_another_server(inn: Inn) -> None:
    house, maren, aylin = inn.house, inn.person("maren"), inn.person("aylin")
    next_door = Inn(house, next(house.fresh))
    await next_door.until_stored(await next_door.person("aylin").say("next door"))
    await inn.until_stored(await maren.say("here"))
    status = await Screen.open(maren, "innkeeper", "status")
    assert "gateway" not in status.words
    assert "I keep 1 message from this server." in status.words
    await status.press("Details")
    words = await status.until("gateway")
    for part in ("gateway", "messages", "members", "replies", "catch-up", "back-fill", "🟢"):
        assert part in words
    assert "latency" not in words, "counts are of all servers together"
    assert "Bot remember" in words_of(await use(aylin, "innkeeper", "about"))
    to_members = words_of(await use(aylin, "innkeeper", "status"))
    assert "\n" not in to_members
    assert "I keep" not in to_members
    history = (await aylin.call("GET", f"/channels/{inn.channel(GENERAL).id}/messages")).json()
    assert not [message for message in history if "gateway" in message["content"]]


async def test_a_command_that_breaks_says_so(inn: Inn) -> None:
    house = inn.house
    await house.rows("ALTER TABLE process_health RENAME COLUMN parts TO pieces")
    outcome = await use(inn.person("maren"), "innkeeper", "status")
    await house.rows("ALTER TABLE process_health RENAME COLUMN pieces TO parts")
    assert "went wrong on my side" in words_of(outcome)
    assert "(Request command-" in words_of(outcome)


async def test_what_models_were_used_for_is_shown_to_managers_alone(inn: Inn) -> None:
    words = words_of(await use(inn.person("maren"), "innkeeper", "usage"))
    assert words.endswith("I have no language model here: I answer by quoting, and that costs nothing.")
    refused = words_of(await use(inn.person("aylin"), "innkeeper", "usage"))
    assert refused == "Only people who manage this server can see that."


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


async def test_two_starts_tell_the_commands_once_and_everyone_reads_in_their_language_what_one_does(
    own_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")

    def logged() -> list[str]:
        return [record.message for record in caplog.records if record.name == "bot.command_sync"]

    async with own_house.bot_running():
        await until(lambda: len(logged()) == 1)
    async with running_again(own_house):
        await until(lambda: len(logged()) == 2)
        definitions = await definitions_of(own_house)
        assert {"remember fact", "privacy erase", "settings log", "recall text"} <= set(await commands_of(own_house))
    assert logged() == ["slash commands updated on Discord", "slash commands up to date"]
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
