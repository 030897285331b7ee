"""What a table holds on a member or of a channel, read row by row from one moment of the database.

A `Section` is one kind of it: where it stands and who may read it is said in its query, whose parameters are the guild
($1), the member or channel ($2), the channels that whoever reads the export can read ($3), and the time ($4).
"""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from memory.core.holdings import Amount, Stock
from memory.db.database import Connection, Database, Lane
from memory.places.view import Audience
from memory.policy.store import said_no

ROWS_AT_ONCE = 500

Row: TypeAlias = dict[str, Any]
"""By column; what the columns of a query are called, an export makes its own of."""


@dataclass(frozen=True, slots=True)
class Section:
    kind: Stock
    tables: tuple[str, ...]
    """Of which it shows what they hold."""
    query: str
    at: str | None = None
    """The column that says when, for telling since when something is held."""
    is_fact: bool = False
    """Some may be withheld, and some over."""

    def arguments(self, audience: Audience, of: int, now: datetime) -> list[object]:
        """A parameter that a query does not use, Postgres refuses."""
        given: list[object] = [audience.guild_id, of, sorted(audience.sources), now]
        return [value for number, value in enumerate(given, start=1) if f"${number}" in self.query]


class Snapshot:
    """One moment of what is held; nothing that changes meanwhile is half in it."""

    def __init__(self, connection: Connection, audience: Audience, of: int, now: datetime) -> None:
        self._connection = connection
        self._audience = audience
        self._of = of
        self._now = now

    async def amount(self, section: Section) -> Amount:
        span = f"min({section.at}), max({section.at})" if section.at else "NULL::timestamptz, NULL::timestamptz"
        facts = (
            "count(*) FILTER (WHERE withheld_by_a_rule_of_the_server), count(*) FILTER (WHERE held_until IS NOT NULL)"
            if section.is_fact
            else "0, 0"
        )
        row = await self._connection.fetchrow(
            f"SELECT count(*), {span}, {facts} FROM ({section.query}) AS held",  # noqa: S608 - made of constants
            *section.arguments(self._audience, self._of, self._now),
        )
        count, first, last, withheld, over = row or (0, None, None, 0, 0)
        return Amount(section.kind, count, first, last, withheld, over)

    async def rows(self, section: Section) -> AsyncIterator[list[Row]]:
        """Some at a time, in the order of the query."""
        arguments = section.arguments(self._audience, self._of, self._now)
        cursor = await self._connection.cursor(section.query, *arguments)
        while rows := await cursor.fetch(ROWS_AT_ONCE):
            yield [dict(row) for row in rows]

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        """What members are called today. Whoever opted out goes by their id, but for the one who reads it."""
        rows = await self._connection.fetch(
            f"""
            SELECT user_id, coalesce(nickname, global_name, username) AS name FROM members
            WHERE guild_id = $1 AND user_id = ANY($2) AND (user_id = $3 OR NOT {said_no("members.user_id")})
            """,  # noqa: S608 - made of constants
            self._audience.guild_id,
            list(user_ids),
            self._audience.viewer_id,
        )
        return {row["user_id"]: row["name"] for row in rows}

    async def word(self) -> tuple[bool | None, datetime | None, datetime | None]:
        """Of the member whose snapshot it is: whether they want to be stored, since when, and when they were erased."""
        row = await self._connection.fetchrow(
            """
            SELECT (SELECT choice = 'in' FROM consents WHERE guild_id = $1 AND user_id = $2) AS is_stored,
                   (SELECT decided_at FROM consents WHERE guild_id = $1 AND user_id = $2) AS decided_at,
                   (SELECT erased_at FROM erasures WHERE guild_id = $1 AND user_id = $2) AS erased_at
            """,
            self._audience.guild_id,
            self._of,
        )
        return (None, None, None) if row is None else (row["is_stored"], row["decided_at"], row["erased_at"])


class ExportStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def snapshot(
        self, audience: Audience, of: int, now: datetime, lane: Lane = Lane.SHARED
    ) -> AsyncIterator[Snapshot]:
        async with self._database.transaction(
            "store.export.snapshot", isolation="repeatable_read", readonly=True, lane=lane
        ) as connection:
            yield Snapshot(connection, audience, of, now)
