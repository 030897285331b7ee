"""Keeps the scheduled events of a server as Discord lists them, and tells each audience those that it may know of.

An event in a voice or stage channel is shown to whoever can read that channel; one that takes place elsewhere, to
whoever can read the hall. What may not be kept of its creator's messages may not be kept of their events either.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta

from memory.core.clock import Clock
from memory.core.provenance import Read
from memory.db.database import Database
from memory.db.table_declarations import Changes, Erasing, Goes, Stays, TableDeclaration, columns
from memory.fact_rows import naming
from memory.language.dates import MONTHS, WEEKDAYS
from memory.language.detect import word_set
from memory.language.stems import WordForms, topics
from memory.language.text import plain_words, repair
from memory.log.store import shared_log_transaction
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.rules import Verdict
from memory.policy.store import any_of, refusals_but_for

KEPT_AFTER = timedelta(days=1)
"""How long one that took place is kept."""
RUNNING = timedelta(hours=6)
"""How long one goes on of which nobody said when it ends."""
COMING = timedelta(days=30)
MOST = 100
"""Discord's most of one server."""
LONGEST_NAME, LONGEST_DESCRIPTION = 100, 1_000
_EVENT = word_set("event events termin veranstaltung evenement evento событие событием события мероприятие мероприятия")

_DATES = topics(" ".join([*WEEKDAYS, *MONTHS]))
"""Who says "before Friday" means no event of that name."""


@dataclass(frozen=True, slots=True)
class Event:
    """Holds a scheduled event."""

    guild_id: int
    event_id: int
    name: str
    starts_at: datetime
    channel_id: int | None = None
    """The voice or stage channel that it takes place in; None: elsewhere, as `location` says."""
    creator_id: int | None = None
    description: str = ""
    location: str = ""
    ends_at: datetime | None = None
    interested: int = 0

    @property
    def link(self) -> str:
        return f"https://discord.com/events/{self.guild_id}/{self.event_id}"

    @property
    def read(self) -> Read:
        """Tell what a text rests on that repeats the event. Discord numbers events and messages in one row."""
        channels = frozenset(() if self.channel_id is None else (self.channel_id,))
        return Read(messages={self.event_id: None}, channels=channels)


def named_in(text: str, events: Sequence[Event]) -> Event | None:
    """Find the event that a text speaks of: the one that shares most of its name's words, the soonest of several."""
    forms, best, most = WordForms(topics(text)), None, 0.0
    for event in events:
        own = topics(event.name) - _DATES
        share = sum(word in forms for word in own) / len(own) if own else 0.0
        if share > most and share >= 0.5:
            best, most = event, share
    if best is None and events and not _EVENT.isdisjoint(plain_words(text)):
        return events[0]
    return best


class Events:
    def __init__(self, database: Database, places: Places, clock: Clock, on_changed: Callable[[], None]) -> None:
        """`on_changed`: replies may have to be taken back, and reminders may be due at another time."""
        self._database = database
        self._places = places
        self._clock = clock
        self._on_changed = on_changed

    async def replace(self, guild_id: int, listed: Sequence[Event]) -> None:
        """Write all events that Discord lists of a guild; any other took place, or was cancelled."""
        rows, now = [_offered(event) for event in listed[:MOST]], self._clock.now()
        async with shared_log_transaction(self._database, "store.events.replace", guild_id) as connection:
            kept = await connection.fetchval(_WRITE, guild_id, rows)
            await connection.execute(_END, guild_id, kept, now)
            await connection.execute(_CANCEL, guild_id, kept, now)
        self._on_changed()

    async def remove(self, guild_id: int, event_id: int) -> None:
        """Remove an event that was cancelled or deleted."""
        async with shared_log_transaction(self._database, "store.events.remove", guild_id) as connection:
            await connection.execute("DELETE FROM events WHERE guild_id = $1 AND event_id = $2", guild_id, event_id)
        self._on_changed()

    async def coming(
        self, audience: Audience, after: datetime | None = None, until: datetime | None = None, most: int = MOST
    ) -> list[Event]:
        """List what is coming up, or goes on, for these readers, the soonest first."""
        after = after or self._clock.now()
        hall = self._places.hall(audience.guild_id)
        rows = await self._database.read(
            "store.events.coming",
            _COMING,
            audience.guild_id,
            list(audience.sources),
            bool(hall) and hall <= audience.sources,
            after,
            until or after + COMING,
            RUNNING,
            most,
        )
        return [Event(**{one.name: row[one.name] for one in fields(Event)}) for row in rows]

    async def purge(self, now: datetime) -> None:
        """Delete what took place more than a day ago."""
        async with self._database.transaction("store.events.purge") as connection:
            await connection.execute(_OVER, now - KEPT_AFTER, RUNNING)
            await connection.execute("DELETE FROM events WHERE over")


def _offered(event: Event) -> dict[str, object]:
    """Give an event as JSON, its words storable and no longer than Discord lets anybody write."""
    return asdict(event) | {
        "name": repair(event.name)[:LONGEST_NAME],
        "description": repair(event.description)[:LONGEST_DESCRIPTION],
        "location": repair(event.location)[:LONGEST_NAME],
    }


_COLUMNS = "event_id, channel_id, creator_id, name, description, location, starts_at, ends_at, interested"
_VALUES = ", ".join(f"{one} = excluded.{one}" for one in _COLUMNS.split(", ")[1:])
# As a message of its creator's would be judged, but for its age.
_JUDGED = "event_id AS message_id, NULL::bigint AS parent_id, creator_id AS author_id, 'person' AS author_kind"
_MAY_STAY = f"NOT {any_of(refusals_but_for(Verdict.TOO_OLD, Verdict.ANSWER, Verdict.LEFT_OUT))}"

_WRITE = f"""
WITH offered AS MATERIALIZED (
    SELECT *, {_JUDGED} FROM json_to_recordset($2::json) AS event (
        event_id bigint, channel_id bigint, creator_id bigint, name text, description text, location text,
        starts_at timestamptz, ends_at timestamptz, interested integer)
), written AS (
    INSERT INTO events AS known (guild_id, {_COLUMNS})
    SELECT $1, {_COLUMNS} FROM offered AS arrived WHERE {_MAY_STAY} ORDER BY event_id
    ON CONFLICT (guild_id, event_id) DO UPDATE SET {_VALUES}
    RETURNING event_id
)
SELECT coalesce(array_agg(event_id), '{{}}') FROM written
"""  # noqa: S608 - made of constants
_END = """
UPDATE events SET ends_at = $3
WHERE guild_id = $1 AND event_id <> ALL ($2) AND starts_at <= $3 AND (ends_at IS NULL OR ends_at > $3)
"""
_CANCEL = "DELETE FROM events WHERE guild_id = $1 AND event_id <> ALL ($2) AND starts_at > $3"
_COMING = f"""
SELECT * FROM (SELECT *, {_JUDGED} FROM events WHERE guild_id = $1) AS arrived
WHERE (channel_id = ANY ($2::bigint[]) OR (channel_id IS NULL AND $3)) AND {_MAY_STAY}
  AND coalesce(ends_at, starts_at + $6::interval) > $4 AND starts_at < $5
ORDER BY starts_at, event_id LIMIT $7
"""  # noqa: S608 - made of constants
_OVER = "UPDATE events SET over = true WHERE coalesce(ends_at, starts_at + $2::interval) < $1"

_NAMES = " OR ".join(naming(column, "{member}") for column in ("name", "description", "location"))
_UNNAMED = ", ".join(
    f"{column} = regexp_replace({column}, '<@!?' || {{member}} || '>', '@…', 'g')"
    for column in ("name", "description", "location")
)

TABLES = (
    TableDeclaration(
        table="events",
        purpose="scheduled events of the server: name, description, where and when, who made it and how many are"
        " interested; never who",
        until="a day after it took place; at once if it is cancelled",
        columns=columns(
            ids="guild_id event_id channel_id",
            people="creator_id",
            words="name description location",
            times="starts_at ends_at",
            numbers="interested",
            states="over",
        ),
        message=Stays("it is about no message"),
        member=Goes("creator_id = {member}"),
        channel=Goes("channel_id = ANY({channels})"),
        guild=Goes(),
        # Somebody else's words, which name them no more.
        unnamed=dict.fromkeys((Erasing.MEMBER, Erasing.OPTING_OUT), Changes(_UNNAMED, _NAMES)),
    ),
)
