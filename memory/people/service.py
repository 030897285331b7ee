"""Whom we know: guilds and their members, met and parted from."""

from collections.abc import Sequence

from memory.core.clock import Clock
from memory.core.values import Guild, Member
from memory.people.store import GuildStore, MemberStore
from memory.policy.store import Policies

MEMBERS_AT_ONCE = 500
"""Large guilds have to leave room for messages in between."""


class People:
    def __init__(self, guilds: GuildStore, members: MemberStore, policies: Policies, clock: Clock) -> None:
        self._guilds = guilds
        self._members = members
        self._policies = policies
        self._clock = clock

    async def meet_guild(self, guild: Guild, members: Sequence[Member], *, complete: bool = False) -> None:
        """Learn or refresh a guild and these members; `complete` means that there are no others."""
        for start in range(0, max(len(members), 1), MEMBERS_AT_ONCE):
            await self._guilds.meet(guild, members[start : start + MEMBERS_AT_ONCE], self._clock.now())
        if complete:
            present = {member.user_id for member in members}
            await self._members.part_from_others(guild.guild_id, present, self._clock.now())
        self._policies.forget(guild.guild_id)

    async def meet_member(self, member: Member) -> None:
        await self._members.meet([member])
        self._policies.forget(member.guild_id)

    async def part_from_member(self, guild_id: int, user_id: int) -> None:
        await self._members.part_from(guild_id, user_id, self._clock.now())

    async def known_guilds(self) -> list[int]:
        """The guilds we were in when we last looked; those we are no longer in have been left meanwhile."""
        return await self._guilds.present()
