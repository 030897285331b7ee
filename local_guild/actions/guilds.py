"""Makes, changes and removes channels, threads, roles and people; tells who gains or loses sight of what by that."""

import contextlib
from collections.abc import Callable, Iterator, Sequence

from pydantic import BaseModel, Field

from local_guild.actions.posting import Draft, Posting, ThreadSeats
from local_guild.actions.realm import Realm, place_of, reference_to
from local_guild.gateway.sessions import Event, Intent, Session, Sessions
from local_guild.gateway.socket import Greeter
from local_guild.payloads import role_payload
from local_guild.state.describe import BOT_PERMISSIONS
from local_guild.state.ids import JsonObject
from local_guild.state.messages import HAS_THREAD, Message
from local_guild.state.world import Channel, ChannelType, Guild, Member, Overwrite, Role, Thread, User


class Places:
    def __init__(self, realm: Realm, sessions: Sessions) -> None:
        self._realm = realm
        self.sessions = sessions

    def add_channel(self, channel: Channel) -> None:
        self._realm.world.keep(channel)
        self._announce("CHANNEL_CREATE", channel)

    def change_channel(self, channel: Channel, change: Callable[[Channel], None]) -> None:
        with self.changing(self._guild_of(channel)):
            change(channel)
            self._realm.world.keep(channel)
            self._announce("CHANNEL_UPDATE", channel)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads. No message events, as on Discord."""
        world = self._realm.world
        guild = self._guild_of(channel)
        self._announce("CHANNEL_DELETE", channel)
        for thread in list(world.threads_of(guild.id, channel.id)):
            world.drop(thread)
        world.drop(channel)

    def put_overwrite(self, channel: Channel, overwrite: Overwrite) -> None:
        self.change_channel(channel, lambda c: c.overwrites.__setitem__(overwrite.id, overwrite))

    def add_role(self, guild: Guild, role: Role) -> None:
        guild.roles[role.id] = role
        self._realm.world.keep(guild)
        self._realm.tell_guild("GUILD_ROLE_CREATE", guild, {"role": role_payload(role)})

    def change_role(self, guild: Guild, role: Role, change: Callable[[Role], None]) -> None:
        with self.changing(guild):
            change(role)
            self._realm.world.keep(guild)
            self._realm.tell_guild("GUILD_ROLE_UPDATE", guild, {"role": role_payload(role)})

    def delete_role(self, guild: Guild, role: Role) -> None:
        world = self._realm.world
        with self.changing(guild):
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

    @contextlib.contextmanager
    def changing(self, guild: Guild) -> Iterator[None]:
        """Tell each session, after whatever happens inside, which rooms it gained and lost."""
        before = [(session, self._seen_by(session, guild)) for session in self.sessions]
        yield
        for session, seen in before:
            if self._realm.world.member(guild.id, session.reader.user_id) is None:
                continue
            now = self._seen_by(session, guild)
            for channel_id in seen - now:
                # An application knows of every channel anyway; a deleted one has been announced as such.
                channel = self._realm.world.channels.get(channel_id)
                if channel is not None and not session.application:
                    self._show_or_hide(session, "CHANNEL_DELETE", channel)
            for channel_id in now - seen:
                self._gain(session, self._realm.world.channels[channel_id])

    def _seen_by(self, session: Session, guild: Guild) -> set[int]:
        user_id = session.reader.user_id
        if not session.shard.holds(guild.id) or self._realm.world.member(guild.id, user_id) is None:
            return set()
        return {
            channel.id
            for channel in self._realm.world.channels_of(guild.id)
            if self._realm.access.may_view(channel, user_id)
        }

    def _gain(self, session: Session, channel: Channel) -> None:
        if not session.application:
            self._show_or_hide(session, "CHANNEL_CREATE", channel)
        reader_id = session.reader.user_id
        threads = [
            thread
            for thread in self._realm.payloads.active_threads(channel.guild_id or 0, reader_id)
            if thread.parent_id == channel.id
        ]
        if not session.reader.intents & Intent.GUILDS:
            return
        payloads = [self._realm.payloads.channel(thread, reader_id) for thread in threads]
        data: JsonObject = {
            "guild_id": str(channel.guild_id),
            "channel_ids": [str(channel.id)],
            "threads": payloads,
            "members": [payload["member"] for payload in payloads if "member" in payload],
        }
        self._realm.hub.tell(session, Event(name="THREAD_LIST_SYNC", data=data))

    def _show_or_hide(self, session: Session, name: str, channel: Channel) -> None:
        self._realm.hub.tell(session, Event(name=name, data=self._realm.payloads.channel(channel)))


USER_JOIN = 7


class Membership:
    def __init__(self, realm: Realm, places: Places, greeter: Greeter, posting: Posting) -> None:
        self._realm = realm
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
        for session in self._places.sessions.of_user(user.id):
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
        with self._places.changing(guild):
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
        for session in self._places.sessions:
            if session.reader.user_id in members and session.shard.holds(guild.id):
                self._greeter.introduce(session, guild)

    def _welcome(self, guild: Guild, user: User) -> None:
        channel = self._realm.world.channels.get(guild.system_channel_id or 0)
        if channel is not None:
            self._posting.send(Draft(channel=channel, author_id=user.id, type=USER_JOIN))


# Threads: started, archived, locked, renamed and deleted.


THREAD_CREATED = 18
THREAD_STARTER = 21


class ThreadChange(BaseModel):
    """Says what a change of a thread sets; None leaves it."""

    name: str | None = Field(default=None, min_length=1, max_length=100)
    archived: bool | None = None


class Threads:
    def __init__(self, realm: Realm, posting: Posting, seats: ThreadSeats) -> None:
        self._realm = realm
        self._posting = posting
        self._seats = seats

    def start_from(self, message: Message, name: str, owner_id: int) -> Channel:
        """Start a thread on a message: it has the message's id, and opens with a pointer back to it."""
        parent = self._realm.world.channels[message.channel_id]
        channel = self._open(message.id, parent, name, self._begun_by(owner_id), private=False)
        message.flags |= HAS_THREAD
        self._posting.announce_change(message)
        reference = reference_to(parent, message.id)
        self._posting.send(Draft(channel=channel, author_id=owner_id, type=THREAD_STARTER, reference=reference))
        return channel

    def start(
        self,
        parent: Channel,
        name: str,
        owner_id: int,
        *,
        private: bool,
        invitable: bool = True,
        applied_tags: Sequence[int] = (),
    ) -> Channel:
        thread = self._begun_by(owner_id)
        thread.invitable, thread.applied_tags = invitable, list(applied_tags)
        channel = self._open(self._realm.ids.next(), parent, name, thread, private=private)
        if not private and parent.type != ChannelType.FORUM:
            told = Draft(channel=parent, author_id=owner_id, content=name, type=THREAD_CREATED)
            told.reference = {"type": 0} | place_of(channel)
            self._posting.send(told)
        return channel

    def change(self, channel: Channel, thread: Thread, change: ThreadChange) -> None:
        if change.name is not None:
            channel.name = change.name
        if change.archived is not None and change.archived != thread.archived:
            thread.archived = change.archived
            thread.archived_at = self._realm.clock.now()
        self._realm.world.keep(channel)
        self._realm.hub.dispatch(self._seats.announcement("THREAD_UPDATE", channel))

    def delete(self, channel: Channel) -> None:
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": str(channel.guild_id),
            "parent_id": str(channel.parent_id),
            "type": channel.type,
        }
        self._realm.tell_channel("THREAD_DELETE", channel, data, Intent.GUILDS)
        self._realm.world.drop(channel)

    def _begun_by(self, owner_id: int) -> Thread:
        now = self._realm.clock.now()
        return Thread(owner_id, archived_at=now, member_since={owner_id: now})

    def _open(self, thread_id: int, parent: Channel, name: str, thread: Thread, *, private: bool) -> Channel:
        if private:
            kind = ChannelType.PRIVATE_THREAD
        elif parent.type == ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        else:
            kind = ChannelType.PUBLIC_THREAD
        channel = Channel(thread_id, kind, name, parent.guild_id, parent.id, nsfw=parent.nsfw, thread=thread)
        self._realm.world.keep(channel)
        self._realm.hub.dispatch(self._seats.announcement("THREAD_CREATE", channel, newly_created=True))
        return channel
