"""Whom somebody's words mean: by mention, name or alias; and whom they may have meant and mistyped."""

import asyncio
from collections.abc import Sequence

from memory.core.outcomes import UnclearWho
from memory.core.values import Choice, Member
from memory.people.names import mentioned_ids, opening_names, unnamed_in, with_strangers
from memory.people.store import MemberStore
from memory.places.view import Audience

MOST_OFFERED = 5
"""People who are offered when a name was mistyped."""


class Naming:
    def __init__(self, members: MemberStore) -> None:
        self._members = members

    async def spoken_of(self, audience: Audience, text: str, also: Sequence[int]) -> list[Member]:
        """Everybody the text may mean, and those with the given ids."""
        known = await self._members.spoken_of(audience, text, also)
        return with_strangers(known, audience.guild_id, [*also, *mentioned_ids(text)])

    async def opted_out_in(self, audience: Audience, text: str, members: Sequence[Member]) -> Member | None:
        """Somebody whom the text speaks of, and of whom nothing may be kept because they opted out.

        `members` are those whom it means otherwise.
        """
        unnamed = await self._members.unnamed(audience.guild_id)
        return await asyncio.to_thread(unnamed_in, text, members, unnamed) if unnamed else None

    async def mistyped(self, audience: Audience, text: str, choices: Sequence[Choice] = ()) -> UnclearWho | None:
        """For words that name nobody: who may be meant by their beginning. None if nobody, or if that was asked."""
        if choices:
            return None
        for key, typed in opening_names(text):
            guesses = await self._members.nearly_called(audience, key)
            if guesses:
                return UnclearWho(typed, tuple(guesses[:MOST_OFFERED]), is_guess=True)
        return None
