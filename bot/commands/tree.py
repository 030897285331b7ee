"""All slash commands, and what someone is told when one of them breaks."""

import logging

import aiohttp
import discord
from discord import app_commands

from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice, language_of_locale
from memory.tasks import request

logger = logging.getLogger(__name__)


class InnkeeperTree(app_commands.CommandTree[discord.AutoShardedClient]):
    def __init__(self, client: discord.AutoShardedClient, bot_name: str) -> None:
        super().__init__(client)
        self._bot_name = bot_name

    async def on_error(
        self, interaction: discord.Interaction[discord.AutoShardedClient], error: app_commands.AppCommandError, /
    ) -> None:
        voice = Voice(language_of_locale(str(interaction.locale)), self._bot_name)
        with request("command") as request_id:
            name = interaction.command.qualified_name if interaction.command else "unknown"
            logger.error("a command failed", exc_info=error, extra={"command": name})
            try:
                await _tell(interaction, voice.say(Phrase.UNEXPECTED, request=request_id))
            except (discord.HTTPException, aiohttp.ClientError, OSError):
                logger.warning("nor could that be said", extra={"command": name})


async def _tell(interaction: discord.Interaction[discord.AutoShardedClient], words: str) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(words, ephemeral=True)
    else:
        await interaction.response.send_message(words, ephemeral=True)
