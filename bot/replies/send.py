"""Puts a reply where it belongs: in parts, pinging nobody, once, and only while its readers may read it.

In a channel it answers the message it belongs to; to one person alone it answers their interaction. A reply that
everyone in a place can read has a receipt: written before it is said, and completed when it stands. What it repeats may
go in the very moment in which it is finished; then it is not said but made anew, without what is gone.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from typing import TypeVar

import discord

from bot.connection import TROUBLE
from bot.replies.buttons import ReplyButton
from bot.replies.draft import Draft, Make, Mark, Readers, Sent, deliver, layout_of
from bot.replies.interactions import SILENT, Interaction, answer
from bot.replies.split import split
from bot.words import Phrase, Voice
from memory.core.provenance import Broken, Evidence, ReplyReceipt
from memory.places.view import Audience
from memory.receipts.service import Receipts


class ReceiptWriter:
    """Writes the receipt of one reply, however often it is made anew."""

    def __init__(self, receipts: Receipts, asked_in: int, asker_id: int, voice: Voice) -> None:
        self._receipts = receipts
        self._asked_in = asked_in
        self._asker_id = asker_id
        self._voice = voice
        self._receipt: ReplyReceipt | None = None
        self._is_made_anew = False

    async def before(self, draft: Draft, readers: Audience) -> Draft | Sent:
        """Write the receipt; return what may be said now, or that it is to be made anew or nobody is left to answer.

        Nothing is written of what tells nothing, nor of what one reader alone sees, which is looked at all the same.
        """
        broken = await self._put(draft, readers, is_unsaid=draft.only_reads)
        if broken is None or not draft.only_reads:
            return draft
        if broken is Broken.QUESTION:
            return Sent.NOTHING
        if not self._is_made_anew:
            self._is_made_anew = True
            return Sent.CHANGED
        unsaid = replace(
            draft, words=self._voice.say(Phrase.SOURCES_CHANGE), evidence=Evidence(), buttons=(), blocks=()
        )
        await self._put(unsaid, readers)
        return unsaid

    async def after(self, message_ids: Collection[int]) -> None:
        if self._receipt is not None:
            await self._receipts.note_sent(self._receipt, message_ids)

    async def _put(self, draft: Draft, readers: Audience, *, is_unsaid: bool = False) -> Broken | None:
        self._receipt = None
        if draft.evidence is None:
            return None
        receipt = self._receipts.receipt_of(
            readers,
            self._asked_in,
            self._asker_id,
            self._voice.language,
            draft.evidence,
            lapses=draft.lapses,
            made_during_outage=draft.made_during_outage,
        )
        if readers.viewer_id is not None:
            # What was done for them is told in any case: nobody but them reads it.
            return await self._receipts.broken_for_one(receipt) if draft.only_reads else None
        self._receipt = receipt
        return await self._receipts.put(receipt, is_unsaid=is_unsaid)


logger = logging.getLogger(__name__)

# 10008: the message is gone. 50035: Discord found the reference invalid. 160002: a reply needs Read Message History.
NO_REPLY_POSSIBLE = frozenset((10008, 50035, 160002))
_CANNOT_SEND = frozenset((10003, 50001, 50013))

LONGEST_REPEATED = 4_096
"""Characters. Discord takes no more there, and no command has as many."""

Still = Callable[[], bool]
"""Whether the readers may still read it."""

Shown = discord.ui.View | discord.ui.LayoutView
"""What stands under a part; a layout takes the part's place."""

Put = Callable[[int, str, Shown, Still], Awaitable[object]]
"""Brings a part of a reply to its place, by its number from 0 on, unless its readers have changed."""
Post = Callable[[int, str, Shown, Still], Awaitable[discord.Message]]
"""Puts a part there as a message of its own."""


class ReadersChanged(Exception):
    """Says that the readers of a reply may not read it any longer."""


def replying_to(message: discord.Message, *, again: bool = False) -> Post:
    """Post in the channel of a message, as an answer to it. `again`: although there was a message for it before."""

    async def post(number: int, part: str, view: Shown, still: Still) -> discord.Message:
        # Discord drops a second message with the same nonce for some minutes: a repeated send is harmless.
        nonce = f"{message.id}-{number}{'b' if again else ''}"
        if number == 0:
            return await _answer(message, part, nonce, view, still)
        return await post_message(message.channel, part, nonce, view, still)

    return post


def posting_in(channel: discord.abc.Messageable, request_id: int) -> Post:
    """Post in a channel, as an answer to no message but to a command."""

    async def post(number: int, part: str, view: Shown, still: Still) -> discord.Message:
        return await post_message(channel, part, f"{request_id}-{number}", view, still)

    return post


def replying_late_to(message: discord.Message, reply: discord.PartialMessage | None) -> Post:
    """Post where a reply of ours that is no answer may stand already, known or not: it becomes the answer."""
    post = replying_to(message)

    async def replace(number: int, part: str, view: Shown, still: Still) -> discord.Message:
        if number:
            return await post(number, part, view, still)
        stands: discord.Message | discord.PartialMessage | None = reply
        if stands is None:
            # Where there was a post before, Discord hands out the message that it took then, whatever that says.
            stands = await post(0, part, view, still)
            if stands.content == part:
                return stands
        if not still():
            raise ReadersChanged
        try:
            return await stands.edit(content=part, view=view, allowed_mentions=SILENT)
        except TROUBLE as error:
            logger.warning("posting a reply again", extra={"reason": type(error).__name__})
        posted = await replying_to(message, again=True)(0, part, view, still)
        await withdraw(stands)
        return posted

    return replace


async def withdraw(reply: discord.Message | discord.PartialMessage) -> None:
    """Withdraw a reply: nothing came of it, or it stands elsewhere."""
    try:
        await reply.delete()
    except TROUBLE as error:
        logger.info("could not delete a reply", extra={"reason": type(error).__name__})


def ephemeral_post(interaction: discord.Interaction, *, repeating: str = "") -> Post:
    """Post to the one who used a command or a button, who has been told to wait; with words of theirs under it."""
    beneath = [discord.Embed(description=repeating[:LONGEST_REPEATED])] if repeating else []

    async def post(_number: int, part: str, view: Shown, still: Still) -> discord.Message:
        if not still():
            raise ReadersChanged
        if isinstance(view, discord.ui.LayoutView):
            return await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=SILENT, wait=True)
        return await interaction.followup.send(
            part,
            ephemeral=True,
            allowed_mentions=SILENT,
            suppress_embeds=not beneath,
            embeds=beneath,
            view=view,
            wait=True,
        )

    return post


class QuestionGone(Exception):
    """Says that the message which a reply was to answer is deleted."""


async def send(draft: Draft, put: Put, *, ending: str, still: Still) -> Sent:
    """Send a draft; raises `discord.HTTPException` where Discord fails in another way than saying no."""
    try:
        return await in_parts(draft, ending, still, put)
    except QuestionGone:
        return Sent.NOTHING
    except discord.HTTPException as error:
        if error.code in _CANNOT_SEND:
            logger.warning("not allowed to write in a channel", extra={"discord_code": error.code})
            return Sent.FORBIDDEN
        raise


async def send_with_receipt(
    paper: ReceiptWriter, draft: Draft, readers: Audience, post: Post, voice: Voice, still: Still
) -> Sent:
    """Send what everyone in a place can read, with a receipt that is written before and completed when it stands."""
    ready = await paper.before(draft, readers)
    if isinstance(ready, Sent):
        return ready
    posted: list[int] = []

    async def put(number: int, part: str, view: Shown, still: Still) -> None:
        posted.append((await post(number, part, view, still)).id)

    try:
        return await send(ready, put, ending=voice.say(Phrase.CUT), still=still)
    finally:
        await paper.after(posted)


async def in_parts(draft: Draft, ending: str, still: Still, put: Put) -> Sent:
    """Send a draft in parts, buttons under the last. Where readers change between two parts, the rest is left out."""
    parts = [draft.words] if draft.blocks else split(draft.words, ending=ending)
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        try:
            await put(number, part, view_of(draft) if is_last else _view(()), still)
        except ReadersChanged:
            if number == 0:
                return Sent.CHANGED
            await put(number, ending, view_of(draft), lambda: True)
            break
    return Sent.DELIVERED if parts else Sent.NOTHING


def view_of(draft: Draft) -> Shown:
    """Make the view of all that can be pressed under a draft; or of all of it, where it is one card."""
    return layout_of(draft.blocks, draft.buttons) if draft.blocks else _view(draft.buttons)


def _view(buttons: Iterable[ReplyButton]) -> discord.ui.View:
    """Make a view of buttons; to Discord an empty one is as good as none."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view


async def _answer(message: discord.Message, part: str, nonce: str, view: Shown, still: Still) -> discord.Message:
    try:
        return await post_message(message.channel, part, nonce, view, still, message.to_reference())
    except discord.HTTPException as error:
        if error.code not in NO_REPLY_POSSIBLE:
            raise
        if await _is_gone(message):
            raise QuestionGone from error
        return await post_message(message.channel, part, nonce, view, still)


async def _is_gone(message: discord.Message) -> bool:
    """Look whether a message is deleted; where that cannot be seen, it is not."""
    try:
        await message.channel.fetch_message(message.id)
    except discord.HTTPException as error:
        return isinstance(error, discord.NotFound)
    return False


async def post_message(
    channel: discord.abc.Messageable,
    part: str,
    nonce: str,
    view: Shown,
    still: Still,
    reference: discord.MessageReference | None = None,
    pinging: discord.AllowedMentions | None = None,
) -> discord.Message:
    """Post a message; nobody is pinged unless it is said who."""
    if not still():
        raise ReadersChanged
    mentions = pinging or SILENT
    if isinstance(view, discord.ui.LayoutView):
        return await channel.send(view=view, nonce=nonce, allowed_mentions=mentions)
    if reference is None:
        return await channel.send(part, nonce=nonce, allowed_mentions=mentions, suppress_embeds=True, view=view)
    return await channel.send(
        part, nonce=nonce, allowed_mentions=mentions, suppress_embeds=True, view=view, reference=reference
    )


# What is said in the place of a reply of ours, under which somebody has pressed a button.
#
# What could not be done is said to one person alone instead: the reply stays, and can be pressed again. A long one
# stands in several messages, the buttons under the last; that one says what holds now, and the others go.


async def answer_in_place(
    interaction: Interaction, make: Make, readers: Readers, voice: Voice, receipts: Receipts
) -> None:
    """Answer a deferred interaction in the place of what was pressed; its readers are looked at before every call."""
    asked_in, before = await _stood_there(interaction, receipts)
    paper = ReceiptWriter(receipts, asked_in, interaction.user.id, voice)

    async def say(draft: Draft, still: Still) -> Sent:
        if draft.mark is Mark.FAILED:
            await answer(interaction, draft.words)
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
        ephemeral = is_ephemeral(interaction)
        for part in more:
            if still():
                follows = await interaction.followup.send(
                    part, ephemeral=ephemeral, allowed_mentions=SILENT, suppress_embeds=True, wait=True
                )
                posted.append(follows.id)
        await paper.after(posted)
        if interaction.channel_id is not None:
            place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
            for message_id in before:
                await withdraw(place.get_partial_message(message_id))
        return Sent.DELIVERED

    await deliver(make, readers, say)


async def say_in_place(interaction: Interaction, words: str) -> None:
    """Put words of our own in the place of what was pressed: they need no readers, and nothing is left to press."""
    await interaction.edit_original_response(content=words, embeds=[], view=None, allowed_mentions=SILENT)


async def _stood_there(interaction: Interaction, receipts: Receipts) -> tuple[int, list[int]]:
    """Find what the reply that was pressed under answers, which its receipt is known by, and its other messages."""
    ours = interaction.message
    if ours is None:
        return interaction.id, []
    answers = None if ours.reference is None else ours.reference.message_id
    kept = None
    if interaction.guild_id is not None and not is_ephemeral(interaction):
        kept = await receipts.of_message(interaction.guild_id, ours.id, answers)
    if kept is None:
        return ours.id if answers is None else answers, []
    return kept.asked_in, [one for one in kept.message_ids if one != ours.id]


def is_ephemeral(interaction: Interaction) -> bool:
    """Say whether nobody but the one who pressed can see what they pressed under."""
    return interaction.message is not None and interaction.message.flags.ephemeral


# “Innkeeper is typing …” while it works, never after its reply and never in the way of it.


TYPING_SECONDS = 2.0

Made = TypeVar("Made")


async def typing_while(work: Awaitable[Made], channel: discord.abc.Messageable) -> Made:
    """Show typing beside the work. It has arrived before the reply does: a late one would stay for seconds."""
    made = asyncio.ensure_future(work)
    try:
        async with contextlib.AsyncExitStack() as typing:
            try:
                async with asyncio.timeout(TYPING_SECONDS):
                    await typing.enter_async_context(channel.typing())
            except TROUBLE as error:
                logger.debug("no typing indicator", extra={"reason": type(error).__name__})
            except Exception:
                logger.exception("typing indicator failed")
            return await made
    finally:
        made.cancel()
