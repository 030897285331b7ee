"""Where discord.py's cache of a guild would go wrong unnoticed, and with it our view of who sees what.

It keeps the channels, threads and members of a guild that was unavailable, though some may be gone by the time that the
guild is back. And a member it has never heard of is taken in by an update without a word to anyone.
"""

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from discord.types.gateway import GuildMemberUpdateEvent
    from discord.types.guild import Guild as GuildPayload


def mend_cache(client: discord.Client) -> None:
    """From now on, on every shard: they share one table of parsers."""
    parsers = client._connection.parsers
    create, update = parsers["GUILD_CREATE"], parsers["GUILD_MEMBER_UPDATE"]

    def guild_created(payload: "GuildPayload") -> None:
        guild = client.get_guild(int(payload["id"]))
        if guild is not None and guild.unavailable:
            guild._channels.clear()
            guild._threads.clear()
            guild._members.clear()
        create(payload)

    def member_updated(payload: "GuildMemberUpdateEvent") -> None:
        guild, user_id = client.get_guild(int(payload["guild_id"])), int(payload["user"]["id"])
        was_unknown = guild is not None and guild.get_member(user_id) is None
        update(payload)
        member = None if guild is None else guild.get_member(user_id)
        if was_unknown and member is not None:
            client.dispatch("member_join", member)

    parsers["GUILD_CREATE"], parsers["GUILD_MEMBER_UPDATE"] = guild_created, member_updated
