"""What Discord says about who may see what: roles, places, the overwrites on their doors, and who is seated.

Plain values, as Discord has them. Who sees a place is worked out in `sight`; here nothing is decided.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ADMINISTRATOR: Final = 1 << 3
VIEW_CHANNEL: Final = 1 << 10
READ_MESSAGE_HISTORY: Final = 1 << 16
CONNECT: Final = 1 << 20
MANAGE_THREADS: Final = 1 << 34


class PlaceKind(StrEnum):
    """As far as seeing goes: a forum, news or media channel is a channel, a stage is a voice channel."""

    CHANNEL = "channel"
    VOICE = "voice"
    CATEGORY = "category"
    THREAD = "thread"
    PRIVATE_THREAD = "private_thread"


_THREADS: Final = frozenset((PlaceKind.THREAD, PlaceKind.PRIVATE_THREAD))


@dataclass(frozen=True, slots=True)
class Role:
    """`@everyone` is the role whose id is the guild's."""

    role_id: int
    permissions: int


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What one role or one member gains and loses at one door."""

    target_id: int
    is_role: bool
    allow: int
    deny: int


@dataclass(frozen=True, slots=True)
class Place:
    channel_id: int
    kind: PlaceKind
    parent_id: int | None
    """The category of a channel, the channel of a thread."""
    overwrites: tuple[Overwrite, ...] = ()
    """A thread has none. Discord copies a category's to its channels, so those of a parent do not count here."""
    age_restricted: bool = False
    """A thread is as restricted as its channel, whatever is said here."""
    members: frozenset[int] | None = None
    """Who was added to a private thread; `None` while it is not known."""

    @property
    def is_thread(self) -> bool:
        return self.kind in _THREADS


@dataclass(frozen=True, slots=True)
class Seat:
    """A member of the guild, as far as seeing goes."""

    user_id: int
    role_ids: tuple[int, ...]
    """Without `@everyone`, which everybody has."""
    is_bot: bool = False
