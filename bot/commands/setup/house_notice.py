"""The public notice that tells members what is kept of them, and posting it."""

import logging

import aiohttp
import discord

from bot.commands.describing import describe_keeping, describe_retention
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.core.log_values import Consent, LogSettings

logger = logging.getLogger(__name__)

_STORED = {Consent.OPT_OUT: Notice.HOUSE_STORES_ALL, Consent.OPT_IN: Notice.HOUSE_STORES_AGREED}


def house_notice(log: LogSettings, voice: Voice) -> str:
    stored = voice.say(_STORED[log.consent], kept=describe_retention(log, voice))
    return voice.say(Notice.HOUSE_NOTICE, stored=stored, facts=describe_keeping(log, voice))


def usual_place(guild: discord.Guild, here_id: int | None) -> int | None:
    """Where Discord's own announcements go, or else where the setup was called; None if we may write in neither."""
    system_id = None if guild.system_channel is None else guild.system_channel.id
    return next((one for one in (system_id, here_id) if one is not None and may_post(guild, one)), None)


def may_post(guild: discord.Guild, channel_id: int) -> bool:
    channel = guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        return False
    allowed = channel.permissions_for(guild.me)
    return allowed.view_channel and allowed.send_messages


async def post(guild: discord.Guild, channel_id: int, words: str) -> bool:
    """Whether it could be posted."""
    channel = guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        return False
    try:
        await channel.send(words, allowed_mentions=discord.AllowedMentions.none())
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("the notice was not posted", extra={"guild_id": guild.id, "reason": type(error).__name__})
        return False
    return True
