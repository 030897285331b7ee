"""Which digests were due, who posts them, and what became of each. The row of a guild and a date is made once."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.core.values import Message
from memory.daily.digest_values import MOST_NEW, Digest, Schedule, State
from memory.db.database import Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.log.reading import message_of, not_pending_removal
from memory.places.view import Audience
from memory.policy.settings import digest_rules


class DigestStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def schedules(self, guild_ids: Collection[int], *, even_off: bool = False) -> list[Schedule]:
        """Of those of these guilds that have chosen a channel."""
        rows = await self._database.read("store.digests.schedules", _SCHEDULES, list(guild_ids), even_off)
        return [Schedule(row["guild_id"], ZoneInfo(row["time_zone"]), digest_rules(row["digest"])) for row in rows]

    async def claim(
        self, digest: Digest, claimed_by: UUID, *, now: datetime, until: datetime, again: bool
    ) -> Digest | None:
        """None: it is done, or somebody is at it. `again`: also where it was passed over."""
        async with self._database.transaction("store.digests.claim") as connection:
            states = [State.OPEN, State.QUIET, State.MISSED] if again else [State.OPEN]
            row = await connection.fetchrow(_CLAIM, *_values(digest), claimed_by, until, now, states)
        return None if row is None else replace(_digest(row), tries=row["tries"] - 1)

    async def record(self, digest: Digest) -> None:
        """One that nobody set about, with what became of it."""
        async with self._database.transaction("store.digests.record") as connection:
            await connection.execute(_RECORD, *_values(digest), digest.state)

    async def settle(self, digest: Digest, state: State, message_id: int | None) -> bool:
        """Whether it was still in the hands of whoever says so."""
        async with self._database.transaction("store.digests.settle") as connection:
            settled = await connection.fetchval(_SETTLE, *_claim(digest), state, message_id)
        return settled is not None

    async def put_off(self, digest: Digest, until: datetime) -> None:
        async with self._database.transaction("store.digests.put_off") as connection:
            await connection.execute(_PUT_OFF, *_claim(digest), until)

    async def latest(self, guild_ids: Collection[int]) -> dict[int, Digest]:
        """By guild, the last that was due."""
        rows = await self._database.read("store.digests.latest", _LATEST, list(guild_ids))
        return {row["guild_id"]: _digest(row) for row in rows}

    async def posted(self, audience: Audience, most: int) -> list[Digest]:
        """The newest first."""
        rows = await self._database.read(
            "store.digests.posted", _POSTED, audience.guild_id, list(audience.sources), most
        )
        return [_digest(row) for row in rows]

    async def one(self, guild_id: int, digest_id: int) -> Digest | None:
        rows = await self._database.read(
            "store.digests.one", "SELECT * FROM digests WHERE guild_id = $1 AND digest_id = $2", guild_id, digest_id
        )
        return _digest(rows[0]) if rows else None

    async def told_up_to(self, guild_id: int, before: date) -> int:
        """Up to where the last one told that was posted; zero, if none was."""
        rows = await self._database.read("store.digests.told_up_to", _TOLD_UP_TO, guild_id, before)
        return rows[0]["until_id"] or 0

    async def newcomers(self, audience: Audience, channels: Collection[int], after: int, until: int) -> list[Message]:
        """Of those who first spoke in that time, as far as these readers can know: what they said first."""
        among = list(audience.sources.intersection(channels))
        rows = await self._database.read(
            "store.digests.newcomers", _NEWCOMERS, audience.guild_id, among, after, until, list(audience.sources)
        )
        return [message_of(row) for row in rows]

    async def purge(self, before: date) -> None:
        async with self._database.transaction("store.digests.purge") as connection:
            await connection.execute("DELETE FROM digests WHERE local_date < $1", before)


def _values(one: Digest) -> tuple[object, ...]:
    return one.guild_id, one.local_date, one.digest_id, one.channel_id, one.due_at, one.after_id, one.until_id


def _claim(one: Digest) -> tuple[object, ...]:
    return one.guild_id, one.local_date, one.claimed_by


def _digest(row: Record) -> Digest:
    return Digest(
        guild_id=row["guild_id"],
        local_date=row["local_date"],
        digest_id=row["digest_id"],
        channel_id=row["channel_id"],
        due_at=row["due_at"],
        after_id=row["after_id"],
        until_id=row["until_id"],
        state=State(row["state"]),
        message_id=row["message_id"],
        claimed_by=row["claimed_by"],
        tried_at=row["tried_at"],
        tries=row["tries"],
    )


_SCHEDULES = """
SELECT guild_id, time_zone, digest FROM guilds
WHERE guild_id = ANY ($1::bigint[]) AND ($2 OR (digest ->> 'channel_id') IS NOT NULL) ORDER BY guild_id
"""
_COLUMNS = "guild_id, local_date, digest_id, channel_id, due_at, after_id, until_id"
# One that was tried keeps its place and what it tells of: it may stand there already.
_CLAIM = f"""
INSERT INTO digests AS known ({_COLUMNS}, claimed_by, claimed_until, tried_at, tries)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
ON CONFLICT (guild_id, local_date) DO UPDATE SET state = 'open', claimed_by = $8, claimed_until = $9,
    tries = known.tries + 1, tried_at = coalesce(known.tried_at, $10),
    channel_id = CASE WHEN known.tries = 0 THEN $4 ELSE known.channel_id END,
    after_id = CASE WHEN known.tries = 0 THEN $6 ELSE known.after_id END,
    until_id = CASE WHEN known.tries = 0 THEN $7 ELSE known.until_id END
WHERE known.state = ANY ($11::text[]) AND (known.claimed_until IS NULL OR known.claimed_until <= $10)
RETURNING *
"""  # noqa: S608 - made of constants
_RECORD = f"""
INSERT INTO digests AS known ({_COLUMNS}, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (guild_id, local_date) DO UPDATE SET state = $8, claimed_by = NULL WHERE known.state = 'open'
"""  # noqa: S608 - made of constants
_IS_CLAIMED = "guild_id = $1 AND local_date = $2 AND claimed_by = $3 AND state = 'open'"
# What was passed over was never tried: whoever wants it all the same begins anew.
_SETTLE = f"""
UPDATE digests SET state = $4, message_id = $5, claimed_by = NULL, claimed_until = NULL,
    tries = CASE WHEN $4 = 'posted' THEN tries ELSE 0 END, tried_at = CASE WHEN $4 = 'posted' THEN tried_at END
WHERE {_IS_CLAIMED} RETURNING true
"""  # noqa: S608 - made of constants
_PUT_OFF = f"UPDATE digests SET claimed_until = $4 WHERE {_IS_CLAIMED}"  # noqa: S608 - made of constants
_LATEST = """
SELECT DISTINCT ON (guild_id) * FROM digests WHERE guild_id = ANY ($1::bigint[]) ORDER BY guild_id, local_date DESC
"""
_POSTED = """
SELECT * FROM digests WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND state = 'posted'
ORDER BY local_date DESC LIMIT $3
"""
_TOLD_UP_TO = """
SELECT max(until_id) AS until_id FROM digests WHERE guild_id = $1 AND local_date < $2 AND state = 'posted'
"""
# Where nothing older is known at all, everyone would be new.
_NEWCOMERS = f"""
SELECT * FROM (
    SELECT DISTINCT ON (author_id) said.* FROM chat_history AS said
    WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id > $3 AND message_id <= $4
      AND author_kind = 'person' AND {not_pending_removal("said")}
      AND NOT EXISTS (
          SELECT 1 FROM chat_history AS before WHERE before.guild_id = $1 AND before.author_id = said.author_id
            AND before.message_id <= $3 AND before.channel_id = ANY ($5::bigint[]))
    ORDER BY author_id, message_id) AS new
WHERE EXISTS (
    SELECT 1 FROM chat_history WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id <= $3)
ORDER BY message_id LIMIT {MOST_NEW}
"""  # noqa: S608 - made of constants

TABLES = (
    TableDeclaration(
        table="digests",
        purpose="for which days the server's digest was due, what became of it, and which of the bot's messages it is:"
        " ids and times alone, so that it is posted once",
        until="60 days later",
        columns=columns(
            ids="guild_id digest_id channel_id after_id until_id message_id claimed_by",
            times="local_date due_at claimed_until tried_at",
            numbers="tries",
            states="state",
        ),
        message=Stays("it is about no message; what a digest tells of is in its receipt"),
        member=Stays("it is about nobody"),
        channel=Stays("without it the digest would be posted there once more"),
        guild=Goes(),
    ),
)
