"""Facts as they were at some time: what held then, whether or not it still does, and what took its place.

What was forgotten is in no ledger, and what is withheld is told to nobody, neither of now nor of then.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory.core.values import Fact
from memory.db.database import Database
from memory.fact_rows import fact_of, readable
from memory.places.view import Audience

MOST_HELD = 1_000
"""Facts that are looked at, the newest first."""

# When a fact ended tells when its successor was told, so both have to be theirs to hear.
_HELD = f"""
SELECT facts.* FROM facts
WHERE guild_id = $1 AND {readable("$2")} AND NOT withheld
  AND valid_from < $3 AND (valid_to IS NULL OR $4::timestamptz IS NULL OR valid_to > $4)
  AND ($5::bigint[] IS NULL OR subject_id = ANY($5)) AND (valid_to IS NOT NULL OR NOT $7)
  AND (superseded_by IS NULL OR EXISTS (
    SELECT 1 FROM facts AS successor
    WHERE successor.guild_id = $1 AND successor.fact_id = facts.superseded_by AND NOT successor.withheld
      AND (successor.channel_id = ANY($2) OR successor.everywhere)))
ORDER BY fact_id DESC LIMIT $6
"""  # noqa: S608 - made of constants
_SUCCESSORS = f"""
SELECT * FROM facts
WHERE guild_id = $1 AND {readable("$2")} AND NOT withheld AND fact_id = ANY($3)
"""  # noqa: S608 - made of constants


@dataclass(frozen=True, slots=True)
class PastFact:
    """A fact that held at the time, and what took its place since."""

    fact: Fact
    successor: Fact | None = None


class FactsThenStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def held_between(
        self,
        audience: Audience,
        start: datetime | None,
        end: datetime,
        subject_ids: Collection[int] | None = None,
        *,
        only_over: bool = False,
    ) -> list[PastFact]:
        """What this audience could be told of what held at any time between the two, the oldest first: about anybody,
        if none is named; without a start, at any time before the end. `only_over`: without what still holds."""
        sources = list(audience.sources)
        async with self._database.transaction(
            "store.facts_then.held_between", isolation="repeatable_read", readonly=True
        ) as connection:
            rows = await connection.fetch(
                _HELD,
                audience.guild_id,
                sources,
                end,
                start,
                None if subject_ids is None else list(subject_ids),
                MOST_HELD,
                only_over,
            )
            over = [row["superseded_by"] for row in rows if row["superseded_by"] is not None]
            next_rows = await connection.fetch(_SUCCESSORS, audience.guild_id, sources, over) if over else []
        successors = {row["fact_id"]: fact_of(row) for row in next_rows}
        return [PastFact(fact_of(row), successors.get(row["superseded_by"])) for row in reversed(rows)]
