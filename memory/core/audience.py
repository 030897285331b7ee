"""Who will read a reply, said as what that reply may draw upon.

Every read of the store takes an `Audience`, so that forgetting the question "who reads this?" does not type-check.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Scope: TypeAlias = tuple[Literal["hall"]] | tuple[Literal["place", "viewer"], int]

HALL: Final[Scope] = ("hall",)


@dataclass(frozen=True, slots=True)
class Audience:
    """The channels whose text everyone who can read the place could already read."""

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

    def __post_init__(self) -> None:
        if self.place_id not in self.sources:
            raise ValueError("a place may always draw upon itself")

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

    def covers(self, earlier: "Audience") -> bool:
        """Whether whatever was made for an earlier audience of this very reply may still be said."""
        same_reply = (self.guild_id, self.place_id, self.viewer_id) == (
            earlier.guild_id,
            earlier.place_id,
            earlier.viewer_id,
        )
        return same_reply and earlier.sources <= self.sources
