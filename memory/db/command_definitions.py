"""Stores what slash commands Discord was last given, so that they are sent again only when they changed."""

from memory.db.database import Database
from memory.db.table_declarations import Stays, TableDeclaration, columns


class CommandStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def digest(self, application_id: int, scope: int) -> str | None:
        async with self._database.transaction("store.commands.digest", readonly=True) as connection:
            digest: str | None = await connection.fetchval(
                "SELECT digest FROM command_definitions WHERE application_id = $1 AND scope = $2",
                application_id,
                scope,
            )
        return digest

    async def note(self, application_id: int, scope: int, digest: str) -> None:
        async with self._database.transaction("store.commands.note") as connection:
            await connection.execute(
                """
                INSERT INTO command_definitions (application_id, scope, digest) VALUES ($1, $2, $3)
                ON CONFLICT (application_id, scope) DO UPDATE SET digest = excluded.digest
                """,
                application_id,
                scope,
                digest,
            )


_OURS = Stays("it is about our own commands alone")

TABLES = (
    TableDeclaration(
        table="command_definitions",
        purpose="a fingerprint of the slash commands, to know when to renew them",
        until="replaced on change",
        columns=columns(ids="application_id scope", digests="digest"),
        message=_OURS,
        member=_OURS,
        channel=_OURS,
        guild=_OURS,
        left_behind="Discord is told anew",
    ),
)
