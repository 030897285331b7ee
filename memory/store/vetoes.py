"""What members said is not true of them: digests of statements, by which we know one when somebody tells it again.

A veto is between a statement and one member. It keeps others from telling it of them; the member's own word lifts it.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

from memory.core.log_values import Kind
from memory.core.telling import statement_key
from memory.db.database import Connection
from memory.db.retention_declarations import Goes, Stays, TableDeclaration, columns


def digest(guild_id: int, subject_id: int, text: str) -> str:
    """With guild and member in it: equal statements about two people cannot be recognised by their digests."""
    return sha256(f"{guild_id} {subject_id} {statement_key(text)}".encode()).hexdigest()


async def veto(connection: Connection, guild_id: int, subject_id: int, text: str, at: datetime) -> None:
    """Within the caller's transaction."""
    await connection.execute(
        """
        INSERT INTO vetoes (guild_id, subject_id, statement, vetoed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (guild_id, subject_id, statement) DO UPDATE SET vetoed_at = excluded.vetoed_at
        """,
        guild_id,
        subject_id,
        digest(guild_id, subject_id, text),
        at,
    )


async def lift(connection: Connection, guild_id: int, statements: Iterable[tuple[int, str]]) -> None:
    """Within the caller's transaction: members and what was said of them, because they say it now, or take it back."""
    for subject_id, text in statements:
        await connection.execute(
            "DELETE FROM vetoes WHERE guild_id = $1 AND subject_id = $2 AND statement = $3",
            guild_id,
            subject_id,
            digest(guild_id, subject_id, text),
        )


async def is_vetoed(connection: Connection, guild_id: int, subject_id: int, text: str) -> bool:
    """Within the caller's transaction."""
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM vetoes WHERE guild_id = $1 AND subject_id = $2 AND statement = $3)",
        guild_id,
        subject_id,
        digest(guild_id, subject_id, text),
    )
    return found


HELD = (
    TableDeclaration(
        table="vetoes",
        purpose="what members said is not true of them, as digests by which it is known when somebody tells it again;"
        " what it was cannot be read from them",
        until="the member says it themselves, or undoes it",
        columns=columns(ids="guild_id", people="subject_id", digests="statement", times="vetoed_at"),
        message=Stays("no message can be told from it"),
        member=Goes("subject_id = {member}"),
        opting_out=Stays("the member's no goes on holding, and a digest tells nobody what it was"),
        channel=Stays("no channel can be told from it"),
        guild=Goes(),
        counted=Kind.VETOES,
    ),
)
