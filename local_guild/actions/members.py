"""People coming, going and changing; guilds falling out and coming back."""

from local_guild.actions.channels import Places
from local_guild.actions.posting import Draft, Posting, ThreadSeats
from local_guild.actions.realm import Realm
from local_guild.actions.visibility import Visibility
from local_guild.gateway.events import Event, Intent
from local_guild.gateway.ready import Greeter
from local_guild.gateway.sessions import Sessions
from local_guild.state.describe import BOT_PERMISSIONS
from local_guild.state.ids import JsonObject
from local_guild.state.world import Guild, Member, Role, User

USER_JOIN = 7


class Membership:
    def __init__(
        self,
        realm: Realm,
        *,
        sessions: Sessions,
        greeter: Greeter,
        posting: Posting,
        places: Places,
        seats: ThreadSeats,
        visibility: Visibility,
    ) -> None:
        self._realm = realm
        self._sessions = sessions
        self._greeter = greeter
        self._posting = posting
        self._places = places
        self._seats = seats
        self._visibility = visibility

    def join(self, guild: Guild, user: User, role_ids: list[int] | None = None) -> Member:
        """The guild sees a new member and a welcome; the newcomer sees the guild."""
        world = self._realm.world
        member = Member(guild.id, user.id, self._realm.clock.now(), role_ids=list(role_ids or []))
        if user.id == world.facts.bot_id:
            role = Role(
                self._realm.ids.next(),
                user.name,
                BOT_PERMISSIONS,
                position=len(guild.roles),
                managed=True,
                bot_id=user.id,
            )
            self._places.add_role(guild, role)
            member.role_ids.append(role.id)
        world.keep(member)
        newcomers = self._sessions.of_user(user.id)
        for session in newcomers:
            if session.shard.holds(guild.id):
                self._greeter.introduce(session, guild, joined=True)
        others = frozenset(world.members(guild.id)) - {user.id}
        told = self._realm.payloads.member(member)
        self._realm.tell_guild("GUILD_MEMBER_ADD", guild, told, Intent.GUILD_MEMBERS, only=others)
        self._welcome(guild, user)
        return member

    def leave(self, guild: Guild, member: Member) -> None:
        """Also what a kick does. The bot that leaves hears GUILD_DELETE without `unavailable`."""
        world = self._realm.world
        for thread in list(world.threads_of(guild.id)):
            self._seats.leave(thread, member.user_id)
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
        """An empty nick takes the nickname away; None leaves things as they are."""
        with self._visibility.changing(guild):
            if nick is not None:
                member.nick = nick or None
            if role_ids is not None:
                member.role_ids = list(dict.fromkeys(role_ids))
            self._realm.world.keep(member)
            told, about = self._realm.payloads.member(member), frozenset({member.user_id})
            self._realm.tell_guild("GUILD_MEMBER_UPDATE", guild, told, Intent.GUILD_MEMBERS, about=about)

    def fall_out(self, guild: Guild) -> None:
        """An outage: the guild is there, but out of reach."""
        self._realm.tell_guild("GUILD_DELETE", guild, {"id": str(guild.id), "unavailable": True})
        guild.unavailable = True
        self._realm.world.keep(guild)

    def come_back(self, guild: Guild) -> None:
        guild.unavailable = False
        self._realm.world.keep(guild)
        members = self._realm.world.members(guild.id)
        for session in self._sessions:
            if session.reader.user_id in members and session.shard.holds(guild.id):
                self._greeter.introduce(session, guild)

    def _welcome(self, guild: Guild, user: User) -> None:
        channel = self._realm.world.channels.get(guild.system_channel_id or 0)
        if channel is not None:
            self._posting.send(Draft(channel=channel, author_id=user.id, type=USER_JOIN))
