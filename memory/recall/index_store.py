"""Writes the index of what was said, behind the log and never in its transactions.

Whoever writes owns the guild's index by an advisory lock until they commit, and looks again at the log once they own
it. Whoever deletes or edits a message takes the same lock (see `forget_indexed` in the schema), so that nothing gets
into the index that has just been taken out of the log.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.core.values import Message
from memory.db.database import Connection, Database, Reads
from memory.db.table_declarations import Follows, Goes, Holds, How, Stays, TableDeclaration, columns
from memory.language.detect import Language
from memory.log.reading import PAUSE, Conversation, Placed, message_of, of_one, place, said_by_people
from memory.recall.query import Entry, main_languages, written


@dataclass(frozen=True, slots=True)
class Behind:
    """Tells how far the index of a guild has come, and what is left."""

    guild_id: int
    words_through: int
    vectors_through: int
    newest: int
    vector_model: str | None
    """Whose vectors questions are compared with."""
    vectors_again: bool
    again: bool
    """Some messages have to be indexed once more."""


@dataclass(frozen=True, slots=True)
class Batch:
    guild_id: int
    after: int
    through: int
    """All of the log between these two has been looked at; equal for messages that are indexed once more."""
    messages: list[Message]
    seqs: dict[int, int]
    spoken_in: dict[int, Language]
    """What the channels of these messages usually speak."""
    again: dict[int, int]
    """Those that were asked for once more, and how often."""


class IndexStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def equip(self) -> bool:
        """Make use of what the server has; say whether it can hold vectors."""
        async with self._database.transaction("store.index.equip") as connection:
            await connection.execute("SELECT equip_recall()")
            has_vectors: bool = await connection.fetchval("SELECT to_regclass('message_vectors') IS NOT NULL")
        if has_vectors:
            await self._database.learn_vectors()
        return has_vectors

    async def behind(self, guild_ids: Collection[int] | None = None) -> list[Behind]:
        """Read how far the index of every guild we know has come, one probe each; or of these guilds."""
        rows = await self._database.read("store.index.behind", _BEHIND, None if guild_ids is None else list(guild_ids))
        return [Behind(**row) for row in rows]

    async def waiting(self, guild_id: int, through: int, most: int) -> int:
        """Count the messages that have not been looked at, up to `most`."""
        [counted] = await self._database.read(
            "store.index.waiting",
            "SELECT count(*) FROM (SELECT FROM chat_history WHERE guild_id = $1 AND seq > $2 LIMIT $3) AS waiting",
            guild_id,
            through,
            most,
        )
        return int(counted["count"])

    async def next_batch(self, behind: Behind, limit: int) -> Batch:
        """Read what comes next in the log; if nothing does, messages that came to say more without a new seq."""
        guild_id, after = behind.guild_id, behind.words_through
        is_again = after >= behind.newest
        async with self._database.transaction("store.index.next_batch", readonly=True) as connection:
            if is_again:
                rows = await connection.fetch(_AGAIN, guild_id, limit)
            else:
                rows = await connection.fetch(_NEXT, guild_id, after, limit)
            # What was not reached yet needs no second look.
            kept = [row for row in rows if row["counts"] and (not is_again or row["seq"] <= after)]
            messages = [message_of(row) for row in kept]
            usual = await spoken_in(connection, guild_id, {message.channel_id for message in messages})
        seqs = {row["message_id"]: row["seq"] for row in (kept if is_again else rows)}
        again = {row["message_id"]: row["times"] for row in rows} if is_again else {}
        through = after if is_again or not rows else rows[-1]["seq"]
        return Batch(guild_id, after, through, messages, seqs, usual, again)

    async def write(self, batch: Batch, entries: Sequence[Entry]) -> int | None:
        """Write a batch into the index; give how many are in now; None if somebody else has written them meanwhile."""
        guild_id = batch.guild_id
        async with self._database.transaction("store.index.write") as connection:
            await own_index(connection, guild_id)
            if not await _is_next(connection, batch):
                return None
            await connection.execute("SELECT forget_indexed($1, $2)", guild_id, list(batch.seqs))
            alive = await still_true(connection, guild_id, batch.seqs)
            fresh = [entry for entry in entries if entry.message.message_id in alive]
            if fresh:
                placed, conversations = await _place(connection, guild_id, fresh)
                await _add_entries(connection, guild_id, fresh, placed)
                await _count(connection, guild_id, fresh, conversations)
            if batch.again:
                await connection.execute(_VECTORS_AGAIN, guild_id, [entry.message.message_id for entry in fresh])
                await connection.execute(_DONE_AGAIN, guild_id, list(batch.again), list(batch.again.values()))
            await connection.execute(
                "UPDATE index_state SET words_through = $2 WHERE guild_id = $1", guild_id, batch.through
            )
        return len(fresh)


async def own_index(connection: Connection, guild_id: int) -> None:
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('index', $1))", guild_id)


async def still_true(connection: Connection, guild_id: int, seqs: Mapping[int, int]) -> set[int]:
    """Find those of these messages that are as they were, and still people's talk among themselves."""
    rows = await connection.fetch(_STILL_TRUE, guild_id, list(seqs), list(seqs.values()))
    return {row["message_id"] for row in rows}


async def _is_next(connection: Connection, batch: Batch) -> bool:
    await connection.execute(
        "INSERT INTO index_state (guild_id) SELECT guild_id FROM guilds WHERE guild_id = $1 ON CONFLICT DO NOTHING",
        batch.guild_id,
    )
    through: int | None = await connection.fetchval(
        "SELECT words_through FROM index_state WHERE guild_id = $1", batch.guild_id
    )
    return through == batch.after


async def spoken_in(connection: Reads, guild_id: int, channel_ids: Collection[int]) -> dict[int, Language]:
    rows = await connection.fetch(
        "SELECT channel_id, languages FROM index_channels WHERE guild_id = $1 AND channel_id = ANY($2)",
        guild_id,
        list(channel_ids),
    )
    usual = {row["channel_id"]: main_languages(row["languages"], least_share=0.0) for row in rows}
    return {channel_id: languages[0] for channel_id, languages in usual.items() if languages}


async def _place(connection: Connection, guild_id: int, entries: Sequence[Entry]) -> tuple[Placed, Counter[int]]:
    """Place entries in conversations, with what the channels have of them around that time; say how many more
    conversations each channel has then."""
    spans: dict[int, tuple[datetime, datetime]] = {}
    for entry in entries:
        sent_at = entry.message.sent_at
        first, last = spans.get(entry.message.channel_id, (sent_at, sent_at))
        spans[entry.message.channel_id] = (min(first, sent_at), max(last, sent_at))
    rows = await connection.fetch(
        _CONVERSATIONS_AROUND,
        guild_id,
        list(spans),
        [first - PAUSE for first, _ in spans.values()],
        [last + PAUSE for _, last in spans.values()],
    )
    known = [Conversation(**row) for row in rows]
    placed = place(
        known,
        [
            of_one(entry.message.message_id, entry.message.channel_id, entry.message.sent_at, entry.length)
            for entry in entries
        ],
    )
    await _write_conversations(connection, guild_id, placed)
    channels = {conversation.conversation_id: conversation.channel_id for conversation in known}
    more = Counter(one.channel_id for one in placed.changed if one.conversation_id not in channels)
    more.subtract(channels[gone] for gone in placed.dissolved)
    return placed, more


async def _write_conversations(connection: Connection, guild_id: int, placed: Placed) -> None:
    if placed.dissolved:
        gone, kept = list(placed.dissolved), list(placed.dissolved.values())
        await connection.execute(
            """
            UPDATE message_index AS said SET conversation_id = joined.kept
            FROM unnest($2::bigint[], $3::bigint[]) AS joined (gone, kept)
            WHERE said.guild_id = $1 AND said.conversation_id = joined.gone
            """,
            guild_id,
            gone,
            kept,
        )
        await connection.execute(
            "DELETE FROM conversations WHERE guild_id = $1 AND conversation_id = ANY($2)", guild_id, gone
        )
    await connection.execute(
        _WRITE_CONVERSATIONS,
        guild_id,
        [conversation.conversation_id for conversation in placed.changed],
        [conversation.channel_id for conversation in placed.changed],
        [conversation.first_at for conversation in placed.changed],
        [conversation.last_at for conversation in placed.changed],
        [conversation.messages for conversation in placed.changed],
        [conversation.length for conversation in placed.changed],
    )


async def _add_entries(connection: Connection, guild_id: int, entries: Sequence[Entry], placed: Placed) -> None:
    await connection.execute(
        _ADD,
        guild_id,
        [
            {
                "message_id": entry.message.message_id,
                "channel_id": entry.message.channel_id,
                "author_id": entry.message.author_id,
                "sent_at": entry.message.sent_at,
                "conversation_id": placed.conversation_of[entry.message.message_id],
                "length": entry.length,
                "terms": written(guild_id, entry.counts),
            }
            for entry in entries
        ],
    )


async def _count(connection: Connection, guild_id: int, entries: Sequence[Entry], conversations: Counter[int]) -> None:
    terms: Counter[tuple[str, int]] = Counter()
    messages: Counter[int] = Counter()
    lengths: Counter[int] = Counter()
    languages: dict[int, Counter[str]] = {}
    for entry in entries:
        channel_id = entry.message.channel_id
        terms.update((term, channel_id) for term in entry.counts)
        messages[channel_id] += 1
        lengths[channel_id] += entry.length
        spoken = languages.setdefault(channel_id, Counter())
        if entry.language is not None:
            spoken[entry.language.value] += 1
    counted = [[term, channel_id, count] for (term, channel_id), count in sorted(terms.items())]
    await connection.execute(_COUNT_TERMS, guild_id, counted)
    await connection.execute(_SPELL, guild_id, sorted({term for term, _ in terms}))
    await connection.execute(
        _COUNT_CHANNELS,
        guild_id,
        list(messages),
        list(messages.values()),
        [lengths[channel_id] for channel_id in messages],
        [conversations[channel_id] for channel_id in messages],
        [languages[channel_id] for channel_id in messages],
    )


CONVERSATION = f"""
{said_by_people("said")} AND NOT EXISTS (
    SELECT FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
"""

_BEHIND = """
SELECT known.guild_id, coalesce(words_through, 0) AS words_through, coalesce(vectors_through, 0) AS vectors_through,
    coalesce(newest.seq, 0) AS newest, vector_model,
    EXISTS (SELECT FROM vectors_again WHERE vectors_again.guild_id = known.guild_id) AS vectors_again,
    EXISTS (SELECT FROM index_again WHERE index_again.guild_id = known.guild_id) AS again
FROM guilds AS known LEFT JOIN index_state USING (guild_id)
LEFT JOIN LATERAL (
    SELECT seq FROM chat_history WHERE guild_id = known.guild_id ORDER BY seq DESC LIMIT 1) AS newest ON true
WHERE $1::bigint[] IS NULL OR known.guild_id = ANY($1) ORDER BY known.guild_id
"""

_NEXT = f"""
SELECT said.*, {CONVERSATION} AS counts FROM chat_history AS said
WHERE said.guild_id = $1 AND said.seq > $2 ORDER BY said.seq LIMIT $3
"""  # noqa: S608 - made of constants

_AGAIN = f"""
SELECT said.*, times, {CONVERSATION} AS counts FROM index_again JOIN chat_history AS said USING (guild_id, message_id)
WHERE guild_id = $1 ORDER BY message_id LIMIT $2
"""  # noqa: S608 - made of constants

_VECTORS_AGAIN = """
INSERT INTO vectors_again (guild_id, message_id)
SELECT $1, message_id FROM index_state, unnest($2::bigint[]) AS message_id
WHERE guild_id = $1 AND vector_model IS NOT NULL
"""

_DONE_AGAIN = """
DELETE FROM index_again USING unnest($2::bigint[], $3::int[]) AS done (message_id, times)
WHERE guild_id = $1 AND index_again.message_id = done.message_id AND index_again.times = done.times
"""

_STILL_TRUE = f"""
SELECT said.message_id FROM unnest($2::bigint[], $3::bigint[]) AS seen (message_id, seq)
JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = seen.message_id AND said.seq = seen.seq
WHERE {CONVERSATION}
"""  # noqa: S608 - made of constants

_CONVERSATIONS_AROUND = """
SELECT conversation_id, channel_id, first_at, last_at, messages, length
FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS span (channel_id, since, until)
JOIN conversations USING (channel_id) WHERE guild_id = $1 AND last_at > since AND first_at < until
"""

_WRITE_CONVERSATIONS = """
INSERT INTO conversations (guild_id, conversation_id, channel_id, first_at, last_at, messages, length)
SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::int[])
ON CONFLICT (guild_id, conversation_id) DO UPDATE SET
    first_at = excluded.first_at, last_at = excluded.last_at, messages = excluded.messages, length = excluded.length
"""

_ADD = """
INSERT INTO message_index (guild_id, message_id, channel_id, author_id, sent_at, conversation_id, length, terms)
SELECT $1, * FROM json_to_recordset($2::json) AS entry (
    message_id bigint, channel_id bigint, author_id bigint, sent_at timestamptz, conversation_id bigint, length int,
    terms tsvector)
"""

_COUNT_TERMS = """
INSERT INTO term_counts AS known (guild_id, term, channel_id, messages)
SELECT $1, counted ->> 0, (counted ->> 1)::bigint, (counted ->> 2)::int FROM json_array_elements($2::json) AS counted
ON CONFLICT (guild_id, term, channel_id) DO UPDATE SET messages = known.messages + excluded.messages
"""

_SPELL = """
INSERT INTO spellings (guild_id, term) SELECT $1, json_array_elements_text($2::json) ON CONFLICT DO NOTHING
"""

# Languages are counted together with those that were known.
_COUNT_CHANNELS = """
INSERT INTO index_channels AS known (guild_id, channel_id, messages, length, conversations, languages)
SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::jsonb[])
ON CONFLICT (guild_id, channel_id) DO UPDATE SET
    messages = known.messages + excluded.messages, length = known.length + excluded.length,
    conversations = known.conversations + excluded.conversations,
    languages = known.languages || (
        SELECT coalesce(jsonb_object_agg(key, value::int + coalesce((known.languages ->> key)::int, 0)), '{}')
        FROM jsonb_each_text(excluded.languages))
"""


# What the index of recall holds. It follows the log message by message, by triggers, and of a whole guild at once.


_WITH_THE_LOG = Follows("chat_history", How.TRIGGER)
_HOW_FAR = Stays("how far was read is true whatever became of what was read")
_WITH_ITS_MESSAGE = Follows("message_index", How.KEY)
_MADE_ANEW = "the index is made anew from the log by itself"


def _indexed(
    table: str, purpose: str, held: Mapping[str, Holds], *, goes_with: Follows = _WITH_THE_LOG
) -> TableDeclaration:
    return TableDeclaration(
        table=table,
        purpose=purpose,
        until="the message goes; made again when it is edited",
        columns=held,
        message=goes_with,
        member=goes_with,
        channel=goes_with,
        guild=Goes() if goes_with is _WITH_THE_LOG else goes_with,
        left_behind=_MADE_ANEW,
    )


TABLES = (
    _indexed(
        "message_index",
        "the stems of a message's words, to find it by",
        columns(
            ids="guild_id message_id channel_id conversation_id",
            people="author_id",
            words="terms",
            times="sent_at",
            numbers="length",
        ),
    ),
    _indexed(
        "term_counts",
        "in how many messages of each channel a stem occurs",
        columns(ids="guild_id channel_id", words="term", numbers="messages"),
    ),
    _indexed(
        "spellings",
        "the stems that occur on a server, to find what a mistyped word may have meant",
        columns(ids="guild_id", words="term"),
    ),
    _indexed(
        "conversations",
        "which messages belong to one conversation: times and numbers, no text",
        columns(ids="guild_id conversation_id channel_id", times="first_at last_at", numbers="messages length"),
    ),
    _indexed(
        "index_channels",
        "how much of each channel is in the index, and in which languages; numbers, no text",
        columns(ids="guild_id channel_id", numbers="messages length conversations languages"),
    ),
    TableDeclaration(
        table="index_state",
        purpose="how far the index has got; numbers, no text",
        until="7 days after the bot left the server",
        columns=columns(
            ids="guild_id",
            numbers="words_through vectors_through",
            states="vector_model",
        ),
        message=_HOW_FAR,
        member=_HOW_FAR,
        channel=_HOW_FAR,
        guild=Goes(),
        left_behind=_MADE_ANEW,
    ),
    _indexed(
        "index_again",
        "ids of messages whose links were looked up, and which wait to be indexed again",
        columns(ids="guild_id message_id", numbers="times"),
    ),
    _indexed(
        "message_vectors",
        "the meaning of a message as numbers, to be compared with that of a question",
        columns(ids="guild_id message_id channel_id", meaning="embedding", states="model"),
        goes_with=_WITH_ITS_MESSAGE,
    ),
    _indexed(
        "vectors_again",
        "ids of messages that wait for their meaning to be worked out anew",
        columns(ids="guild_id message_id", numbers="turn"),
        goes_with=_WITH_ITS_MESSAGE,
    ),
)
