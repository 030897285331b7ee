"""Every call of a model: what for, what it took, what came of it. Never what was asked or answered, nor by whom."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg

from memory.core.usage import ModelCall, Tally
from memory.store.database import Database
from memory.store.held import Goes, Held, Stays, columns

WENT_WELL = "ok"


class UsageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, calls: Sequence[ModelCall]) -> None:
        """Harmless to repeat, when it is not known whether it was done."""
        async with self._database.transaction("store.usage.record") as connection:
            await connection.execute(
                """
                INSERT INTO model_calls (guild_id, call_id, at, purpose, model, outcome,
                    tokens_in, tokens_out, is_estimated, milliseconds)
                SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
                    $7::integer[], $8::integer[], $9::boolean[], $10::integer[])
                ON CONFLICT DO NOTHING
                """,
                [call.guild_id for call in calls],
                [call.call_id for call in calls],
                [call.at for call in calls],
                [call.purpose for call in calls],
                [call.model for call in calls],
                [call.outcome for call in calls],
                [call.tokens_in for call in calls],
                [call.tokens_out for call in calls],
                [call.is_estimated for call in calls],
                [call.milliseconds for call in calls],
            )

    async def tallies(self, guild_id: int, since: Sequence[datetime]) -> list[tuple[Tally, ...]]:
        """For each of these moments all that was used from then on, what took most tokens first."""
        async with self._database.transaction("store.usage.tallies", readonly=True) as connection:
            rows = await connection.fetch(
                """
                SELECT period, purpose, model, count(*) AS calls, count(*) FILTER (WHERE outcome <> $3) AS failed,
                    sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, bool_or(is_estimated) AS is_estimated,
                    sum(milliseconds) AS milliseconds
                FROM unnest($2::timestamptz[]) WITH ORDINALITY AS asked (since, period)
                JOIN model_calls ON guild_id = $1 AND at >= since
                GROUP BY period, purpose, model
                ORDER BY sum(tokens_in) + sum(tokens_out) DESC, calls DESC, purpose, model
                """,
                guild_id,
                list(since),
                WENT_WELL,
            )
        return [tuple(_tally(row) for row in rows if row["period"] == period) for period in range(1, len(since) + 1)]

    async def tokens_since(self, guild_id: int, moment: datetime, *, but_for: str) -> int:
        """Of all purposes but one."""
        async with self._database.transaction("store.usage.tokens_since", readonly=True) as connection:
            count: int = await connection.fetchval(
                """
                SELECT coalesce(sum(tokens_in) + sum(tokens_out), 0) FROM model_calls
                WHERE guild_id = $1 AND at >= $2 AND purpose <> $3
                """,
                guild_id,
                moment,
                but_for,
            )
        return count

    async def requests_since(self, moment: datetime) -> Mapping[str, int]:
        """How often each model was called, for whatever guild."""
        async with self._database.transaction("store.usage.requests_since", readonly=True) as connection:
            rows = await connection.fetch(
                "SELECT model, count(*) AS calls FROM model_calls WHERE at >= $1 GROUP BY model", moment
            )
        return {row["model"]: row["calls"] for row in rows}

    async def forget_before(self, moment: datetime) -> int:
        async with self._database.transaction("store.usage.forget_before") as connection:
            done = await connection.execute("DELETE FROM model_calls WHERE at < $1", moment)
        return int(done.split()[-1])


def _tally(row: asyncpg.Record) -> Tally:
    return Tally(
        purpose=row["purpose"],
        model=row["model"],
        calls=row["calls"],
        failed=row["failed"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        is_estimated=row["is_estimated"],
        milliseconds=row["milliseconds"],
    )


HELD = (
    Held(
        table="model_calls",
        purpose="every call of a model for a server: when, what for, which model, how many tokens, how long, whether"
        " it went well; never what was asked or answered, nor who asked",
        until="90 days, unless whoever runs the bot set another time",
        columns=columns(
            ids="guild_id call_id",
            times="at",
            numbers="tokens_in tokens_out milliseconds",
            states="purpose model outcome is_estimated",
        ),
        message=Stays("it says nothing about any message"),
        member=Stays("it says nothing about any member"),
        channel=Stays("it says nothing about any channel"),
        guild=Goes(),
    ),
)
