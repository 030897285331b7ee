""" "Why did you say that?" in the menu of a message: what it was made from, as far as the one who asks may see it."""

import logging
from functools import partial

import discord
from discord import app_commands

from bot.commands.saying import voice_of
from bot.composing import Composing
from bot.drafts import Draft, Sent, deliver
from bot.explanations import page
from bot.notices.notice import Notice
from bot.phrases import Voice
from bot.sending import Still, send, whispering_to
from bot.settings import BotOptions
from bot.sole_reader import sole_reader
from memory.core.provenance import Explanation, Unexplained
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.tasks import request

logger = logging.getLogger(__name__)

NAME = "Why did you say that?"

Interaction = discord.Interaction[discord.Client]

_UNEXPLAINED = {Unexplained.UNKNOWN: Notice.WHY_UNKNOWN, Unexplained.TAKEN_BACK: Notice.WHY_TAKEN_BACK}


def why_menu(memory: MemoryManager, composing: Composing, options: BotOptions) -> app_commands.ContextMenu:
    @app_commands.guild_only()
    async def why(interaction: Interaction, message: discord.Message) -> None:
        with request("why"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, options.names[0])
            await _explain(memory, composing, interaction, message, voice)

    return app_commands.ContextMenu(name=NAME, callback=why)


async def _explain(
    memory: MemoryManager, composing: Composing, interaction: Interaction, message: discord.Message, voice: Voice
) -> None:
    until = composing.until()

    async def look(audience: Audience) -> Draft:
        if interaction.client.user is None or message.author.id != interaction.client.user.id:
            return Draft(voice.say(Notice.WHY_NOT_OURS))
        reply_to = None if message.reference is None else message.reference.message_id
        found = await memory.receipts.explain(audience, message.id, reply_to)
        if isinstance(found, Explanation):
            return Draft(page(found, audience.guild_id, voice), audience.sources)
        return Draft(voice.say(_UNEXPLAINED[found]))

    async def make(audience: Audience) -> Draft:
        return await composing.attempt(look(audience), voice, until, reading=True)

    async def say(draft: Draft, still: Still) -> Sent:
        return await send(draft, whispering_to(interaction), ending="", still=still)

    await deliver(make, partial(sole_reader, memory, interaction), say)
    logger.info("asked why", extra={"channel_id": interaction.channel_id})
