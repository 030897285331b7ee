"""The audit log: who looked at or changed what is remembered of somebody else. Ids and numbers, never words.

`note` and `note_facts` are called in the transaction that does it, so that nothing is done without being written down.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from uuid import uuid4

from memory.core.audit import KEPT, AuditEntry, AuditPage, Deed, is_of_another
from memory.core.log import Kind
from memory.core.model import Fact
from memory.store.database import Connection, Database
from memory.store.held import Erasing, Goes, Held, Stays, columns


async def note(
    connection: Connection,
    guild_id: int,
    actor_id: int,
    deed: Deed,
    at: datetime,
    *,
    subject_id: int | None = None,
    channel_id: int | None = None,
    items: int = 0,
) -> None:
    """Within the caller's transaction. What somebody does to their own memory is their own business."""
    if subject_id == actor_id:
        return
    await connection.execute(
        """
        INSERT INTO audit (guild_id, at, audit_id, actor_id, action, subject_id, channel_id, items)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        guild_id,
        at,
        uuid4(),
        actor_id,
        deed,
        subject_id,
        channel_id,
        items,
    )


async def note_facts(connection: Connection, actor_id: int, deed: Deed, facts: Iterable[Fact], at: datetime) -> None:
    """Within the caller's transaction: the same for facts, once for each member they are about."""
    done = Counter((fact.guild_id, fact.subject_id) for fact in facts if is_of_another(fact, actor_id))
    for (guild_id, subject_id), items in done.items():
        await note(connection, guild_id, actor_id, deed, at, subject_id=subject_id, items=items)


class AuditStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_guild(self, guild_id: int, *, skip: int, most: int) -> AuditPage:
        """For those who manage a guild."""
        return await self._page("guild_id = $1 AND $2::bigint IS NULL", guild_id, None, skip, most)

    async def of_member(self, guild_id: int, user_id: int, *, skip: int, most: int) -> AuditPage:
        """What others did to the memory of a member: for that member, and for those who manage the guild."""
        return await self._page("guild_id = $1 AND subject_id = $2", guild_id, user_id, skip, most)

    async def purge(self, now: datetime) -> int:
        """What is older than a year, in every guild; how much that was."""
        async with self._database.transaction("store.audit.purge") as connection:
            done = await connection.execute("DELETE FROM audit WHERE at < $1", now - KEPT)
        return int(done.split()[-1])

    async def _page(self, condition: str, guild_id: int, user_id: int | None, skip: int, most: int) -> AuditPage:
        async with self._database.transaction("store.audit.page", readonly=True) as connection:
            in_all: int = await connection.fetchval(
                f"SELECT count(*) FROM audit WHERE {condition}",  # noqa: S608 - ours
                guild_id,
                user_id,
            )
            rows = await connection.fetch(
                f"""
                SELECT at, actor_id, action, subject_id, channel_id, items FROM audit WHERE {condition}
                ORDER BY at DESC, audit_id OFFSET $3 LIMIT $4
                """,  # noqa: S608 - ours
                guild_id,
                user_id,
                skip,
                most,
            )
        entries = tuple(
            AuditEntry(
                row["at"], row["actor_id"], Deed(row["action"]), row["subject_id"], row["channel_id"], row["items"]
            )
            for row in rows
        )
        return AuditPage(entries, in_all)


HELD = (
    Held(
        table="audit",
        purpose="who looked at or changed what is remembered of somebody else, when, and how many facts or messages it"
        " concerned; never what they say",
        until="365 days",
        columns=columns(
            ids="guild_id audit_id channel_id",
            people="actor_id subject_id",
            times="at",
            numbers="items",
            states="action",
        ),
        message=Stays("it is about no message"),
        member=Goes("subject_id = {member}"),
        opting_out=Stays("it says who looked at what was kept of the member until then"),
        channel=Stays("it tells who had the channel erased"),
        guild=Goes(),
        counted=Kind.AUDIT,
        named_on={Erasing.MEMBER: {"actor_id": "what you did to the memory of others is theirs to know, for a year"}},
    ),
)
