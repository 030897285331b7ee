"""The digest as values: when one is due in a guild, which messages it tells of, and what it tells. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum, auto
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.core.provenance import Evidence
from memory.core.values import last_id_of, time_of
from memory.daily.values import Line
from memory.language.detect import Language
from memory.policy.settings import DigestRules
from memory.reminders.values import Grain, Reading, moment_of

LATEST = timedelta(hours=12)
"""One that is later is not posted any more."""
LATE = timedelta(minutes=30)
"""One that is later is told in health."""
MOST_TOPICS, MOST_PLANS, MOST_DECIDED, MOST_NEW = 10, 5, 5, 10
_MARK = (1 << 22) - 1
"""How an id ends that stands for a moment, and never that of a message."""


class State(StrEnum):
    OPEN = auto()
    POSTED = auto()
    QUIET = auto()
    """There was too little to tell."""
    MISSED = auto()
    """Nobody could post it before it was too late."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Of one guild."""

    guild_id: int
    zone: ZoneInfo
    rules: DigestRules

    @property
    def language(self) -> Language:
        return Language(self.rules.language)

    def due_on(self, day: date) -> datetime | None:
        """An hour that the clocks leave out is the next one that there is."""
        rules = self.rules
        chosen = sorted(rules.weekdays)[:1] if rules.weekly else rules.weekdays
        if rules.channel_id is None or day.weekday() not in chosen:
            return None
        at = _moment(datetime.combine(day, time(rules.hour)), self.zone)
        return at if at.timestamp() > rules.since else None

    def due_by(self, now: datetime) -> Iterator[tuple[date, datetime]]:
        """Of today and yesterday: what is older is of no use."""
        today = self.today(now)
        for day in (today - timedelta(days=1), today):
            at = self.due_on(day)
            if at is not None and at <= now:
                yield day, at

    def next_due(self, now: datetime, done: date | None) -> datetime | None:
        """The first to come for a date that has none yet."""
        days = (self.today(now) + timedelta(days=number) for number in range(9))
        coming = ((day, self.due_on(day)) for day in days)
        return next((at for day, at in coming if at is not None and at > now and day != done), None)

    def today(self, now: datetime) -> date:
        return now.astimezone(self.zone).date()

    def tells_of(self, day: date) -> tuple[int, int]:
        """The days before that one: the ids behind which, and up to which, they were said."""
        first, last = (
            _moment(datetime.combine(day - timedelta(days=back), time.min), self.zone)
            for back in (7 if self.rules.weekly else 1, 0)
        )
        return last_id_of(first) - (1 << 22), last_id_of(last) - (1 << 22)


@dataclass(frozen=True, slots=True)
class Digest:
    """One for a date, as its row has it."""

    guild_id: int
    local_date: date
    digest_id: int
    channel_id: int
    due_at: datetime
    after_id: int
    until_id: int
    state: State = State.OPEN
    message_id: int | None = None
    claimed_by: UUID | None = None
    tried_at: datetime | None = None
    tries: int = 0
    """Before the one that is being made."""

    @property
    def is_weekly(self) -> bool:
        return time_of(self.until_id) - time_of(self.after_id) > timedelta(days=3)

    @property
    def mark(self) -> str:
        """Its date, like that of a newspaper. In no other digest's first line, so that it is found again on Discord."""
        noon = datetime.combine(self.local_date, time(12), UTC)
        return f"<t:{int(noon.timestamp())}:D>"


@dataclass(frozen=True, slots=True)
class Edition:
    """What a digest tells."""

    digest: Digest
    messages: int = 0
    channels: int = 0
    topics: tuple[Line, ...] = ()
    """The liveliest first."""
    plans: tuple[Line, ...] = ()
    """For that date and the next."""
    decided: tuple[Line, ...] = ()
    """What else was decided or announced."""
    newcomers: tuple[Line, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def lines(self) -> tuple[Line, ...]:
        return (*self.topics, *self.plans, *self.decided, *self.newcomers)

    @property
    def by_model(self) -> bool:
        return any(line.rests_on for line in self.lines)


def is_digest(asked_in: int) -> bool:
    """Whether an id in the place of a question may stand for a digest."""
    return asked_in & _MARK == _MARK


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return moment_of(Reading(wall, Grain.MINUTE), wall.replace(tzinfo=zone), zone).at
