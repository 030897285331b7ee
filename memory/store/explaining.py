"""What stands behind a receipt, read for one who asks why: what they may see of it, as it is now."""

import asyncpg

from memory.core.provenance import DayKey, Explanation, KeptReceipt, UsedDay, UsedFact, UsedMessage
from memory.core.values import Source
from memory.db.database import Database
from memory.fact_rows import fact_of, readable
from memory.places.view import Audience
from memory.store.going import tellable
from memory.store.messages import message_of


class ExplainingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def explained(self, audience: Audience, kept: KeptReceipt) -> Explanation:
        """Of what was quoted first, then of the rest, the newest first."""
        sources = list(audience.sources)
        async with self._database.transaction(
            "store.explaining", isolation="repeatable_read", readonly=True
        ) as connection:
            facts = await connection.fetch(
                _FACTS, audience.guild_id, list(kept.facts), sources, list(kept.quoted_facts), audience.viewer_id
            )
            days = await connection.fetch(
                _DAYS,
                audience.guild_id,
                [day.scope for day in kept.days],
                [day.starts_at for day in kept.days],
                sources,
            )
            messages = await connection.fetch(
                _MESSAGES, audience.guild_id, list(kept.messages), sources, list(kept.quoted_messages)
            )
        told = (_day(row, kept) for row in days)
        return Explanation(
            facts=tuple(map(_fact, facts)),
            days=tuple(sorted(told, key=lambda day: (not day.is_quoted, -day.starts_at.timestamp()))),
            messages=tuple(UsedMessage(message_of(row), row["is_quoted"]) for row in messages),
        )


def _fact(row: asyncpg.Record) -> UsedFact:
    fact = fact_of(row)
    told_in = Source(fact.channel_id, fact.message_id) if row["can_be_opened"] else None
    return UsedFact(fact, row["is_quoted"], told_in)


def _day(row: asyncpg.Record, kept: KeptReceipt) -> UsedDay:
    is_quoted = DayKey(row["scope"], row["starts_at"]) in kept.quoted_days
    return UsedDay(row["day"], row["starts_at"], row["scope"], is_quoted)


_TELLABLE = tellable("said")

# What is withheld its subject alone may see.
_FACTS = f"""
SELECT facts.*, fact_id = ANY ($4::bigint[]) AS is_quoted, channel_id = ANY ($3::bigint[]) AND EXISTS (
    SELECT 1 FROM chat_history AS said
    WHERE said.guild_id = facts.guild_id AND said.message_id = facts.message_id AND {_TELLABLE}) AS can_be_opened
FROM facts
WHERE guild_id = $1 AND fact_id = ANY ($2::bigint[]) AND {readable("$3::bigint[]")}
  AND (NOT withheld OR subject_id = $5)
ORDER BY is_quoted DESC, fact_id DESC
"""  # noqa: S608 - made of constants

_DAYS = """
SELECT scope, starts_at, day FROM days JOIN unnest($2::bigint[], $3::timestamptz[]) AS used (scope, starts_at)
    USING (scope, starts_at)
WHERE guild_id = $1 AND source_channels <@ $4::bigint[]
"""

_MESSAGES = f"""
SELECT *, message_id = ANY ($4::bigint[]) AS is_quoted FROM chat_history AS said
WHERE guild_id = $1 AND message_id = ANY ($2::bigint[]) AND channel_id = ANY ($3::bigint[]) AND author_kind <> 'self'
  AND {_TELLABLE}
ORDER BY is_quoted DESC, message_id DESC
"""  # noqa: S608 - made of constants
