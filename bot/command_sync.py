"""Tells Discord our slash commands, and only when they are not what it knows.

The definitions' digest of the last time is kept in memory; Discord is asked for the names, in case it has lost them.
"""

import asyncio
import hashlib
import json
import logging

import aiohttp
import discord
from discord import app_commands

from bot.words import language_of_locale
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.language.detect import Language
from memory.language.wording import wording
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

EVERYWHERE = 0
"""The scope of commands that are not of one guild."""
RETRY_SECONDS = 30.0

Tree = app_commands.CommandTree[discord.AutoShardedClient]

_LANGUAGES = {
    locale: language for locale in discord.Locale if (language := language_of_locale(str(locale))) is not Language.EN
}
"""Discord falls back on English, which needs no translation."""


class CommandTranslator(app_commands.Translator):
    """Translates what our slash commands do; it is asked for every text in every locale, at each start."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        key, language = string.extras.get("key"), _LANGUAGES.get(locale)
        return wording(language, key) if key is not None and language is not None else None


async def sync_commands(tree: Tree, memory: MemoryManager, application_id: int, part: HealthReporter) -> None:
    """Tell Discord our commands. Never fatal: else those of the last time stay, and the next start tries again."""
    with request("commands"):
        while True:
            try:
                await _sync_if_changed(tree, memory, application_id)
            except StoreError as error:
                logger.warning("slash commands wait for the database", extra={"reason": type(error).__name__})
                await asyncio.sleep(RETRY_SECONDS)
            except (discord.HTTPException, app_commands.AppCommandError, aiohttp.ClientError, OSError):
                logger.exception("could not update slash commands on Discord")
                part.failing(
                    "Discord did not take the slash commands; the log says why, and the next start tries again."
                )
                return
            else:
                part.active()
                return


async def _sync_if_changed(tree: Tree, memory: MemoryManager, application_id: int) -> None:
    translator = CommandTranslator()
    told = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    definitions = sorted(told, key=lambda one: str(one["name"]))
    # Of all that Discord would be told: another word in a translation is a change, too.
    digest = hashlib.sha256(json.dumps(definitions, sort_keys=True).encode()).hexdigest()
    if await memory.command_definitions.digest(application_id, EVERYWHERE) == digest and await _known(tree):
        logger.info("slash commands up to date")
        return
    # Not by `tree.sync`: it would translate every word of every command once more.
    await tree.client.http.bulk_upsert_global_commands(application_id, definitions)
    await memory.command_definitions.note(application_id, EVERYWHERE, digest)
    logger.info("slash commands updated on Discord", extra={"commands": len(definitions)})


async def _known(tree: Tree) -> bool:
    return {command.name for command in await tree.fetch_commands()} == {
        command.name for command in tree.get_commands()
    }
