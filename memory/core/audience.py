"""Who will read a reply, said as what that reply may draw upon.

Every read of the store takes an `Audience`, so that forgetting the question "who reads this?" does not type-check.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Audience:
    """The channels whose text everyone who can read the place could already read."""

    guild_id: int
    place_id: int
    sources: frozenset[int]

    @classmethod
    def of_place_alone(cls, guild_id: int, place_id: int) -> "Audience":
        """The closed view: where membership is unknown, a place sees its own channel only."""
        return cls(guild_id, place_id, frozenset((place_id,)))

    def __post_init__(self) -> None:
        if self.place_id not in self.sources:
            raise ValueError("a place may always draw upon itself")
