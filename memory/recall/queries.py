"""Holds the statements behind `memory.recall.store`; in all, $1 is the guild and $2 the channels that may be heard.

Each is written so that there is one sensible way to run it, because statistics may be missing or from another time: a
fresh guild has none, and a plan that was made for it took four seconds once the guild had grown. A LATERAL part with a
LIMIT is asked once for each row before it, through its index, and never turned around.
"""

from memory.log.reading import not_pending_removal, said_by_people
from memory.recall.ranking import LENGTH_OF_CONVERSATION, LENGTH_OF_MESSAGE, SATURATION

# $3 to $7: what is searched, and the mean lengths. A term's weight label tells how often it occurs.
_SEARCHED = """
asked AS MATERIALIZED (
    SELECT term::tsquery AS anyhow, (term || ':D')::tsquery AS once, (term || ':C')::tsquery AS twice,
        (term || ':B')::tsquery AS thrice, place, weight, conversation_weight,
        $6::float8 AS mean_length, $7::float8 AS mean_conversation_length
    FROM unnest($3::text[], $4::float8[], $5::float8[])
        WITH ORDINALITY AS asked (term, weight, conversation_weight, place)
)
"""

_OFTEN = """
CASE WHEN looked_at.terms @@ asked.once THEN 1 WHEN looked_at.terms @@ asked.twice THEN 2
     WHEN looked_at.terms @@ asked.thrice THEN 3 ELSE 4 END
"""


def _bm25(weight: str, often: str, length: str, mean: str, dial: float) -> str:
    spread = f"{SATURATION}::float8 * ({1 - dial}::float8 + {dial}::float8 * {length} / {mean})"
    return f"sum({weight} * {often} * {SATURATION + 1} / ({often} + {spread}))"


_OF_MESSAGE = _bm25("weight", "often", "length", "mean_length", LENGTH_OF_MESSAGE)
_OF_CONVERSATION = _bm25(
    "conversation_weight", "often", "whole.length", "mean_conversation_length", LENGTH_OF_CONVERSATION
)

# A bit for each place among the terms, of which there are fewer than a bigint has bits.
_MATCHED = "bit_or(1::bigint << place::int)"

_NARROWED = """
({author}::bigint[] IS NULL OR author_id = ANY ({author}))
AND ({after}::timestamptz IS NULL OR sent_at >= {after}) AND ({before}::timestamptz IS NULL OR sent_at < {before})
"""

# OFFSET 0 keeps the two conditions apart: the planner cannot know which of them leaves fewer rows, and we do.
_FROM_THE_INDEX = """
SELECT * FROM (SELECT * FROM message_index WHERE terms @@ $11::text::tsquery OFFSET 0) AS said
WHERE guild_id = $1 AND channel_id = ANY ($2)
"""
# Between a channel and itself, here and below: "equal to" would let the planner walk through all channels by ids.
_ONE_BY_ONE = """
SELECT said.* FROM unnest($2::bigint[]) AS heard CROSS JOIN LATERAL (
    SELECT * FROM message_index WHERE guild_id = $1 AND channel_id BETWEEN heard AND heard
    ORDER BY channel_id DESC, message_id DESC OFFSET 0) AS said
WHERE terms @@ (SELECT $11::text::tsquery)
"""


def _by_words(candidates: str) -> str:
    return f"""
    WITH {_SEARCHED}, looked_at AS MATERIALIZED (
        {candidates} AND {_NARROWED.format(author="$8", after="$9", before="$10")} LIMIT $12
    ), hits AS MATERIALIZED (
        SELECT message_id, channel_id, author_id, sent_at, conversation_id, length, place, weight, mean_length,
            {_OFTEN} AS often
        FROM looked_at JOIN asked ON looked_at.terms @@ asked.anyhow
    ), best AS MATERIALIZED (
        SELECT message_id, channel_id, author_id, sent_at, conversation_id, length, {_OF_MESSAGE} AS words,
            {_MATCHED} AS matched
        FROM hits GROUP BY message_id, channel_id, author_id, sent_at, conversation_id, length
        ORDER BY words DESC, message_id DESC LIMIT $13
    ), talk AS MATERIALIZED (
        SELECT conversation_id, place, sum(often) AS often FROM hits
        WHERE (conversation_id IN (SELECT conversation_id FROM best)) IS TRUE GROUP BY conversation_id, place
    ), by_conversation AS (
        SELECT conversation_id, {_OF_CONVERSATION} AS conversation
        FROM talk JOIN asked USING (place) CROSS JOIN LATERAL (
            SELECT length FROM conversations WHERE guild_id = $1 AND conversation_id = talk.conversation_id LIMIT 1
        ) AS whole
        GROUP BY conversation_id
    )
    SELECT *, NULL::float8 AS meaning, NULL::float8 AS conversation FROM best
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, conversation_id, NULL, NULL, NULL, NULL, conversation FROM by_conversation
    """  # noqa: S608 - made of constants


BY_WORDS = {True: _by_words(_ONE_BY_ONE), False: _by_words(_FROM_THE_INDEX)}
"""Whether few messages may be heard at all. The best messages, and what each conversation is worth: not joined
here, because the planner takes both for a handful and compares each with each."""

# $3 is the model, $4 the vector, and $5 how many are compared; $6 are the best of them. For vectors of length 1 the
# distance tells the cosine.
_NEAREST = """
SELECT message_id, channel_id, author_id, sent_at, conversation_id, length, 0::float8 AS words, NULL::bigint AS matched,
    1 - distance * distance / 2 AS meaning, NULL::float8 AS conversation
FROM (SELECT * FROM compared ORDER BY distance, message_id DESC LIMIT $6) AS nearest {index}
ORDER BY distance, message_id DESC
"""
_DISTANCE = "embedding <-> (SELECT $4::halfvec)"

MEANING_OF_ALL = f"""
WITH heard AS MATERIALIZED (
    SELECT channel_id, messages, sum(messages) OVER () AS messages_in_all
    FROM index_channels WHERE guild_id = $1 AND channel_id = ANY ($2) AND messages > 0
), compared AS (
    SELECT newest.message_id, {_DISTANCE} AS distance
    FROM heard CROSS JOIN LATERAL (
        SELECT message_id, embedding FROM message_vectors
        WHERE guild_id = $1 AND channel_id BETWEEN heard.channel_id AND heard.channel_id AND model = $3
        ORDER BY channel_id DESC, message_id DESC
        LIMIT ceil($5::int * messages / greatest($5::int, messages_in_all))) AS newest
)
{
    _NEAREST.format(
        index='''CROSS JOIN LATERAL (
    SELECT channel_id, author_id, sent_at, conversation_id, length FROM message_index
    WHERE guild_id = $1 AND message_id = nearest.message_id LIMIT 1) AS said'''
    )
}
"""  # noqa: S608 - made of constants
"""Of more than may be compared, each channel gives its newest, as many as its share."""


def _meaning_among(said: str) -> str:
    return f"""
    WITH compared AS (
        SELECT said.*, {_DISTANCE} AS distance
        FROM ({said} LIMIT $5) AS said CROSS JOIN LATERAL (
            SELECT embedding FROM message_vectors
            WHERE guild_id = $1 AND message_id = said.message_id AND model = $3 LIMIT 1) AS meant
    )
    {_NEAREST.format(index="")}
    """  # noqa: S608 - made of constants


_SAID = "message_id, channel_id, author_id, sent_at, conversation_id, length"

# $7 are authors, $8 and $9 the time.
MEANING_OF_AUTHORS = _meaning_among(f"""
SELECT {_SAID} FROM unnest($7::bigint[]) AS author CROSS JOIN LATERAL (
    SELECT {_SAID} FROM message_index
    WHERE guild_id = $1 AND author_id BETWEEN author AND author AND channel_id = ANY ($2)
        AND ($8::timestamptz IS NULL OR sent_at >= $8) AND ($9::timestamptz IS NULL OR sent_at < $9)
    ORDER BY author_id DESC, message_id DESC LIMIT $5) AS newest
""")  # noqa: S608 - made of constants
"""Of each the newest."""

# Here $7 and $8 are the time, and $9 is how long a conversation may last.
MEANING_IN_TIME = _meaning_among(f"""
SELECT within.* FROM unnest($2::bigint[]) AS heard CROSS JOIN LATERAL (
    SELECT conversation_id FROM conversations
    WHERE guild_id = $1 AND channel_id BETWEEN heard AND heard AND first_at < coalesce($8, 'infinity'::timestamptz)
        AND last_at >= coalesce($7, '-infinity'::timestamptz) AND last_at < coalesce($8, 'infinity') + $9::interval
    ORDER BY channel_id DESC, last_at DESC LIMIT $5) AS talk CROSS JOIN LATERAL (
    SELECT {_SAID} FROM message_index AS said
    WHERE guild_id = $1 AND said.conversation_id BETWEEN talk.conversation_id AND talk.conversation_id
        AND ($7::timestamptz IS NULL OR sent_at >= $7) AND ($8::timestamptz IS NULL OR sent_at < $8)
    ORDER BY conversation_id LIMIT $5) AS within
""")  # noqa: S608 - made of constants
"""Through the conversations of that time."""


def _around(meaning: str, vectors: str = "") -> str:
    """Write the statement for what stands around: $3 are the terms, $4 the messages, $5 how far to read on both sides.

    Rows are compared with rows, so that only the index by channel can serve; what it brings of the next channel is left
    out.
    """
    return f"""
WITH asked AS MATERIALIZED (
    SELECT term::tsquery AS anyhow, place FROM unnest($3::text[]) WITH ORDINALITY AS asked (term, place)
), picked AS MATERIALIZED (
    SELECT DISTINCT near.message_id FROM unnest($4::bigint[]) AS hit CROSS JOIN LATERAL (
        SELECT channel_id, message_id FROM message_index WHERE guild_id = $1 AND message_id = hit LIMIT 1
    ) AS centre CROSS JOIN LATERAL (
        (SELECT guild_id, channel_id, message_id FROM message_index AS earlier
         WHERE (guild_id, earlier.channel_id, earlier.message_id) < ($1, centre.channel_id, centre.message_id)
         ORDER BY guild_id DESC, channel_id DESC, message_id DESC LIMIT $5::int)
        UNION ALL
        (SELECT guild_id, channel_id, message_id FROM message_index AS later
         WHERE (guild_id, later.channel_id, later.message_id) >= ($1, centre.channel_id, centre.message_id)
         ORDER BY guild_id, channel_id, message_id LIMIT $5::int + 1)
    ) AS near
    WHERE centre.channel_id = ANY ($2) AND near.guild_id = $1 AND near.channel_id = centre.channel_id
)
SELECT said.*, looked_at.conversation_id, looked_at.length, 0::float8 AS words, matched, {meaning} AS meaning
FROM picked CROSS JOIN LATERAL (
    SELECT conversation_id, length, terms FROM message_index
    WHERE guild_id = $1 AND message_id = picked.message_id LIMIT 1
) AS looked_at CROSS JOIN LATERAL (
    SELECT * FROM chat_history AS log
    WHERE guild_id = $1 AND message_id = picked.message_id AND channel_id = ANY ($2)
        AND {said_by_people("log")} AND {not_pending_removal("log")} LIMIT 1
) AS said CROSS JOIN LATERAL (
    SELECT bit_or(1::bigint << place::int) AS matched FROM asked WHERE looked_at.terms @@ asked.anyhow
) AS weighed {vectors}
ORDER BY said.channel_id, said.message_id
"""  # noqa: S608 - made of constants


AROUND = _around("NULL::float8")
AROUND_WITH_MEANING = _around(
    "1 - (embedding <-> (SELECT $7::halfvec)) ^ 2 / 2",
    """LEFT JOIN LATERAL (
    SELECT embedding FROM message_vectors WHERE guild_id = $1 AND message_id = picked.message_id AND model = $6 LIMIT 1
) AS meant ON true""",
)
"""$6 is the model, $7 the vector."""
