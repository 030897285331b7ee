"""Which channels a reply in a place may draw upon, from what Discord shows us now.

The closed view, where in doubt: a place may use itself and what the whole server can read. A channel counts as read
by all only if @everyone may view it and read it back, nothing takes that away from anyone, and no age is asked for.
"""

import discord

from memory.core.audience import Audience

Place = (
    discord.TextChannel
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.Thread
    | discord.DMChannel
    | discord.GroupChannel
    | discord.PartialMessageable
)
"""Wherever a message can stand; what discord.py calls `MessageableChannel`."""


def audience_of(channel: Place, guild: discord.Guild) -> Audience:
    return Audience(guild.id, channel.id, frozenset((channel.id,)) | public_places(guild))


def public_places(guild: discord.Guild) -> frozenset[int]:
    if guild.unavailable:
        return frozenset()
    channels = {channel.id for channel in guild.text_channels if _read_by_all(channel)}
    return frozenset(channels | {thread.id for thread in guild.threads if is_public(thread)})


def is_public(channel: Place) -> bool:
    if isinstance(channel, discord.Thread):
        parent = channel.parent
        return not channel.is_private() and parent is not None and _read_by_all(parent)
    return isinstance(channel, discord.TextChannel) and _read_by_all(channel)


def _read_by_all(channel: discord.TextChannel | discord.ForumChannel) -> bool:
    if channel.is_nsfw():
        return False
    everyone = channel.guild.default_role
    allowed = channel.permissions_for(everyone)
    if not (allowed.view_channel and allowed.read_message_history):
        return False
    return not any(
        overwrite.view_channel is False or overwrite.read_message_history is False
        for overwrite in channel.overwrites.values()
    )
