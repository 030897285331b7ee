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


async def conclude_with(interaction: discord.Interaction, words: str) -> None:
    """The last words of a deferred answer, in the place of what it said on the way."""
    silent = discord.AllowedMentions.none()
    first, *more = split(words)
    await interaction.edit_original_response(content=first, view=None, allowed_mentions=silent)
    for part in more:
        await interaction.followup.send(part, ephemeral=True, allowed_mentions=silent)
