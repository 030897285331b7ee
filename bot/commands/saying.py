"""How a slash command answers: to the one who used it alone, in their language, pinging nobody."""

import discord

from bot.phrases import Voice, language_of_locale
from bot.reply import split


def voice_of(interaction: discord.Interaction, bot_name: str) -> Voice:
    return Voice(language_of_locale(str(interaction.locale)), bot_name)


async def answer(interaction: discord.Interaction, words: str) -> None:
    silent = discord.AllowedMentions.none()
    for part in split(words):
        if interaction.response.is_done():
            await interaction.followup.send(part, ephemeral=True, allowed_mentions=silent)
        else:
            await interaction.response.send_message(part, ephemeral=True, allowed_mentions=silent)
