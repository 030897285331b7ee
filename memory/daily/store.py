"""Stores up to where members said to have read, and what became of digests; reads what was said since.

Every read but those of a member's own is for an audience, and for channels among those that it can read.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.core.values import Member, Message
from memory.daily.values import MOST_FOR_YOU, MOST_NEW, WHOLE_SERVER, Digest, Schedule, State, Why
from memory.db.database import Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.log.reading import message_of, not_pending_removal
from memory.people.store import members_spoken_of
from memory.places.view import Audience
from memory.policy.settings import digest_rules
from memory.policy.store import said_no


class CatchUpStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def last_said(
        self, guild_id: int, user_id: int, before: int, channels: Collection[int] | None
    ) -> tuple[int, int] | None:
        """Find a member's own last message and its channel; what they said to us is none, nor what they say now."""
        among = None if channels is None else list(channels)
        rows = await self._database.read("store.daily.last_said", _LAST_SAID, guild_id, user_id, before, among)
        return (rows[0]["message_id"], rows[0]["channel_id"]) if rows else None

    async def read_to(self, guild_id: int, user_id: int, channel_id: int) -> int | None:
        """Find up to where a member has read, there or on the whole server."""
        rows = await self._database.read("store.daily.read_to", _READ_TO, guild_id, user_id, [WHOLE_SERVER, channel_id])
        read_to: int | None = rows[0]["read_to"]
        return read_to

    async def mark(self, guild_id: int, user_id: int, channel_id: int, read_to: int) -> bool:
        """Note up to where a member has read, and say whether it was noted: of whoever opted out nothing is kept."""
        async with self._database.transaction("store.daily.mark") as connection:
            noted = await connection.fetchval(_MARK, guild_id, user_id, channel_id, read_to)
        return noted is not None

    async def purge(self, before: int) -> None:
        async with self._database.transaction("store.daily.purge") as connection:
            await connection.execute("DELETE FROM catch_ups WHERE read_to < $1", before)

    async def census(
        self, audience: Audience, channels: Collection[int], after: int, until: int, but: int
    ) -> list[Record]:
        """Count for each channel in which somebody spoke: how many messages of people, without those of one, and of
        bots; and how many are talk between people, theirs too."""
        among = list(audience.sources.intersection(channels))
        return await self._database.read("store.daily.census", _CENSUS, audience.guild_id, among, after, until, but)

    async def talk(
        self, audience: Audience, quotas: Mapping[int, int], after: int, until: int
    ) -> dict[int, list[Message]]:
        """Read the newest talk of each channel, in the order in which it was said."""
        wanted = {channel: count for channel, count in quotas.items() if channel in audience.sources and count}
        rows = await self._database.read(
            "store.daily.talk", _TALK, audience.guild_id, list(wanted), list(wanted.values()), after, until
        )
        return await asyncio.to_thread(_by_channel, rows)

    async def for_you(
        self, audience: Audience, channels: Collection[int], after: int, until: int, user_id: int, roles: Sequence[int]
    ) -> tuple[list[tuple[Message, Why]], int]:
        """Find every message of somebody else that replies to a member or mentions them or one of their roles, the
        newest first; and how many there are in all."""
        rows = await self._database.read(
            "store.daily.for_you",
            _FOR_YOU,
            audience.guild_id,
            list(audience.sources.intersection(channels)),
            after,
            until,
            user_id,
            [f"%<@{user_id}>%", f"%<@!{user_id}>%"],
            [f"%<@&{role}>%" for role in roles],
            MOST_FOR_YOU,
        )
        return [(message_of(row), _why(row)) for row in rows], rows[0]["in_all"] if rows else 0

    async def member(self, guild_id: int, user_id: int) -> list[Member]:
        """Read a member, by whatever names they go; nobody, if they are not known."""
        async with self._database.transaction("store.daily.member", readonly=True) as connection:
            return await members_spoken_of(connection, guild_id, "", [user_id])


def _by_channel(newest_first: Sequence[Record]) -> dict[int, list[Message]]:
    said: dict[int, list[Message]] = {}
    for row in reversed(newest_first):
        said.setdefault(row["channel_id"], []).append(message_of(row))
    return said


def _why(row: Record) -> Why:
    return Why.REPLY if row["is_reply"] else Why.MENTION if row["is_mention"] else Why.ROLE


_NOT_TO_US = """
NOT EXISTS (SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
"""

_LAST_SAID = f"""
SELECT message_id, channel_id FROM chat_history AS said
WHERE guild_id = $1 AND author_id = $2 AND message_id < $3 AND author_kind = 'person'
  AND ($4::bigint[] IS NULL OR channel_id = ANY ($4)) AND {_NOT_TO_US} AND {not_pending_removal("said")}
ORDER BY message_id DESC LIMIT 1
"""  # noqa: S608 - made of constants

_READ_TO = """
SELECT max(read_to) AS read_to FROM catch_ups WHERE guild_id = $1 AND user_id = $2 AND channel_id = ANY ($3::bigint[])
"""

_MARK = f"""
INSERT INTO catch_ups AS known (guild_id, user_id, channel_id, read_to)
SELECT $1, $2, $3, $4 WHERE NOT {said_no("$2")}
ON CONFLICT (guild_id, user_id, channel_id) DO UPDATE SET read_to = greatest(known.read_to, excluded.read_to)
RETURNING true
"""

_CENSUS = f"""
SELECT channel_id,
    count(*) FILTER (WHERE author_kind = 'person' AND author_id <> $5) AS messages,
    count(*) FILTER (WHERE author_kind <> 'person') AS bots,
    count(*) FILTER (WHERE author_kind = 'person' AND {_NOT_TO_US}) AS talk
FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id > $3 AND message_id <= $4
  AND {not_pending_removal("said")}
GROUP BY channel_id
"""  # noqa: S608 - made of constants

# Channel by channel, because each has an index that ends with its newest message.
_TALK = f"""
SELECT newest.* FROM unnest($2::bigint[], $3::bigint[]) AS place (channel_id, most) CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS said
    WHERE guild_id = $1 AND said.channel_id = place.channel_id AND message_id > $4 AND message_id <= $5
      AND author_kind = 'person' AND {_NOT_TO_US} AND {not_pending_removal("said")}
    ORDER BY message_id DESC LIMIT place.most) AS newest
ORDER BY message_id DESC
"""  # noqa: S608 - made of constants

_FOR_YOU = f"""
SELECT said.*, own.message_id IS NOT NULL AS is_reply, said.text LIKE ANY ($6::text[]) AS is_mention,
    count(*) OVER () AS in_all
FROM chat_history AS said
LEFT JOIN chat_history AS own
    ON own.guild_id = $1 AND own.message_id = said.reply_to AND own.author_id = $5
WHERE said.guild_id = $1 AND said.channel_id = ANY ($2::bigint[]) AND said.message_id > $3 AND said.message_id <= $4
  AND said.author_kind = 'person' AND said.author_id <> $5 AND {not_pending_removal("said")}
  AND (own.message_id IS NOT NULL OR said.text LIKE ANY ($6::text[]) OR said.text LIKE ANY ($7::text[]))
ORDER BY said.message_id DESC LIMIT $8
"""  # noqa: S608 - made of constants


# Which digests were due, who posts them, and what became of each. The row of a guild and a date is made once.


class DigestStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def schedules(self, guild_ids: Collection[int], *, even_off: bool = False) -> list[Schedule]:
        """Read the schedules of those of these guilds that have chosen a channel."""
        rows = await self._database.read("store.digests.schedules", _SCHEDULES, list(guild_ids), even_off)
        return [Schedule(row["guild_id"], ZoneInfo(row["time_zone"]), digest_rules(row["digest"])) for row in rows]

    async def claim(
        self, digest: Digest, claimed_by: UUID, *, now: datetime, until: datetime, again: bool
    ) -> Digest | None:
        """Claim a digest. None: it is done, or somebody is at it. `again`: also where it was passed over."""
        async with self._database.transaction("store.digests.claim") as connection:
            states = [State.OPEN, State.QUIET, State.MISSED] if again else [State.OPEN]
            row = await connection.fetchrow(_CLAIM, *_values(digest), claimed_by, until, now, states)
        return None if row is None else replace(_digest(row), tries=row["tries"] - 1)

    async def record(self, digest: Digest) -> None:
        """Record a digest that nobody set about, with what became of it."""
        async with self._database.transaction("store.digests.record") as connection:
            await connection.execute(_RECORD, *_values(digest), digest.state)

    async def settle(self, digest: Digest, state: State, message_id: int | None) -> bool:
        """Settle a digest; say whether it was still in the hands of whoever says so."""
        async with self._database.transaction("store.digests.settle") as connection:
            settled = await connection.fetchval(_SETTLE, *_claim(digest), state, message_id)
        return settled is not None

    async def put_off(self, digest: Digest, until: datetime) -> None:
        async with self._database.transaction("store.digests.put_off") as connection:
            await connection.execute(_PUT_OFF, *_claim(digest), until)

    async def latest(self, guild_ids: Collection[int]) -> dict[int, Digest]:
        """Read for each guild the last digest that was due."""
        rows = await self._database.read("store.digests.latest", _LATEST, list(guild_ids))
        return {row["guild_id"]: _digest(row) for row in rows}

    async def posted(self, audience: Audience, most: int) -> list[Digest]:
        """List the posted digests, the newest first."""
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
        """Find up to where the last digest told that was posted; zero, if none was."""
        rows = await self._database.read("store.digests.told_up_to", _TOLD_UP_TO, guild_id, before)
        return rows[0]["until_id"] or 0

    async def newcomers(self, audience: Audience, channels: Collection[int], after: int, until: int) -> list[Message]:
        """Read what members said first who first spoke in that time, as far as these readers can know."""
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
    read = {one.name: row[one.name] for one in fields(Digest)}
    return Digest(**{**read, "state": State(row["state"])})


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
        table="catch_ups",
        purpose="up to which moment you said to have read what you had missed, on the server or in a channel",
        until="14 days later, or until you are erased",
        columns=columns(ids="guild_id channel_id read_to", people="user_id"),
        message=Stays("it is a moment, and no message"),
        member=Goes("user_id = {member}"),
        channel=Goes("channel_id = ANY ({channels})"),
        guild=Goes(),
    ),
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
