"""What is said in the place of a reply of ours, under which somebody has pressed a button.

What could not be done is whispered instead: the reply stays, and can be pressed again. A long one stands in several
messages, the buttons under the last; that one says what holds now, and the others go.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace

import discord

from bot.buttons import Interaction
from bot.drafts import Draft, Make, Mark, Readers, Sent, deliver
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.receipts import Paper
from bot.reply import split
from bot.sending import Still, view_of
from memory.core.provenance import Evidence
from memory.receipts.service import Receipts

logger = logging.getLogger(__name__)

SILENT = discord.AllowedMentions.none()


async def answer_in_place(
    interaction: Interaction, make: Make, readers: Readers, voice: Voice, receipts: Receipts
) -> None:
    """For an interaction that has been deferred. Its readers are looked at before every call, as everywhere."""
    stood = await _stood_there(interaction, receipts)
    paper = Paper(receipts, stood.asked_in, interaction.user.id, voice)

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
        await _delete(interaction, stood.before)
        return Sent.DELIVERED

    await deliver(make, readers, say)


async def say_in_place(interaction: Interaction, words: str) -> None:
    """Of our own: it needs no readers. There is nothing left to press then."""
    await interaction.edit_original_response(content=words, embeds=[], view=None, allowed_mentions=SILENT)


async def whisper(interaction: Interaction, words: str) -> None:
    """To the one who pressed, beside what stands there."""
    await interaction.followup.send(words, ephemeral=True, allowed_mentions=SILENT)


@dataclass(frozen=True, slots=True)
class _Stood:
    """The reply that was pressed under."""

    asked_in: int
    """What it answers: that is what its receipt is known by."""
    before: tuple[int, ...] = ()
    """Its other messages."""


async def _stood_there(interaction: Interaction, receipts: Receipts) -> _Stood:
    ours = interaction.message
    if ours is None:
        return _Stood(interaction.id)
    answers = None if ours.reference is None else ours.reference.message_id
    kept = None
    if interaction.guild_id is not None and not is_whispered(interaction):
        kept = await receipts.of_message(interaction.guild_id, ours.id, answers)
    if kept is None:
        return _Stood(ours.id if answers is None else answers)
    return _Stood(kept.asked_in, tuple(one for one in kept.message_ids if one != ours.id))


async def _delete(interaction: Interaction, message_ids: Iterable[int]) -> None:
    if interaction.channel_id is None:
        return
    place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
    for message_id in message_ids:
        try:
            await place.get_partial_message(message_id).delete()
        except discord.HTTPException as error:
            logger.warning("a part of a reply could not be removed", extra={"discord_code": error.code})


def is_whispered(interaction: Interaction) -> bool:
    """Whether nobody but the one who pressed can see what they pressed under."""
    return interaction.message is not None and interaction.message.flags.ephemeral
