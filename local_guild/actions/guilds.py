"""Makes, changes and removes channels, overwrites, roles and people; has guilds fall out and come back."""

from collections.abc import Callable

from local_guild.actions.posting import Draft, Posting
from local_guild.actions.realm import Realm, Visibility
from local_guild.gateway.events import Event, Intent
from local_guild.gateway.socket import Greeter
from local_guild.payloads import role_payload
from local_guild.state.describe import BOT_PERMISSIONS
from local_guild.state.ids import JsonObject
from local_guild.state.world import Channel, Guild, Member, Overwrite, Role, User


class Places:
    def __init__(self, realm: Realm, visibility: Visibility) -> None:
        self._realm = realm
        self._visibility = visibility

    def add_channel(self, channel: Channel) -> None:
        self._realm.world.keep(channel)
        self._announce("CHANNEL_CREATE", channel)

    def change_channel(self, channel: Channel, change: Callable[[Channel], None]) -> None:
        with self._visibility.changing(self._guild_of(channel)):
            change(channel)
            self._realm.world.keep(channel)
            self._announce("CHANNEL_UPDATE", channel)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads; rooms of a category stay. No message events, as on Discord."""
        world = self._realm.world
        guild = self._guild_of(channel)
        self._announce("CHANNEL_DELETE", channel)
        for thread in list(world.threads_of(guild.id, channel.id)):
            world.drop(thread)
        for child in [c for c in world.channels_of(guild.id) if c.parent_id == channel.id]:
            child.parent_id = None
            world.keep(child)
            self._announce("CHANNEL_UPDATE", child)
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

    def _announce(self, name: str, channel: Channel) -> None:
        payload = self._realm.payloads.channel(channel)
        self._realm.tell_channel(name, channel, payload, Intent.GUILDS, structural=True)


USER_JOIN = 7


class Membership:
    def __init__(
        self, realm: Realm, visibility: Visibility, greeter: Greeter, posting: Posting, places: Places
    ) -> None:
        self._realm = realm
        self._visibility = visibility
        self._greeter = greeter
        self._posting = posting
        self._places = places

    def join(self, guild: Guild, user: User, role_ids: list[int] | None = None) -> Member:
        """Add a member: the guild sees them and a welcome, the newcomer sees the guild."""
        world = self._realm.world
        member = Member(guild.id, user.id, self._realm.clock.now(), role_ids=list(role_ids or []))
        if user.id == world.facts.bot_id:
            role = Role(self._realm.ids.next(), user.name, BOT_PERMISSIONS, len(guild.roles), bot_id=user.id)
            self._places.add_role(guild, role)
            member.role_ids.append(role.id)
        world.keep(member)
        for session in self._visibility.sessions.of_user(user.id):
            if session.shard.holds(guild.id):
                self._greeter.introduce(session, guild, joined=True)
        others = frozenset(world.members(guild.id)) - {user.id}
        told = self._realm.payloads.member(member)
        self._realm.tell_guild("GUILD_MEMBER_ADD", guild, told, Intent.GUILD_MEMBERS, only=others)
        self._welcome(guild, user)
        return member

    def leave(self, guild: Guild, member: Member) -> None:
        """Take a member out, as a kick does. The bot that leaves hears GUILD_DELETE without `unavailable`."""
        world = self._realm.world
        for thread in list(world.threads_of(guild.id)):
            self._posting.seats.leave(thread, member.user_id)
        self._realm.hub.tell_user(
            member.user_id, Event(name="GUILD_DELETE", data={"id": str(guild.id)}, guild_id=guild.id)
        )
        world.drop(member)
        data: JsonObject = {"user": self._realm.payloads.user(member.user_id)}
        self._realm.tell_guild("GUILD_MEMBER_REMOVE", guild, data, Intent.GUILD_MEMBERS)
        for role in [role for role in guild.roles.values() if role.bot_id == member.user_id]:
            self._places.delete_role(guild, role)

    def change(
        self, guild: Guild, member: Member, *, nick: str | None = None, role_ids: list[int] | None = None
    ) -> None:
        """Change a member. An empty nick takes the nickname away; None leaves things as they are."""
        with self._visibility.changing(guild):
            if nick is not None:
                member.nick = nick or None
            if role_ids is not None:
                member.role_ids = list(dict.fromkeys(role_ids))
            self._realm.world.keep(member)
            told, about = self._realm.payloads.member(member), frozenset({member.user_id})
            self._realm.tell_guild("GUILD_MEMBER_UPDATE", guild, told, Intent.GUILD_MEMBERS, about=about)

    def fall_out(self, guild: Guild) -> None:
        """Take a guild out of reach, as in an outage: it is still there."""
        self._realm.tell_guild("GUILD_DELETE", guild, {"id": str(guild.id), "unavailable": True})
        guild.unavailable = True
        self._realm.world.keep(guild)

    def come_back(self, guild: Guild) -> None:
        guild.unavailable = False
        self._realm.world.keep(guild)
        members = self._realm.world.members(guild.id)
        for session in self._visibility.sessions:
            if session.reader.user_id in members and session.shard.holds(guild.id):
                self._greeter.introduce(session, guild)

    def _welcome(self, guild: Guild, user: User) -> None:
        channel = self._realm.world.channels.get(guild.system_channel_id or 0)
        if channel is not None:
            self._posting.send(Draft(channel=channel, author_id=user.id, type=USER_JOIN))
