"""How far an import has come, noted in the transactions that store its messages; so the note is never wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.store.database import Connection
from memory.store.held import Goes, Held, Stays, columns


@dataclass(frozen=True, slots=True)
class ImportNote:
    """Of a file that has been stored in part."""

    stored_to: int
    """Up to which byte; a place between two messages."""
    outcome: Mapping[str, Any]
    """What became of the messages before it."""
    is_same_policy: bool
    """Nobody has decided anything about the guild's log since the import began."""


async def import_note(connection: Connection, guild_id: int, fingerprint: str) -> ImportNote | None:
    row = await connection.fetchrow(
        """
        SELECT stored_to, outcome, epoch = (SELECT epoch FROM guilds WHERE guild_id = $1) AS is_same_policy
        FROM imports WHERE guild_id = $1 AND fingerprint = $2
        """,
        guild_id,
        fingerprint,
    )
    return None if row is None else ImportNote(row["stored_to"], row["outcome"], bool(row["is_same_policy"]))


async def note_import(
    connection: Connection, guild_id: int, fingerprint: str, stored_to: int, outcome: Mapping[str, Any]
) -> None:
    """Within the transaction that stores the messages up to there."""
    await connection.execute(
        """
        INSERT INTO imports (guild_id, fingerprint, stored_to, outcome, epoch)
        SELECT $1, $2, $3, $4, epoch FROM guilds WHERE guild_id = $1
        ON CONFLICT (guild_id, fingerprint) DO UPDATE SET stored_to = excluded.stored_to, outcome = excluded.outcome
        """,
        guild_id,
        fingerprint,
        stored_to,
        outcome,
    )


async def forget_import(connection: Connection, guild_id: int, fingerprint: str) -> None:
    await connection.execute("DELETE FROM imports WHERE guild_id = $1 AND fingerprint = $2", guild_id, fingerprint)


HELD = (
    Held(
        table="imports",
        purpose="how far an unfinished import of an exported file has come: a fingerprint of the file, and numbers",
        until="the import is finished",
        columns=columns(ids="guild_id", digests="fingerprint", numbers="stored_to epoch outcome"),
        message=Stays("it counts, and names no message"),
        member=Stays("it counts, and names no member"),
        channel=Stays("it counts, and names no channel"),
        guild=Goes(),
    ),
)
