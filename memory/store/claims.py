"""Leases: whoever makes something that takes a model says so first, and no other process makes the same meanwhile.

Never a lock: one would be held over the call of a model. A holder that dies loses its lease when the time is up.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.store.database import Database
from memory.store.held import Goes, Held, Stays, columns


@dataclass(frozen=True, slots=True)
class Claim:
    """One that was taken, by a holder of its own: not even the same process has another."""

    guild_id: int
    what: str
    claimed_by: UUID


class ClaimStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, guild_id: int, what: str, claimed_by: UUID, *, now: datetime, until: datetime) -> bool:
        """Whether it is ours from now on: nobody else holds it. Taken again by its holder, it is renewed."""
        async with self._database.transaction("store.claims.take") as connection:
            taken: bool | None = await connection.fetchval(
                """
                INSERT INTO claims AS held (guild_id, what, claimed_by, until) VALUES ($1, $2, $3, $5)
                ON CONFLICT (guild_id, what) DO UPDATE SET claimed_by = excluded.claimed_by, until = excluded.until
                WHERE held.until <= $4 OR held.claimed_by = excluded.claimed_by
                RETURNING true
                """,
                guild_id,
                what,
                claimed_by,
                now,
                until,
            )
        return taken is not None

    async def release(self, guild_id: int, what: str, claimed_by: UUID) -> None:
        """Only by its holder: one that came too late must not take it from the next."""
        async with self._database.transaction("store.claims.release") as connection:
            await connection.execute(
                "DELETE FROM claims WHERE guild_id = $1 AND what = $2 AND claimed_by = $3", guild_id, what, claimed_by
            )

    async def forget_expired(self, now: datetime) -> None:
        """What holders left behind that died."""
        async with self._database.transaction("store.claims.forget_expired") as connection:
            await connection.execute("DELETE FROM claims WHERE until <= $1", now)


HELD = (
    Held(
        table="claims",
        purpose="which text a process is making just now: a kind of work, the id of a member or a day, and a time",
        until="it is made; minutes at most",
        columns=columns(ids="guild_id claimed_by", people="what", times="until"),
        message=Stays("it is about no message"),
        member=Stays("minutes at most; what is being made meanwhile is refused at its end"),
        channel=Stays("as above"),
        guild=Goes(),
    ),
)
