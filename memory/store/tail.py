"""The end of the log that the index has not reached: read as it is, so that a message is found once it is stored."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from memory.core.recall.bm25 import of_message, weight
from memory.core.recall.found import Found, Heard, Limits, Terms
from memory.core.recall.terms import Entry, read_text
from memory.core.values import Message, text_of
from memory.db.database import Reads
from memory.log.reading import message_of, tellable
from memory.places.view import Audience
from memory.store.index import CONVERSATION, spoken_in

MOST_LOOKED_AT = 5_000
MOST_READ = 1_000
"""Of more, only what was said last is read: the index is busy with a long history then, and says how far it is."""


async def unindexed(
    connection: Reads,
    audience: Audience,
    sources: Sequence[int],
    terms: Terms,
    limits: Limits,
) -> list[Heard]:
    authors = None if limits.author_ids is None else list(limits.author_ids)
    rows = await connection.fetch(
        _UNINDEXED,
        audience.guild_id,
        list(sources),
        authors,
        limits.after,
        limits.before,
        MOST_LOOKED_AT,
        MOST_READ,
    )
    if not rows:
        return []
    messages = [message_of(row) for row in rows]
    usual = await spoken_in(connection, audience.guild_id, sources)
    entries = await asyncio.to_thread(read_text, messages, usual)
    weights = {term.text: term.share * weight(term.messages, terms.messages) for term in terms.terms}
    found = (_found(entry, terms, weights) for entry in entries)
    return [
        Heard(one, text_of(message), message.reply_to, partial(_itself, message))
        for one, message in zip(found, messages, strict=True)
        if one.matched
    ]


def _itself(message: Message) -> Message:
    return message


def _found(entry: Entry, terms: Terms, weights: Mapping[str, float]) -> Found:
    message = entry.message
    return Found(
        message.message_id,
        message.channel_id,
        message.author_id,
        message.sent_at,
        stretch_id=None,
        length=entry.length,
        words=of_message(weights, entry.counts, entry.length, terms.mean_length),
        matched=frozenset(term.word for term in terms.terms if term.text in entry.counts),
        meaning=None,
        stretch=0.0,
    )


# What was stored last, whatever the channel: only its number is bounded by the index over seq. Where there is more, a
# long history is being stored, and what was said last is somewhere in between: it is looked for by its ids.
_UNINDEXED = f"""
WITH reached AS MATERIALIZED (
    SELECT coalesce((SELECT words_through FROM index_state WHERE guild_id = $1), 0) AS through
), beyond AS MATERIALIZED (
    SELECT through, (
        SELECT seq FROM chat_history WHERE guild_id = $1 AND seq > through ORDER BY seq DESC OFFSET $6 LIMIT 1) AS seq
    FROM reached
)
SELECT said.* FROM (
    (SELECT * FROM chat_history
     WHERE guild_id = $1 AND seq > (SELECT through FROM reached) ORDER BY seq DESC LIMIT $6)
    UNION ALL
    SELECT last_said.* FROM beyond CROSS JOIN LATERAL (
        SELECT * FROM chat_history
        WHERE guild_id = $1 AND beyond.seq IS NOT NULL ORDER BY message_id DESC LIMIT $6) AS last_said
    WHERE last_said.seq > beyond.through AND last_said.seq <= beyond.seq
    UNION ALL
    SELECT again.* FROM index_again JOIN chat_history AS again USING (guild_id, message_id) WHERE guild_id = $1
) AS said
WHERE said.channel_id = ANY ($2) AND ($3::bigint[] IS NULL OR said.author_id = ANY ($3))
    AND ($4::timestamptz IS NULL OR said.sent_at >= $4) AND ($5::timestamptz IS NULL OR said.sent_at < $5)
    AND {CONVERSATION} AND {tellable("said")}
ORDER BY said.message_id DESC LIMIT $7
"""  # noqa: S608 - made of constants
