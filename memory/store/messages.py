"""The log of what was said. Create, edit and delete may arrive in any order, twice or late; the end is the same.

Writers of one guild's log hold an advisory lock until they commit: shared for new messages, exclusive for edits and
deletes. Without it a delete could miss a message that is being inserted, and the insert the delete's tombstone.
"""

from collections.abc import Collection, Sequence

import asyncpg

from memory.core.audience import Audience
from memory.core.commands import Intent
from memory.core.model import AuthorKind, Message, MessageEdit
from memory.store.database import Connection, Database


class MessageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note_addressed(self, guild_id: int, channel_id: int, message_id: int, intent: Intent) -> None:
        """Set a message aside from conversation: it was said to us."""
        async with self._database.transaction("store.messages.note_addressed") as connection:
            await connection.execute(
                """
                INSERT INTO addressed (guild_id, message_id, channel_id, intent) SELECT $1, $2, $3, $4
                WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)
                ON CONFLICT (guild_id, message_id) DO UPDATE SET intent = excluded.intent
                """,
                guild_id,
                message_id,
                channel_id,
                intent,
            )

    async def recent(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """The newest messages of the place itself, oldest first; `before` is a message id to end at."""
        return await self._page("store.messages.recent", _RECENT, audience, limit, before)

    async def recent_conversation(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """The same, of people talking to each other: neither bots nor what was said to us."""
        return await self._page("store.messages.recent_conversation", _RECENT_CONVERSATION, audience, limit, before)

    async def _page(self, name: str, query: str, audience: Audience, limit: int, before: int | None) -> list[Message]:
        async with self._database.transaction(name, readonly=True) as connection:
            rows = await connection.fetch(query, audience.guild_id, audience.place_id, limit, before)
        return [_message(row) for row in reversed(rows)]


async def add_messages(connection: Connection, messages: Sequence[Message]) -> list[int]:
    """Within the caller's transaction: store messages of one guild.

    Known ids are kept as they are, unless this copy was edited later: the ids of those are returned.
    """
    if not messages:
        return []
    newest = _newest_copy_of_each(messages)
    guild_id = newest[0].guild_id
    await share_log(connection, guild_id)
    rows = await connection.fetch(
        _ADD,
        guild_id,
        [message.message_id for message in newest],
        [message.channel_id for message in newest],
        [message.author_id for message in newest],
        [message.author_kind for message in newest],
        [message.text for message in newest],
        [message.sent_at for message in newest],
        [message.edited_at for message in newest],
        [message.reply_to for message in newest],
    )
    return [row["message_id"] for row in rows if row["was_known"]]


async def edit_message(connection: Connection, edit: MessageEdit) -> bool:
    """Within the caller's transaction: replace the text, if this edit is newer than what is stored.

    An edit of a message yet to come is kept for it. Whether a stored text changed.
    """
    await _own_log(connection, edit.guild_id)
    changed = await connection.fetchval(
        """
        UPDATE chat_history SET text = $3, edited_at = $4, seq = nextval('chat_history_seq')
        WHERE guild_id = $1 AND message_id = $2 AND (edited_at IS NULL OR edited_at < $4)
        RETURNING true
        """,
        edit.guild_id,
        edit.message_id,
        edit.text,
        edit.edited_at,
    )
    if not changed:
        await connection.execute(
            _KEEP_EARLY_EDIT, edit.guild_id, edit.message_id, edit.channel_id, edit.text, edit.edited_at
        )
    return bool(changed)


async def stored(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[Message]:
    """Within the caller's transaction: messages by id, for keeping what was made from them true, not for telling."""
    rows = await connection.fetch(
        "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )
    return [_message(row) for row in rows]


async def is_deleted(connection: Connection, guild_id: int, message_id: int) -> bool:
    deleted: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)", guild_id, message_id
    )
    return deleted


async def delete_messages(connection: Connection, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
    """Within the caller's transaction: nothing of these messages stays but their ids."""
    await _own_log(connection, guild_id)
    ids = list(message_ids)
    await connection.execute(
        """
        INSERT INTO tombstones (guild_id, message_id, channel_id)
        SELECT $1, message_id, $2 FROM unnest($3::bigint[]) AS message_id
        ON CONFLICT (guild_id, message_id) DO NOTHING
        """,
        guild_id,
        channel_id,
        ids,
    )
    for statement in (
        "DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)",
        "DELETE FROM early_edits WHERE guild_id = $1 AND message_id = ANY($2)",
        "DELETE FROM addressed WHERE guild_id = $1 AND message_id = ANY($2)",
    ):
        await connection.execute(statement, guild_id, ids)


async def delete_channel(connection: Connection, guild_id: int, channel_id: int) -> list[int]:
    """Within the caller's transaction: a channel and all that was said in it; the ids of its messages."""
    await _own_log(connection, guild_id)
    await connection.execute(
        "INSERT INTO closed_channels (guild_id, channel_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        guild_id,
        channel_id,
    )
    rows = await connection.fetch(
        "DELETE FROM chat_history WHERE guild_id = $1 AND channel_id = $2 RETURNING message_id", guild_id, channel_id
    )
    for statement in (
        "DELETE FROM early_edits WHERE guild_id = $1 AND channel_id = $2",
        "DELETE FROM addressed WHERE guild_id = $1 AND channel_id = $2",
        # The channel's own mark stands for all of its messages now.
        "DELETE FROM tombstones WHERE guild_id = $1 AND channel_id = $2",
    ):
        await connection.execute(statement, guild_id, channel_id)
    return [row["message_id"] for row in rows]


async def share_log(connection: Connection, guild_id: int) -> None:
    await connection.execute(
        "SELECT pg_advisory_xact_lock_shared(hashtextextended('log', $1))",
        guild_id,
    )


async def _own_log(connection: Connection, guild_id: int) -> None:
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('log', $1))", guild_id)


def _newest_copy_of_each(messages: Sequence[Message]) -> list[Message]:
    newest: dict[int, Message] = {}
    for message in messages:
        known = newest.get(message.message_id)
        if known is None or _is_edited_later(message, known):
            newest[message.message_id] = message
    return list(newest.values())


def _is_edited_later(message: Message, known: Message) -> bool:
    if message.edited_at is None:
        return False
    return known.edited_at is None or message.edited_at > known.edited_at


def _message(row: asyncpg.Record) -> Message:
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
    )


_ADD = """
WITH early AS (
    DELETE FROM early_edits WHERE guild_id = $1 AND message_id = ANY($2) RETURNING message_id, text, edited_at
)
INSERT INTO chat_history AS known
    (guild_id, message_id, channel_id, author_id, author_kind, text, sent_at, edited_at, reply_to)
SELECT $1, arrived.message_id, arrived.channel_id, author_id, author_kind,
       CASE WHEN early.edited_at > coalesce(arrived.edited_at, '-infinity') THEN early.text ELSE arrived.text END,
       sent_at, greatest(early.edited_at, arrived.edited_at), reply_to
FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
            $7::timestamptz[], $8::timestamptz[], $9::bigint[]) WITH ORDINALITY
     AS arrived (message_id, channel_id, author_id, author_kind, text, sent_at, edited_at, reply_to, place)
LEFT JOIN early ON early.message_id = arrived.message_id
WHERE NOT EXISTS (SELECT 1 FROM tombstones t WHERE t.guild_id = $1 AND t.message_id = arrived.message_id)
  AND NOT EXISTS (SELECT 1 FROM closed_channels c WHERE c.guild_id = $1 AND c.channel_id = arrived.channel_id)
ORDER BY place
ON CONFLICT (guild_id, message_id) DO UPDATE
    SET text = excluded.text, edited_at = excluded.edited_at, seq = excluded.seq
    WHERE excluded.edited_at > coalesce(known.edited_at, '-infinity')
RETURNING known.message_id, known.xmax <> 0 AS was_known
"""

_KEEP_EARLY_EDIT = """
INSERT INTO early_edits AS early (guild_id, message_id, channel_id, text, edited_at)
SELECT $1, $2, $3, $4, $5
WHERE NOT EXISTS (SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = $2)
  AND NOT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)
  AND NOT EXISTS (SELECT 1 FROM closed_channels WHERE guild_id = $1 AND channel_id = $3)
ON CONFLICT (guild_id, message_id) DO UPDATE SET text = excluded.text, edited_at = excluded.edited_at
    WHERE early.edited_at < excluded.edited_at
"""

_RECENT = """
SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to
FROM chat_history
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4)
ORDER BY message_id DESC LIMIT $3
"""

_RECENT_CONVERSATION = """
SELECT guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to
FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4) AND author_kind = 'person'
  AND NOT EXISTS (
      SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
ORDER BY message_id DESC LIMIT $3
"""
