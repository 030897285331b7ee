"""A reply that somebody has in hand: they are about to say there what holds now, since they have just changed it.

What changes a fact has every reply taken back that quotes it. The one under which somebody pressed will be put right by
whoever answers the press; only if that does not come about, it is taken back like the others.
"""

from datetime import datetime, timedelta

from memory.db.database import Connection

PATIENCE = timedelta(minutes=1)
"""For whoever answers the press. They wait for Discord no longer than that."""


async def keep_in_hand(connection: Connection, guild_id: int, message_id: int | None, now: datetime) -> None:
    """Within the transaction that makes the change, after it; without a message there is nothing to put right."""
    if message_id is None:
        return
    await connection.execute(
        """
        UPDATE receipts SET take_back_at = $3
        WHERE guild_id = $1 AND message_ids @> ARRAY[$2::bigint] AND because = 'forgotten' AND take_back_at < $3
        """,
        guild_id,
        message_id,
        now + PATIENCE,
    )
