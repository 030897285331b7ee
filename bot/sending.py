"""Puts a reply into a channel: in parts, as an answer to the message it belongs to, pinging nobody, and once."""

import logging
from enum import StrEnum

import discord

from bot.reply import split

logger = logging.getLogger(__name__)

# 10008: the message is gone. 50035: Discord found the reference invalid. 160002: a reply needs Read Message History.
_NO_REPLY_POSSIBLE = frozenset((10008, 50035, 160002))
_CANNOT_SEND = frozenset((10003, 50001, 50013))


class Sent(StrEnum):
    DELIVERED = "delivered"
    NOTHING = "nothing"
    """There was no text to send."""
    FORBIDDEN = "forbidden"
    """The bot may not write there, or the place is gone."""


async def send_reply(message: discord.Message, text: str, *, ending: str) -> Sent:
    """Raises `discord.HTTPException` where Discord fails in another way than saying no."""
    parts = split(text, ending=ending)
    for number, part in enumerate(parts):
        # Discord drops a second message with the same nonce for some minutes: a repeated send is harmless.
        nonce = f"{message.id}-{number}"
        try:
            if number == 0:
                await _answer(message, part, nonce)
            else:
                await _post(message.channel, part, nonce)
        except discord.HTTPException as error:
            if error.code in _CANNOT_SEND:
                logger.warning(
                    "may not write in this channel",
                    extra={"channel_id": message.channel.id, "discord_code": error.code},
                )
                return Sent.FORBIDDEN
            raise
    return Sent.DELIVERED if parts else Sent.NOTHING


async def _answer(message: discord.Message, part: str, nonce: str) -> None:
    reference = message.to_reference(fail_if_not_exists=False)
    try:
        await _post(message.channel, part, nonce, reference)
    except discord.HTTPException as error:
        if error.code not in _NO_REPLY_POSSIBLE:
            raise
        await _post(message.channel, part, nonce)


async def _post(
    channel: discord.abc.Messageable,
    part: str,
    nonce: str,
    reference: discord.MessageReference | None = None,
) -> None:
    silent = discord.AllowedMentions.none()
    if reference is None:
        await channel.send(part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True)
    else:
        await channel.send(part, nonce=nonce, allowed_mentions=silent, suppress_embeds=True, reference=reference)
