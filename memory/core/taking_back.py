"""A reply of ours that has to be taken back on Discord, and what is to stand in its place."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, auto
from uuid import UUID

from memory.core.language import Language


class Instead(StrEnum):
    """What is left of the reply."""

    NOTHING = auto()
    """The question is gone, so nobody would know what it answers."""
    TAKEN_BACK = auto()
    """Something that it was made from has been deleted or changed."""
    LAPSED = auto()
    """It confirmed what was told in a message that has been deleted or edited since."""
    FORGOTTEN = auto()
    """It named what was forgotten, for as long as that could be undone."""


@dataclass(frozen=True, slots=True)
class Due:
    guild_id: int
    asked_in: int
    """The message that it answers."""
    channel_id: int
    language: Language
    message_ids: tuple[int, ...]
    """Our messages, as far as they are known."""
    because: str
    made_at: datetime
    marked_at: datetime
    tries: int
    instead: Instead
    keep: UUID | None = None
    """What was told can still be kept, by this change."""
    keep_until: datetime | None = None

    @property
    def key(self) -> tuple[int, int]:
        return self.guild_id, self.asked_in
