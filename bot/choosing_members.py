"""When it was not clear whom a telling means, and its teller has chosen: it is read again, and done.

The message is read from Discord, so that it works after any restart and whoever is stored; the answer takes the place
of our question.
"""

import logging

import discord

from bot.buttons import Interaction
from bot.composing import Composing
from bot.drafts import Draft, Sent, deliver
from bot.phrasebook import Phrase
from bot.phrases import Voice, language_of_locale
from bot.reply import split
from bot.sending import Still, view_of
from bot.settings import BotOptions
from bot.tellings import manages, telling_in
from bot.translate import to_message
from memory.core.addressing import Addressed, Intent, address
from memory.core.audience import Audience
from memory.core.model import Message, Telling
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

SILENT = discord.AllowedMentions.none()


class ChoosingMembers:
    def __init__(self, memory: MemoryManager, composing: Composing, options: BotOptions) -> None:
        self._memory = memory
        self._composing = composing
        self._options = options

    async def choose(self, interaction: Interaction, message_id: int, member_id: int) -> None:
        """For an interaction that has been deferred, by the teller themselves."""
        read = await self._read_again(interaction, message_id, member_id)
        if read is None:
            words = Voice(language_of_locale(str(interaction.locale)), self._options.names[0]).say(Phrase.TELLING_GONE)
            await interaction.edit_original_response(content=words, view=None, allowed_mentions=SILENT)
            return
        telling, intent, voice = read
        until = self._composing.until()

        def readers() -> Audience:
            return self._memory.audience_of(telling.guild_id, telling.channel_id)

        async def make(audience: Audience) -> Draft:
            compose = self._composing.remembered if intent is Intent.REMEMBER else self._composing.forgotten
            return await self._composing.attempt(compose(telling, audience, voice), voice, until, reading=False)

        async def say(draft: Draft, still: Still) -> Sent:
            first, *more = split(draft.words, ending=voice.say(Phrase.CUT))
            if not still():
                return Sent.CHANGED
            await interaction.edit_original_response(content=first, view=view_of(draft), allowed_mentions=SILENT)
            for part in more:
                if still():
                    await interaction.followup.send(part, allowed_mentions=SILENT, suppress_embeds=True)
            return Sent.DELIVERED

        await deliver(make, readers, say)
        logger.info("a member was chosen", extra={"intent": intent.value, "channel_id": telling.channel_id})

    async def _read_again(
        self, interaction: Interaction, message_id: int, member_id: int
    ) -> tuple[Telling, Intent, Voice] | None:
        """What was told, as it stands there now. None if it is gone, or wants something else by now."""
        if interaction.channel_id is None or interaction.guild is None:
            return None
        place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
        try:
            message = await place.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        stored = to_message(message, interaction.application_id)
        if stored is None or stored.author_id != interaction.user.id:
            return None
        about = _replied_to(message, interaction.application_id)
        addressed = self._addressed(interaction, stored, about)
        if addressed is None or addressed.intent not in (Intent.REMEMBER, Intent.FORGET):
            return None
        is_manager = interaction.permissions.manage_guild or manages(interaction.user)
        telling = telling_in(stored, addressed, about, is_manager=is_manager, chosen_id=member_id)
        language = addressed.language or language_of_locale(str(interaction.guild.preferred_locale))
        return telling, addressed.intent, Voice(language, self._options.names[0])

    def _addressed(self, interaction: Interaction, stored: Message, about: Message | None) -> Addressed | None:
        ours = interaction.guild.self_role if interaction.guild is not None else None
        return address(
            stored.text,
            names=self._options.names,
            bot_id=interaction.application_id,
            bot_role_ids=() if ours is None else (ours.id,),
            reply_to_us=about is not None and about.author_id == interaction.application_id,
        )


def _replied_to(message: discord.Message, self_id: int) -> Message | None:
    resolved = message.reference.resolved if message.reference is not None else None
    if not isinstance(resolved, discord.Message) or resolved.channel.id != message.channel.id:
        return None
    return to_message(resolved, self_id)
