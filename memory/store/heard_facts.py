"""What was last read of the ledger for an audience, so that something is known while the ledger cannot be read.

Keyed by the audience's scope and version: a role or a channel that changes meanwhile finds nothing here. Whatever
changes the ledger empties it, and for a while nothing that is read is kept, since it may not know of the change yet.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from cachetools import LRUCache

from memory.core.values import Fact
from memory.language.word_caches import When, invalidate, is_forgetful
from memory.places.view import Audience

AUDIENCES = 500
UNSETTLED_SECONDS = 60.0
"""Longer than any change takes from its first statement to its commit."""


@dataclass(slots=True)
class _Heard:
    guild_id: int
    facts: dict[int, Fact] = field(default_factory=dict)
    sources: set[int] = field(default_factory=set)
    """Messages that facts were taken from."""


class HeardFacts:
    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._heard: LRUCache[object, _Heard] = LRUCache(AUDIENCES)
        self._changed_at: dict[int, float] = {}
        is_forgetful(self, When.OLD)

    def forget_words(self) -> None:
        """Another process may have changed the ledger, and nobody here heard of it."""
        self._heard.clear()

    def note(self, audience: Audience, facts: Sequence[Fact], sources: Collection[int], read_at: float) -> None:
        """`read_at` is when reading began."""
        if read_at < self._changed_at.get(audience.guild_id, -UNSETTLED_SECONDS) + UNSETTLED_SECONDS:
            return
        heard = self._heard.setdefault(audience.key, _Heard(audience.guild_id))
        heard.facts.update((fact.fact_id, fact) for fact in facts)
        heard.sources.update(sources)

    def of(self, audience: Audience) -> list[Fact] | None:
        """Oldest first; None if nothing was read for this very audience."""
        heard = self._heard.get(audience.key)
        return None if heard is None else [fact for _, fact in sorted(heard.facts.items())]

    def ledger_changed(self, guild_id: int) -> None:
        self._changed_at[guild_id] = self.now()
        invalidate()
        self._drop(guild_id, lambda _: True)

    def messages_changed(self, guild_id: int, message_ids: Collection[int]) -> None:
        """Edited or deleted: what was taken from them is not what it was, whether or not that can be written now."""
        self._drop(guild_id, lambda heard: not heard.sources.isdisjoint(message_ids))

    def _drop(self, guild_id: int, is_meant: Callable[[_Heard], bool]) -> None:
        for key in [key for key, heard in self._heard.items() if heard.guild_id == guild_id and is_meant(heard)]:
            del self._heard[key]
