"""Channels, their overwrites, and roles: made, changed and taken away."""

from collections.abc import Callable

from local_guild.actions.realm import Realm
from local_guild.actions.visibility import Visibility
from local_guild.gateway.events import Intent
from local_guild.payloads.objects import role_payload
from local_guild.state.world import Channel, Guild, Overwrite, Role


class Places:
    def __init__(self, realm: Realm, visibility: Visibility) -> None:
        self._realm = realm
        self._visibility = visibility

    def add_channel(self, channel: Channel) -> None:
        self._realm.world.keep(channel)
        self._tell("CHANNEL_CREATE", channel)

    def change_channel(self, channel: Channel, change: Callable[[Channel], None]) -> None:
        with self._visibility.changing(self._guild_of(channel)):
            change(channel)
            self._realm.world.keep(channel)
            self._tell("CHANNEL_UPDATE", channel)

    def delete_channel(self, channel: Channel) -> None:
        """With its threads; rooms of a category stay, without it. No message events, as on Discord."""
        world = self._realm.world
        guild = self._guild_of(channel)
        self._tell("CHANNEL_DELETE", channel)
        for thread in list(world.threads_of(guild.id, channel.id)):
            world.drop(thread)
        for child in [c for c in world.channels_of(guild.id) if c.parent_id == channel.id]:
            child.parent_id = None
            world.keep(child)
            self._tell("CHANNEL_UPDATE", child)
        world.drop(channel)
        if guild.system_channel_id == channel.id:
            guild.system_channel_id = None
            self.announce_guild(guild)

    def put_overwrite(self, channel: Channel, overwrite: Overwrite) -> None:
        self.change_channel(channel, lambda c: c.overwrites.__setitem__(overwrite.id, overwrite))

    def remove_overwrite(self, channel: Channel, overwrite_id: int) -> None:
        self.change_channel(channel, lambda c: c.overwrites.__delitem__(overwrite_id))

    def add_role(self, guild: Guild, role: Role) -> None:
        guild.roles[role.id] = role
        self._realm.world.keep(guild)
        self._realm.tell_guild("GUILD_ROLE_CREATE", guild, {"role": role_payload(role)})

    def change_role(self, guild: Guild, role: Role, change: Callable[[Role], None]) -> None:
        with self._visibility.changing(guild):
            change(role)
            self._realm.world.keep(guild)
            self._realm.tell_guild("GUILD_ROLE_UPDATE", guild, {"role": role_payload(role)})

    def delete_role(self, guild: Guild, role: Role) -> None:
        world = self._realm.world
        with self._visibility.changing(guild):
            for member in world.members(guild.id).values():
                if role.id in member.role_ids:
                    member.role_ids.remove(role.id)
                    world.keep(member)
            for channel in world.channels_of(guild.id):
                if channel.overwrites.pop(role.id, None) is not None:
                    world.keep(channel)
            del guild.roles[role.id]
            world.keep(guild)
            self._realm.tell_guild("GUILD_ROLE_DELETE", guild, {"role_id": str(role.id)})

    def announce_guild(self, guild: Guild) -> None:
        self._realm.world.keep(guild)
        self._realm.tell_guild("GUILD_UPDATE", guild, self._realm.payloads.guild(guild))

    def _guild_of(self, channel: Channel) -> Guild:
        if channel.guild_id is None:
            raise ValueError(f"channel {channel.id} belongs to no guild")
        return self._realm.world.guilds[channel.guild_id]

    def _tell(self, name: str, channel: Channel) -> None:
        payload = self._realm.payloads.channel(channel)
        self._realm.tell_channel(name, channel, payload, Intent.GUILDS, structural=True)
