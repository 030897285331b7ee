"""Reads the log of what was said, and sets aside what was said to us."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress, GuildLog, Unanswered
from memory.core.values import AuthorKind, Intent, Message
from memory.db.database import Connection, Database, LogWrite, Record
from memory.db.table_declarations import Changes, Goes, Stays, TableDeclaration, columns
from memory.log import store as extras
from memory.log.store import shared_log_transaction
from memory.places.view import Audience

# Messages that may be stored no longer, and are being removed some at a time: nobody is told of them meanwhile.
#
# That is what people decided to have removed, and what was said in channels that were deleted.
#
# What removes more than goes in one transaction leaves a mark at its guild with the decision, and takes it away with
# the last message. Whoever reads the log to tell of it asks for `not_pending_removal`. Without a mark, which is nearly
# always, that is one look at the guild's row; with one, each message is judged by what was decided. A mark that a crash
# left behind goes with the purge that finds nothing more to remove.


def not_pending_removal(said: str) -> str:
    """Give the condition that a row of the log, by that name, may be told; its guild is $1.

    The rule itself, `may_be_told`, is a function of the database: to plan for it would cost every question more than
    the look. A test holds it against `memory.policy.store.MAY_STAY`.
    """
    return f"""
((SELECT marked.going = '{{}}' FROM guilds AS marked WHERE marked.guild_id = $1) IS NOT FALSE
 OR may_be_told($1, {said}.message_id))
"""  # noqa: S608 - names of our own


async def begin(connection: Connection, guild_id: int) -> UUID:
    """Mark a guild whose messages are going, within the transaction of the decision; give the mark."""
    mark = uuid4()
    await connection.execute("UPDATE guilds SET going = going || $2::uuid WHERE guild_id = $1", guild_id, mark)
    return mark


async def is_marked(connection: Connection, guild_id: int) -> bool:
    """Say whether a removal is under way, or was broken off."""
    marked: bool | None = await connection.fetchval("SELECT going <> '{}' FROM guilds WHERE guild_id = $1", guild_id)
    return bool(marked)


async def end(connection: Connection, guild_id: int, mark: UUID) -> None:
    """Take the mark of a removal away, within the transaction that removes the last message."""
    await connection.execute("UPDATE guilds SET going = array_remove(going, $2) WHERE guild_id = $1", guild_id, mark)


async def end_all(connection: LogWrite, guild_id: int) -> None:
    """Take away all marks of what is being removed: nothing was found that may not be stored."""
    await connection.execute("UPDATE guilds SET going = '{}' WHERE guild_id = $1 AND going <> '{}'", guild_id)


LATEST_LOOKED_AT = 1_000
"""Messages of a member, for whether they have ever spoken to us."""


class MessageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_spoken_to_us(self, guild_id: int, author_id: int, but: int) -> bool:
        """Say whether one of a member's latest messages, without this one, was said to us."""
        rows = await self._database.read(
            "store.messages.has_spoken_to_us",
            """
            SELECT 1 FROM (
                SELECT message_id FROM chat_history WHERE guild_id = $1 AND author_id = $2 AND message_id <> $3
                ORDER BY message_id DESC LIMIT $4) AS said
            JOIN addressed ON addressed.guild_id = $1 AND addressed.message_id = said.message_id LIMIT 1
            """,
            guild_id,
            author_id,
            but,
            LATEST_LOOKED_AT,
        )
        return bool(rows)

    async def note_addressed(self, guild_id: int, channel_id: int, message_id: int, intent: Intent) -> None:
        """Set a message aside from conversation: it was said to us.

        A day that was made from it goes, and our replies that quote that day: these are rows of the log. While a model
        decides what is wanted it is taken for a question, which may be noted later than what it turned out to be.
        What came by Discord is noted when it is stored: then nobody waits for a turn and a commit here.
        """
        noted = await self._database.read(
            "store.messages.addressed",
            "SELECT intent FROM addressed WHERE guild_id = $1 AND message_id = $2",
            guild_id,
            message_id,
        )
        if noted and intent in (Intent.QUESTION, noted[0]["intent"]):
            return
        async with shared_log_transaction(self._database, "store.messages.note_addressed", guild_id) as connection:
            await connection.execute(
                """
                INSERT INTO addressed AS known (guild_id, message_id, channel_id, intent) SELECT $1, $2, $3, $4
                WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2)
                ON CONFLICT (guild_id, message_id) DO UPDATE
                SET intent = CASE WHEN excluded.intent = $5 THEN known.intent ELSE excluded.intent END
                """,
                guild_id,
                message_id,
                channel_id,
                intent,
                Intent.QUESTION,
            )

    async def recent(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """Read the newest messages of the place itself, oldest first; `before` is a message id to end at."""
        return audience.present(await self._page("store.messages.recent", _RECENT, audience, limit, before), None)

    async def recent_conversation(
        self, audience: Audience, limit: int, before: int | None = None, at: datetime | None = None
    ) -> list[Message]:
        """Read the last messages of people talking to each other: neither bots nor what was said to us. `at` is the
        present, which is all there is where not everyone can read back."""
        name = "store.messages.recent_conversation"
        return audience.present(await self._page(name, _RECENT_CONVERSATION, audience, limit, before), at)

    async def linked(self, audience: Audience, message_ids: Collection[int]) -> list[Message]:
        """Read messages that somebody links to, as far as this audience may; never our own words, in this order."""
        wanted = list(dict.fromkeys(message_ids))
        if not wanted:
            return []
        rows = await self._database.read(
            "store.messages.linked", _LINKED, audience.guild_id, list(audience.sources), wanted
        )
        return sorted(map(message_of, rows), key=lambda message: wanted.index(message.message_id))

    async def pinned(self, audience: Audience, limit: int) -> list[Message]:
        """Read the newest of what is pinned in the place itself, if all of these readers can read it back."""
        if audience.place_id not in audience.sources:
            return []
        rows = await self._database.read("store.messages.pinned", _PINNED, audience.guild_id, audience.place_id, limit)
        return [message_of(row) for row in rows]

    async def starts_after(self, guild_id: int, channel_id: int) -> int | None:
        """Find the message behind which a channel's recent conversation begins, if somebody had it begin anew."""
        rows = await self._database.read("store.messages.starts_after", f"SELECT {STARTS_AFTER}", guild_id, channel_id)
        starts_after: int | None = rows[0]["starts_after"]
        return starts_after

    async def start_after(self, guild_id: int, channel_id: int, message_id: int) -> None:
        """Have the recent conversation begin behind this message. Nothing is deleted."""
        async with self._database.transaction("store.messages.start_after") as connection:
            await connection.execute(_START_AFTER, guild_id, channel_id, message_id)

    async def recent_elsewhere(self, audience: Audience, limit: int, before: int | None = None) -> list[Message]:
        """Read the last messages of all other channels that this audience could read, taken together."""
        async with self._database.transaction("store.messages.recent_elsewhere", readonly=True) as connection:
            others = list(audience.sources - {audience.place_id})
            rows = await connection.fetch(_RECENT_ELSEWHERE, audience.guild_id, others, limit, before)
        return [message_of(row) for row in reversed(rows)]

    async def _page(self, name: str, query: str, audience: Audience, limit: int, before: int | None) -> list[Message]:
        rows = await self._database.read(name, query, audience.guild_id, audience.place_id, limit, before)
        return [message_of(row) for row in reversed(rows)]


async def stored(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[Message]:
    """Read messages by id, within the caller's transaction: to keep true what was made from them, not for telling."""
    rows = await connection.fetch(
        "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )
    return [message_of(row) for row in rows]


def message_of(row: Record) -> Message:
    return Message(
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        author_id=row["author_id"],
        author_kind=AuthorKind(row["author_kind"]),
        text=row["text"],
        sent_at=row["sent_at"],
        edited_at=row["edited_at"],
        reply_to=row["reply_to"],
        parent_id=row["parent_id"],
        speaker=row["speaker"],
        pinned=row["pinned"],
        reactions=row["reactions"],
        **extras.read_extras(row["extras"]),
    )


_REPLY = """
SELECT message_id FROM chat_history AS reply
WHERE reply.guild_id = note.guild_id AND reply.channel_id = note.channel_id AND reply.message_id > note.message_id
  AND reply.reply_to = note.message_id AND reply.author_kind = 'self'
ORDER BY reply.message_id DESC LIMIT 1
"""

# A reply without a receipt says only why there is none.
_NOTE_ANSWERED = f"""
UPDATE addressed AS note SET unanswered = false FROM receipts
WHERE note.guild_id = $1 AND note.channel_id = $2 AND note.unanswered
  AND receipts.guild_id = note.guild_id AND receipts.asked_in = note.message_id
  AND (cardinality(receipts.message_ids) > 0
       OR EXISTS ({_REPLY}))
"""  # noqa: S608 - made of constants

_UNANSWERED = f"""
SELECT note.message_id, intent, done, ({_REPLY}) AS reply_id
FROM addressed AS note WHERE guild_id = $1 AND channel_id = $2 AND unanswered ORDER BY note.message_id
"""  # noqa: S608 - made of constants

_IDS_BETWEEN = """
SELECT message_id FROM chat_history
WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3 AND message_id < $4 AND NOT imported
ORDER BY message_id LIMIT $5
"""

_NOTE_HEARD_FROM = """
WITH RECURSIVE logged (channel_id) AS (
    SELECT min(channel_id) FROM chat_history WHERE guild_id = $1
    UNION ALL
    SELECT (
        SELECT min(said.channel_id) FROM chat_history AS said
        WHERE guild_id = $1 AND said.channel_id > logged.channel_id
    )
    FROM logged WHERE channel_id IS NOT NULL
)
INSERT INTO channel_progress (guild_id, channel_id)
SELECT $1, channel_id FROM logged
WHERE NOT (
    SELECT imported FROM chat_history AS said
    WHERE guild_id = $1 AND said.channel_id = logged.channel_id ORDER BY message_id DESC LIMIT 1
)
ON CONFLICT (guild_id, channel_id) DO NOTHING
"""
"""From one channel to the next by the index, without looking at all that was said in between."""

_COLUMNS = """
guild_id, channel_id, message_id, author_id, author_kind, text, sent_at, edited_at, reply_to, parent_id, extras,
speaker, pinned, reactions
"""


def said_by_people(said: str) -> str:
    """Give the condition that people said a row of the log, by that name: members, or, by the name they bear, whoever
    speaks through a webhook of which the managers said so."""
    return f"""
({said}.author_kind = 'person' OR ({said}.author_kind = 'webhook' AND {said}.speaker_key IS NOT NULL AND EXISTS (
    SELECT 1 FROM guilds AS decided
    WHERE decided.guild_id = {said}.guild_id AND {said}.author_id = ANY (decided.webhooks))))
"""  # noqa: S608 - names of our own


def _is_conversation(said: str) -> str:
    """Give the condition that a row of the log, by that name, is talk among people and was not said to us."""
    return f"""
{said_by_people(said)} AND {not_pending_removal(said)} AND NOT EXISTS (
    SELECT 1 FROM addressed a WHERE a.guild_id = {said}.guild_id AND a.message_id = {said}.message_id)
"""  # noqa: S608 - names of our own


_RECENT = f"""
SELECT {_COLUMNS} FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4) AND {not_pending_removal("said")}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

_LINKED = f"""
SELECT {_COLUMNS} FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id = ANY ($3::bigint[]) AND author_kind <> 'self'
  AND {not_pending_removal("said")}
"""  # noqa: S608 - made of constants

_PINNED = f"""
SELECT {_COLUMNS} FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND pinned AND author_kind <> 'self' AND {not_pending_removal("said")}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

STARTS_AFTER = "(SELECT starts_after FROM channel_progress AS read WHERE read.guild_id = $1 AND read.channel_id = $2)"

_START_AFTER = """
INSERT INTO channel_progress (guild_id, channel_id, starts_after) VALUES ($1, $2, $3)
ON CONFLICT (guild_id, channel_id) DO UPDATE SET starts_after = excluded.starts_after
"""

_RECENT_CONVERSATION = f"""
SELECT {_COLUMNS} FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = $2 AND ($4::bigint IS NULL OR message_id < $4)
  AND message_id > coalesce({STARTS_AFTER}, 0) AND {_is_conversation("said")}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

# Channel by channel, because each has an index that ends with its newest message.
_RECENT_ELSEWHERE = f"""
SELECT said.* FROM unnest($2::bigint[]) AS place (channel_id) CROSS JOIN LATERAL (
    SELECT {_COLUMNS} FROM chat_history AS newest
    WHERE guild_id = $1 AND newest.channel_id = place.channel_id AND ($4::bigint IS NULL OR message_id < $4)
      AND {_is_conversation("newest")}
    ORDER BY message_id DESC LIMIT $3) AS said
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants


# How far each channel has been read, advanced in the transactions that store what was read.


class ProgressStore:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def progress(self, guild_id: int) -> dict[int, ChannelProgress]:
        rows = await self._database.read(
            "store.progress.of_guild",
            """
            SELECT channel_id, contiguous_through, backfilled_to, backfill_done, swept_at, swept_to, asked_at
            FROM channel_progress WHERE guild_id = $1
            """,
            guild_id,
        )
        return {row["channel_id"]: ChannelProgress(*row.values()) for row in rows}

    async def guild_log(self, guild_id: int) -> GuildLog:
        async with self._database.transaction("store.progress.in_all", readonly=True) as connection:
            row = await connection.fetchrow(
                """
                SELECT (SELECT count(*) FROM chat_history WHERE guild_id = $1) AS messages,
                       count(*) AS channels, count(*) FILTER (WHERE backfill_done) AS read_back
                FROM channel_progress WHERE guild_id = $1
                """,
                guild_id,
            )
        return GuildLog(0, 0, 0) if row is None else GuildLog(*row.values())

    async def note_channels(self, guild_id: int, channel_ids: Collection[int]) -> None:
        """Note the channels Discord has shown us, whether we may read them back or not. What was imported from channels
        it never showed us is not looked for there."""
        async with self._database.transaction("store.progress.note_seen") as connection:
            await connection.execute(
                """
                INSERT INTO channel_progress (guild_id, channel_id) SELECT $1, unnest($2::bigint[])
                ON CONFLICT (guild_id, channel_id) DO NOTHING
                """,
                guild_id,
                sorted(channel_ids),
            )

    async def note_heard_channels(self, guild_id: int) -> None:
        """Note the channels we heard a message from: shown to us, even if we stopped before that was noted."""
        async with self._database.transaction("store.progress.note_heard_from") as connection:
            await connection.execute(_NOTE_HEARD_FROM, guild_id)

    async def channels_exist(self, guild_id: int, channel_ids: Collection[int]) -> None:
        """Note that Discord still has these channels, which are out of our view."""
        async with self._database.transaction("store.progress.note_asked") as connection:
            await connection.execute(
                "UPDATE channel_progress SET asked_at = $3 WHERE guild_id = $1 AND channel_id = ANY($2)",
                guild_id,
                sorted(channel_ids),
                self._clock.now(),
            )

    async def sweep_reached(self, guild_id: int, channel_id: int, message_id: int) -> None:
        """Note how far a sweep has come: broken off, it goes on below this message."""
        async with self._database.transaction("store.progress.sweep_reached") as connection:
            await connection.execute(
                "UPDATE channel_progress SET swept_to = $3 WHERE guild_id = $1 AND channel_id = $2",
                guild_id,
                channel_id,
                message_id,
            )

    async def swept(self, guild_id: int, channel_id: int, at: datetime) -> None:
        async with self._database.transaction("store.progress.swept") as connection:
            await connection.execute(
                """
                INSERT INTO channel_progress (guild_id, channel_id, swept_at) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id, channel_id) DO UPDATE SET swept_at = excluded.swept_at, swept_to = NULL
                """,
                guild_id,
                channel_id,
                at,
            )

    async def heard_until(self, guild_ids: Collection[int]) -> dict[int, datetime]:
        """Say up to when edits and deletions are known, of those guilds of which that was ever noted."""
        rows = await self._database.read(
            "store.progress.heard_until",
            "SELECT guild_id, heard_until FROM guilds WHERE guild_id = ANY($1) AND heard_until IS NOT NULL",
            list(guild_ids),
        )
        return {row["guild_id"]: row["heard_until"] for row in rows}

    async def note_heard(self, guild_ids: Collection[int], at: datetime) -> None:
        async with self._database.transaction("store.progress.note_heard") as connection:
            # A guild that is being changed just now is noted the next time: nobody shall wait for this.
            await connection.execute(
                """
                UPDATE guilds SET heard_until = $2 WHERE guild_id IN (
                    SELECT guild_id FROM guilds WHERE guild_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED)
                """,
                list(guild_ids),
                at,
            )

    # What was said to us and has no reply yet.

    async def ours_among(self, guild_id: int, message_ids: Collection[int]) -> frozenset[int]:
        """Find those of these messages that we said ourselves."""
        if not message_ids:
            return frozenset()
        rows = await self._database.read(
            "store.messages.ours_among",
            "SELECT message_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2) AND author_kind = 'self'",
            guild_id,
            list(message_ids),
        )
        return frozenset(row["message_id"] for row in rows)

    async def unanswered(self, guild_id: int, channel_id: int) -> list[Unanswered]:
        """List what was said to us in a channel and has no reply, the oldest first.

        Of what we answered just before we were ended, our reply stands in the log; that is noted now.
        """
        if not await self._database.read("store.messages.unanswered", _UNANSWERED, guild_id, channel_id):
            return []
        async with self._database.transaction("store.messages.still_unanswered") as connection:
            await connection.execute(_NOTE_ANSWERED, guild_id, channel_id)
            rows = await connection.fetch(_UNANSWERED, guild_id, channel_id)
        return [Unanswered(row["message_id"], Intent(row["intent"]), row["reply_id"], row["done"]) for row in rows]

    async def note_answered(self, guild_id: int, message_ids: Collection[int]) -> None:
        """Note that there is nothing left to do about these messages, whatever came of them."""
        async with self._database.transaction("store.messages.note_answered") as connection:
            await connection.execute(
                "UPDATE addressed SET unanswered = false WHERE guild_id = $1 AND message_id = ANY($2) AND unanswered",
                guild_id,
                list(message_ids),
            )

    async def note_owed(self, guild_id: int, message_id: int) -> None:
        """Note that what a message asks for was carried out, or cannot be, and that its reply is owed."""
        async with self._database.transaction("store.messages.note_owed") as connection:
            await connection.execute(
                """
                UPDATE addressed SET unanswered = true, done = true
                WHERE guild_id = $1 AND message_id = $2 AND intent IN ('remember', 'forget', 'remind')
                """,
                guild_id,
                message_id,
            )

    async def stored_between(self, guild_id: int, channel_id: int, *, above: int, below: int, limit: int) -> list[int]:
        """List ids of what Discord showed us of a channel, the oldest first, strictly between `above` and `below`."""
        rows = await self._database.read(
            "store.messages.ids_between", _IDS_BETWEEN, guild_id, channel_id, above, below, limit
        )
        return [row["message_id"] for row in rows]


async def advance(connection: Connection, guild_id: int, through: Mapping[int, int]) -> None:
    """Note, within the caller's transaction, up to which message these channels have been read without a hole."""
    if not through:
        return
    await connection.execute(
        """
        INSERT INTO channel_progress AS known (guild_id, channel_id, contiguous_through)
        SELECT $1, channel_id, reached FROM unnest($2::bigint[], $3::bigint[]) AS read (channel_id, reached)
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET contiguous_through = greatest(known.contiguous_through, excluded.contiguous_through)
        """,
        guild_id,
        list(through),
        list(through.values()),
    )


async def note_page(
    connection: Connection,
    guild_id: int,
    channel_id: int,
    through: int | None,
    backfilled_to: int | None,
    backfill_done: bool,
) -> None:
    """Note, within the caller's transaction, how far a page of history has brought its channel."""
    await connection.execute(
        """
        INSERT INTO channel_progress AS known (guild_id, channel_id, contiguous_through, backfilled_to, backfill_done)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (guild_id, channel_id) DO UPDATE SET
            contiguous_through = greatest(known.contiguous_through, excluded.contiguous_through),
            backfilled_to = least(known.backfilled_to, excluded.backfilled_to),
            backfill_done = known.backfill_done OR excluded.backfill_done
        """,
        guild_id,
        channel_id,
        through,
        backfilled_to,
        backfill_done,
    )


async def forget_channels(connection: Connection, guild_id: int, channel_ids: list[int]) -> None:
    await connection.execute(
        "DELETE FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, channel_ids
    )


TABLES = (
    TableDeclaration(
        table="channel_progress",
        purpose="which channels there are, how far each was read, and since which message answers there make a fresh"
        " start; no text",
        until="the channel is deleted",
        columns=columns(
            ids="guild_id channel_id contiguous_through backfilled_to swept_to starts_after",
            times="swept_at asked_at",
            states="backfill_done",
        ),
        message=Stays("how far was read is true whatever became of what was read"),
        member=Stays("it is about no member"),
        # The rest stays: otherwise the channel would be read again from its beginning, for nothing.
        channel=Changes("starts_after = NULL", "channel_id = ANY({channels})"),
        guild=Goes(),
    ),
)


# Conversations: what was said in one channel without a long pause, and is understood as a whole.
#
# Messages come in any order, days late by an import, or backwards by back-fill; conversations grow, and grow together.


PAUSE = timedelta(minutes=30)
MOST_MESSAGES = 200
"""Where talk never pauses, a conversation ends here."""


@dataclass(frozen=True, slots=True)
class Conversation:
    conversation_id: int
    channel_id: int
    first_at: datetime
    last_at: datetime
    messages: int
    length: int
    """In words."""


@dataclass(frozen=True, slots=True)
class Placed:
    conversation_of: dict[int, int]
    """By message."""
    changed: list[Conversation]
    """As they are now; new ones among them."""
    dissolved: dict[int, int]
    """Known ones that became part of another."""


def of_one(message_id: int, channel_id: int, sent_at: datetime, length: int) -> Conversation:
    """Make a conversation of one message alone."""
    return Conversation(message_id, channel_id, sent_at, sent_at, 1, length)


def place(known: Iterable[Conversation], arrived: Iterable[Conversation]) -> Placed:
    """Join messages into conversations: `arrived` are messages alone; `known` must hold all within a pause of them."""
    placed = Placed({}, [], {})
    by_channel: dict[int, list[tuple[Conversation, bool]]] = {}
    for conversations, is_known in ((known, True), (arrived, False)):
        for conversation in conversations:
            by_channel.setdefault(conversation.channel_id, []).append((conversation, is_known))
    for pieces in by_channel.values():
        pieces.sort(key=lambda piece: (piece[0].first_at, piece[0].conversation_id))
        _join_neighbours(pieces, placed)
    return placed


def _join_neighbours(pieces: list[tuple[Conversation, bool]], placed: Placed) -> None:
    group: list[tuple[Conversation, bool]] = []
    last_at, messages = pieces[0][0].last_at, 0
    for piece in pieces:
        later = piece[0]
        is_inside = later.last_at <= last_at
        goes_on = later.first_at - last_at < PAUSE and messages + later.messages <= MOST_MESSAGES
        if group and not is_inside and not goes_on:
            _note(group, placed)
            group, last_at, messages = [], later.last_at, 0
        group.append(piece)
        last_at, messages = max(last_at, later.last_at), messages + later.messages
    _note(group, placed)


def _joined(group: Sequence[tuple[Conversation, bool]], conversation_id: int) -> Conversation:
    return replace(
        group[0][0],
        conversation_id=conversation_id,
        last_at=max(conversation.last_at for conversation, _ in group),
        messages=sum(conversation.messages for conversation, _ in group),
        length=sum(conversation.length for conversation, _ in group),
    )


def _note(group: Sequence[tuple[Conversation, bool]], placed: Placed) -> None:
    known = [conversation for conversation, is_known in group if is_known]
    if len(known) == len(group) == 1:
        return
    # The largest keeps its name, so that few messages have to be told.
    kept = (
        max(known, key=lambda conversation: conversation.messages).conversation_id
        if known
        else group[0][0].conversation_id
    )
    placed.changed.append(_joined(group, kept))
    placed.dissolved.update(
        {conversation.conversation_id: kept for conversation in known if conversation.conversation_id != kept}
    )
    placed.conversation_of.update(
        {conversation.conversation_id: kept for conversation, is_known in group if not is_known}
    )
