"""Lets facts follow the messages they come from: what was taken from one ("remember this") says what it says now, or
goes; what was told in one goes with it."""

from collections.abc import Collection, Sequence

from memory.core.clock import Clock
from memory.core.values import Fact, Member, Message, MessageEdit
from memory.db.database import Connection, LogWrite
from memory.fact_rows import SELECT, fact_of
from memory.facts import changes
from memory.facts.ledger import FactStore
from memory.facts.statement import said_by
from memory.language.sentences import sentences_around
from memory.language.word_caches import invalidate
from memory.log.batch_queue import Change, ChannelDeletion, Deletion
from memory.log.reading import stored
from memory.people.names import unnamed_in
from memory.people.store import members_spoken_of, unnamed_members


class MessageFollower:
    def __init__(self, facts: FactStore, clock: Clock, fact_limit: int) -> None:
        self._facts = facts
        self._clock = clock
        self._fact_limit = fact_limit

    def hear(self, change: Change) -> None:
        """Forget at once, before it is written, what was read of facts that are affected."""
        invalidate()
        match change:
            case MessageEdit():
                self._facts.heard.messages_changed(change.guild_id, (change.now.message_id,))
            case Deletion():
                self._facts.heard.messages_changed(change.guild_id, change.message_ids)
            case ChannelDeletion():
                self._facts.heard.ledger_changed(change.guild_id)

    async def follow(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """Have facts say what these messages, which were edited, say now."""
        if not message_ids:
            return
        await changes.forget_messages(connection, guild_id, message_ids)
        told = await facts_told_in(connection, guild_id, message_ids, pointing=False)
        await self._facts.restate(connection, guild_id, dict.fromkeys(told), self._clock.now())
        if not await made_from(connection, guild_id, message_ids):
            return
        texts: dict[Fact, str | None] = {}
        for message in await stored(connection, guild_id, message_ids):
            facts = await made_from(connection, guild_id, [message.message_id])
            people = [message.author_id, *(fact.subject_id for fact in facts if fact.subject_id)]
            members = await members_spoken_of(connection, guild_id, message.text, people)
            if unnamed_in(message.text, members, await unnamed_members(connection, guild_id)) is not None:
                texts.update(dict.fromkeys(facts))
                continue
            for fact, span in facts.items():
                if span is None:
                    texts[fact] = self._said_now(message, fact.subject_id, members)
                elif sentences_around(span, message.text) != span:
                    texts[fact] = None  # what they let on, they do not say any more
        await self._facts.restate(connection, guild_id, texts, self._clock.now())

    async def forget(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """Let facts go with the messages they were told in or taken from, which were deleted."""
        await changes.forget_messages(connection, guild_id, message_ids)
        facts = [
            *await facts_told_in(connection, guild_id, message_ids),
            *await made_from(connection, guild_id, message_ids),
        ]
        await self._facts.restate(connection, guild_id, dict.fromkeys(facts), self._clock.now())

    async def forget_channels(self, connection: LogWrite, guild_id: int, channel_ids: Collection[int]) -> None:
        """Let facts go with channels that are closed, whose messages are going."""
        await changes.forget_channels(connection, guild_id, channel_ids)
        await self._facts.forget_channels(connection, guild_id, channel_ids, self._clock.now())

    def _said_now(self, message: Message, subject_id: int | None, members: Sequence[Member]) -> str | None:
        known = {member.user_id: member for member in members}
        author, subject = known.get(message.author_id), known.get(subject_id or 0)
        if author is None or subject is None or not message.text.strip():
            return None
        text = said_by(message.text, author, subject, members)
        return text if len(text) <= self._fact_limit else None


async def made_from(connection: Connection, guild_id: int, message_ids: Collection[int]) -> dict[Fact, str | None]:
    """Read facts taken from these messages ("remember this"), each with the words it rests on if it was let on: for
    keeping them true, never for telling."""
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND source_message_id = ANY($2) ORDER BY fact_id", guild_id, list(message_ids)
    )
    return {fact_of(row): row["span"] for row in rows}


async def facts_told_in(
    connection: Connection, guild_id: int, message_ids: Collection[int], *, pointing: bool = True
) -> list[Fact]:
    """Read facts told in these messages, for taking them away: with what a message only pointed at ("remember this"),
    which is not in its words, or without. What its subject has confirmed is their own word, whatever becomes of it."""
    rows = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND message_id = ANY($2) AND standing <> 'confirmed'
        AND ($3 OR source_message_id IS NULL) ORDER BY fact_id""",
        guild_id,
        list(message_ids),
        pointing,
    )
    return [fact_of(row) for row in rows]
