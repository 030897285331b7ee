"""Facts as they were at some time: what held then, whether or not it still does, and what took its place.

What was forgotten is in no ledger, and what is withheld is told to nobody, neither of now nor of then.
"""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from memory.core.values import Fact
from memory.db.database import Database
from memory.fact_rows import fact_of, readable
from memory.places.view import Audience

MOST_HELD = 1_000
"""Facts that are looked at, the newest first."""

# When a fact ended tells when its successor was told, so both have to be theirs to hear.
_HELD = f"""
WITH told AS NOT MATERIALIZED (
    SELECT * FROM facts WHERE guild_id = $1 AND {readable("$2")} AND NOT withheld
), held AS (
    SELECT * FROM told
    WHERE valid_from < $3 AND (valid_to IS NULL OR $4::timestamptz IS NULL OR valid_to > $4)
      AND (cardinality($5::bigint[]) = 0 OR subject_id = ANY($5)) AND (valid_to IS NOT NULL OR NOT $7)
      AND (superseded_by IS NULL OR EXISTS (SELECT 1 FROM told AS later WHERE later.fact_id = told.superseded_by))
    ORDER BY fact_id DESC LIMIT $6
)
SELECT *, true AS is_held FROM held
UNION ALL SELECT *, false FROM told WHERE fact_id IN (SELECT superseded_by FROM held)
ORDER BY fact_id
"""  # noqa: S608 - made of constants


class PastFact(NamedTuple):
    fact: Fact
    successor: Fact | None
    """What took its place."""


class FactsThenStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def held_between(
        self, audience: Audience, start: datetime | None, end: datetime, people: Collection[int], *, only_over: bool
    ) -> list[PastFact]:
        """What this audience could be told of what held at any time between the two, the oldest first: about anybody,
        if nobody is named; without a start, at any time before the end. `only_over`: without what still holds."""
        values = (audience.guild_id, list(audience.sources), end, start, list(people), MOST_HELD, only_over)
        rows = await self._database.read("store.facts_then.held_between", _HELD, *values)
        facts = {row["fact_id"]: fact_of(row) for row in rows}
        return [PastFact(facts[row["fact_id"]], facts.get(row["superseded_by"])) for row in rows if row["is_held"]]
