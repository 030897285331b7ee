"""Which changes told a fact, or put it in other words, and can still be undone."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from memory.core.changes import ChangeKind
from memory.store.changes import READ
from memory.store.database import Connection


async def edited_since(connection: Connection, guild_id: int, fact_ids: Collection[int], since: datetime) -> set[int]:
    """Those of these facts that were put in other words after that."""
    rows = await connection.fetch(
        "SELECT fact_ids FROM changes WHERE guild_id = $1 AND fact_ids && $2 AND kind = 'edited' AND made_at > $3",
        guild_id,
        list(fact_ids),
        since,
    )
    return {fact_id for row in rows for fact_id in row["fact_ids"]}


async def told_by(connection: Connection, guild_id: int, fact_ids: Collection[int], now: datetime) -> UUID | None:
    """The change that told all of these facts, or last put them in other words, if it can still be undone."""
    rows = await connection.fetch(
        f"{READ} AND kind IN ('remembered', 'edited') AND fact_ids @> $3 ORDER BY made_at DESC, kind",
        guild_id,
        now,
        list(fact_ids),
    )
    wanted = frozenset(fact_ids)
    for row in rows if wanted else ():
        changed = {fact["fact_id"] for fact in row["before"] if fact["valid_to"] is None}
        reworded = changed if row["kind"] == ChangeKind.EDITED else frozenset(row["fact_ids"]) - changed
        if wanted <= reworded:
            change_id: UUID = row["change_id"]
            return change_id
    return None
