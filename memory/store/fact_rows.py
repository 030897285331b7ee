"""A row of the ledger of facts, and which rows an audience may read."""

import asyncpg

from memory.core.model import Fact, Standing

SELECT = """
SELECT guild_id, fact_id, subject_id, teller_id, channel_id, message_id, source_message_id, text, standing, valid_from,
       in_hall, everywhere, valid_to, hidden_by
FROM facts
"""

CURRENT = "valid_to IS NULL AND hidden_at IS NULL"
"""The condition of every read that means "now"; what is over is kept for its dates, and told as nothing else."""
OVER = "valid_to IS NOT NULL AND hidden_at IS NULL"


def readable(sources: str) -> str:
    """The condition of every read: told where the audience could listen, or meant for everyone."""
    return f"(channel_id = ANY({sources}) OR everywhere)"


def fact_of(row: asyncpg.Record | None) -> Fact:
    if row is None:
        raise LookupError("the fact is gone, although its subject was locked")
    return Fact(
        guild_id=row["guild_id"],
        fact_id=row["fact_id"],
        subject_id=row["subject_id"],
        teller_id=row["teller_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        text=row["text"],
        standing=Standing(row["standing"]),
        valid_from=row["valid_from"],
        everywhere=row["everywhere"],
        valid_to=row["valid_to"],
        hidden_by=row["hidden_by"],
    )
