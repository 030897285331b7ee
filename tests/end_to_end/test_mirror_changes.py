"""Whatever happens to a guild, in whatever order and while the bot is whatever far away: the mirror ends up right."""

import contextlib
import random
from collections.abc import AsyncIterator, Callable

import pytest

from local_guild.actions.threads import ThreadChange
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Member, Overwrite, Role, User
from tests.end_to_end.house import GENERAL, Inn
from tests.end_to_end.mirror import Mirror

SCENES = 8
CHANGES_EACH = 12
SOME_PERMISSIONS = (
    Permission.VIEW_CHANNEL,
    Permission.READ_MESSAGE_HISTORY,
    Permission.MANAGE_THREADS,
    Permission.ADMINISTRATOR,
    Permission.CONNECT,
    Permission.SEND_MESSAGES,
)
SOME_ROOMS = (ChannelType.TEXT, ChannelType.VOICE, ChannelType.CATEGORY, ChannelType.ANNOUNCEMENT)


class Mischief:
    """One change after the other, each possible in the guild as it is."""

    def __init__(self, inn: Inn, seed: int) -> None:
        self._inn = inn
        self._server = inn.house.server
        self._guild = inn.guild
        self._random = random.Random(seed)
        self._general = inn.channel(GENERAL).id
        self._changes: list[Callable[[], None]] = [
            self._new_room,
            self._delete_room,
            self._door,
            self._door,
            self._door,
            self._open_door,
            self._age,
            self._new_role,
            self._role,
            self._role,
            self._delete_role,
            self._roles_of_somebody,
            self._roles_of_somebody,
            self._newcomer,
            self._farewell,
            self._new_owner,
            self._new_thread,
            self._new_thread,
            self._archive,
            self._delete_thread,
            self._enter_thread,
            self._enter_thread,
            self._leave_thread,
        ]

    def some(self) -> None:
        for _ in range(CHANGES_EACH):
            self._random.choice(self._changes)()

    def _new_room(self) -> None:
        kind = self._random.choice(SOME_ROOMS)
        categories = [room.id for room in self._rooms() if room.type == ChannelType.CATEGORY]
        parent = self._random.choice([None, *categories]) if kind != ChannelType.CATEGORY else None
        room_id = self._server.ids.next()
        self._server.places.add_channel(Channel(room_id, kind, f"room-{room_id}", self._guild.id, parent))

    def _delete_room(self) -> None:
        rooms = [room for room in self._rooms() if room.id != self._general]
        if rooms:
            self._server.places.delete_channel(self._random.choice(rooms))

    def _door(self) -> None:
        target = self._random.choice([*self._guild.roles, *self._members()])
        allow, deny = self._permissions(), self._permissions()
        door = Overwrite(target, for_member=target not in self._guild.roles, allow=allow & ~deny, deny=deny)
        self._server.places.put_overwrite(self._random.choice(self._rooms()), door)

    def _open_door(self) -> None:
        rooms = [room for room in self._rooms() if room.overwrites]
        if rooms:
            room = self._random.choice(rooms)
            self._server.places.remove_overwrite(room, self._random.choice(list(room.overwrites)))

    def _age(self) -> None:
        rooms = [room for room in self._rooms() if room.type == ChannelType.TEXT]
        room = self._random.choice(rooms)
        self._server.places.change_channel(room, lambda changed: setattr(changed, "nsfw", not changed.nsfw))

    def _new_role(self) -> None:
        role_id = self._server.ids.next()
        self._server.places.add_role(self._guild, Role(role_id, f"role-{role_id}", self._permissions()))

    def _role(self) -> None:
        """Rarely one that opens everything: with it, nothing else would matter."""
        permissions = self._permissions()
        if self._random.random() < 0.8:
            permissions &= ~Permission.ADMINISTRATOR
        role = self._random.choice(list(self._guild.roles.values()))
        self._server.places.change_role(self._guild, role, lambda changed: setattr(changed, "permissions", permissions))

    def _delete_role(self) -> None:
        roles = [role for role in self._guild.roles.values() if role.id != self._guild.id and not role.managed]
        if roles:
            self._server.places.delete_role(self._guild, self._random.choice(roles))

    def _roles_of_somebody(self) -> None:
        member = self._random.choice(list(self._members().values()))
        kept = [role_id for role_id in member.role_ids if self._guild.roles[role_id].managed]
        free = [role.id for role in self._guild.roles.values() if role.id != self._guild.id and not role.managed]
        chosen = self._random.sample(free, self._random.randint(0, len(free)))
        self._server.membership.change(self._guild, member, role_ids=kept + chosen)

    def _newcomer(self) -> None:
        user_id = self._server.ids.next()
        user = User(user_id, f"user-{user_id}", f"token-{user_id}", bot=self._random.random() < 0.2)
        self._server.world.keep(user)
        self._server.membership.join(self._guild, user)

    def _farewell(self) -> None:
        leaving = [
            m for m in self._members().values() if m.user_id not in (self._inn.house.bot.id, self._guild.owner_id)
        ]
        if leaving:
            self._server.membership.leave(self._guild, self._random.choice(leaving))

    def _new_owner(self) -> None:
        people = [user_id for user_id in self._members() if not self._server.world.users[user_id].bot]
        self._guild.owner_id = self._random.choice(people)
        self._server.places.announce_guild(self._guild)

    def _new_thread(self) -> None:
        rooms = [room for room in self._rooms() if room.type == ChannelType.TEXT]
        owner = self._random.choice(list(self._members()))
        private = self._random.random() < 0.5
        thread = self._server.threads.start(self._random.choice(rooms), "a thread", owner, private=private)
        if self._random.random() < 0.7:
            self._server.seats.join(thread, self._inn.house.bot.id)

    def _archive(self) -> None:
        if threads := self._threads():
            channel = self._random.choice(threads)
            assert channel.thread is not None
            change = ThreadChange(archived=not channel.thread.archived)
            self._server.threads.change(channel, channel.thread, change)

    def _delete_thread(self) -> None:
        if threads := self._threads():
            self._server.threads.delete(self._random.choice(threads))

    def _enter_thread(self) -> None:
        if threads := [thread for thread in self._threads() if _is_in_use(thread)]:
            self._server.seats.join(self._random.choice(threads), self._random.choice(list(self._members())))

    def _leave_thread(self) -> None:
        if threads := [thread for thread in self._threads() if _is_in_use(thread)]:
            self._server.seats.leave(self._random.choice(threads), self._random.choice(list(self._members())))

    def _permissions(self) -> int:
        chosen = [permission for permission in SOME_PERMISSIONS if self._random.random() < 0.4]
        return sum(int(permission) for permission in chosen)

    def _rooms(self) -> list[Channel]:
        return list(self._server.world.channels_of(self._guild.id))

    def _threads(self) -> list[Channel]:
        return list(self._server.world.threads_of(self._guild.id))

    def _members(self) -> dict[int, Member]:
        return self._server.world.members(self._guild.id)


def _is_in_use(thread: Channel) -> bool:
    return thread.thread is not None and not thread.thread.archived


@contextlib.asynccontextmanager
async def before_its_eyes(_: Inn) -> AsyncIterator[None]:
    yield


@contextlib.asynccontextmanager
async def connection_lost(inn: Inn) -> AsyncIterator[None]:
    await inn.house.server.control.drop_sockets(user_id=inn.house.bot.id)
    yield


@contextlib.asynccontextmanager
async def session_lost(inn: Inn) -> AsyncIterator[None]:
    await inn.house.server.control.refuse_resumes()
    await inn.house.server.control.drop_sockets(user_id=inn.house.bot.id)
    yield


@contextlib.asynccontextmanager
async def guild_unavailable(inn: Inn) -> AsyncIterator[None]:
    await inn.house.server.control.fall_out(inn.guild)
    yield
    await inn.house.server.control.recover(inn.guild)


SCENERY = (before_its_eyes, before_its_eyes, connection_lost, session_lost, guild_unavailable)


@pytest.mark.parametrize("seed", [11, 12, 13])
async def test_the_mirror_ends_up_right(own_inn: Inn, seed: int) -> None:
    mischief, mirror, chance = Mischief(own_inn, seed), Mirror(own_inn), random.Random(-seed)
    for _ in range(2):
        own_inn.house.health.part("gateway").initializing()
        async with own_inn.house.bot_running():
            await mirror.agrees()
            for _ in range(SCENES // 2):
                async with chance.choice(SCENERY)(own_inn):
                    mischief.some()
                await mirror.agrees()
        mischief.some()
