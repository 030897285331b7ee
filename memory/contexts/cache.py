"""What a process keeps at hand of contexts. Each cache is bounded, and none of them decides what may be told.

A text lies here under the stamp of all that it was made from and of who may read that. The stamp is read anew for
every question, so that a text whose sources have changed is simply not found; it is dropped within minutes. Failures of
models are not kept in place of a text: they only say when to try again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypeAlias

from cachetools import LRUCache, TLRUCache, TTLCache

from memory.contexts.parts import ContextSources
from memory.contexts.store import Stamp
from memory.core.clock import Clock
from memory.language.word_caches import is_forgetful

BYTES_OF_TEXTS = 8_000
OVERHEAD = 1_000
"""Bytes of an entry beside its text, generously."""
HOUR, DAY = 3_600, 86_400
FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=6)

MemberKey: TypeAlias = tuple[int, int, tuple[int, ...], int | None]
"""Guild, member, scopes, and the one reader if there is only one."""


@dataclass(frozen=True, slots=True)
class KeptText:
    stamp: Stamp
    encoded: bytes | None
    """None: nothing is known."""
    is_settled: bool
    """No model is going to make anything better of it."""
    packed: bytes = b""
    """What it goes back to; nothing, if that was not said."""

    @classmethod
    def of(
        cls, stamp: Stamp, text: str | None, *, is_settled: bool, sources: ContextSources | None = None
    ) -> "KeptText":
        # Encoded, a smiley does not make each of the other letters four bytes wide.
        encoded = None if text is None else text.encode("utf-8", "surrogatepass")
        if encoded is None or sources is None:
            return cls(stamp, encoded, is_settled)
        kept = cls(stamp, encoded, is_settled, sources.packed())
        # A text has to be at hand, if need be without the words of its days.
        is_small = kept.size <= BYTES_OF_TEXTS
        return kept if is_small else cls(stamp, encoded, is_settled, sources.packed(with_texts=False))

    @property
    def text(self) -> str | None:
        return None if self.encoded is None else self.encoded.decode("utf-8", "surrogatepass")

    @property
    def size(self) -> int:
        return OVERHEAD + len(self.encoded or b"") + len(self.packed)


@dataclass(frozen=True, slots=True)
class Rest:
    """After failures in a row."""

    failures: int
    until: datetime


class ContextCaches:
    def __init__(self, members: int, places: int, clock: Clock) -> None:
        def seconds() -> float:
            return clock.now().timestamp()

        self._clock = clock
        timer: Callable[[], float] = seconds
        self._texts: LRUCache[MemberKey, KeptText] = LRUCache(members * BYTES_OF_TEXTS, getsizeof=_size)
        self._looked: TLRUCache[tuple[int, int, datetime], float] = TLRUCache(places, _until, timer)
        self._weeks: TTLCache[tuple[int, date], bool] = TTLCache(places, DAY, timer)
        self._zones: LRUCache[int, str] = LRUCache(places)
        self._asked: TTLCache[tuple[int, int], bool] = TTLCache(members, DAY / 2, timer)
        self._rests: TTLCache[tuple[int, int], Rest] = TTLCache(members, DAY, timer)
        is_forgetful(self)

    def forget_words(self) -> None:
        self._texts.clear()

    def text(self, key: MemberKey, stamp: Stamp) -> KeptText | None:
        kept = self._texts.get(key)
        return kept if kept is not None and kept.stamp == stamp else None

    def keep_text(self, key: MemberKey, kept: KeptText) -> None:
        if kept.size <= BYTES_OF_TEXTS:
            self._texts[key] = kept

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

    def is_noted(self, guild_id: int, user_id: int) -> bool:
        """Whether it is on record that a member was asked about, as of today."""
        return (guild_id, user_id) in self._asked

    def note_asked(self, guild_id: int, user_id: int) -> None:
        self._asked[guild_id, user_id] = True

    def may_try(self, guild_id: int, user_id: int) -> bool:
        rest = self._rests.get((guild_id, user_id))
        return rest is None or self._clock.now() >= rest.until

    def note_failure(self, guild_id: int, user_id: int, retry_after: float | None) -> None:
        rest = self._rests.get((guild_id, user_id))
        failures = 1 if rest is None else rest.failures + 1
        pause = min(FIRST_PAUSE * (1 << min(failures - 1, 10)), LONGEST_PAUSE)
        until = self._clock.now() + max(pause, timedelta(seconds=retry_after or 0.0))
        self._rests[guild_id, user_id] = Rest(failures, until)

    def note_success(self, guild_id: int, user_id: int) -> None:
        self._rests.pop((guild_id, user_id), None)


def _size(kept: KeptText) -> int:
    return kept.size


def _until(_key: object, holds: float, now: float) -> float:
    return now + holds
