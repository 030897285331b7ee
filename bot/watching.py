"""Roles, channels and threads as Discord tells of them, to whoever keeps track of who may see what.

Nothing here waits: what an event changed holds for whatever comes after it.
"""

import discord

from bot.placing import to_place, to_role
from bot.thread_guests import ThreadGuests
from memory.places.mirror import PlaceMirror


class Watching:
    def __init__(self, seeing: PlaceMirror, guests: ThreadGuests) -> None:
        self._seeing = seeing
        self._guests = guests

    def owner_changed(self, guild: discord.Guild) -> None:
        self._seeing.owner(guild.id, guild.owner_id)

    def role_changed(self, role: discord.Role) -> None:
        self._seeing.role(role.guild.id, to_role(role))

    def role_deleted(self, role: discord.Role) -> None:
        self._seeing.no_role(role.guild.id, role.id)

    def channel_changed(self, channel: discord.abc.GuildChannel) -> None:
        self._seeing.place(channel.guild.id, to_place(channel))

    def place_deleted(self, guild_id: int, place_id: int) -> None:
        self._seeing.no_place(guild_id, place_id)
        self._guests.gone(guild_id, place_id)

    def thread_seen(self, thread: discord.Thread) -> None:
        """It was made, came into view, left the archive or was found there. Its kind and its channel never change."""
        known = self._seeing.known_place(thread.guild.id, thread.id)
        if known is None or (known.members is None and thread.is_private()):
            self._guests.ask(thread)

    def thread_out_of_view(self, thread: discord.Thread) -> None:
        """We are told no more of who enters and leaves it."""
        if thread.is_private():
            self._guests.ask(thread)

    def own_view_changed(self, guild: discord.Guild) -> None:
        """Of some private threads we may be told no more; of others we may be told now."""
        for place in self._seeing.private_threads(guild.id):
            self._guests.ask_anew(guild, place)

    def thread_entered(self, member: discord.ThreadMember) -> None:
        self._guests.entered(member.thread.guild.id, member.thread_id, member.id)

    def thread_left(self, event: discord.RawThreadMembersUpdate) -> None:
        removed = {int(user_id) for user_id in event.data.get("removed_member_ids", [])}
        self._guests.left(event.guild_id, event.thread_id, removed)
