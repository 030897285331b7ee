"""The way of a message into the log. Nothing is judged here and no model is asked.

What was taken from a message ("remember this") follows it: an edit restates it, a delete takes it away, in the same
transaction.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from memory.core.clock import Clock
from memory.core.model import Fact, Member, Message, MessageEdit
from memory.core.telling import said_by
from memory.core.text import repair
from memory.health import Health
from memory.store import messages as log
from memory.store.database import Connection, Database
from memory.store.facts import FactStore, made_from
from memory.store.members import members_spoken_of


class Ingest:
    def __init__(self, database: Database, facts: FactStore, clock: Clock, health: Health, fact_limit: int) -> None:
        self._database = database
        self._facts = facts
        self._clock = clock
        self._part = health.part("log")
        self._fact_limit = fact_limit
        self._part.active()

    async def add(self, messages: Sequence[Message]) -> None:
        """Store messages of one guild; each is kept once, however often it is delivered."""
        if not messages:
            return
        repaired = [replace(message, text=repair(message.text)) for message in messages]
        async with self._database.transaction("ingest.add") as connection:
            changed = await log.add_messages(connection, repaired)
            await self._restate(connection, repaired[0].guild_id, changed)
        self._part.count("messages", len(messages))

    async def edit(self, edit: MessageEdit) -> None:
        async with self._database.transaction("ingest.edit") as connection:
            if await log.edit_message(connection, replace(edit, text=repair(edit.text))):
                await self._restate(connection, edit.guild_id, [edit.message_id])
        self._part.count("edits")

    async def delete(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        async with self._database.transaction("ingest.delete") as connection:
            await log.delete_messages(connection, guild_id, channel_id, message_ids)
            await self._facts.forget_sources(connection, guild_id, message_ids, self._clock.now())
        self._part.count("deletions", len(message_ids))

    async def delete_channel(self, guild_id: int, channel_id: int) -> None:
        async with self._database.transaction("ingest.delete_channel") as connection:
            message_ids = await log.delete_channel(connection, guild_id, channel_id)
            await self._facts.forget_channel(connection, guild_id, channel_id, message_ids, self._clock.now())
        self._part.count("deletions", len(message_ids))

    async def _restate(self, connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
        """Facts that were taken from these messages say what the messages say now, or go."""
        if not message_ids or not await made_from(connection, guild_id, message_ids):
            return
        texts: dict[Fact, str | None] = {}
        for message in await log.stored(connection, guild_id, message_ids):
            facts = await made_from(connection, guild_id, [message.message_id])
            people = [message.author_id, *(fact.subject_id for fact in facts if fact.subject_id)]
            members = await members_spoken_of(connection, guild_id, message.text, people)
            texts.update((fact, self._said_now(message, fact.subject_id, members)) for fact in facts)
        await self._facts.restate(connection, guild_id, texts, self._clock.now())

    def _said_now(self, message: Message, subject_id: int | None, members: Sequence[Member]) -> str | None:
        known = {member.user_id: member for member in members}
        author, subject = known.get(message.author_id), known.get(subject_id or 0)
        if author is None or subject is None or not message.text.strip():
            return None
        text = said_by(message.text, author, subject, members)
        return text if len(text) <= self._fact_limit else None
