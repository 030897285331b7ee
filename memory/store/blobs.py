"""Each member's blob: made from the ledger, in the transaction that changes the ledger."""

from collections.abc import Collection
from datetime import datetime

from memory.core.blob import merge
from memory.store.database import Connection
from memory.store.fact_rows import SELECT, fact_of

MOST_MERGED = 200
"""Facts that a blob is made from; many more than fit into one."""

# In the order `core.blob` prefers them.
_BEST_OF_THE_HALL = f"""{SELECT}
WHERE guild_id = $1 AND subject_id = $2 AND (in_hall OR everywhere)
ORDER BY array_position(ARRAY['self', 'confirmed', 'hearsay'], standing), fact_id DESC LIMIT $3
"""


async def rebuild(
    connection: Connection, guild_id: int, subject_ids: Collection[int | None], aim: int, updated_at: datetime
) -> None:
    """Within the transaction of a caller who owns these subjects: of what everyone may know about each of them."""
    for user_id in {subject_id for subject_id in subject_ids if subject_id is not None}:
        rows = await connection.fetch(_BEST_OF_THE_HALL, guild_id, user_id, MOST_MERGED)
        blob = merge([fact_of(row) for row in rows], aim)
        if blob is None:
            await connection.execute("DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2", guild_id, user_id)
            continue
        await connection.execute(
            """
            INSERT INTO user_facts (guild_id, user_id, memory_blob, source_channels, updated_at)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (guild_id, user_id) DO UPDATE SET
                memory_blob = excluded.memory_blob, source_channels = excluded.source_channels,
                updated_at = excluded.updated_at
            """,
            guild_id,
            user_id,
            blob.text,
            sorted(blob.source_channels),
            updated_at,
        )
