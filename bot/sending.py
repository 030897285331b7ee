"""Puts a reply where it belongs: in parts, pinging nobody, once, and only while its readers may read it.

In a channel it answers the message it belongs to; to one person alone it answers their interaction.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable

import aiohttp
import discord

from bot.drafts import Button, Draft, Sent
from bot.reply import split

logger = logging.getLogger(__name__)

# 10008: the message is gone. 50035: Discord found the reference invalid. 160002: a reply needs Read Message History.
_NO_REPLY_POSSIBLE = frozenset((10008, 50035, 160002))
_CANNOT_SEND = frozenset((10003, 50001, 50013))

LONGEST_REPEATED = 4_096
"""Characters. Discord takes no more there, and no command has as many."""

Still = Callable[[], bool]
"""Whether the readers may still read it."""

Put = Callable[[int, str, discord.ui.View, Still], Awaitable[object]]
"""Brings a part of a reply to its place, by its number from 0 on, unless its readers have changed."""
Post = Callable[[int, str, discord.ui.View, Still], Awaitable[discord.Message]]
"""Puts a part there as a message of its own."""

_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)


class ReadersChanged(Exception):
    """Its readers may not read it any longer."""


def replying_to(message: discord.Message, *, again: bool = False) -> Post:
    """In the channel of a message, as an answer to it. `again`: although there was a message for it before."""

    async def post(number: int, part: str, view: discord.ui.View, still: Still) -> discord.Message:
        # Discord drops a second message with the same nonce for some minutes: a repeated send is harmless.
        nonce = f"{message.id}-{number}{'b' if again else ''}"
        if number == 0:
            return await _answer(message, part, nonce, view, still)
        return await _post(message.channel, part, nonce, view, still)

    return post


def replying_late_to(message: discord.Message, reply: discord.PartialMessage | None) -> Post:
    """The same where a reply of ours that is no answer may stand already, known or not: it becomes the answer."""
    post = replying_to(message)

    async def replace(number: int, part: str, view: discord.ui.View, still: Still) -> discord.Message:
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
            return await stands.edit(content=part, view=view, allowed_mentions=discord.AllowedMentions.none())
        except _DISCORD_FAILS as error:
            logger.warning("a reply is posted anew", extra={"reason": type(error).__name__})
        posted = await replying_to(message, again=True)(0, part, view, still)
        await withdraw(stands)
        return posted

    return replace


async def withdraw(reply: discord.Message | discord.PartialMessage) -> None:
    """Nothing came of it, or it stands elsewhere."""
    try:
        await reply.delete()
    except _DISCORD_FAILS as error:
        logger.info("a reply could not be withdrawn", extra={"reason": type(error).__name__})


def whispering_to(interaction: discord.Interaction, *, repeating: str = "") -> Post:
    """To the one who used a command or a button, who has been told to wait; with words of theirs under it."""
    beneath = [discord.Embed(description=repeating[:LONGEST_REPEATED])] if repeating else []

    async def post(_number: int, part: str, view: discord.ui.View, still: Still) -> discord.Message:
        if not still():
            raise ReadersChanged
        return await interaction.followup.send(
            part,
            ephemeral=True,
            allowed_mentions=discord.AllowedMentions.none(),
            suppress_embeds=not beneath,
            embeds=beneath,
            view=view,
            wait=True,
        )

    return post


async def send(draft: Draft, put: Put, *, ending: str, still: Still) -> Sent:
    """Raises `discord.HTTPException` where Discord fails in another way than saying no."""
    try:
        return await in_parts(draft, ending, still, put)
    except discord.HTTPException as error:
        if error.code in _CANNOT_SEND:
            logger.warning("may not write in this place", extra={"discord_code": error.code})
            return Sent.FORBIDDEN
        raise


async def in_parts(draft: Draft, ending: str, still: Still, put: Put) -> Sent:
    """A button stands under the last part. Where readers change between two parts, the rest is left out."""
    parts = split(draft.words, ending=ending)
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


def view_of(draft: Draft) -> discord.ui.View:
    """All that can be pressed under it."""
    return _view([*([] if draft.button is None else [draft.button]), *draft.choices, *draft.handles])


def _view(buttons: Iterable[Button]) -> discord.ui.View:
    """Without a button, an empty one is as good as none to Discord."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view


async def _answer(
    message: discord.Message, part: str, nonce: str, view: discord.ui.View, still: Still
) -> discord.Message:
    reference = message.to_reference(fail_if_not_exists=False)
    try:
        return await _post(message.channel, part, nonce, view, still, reference)
    except discord.HTTPException as error:
        if error.code not in _NO_REPLY_POSSIBLE:
            raise
        return await _post(message.channel, part, nonce, view, still)


async def _post(
    channel: discord.abc.Messageable,
    part: str,
    nonce: str,
    view: discord.ui.View,
    still: Still,
    reference: discord.MessageReference | None = None,
) -> discord.Message:
    if not still():
        raise ReadersChanged
    silent = discord.AllowedMentions.none()
    if reference is None:
        return await channel.send(part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True, view=view)
    return await channel.send(
        part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True, view=view, reference=reference
    )
