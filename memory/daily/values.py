"""Describes what somebody missed, and digests, as values: from when on, what of it stands where. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum, auto
from itertools import product
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.core.provenance import Evidence, Read
from memory.core.values import Message, Source, last_id_of, time_of
from memory.events import Event
from memory.language.detect import Language, language_of
from memory.language.time_grammar import Grain
from memory.language.time_meaning import Reading, moment_of
from memory.language.times import when
from memory.policy.settings import DigestRules

LONGEST, SHORTEST = timedelta(days=14), timedelta(hours=1)
"""How far back somebody can look, and how little they can ask for."""
NEVER_SPOKE = timedelta(hours=24)
"""What is told to somebody who never wrote anything."""
MOST_READ = 5_000
"""Messages that are looked at, the newest of each channel; they are counted all the same."""
MOST_FOR_YOU = 1_000
SOON = timedelta(days=14)
"""What is due later is told among what was decided, with its date."""
WHOLE_SERVER = 0
"""In the place of a channel."""


class Section(StrEnum):
    FOR_YOU = auto()
    COMING = auto()
    DECIDED = auto()
    OPEN = auto()
    TALKED = auto()


class Since(StrEnum):
    """Names why what somebody missed begins where it begins."""

    MESSAGE = auto()
    """The last message of whoever asks."""
    CATCH_UP = auto()
    """They said that they had read all of it up to then."""
    TIME = auto()
    """They said so."""
    NEVER = auto()
    """They never wrote anything."""


@dataclass(frozen=True, slots=True)
class Boundary:
    since: Since
    at: datetime
    after_id: int
    """What has a higher id is told."""
    channel_id: int | None = None
    """Where their last message stands, if they can read it there."""
    is_cut: bool = False
    """It was longer ago than anybody can look back."""


class Why(StrEnum):
    """Names why a line is for somebody."""

    QUESTION = auto()
    """It was put to them, and is still open."""
    REPLY = auto()
    MENTION = auto()
    ROLE = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """Holds a line of a section, and the messages it rests on; the first is where it leads to."""

    text: str
    sources: tuple[Source, ...]
    people: tuple[int, ...] = ()
    """Whose words it is made of."""
    why: Why | None = None
    when: datetime | None = None
    """The moment it speaks of."""
    is_day: bool = False
    """Of that moment only the day was said."""
    messages: int = 0
    """Of a topic that is quoted: how much was said."""
    rests_on: Read = field(default_factory=Read)
    """The day that it was told with."""
    event: Event | None = None
    """A scheduled event, which rests on no message."""

    @classmethod
    def of_event(cls, event: Event) -> "Line":
        return cls(event.name, (), when=event.starts_at, event=event)

    def is_over(self, now: datetime) -> bool:
        return self.when is not None and self.when + timedelta(hours=12 if self.is_day else 0) < now


@dataclass(frozen=True, slots=True)
class Talk:
    """Holds what was said in some channels from one moment to another, as far as it was read."""

    said: Mapping[int, Sequence[Message]]
    """By channel, in the order in which it was said; what whoever asks said themselves is in it."""
    messages: int
    """Of people, all of them; what whoever asks said is no news and not counted."""
    channels: int
    bots: int
    unread: int = 0
    """Messages for which there was no room."""


@dataclass(frozen=True, slots=True)
class Account:
    """Holds what all that was said comes down to: told by topic where a model told its days, and else quoted."""

    coming: tuple[Line, ...] = ()
    """What is due soon, the soonest first."""
    decided: tuple[Line, ...] = ()
    """What else was decided or planned, the newest first."""
    talked: tuple[Line, ...] = ()
    messages: int = 0
    """Of the days that a model told."""
    left_out: int = 0
    """Of these, what was too much for a model."""
    is_quoted: bool = False
    """Some of the days were told without a model."""

    @property
    def by_model(self) -> bool:
        return any(line.rests_on for line in (*self.coming, *self.decided, *self.talked))


@dataclass(frozen=True, slots=True)
class CatchUp:
    boundary: Boundary
    until_id: int
    talk: Talk
    sections: Mapping[Section, tuple[Line, ...]]
    excluded: int = 0
    """Channels that whoever asks can read, and of which the server wants nothing kept."""
    more_for_you: int = 0
    """Mentions and replies beyond those that are listed."""
    account: Account = field(default_factory=Account)
    trouble: "Trouble | None" = None


class Trouble(StrEnum):
    """Names why no model wrote it although there is one."""

    FAILED = auto()
    TOO_OFTEN = auto()


def quotas(counts: Mapping[int, int], most: int = MOST_READ) -> dict[int, int]:
    """Say how many messages of each channel to read: all of a quiet one, of the lively ones equally many."""
    left, found = most, {}
    for place, (channel_id, count) in enumerate(sorted(counts.items(), key=lambda one: (one[1], one[0]))):
        found[channel_id] = min(count, left // (len(counts) - place))
        left -= found[channel_id]
    return found


def not_before(boundary: Boundary, now: datetime, first_id: int) -> Boundary:
    """Cut a boundary off at the moment up to which anybody can look back; `first_id` is its last id."""
    if boundary.after_id >= first_id:
        return boundary
    return replace(boundary, at=now - LONGEST, after_id=first_id, is_cut=True)


def moment_back(typed: str, now: datetime, zone: ZoneInfo, language: Language) -> datetime | None:
    """Read when somebody was last there, as they say it: "3 hours" means so long ago. None: not understood, or still to
    come. Of two readings the likelier is taken, because the answer says which."""
    languages = dict.fromkeys((language, language_of(typed) or language))
    for spoken, forward in product(languages, (False, True)):
        understood = when(typed, now, spoken, forward=forward)
        if understood is not None and understood.readings[0].repeat is None:
            reading = understood.readings[0]
            at = moment_of(reading, now, zone).at
            at = now - (at - now) if reading.is_interval and at > now else at
            if at <= now:
                return at
    return None


# The digest: when one is due in a guild, which messages it tells of, and what it tells.

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
    """Says when the digests of one guild are due, and what they tell of."""

    guild_id: int
    zone: ZoneInfo
    rules: DigestRules

    @property
    def language(self) -> Language:
        return Language(self.rules.language)

    def due_on(self, day: date) -> datetime | None:
        """Say when the digest of a day is due; an hour that the clocks leave out is the next one that there is."""
        rules = self.rules
        chosen = sorted(rules.weekdays)[:1] if rules.weekly else rules.weekdays
        if rules.channel_id is None or day.weekday() not in chosen:
            return None
        at = _moment(datetime.combine(day, time(rules.hour)), self.zone)
        return at if at.timestamp() > rules.since else None

    def due_by(self, now: datetime) -> Iterator[tuple[date, datetime]]:
        """List the digests of today and yesterday that are due by now: what is older is of no use."""
        today = self.today(now)
        for day in (today - timedelta(days=1), today):
            at = self.due_on(day)
            if at is not None and at <= now:
                yield day, at

    def next_due(self, now: datetime, done: date | None) -> datetime | None:
        """Find when the first digest to come is due, for a date that has none yet."""
        days = (self.today(now) + timedelta(days=number) for number in range(9))
        coming = ((day, self.due_on(day)) for day in days)
        return next((at for day, at in coming if at is not None and at > now and day != done), None)

    def today(self, now: datetime) -> date:
        return now.astimezone(self.zone).date()

    def tells_of(self, day: date) -> tuple[int, int]:
        """Find the days that a digest tells of: the ids behind which, and up to which, they were said."""
        first, last = (
            _moment(datetime.combine(day - timedelta(days=back), time.min), self.zone)
            for back in (7 if self.rules.weekly else 1, 0)
        )
        return last_id_of(first) - (1 << 22), last_id_of(last) - (1 << 22)


@dataclass(frozen=True, slots=True)
class Digest:
    """Describes a digest for a date, as its row has it."""

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
        """Write its date, like a newspaper's. In no other digest's first line, so that it is found again on Discord."""
        noon = datetime.combine(self.local_date, time(12), UTC)
        return f"<t:{int(noon.timestamp())}:D>"


@dataclass(frozen=True, slots=True)
class Edition:
    """Holds what a digest tells."""

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
    """Say whether an id in the place of a question may stand for a digest."""
    return asked_in & _MARK == _MARK


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return moment_of(Reading(wall, Grain.MINUTE), wall.replace(tzinfo=zone), zone).at
