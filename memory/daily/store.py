"""Stores up to where members said to have read; reads what was said since.

Every read but those of a member's own is for an audience, and for channels among those that it can read.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from memory.core.values import Member, Message
from memory.daily.values import MOST_FOR_YOU, WHOLE_SERVER, Why
from memory.db.database import Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.log.reading import message_of, not_pending_removal
from memory.people.store import members_spoken_of
from memory.places.view import Audience
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
