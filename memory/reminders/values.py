"""Holds a reminder, and what comes of asking for one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from memory.language.detect import Language
from memory.language.time_grammar import Grain, Repeat
from memory.language.time_meaning import Reading, Shift

MOST_OPEN = 25
"""Of one member in one guild."""
LONGEST_TEXT = 500
FARTHEST = timedelta(days=5 * 366)
CHOSEN_WITHIN = timedelta(days=1)
"""How long a reminder waits for its time, and how long one that was deleted can be had back."""
KEPT_AFTER = timedelta(days=7)
"""How long one that was delivered can be put off by its buttons."""
KEPT_UNDELIVERED = timedelta(days=30)
LATE = timedelta(minutes=10)
LONG_ABSENCE = timedelta(hours=24)
"""What is later than that comes in one note."""


class State(StrEnum):
    ASKED = "asked"
    """It waits for its owner to say when."""
    OPEN = "open"
    KEPT = "kept"
    """It could not be delivered, and is told on the next contact."""
    SENT = "sent"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Reminder:
    guild_id: int
    reminder_id: int
    """The id of the message or the command that asked for it: asked twice, it is made once."""
    owner_id: int
    channel_id: int
    text: str
    language: Language
    zone: str
    made_at: datetime
    by_message: bool = False
    """A message asked for it, which it answers and goes with."""
    about_id: int | None = None
    """A message in the same place that it points at and goes with."""
    state: State = State.ASKED
    wall: datetime | None = None
    """What the owner's clock shows when it is due; of a repeated one, when it was due first."""
    due_at: datetime | None = None
    repeat: Repeat | None = None
    in_hall: bool = False
    """It was asked for where everyone can read."""
    readers: tuple[int, ...] | None = None
    """Who could see the place elsewhere; None: too many, or not known."""
    ends_at: datetime | None = None
    """When it is forgotten."""
    event_id: int | None = None
    """It moves along with this scheduled event."""

    @property
    def reading(self) -> Reading:
        """Give a reminder's time as the grammar has it, to find out when a repeated one comes next."""
        if self.wall is None:
            raise ValueError("it has no time yet")
        return Reading(self.wall, Grain.MINUTE, repeat=self.repeat)

    @property
    def due(self) -> int:
        """Give when a reminder is due in seconds, as it stands in the ids of buttons."""
        return 0 if self.due_at is None else int(self.due_at.timestamp())


@dataclass(frozen=True, slots=True)
class Claimed:
    """Holds a reminder that is due, for one process to deliver."""

    reminder: Reminder
    claimed_by: UUID
    tried_from: datetime | None = None
    """When somebody first set about delivering it; None: nobody has, so that it cannot have been said."""
    tried_until: datetime | None = None
    """When whoever tried it last had given up by."""
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """Holds what somebody wants to be reminded of."""

    guild_id: int
    channel_id: int
    asked_in: int
    owner_id: int
    asked_at: datetime
    language: Language
    words: str
    """What it is about; where `when` is not said apart, its time as well."""
    when: str | None = None
    by_message: bool = False
    about_id: int | None = None
    for_several: bool = False
    """They said "remind us". Whoever asks is reminded alone, and is told so."""


class NoTime(StrEnum):
    """Says why there is no moment for it yet."""

    MISSING = "missing"
    PAST = "past"
    TOO_FAR = "too far"
    TOO_OFTEN = "repeated more often than every hour, or not in whole hours"


class Refused(StrEnum):
    OPTED_OUT = "opted out"
    TOO_MANY = "too many"
    TOO_LONG = "too long"
    GONE = "gone"
    """Who asked, or what asked for it, is gone; or it is not theirs."""


@dataclass(frozen=True, slots=True)
class Made:
    reminder: Reminder
    shift: Shift | None = None
    is_interval: bool = False
    """It comes after so many hours or minutes, whatever a clock shows."""
    tells_zone: bool = False
    """Its owner has chosen no time zone and was not told yet which one holds."""


@dataclass(frozen=True, slots=True)
class AskedWhen:
    """Holds a reminder that waits for its owner to say when, or which."""

    reminder: Reminder
    why: NoTime = NoTime.MISSING
    moments: tuple[datetime, ...] = ()
    """Two that are likely, to choose from."""


Outcome = Made | AskedWhen | Refused
