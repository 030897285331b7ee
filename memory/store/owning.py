"""Whoever changes what is known about a member takes turns with others, by locks that end with the transaction."""

from collections.abc import Collection

from memory.db.database import Connection

THE_GUILD = 0
"""Stands for the guild itself where others have an id."""


async def own_subjects(connection: Connection, guild_id: int, subject_ids: Collection[int | None]) -> frozenset[int]:
    """In the order of ids, so that two writers cannot wait for each other; so call it once in a transaction."""
    owned = sorted({subject_id or THE_GUILD for subject_id in subject_ids})
    for subject_id in owned:
        await connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('facts ' || $1::bigint, $2::bigint))", guild_id, subject_id
        )
    return frozenset(owned)


async def subjects_beside(
    connection: Connection, guild_id: int, subject_ids: Collection[int | None]
) -> frozenset[int | None]:
    """These, and whom else tellings about them are about: they are kept, replaced and forgotten together."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT beside.subject_id FROM facts AS told JOIN facts AS beside USING (guild_id, message_id)
        WHERE guild_id = $1 AND told.subject_id = ANY($2) AND beside.subject_id IS NOT NULL
        """,
        guild_id,
        [subject_id for subject_id in subject_ids if subject_id is not None],
    )
    return frozenset(subject_ids) | {row["subject_id"] for row in rows}
