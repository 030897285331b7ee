"""Which of our replies have to be taken back on Discord by now, and which have been.

That they have to be is decided by the database itself, where whatever they quote is deleted or changed; and by whoever
sees Discord, where somebody comes to read them who could not read what they were made from.
"""

from collections.abc import Collection
from datetime import datetime

import asyncpg

from memory.core.taking_back import NEVER_LOOKED, Borrowed, Replacement, Retraction, Viewers
from memory.db.database import Connection, Database
from memory.db.retention_declarations import Goes, Stays, TableDeclaration, columns
from memory.language.detect import Language
from memory.store.log import log_transaction

# A question that is gone is told by its tombstone, or by the channel that went with it.
_DUE = """
SELECT due.guild_id, due.asked_in, due.channel_id, due.language, due.message_ids, due.because, due.made_at,
       due.take_back_at, due.tries,
       EXISTS (SELECT 1 FROM tombstones AS gone WHERE gone.guild_id = due.guild_id AND gone.message_id = due.asked_in)
           AS question_is_gone
FROM receipts AS due
WHERE due.guild_id = $1 AND due.take_back_at <= $2 AND due.asked_in <> ALL ($3::bigint[])
ORDER BY due.take_back_at, due.asked_in LIMIT $4
"""

_BORROWED = """
SELECT channel_id, source_channels, made_at >= $2 AS is_new, array_agg(asked_in) FROM receipts
WHERE guild_id = $1 AND source_channels <> '{}'
  AND (take_back_at IS NULL OR take_back_at > TIMESTAMP WITH TIME ZONE 'epoch')
GROUP BY channel_id, source_channels, is_new
"""

# Not of a guild that was erased while they were looked at.
_NOTE_VIEWERS = """
INSERT INTO place_viewers (guild_id, checked_at, people, channels, viewers)
SELECT guild_id, $2, $3::bigint[], $4::bigint[], $5::bytea[] FROM guilds WHERE guild_id = $1
ON CONFLICT (guild_id) DO UPDATE SET checked_at = excluded.checked_at, people = excluded.people,
    channels = excluded.channels, viewers = excluded.viewers
"""

_AS_IT_WAS = "guild_id = $1 AND asked_in = $2 AND message_ids = $3 AND because = $4 AND take_back_at = $5"
"""More messages may have been noted meanwhile, or another answer has taken the place of this one."""


class TakingBackStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def guilds(self, guild_ids: Collection[int], now: datetime) -> list[int]:
        """Those of these guilds in which there is something to take back."""
        rows = await self._database.read(
            "store.taking_back.guilds",
            "SELECT DISTINCT guild_id FROM receipts WHERE take_back_at <= $2 AND guild_id = ANY($1) ORDER BY guild_id",
            list(guild_ids),
            now,
        )
        return [row["guild_id"] for row in rows]

    async def due(self, guild_id: int, now: datetime, most: int, but: Collection[int] = ()) -> list[Retraction]:
        """The longest due first, without the replies to these questions."""
        rows = await self._database.read("store.taking_back.due", _DUE, guild_id, now, list(but), most)
        return [_due(row) for row in rows]

    async def is_due(self, due: Retraction) -> bool:
        """Whether it is still to be taken back as it was read: others were before it, and Discord takes its time."""
        rows = await self._database.read(
            "store.taking_back.is_due",
            f"SELECT 1 FROM receipts WHERE {_AS_IT_WAS}",  # noqa: S608 - ours
            *_values(due),
        )
        return bool(rows)

    async def done(self, due: Retraction) -> None:
        """It is taken back."""
        async with self._database.transaction("store.taking_back.done") as connection:
            await connection.execute(f"DELETE FROM receipts WHERE {_AS_IT_WAS}", *_values(due))  # noqa: S608 - ours

    async def put_off(self, due: Retraction) -> None:
        async with self._database.transaction("store.taking_back.put_off") as connection:
            await connection.execute(
                f"UPDATE receipts SET tries = tries + 1 WHERE {_AS_IT_WAS}",  # noqa: S608 - ours
                *_values(due),
            )

    async def note_found(self, due: Retraction, message_ids: Collection[int]) -> bool:
        """Messages of ours that nobody had noted: they are kept out of the log like those that were. Whether it is
        still to be taken back as it was read."""
        async with self._database.transaction("store.taking_back.note_found") as connection:
            noted = await connection.fetchval(
                f"UPDATE receipts SET message_ids = $6 WHERE {_AS_IT_WAS} RETURNING true",  # noqa: S608 - ours
                *_values(due),
                sorted(message_ids),
            )
        return noted is not None

    async def viewers(self, guild_id: int) -> Viewers:
        """As they were when they were last noted."""
        rows = await self._database.read(
            "store.taking_back.viewers",
            "SELECT checked_at, people, channels, viewers FROM place_viewers WHERE guild_id = $1",
            guild_id,
        )
        if not rows:
            return NEVER_LOOKED
        checked_at, people, channels, viewers = rows[0]
        bits = (int.from_bytes(one, "little") for one in viewers)
        return Viewers(checked_at, tuple(people), dict(zip(channels, bits, strict=True)))

    async def borrowed(self, guild_id: int, since: datetime) -> list[Borrowed]:
        """What stands and was made from other channels than its own, apart for what was made since then."""
        rows = await self._database.read("store.taking_back.borrowed", _BORROWED, guild_id, since)
        return [Borrowed(place, frozenset(sources), new, tuple(ids)) for place, sources, new, ids in rows]

    async def note_viewers(self, guild_id: int, viewers: Viewers, exposed: Collection[int]) -> None:
        """These see the places now, and the replies to these questions are to be taken back for that."""
        size = (len(viewers.people) + 7) // 8
        # The log's turn is taken in any case: changes of who sees what are rare.
        async with log_transaction(
            self._database, "store.taking_back.note_viewers", guild_id, shared=True
        ) as connection:
            if exposed:
                await connection.execute("SELECT take_back($1, $2, 'readers')", guild_id, sorted(exposed))
            await connection.execute(
                _NOTE_VIEWERS,
                guild_id,
                viewers.checked_at,
                list(viewers.people),
                list(viewers.seen_by),
                [bits.to_bytes(size, "little") for bits in viewers.seen_by.values()],
            )


async def outlive_facts(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> None:
    """Within the caller's transaction: replies keep what they say when these facts expire."""
    await connection.execute(
        """
        UPDATE receipts SET quoted_facts = ARRAY(SELECT unnest(quoted_facts) EXCEPT SELECT unnest($2::bigint[]))
        WHERE guild_id = $1 AND quoted_facts && $2
        """,
        guild_id,
        list(fact_ids),
    )


def _due(row: asyncpg.Record) -> Retraction:
    return Retraction(
        guild_id=row["guild_id"],
        asked_in=row["asked_in"],
        channel_id=row["channel_id"],
        language=Language(row["language"]),
        message_ids=tuple(row["message_ids"]),
        because=row["because"],
        made_at=row["made_at"],
        marked_at=row["take_back_at"],
        tries=row["tries"],
        instead=_instead(row["because"], question_is_gone=row["question_is_gone"]),
    )


def _instead(because: str, *, question_is_gone: bool) -> Replacement:
    if question_is_gone or because == "question":
        return Replacement.NOTHING
    if because == "lapsed":
        return Replacement.FORGOTTEN
    return Replacement.NOT_FOR_ALL if because == "readers" else Replacement.TAKEN_BACK


def _values(due: Retraction) -> tuple[object, ...]:
    return due.guild_id, due.asked_in, list(due.message_ids), due.because, due.marked_at


HELD = (
    TableDeclaration(
        table="place_viewers",
        purpose="which members could see which channel when the bot's answers there were last checked, to take an"
        " answer back when somebody comes who could not read what it was made from; ids alone",
        until="the next check, seconds after a role, a channel or a member changes",
        columns=columns(ids="guild_id channels", people="people", times="checked_at", states="viewers"),
        message=Stays("it is about no message"),
        member=Stays("it is who may see what on Discord now; without it nobody knew who came later"),
        channel=Stays("the channel is still there, and so are those who may see it"),
        guild=Goes(),
    ),
)
