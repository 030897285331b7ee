"""Reading the log of what was said, and setting aside what was said to us."""

from collections.abc import Collection
from datetime import datetime

import asyncpg

from memory.core.log_values import Unanswered
from memory.core.values import AuthorKind, Intent, Message
from memory.db.database import Connection, Database
from memory.places.view import Audience
from memory.store import extras
from memory.store.going import tellable
from memory.store.log import log_transaction


class MessageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note_addressed(self, guild_id: int, channel_id: int, message_id: int, intent: Intent) -> None:
        """Set a message aside from conversation: it was said to us.

        A day that was made from it goes, and our replies that quote that day: these are rows of the log. While a model
        decides what is wanted it is taken for a question, which may be noted later than what it turned out to be.
        What came by Discord is noted when it is stored: then nobody waits for a turn and a commit here.
        """
        noted = await self._database.read(
            "store.messages.addressed",
            "SELECT intent FROM addressed WHERE guild_id = $1 AND message_id = $2",
            guild_id,
            message_id,
        )
        if noted and intent in (Intent.QUESTION, noted[0]["intent"]):
            return
        async with log_transaction(
            self._database, "store.messages.note_addressed", guild_id, shared=True
        ) as connection:
            await connection.execute(
                """
                INSERT INTO addressed AS known (guild_id, message_id, channel_id, intent) SELECT $1, $2, $3, $4
                WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)
                ON CONFLICT (guild_id, message_id) DO UPDATE
                SET intent = CASE WHEN excluded.intent = $5 THEN known.intent ELSE excluded.intent END
                """,
                guild_id,
                message_id,
                channel_id,
                intent,
                Intent.QUESTION,
            )

    async def unanswered(self, guild_id: int, channel_id: int) -> list[Unanswered]:
        """What was said to us in a channel and is still to be done, the oldest first.

        Of what we answered just before we were ended, our reply stands in the log; that is noted now.
        """
        if not await self._database.read("store.messages.unanswered", _UNANSWERED, guild_id, channel_id):
            return []
        async with self._database.transaction("store.messages.still_unanswered") as connection:
            await connection.execute(_NOTE_ANSWERED, guild_id, channel_id)
            rows = await connection.fetch(_UNANSWERED, guild_id, channel_id)
        return [Unanswered(row["message_id"], Intent(row["intent"]), row["reply_id"]) for row in rows]

    async def note_answered(self, guild_id: int, message_ids: Collection[int]) -> None:
        async with self._database.transaction("store.messages.note_answered") as connection:
            await connection.execute(
                "UPDATE addressed SET unanswered = false WHERE guild_id = $1 AND message_id = ANY($2) AND unanswered",
                guild_id,
                list(message_ids),
            )

    async def recent(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """The newest messages of the place itself, oldest first; `before` is a message id to end at."""
        return audience.present(await self._page("store.messages.recent", _RECENT, audience, limit, before), None)

    async def recent_conversation(
        self, audience: Audience, limit: int, before: int | None = None, at: datetime | None = None
    ) -> list[Message]:
        """The same, of people talking to each other: neither bots nor what was said to us. `at` is the present, which
        is all there is where not everyone can read back."""
        name = "store.messages.recent_conversation"
        return audience.present(await self._page(name, _RECENT_CONVERSATION, audience, limit, before), at)

    async def recent_elsewhere(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """The same, of all other channels that this audience could read, taken together."""
        async with self._database.transaction("store.messages.recent_elsewhere", readonly=True) as connection:
            others = list(audience.sources - {audience.place_id})
            rows = await connection.fetch(_RECENT_ELSEWHERE, audience.guild_id, others, limit, before)
        return [message_of(row) for row in reversed(rows)]

    async def ids_between(self, guild_id: int, channel_id: int, *, above: int, below: int, limit: int) -> list[int]:
        """For comparing the log with Discord, not for telling: ids alone, oldest first, of what Discord showed us."""
        async with self._database.transaction("store.messages.ids_between", readonly=True) as connection:
            rows = await connection.fetch(_IDS_BETWEEN, guild_id, channel_id, above, below, limit)
        return [row["message_id"] for row in rows]

    async def _page(self, name: str, query: str, audience: Audience, limit: int, before: int | None) -> list[Message]:
        rows = await self._database.read(name, query, audience.guild_id, audience.place_id, limit, before)
        return [message_of(row) for row in reversed(rows)]


async def stored(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[Message]:
    """Within the caller's transaction: messages by id, for keeping what was made from them true, not for telling."""
    rows = await connection.fetch(
        "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )
    return [message_of(row) for row in rows]


def message_of(row: asyncpg.Record) -> Message:
    return Message(
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        author_id=row["author_id"],
        author_kind=AuthorKind(row["author_kind"]),
        text=row["text"],
        sent_at=row["sent_at"],
        edited_at=row["edited_at"],
        reply_to=row["reply_to"],
        parent_id=row["parent_id"],
        **extras.read(row["extras"]),
    )


_REPLY = """
SELECT message_id FROM chat_history AS reply
WHERE reply.guild_id = note.guild_id AND reply.channel_id = note.channel_id AND reply.message_id > note.message_id
  AND reply.reply_to = note.message_id AND reply.author_kind = 'self'
ORDER BY reply.message_id DESC LIMIT 1
"""

# A reply without a receipt says only why there is none.
_NOTE_ANSWERED = f"""
UPDATE addressed AS note SET unanswered = false FROM receipts
WHERE note.guild_id = $1 AND note.channel_id = $2 AND note.unanswered
  AND receipts.guild_id = note.guild_id AND receipts.asked_in = note.message_id
  AND (cardinality(receipts.message_ids) > 0
       OR EXISTS ({_REPLY}))
"""  # noqa: S608 - made of constants

_UNANSWERED = f"""
SELECT note.message_id, intent, ({_REPLY}) AS reply_id
FROM addressed AS note WHERE guild_id = $1 AND channel_id = $2 AND unanswered ORDER BY note.message_id
"""  # noqa: S608 - made of constants

_IDS_BETWEEN = """
SELECT message_id FROM chat_history
WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3 AND message_id < $4 AND NOT imported
ORDER BY message_id LIMIT $5
"""

_RECENT = f"""
SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to, parent_id, extras
FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4) AND {tellable("said")}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

_RECENT_CONVERSATION = f"""
SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to, parent_id, extras
FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4) AND author_kind = 'person'
  AND NOT EXISTS (
      SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
  AND {tellable("said")}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

# Channel by channel, because each has an index that ends with its newest message.
_RECENT_ELSEWHERE = f"""
SELECT said.* FROM unnest($2::bigint[]) AS place (channel_id) CROSS JOIN LATERAL (
    SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to, parent_id,
        extras
    FROM chat_history AS newest
    WHERE guild_id = $1 AND newest.channel_id = place.channel_id AND ($4::bigint IS NULL OR message_id < $4)
      AND author_kind = 'person'
      AND NOT EXISTS (
          SELECT 1 FROM addressed a WHERE a.guild_id = newest.guild_id AND a.message_id = newest.message_id)
      AND {tellable("newest")}
    ORDER BY message_id DESC LIMIT $3) AS said
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants
