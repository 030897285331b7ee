"""Keeps guilds and their members, and finds whom somebody's words mean: met, parted from, named and named in part."""

import asyncio
from collections.abc import Collection, Sequence

from memory.core.clock import Clock
from memory.core.outcomes import UnclearWho
from memory.core.values import Choice, Guild, Member
from memory.people.names import mentioned_ids, opening_names, unnamed_in, with_strangers
from memory.people.store import GuildStore, MemberStore
from memory.places.view import Audience
from memory.policy.store import Policies

MEMBERS_AT_ONCE = 500
"""Large guilds have to leave room for messages in between."""
MOST_OFFERED = 5
"""People who are offered where only a part of a name was typed."""


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

    async def called(self, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
        """Tell what members are called on the server. Who left or opted out is not in it."""
        return await self._members.called(guild_id, user_ids)

    async def listed(self, guild_id: int, like: str, after: int, most: int) -> list[Member]:
        """List members in the order of their ids, behind one; with these letters in a name, if any are given."""
        return await self._members.listed(guild_id, like, after, most)

    async def known_guilds(self) -> list[int]:
        """List the guilds we were in when we last looked; those we are no longer in have been left meanwhile."""
        return await self._guilds.present()


class Naming:
    """Resolves words to members: by mention, name or alias."""

    def __init__(self, members: MemberStore) -> None:
        self._members = members

    async def spoken_of(self, audience: Audience, text: str, also: Sequence[int]) -> list[Member]:
        """Find everybody the text may mean, and those with the given ids."""
        known = await self._members.spoken_of(audience, text, also)
        return with_strangers(known, audience.guild_id, [*also, *mentioned_ids(text)])

    async def opted_out_in(self, audience: Audience, text: str, members: Sequence[Member]) -> Member | None:
        """Find somebody whom the text speaks of, and of whom nothing may be kept because they opted out.

        `members` are those whom it means otherwise.
        """
        unnamed = await self._members.unnamed(audience.guild_id)
        return await asyncio.to_thread(unnamed_in, text, members, unnamed) if unnamed else None

    async def typed_in_part(self, audience: Audience, text: str, choices: Sequence[Choice] = ()) -> UnclearWho | None:
        """Find for words that name nobody who may be meant by their beginning. None if nobody, or if that was asked."""
        if choices:
            return None
        for key, typed in opening_names(text):
            guesses = await self._members.called_like(audience, key)
            if guesses:
                return UnclearWho(typed, tuple(guesses[:MOST_OFFERED]), is_guess=True)
        return None
