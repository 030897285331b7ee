"""Stores the days of a guild and their texts. Whoever reads a text says for whom."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import UUID

from memory.audit import Deed
from memory.core.log_values import Kind
from memory.core.values import Member, Message, Source
from memory.db.database import Connection, Database, Reading, Reads, Record
from memory.db.table_declarations import Changes, Follows, Goes, How, TableDeclaration, columns
from memory.log.reading import message_of, not_pending_removal
from memory.people.names import mentioned_ids
from memory.places.view import Audience
from memory.summaries.calendar import CalendarDay, DayRow
from memory.summaries.happenings import EntryKind, Happening, ToldHappening

# What the store knows of days: their rows, what they are made from, and their texts.


@dataclass(frozen=True, slots=True)
class ToldName:
    """Holds what a member is called by a fact that all readers of the day may hear."""

    name: str
    fact_id: int
    channel_id: int | None
    """Where it was told; None: it is for everyone."""


@dataclass(frozen=True, slots=True)
class DayInput:
    """Holds all that a day is told from."""

    messages: tuple[Message, ...]
    members: tuple[Member, ...]
    """Who wrote them or is mentioned in them, as far as they may be told of."""
    seq: int
    """Up to which the log was read."""
    told_names: Mapping[int, Sequence[ToldName]] = field(default_factory=dict)
    """By member."""

    @property
    def channels(self) -> frozenset[int]:
        """List the channels it is told from, also those where somebody told what a member is called."""
        told = {one.channel_id for names in self.told_names.values() for one in names if one.channel_id is not None}
        return frozenset(message.channel_id for message in self.messages) | told

    @property
    def fact_ids(self) -> frozenset[int]:
        return frozenset(one.fact_id for names in self.told_names.values() for one in names)

    @property
    def people(self) -> frozenset[int]:
        """List the people in it, also those who may not be told of: whatever is done about them is done to this day."""
        mentioned = (one for message in self.messages for one in mentioned_ids(message.text))
        return frozenset((*(message.author_id for message in self.messages), *mentioned))


@dataclass(frozen=True, slots=True)
class Begun:
    """Holds a day that is being made."""

    source: DayInput
    changes: int
    """How often something that it was told from had changed when that was read."""


@dataclass(frozen=True, slots=True)
class MadeDay:
    """Holds a day's texts, and what became of making them."""

    texts: Mapping[int, str]
    is_final: bool
    made_at: datetime
    version: int
    model: str | None
    """None: quoted."""
    happenings: Sequence[Happening] = ()
    left_out: int = 0
    """Messages that no model was given."""
    tries: int = 0
    """Failures in a row."""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ToldDay:
    """Holds what a day was about for one member."""

    scope: int
    day: CalendarDay
    user_id: int
    text: str
    is_quoted: bool
    made_at: datetime = field(compare=False)
    changes: int = field(default=0, compare=False)
    """How often something that it was told from had changed."""
    corrected_by: int | None = None
    """Who has put it right by hand."""


MOST_MESSAGES = 20_000
"""Of one day. More than that no prompt could take, however it is split."""


class DayStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def rows(self, guild_id: int, scopes: Collection[int], since: datetime, until: datetime) -> list[DayRow]:
        """Read the rows of days of which any part lies between the two."""
        rows = await self._database.read("store.days.rows", _ROWS, guild_id, list(scopes), since, until)
        return [_row(row) for row in rows]

    async def disturbed(self, guild_id: int) -> list[DayRow]:
        """List days that lost their texts, the newest first."""
        rows = await self._database.read("store.days.disturbed", _DISTURBED, guild_id)
        return [_row(row) for row in rows]

    async def last_mended_on(self, guild_id: int) -> date | None:
        async with self._database.transaction("store.days.last_mended_on", readonly=True) as connection:
            night: date | None = await connection.fetchval(
                "SELECT max(mended_on) FROM days WHERE guild_id = $1", guild_id
            )
        return night

    async def count(
        self, guild_id: int, channels: Collection[int], asked: Sequence[tuple[CalendarDay, int]]
    ) -> list[int]:
        """Count, for each day, its messages that arrived behind the given place in the log."""
        rows = await self._database.read(
            "store.days.count",
            _COUNT,
            guild_id,
            list(channels),
            [day.first_id for day, _ in asked],
            [day.end_id for day, _ in asked],
            [day.starts_at for day, _ in asked],
            [day.ends_at for day, _ in asked],
            [seq for _, seq in asked],
        )
        return [row["messages"] for row in rows]

    async def read_through(self, guild_id: int, channels: Collection[int], day: CalendarDay) -> dict[int, int | None]:
        """Read up to which message those of the channels have been read in which something was said that day."""
        rows = await self._database.read(
            "store.days.read_through",
            """
            SELECT said.channel_id, max(contiguous_through) AS reached
            FROM (SELECT DISTINCT channel_id FROM chat_history
                  WHERE guild_id = $1 AND message_id >= $3 AND message_id < $4 AND channel_id = ANY($2)) AS said
            LEFT JOIN channel_progress AS known ON known.guild_id = $1 AND known.channel_id = said.channel_id
            GROUP BY said.channel_id
            """,
            guild_id,
            list(channels),
            day.first_id,
            day.end_id,
        )
        return {row["channel_id"]: row["reached"] for row in rows}

    async def horizon(self, guild_id: int, now: datetime) -> datetime | None:
        """Find the horizon: an earlier day is not told again; the log lacks some, or its summary would not be kept."""
        found = await self._database.read(
            "store.days.horizon",
            """
            SELECT greatest(kept_since, $2::timestamptz - make_interval(days => summary_days)) AS moment
            FROM guilds WHERE guild_id = $1
            """,
            guild_id,
            now,
        )
        return found[0]["moment"] if found else None

    async def said(
        self, audience: Audience, channels: Collection[int], day: CalendarDay, most: int = MOST_MESSAGES
    ) -> list[Message]:
        """Read what people said to each other on a day in those of the channels that this audience may read."""
        reading = Reading(self._database, "store.days.said")
        return await said_on(reading, audience.guild_id, audience.sources & frozenset(channels), day, most)

    async def told(
        self,
        audience: Audience,
        scopes: Collection[int],
        first: date,
        last: date,
        user_ids: Collection[int] | None = None,
    ) -> list[ToldDay]:
        """Read what may be told to this audience of these days, in their order; of all members, or of those given."""
        only = None if user_ids is None else list(user_ids)
        rows = await self._database.read(
            "store.days.told", _TOLD, audience.guild_id, list(scopes), first, last, list(audience.sources), only
        )
        return [
            ToldDay(
                row["scope"],
                _day(row),
                row["user_id"],
                row["text"],
                row["is_quoted"],
                row["made_at"],
                row["changes"],
                row["corrected_by"],
            )
            for row in rows
        ]

    async def happened(
        self, audience: Audience, scopes: Collection[int], first: date, last: date
    ) -> list[ToldHappening]:
        """Read what happened on these days, as far as this audience may be told, in order, the weightiest first."""
        rows = await self._database.read(
            "store.days.happened", _HAPPENED, audience.guild_id, list(scopes), first, last, list(audience.sources)
        )
        return [
            ToldHappening(
                row["scope"],
                _day(row),
                EntryKind(row["kind"]),
                row["text"],
                tuple(row["cites"]),
                tuple(
                    Source(channel_id, message_id)
                    for channel_id, message_id in zip(row["cited_in"], row["cites"], strict=True)
                    if channel_id is not None
                ),
                frozenset(row["source_channels"]),
                row["is_quoted"],
                row["changes"],
                row["messages"],
                row["left_out"],
            )
            for row in rows
        ]

    async def told_by_model(
        self, audience: Audience, scopes: Collection[int], message_ids: Collection[int]
    ) -> set[int]:
        """Find, of these messages, those that are in a day which a model told."""
        rows = await self._database.read(
            "store.days.told_by_model",
            """
            SELECT message_id FROM chat_history AS said JOIN days ON days.guild_id = $1 AND scope = ANY ($3::bigint[])
                AND sent_at >= starts_at AND sent_at < ends_at AND seq <= seen_seq
                AND channel_id = ANY (source_channels)
            WHERE said.guild_id = $1 AND message_id = ANY ($2::bigint[])
              AND changes = seen_changes AND model IS NOT NULL AND source_channels <@ $4::bigint[]
            """,
            audience.guild_id,
            list(message_ids),
            list(scopes),
            list(audience.sources),
        )
        return {row["message_id"] for row in rows}

    async def lost_corrections(
        self, reader: Audience, scope: int, first: date, last: date, since: datetime
    ) -> dict[date, datetime]:
        """Find, by day, when the reader was the last to correct a text of it that is not there any more."""
        reading = Reading(self._database, "store.days.lost_corrections")
        noted = await reading.fetch(_NOTED, reader.guild_id, Deed.CORRECTED_DAY, scope, since)
        standing = await reading.fetch(_STANDING, reader.guild_id, scope, first, last)
        stand = {correction_id(row["user_id"], row["day"]) for row in standing}
        mine = {row["audit_id"]: row for row in noted if row["actor_id"] == reader.viewer_id}
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        lost = [
            (day, row["at"])
            for key, row in mine.items()
            for day in days
            if key not in stand and key == correction_id(row["subject_id"], day)
        ]
        return dict(sorted(lost))


def correction_id(user_id: int, day: date) -> UUID:
    """Make the id by which the audit log knows that somebody corrected what the day was about for a member."""
    return UUID(int=user_id << 64 | day.toordinal())


async def said_on(
    connection: Reads, guild_id: int, channels: Collection[int], day: CalendarDay, most: int = MOST_MESSAGES
) -> list[Message]:
    """Read the last that people said to each other on a day, in the order of their ids."""
    rows = await connection.fetch(
        _SAID, guild_id, list(channels), day.first_id, day.end_id, day.starts_at, day.ends_at, most
    )
    return [message_of(row) for row in reversed(rows)]


async def forget_expired(connection: Connection, guild_id: int, now: datetime) -> None:
    """Delete, within the caller's transaction, summaries that are older than the guild keeps them."""
    await connection.execute(
        """
        DELETE FROM days USING guilds
        WHERE days.guild_id = $1 AND guilds.guild_id = $1
          AND ends_at < $2::timestamptz - make_interval(days => summary_days)
        """,
        guild_id,
        now,
    )


def _day(row: Record) -> CalendarDay:
    return CalendarDay(row["starts_at"], row["ends_at"], row["day"])


def _row(row: Record) -> DayRow:
    return DayRow(
        scope=row["scope"],
        day=_day(row),
        source_channels=frozenset(row["source_channels"]),
        seen_seq=row["seen_seq"],
        is_final=row["is_final"],
        is_disturbed=row["is_disturbed"],
        is_quoted=row["is_quoted"],
        tried_at=row["tried_at"],
        tries=row["tries"],
        retry_at=row["retry_at"],
    )


_ROW = """
scope, starts_at, ends_at, day, source_channels, seen_seq, is_final, changes <> seen_changes AS is_disturbed,
model IS NULL AS is_quoted, tried_at, tries, retry_at
"""

_ROWS = f"""
SELECT {_ROW} FROM days WHERE guild_id = $1 AND scope = ANY ($2::bigint[]) AND ends_at > $3 AND starts_at < $4
ORDER BY scope, starts_at
"""  # noqa: S608 - made of constants

_DISTURBED = f"""
SELECT {_ROW} FROM days WHERE guild_id = $1 AND changes <> seen_changes ORDER BY starts_at DESC
"""  # noqa: S608 - made of constants

# An id tells its time, and is what the log is ordered by.
_SAID = f"""
SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to, parent_id, extras,
    speaker, pinned, reactions
FROM chat_history AS said
WHERE guild_id = $1 AND message_id >= $3 AND message_id < $4 AND channel_id = ANY ($2::bigint[])
  AND sent_at >= $5 AND sent_at < $6 AND author_kind = 'person'
  AND NOT EXISTS (SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
  AND {not_pending_removal("said")}
ORDER BY message_id DESC LIMIT $7
"""  # noqa: S608 - made of constants

_COUNT = """
SELECT (
    SELECT count(*) FROM chat_history AS said
    WHERE guild_id = $1 AND message_id >= first_id AND message_id < end_id AND channel_id = ANY ($2::bigint[])
      AND sent_at >= starts_at AND sent_at < ends_at AND seq > seen AND author_kind = 'person'
      AND NOT EXISTS (
          SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
) AS messages
FROM unnest($3::bigint[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::bigint[])
     WITH ORDINALITY AS asked (first_id, end_id, starts_at, ends_at, seen, place)
ORDER BY place
"""

_TOLD = """
SELECT scope, starts_at, ends_at, day, user_id, text, model IS NULL AND corrected_by IS NULL AS is_quoted, made_at,
    changes, corrected_by
FROM days JOIN day_entries USING (guild_id, scope, starts_at)
WHERE guild_id = $1 AND scope = ANY ($2::bigint[]) AND day BETWEEN $3 AND $4 AND changes = seen_changes
  AND source_channels <@ $5::bigint[] AND kind = 'member' AND ($6::bigint[] IS NULL OR user_id = ANY ($6))
ORDER BY starts_at, scope, user_id
"""

# Where each cited message stands; nowhere, if it is gone or closed to this audience.
_HAPPENED = f"""
SELECT scope, starts_at, ends_at, day, kind, text, cites, source_channels, model IS NULL AS is_quoted, changes,
    messages, left_out, ARRAY(SELECT said.channel_id FROM unnest(cites) WITH ORDINALITY AS cited (message_id, place)
          LEFT JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = cited.message_id
              AND said.channel_id = ANY ($5::bigint[]) AND {not_pending_removal("said")}
          ORDER BY place) AS cited_in
FROM days JOIN day_entries USING (guild_id, scope, starts_at)
WHERE guild_id = $1 AND scope = ANY ($2::bigint[]) AND day BETWEEN $3 AND $4 AND changes = seen_changes
  AND source_channels <@ $5::bigint[] AND kind <> 'member'
ORDER BY starts_at, scope, position
"""  # noqa: S608 - made of constants

# The newest for each member and day.
_NOTED = """
SELECT DISTINCT ON (audit_id) audit_id, at, actor_id, subject_id FROM audit
WHERE guild_id = $1 AND action = $2 AND coalesce(channel_id, 0) = $3 AND at > $4 ORDER BY audit_id, at DESC
"""

_STANDING = """
SELECT user_id, day FROM days JOIN day_entries USING (guild_id, scope, starts_at)
WHERE guild_id = $1 AND scope = $2 AND day BETWEEN $3 AND $4 AND corrected_by IS NOT NULL
"""


TABLES = (
    TableDeclaration(
        table="days",
        purpose="which days have been summarised, from which channels, members and facts, and when",
        until="the server's retention of summaries ends",
        columns=columns(
            ids="guild_id scope source_channels fact_ids",
            people="people",
            times="starts_at ends_at day made_at tried_at retry_at mended_on",
            numbers="messages left_out read_seq seen_seq changes seen_changes version tries",
            states="is_final model",
        ),
        message=Follows("chat_history", How.TRIGGER),
        member=Changes("changes = changes + 1, people = array_remove(people, {member})", "{member} = ANY (people)"),
        # An id tells its time.
        channel=Changes(
            "changes = changes + 1",
            "source_channels && {channels} AND starts_at <= to_timestamp((({through} >> 22) + 1420070400000) / 1000.0)",
        ),
        guild=Goes(),
    ),
    TableDeclaration(
        table="day_entries",
        purpose="what a day was about for each member who spoke or was spoken of in public channels, in a few"
        " sentences by a model or quoted, without sensitive topics, or as somebody corrected it; and what happened on"
        " it, by topic, with the messages that say it; of a private channel only if somebody asked for it in there",
        until="what it was made from is edited, deleted, excluded or erased: then it goes in the same moment, and is"
        " made anew from the rest",
        columns=columns(
            ids="guild_id scope cites",
            people="user_id corrected_by",
            words="text",
            times="starts_at",
            numbers="position",
            states="kind",
        ),
        message=Follows("days", How.TRIGGER),
        member=Goes("{member} IN (user_id, corrected_by)"),
        channel=Follows("days", How.TRIGGER),
        guild=Follows("days", How.KEY),
        counted=Kind.SUMMARIES,
    ),
)
