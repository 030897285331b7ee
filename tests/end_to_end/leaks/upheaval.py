"""What moderators do on a busy evening: whatever can change who reads what, at random."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from local_guild.actions.guilds import ThreadChange
from local_guild.server import LocalGuild
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Guild, Member, Overwrite, Role, User
from tests.end_to_end.leaks.canaries import BACK, LOOK_IN, READ_BACK, Canaries, Kind
from tests.end_to_end.leaks.scenery import OPENED, overwrite, random_overwrite, start_thread

ROOMS = (ChannelType.TEXT, ChannelType.TEXT, ChannelType.VOICE, ChannelType.CATEGORY, ChannelType.ANNOUNCEMENT)
SWITCHES = (LOOK_IN, BACK, int(Permission.ADMINISTRATOR), int(Permission.MANAGE_THREADS))


@dataclass
class Upheaval:
    server: LocalGuild
    rng: random.Random
    canaries: Canaries
    fewest: int = 8
    """Members and channels that stay, so that there is somebody to talk somewhere."""

    def change(self, guild: Guild, times: int = 1) -> list[str]:
        """Does something at random; what was done, for whoever has to find out why it leaked afterwards."""
        acts = [self.rng.choice(ACTS) for _ in range(times)]
        for act in acts:
            act(self, guild)
        return [act.__name__ for act in acts]

    def close(self, channel_id: int, _heard_in: Channel) -> str:
        """Somehow, so that fewer can read a channel; for a thread, the channel it belongs to."""
        room = self._room(self.server.world.channels.get(channel_id))
        if room is None:
            return "nothing to close"
        guild = self.server.world.guilds[room.guild_id or 0]
        member, role = self._member(guild).user_id, self._role(guild).id
        closing = (
            overwrite(guild, deny=LOOK_IN),
            overwrite(guild, deny=BACK),
            Overwrite(member, for_member=True, deny=LOOK_IN),
            Overwrite(role, for_member=False, deny=LOOK_IN),
        )
        self.server.places.put_overwrite(room, self.rng.choice(closing))
        return "close"

    def regroup(self, source_id: int, place: Channel) -> str:
        """Give or take one role, so that somebody sees the place who cannot read the source."""
        world = self.server.world
        source = world.channels.get(source_id)
        if source is None or place.id not in world.channels:
            return "nothing to regroup"
        guild = world.guilds[source.guild_id or 0]
        given = [one.id for one in guild.roles.values() if one.id != guild.id and not one.managed]
        people = [one for one in world.members(guild.id).values() if not world.users[one.user_id].bot]
        for member in self.rng.sample(people, len(people)):
            for role_id in (*member.role_ids, *given):
                role_ids = sorted({*member.role_ids} ^ {role_id})
                if self._parts(member, role_ids, source, place):
                    self.server.membership.change(guild, member, role_ids=role_ids)
                    return "regroup"
        return "nobody to regroup"

    def let_in(self, source_id: int, place: Channel) -> str:
        """Somebody comes to see the place who cannot read the source."""
        world, access = self.server.world, self.server.access
        source, room = world.channels.get(source_id), self._room(place)
        if source is None or room is None or room.guild_id is None or place.id not in world.channels:
            return "nobody to let in"
        strangers = [
            one
            for one in world.members(room.guild_id)
            if not world.users[one].bot
            and access.in_channel(source, one) & READ_BACK != READ_BACK
            and not access.may_view(place, one)
        ]
        if not strangers:
            return "nobody to let in"
        stranger = self.rng.choice(strangers)
        self.server.places.put_overwrite(room, Overwrite(stranger, for_member=True, allow=READ_BACK))
        if place.thread is not None and source.id != room.id:
            # Discord lets nobody into an archived one.
            if place.thread.archived:
                self.server.threads.change(place, place.thread, ThreadChange(archived=False))
            self.server.seats.join(place, stranger)
        return "let in"

    def _room(self, place: Channel | None) -> Channel | None:
        return place if place is None or place.thread is None else self.server.world.channels.get(place.parent_id or 0)

    def _parts(self, member: Member, role_ids: list[int], source: Channel, place: Channel) -> bool:
        """Tried on the world itself, and taken back before anybody can have noticed."""
        world, access, before = self.server.world, self.server.access, member.role_ids
        member.role_ids = role_ids
        world.revision += 1
        sees = access.may_view(place, member.user_id)
        reads = access.in_channel(source, member.user_id) & READ_BACK == READ_BACK
        member.role_ids = before
        world.revision += 1
        return sees and not reads

    def change_roles(self, guild: Guild) -> None:
        member, given = self._member(guild), [self._role(guild).id] if self.rng.random() < 0.5 else []
        kept = [one for one in member.role_ids if given or self.rng.random() < 0.5]
        self.server.membership.change(guild, member, role_ids=[*kept, *given])

    def change_overwrite(self, guild: Guild) -> None:
        on_member = self.rng.random() < 0.4
        target_id = self._member(guild).user_id if on_member else self._role(guild, everyone=True).id
        changed = random_overwrite(self.rng, target_id, for_member=on_member)
        self.server.places.put_overwrite(self._channel(guild), changed)

    def remove_overwrite(self, guild: Guild) -> None:
        channel = self._channel(guild)
        removable = sorted(channel.overwrites.keys() - {self.server.world.facts.bot_id})
        if removable:
            target = self.rng.choice(removable)
            self.server.places.change_channel(channel, lambda c: c.overwrites.__delitem__(target))

    def turn_private(self, guild: Guild) -> None:
        self.server.places.put_overwrite(self._channel(guild), overwrite(guild, deny=LOOK_IN))

    def turn_public(self, guild: Guild) -> None:
        self.server.places.put_overwrite(self._channel(guild), overwrite(guild, allow=READ_BACK))

    def take_history_away(self, guild: Guild) -> None:
        self.server.places.put_overwrite(self._channel(guild), overwrite(guild, deny=BACK))

    def change_age(self, guild: Guild) -> None:
        def toggle(channel: Channel) -> None:
            channel.nsfw = not channel.nsfw

        self.server.places.change_channel(self._channel(guild), toggle)

    def change_role(self, guild: Guild) -> None:
        switch = self.rng.choice(SWITCHES)

        def toggle(role: Role) -> None:
            role.permissions ^= switch

        self.server.places.change_role(guild, self._role(guild, everyone=self.rng.random() < 0.2), toggle)

    def remove_role(self, guild: Guild) -> None:
        if len(guild.roles) > 5:
            self.server.places.delete_role(guild, self._role(guild))

    def lose_member(self, guild: Guild) -> None:
        member = self._member(guild)
        if member.user_id != guild.owner_id and len(self.server.world.members(guild.id)) > self.fewest:
            self.server.membership.leave(guild, member)

    def gain_member(self, guild: Guild) -> None:
        """Somebody new, or who left and returns without their roles; not those named by a canary of the other guild."""
        world = self.server.world
        absent = [user for user in world.users.values() if world.member(guild.id, user.id) is None and not user.bot]
        absent = [user for user in absent if all(one.guild_id == guild.id for one in self.canaries.within(user.name))]
        user_id = self.server.ids.next()
        user = self.rng.choice([*absent, User(user_id, f"newcomer-{user_id}", f"token-{user_id}")])
        world.keep(user)
        self.server.membership.join(guild, user)

    def new_role(self, guild: Guild) -> None:
        role = Role(self.server.ids.next(), "", self.rng.choice((0, READ_BACK)))
        role.name = self.canaries.new(Kind.ROLE_NAME, guild.id).token
        self.server.places.add_role(guild, role)

    def change_owner(self, guild: Guild) -> None:
        guild.owner_id = self._member(guild).user_id
        self.server.places.announce_guild(guild)

    def rename_member(self, guild: Guild) -> None:
        nick = self.canaries.new(Kind.NICKNAME, guild.id).token
        self.server.membership.change(guild, self._member(guild), nick=nick)

    def change_thread(self, guild: Guild) -> None:
        """Somebody joins or leaves one, or it goes to the archive, comes back, or is deleted."""
        threads = [one for one in self.server.world.threads_of(guild.id) if one.thread is not None]
        for thread in self.rng.sample(threads, min(1, len(threads))):
            assert thread.thread is not None
            seated = sorted({*thread.thread.member_since} - {self.server.world.facts.bot_id})
            drawn = self.rng.random()
            if drawn < 0.1:
                self.server.threads.delete(thread)
            elif drawn < 0.4 or thread.thread.archived:
                change = ThreadChange(archived=not thread.thread.archived)
                self.server.threads.change(thread, thread.thread, change)
            elif seated and drawn < 0.7:
                self.server.seats.leave(thread, self.rng.choice(seated))
            else:
                self.server.seats.join(thread, self._member(guild).user_id)

    def new_thread(self, guild: Guild) -> None:
        parent = self._channel(guild)
        people = [one for one in self.server.access.viewers(parent) if not self.server.world.users[one].bot]
        if parent.type == ChannelType.TEXT and people:
            start_thread(self.server, parent, self.rng, self.canaries, private=self.rng.random() < 0.6)

    def new_channel(self, guild: Guild) -> None:
        channel = Channel(self.server.ids.next(), self.rng.choice(ROOMS), "", guild.id)
        channel.name = f"new-{self.canaries.new(Kind.CHANNEL_NAME, guild.id, channel.id).token}"
        bot_id = self.server.world.facts.bot_id
        channel.overwrites = {bot_id: Overwrite(bot_id, for_member=True, allow=OPENED)}
        if self.rng.random() < 0.5:
            channel.overwrites[guild.id] = overwrite(guild, deny=LOOK_IN)
        self.server.places.add_channel(channel)

    def delete_channel(self, guild: Guild) -> None:
        if len(list(self.server.world.channels_of(guild.id))) > self.fewest:
            self.server.places.delete_channel(self._channel(guild))

    def _member(self, guild: Guild) -> Member:
        world = self.server.world
        people = [one for one in world.members(guild.id).values() if not world.users[one.user_id].bot]
        return self.rng.choice(people)

    def _role(self, guild: Guild, *, everyone: bool = False) -> Role:
        """One that a person may have; the bot's own decides only what the bot sees."""
        roles = [one for one in guild.roles.values() if not one.managed and (everyone or one.id != guild.id)]
        return self.rng.choice(roles)

    def _channel(self, guild: Guild) -> Channel:
        return self.rng.choice(list(self.server.world.channels_of(guild.id)))


Act = Callable[[Upheaval, Guild], None]
ACTS: tuple[Act, ...] = (
    *(Upheaval.change_overwrite, Upheaval.remove_overwrite, Upheaval.turn_private, Upheaval.turn_public) * 3,
    *(Upheaval.change_roles, Upheaval.change_thread) * 4,
    *(Upheaval.change_role, Upheaval.remove_role, Upheaval.take_history_away, Upheaval.change_age) * 2,
    *(Upheaval.lose_member, Upheaval.gain_member, Upheaval.change_owner, Upheaval.rename_member),
    *(Upheaval.new_role, Upheaval.new_thread, Upheaval.new_channel, Upheaval.delete_channel),
)
