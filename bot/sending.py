"""Puts a reply where it belongs: in parts, pinging nobody, once, and only while its readers may read it.

In a channel it answers the message it belongs to; to one person alone it answers their interaction.
"""

import logging
from collections.abc import Awaitable, Callable

import discord

from bot.drafts import Button, Draft, Sent
from bot.reply import split

logger = logging.getLogger(__name__)

# 10008: the message is gone. 50035: Discord found the reference invalid. 160002: a reply needs Read Message History.
_NO_REPLY_POSSIBLE = frozenset((10008, 50035, 160002))
_CANNOT_SEND = frozenset((10003, 50001, 50013))

Still = Callable[[], bool]
"""Whether the readers may still read it."""


class ReadersChanged(Exception):
    """Its readers may not read it any longer."""


async def send_reply(message: discord.Message, draft: Draft, *, ending: str, still: Still) -> Sent:
    """Raises `discord.HTTPException` where Discord fails in another way than saying no."""

    async def post(number: int, part: str, view: discord.ui.View, check: Still) -> None:
        # Discord drops a second message with the same nonce for some minutes: a repeated send is harmless.
        nonce = f"{message.id}-{number}"
        if number == 0:
            await _answer(message, part, nonce, view, check)
        else:
            await _post(message.channel, part, nonce, view, check)

    try:
        return await in_parts(draft, ending, still, post)
    except discord.HTTPException as error:
        if error.code in _CANNOT_SEND:
            logger.warning(
                "may not write in this channel",
                extra={"channel_id": message.channel.id, "discord_code": error.code},
            )
            return Sent.FORBIDDEN
        raise


async def send_privately(interaction: discord.Interaction, draft: Draft, *, ending: str, still: Still) -> Sent:
    """To the one who used a command or a button, who has been told to wait. Raises `discord.HTTPException`."""

    async def post(_number: int, part: str, view: discord.ui.View, check: Still) -> None:
        if not check():
            raise ReadersChanged
        await interaction.followup.send(
            part, ephemeral=True, allowed_mentions=discord.AllowedMentions.none(), suppress_embeds=True, view=view
        )

    return await in_parts(draft, ending, still, post)


async def in_parts(
    draft: Draft,
    ending: str,
    still: Still,
    post: Callable[[int, str, discord.ui.View, Still], Awaitable[None]],
) -> Sent:
    """A button stands under the last part. Where readers change between two parts, the rest is left out."""
    parts = split(draft.words, ending=ending)
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        try:
            await post(number, part, _view(draft.button if is_last else None), still)
        except ReadersChanged:
            if number == 0:
                return Sent.CHANGED
            await post(number, ending, _view(draft.button), lambda: True)
            break
    return Sent.DELIVERED if parts else Sent.NOTHING


def _view(button: Button | None) -> discord.ui.View:
    """Without a button, an empty one is as good as none to Discord."""
    view = discord.ui.View(timeout=None)
    if button is not None:
        view.add_item(button)
    return view


async def _answer(message: discord.Message, part: str, nonce: str, view: discord.ui.View, still: Still) -> None:
    reference = message.to_reference(fail_if_not_exists=False)
    try:
        await _post(message.channel, part, nonce, view, still, reference)
    except discord.HTTPException as error:
        if error.code not in _NO_REPLY_POSSIBLE:
            raise
        await _post(message.channel, part, nonce, view, still)


async def _post(
    channel: discord.abc.Messageable,
    part: str,
    nonce: str,
    view: discord.ui.View,
    still: Still,
    reference: discord.MessageReference | None = None,
) -> None:
    if not still():
        raise ReadersChanged
    silent = discord.AllowedMentions.none()
    if reference is None:
        await channel.send(part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True, view=view)
    else:
        await channel.send(
            part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True, view=view, reference=reference
        )
