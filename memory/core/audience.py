"""Who will read a reply, said as what that reply may draw upon.

Every read of the store takes an `Audience`, so that forgetting the question "who reads this?" does not type-check.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from memory.core.values import Message

Scope: TypeAlias = tuple[Literal["hall"]] | tuple[Literal["place", "viewer"], int]

HALL: Final[Scope] = ("hall",)

PRESENT: Final = timedelta(minutes=15)
"""What was said in a place for so long stands there before those who see it now, whoever may read it back."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The channels whose text everyone who sees the place can read back; the place itself need not be one of them."""

    guild_id: int
    place_id: int
    sources: frozenset[int]
    version: int = field(default=0, compare=False)
    """Of the view it was computed from; audiences of different versions that allow the same are equal."""
    viewer_id: int | None = None
    """The only reader of an ephemeral reply."""
    is_hall: bool = False
    """The reply stands in the hall, for everyone there."""

    @classmethod
    def of_place_alone(cls, guild_id: int, place_id: int, viewer_id: int | None = None) -> "Audience":
        """The closed view: where membership is unknown, a place sees its own channel only."""
        return cls(guild_id, place_id, frozenset((place_id,)), viewer_id=viewer_id)

    @property
    def scope(self) -> Scope:
        """Whose knowledge this is: the one viewer's, the hall's, or the place's own."""
        if self.viewer_id is not None:
            return ("viewer", self.viewer_id)
        return HALL if self.is_hall else ("place", self.place_id)

    @property
    def key(self) -> tuple[int, Scope, int, frozenset[int]]:
        """For caches. The sources are part of it: places of one scope need not allow the same."""
        return (self.guild_id, self.scope, self.version, self.sources)

    def alone(self) -> "Audience":
        """The same readers, and of all that they can read back no more than the place they are in."""
        return Audience(self.guild_id, self.place_id, self.sources & {self.place_id}, viewer_id=self.viewer_id)

    def present(self, said_here: Sequence[Message], at: datetime | None) -> list[Message]:
        """Of what was said in the place: all of it, or if not everyone can read it back what was said just before."""
        if self.place_id in self.sources:
            return list(said_here)
        return [message for message in said_here if at is not None and at - message.sent_at <= PRESENT]

    def covers(self, earlier: "Audience") -> bool:
        """Whether whatever was made for an earlier audience of this very reply may still be said."""
        same_reply = (self.guild_id, self.place_id, self.viewer_id) == (
            earlier.guild_id,
            earlier.place_id,
            earlier.viewer_id,
        )
        return same_reply and earlier.sources <= self.sources
