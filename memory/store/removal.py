"""Taking people, old messages and whole guilds out of the log: what erasing means for each of its tables."""

from dataclasses import dataclass
from datetime import datetime

from memory.store.database import Connection
from memory.store.policy import ADMITTED

TABLES_OF_A_GUILD = (
    # Before the log: message by message, as it is kept true otherwise, would take long.
    "receipts",
    "changes",
    "message_index",
    "stretches",
    "term_counts",
    "spellings",
    "index_channels",
    "index_state",
    "index_again",
    "contexts",
    "histories",
    "asked_about",
    "day_summaries",
    "days",
    "chat_history",
    "tombstones",
    "closed_channels",
    "early_edits",
    "addressed",
    "channel_progress",
    "imports",
    "model_calls",
    "member_names",
    "members",
    "roles",
    "places",
    "fact_aliases",
    "facts",
    "user_facts",
    "vetoes",
    "audit",
    "claims",
    "guilds",
)
"""Everything but consents and erasures (of channels too): that word outlives our stay, and holds if we come back."""


@dataclass(frozen=True, slots=True)
class ErasedMessages:
    messages: int
    replies: int
    early_edits: int
    addressed: int


async def messages_of(connection: Connection, guild_id: int, user_id: int, through: int) -> list[int]:
    """Within the transaction of a caller who owns the log."""
    rows = await connection.fetch(
        "SELECT message_id FROM chat_history WHERE guild_id = $1 AND author_id = $2 AND message_id <= $3",
        guild_id,
        user_id,
        through,
    )
    return [row["message_id"] for row in rows]


async def erase_author(
    connection: Connection, guild_id: int, user_id: int, message_ids: list[int], through: int
) -> ErasedMessages:
    """Within the transaction of a caller who owns the log: an author's messages and our own replies to them.

    The author's are kept out by the policy; our replies leave tombstones, since they are still there on Discord.
    """
    replies = await connection.fetch(
        """
        DELETE FROM chat_history WHERE guild_id = $1 AND author_kind = 'self' AND reply_to = ANY($2)
        RETURNING message_id, channel_id
        """,
        guild_id,
        message_ids,
    )
    await connection.execute(
        """
        INSERT INTO tombstones (guild_id, message_id, channel_id)
        SELECT $1, * FROM unnest($2::bigint[], $3::bigint[]) ON CONFLICT DO NOTHING
        """,
        guild_id,
        [row["message_id"] for row in replies],
        [row["channel_id"] for row in replies],
    )
    return ErasedMessages(
        messages=await _deleted(
            connection, "chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, message_ids
        ),
        replies=len(replies),
        early_edits=await _deleted(
            connection,
            "early_edits WHERE guild_id = $1 AND author_id = $2 AND message_id <= $3",
            guild_id,
            user_id,
            through,
        ),
        addressed=await _deleted(
            connection, "addressed WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, message_ids
        ),
    )


async def remove_expired(connection: Connection, guild_id: int, last_expired_id: int, limit: int) -> int:
    """Within the transaction of a caller who owns the log: up to `limit` messages from before the horizon."""
    removed = await _deleted(
        connection,
        """chat_history WHERE guild_id = $1 AND message_id IN (
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND sent_at < (SELECT kept_since FROM guilds WHERE guild_id = $1)
            ORDER BY message_id LIMIT $2)""",
        guild_id,
        limit,
    )
    # An id tells its time; whoever waits for a message from before the horizon waits in vain.
    for rest in ("early_edits", "addressed"):
        await _deleted(connection, f"{rest} WHERE guild_id = $1 AND message_id <= $2", guild_id, last_expired_id)
    return removed


async def not_admitted(connection: Connection, guild_id: int, limit: int) -> list[int]:
    """Within the transaction of a caller who owns the log: stored messages that may be stored no longer."""
    rows = await connection.fetch(
        f"SELECT message_id FROM chat_history AS arrived WHERE guild_id = $1 AND NOT ({ADMITTED}) LIMIT $2",  # noqa: S608 - constants
        guild_id,
        limit,
    )
    return [row["message_id"] for row in rows]


async def forget_edits_not_admitted(connection: Connection, guild_id: int) -> None:
    await connection.execute(
        f"""
        DELETE FROM early_edits WHERE guild_id = $1 AND message_id IN (
            SELECT message_id FROM (
                SELECT *, edited_at AS sent_at FROM early_edits WHERE guild_id = $1) AS arrived
            WHERE NOT ({ADMITTED}))
        """,  # noqa: S608 - made of constants
        guild_id,
    )


async def forget_waiting(connection: Connection, guild_id: int, moment: datetime, last_id: int) -> None:
    """Edits and notes whose message has not come by now: it is not stored, and never will be."""
    await _deleted(connection, "early_edits WHERE guild_id = $1 AND edited_at < $2", guild_id, moment)
    await _deleted(
        connection,
        """addressed AS note WHERE guild_id = $1 AND message_id <= $2 AND NOT EXISTS (
            SELECT 1 FROM chat_history c WHERE c.guild_id = $1 AND c.message_id = note.message_id)""",
        guild_id,
        last_id,
    )


async def is_left_for_good(connection: Connection, guild_id: int, since: datetime) -> bool:
    """Within the caller's transaction: and it stays so until the end of it, even if we come back just now."""
    left: bool | None = await connection.fetchval(
        "SELECT left_at < $2 FROM guilds WHERE guild_id = $1 FOR UPDATE", guild_id, since
    )
    return bool(left)


async def forget_guild(connection: Connection, guild_id: int) -> int:
    """Within the transaction of a caller who owns the log: all that was kept of a guild; how many messages."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('index', $1))", guild_id)
    removed = 0
    for table in TABLES_OF_A_GUILD:
        count = await _deleted(connection, f"{table} WHERE guild_id = $1", guild_id)
        removed += count if table == "chat_history" else 0
    return removed


async def _deleted(connection: Connection, rest: str, *values: object) -> int:
    done = await connection.execute(f"DELETE FROM {rest}", *values)  # noqa: S608 - `rest` is ours
    return int(done.split()[-1])
