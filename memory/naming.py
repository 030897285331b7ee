"""Whom the words of a telling mean: by mention, name or alias; and whom they may have meant and mistyped."""

from collections.abc import Sequence
from dataclasses import replace

from memory.core.audience import Audience
from memory.core.model import Member, Telling
from memory.core.outcomes import UnclearWho
from memory.core.people import mentioned_ids, with_strangers
from memory.core.typos import opening_names
from memory.store.members import MemberStore

MOST_OFFERED = 5
"""People who are offered when a name was mistyped."""


class Naming:
    def __init__(self, members: MemberStore) -> None:
        self._members = members

    async def spoken_of(self, telling: Telling, audience: Audience, text: str, also: Sequence[int]) -> list[Member]:
        """Everybody the text may mean, and those with the given ids. Whoever was chosen goes by what was typed."""
        members = with_strangers(
            await self._members.spoken_of(audience, text, also), audience.guild_id, [*also, *mentioned_ids(text)]
        )
        if not telling.chosen_id:
            return members
        for key, _, guesses in await self._guesses(audience, text):
            for guess in guesses:
                if guess.user_id == telling.chosen_id:
                    others = [member for member in members if member.user_id != guess.user_id]
                    return [*others, replace(guess, aliases=(*guess.aliases, key))]
        return members

    async def mistyped(self, telling: Telling, audience: Audience, text: str) -> UnclearWho | None:
        """For words that name nobody: who may be meant by their beginning. None if nobody, or if that was asked."""
        if telling.chosen_id is not None:
            return None
        for _, typed, guesses in await self._guesses(audience, text):
            return UnclearWho(typed, tuple(guesses[:MOST_OFFERED]), is_guess=True)
        return None

    async def _guesses(self, audience: Audience, text: str) -> list[tuple[str, str, list[Member]]]:
        """What may be a mistyped name, as a key and as typed, with those who may be meant."""
        found = []
        for key, typed in opening_names(text):
            guesses = await self._members.nearly_called(audience, key)
            if guesses:
                found.append((key, typed, guesses))
        return found
