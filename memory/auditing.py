"""The audit log. Whoever looks at or changes memory of somebody else notes it in the transaction that does it.

`auditing.note_facts(connection, actor_id, Deed.FORGOT, facts, now)` is all there is to it.
"""

from datetime import datetime

from memory.core.audience import Audience
from memory.core.audit import AuditPage
from memory.store.audit import AuditStore, note, note_facts
from memory.store.database import Database

__all__ = ["Auditing", "note", "note_facts"]


class Auditing:
    def __init__(self, database: Database) -> None:
        self._store = AuditStore(database)

    async def of_member(self, reader: Audience, user_id: int, *, skip: int, most: int) -> AuditPage:
        """What others did to the memory of a member, as far as the reader could read what they did it to."""
        return await self._store.of_member(reader, user_id, skip=skip, most=most)

    async def of_guild(self, reader: Audience, *, skip: int, most: int) -> AuditPage:
        """All of it, as far as one of those who manage the guild could read what it was done to."""
        return await self._store.of_guild(reader, skip=skip, most=most)

    async def purge(self, now: datetime) -> int:
        return await self._store.purge(now)
