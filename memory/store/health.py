"""What each process last said about itself, so that one can speak for the other."""

from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from memory.health import PartHealth, PartState, ProcessHealth
from memory.store.database import Database
from memory.store.held import Held, Stays, columns


class HealthStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, health: ProcessHealth) -> None:
        async with self._database.transaction("store.health.beat") as connection:
            await connection.execute(
                """
                INSERT INTO process_health (process, pid, started_at, beat_at, parts, run)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (process) DO UPDATE SET
                    pid = excluded.pid, started_at = excluded.started_at,
                    beat_at = excluded.beat_at, parts = excluded.parts, run = excluded.run
                """,
                health.process,
                health.pid,
                health.started_at,
                health.beat_at,
                [_written(part) for part in health.parts],
                health.run,
            )

    async def end(self, run: UUID) -> None:
        """What this run vouched for holds no longer."""
        async with self._database.transaction("store.health.end") as connection:
            await connection.execute("UPDATE process_health SET run = NULL WHERE run = $1", run)

    async def all(self) -> list[ProcessHealth]:
        async with self._database.transaction("store.health.all", readonly=True) as connection:
            rows = await connection.fetch(
                "SELECT process, pid, started_at, beat_at, parts, run FROM process_health ORDER BY process"
            )
        return [_process(row) for row in rows]


def _written(part: PartHealth) -> dict[str, object]:
    return {
        "name": part.name,
        "state": part.state,
        "since": part.since.isoformat(),
        "updated_at": part.updated_at.isoformat() if part.updated_at else None,
        "checked_at": part.checked_at.isoformat(),
        "counts": dict(part.counts),
        "issues": list(part.issues),
        "guild_issues": {str(guild_id): issue for guild_id, issue in part.guild_issues.items()},
    }


def _process(row: asyncpg.Record) -> ProcessHealth:
    return ProcessHealth(
        process=row["process"],
        pid=row["pid"],
        started_at=row["started_at"],
        beat_at=row["beat_at"],
        parts=tuple(_part(written) for written in row["parts"]),
        run=row["run"],
    )


def _part(written: dict[str, Any]) -> PartHealth:
    updated_at: str | None = written["updated_at"]
    return PartHealth(
        name=written["name"],
        state=PartState(written["state"]),
        since=datetime.fromisoformat(written["since"]),
        updated_at=datetime.fromisoformat(updated_at) if updated_at else None,
        checked_at=datetime.fromisoformat(written["checked_at"]),
        counts=written["counts"],
        issues=tuple(written["issues"]),
        guild_issues={int(guild_id): issue for guild_id, issue in written.get("guild_issues", {}).items()},
    )


_OURS = Stays("it is about our own processes alone")

HELD = (
    Held(
        table="process_health",
        purpose="how the bot's own processes are doing; nothing about people",
        until="replaced every few seconds",
        columns=columns(ids="process pid run", times="started_at beat_at", states="parts"),
        message=_OURS,
        member=_OURS,
        channel=_OURS,
        guild=_OURS,
    ),
)
