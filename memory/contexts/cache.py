"""What a process keeps at hand of contexts. Each cache is bounded, and none of them decides what may be told.

A text lies here under the stamp of all that it was made from and of who may read that. The stamp is read anew for
every question, so that a text whose sources have changed is simply not found; it is dropped within minutes. Failures of
models are not kept in place of a text: they only say when to try again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from cachetools import LRUCache, TLRUCache, TTLCache

from ai_clients.errors import ModelError
from memory.background import pause_after
from memory.contexts.parts import ContextSources
from memory.contexts.store import TextKind
from memory.core.clock import Clock
from memory.language.word_caches import register_cache

HOUR, DAY = 3_600, 86_400

MemberKey: TypeAlias = tuple[int, int, tuple[int, ...], int | None]
"""Guild, member, scopes, and the one reader if there is only one."""


@dataclass(frozen=True, slots=True)
class CachedProfile:
    """What is known of a member, for one audience, and what it goes back to."""

    stamp: bytes
    zone: str
    text: str | None
    """None: nothing is known."""
    sources: ContextSources
    is_settled: bool
    """No model is going to make anything better of it."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Rests after failures in a row."""

    failures: int
    until: datetime


class ContextCaches:
    def __init__(self, members: int, places: int, clock: Clock) -> None:
        def seconds() -> float:
            return clock.now().timestamp()

        self._clock = clock
        timer: Callable[[], float] = seconds
        self._profiles: LRUCache[MemberKey, CachedProfile] = LRUCache(members)
        self._looked: TLRUCache[tuple[int, int, datetime], float] = TLRUCache(places, _until, timer)
        self._weeks: TTLCache[tuple[int, date], bool] = TTLCache(places, DAY, timer)
        self._zones: LRUCache[int, str] = LRUCache(places)
        self._rests: TTLCache[tuple[int, int, bool], Rest] = TTLCache(members, DAY, timer)
        register_cache(self)

    def forget_words(self) -> None:
        self._profiles.clear()

    def profile(self, key: MemberKey, stamp: bytes) -> CachedProfile | None:
        kept = self._profiles.get(key)
        return kept if kept is not None and kept.stamp == stamp else None

    def keep(self, key: MemberKey, profile: CachedProfile) -> None:
        self._profiles[key] = profile

    def zone(self, guild_id: int) -> str | None:
        """The zone that a guild was last seen to be in. It may have moved."""
        return self._zones.get(guild_id)

    def keep_zone(self, guild_id: int, zone: str) -> None:
        self._zones[guild_id] = zone

    def has_looked(self, guild_id: int, scope: int, hour: datetime) -> bool:
        """Whether what was new of today has been seen to in that hour."""
        return (guild_id, scope, hour) in self._looked

    def note_look(self, guild_id: int, scope: int, hour: datetime, *, holds: float = HOUR) -> None:
        """It `holds` for so many seconds."""
        self._looked[guild_id, scope, hour] = holds

    def has_looked_back(self, guild_id: int, today: date) -> bool:
        """Whether the days before today have been seen to."""
        return (guild_id, today) in self._weeks

    def note_look_back(self, guild_id: int, today: date) -> None:
        self._weeks[guild_id, today] = True

    def may_try(self, guild_id: int, user_id: int, kind: TextKind = TextKind.CONTEXT) -> bool:
        rest = self._rests.get(_resting(guild_id, user_id, kind))
        return rest is None or self._clock.now() >= rest.until

    def note_failure(
        self, guild_id: int, user_id: int, error: ModelError | None = None, kind: TextKind = TextKind.CONTEXT
    ) -> None:
        key = _resting(guild_id, user_id, kind)
        failures = self._rests[key].failures + 1 if key in self._rests else 1
        self._rests[key] = Rest(failures, self._clock.now() + pause_after(failures, error))

    def note_success(self, guild_id: int, user_id: int, kind: TextKind = TextKind.CONTEXT) -> None:
        self._rests.pop(_resting(guild_id, user_id, kind), None)


def _resting(guild_id: int, user_id: int, kind: TextKind) -> tuple[int, int, bool]:
    """Tell what rests: facts that no model could merge keep no context from being made."""
    return guild_id, user_id, kind is TextKind.FACTS


def _until(_key: object, holds: float, now: float) -> float:
    return now + holds
