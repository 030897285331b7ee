"""What is said in the place of our own question, under which somebody has pressed a button.

What could not be done is whispered instead: the question stays, and can be answered again.
"""

from dataclasses import replace

import discord

from bot.buttons import Interaction
from bot.drafts import Draft, Make, Mark, Readers, Sent, deliver
from bot.phrasebook import Phrase
from bot.phrases import Voice
from bot.receipts import Paper
from bot.reply import split
from bot.sending import Still, view_of
from memory.core.receipt import Evidence
from memory.receipts import Receipts

SILENT = discord.AllowedMentions.none()


async def answer_in_place(
    interaction: Interaction, make: Make, readers: Readers, voice: Voice, receipts: Receipts
) -> None:
    """For an interaction that has been deferred. Its readers are looked at before every call, as everywhere."""
    paper = Paper(receipts, _asked_in(interaction), interaction.user.id, voice)

    async def say(draft: Draft, still: Still) -> Sent:
        if draft.mark is Mark.FAILED:
            await whisper(interaction, draft.words)
            return Sent.DELIVERED
        # Also of what tells nothing: whatever stood there before is not told there any more.
        ready = await paper.before(replace(draft, evidence=draft.evidence or Evidence()), readers())
        if isinstance(ready, Sent):
            return ready
        first, *more = split(ready.words, ending=voice.say(Phrase.CUT))
        if not still():
            return Sent.CHANGED
        stands = await interaction.edit_original_response(
            content=first, embeds=[], view=view_of(ready), allowed_mentions=SILENT
        )
        posted = [stands.id]
        whispered = is_whispered(interaction)
        for part in more:
            if still():
                follows = await interaction.followup.send(
                    part, ephemeral=whispered, allowed_mentions=SILENT, suppress_embeds=True, wait=True
                )
                posted.append(follows.id)
        await paper.after(posted)
        return Sent.DELIVERED

    await deliver(make, readers, say)


async def say_in_place(interaction: Interaction, words: str) -> None:
    """Of our own: it needs no readers. There is nothing left to press then."""
    await interaction.edit_original_response(content=words, embeds=[], view=None, allowed_mentions=SILENT)


async def whisper(interaction: Interaction, words: str) -> None:
    """To the one who pressed, beside what stands there."""
    await interaction.followup.send(words, ephemeral=True, allowed_mentions=SILENT)


def _asked_in(interaction: Interaction) -> int:
    """What our question answers: that is what its receipt is known by."""
    ours = interaction.message
    if ours is None:
        return interaction.id
    reference = ours.reference
    return ours.id if reference is None or reference.message_id is None else reference.message_id


def is_whispered(interaction: Interaction) -> bool:
    """Whether nobody but the one who pressed can see what they pressed under."""
    return interaction.message is not None and interaction.message.flags.ephemeral
