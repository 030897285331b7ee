"""Replies of ours that have to be taken back on Discord: for whom, and what is to stand in their place."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum, auto

from memory.language.detect import Language
from memory.places.view import GuildView


class Replacement(StrEnum):
    """What is left of the reply."""

    NOTHING = auto()
    """The question is gone, so nobody would know what it answers."""
    TAKEN_BACK = auto()
    """Something that it was made from has been deleted or changed."""
    FORGOTTEN = auto()
    """It named what was forgotten, for as long as that could be undone."""
    NOT_FOR_ALL = auto()
    """Somebody came to read it who could not read a channel that it was made from."""


@dataclass(frozen=True, slots=True)
class Retraction:
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
    instead: Replacement

    @property
    def key(self) -> tuple[int, int]:
        return self.guild_id, self.asked_in


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Replies in one place that were made from the same other channels."""

    channel_id: int
    sources: frozenset[int]
    is_new: bool
    """They were made since the readers were last looked at."""
    asked_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Viewers:
    """Who saw each channel and private thread when that was last looked at; nobody, where nobody looked."""

    checked_at: datetime
    people: tuple[int, ...]
    seen_by: Mapping[int, int]
    """By channel, a bit for each of the people."""

    @classmethod
    def of_rooms(cls, checked_at: datetime, rooms: Mapping[int, frozenset[int]]) -> "Viewers":
        people = tuple(sorted(frozenset().union(*rooms.values())))
        bits: dict[frozenset[int], int] = {}
        for viewers in rooms.values():
            if viewers not in bits:
                bits[viewers] = int("0" + "".join("01"[one in viewers] for one in reversed(people)), 2)
        return cls(checked_at, people, {room: bits[viewers] for room, viewers in rooms.items()})

    def of(self, room: int) -> frozenset[int]:
        marks = reversed(f"{self.seen_by.get(room, 0):b}")
        return frozenset(one for one, mark in zip(self.people, marks, strict=False) if mark == "1")


NEVER_LOOKED = Viewers(datetime(1970, 1, 1, tzinfo=UTC), (), {})


def is_exposed(view: GuildView, channel_id: int, sources: frozenset[int], before: frozenset[int]) -> bool:
    """Whether somebody sees a place now who did not before, and cannot read one of the sources.

    Whoever saw it before could read them then, and may have lost that since: they have read the reply. Text of a
    channel that asks for an age may not stand where none is asked, whoever sees it. What is gone nobody can read.
    """
    viewers = view.viewers(channel_id)
    for source in sources - view.audience_of(channel_id).sources:
        strangers = viewers & ~view.readers(source)
        if viewers and not strangers:
            return True
        if view.people(strangers) - before:
            return True
    return False
