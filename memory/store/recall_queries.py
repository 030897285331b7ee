"""The statements behind `memory.store.recall`. In all of them $1 is the guild and $2 the channels that may be heard."""

# BM25's two dials: how soon more of the same says nothing new, and how much a long text has to say more.
_SATURATION = 1.2
_LENGTH_OF_MESSAGE = 0.4
_LENGTH_OF_STRETCH = 0.75

# $3 to $8: what is searched, and the mean lengths. A term's weight label tells how often it occurs.
_SEARCHED = """
asked AS MATERIALIZED (
    SELECT term::tsquery AS anyhow, (term || ':D')::tsquery AS once, (term || ':C')::tsquery AS twice,
        (term || ':B')::tsquery AS thrice, place, word, weight, stretch_weight,
        $7::float8 AS mean_length, $8::float8 AS mean_stretch_length
    FROM unnest($3::text[], $4::int[], $5::float8[], $6::float8[])
        WITH ORDINALITY AS asked (term, word, weight, stretch_weight, place)
)
"""

_OFTEN = """
CASE WHEN looked_at.terms @@ asked.once THEN 1 WHEN looked_at.terms @@ asked.twice THEN 2
     WHEN looked_at.terms @@ asked.thrice THEN 3 ELSE 4 END
"""


def _bm25(weight: str, often: str, length: str, mean: str, dial: float) -> str:
    spread = f"{_SATURATION}::float8 * ({1 - dial}::float8 + {dial}::float8 * {length} / {mean})"
    return f"sum({weight} * {often} * {_SATURATION + 1} / ({often} + {spread}))"


_OF_MESSAGE = _bm25("weight", "often", "length", "mean_length", _LENGTH_OF_MESSAGE)
_OF_STRETCH = _bm25("stretch_weight", "often", "stretches.length", "mean_stretch_length", _LENGTH_OF_STRETCH)

# A bit for each place among the terms, of which there are fewer than a bigint has bits.
_MATCHED = "bit_or(1::bigint << place::int)"

_NARROWED = """
({author}::bigint[] IS NULL OR author_id = ANY ({author}))
AND ({after}::timestamptz IS NULL OR sent_at >= {after}) AND ({before}::timestamptz IS NULL OR sent_at < {before})
"""

# OFFSET 0 keeps the two conditions apart: the planner cannot know which of them leaves fewer rows, and we do.
_FROM_THE_INDEX = """
SELECT * FROM (SELECT * FROM message_index WHERE terms @@ $12::text::tsquery OFFSET 0) AS said
WHERE guild_id = $1 AND channel_id = ANY ($2)
"""
_ONE_BY_ONE = """
SELECT * FROM (SELECT * FROM message_index WHERE guild_id = $1 AND channel_id = ANY ($2) OFFSET 0) AS said
WHERE terms @@ $12::text::tsquery
"""


def _by_words(candidates: str) -> str:
    return f"""
    WITH {_SEARCHED}, looked_at AS MATERIALIZED (
        {candidates} AND {_NARROWED.format(author="$9", after="$10", before="$11")} LIMIT $13
    ), hits AS MATERIALIZED (
        SELECT message_id, channel_id, author_id, sent_at, stretch_id, length, place, weight, mean_length,
            {_OFTEN} AS often
        FROM looked_at JOIN asked ON looked_at.terms @@ asked.anyhow
    ), best AS (
        SELECT message_id, channel_id, author_id, sent_at, stretch_id, length, {_OF_MESSAGE} AS words,
            {_MATCHED} AS matched
        FROM hits GROUP BY message_id, channel_id, author_id, sent_at, stretch_id, length
        ORDER BY words DESC, message_id DESC LIMIT $14
    ), talk AS (
        SELECT stretch_id, place, sum(often) AS often FROM hits GROUP BY stretch_id, place
    ), by_stretch AS (
        SELECT stretch_id, {_OF_STRETCH} AS stretch
        FROM talk JOIN asked USING (place) JOIN stretches USING (stretch_id) WHERE stretches.guild_id = $1
        GROUP BY stretch_id
    )
    SELECT *, NULL::float8 AS meaning, NULL::float8 AS stretch FROM best
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, stretch_id, NULL, NULL, NULL, NULL, stretch FROM by_stretch
    """  # noqa: S608 - made of constants


BY_WORDS = {True: _by_words(_ONE_BY_ONE), False: _by_words(_FROM_THE_INDEX)}
"""Whether few messages may be heard at all. The best messages, and what each stretch of talk is worth: not joined
here, because the planner takes both for a handful and compares each with each."""


def _by_meaning(vectors: str) -> str:
    return f"""
    WITH heard AS MATERIALIZED (
        SELECT channel_id, messages, sum(messages) OVER () AS messages_in_all
        FROM index_channels WHERE guild_id = $1 AND channel_id = ANY ($2) AND messages > 0
    ), compared AS (
        SELECT newest.message_id, newest.embedding <-> (SELECT $7::text::halfvec) AS distance
        FROM heard CROSS JOIN LATERAL (
            {vectors} ORDER BY message_id DESC
            LIMIT ceil($8::int * messages / greatest($8::int, messages_in_all))) AS newest
    ), nearest AS (
        SELECT * FROM compared ORDER BY distance, message_id DESC LIMIT $9
    )
    SELECT message_id, channel_id, author_id, sent_at, stretch_id, length, 0::float8 AS words, NULL::bigint AS matched,
        1 - distance * distance / 2 AS meaning, NULL::float8 AS stretch
    FROM nearest JOIN message_index USING (message_id) WHERE guild_id = $1
    ORDER BY distance, message_id DESC
    """  # noqa: S608 - made of constants


_ALL_VECTORS = """
SELECT message_id, embedding FROM message_vectors
WHERE guild_id = $1 AND channel_id = heard.channel_id AND model = $6
    AND num_nulls($3::bigint[], $4::timestamptz, $5::timestamptz) = 3
"""
_VECTORS_WITHIN_LIMITS = f"""
SELECT message_id, embedding
FROM message_vectors JOIN message_index AS said USING (guild_id, channel_id, message_id)
WHERE guild_id = $1 AND channel_id = heard.channel_id AND model = $6
    AND {_NARROWED.format(author="$3", after="$4", before="$5")}
"""  # noqa: S608 - made of constants

# $6 is the model and $7 the vector, cast once outside of the comparison; of more than $8 vectors each channel gives its
# newest, as many as its share. For vectors of length 1 the distance tells the cosine.
BY_MEANING = {True: _by_meaning(_VECTORS_WITHIN_LIMITS), False: _by_meaning(_ALL_VECTORS)}
"""Whether the question was narrowed down."""

# From here on, $9 are ids and $10 is a number.
AROUND = f"""
WITH {_SEARCHED}, looked_at AS MATERIALIZED (
    SELECT * FROM message_index WHERE guild_id = $1 AND message_id IN (
        SELECT near.message_id FROM message_index AS centre CROSS JOIN LATERAL (
            (SELECT message_id FROM message_index AS earlier
             WHERE guild_id = $1 AND channel_id = centre.channel_id AND earlier.message_id < centre.message_id
             ORDER BY message_id DESC LIMIT $10::int)
            UNION ALL
            (SELECT message_id FROM message_index AS later
             WHERE guild_id = $1 AND channel_id = centre.channel_id AND later.message_id >= centre.message_id
             ORDER BY message_id LIMIT $10::int + 1)
        ) AS near
        WHERE centre.guild_id = $1 AND centre.message_id = ANY ($9::bigint[]) AND centre.channel_id = ANY ($2))
)
"""  # noqa: S608 - made of constants

IN_STRETCHES = f"""
WITH {_SEARCHED}, looked_at AS MATERIALIZED (
    SELECT * FROM message_index
    WHERE guild_id = $1 AND stretch_id = ANY ($9::bigint[]) AND channel_id = ANY ($2) LIMIT $10::int
)
"""  # noqa: S608 - made of constants


def _each(meaning: str, vectors: str = "") -> str:
    return f"""
    SELECT message_id, looked_at.channel_id, author_id, sent_at, stretch_id, length,
        coalesce(words, 0::float8) AS words, matched, {meaning} AS meaning, NULL::float8 AS stretch
    FROM looked_at CROSS JOIN LATERAL (
        SELECT {_OF_MESSAGE} AS words, {_MATCHED} AS matched
        FROM (SELECT place, weight, mean_length, {_OFTEN} AS often FROM asked
              WHERE looked_at.terms @@ asked.anyhow) AS hits) AS weighed
    {vectors} ORDER BY looked_at.channel_id, message_id
    """  # noqa: S608 - made of constants


NO_MEANING = _each("NULL::float8")
MEANING = _each(
    "1 - (embedding <-> (SELECT $12::text::halfvec)) ^ 2 / 2",
    "LEFT JOIN (SELECT message_id, embedding FROM message_vectors WHERE guild_id = $1 AND model = $11) AS meant"
    " USING (message_id)",
)
