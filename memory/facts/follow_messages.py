"""Lets facts follow the messages they come from: what was taken from one ("remember this") says what it says now, or
goes; what was told in one goes with it."""

from collections.abc import Collection, Sequence

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

_TOLD_IN = "message_id = ANY($2) AND standing <> 'confirmed'"
"""What its subject has confirmed is their own word, whatever becomes of the message that told it."""
_OF_CHANNELS = """
(channel_id = ANY($2) AND NOT everywhere) OR source_message_id IN (
    SELECT said.message_id FROM facts AS taken
    JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = taken.source_message_id
    WHERE taken.guild_id = $1 AND said.channel_id = ANY($2))
"""


class MessageFollower:
    def __init__(self, facts: FactStore, fact_limit: int) -> None:
        self._facts = facts
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
        # What a message only pointed at ("remember this") is not in its words.
        await self._facts.drop(connection, guild_id, f"{_TOLD_IN} AND source_message_id IS NULL", message_ids)
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
        await self._facts.restate(connection, guild_id, texts)

    async def forget(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """Let facts go with the messages they were told in or taken from, which were deleted."""
        await changes.forget_messages(connection, guild_id, message_ids)
        await self._facts.drop(connection, guild_id, f"({_TOLD_IN}) OR source_message_id = ANY($2)", message_ids)

    async def forget_channels(self, connection: LogWrite, guild_id: int, channel_ids: Collection[int]) -> None:
        """Let facts go that were told in channels that are closed, or taken from their messages, which are still there.

        Nobody could hear them any more: a channel that is gone is in no audience. What everyone may know stays.
        """
        await changes.forget_channels(connection, guild_id, channel_ids)
        await self._facts.drop(connection, guild_id, _OF_CHANNELS, channel_ids)

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
