"""Writes the log. Create, edit and delete may arrive in any order, twice or late; the end is the same.

Whoever writes a guild's log owns it by an advisory lock until they commit. So a delete cannot miss a message that is
being inserted, nor an insert a decision about the policy, and `seq` becomes visible in its order: whoever follows it
overlooks nothing. Those who only need the log to stand still for a moment share it.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypedDict

import orjson

from memory.core.attachments import readable_as
from memory.core.log_values import Kind
from memory.core.values import LONGEST_SPEAKER, Attachment, AuthorKind, Marks, Message, ReadAs, speaker_key
from memory.db.database import Connection, Database, LogWrite
from memory.db.table_declarations import (
    Erasing,
    Follows,
    Goes,
    How,
    InParts,
    Stays,
    TableDeclaration,
    columns,
    statements,
)
from memory.language.text import repair
from memory.policy.store import ADMITTED

# What the log holds, and what was noted beside it.


_TOMBSTONE = Stays("it is what keeps the message out, and holds ids alone")

_MADE_FROM_IT = (
    "receipts",
    "file_pieces",
    "message_index",
    "conversations",
    "term_counts",
    "spellings",
    "days",
    "texts",
)
"""Of a whole guild they go first: what few messages are left by then need not follow one by one."""

TABLES = (
    TableDeclaration(
        table="chat_history",
        purpose="messages in channels the bot can read: text, author's id, channel, times and reply link; names,"
        " types, sizes and descriptions of attachments and the beginning of what was read of them, but no file; the"
        " text of embeds, polls and forwarded messages; names of stickers; of webhooks the name that each message"
        " bears; the title of a thread begun with it; whether it is pinned, and how many reacted",
        until="the message is deleted on Discord, its channel or a role of its author is excluded, or the server's"
        " retention ends",
        columns=columns(
            ids="guild_id message_id channel_id parent_id reply_to seq",
            people="author_id",
            names="speaker speaker_key",
            words="text extras",
            times="sent_at edited_at",
            numbers="reactions",
            states="author_kind imported pinned",
        ),
        message=Goes("message_id = ANY({messages})"),
        member=InParts("author_id = {member} AND message_id <= {through}"),
        channel=InParts("(channel_id = ANY({channels}) OR parent_id = ANY({channels})) AND message_id <= {through}"),
        guild=Goes(after=_MADE_FROM_IT),
    ),
    TableDeclaration(
        table="tombstones",
        purpose="ids of deleted messages, and of the bot's answers that are not kept, so that they never come back; no"
        " text",
        until="the server is erased",
        columns=columns(ids="guild_id message_id channel_id"),
        message=_TOMBSTONE,
        member=_TOMBSTONE,
        channel=_TOMBSTONE,
        guild=Goes(),
    ),
    TableDeclaration(
        table="closed_channels",
        purpose="ids of deleted channels and threads, so that nothing of them comes back; no text",
        until="the server is erased",
        columns=columns(ids="guild_id channel_id"),
        message=_TOMBSTONE,
        member=_TOMBSTONE,
        channel=_TOMBSTONE,
        guild=Goes(),
    ),
    TableDeclaration(
        table="addressed",
        purpose="which messages were meant for the bot, so that they are not quoted as conversation, and whether each"
        " was dealt with and answered; ids, no text",
        until="the message goes; a day later if the message itself is not kept",
        columns=columns(ids="guild_id message_id channel_id", states="intent unanswered done"),
        message=Goes("message_id = ANY({messages})"),
        member=Follows("chat_history", How.MESSAGE),
        channel=Goes("channel_id = ANY({channels}) AND message_id <= {through}"),
        guild=Goes(),
        counted=Kind.ADDRESSED,
    ),
)


# What comes with a message's text, as it lies in `chat_history.extras`: only what is there, and all of it storable.


LARGEST_SIZE = 2**63 - 1


class MessageExtras(TypedDict):
    """Holds the fields of a `Message` that lie in `extras`."""

    attachments: tuple[Attachment, ...]
    embeds: tuple[str, ...]
    poll: str | None
    forwarded: tuple[str, ...]
    stickers: tuple[str, ...]
    thread: str | None


def extras_of(message: Message) -> str | None:
    """Write what comes with a text, as JSON; None for the most common message: text alone."""
    texts = {"embeds": message.embeds, "forwarded": message.forwarded, "stickers": message.stickers}
    parts: dict[str, object] = {name: [repair(text) for text in given] for name, given in texts.items() if given}
    if message.attachments:
        is_read = message.author_kind is AuthorKind.PERSON
        parts["attachments"] = [_written_attachment(one, is_read=is_read) for one in message.attachments]
    if message.poll is not None:
        parts["poll"] = repair(message.poll)
    if message.thread is not None:
        parts["thread"] = repair(message.thread)
    return orjson.dumps(parts).decode() if parts else None


def read_extras(extras: Mapping[str, Any] | None) -> MessageExtras:
    found = extras or {}
    return MessageExtras(
        attachments=tuple(_read_attachment(attachment) for attachment in found.get("attachments", ())),
        embeds=tuple(found.get("embeds", ())),
        poll=found.get("poll"),
        forwarded=tuple(found.get("forwarded", ())),
        stickers=tuple(found.get("stickers", ())),
        thread=found.get("thread"),
    )


def _written_attachment(attachment: Attachment, *, is_read: bool) -> dict[str, object]:
    """Write an attachment as JSON; `is_read` adds what it is to be read as. The database keeps what was read before."""
    written: dict[str, object] = {
        "name": repair(attachment.name),
        "type": None if attachment.content_type is None else repair(attachment.content_type),
        "size": min(max(attachment.size, 0), LARGEST_SIZE),
        "description": None if attachment.description is None else repair(attachment.description),
    }
    if attachment.attachment_id is not None:
        written["id"] = str(attachment.attachment_id)
    if attachment.seconds is not None:
        written["seconds"] = attachment.seconds
    if attachment.read_as is not None:
        written["read"] = {"as": attachment.read_as, "words": repair(attachment.words)}
    elif is_read and (unread := readable_as(attachment)) is not None:
        written["unread"] = unread
    return written


def _read_attachment(attachment: Mapping[str, Any]) -> Attachment:
    read = attachment.get("read") or {}
    return Attachment(
        attachment["name"],
        attachment["type"],
        attachment["size"],
        attachment["description"],
        int(attachment["id"]) if "id" in attachment else None,
        attachment.get("seconds"),
        ReadAs(read["as"]) if read else None,
        read.get("words", ""),
    )


@dataclass(frozen=True, slots=True)
class Added:
    """Tells what became of messages that were offered to the log."""

    stored: int = 0
    """How many were new."""
    changed: list[int] = field(default_factory=list)
    """Known ones of which a later edited copy came."""


async def own_log(connection: Connection, guild_id: int) -> LogWrite:
    """Wait until nobody else owns or shares the log of a guild, and own it to the end of the transaction."""
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('log', $1))", guild_id)
    return LogWrite(connection)


async def share_log(connection: Connection, guild_id: int) -> None:
    await connection.execute("SELECT pg_advisory_xact_lock_shared(hashtextextended('log', $1))", guild_id)


@asynccontextmanager
async def log_transaction(database: Database, name: str, guild_id: int) -> AsyncIterator[LogWrite]:
    """Begin a transaction that owns a guild's log.

    However many of this process want that, one of them waits with a connection, so that there are some left for others.
    """
    async with database.turn(guild_id), database.transaction(name) as connection:
        yield await own_log(connection, guild_id)


@asynccontextmanager
async def shared_log_transaction(database: Database, name: str, guild_id: int) -> AsyncIterator[Connection]:
    """Open a transaction for whoever reads what must not change meanwhile, side by side with others who do."""
    async with database.turn(guild_id), database.transaction(name) as connection:
        await share_log(connection, guild_id)
        yield connection


async def add_messages(connection: LogWrite, messages: Sequence[Message], *, imported: bool = False) -> Added:
    """Store messages of one guild, as far as they may be.

    They come from Discord, unless they are `imported` from a file.
    """
    if not messages:
        return Added()
    guild_id = messages[0].guild_id
    [row] = await connection.fetch(_ADD, guild_id, [_arrived(message) for message in messages], imported)
    added = Added(row["stored"], row["changed"])
    is_known = added.stored < len(messages)
    if not imported and is_known:
        await note_shown(connection, guild_id, [message.message_id for message in messages])
    seen = [one for one in messages if one.reactions is not None and (is_known or one.reactions or one.pinned)]
    await _note_seen(connection, guild_id, seen)
    return added


async def _note_seen(connection: LogWrite, guild_id: int, seen: Sequence[Message]) -> None:
    """Note what a page of history shows of messages besides what they say: reactions, and whether they are pinned."""
    if seen:
        await connection.execute(
            """
            UPDATE chat_history AS known SET reactions = seen.reactions, pinned = seen.pinned
            FROM unnest($2::bigint[], $3::integer[], $4::boolean[]) AS seen (message_id, reactions, pinned)
            WHERE known.guild_id = $1 AND known.message_id = seen.message_id
              AND (known.reactions, known.pinned) IS DISTINCT FROM (seen.reactions, seen.pinned)
            """,
            guild_id,
            [message.message_id for message in seen],
            [message.reactions for message in seen],
            [message.pinned for message in seen],
        )


async def note_marks(connection: LogWrite, guild_id: int, marks: Mapping[int, Marks]) -> None:
    """Note reactions and titles of threads, which are no edits."""
    await connection.execute(
        """
        UPDATE chat_history AS known SET
            reactions = greatest(CASE WHEN mark.cleared THEN 0 ELSE known.reactions END + mark.added, 0),
            extras = CASE WHEN mark.thread IS NULL OR known.author_id <> mark.owner_id THEN known.extras
                          ELSE coalesce(known.extras, '{}') || jsonb_build_object('thread', mark.thread) END
        FROM unnest($2::bigint[], $3::integer[], $4::boolean[], $5::text[], $6::bigint[])
            AS mark (message_id, added, cleared, thread, owner_id)
        WHERE known.guild_id = $1 AND known.message_id = mark.message_id
          AND (mark.added <> 0 OR mark.cleared OR known.extras ->> 'thread' IS DISTINCT FROM mark.thread)
        """,
        guild_id,
        list(marks),
        [mark.added for mark in marks.values()],
        [mark.cleared for mark in marks.values()],
        [None if mark.thread is None else repair(mark.thread) for mark in marks.values()],
        [mark.owner_id for mark in marks.values()],
    )


async def note_pins(connection: LogWrite, guild_id: int, channel_id: int, pinned: Collection[int]) -> None:
    """Note which messages of a channel are pinned, and that no others are."""
    await connection.execute(
        """
        UPDATE chat_history SET pinned = NOT pinned
        WHERE guild_id = $1 AND channel_id = $2 AND (pinned OR message_id = ANY ($3))
          AND pinned <> (message_id = ANY ($3))
        """,
        guild_id,
        channel_id,
        list(pinned),
    )


async def note_shown(connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
    """Note that Discord has these messages, wherever we have them from."""
    await connection.execute(
        "UPDATE chat_history SET imported = false WHERE guild_id = $1 AND message_id = ANY($2) AND imported",
        guild_id,
        list(message_ids),
    )


async def note_said_to_us(connection: LogWrite, messages: Sequence[Message]) -> None:
    """Note messages of one guild that want something of us.

    What is noted already stays as it is: whoever reads a message again does not have it answered again.
    """
    if not messages:
        return
    await connection.execute(
        """
        INSERT INTO addressed (guild_id, message_id, channel_id, intent, unanswered)
        SELECT $1, said.* FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::boolean[])
            AS said (message_id, channel_id, intent, unanswered)
        WHERE NOT EXISTS (SELECT 1 FROM tombstones t WHERE t.guild_id = $1 AND t.message_id = said.message_id)
          AND NOT EXISTS (SELECT 1 FROM closed_channels c WHERE c.guild_id = $1 AND c.channel_id = said.channel_id)
        ON CONFLICT (guild_id, message_id) DO NOTHING
        """,
        messages[0].guild_id,
        [message.message_id for message in messages],
        [message.channel_id for message in messages],
        [message.wish for message in messages],
        [message.is_unanswered for message in messages],
    )


async def note_done(connection: Connection, guild_id: int, message_id: int) -> None:
    """Note, within the transaction that carries out what a message asks for, that only its reply is owed from now on.

    What somebody lets on in a question is kept as well, and the question is still to be answered.
    """
    await connection.execute(
        """
        UPDATE addressed SET done = true
        WHERE guild_id = $1 AND message_id = $2 AND unanswered AND intent IN ('remember', 'forget', 'remind')
        """,
        guild_id,
        message_id,
    )


async def edit_messages(connection: LogWrite, edits: Sequence[Message]) -> list[int]:
    """Write messages of one guild as they read after an edit; give the stored ones that changed.

    An edit counts if it is newer than what is stored.
    """
    await _add_looked_up(connection, [edit for edit in edits if edit.edited_at is None])
    edited = [edit for edit in edits if edit.edited_at is not None]
    if not edited:
        return []
    rows = await connection.fetch(
        _EDIT,
        edited[0].guild_id,
        [edit.message_id for edit in edited],
        [repair(edit.text) for edit in edited],
        [edit.edited_at for edit in edited],
        [extras_of(edit) for edit in edited],
    )
    return sorted(row["message_id"] for row in rows)


async def _add_looked_up(connection: Connection, unfurled: Sequence[Message]) -> None:
    """Add the links Discord has looked up, or a poll's end: that is no edit, so the message keeps its place in the
    order of arrival."""
    latest = {edit.message_id: extras_of(edit) for edit in unfurled if edit.embeds or edit.poll}
    if latest:
        await connection.execute(
            """
            UPDATE chat_history AS known SET extras = keep_what_was_read(unfurled.extras::jsonb, known.extras)
            FROM unnest($2::bigint[], $3::text[]) AS unfurled (message_id, extras)
            WHERE known.guild_id = $1 AND known.message_id = unfurled.message_id
              AND (known.extras -> 'embeds' IS NULL OR known.extras -> 'poll' <> unfurled.extras::jsonb -> 'poll')
            """,
            unfurled[0].guild_id,
            list(latest),
            list(latest.values()),
        )


async def arrive_anew(
    connection: LogWrite, guild_id: int, webhooks: Collection[int], after: int, most: int
) -> int | None:
    """Have messages of webhooks arrive anew, whose words count otherwise from now on: whatever follows the log follows
    that. Gives the last of them; None when there are no more."""
    last: int | None = await connection.fetchval(
        """
        WITH again AS (
            UPDATE chat_history SET seq = nextval('chat_history_seq') WHERE guild_id = $1 AND message_id IN (
                SELECT message_id FROM chat_history
                WHERE guild_id = $1 AND author_kind = 'webhook' AND author_id = ANY ($2) AND message_id > $3
                ORDER BY message_id LIMIT $4)
            RETURNING message_id)
        SELECT max(message_id) FROM again
        """,
        guild_id,
        list(webhooks),
        after,
        most,
    )
    return last


async def delete_messages(connection: LogWrite, guild_id: int, ids: Collection[tuple[int, int]]) -> None:
    """Delete messages, given as (channel, message): nothing of them stays but their ids."""
    if not ids:
        return
    message_ids = [message_id for _, message_id in ids]
    await connection.execute(
        """
        INSERT INTO tombstones (guild_id, message_id, channel_id)
        SELECT $1, gone.message_id, gone.channel_id
        FROM unnest($2::bigint[], $3::bigint[]) AS gone (message_id, channel_id)
        WHERE NOT EXISTS (
            SELECT 1 FROM closed_channels c WHERE c.guild_id = $1 AND c.channel_id = gone.channel_id)
        ON CONFLICT (guild_id, message_id) DO NOTHING
        """,
        guild_id,
        message_ids,
        [channel_id for channel_id, _ in ids],
    )
    await forget_messages(connection, guild_id, message_ids)


async def forget_messages(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    values = {"guild": guild_id, "messages": list(message_ids)}
    for statement in _FORGETTING:
        await connection.execute(statement.sql, *statement.arguments(values))


async def close_channel(connection: LogWrite, guild_id: int, channel_id: int) -> list[int]:
    """Close a channel and its threads: nothing of them is stored any more.

    Gives the channels that are closed now. Their messages are still there, for `drop_messages_of`.
    """
    closed = await threads_of(connection, guild_id, channel_id)
    await connection.execute(
        """
        INSERT INTO closed_channels (guild_id, channel_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING
        """,
        guild_id,
        closed,
    )
    for statement in (
        "DELETE FROM addressed WHERE guild_id = $1 AND channel_id = ANY($2)",
        # The channel's own mark stands for all of its messages now.
        "DELETE FROM tombstones WHERE guild_id = $1 AND channel_id = ANY($2)",
    ):
        await connection.execute(statement, guild_id, closed)
    return closed


THREADS_OF = """
SELECT channel_id FROM places WHERE guild_id = $1 AND parent_id = $2 AND kind IN ('thread', 'private_thread')
    AND NOT EXISTS (
        SELECT 1 FROM chat_history AS said WHERE said.guild_id = $1 AND said.channel_id = places.channel_id
        AND said.imported AND said.parent_id IS DISTINCT FROM $2)
UNION
SELECT channel_id FROM chat_history WHERE guild_id = $1 AND parent_id = $2
"""
"""Of the channel $2. What an import brought of another is none, though it may be open to the channel's readers."""


async def threads_of(connection: Connection, guild_id: int, channel_id: int) -> list[int]:
    """List a channel with all threads of it that are known."""
    rows = await connection.fetch(THREADS_OF, guild_id, channel_id)
    return sorted({channel_id, *(row["channel_id"] for row in rows)})


async def closed_with_messages(connection: Connection, guild_id: int) -> list[int]:
    """List closed channels of which messages are left: their removal was broken off."""
    rows = await connection.fetch(
        """
        SELECT channel_id FROM closed_channels AS closed WHERE guild_id = $1 AND EXISTS (
            SELECT 1 FROM chat_history AS said WHERE said.guild_id = $1 AND said.channel_id = closed.channel_id)
        """,
        guild_id,
    )
    return [row["channel_id"] for row in rows]


async def drop_messages_of(connection: LogWrite, guild_id: int, channel_ids: Collection[int], most: int) -> int:
    """Delete so many messages of closed channels, or fewer if that is all there are; give how many went."""
    done = await connection.execute(
        """
        DELETE FROM chat_history WHERE guild_id = $1 AND message_id IN (
            SELECT message_id FROM chat_history WHERE guild_id = $1 AND channel_id = ANY ($2) LIMIT $3)
        """,
        guild_id,
        list(channel_ids),
        most,
    )
    return int(done.split()[-1])


async def stored_of(connection: Connection, guild_id: int, message_ids: Collection[int]) -> set[int]:
    """Find those of these messages that the log has."""
    rows = await connection.fetch(
        "SELECT message_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )
    return {row["message_id"] for row in rows}


async def own_ids(connection: Connection, guild_id: int) -> frozenset[int]:
    """Find the accounts Innkeeper speaks or has spoken by, as far as this database can tell."""
    rows = await connection.fetch(
        """
        SELECT application_id AS user_id FROM command_definitions
        UNION
        (SELECT author_id FROM chat_history WHERE guild_id = $1 AND author_kind = 'self' LIMIT 1)
        """,
        guild_id,
    )
    return frozenset(row["user_id"] for row in rows)


async def is_deleted(connection: Connection, guild_id: int, message_id: int) -> bool:
    deleted: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)", guild_id, message_id
    )
    return deleted


async def missing_between(
    connection: Connection, guild_id: int, channel_id: int, returned: Collection[int]
) -> list[tuple[int, int]]:
    """Find messages of the log that Discord did not return, strictly between two that it did, as (channel, message).

    Imported ones are none of them: that Discord does not return what it never showed us says nothing.
    """
    if len(returned) < 2:
        return []
    rows = await connection.fetch(
        """
        SELECT message_id FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3 AND message_id < $4 AND message_id <> ALL ($5)
          AND NOT imported
        """,
        guild_id,
        channel_id,
        min(returned),
        max(returned),
        list(returned),
    )
    return [(channel_id, row["message_id"]) for row in rows]


def _arrived(message: Message) -> dict[str, object]:
    """Put a message into JSON: the driver takes several times longer over arrays, whose elements it looks through."""
    arrived: dict[str, object] = {
        "message_id": message.message_id,
        "channel_id": message.channel_id,
        "author_id": message.author_id,
        "author_kind": message.author_kind,
        "text": repair(message.text),
        "sent_at": message.sent_at,
    }
    if message.edited_at is not None:
        arrived["edited_at"] = message.edited_at
    if message.reply_to is not None:
        arrived["reply_to"] = message.reply_to
    if message.parent_id is not None:
        arrived["parent_id"] = message.parent_id
    if message.speaker is not None and (key := speaker_key(repair(message.speaker))):
        arrived["speaker"] = repair(message.speaker)[:LONGEST_SPEAKER]
        arrived["speaker_key"] = key
    if message.answers is not None:
        arrived["answers_author_id"] = message.answers.author_id
        arrived["answers_id"] = message.answers.message_id
    written = extras_of(message)
    if written is not None:
        arrived["extras"] = written
    return arrived


NOT_CLOSED = """
NOT EXISTS (
    SELECT 1 FROM closed_channels c
    WHERE c.guild_id = $1 AND c.channel_id IN (arrived.channel_id, arrived.parent_id))
"""
NOT_DELETED = f"""
NOT EXISTS (SELECT 1 FROM tombstones t WHERE t.guild_id = $1 AND t.message_id = arrived.message_id) AND {NOT_CLOSED}
"""  # noqa: S608 - made of constants

# Of each message the newest copy, in the order of ids, which within one batch is the order in which Discord took them.
_ADD = f"""
WITH offered AS MATERIALIZED (
    SELECT DISTINCT ON (message_id) * FROM json_to_recordset($2::json) AS arrived (
        message_id bigint, channel_id bigint, parent_id bigint, author_id bigint, author_kind text, text text,
        sent_at timestamptz, edited_at timestamptz, reply_to bigint, extras text, answers_author_id bigint,
        answers_id bigint, speaker text, speaker_key text)
    ORDER BY message_id, edited_at DESC NULLS LAST
), arriving AS (
    SELECT * FROM offered AS arrived WHERE {NOT_DELETED} AND {ADMITTED}
), added AS (
INSERT INTO chat_history AS known
    (guild_id, message_id, channel_id, parent_id, author_id, author_kind, sent_at, reply_to, edited_at, text, extras,
     speaker, speaker_key, imported)
SELECT $1, message_id, channel_id, parent_id, author_id, author_kind, sent_at, reply_to, edited_at, text, extras::jsonb,
       speaker, speaker_key, $3
FROM arriving ORDER BY message_id
ON CONFLICT (guild_id, message_id) DO UPDATE SET
    text = CASE WHEN excluded.edited_at > coalesce(known.edited_at, '-infinity') THEN excluded.text ELSE known.text END,
    seq = CASE WHEN excluded.edited_at > coalesce(known.edited_at, '-infinity') THEN excluded.seq ELSE known.seq END,
    edited_at = greatest(known.edited_at, excluded.edited_at),
    extras = keep_what_was_read(excluded.extras, known.extras)
WHERE excluded.edited_at > coalesce(known.edited_at, '-infinity')
   OR (excluded.edited_at IS NOT DISTINCT FROM known.edited_at
       AND ((excluded.extras ? 'embeds' AND known.extras -> 'embeds' IS NULL)
            OR excluded.extras -> 'poll' <> known.extras -> 'poll'))
RETURNING known.message_id, known.edited_at
)
SELECT count(*) FILTER (WHERE NOT was_known) AS stored,
       coalesce(array_agg(message_id ORDER BY message_id) FILTER (WHERE was_known AND edited_at IS NOT NULL), '{{}}')
           AS changed
FROM (
    -- The snapshot of the statement has nothing of what it adds.
    SELECT message_id, edited_at, EXISTS (
        SELECT FROM chat_history AS known WHERE known.guild_id = $1 AND known.message_id = added.message_id OFFSET 0
    ) AS was_known FROM added
) AS done
"""  # noqa: S608 - made of constants

_EDIT = """
UPDATE chat_history AS known
SET text = edit.text, edited_at = edit.edited_at, seq = nextval('chat_history_seq'), imported = false,
    extras = keep_what_was_read(edit.extras::jsonb, known.extras)
FROM (
    SELECT DISTINCT ON (message_id) *
    FROM unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[]) AS made (message_id, text, edited_at, extras)
    ORDER BY message_id, edited_at DESC
) AS edit
WHERE known.guild_id = $1 AND known.message_id = edit.message_id
  AND (known.edited_at IS NULL OR known.edited_at < edit.edited_at)
RETURNING known.message_id
"""

_FORGETTING = statements(TABLES, Erasing.MESSAGE)
