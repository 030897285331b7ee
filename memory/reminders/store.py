"""Stores reminders and the time zones of members. Whoever reads one says whose it is; those who manage a guild see and
end what is to come where they can read, and that is noted.

One that is due is claimed by a lease. A claim holds for the reminder and the moment it was due at: whoever marks it as
delivered names both, so that neither a second process nor a later due time is taken for it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.audit import Deed, note
from memory.core.log_values import Kind
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Changes, Erasing, Goes, Stays, TableDeclaration, columns
from memory.fact_rows import naming
from memory.language.detect import Language
from memory.language.time_grammar import Every, Repeat
from memory.log.store import note_done, shared_log_transaction
from memory.places.view import Audience
from memory.policy.store import opted_out_among
from memory.reminders.values import MOST_OPEN, Claimed, Refused, Reminder, State


class ReminderStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, reminder: Reminder) -> Reminder | Refused:
        """Add a reminder; give the one that is there already, where it was asked for before."""
        guild_id, owner_id = reminder.guild_id, reminder.owner_id
        async with shared_log_transaction(self._database, "store.reminders.add", guild_id) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('reminders', $1))", owner_id)
            known = await connection.fetchrow(f"{_SELECT} AND reminder_id = $2", guild_id, reminder.reminder_id)
            if known is not None:
                return _reminder(known) if known["owner_id"] == owner_id else Refused.GONE
            if await opted_out_among(connection, guild_id, [owner_id]):
                return Refused.OPTED_OUT
            ids = [reminder.reminder_id, reminder.about_id or 0]
            if await connection.fetchval(_IS_GONE, guild_id, ids, owner_id, reminder.reminder_id):
                return Refused.GONE
            if await connection.fetchval(_HOW_MANY, guild_id, owner_id) >= MOST_OPEN:
                return Refused.TOO_MANY
            await connection.execute(_ADD, *_stored(reminder, _COLUMNS))
            await note_done(connection, guild_id, reminder.reminder_id)
        return reminder

    async def save(self, before: Reminder, after: Reminder) -> bool:
        """Save a reminder, if it is still as it was read. Whoever is delivering it then does not mark it any more."""
        async with shared_log_transaction(self._database, "store.reminders.save", before.guild_id) as connection:
            if after.state in _COUNTED and before.state not in _COUNTED:
                await connection.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended('reminders', $1))", before.owner_id
                )
                if await connection.fetchval(_HOW_MANY, before.guild_id, before.owner_id) >= MOST_OPEN:
                    return False
            known = (before.guild_id, before.reminder_id, before.state, before.due_at)
            saved = await connection.fetchval(_SAVE, *known, *_stored(after, _CHANGING))
        return saved is not None

    async def one(self, guild_id: int, reminder_id: int, owner_id: int) -> Reminder | None:
        rows = await self._database.read(
            "store.reminders.one", f"{_SELECT} AND reminder_id = $2 AND owner_id = $3", guild_id, reminder_id, owner_id
        )
        return _reminder(rows[0]) if rows else None

    async def of_owner(self, guild_id: int, owner_id: int, *states: State) -> list[Reminder]:
        """List the reminders of an owner, the next one first."""
        rows = await self._database.read(
            "store.reminders.of_owner",
            f"{_SELECT} AND owner_id = $2 AND state = ANY ($3::text[]) ORDER BY due_at, reminder_id",
            guild_id,
            owner_id,
            list(states),
        )
        return [_reminder(row) for row in rows]

    async def in_channels(
        self,
        reader: Audience,
        by: int,
        channel_id: int,
        channels: Collection[int],
        at: datetime,
        is_public: Callable[[Reminder], bool],
    ) -> list[Reminder]:
        """List what is to come in a channel and its threads, for a manager. That they looked is noted."""
        async with self._database.transaction("store.reminders.in_channels") as connection:
            rows = await connection.fetch(
                f"{_SELECT} AND state = 'open' AND channel_id = ANY ($2::bigint[]) ORDER BY due_at, reminder_id",
                reader.guild_id,
                sorted(reader.sources & frozenset(channels)),
            )
            found = [one for one in map(_reminder, rows) if is_public(one)]
            deed = Deed.SHOWED_CHANNEL
            await note(connection, reader.guild_id, by, deed, at, channel_id=channel_id, items=len(found))
        return found

    async def end(self, reader: Audience, by: int, reminder_id: int, at: datetime) -> bool:
        """End a reminder for a manager, where they can read: its owner cannot have it back."""
        async with self._database.transaction("store.reminders.end") as connection:
            ended = await connection.fetchrow(
                """
                DELETE FROM reminders WHERE guild_id = $1 AND reminder_id = $2 AND channel_id = ANY ($3::bigint[])
                RETURNING owner_id, channel_id
                """,
                reader.guild_id,
                reminder_id,
                sorted(reader.sources),
            )
            if ended is not None:
                owner_id, channel_id = ended
                deed, guild_id = Deed.ENDED_REMINDER, reader.guild_id
                await note(connection, guild_id, by, deed, at, subject_id=owner_id, channel_id=channel_id, items=1)
        return ended is not None

    async def remove(self, reminder: Reminder) -> None:
        async with self._database.transaction("store.reminders.remove") as connection:
            await connection.execute(
                "DELETE FROM reminders WHERE guild_id = $1 AND reminder_id = $2 AND due_at = $3 AND state = $4",
                reminder.guild_id,
                reminder.reminder_id,
                reminder.due_at,
                reminder.state,
            )

    async def next_due(self, guild_ids: Collection[int]) -> dict[int, datetime]:
        """Find, by guild, when there is next something to deliver."""
        rows = await self._database.read("store.reminders.next_due", _NEXT_DUE, list(guild_ids))
        return {row["guild_id"]: row["at"] for row in rows}

    async def claim(self, guild_id: int, claimed_by: UUID, *, now: datetime, until: datetime) -> Claimed | None:
        """Claim the reminder that has been due for longest and that nobody is delivering."""
        async with self._database.transaction("store.reminders.claim") as connection:
            row = await connection.fetchrow(
                f"{_CLAIM} ORDER BY due_at LIMIT 1 {_TAKE}", guild_id, claimed_by, now, until
            )
        return None if row is None else _claimed(row)

    async def claim_beside(
        self, claimed: Claimed, *, now: datetime, until: datetime, before: datetime
    ) -> list[Claimed]:
        """Claim others of the same owner and place that were due before then and that nobody has tried to deliver."""
        one = claimed.reminder
        async with self._database.transaction("store.reminders.claim_beside") as connection:
            rows = await connection.fetch(
                f"{_CLAIM} {_BESIDE} {_TAKE}",
                one.guild_id,
                claimed.claimed_by,
                now,
                until,
                one.owner_id,
                one.channel_id,
                before,
            )
        return [_claimed(row) for row in rows]

    async def release_claim(self, claimed: Claimed, until: datetime, *, was_tried: bool) -> None:
        """Give a claim back until then. If nothing was tried, it is as if nobody had claimed it."""
        async with self._database.transaction("store.reminders.release_claim") as connection:
            await connection.execute(
                f"""
                UPDATE reminders SET claimed_until = $5, claimed_by = CASE WHEN $6 THEN claimed_by END,
                    tries = CASE WHEN $6 THEN tries ELSE $7 END, tried_at = CASE WHEN $6 THEN tried_at ELSE $8 END
                WHERE {_IS_CLAIMED}
                """,  # noqa: S608 - ours
                *_claim(claimed),
                until,
                was_tried,
                claimed.tries,
                claimed.tried_from,
            )

    async def mark(self, claimed: Claimed, after: Reminder, message_id: int | None) -> bool:
        """Mark a reminder as said, by that message or elsewhere, or as impossible. False: what asked is gone.

        The message goes like an answer: with what asked for it, and with its owner.
        """
        one = claimed.reminder
        async with shared_log_transaction(self._database, "store.reminders.mark", one.guild_id) as connection:
            there = await connection.fetchval(
                "SELECT state FROM reminders WHERE guild_id = $1 AND reminder_id = $2 FOR UPDATE",
                one.guild_id,
                one.reminder_id,
            )
            if there is None or there == State.DELETED:
                return False
            await connection.execute(
                f"""
                UPDATE reminders SET state = $5, due_at = $6, ends_at = $7, claimed_by = NULL, claimed_until = NULL,
                    tried_at = NULL, tries = 0
                WHERE {_IS_CLAIMED}
                """,  # noqa: S608 - ours
                *_claim(claimed),
                after.state,
                after.due_at,
                after.ends_at,
            )
            if message_id is not None:
                await _note_message(connection, one, message_id)
        return True

    async def purge(self, now: datetime) -> None:
        async with self._database.transaction("store.reminders.purge") as connection:
            await connection.execute("DELETE FROM reminders WHERE ends_at <= $1", now)

    # The time zones of members

    async def zone(self, guild_id: int, user_id: int) -> tuple[str, bool]:
        """Read the zone that holds for a member, and whether they know which."""
        rows = await self._database.read("store.reminders.zone", _ZONE, guild_id, user_id)
        return (rows[0]["zone"], rows[0]["is_known"]) if rows else ("UTC", False)

    async def set_zone(self, guild_id: int, user_id: int, zone: str | None) -> bool:
        """Store a member's zone. None: they know that the guild's holds. False for who wants nothing stored."""
        async with shared_log_transaction(self._database, "store.reminders.set_zone", guild_id) as connection:
            if await opted_out_among(connection, guild_id, [user_id]):
                return False
            await connection.execute(
                """
                INSERT INTO member_settings AS known (guild_id, user_id, time_zone) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id, user_id) DO UPDATE SET time_zone = coalesce($3, known.time_zone)
                """,
                guild_id,
                user_id,
                zone,
            )
        return True


async def _note_message(connection: Connection, one: Reminder, message_id: int) -> None:
    """Note our message: it repeats the words of the one that asked for it, and nothing of what it points at."""
    repeated = [one.reminder_id] if one.by_message else []
    await connection.execute(
        """
        INSERT INTO receipts AS known
            (guild_id, asked_in, channel_id, asker_id, made_at, language, message_ids, used_messages, quoted_messages)
        VALUES ($1, $2, $3, $4, $5, $6, ARRAY[$7::bigint], $8, $8)
        ON CONFLICT (guild_id, asked_in) DO UPDATE SET message_ids = array_append(known.message_ids, $7::bigint),
            used_messages = $8, quoted_messages = $8
        """,
        one.guild_id,
        one.reminder_id,
        one.channel_id,
        one.owner_id,
        one.due_at,
        one.language,
        message_id,
        repeated,
    )


_SELECT = "SELECT * FROM reminders WHERE guild_id = $1"
_COUNTED = (State.ASKED, State.OPEN, State.KEPT)
_HOW_MANY = (
    "SELECT count(*) FROM reminders WHERE guild_id = $1 AND owner_id = $2 AND state IN ('asked', 'open', 'kept')"
)
_IS_GONE = """
SELECT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = ANY ($2::bigint[]))
    OR EXISTS (SELECT 1 FROM erasures WHERE guild_id = $1 AND user_id = $3 AND through_message_id >= $4)
"""
_CHANGING = ("text", "state", "wall", "zone", "due_at", "every", "every_count", "ends_at", "event_id")
_COLUMNS = (*(one.name for one in fields(Reminder) if one.name != "repeat"), "every", "every_count")
_ADD = f"""
INSERT INTO reminders ({", ".join(_COLUMNS)}) VALUES ({", ".join(f"${place}" for place in range(1, len(_COLUMNS) + 1))})
"""  # noqa: S608 - made of constants
_SAVE = f"""
UPDATE reminders SET {", ".join(f"{column} = ${place}" for place, column in enumerate(_CHANGING, start=5))},
    claimed_by = NULL, claimed_until = NULL, tried_at = NULL, tries = 0
WHERE guild_id = $1 AND reminder_id = $2 AND state = $3 AND due_at IS NOT DISTINCT FROM $4 RETURNING true
"""  # noqa: S608 - made of constants
_NEXT_DUE = """
SELECT guild_id, min(greatest(due_at, claimed_until)) AS at FROM reminders
WHERE guild_id = ANY ($1::bigint[]) AND state = 'open' GROUP BY guild_id
"""
_CLAIM = """
WITH free AS (
    SELECT * FROM reminders
    WHERE guild_id = $1 AND state = 'open' AND due_at <= $3 AND (claimed_until IS NULL OR claimed_until <= $3)
"""
_BESIDE = f"AND owner_id = $5 AND channel_id = $6 AND due_at < $7 AND tries = 0 ORDER BY due_at LIMIT {MOST_OPEN}"
_TAKE = """
    FOR UPDATE SKIP LOCKED
)
UPDATE reminders AS taken SET claimed_by = $2, claimed_until = $4, tries = taken.tries + 1,
    tried_at = coalesce(taken.tried_at, $3)
FROM free WHERE taken.guild_id = free.guild_id AND taken.reminder_id = free.reminder_id
RETURNING taken.*, free.tries AS tries_before, free.tried_at AS tried_from, free.claimed_until AS tried_until
"""
_IS_CLAIMED = "guild_id = $1 AND reminder_id = $2 AND due_at = $3 AND claimed_by = $4 AND state = 'open'"
_ZONE = """
SELECT coalesce(chosen.time_zone, guilds.time_zone) AS zone, chosen.user_id IS NOT NULL AS is_known
FROM guilds LEFT JOIN member_settings AS chosen ON chosen.guild_id = guilds.guild_id AND chosen.user_id = $2
WHERE guilds.guild_id = $1
"""


def _stored(one: Reminder, columns: Sequence[str]) -> list[object]:
    """Give a reminder's values of these columns."""
    every, count = (None, 1) if one.repeat is None else (one.repeat.every, one.repeat.count)
    otherwise = {"wall": one.wall and one.wall.isoformat(), "every": every, "every_count": count}
    return [otherwise[name] if name in otherwise else getattr(one, name) for name in columns]


def _claim(claimed: Claimed) -> Sequence[object]:
    one = claimed.reminder
    return one.guild_id, one.reminder_id, one.due_at, claimed.claimed_by


def _claimed(row: Record) -> Claimed:
    return Claimed(_reminder(row), row["claimed_by"], row["tried_from"], row["tried_until"], row["tries_before"])


def _reminder(row: Record) -> Reminder:
    every, readers, wall = row["every"], row["readers"], row["wall"]
    values: dict[str, Any] = {one.name: row[one.name] for one in fields(Reminder) if one.name != "repeat"}
    values |= {"language": Language(row["language"]), "state": State(row["state"])}
    values["wall"] = None if wall is None else datetime.fromisoformat(wall)
    values["readers"] = None if readers is None else tuple(readers)
    values["repeat"] = None if every is None else Repeat(Every(every), row["every_count"])
    return Reminder(**values)


_NAMES = naming("text", "{member}")

TABLES = (
    TableDeclaration(
        table="reminders",
        purpose="what members asked to be reminded of: their words, when and in which time zone, where they asked and"
        " who could read it there, and how far its delivery has come",
        until="a week after it was delivered, a month if it could not be, a day after it was deleted; or with the"
        " message that asked for it or that it points at",
        columns=columns(
            ids="guild_id reminder_id channel_id about_id event_id claimed_by",
            people="owner_id readers",
            words="text",
            times="wall due_at made_at ends_at claimed_until tried_at",
            numbers="every_count tries",
            settings="zone",
            states="language state every by_message in_hall",
        ),
        message=Goes("reminder_id = ANY({messages}) OR about_id = ANY({messages})"),
        member=Goes("owner_id = {member}"),
        channel=Goes("channel_id = ANY({channels}) AND reminder_id <= {through}"),
        guild=Goes(),
        counted=Kind.REMINDERS,
        # Of what others want to be reminded of: it is theirs, and names them no more.
        unnamed=dict.fromkeys(
            (Erasing.MEMBER, Erasing.OPTING_OUT),
            Changes(
                "text = regexp_replace(text, '<@!?' || {member} || '>', '@…', 'g'),"
                " readers = array_remove(readers, {member})",
                f"{{member}} = ANY (readers) OR {_NAMES}",
            ),
        ),
    ),
    TableDeclaration(
        table="member_settings",
        purpose="the time zone a member chose, or was told about",
        until="the member opts out or is erased",
        columns=columns(ids="guild_id", people="user_id", settings="time_zone"),
        message=Stays("it is about no message"),
        member=Goes("user_id = {member}"),
        channel=Stays("it is about no channel"),
        guild=Goes(),
    ),
)
