"""Defines keys, and what a key opens. A key says who somebody is; what they may is worked out anew each time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memory.core.values import Rank
from memory.places.view import Audience
from memory.policy.authority import Actor

LINK_LASTS = timedelta(minutes=5)
SESSION_IDLE = timedelta(hours=12)
SESSION_LASTS = timedelta(days=14)
LONGEST_TOKEN_DAYS = 365
MOST_TOKENS = 10
"""Of one member of one guild."""
LONGEST_NAME = 60


class KeyKind(StrEnum):
    LINK = "link"
    """Opens once, and makes a session of it."""
    SESSION = "session"
    """A browser that is signed in."""
    TOKEN = "token"  # noqa: S105 - what a token is called


@dataclass(frozen=True, slots=True)
class Key:
    """Describes a key as the panel lists it, without its secret, of which only the digest is kept."""

    guild_id: int
    digest: bytes
    user_id: int
    kind: KeyKind
    name: str
    may_write: bool
    made_at: datetime
    used_at: datetime
    ends_at: datetime

    @property
    def key_id(self) -> str:
        return self.digest.hex()[:16]


@dataclass(frozen=True, slots=True)
class Door:
    """Describes somebody before the memory of a guild, as Discord has them at this moment."""

    key: Key
    guild_name: str
    name: str
    rank: Rank
    reader: Audience
    """All that they can read back on Discord, and no more."""

    @property
    def guild_id(self) -> int:
        return self.key.guild_id

    @property
    def user_id(self) -> int:
        return self.key.user_id

    @property
    def is_manager(self) -> bool:
        return self.rank >= Rank.MANAGER

    @property
    def actor(self) -> Actor:
        return Actor(self.user_id, self.rank)


class Refusal(StrEnum):
    """Names why a key opens nothing."""

    UNKNOWN = "unknown"
    """It never was one, or is over."""
    LEFT = "left"
    """Its holder is in the guild no more."""
    CLOSED = "closed"
    """It is not known at the moment who may read what, because the bot is away."""
