"""What is said in the place of our own question, under which somebody has pressed a button.

What could not be done is whispered instead: the question stays, and can be answered again.
"""

import discord

from bot.buttons import Interaction
from bot.drafts import Draft, Make, Mark, Readers, Sent, deliver
from bot.phrasebook import Phrase
from bot.phrases import Voice
from bot.reply import split
from bot.sending import Still, view_of

SILENT = discord.AllowedMentions.none()


async def answer_in_place(interaction: Interaction, make: Make, readers: Readers, voice: Voice) -> None:
    """For an interaction that has been deferred. Its readers are looked at before every call, as everywhere."""

    async def say(draft: Draft, still: Still) -> Sent:
        if draft.mark is Mark.FAILED:
            await whisper(interaction, draft.words)
            return Sent.DELIVERED
        first, *more = split(draft.words, ending=voice.say(Phrase.CUT))
        if not still():
            return Sent.CHANGED
        await interaction.edit_original_response(content=first, embeds=[], view=view_of(draft), allowed_mentions=SILENT)
        for part in more:
            if still():
                await interaction.followup.send(
                    part, ephemeral=is_whispered(interaction), allowed_mentions=SILENT, suppress_embeds=True
                )
        return Sent.DELIVERED

    await deliver(make, readers, say)


async def say_in_place(interaction: Interaction, words: str) -> None:
    """Of our own: it needs no readers. There is nothing left to press then."""
    await interaction.edit_original_response(content=words, embeds=[], view=None, allowed_mentions=SILENT)


async def whisper(interaction: Interaction, words: str) -> None:
    """To the one who pressed, beside what stands there."""
    await interaction.followup.send(words, ephemeral=True, allowed_mentions=SILENT)


def is_whispered(interaction: Interaction) -> bool:
    """Whether nobody but the one who pressed can see what they pressed under."""
    return interaction.message is not None and interaction.message.flags.ephemeral
