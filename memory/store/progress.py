"""How far each channel has been read, advanced in the transactions that store what was read."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from memory.core.log_values import ChannelProgress, GuildLog, HistoryPage
from memory.db.database import Connection, Database
from memory.db.retention_declarations import Goes, Stays, TableDeclaration, columns


class ProgressStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_guild(self, guild_id: int) -> dict[int, ChannelProgress]:
        async with self._database.transaction("store.progress.of_guild", readonly=True) as connection:
            rows = await connection.fetch(
                """
                SELECT channel_id, contiguous_through, backfilled_to, backfill_done, swept_at, swept_to, asked_at
                FROM channel_progress WHERE guild_id = $1
                """,
                guild_id,
            )
        return {row["channel_id"]: ChannelProgress(*row.values()) for row in rows}

    async def in_all(self, guild_id: int) -> GuildLog:
        async with self._database.transaction("store.progress.in_all", readonly=True) as connection:
            row = await connection.fetchrow(
                """
                SELECT (SELECT count(*) FROM chat_history WHERE guild_id = $1) AS messages,
                       count(*) AS channels, count(*) FILTER (WHERE backfill_done) AS read_back
                FROM channel_progress WHERE guild_id = $1
                """,
                guild_id,
            )
        return GuildLog(0, 0, 0) if row is None else GuildLog(*row.values())

    async def note_seen(self, guild_id: int, channel_ids: Collection[int]) -> None:
        """Discord has shown us these, whether we may read them back or not."""
        async with self._database.transaction("store.progress.note_seen") as connection:
            await connection.execute(
                """
                INSERT INTO channel_progress (guild_id, channel_id) SELECT $1, unnest($2::bigint[])
                ON CONFLICT (guild_id, channel_id) DO NOTHING
                """,
                guild_id,
                sorted(channel_ids),
            )

    async def note_asked(self, guild_id: int, channel_ids: Collection[int], at: datetime) -> None:
        async with self._database.transaction("store.progress.note_asked") as connection:
            await connection.execute(
                "UPDATE channel_progress SET asked_at = $3 WHERE guild_id = $1 AND channel_id = ANY($2)",
                guild_id,
                sorted(channel_ids),
                at,
            )

    async def sweep_reached(self, guild_id: int, channel_id: int, message_id: int) -> None:
        async with self._database.transaction("store.progress.sweep_reached") as connection:
            await connection.execute(
                "UPDATE channel_progress SET swept_to = $3 WHERE guild_id = $1 AND channel_id = $2",
                guild_id,
                channel_id,
                message_id,
            )

    async def swept(self, guild_id: int, channel_id: int, at: datetime) -> None:
        async with self._database.transaction("store.progress.swept") as connection:
            await connection.execute(
                """
                INSERT INTO channel_progress (guild_id, channel_id, swept_at) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id, channel_id) DO UPDATE SET swept_at = excluded.swept_at, swept_to = NULL
                """,
                guild_id,
                channel_id,
                at,
            )

    async def heard_until(self, guild_ids: Collection[int]) -> dict[int, datetime]:
        async with self._database.transaction("store.progress.heard_until", readonly=True) as connection:
            rows = await connection.fetch(
                "SELECT guild_id, heard_until FROM guilds WHERE guild_id = ANY($1) AND heard_until IS NOT NULL",
                list(guild_ids),
            )
        return {row["guild_id"]: row["heard_until"] for row in rows}

    async def note_heard(self, guild_ids: Collection[int], at: datetime) -> None:
        async with self._database.transaction("store.progress.note_heard") as connection:
            # A guild that is being changed just now is noted the next time: nobody shall wait for this.
            await connection.execute(
                """
                UPDATE guilds SET heard_until = $2 WHERE guild_id IN (
                    SELECT guild_id FROM guilds WHERE guild_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED)
                """,
                list(guild_ids),
                at,
            )


async def advance(connection: Connection, guild_id: int, through: Mapping[int, int]) -> None:
    """Within the caller's transaction: these channels have been read up to these messages, without a hole."""
    if not through:
        return
    await connection.execute(
        """
        INSERT INTO channel_progress AS known (guild_id, channel_id, contiguous_through)
        SELECT $1, channel_id, reached FROM unnest($2::bigint[], $3::bigint[]) AS read (channel_id, reached)
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET contiguous_through = greatest(known.contiguous_through, excluded.contiguous_through)
        """,
        guild_id,
        list(through),
        list(through.values()),
    )


async def note_pages(connection: Connection, guild_id: int, pages: Sequence[HistoryPage]) -> None:
    """Within the caller's transaction: what pages of history have moved, each of another channel."""
    await connection.execute(
        """
        INSERT INTO channel_progress AS known (guild_id, channel_id, contiguous_through, backfilled_to, backfill_done)
        SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
        ON CONFLICT (guild_id, channel_id) DO UPDATE SET
            contiguous_through = greatest(known.contiguous_through, excluded.contiguous_through),
            backfilled_to = least(known.backfilled_to, excluded.backfilled_to),
            backfill_done = known.backfill_done OR excluded.backfill_done
        """,
        guild_id,
        [page.channel_id for page in pages],
        [page.through for page in pages],
        [page.backfilled_to for page in pages],
        [page.backfill_done for page in pages],
    )


async def forget_channels(connection: Connection, guild_id: int, channel_ids: list[int]) -> None:
    await connection.execute(
        "DELETE FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, channel_ids
    )


HELD = (
    TableDeclaration(
        table="channel_progress",
        purpose="which channels there are, and how far each has been read; no text",
        until="the channel is deleted",
        columns=columns(
            ids="guild_id channel_id contiguous_through backfilled_to swept_to",
            times="swept_at asked_at",
            states="backfill_done",
        ),
        message=Stays("how far was read is true whatever became of what was read"),
        member=Stays("it is about no member"),
        channel=Stays("otherwise the channel would be read again from its beginning, for nothing"),
        guild=Goes(),
    ),
)
