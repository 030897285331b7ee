"""What the mirror should hold of a guild, taken from the local guild's own world, and what it does hold."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType
from memory.places.view import Audience, GuildView
from tests.end_to_end.house import PATIENCE_SECONDS, Inn

VIEW, READ_BACK, CONNECT = (
    int(permission) for permission in (Permission.VIEW_CHANNEL, Permission.READ_MESSAGE_HISTORY, Permission.CONNECT)
)
_KINDS = {
    ChannelType.CATEGORY: "category",
    ChannelType.VOICE: "voice",
    ChannelType.STAGE: "voice",
    ChannelType.PRIVATE_THREAD: "private_thread",
    ChannelType.PUBLIC_THREAD: "thread",
    ChannelType.ANNOUNCEMENT_THREAD: "thread",
}
Row = tuple[object, ...]


@dataclass(frozen=True)
class Mirror:
    inn: Inn

    @property
    def view(self) -> GuildView:
        return self.inn.house.memory.place_mirror.view(self.inn.guild.id)

    def audience_of(self, channel: str) -> Audience:
        return self.inn.house.memory.places.audience_of(self.inn.guild.id, self.inn.channel(channel).id)

    async def agrees(self) -> None:
        """Until view and store say what the local guild says, row by row; a test that waits in vain fails here."""
        found: list[Row] = []
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while found := [*self._misjudged(), *await self._differences()]:  # noqa: ASYNC110 - as in `until`
                    await asyncio.sleep(0.05)
        except TimeoutError:
            pytest.fail(f"the mirror differs: {found}")

    def _misjudged(self) -> list[Row]:
        """Places, with who sees and reads them and who should."""
        if not self.view.is_open:
            return [("closed",)]
        seen, wanted = self._seen(), self._sights()
        return [
            (channel_id, seen[channel_id], wanted[channel_id])
            for channel_id in wanted
            if seen[channel_id] != wanted[channel_id]
        ]

    async def _differences(self) -> list[Row]:
        """Rows that stand on one side alone, members of private threads that nobody can ask for aside."""
        stored, wanted = await self._stored(), self._wanted()
        hidden: set[object] = {channel.id for channel in self._threads() if not self._shown(channel)}
        # Nor is anybody told that a thread is gone that was out of view. Whatever is said of it, it is empty.
        there = {channel.id for channel in self._threads()}
        hidden |= {row[1] for row in stored if row[2:3] in (("thread",), ("private_thread",)) and row[1] not in there}
        rows = {row for row in stored ^ wanted if row[1] not in hidden}
        closed = all(row[-1] is None for row in stored if row[0] == "place" and row[1] in hidden)
        return [*rows, *(() if closed else [("members of a thread nobody shows us",)])]

    def _wanted(self) -> set[Row]:
        world, guild = self.inn.house.server.world, self.inn.guild
        rows: set[Row] = {("role", role.id, role.permissions) for role in guild.roles.values()}
        rows |= {
            ("member", member.user_id, tuple(sorted(member.role_ids)), world.users[member.user_id].bot)
            for member in world.members(guild.id).values()
        }
        rows |= {self._place(channel) for channel in (*world.channels_of(guild.id), *self._threads())}
        return rows | {("owner", guild.owner_id)}

    def _place(self, channel: Channel) -> Row:
        kind = _KINDS.get(ChannelType(channel.type), "channel")
        overwrites = frozenset(
            (door.id, not door.for_member, door.allow, door.deny) for door in channel.overwrites.values()
        )
        guests = channel.thread and kind == "private_thread" and frozenset(channel.thread.member_since)
        age_restricted = channel.nsfw and channel.thread is None
        return ("place", channel.id, kind, channel.parent_id, age_restricted, overwrites, guests or None)

    async def _stored(self) -> set[Row]:
        house, guild = self.inn.house, self.inn.guild
        roles = await house.rows("SELECT * FROM roles WHERE guild_id = $1", guild.id)
        places = await house.rows("SELECT *, overwrites::text AS doors FROM places WHERE guild_id = $1", guild.id)
        members = await house.rows("SELECT * FROM members WHERE guild_id = $1", guild.id)
        owners = await house.rows("SELECT owner_id FROM guilds WHERE guild_id = $1", guild.id)
        rows: set[Row] = {("role", row["role_id"], row["permissions"]) for row in roles}
        # A deleted role gives nothing to those who still bear its number.
        rows |= {
            ("member", row["user_id"], tuple(sorted(set(row["roles"]) & guild.roles.keys())), row["is_bot"])
            for row in members
        }
        return rows | {self._stored_place(row) for row in places} | {("owner", owner["owner_id"]) for owner in owners}

    def _stored_place(self, row: dict[str, Any]) -> Row:
        doors: list[tuple[int, bool, int, int]] = [tuple(door) for door in orjson.loads(row["doors"])]
        known = frozenset(door for door in doors if not door[1] or door[0] in self.inn.guild.roles)
        guests = None if row["members"] is None else frozenset(row["members"]) or None
        return ("place", row["channel_id"], row["kind"], row["parent_id"], row["age_restricted"], known, guests)

    def _seen(self) -> dict[int, tuple[frozenset[int], frozenset[int]]]:
        view = self.view
        return {
            channel.id: (view.people(view.viewers(channel.id)), view.people(view.readers(channel.id)))
            for channel in self._rooms()
        }

    def _sights(self) -> dict[int, tuple[frozenset[int], frozenset[int]]]:
        """Who may view and who may read back each place, by the rules of the local guild."""
        return {channel.id: (self._people(channel, VIEW), self._readers(channel)) for channel in self._rooms()}

    def _readers(self, channel: Channel) -> frozenset[int]:
        needed = VIEW | READ_BACK | (CONNECT if _KINDS.get(ChannelType(channel.type)) == "voice" else 0)
        return self._people(channel, needed)

    def _people(self, channel: Channel, needed: int) -> frozenset[int]:
        if not self._shown(channel):
            return frozenset()
        world, access = self.inn.house.server.world, self.inn.house.server.access
        return frozenset(
            user_id
            for user_id in world.members(self.inn.guild.id)
            if not world.users[user_id].bot and access.in_channel(channel, user_id) & needed == needed
        )

    def _rooms(self) -> Iterable[Channel]:
        world = self.inn.house.server.world
        yield from (c for c in world.channels_of(self.inn.guild.id) if c.type != ChannelType.CATEGORY)
        yield from (c for c in self._threads() if self._shown(c))

    def _threads(self) -> list[Channel]:
        return list(self.inn.house.server.world.threads_of(self.inn.guild.id))

    def _shown(self, channel: Channel) -> bool:
        """Discord tells an application of every channel, and of the threads it may look into."""
        house = self.inn.house
        return channel.thread is None or house.server.access.may_view(channel, house.bot.id)
