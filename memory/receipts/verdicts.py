"""Stores what members say of our answers: right, or wrong with a line of what is right.

Managers see counts, and whoever runs the bot has an evaluation set of it. A verdict rests on its question and its
answer: it is stored only while both are in the log, and goes with the answer.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from memory.core.clock import Clock
from memory.core.values import last_id_of
from memory.db.database import Connection, Database
from memory.db.migrate import migrate
from memory.db.table_declarations import Follows, Goes, How, TableDeclaration, columns
from memory.diagnosis import connection_source
from memory.health import Health
from memory.language.text import repair
from memory.log.reading import not_pending_removal
from memory.log.store import shared_log_transaction
from memory.policy.store import any_of, not_to_be_kept
from memory.settings import MemoryOptions

LONGEST_CORRECTION = 400
COUNTED = timedelta(days=30)
AT_ONCE = 100
"""Answers that are read together for the evaluation set."""


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    right: int
    wrong: int


class Verdicts:
    def __init__(self, database: Database, clock: Clock, health: Health) -> None:
        self._database = database
        self._clock = clock
        self._part = health.part("receipts")

    async def give(self, guild_id: int, message_id: int, user_id: int, *, is_right: bool, correction: str = "") -> bool:
        """Note what a member says of an answer, in the place of what they said before; a word on what is right stays.

        False: it is no answer to a question that is kept, or nothing may be kept of them. May raise `StoreError`.
        """
        now = self._clock.now()
        async with shared_log_transaction(self._database, "store.verdicts.give", guild_id) as connection:
            given = await connection.fetchval(
                _GIVE,
                guild_id,
                message_id,
                user_id,
                last_id_of(now),
                is_right,
                " ".join(repair(correction).split())[:LONGEST_CORRECTION],
                now,
            )
        if given is not None:
            self._part.count("right" if is_right else "wrong")
        return given is not None

    async def withdraw(self, guild_id: int, message_id: int, user_id: int, *, is_right: bool) -> None:
        """Withdraw a verdict: they said so before, and do not any more."""
        async with self._database.transaction("store.verdicts.withdraw") as connection:
            await connection.execute(_WITHDRAW, guild_id, message_id, user_id, is_right)

    async def counts(self, guild_id: int) -> VerdictCounts:
        """Count the answers of the last thirty days that were right, and those that were wrong, as somebody said."""
        [row] = await self._database.read("store.verdicts.counts", _COUNTS, guild_id, self._clock.now() - COUNTED)
        return VerdictCounts(*row.values())


# The evaluation set: question, answer, verdict, and what the answer rested on, as far as all of it is still there.


@asynccontextmanager
async def open_evaluation(options: MemoryOptions, clock: Clock) -> AsyncIterator["EvaluationSet"]:
    """Open the database to read the set; a running bot goes on meanwhile."""
    database = await Database.open(connection_source(options), max_size=1)
    try:
        await migrate(database, clock.now())
        yield EvaluationSet(database)
    finally:
        await database.close()


class EvaluationSet:
    """Reads verdicts for whoever runs the bot, who has the whole database; nobody who voted is in it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def guilds(self) -> list[int]:
        rows = await self._database.read("evaluation.guilds", "SELECT DISTINCT guild_id FROM verdicts ORDER BY 1")
        return [row["guild_id"] for row in rows]

    async def judged(self, guild_id: int) -> AsyncIterator[Mapping[str, object]]:
        """Read the judged answers of a guild, the oldest first."""
        after = 0
        while True:
            async with self._database.transaction(
                "evaluation.judged", isolation="repeatable_read", readonly=True
            ) as connection:
                rows = await connection.fetch(_JUDGED, guild_id, after, AT_ONCE)
                judged = [{**row, "rested_on": await _rested_on(connection, guild_id, row["asked_in"])} for row in rows]
            for one in judged:
                yield one
            if len(rows) < AT_ONCE:
                return
            after = rows[-1]["reply_id"]


async def _rested_on(connection: Connection, guild_id: int, asked_in: int) -> Sequence[Mapping[str, object]]:
    return [dict(row) for row in await connection.fetch(_RESTED_ON, guild_id, asked_in)]


_MAY_STAY = f"NOT {any_of(not_to_be_kept('$3::bigint', '$4::bigint'))}"

# An answer of several messages is known by the first of them, whichever bears the reaction.
_ANSWER = """
SELECT asked.asked_in, reply.message_id AS reply_id FROM receipts AS asked
JOIN chat_history AS reply ON reply.guild_id = $1 AND reply.author_kind = 'self'
    AND (reply.message_id = asked.message_ids[1]
         OR (asked.message_ids = '{}' AND reply.message_id = $2 AND reply.reply_to = asked.asked_in))
JOIN addressed AS note ON note.guild_id = $1 AND note.message_id = asked.asked_in
    AND note.intent IN ('question', 'knowledge')
JOIN chat_history AS question ON question.guild_id = $1 AND question.message_id = asked.asked_in
WHERE asked.guild_id = $1 AND asked.take_back_at IS NULL AND (
    asked.message_ids @> ARRAY[$2::bigint] OR asked.asked_in = (
        SELECT reply_to FROM chat_history WHERE guild_id = $1 AND message_id = $2 AND author_kind = 'self'))
LIMIT 1
"""

_GIVE = f"""
INSERT INTO verdicts AS known (guild_id, reply_id, user_id, asked_in, is_right, correction, given_at)
SELECT $1, reply_id, $3, asked_in, $5, $6, $7 FROM ({_ANSWER}) AS answer WHERE {_MAY_STAY}
ON CONFLICT (guild_id, reply_id, user_id) DO UPDATE SET
    is_right = excluded.is_right, given_at = excluded.given_at,
    correction = CASE WHEN excluded.correction <> '' OR excluded.is_right THEN excluded.correction
                      ELSE known.correction END
RETURNING true
"""  # noqa: S608 - made of constants

_WITHDRAW = f"""
DELETE FROM verdicts USING ({_ANSWER}) AS answer
WHERE guild_id = $1 AND verdicts.reply_id = answer.reply_id AND user_id = $3 AND is_right = $4
"""  # noqa: S608 - made of constants

_COUNTS = """
SELECT count(*) FILTER (WHERE is_right) AS right, count(*) FILTER (WHERE NOT is_right) AS wrong
FROM verdicts WHERE guild_id = $1 AND given_at >= $2
"""

_JUDGED = f"""
SELECT judged.guild_id, judged.reply_id, judged.asked_in, said.sent_at AS asked_at, said.text AS question, (
        SELECT string_agg(part.text, E'\\n' ORDER BY part.message_id) FROM chat_history AS part
        WHERE part.guild_id = $1 AND part.author_kind = 'self'
            AND (part.message_id = judged.reply_id OR part.message_id = ANY (asked.message_ids))) AS answer,
    count(*) FILTER (WHERE is_right) AS right, count(*) FILTER (WHERE NOT is_right) AS wrong,
    coalesce(array_agg(correction ORDER BY given_at) FILTER (WHERE correction <> ''), '{{}}') AS corrections
FROM verdicts AS judged
JOIN receipts AS asked ON asked.guild_id = $1 AND asked.asked_in = judged.asked_in AND asked.take_back_at IS NULL
JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = judged.asked_in AND {not_pending_removal("said")}
WHERE judged.guild_id = $1 AND judged.reply_id > $2
GROUP BY judged.guild_id, judged.reply_id, judged.asked_in, said.sent_at, said.text, asked.message_ids
ORDER BY judged.reply_id LIMIT $3
"""  # noqa: S608 - made of constants

_RESTED_ON = f"""
WITH asked AS (SELECT * FROM receipts WHERE guild_id = $1 AND asked_in = $2)
SELECT 'fact' AS kind, facts.text, fact_id = ANY (quoted_facts) AS is_quoted, valid_from AS at
FROM asked JOIN facts ON facts.guild_id = $1 AND fact_id = ANY (used_facts) WHERE NOT withheld
UNION ALL
SELECT 'message', said.text, said.message_id = ANY (quoted_messages), sent_at
FROM asked JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = ANY (used_messages)
WHERE author_kind <> 'self' AND {not_pending_removal("said")}
UNION ALL
SELECT 'summary of a channel', told.text, summary_id = ANY (quoted_summaries), told.made_at
FROM asked JOIN channel_summaries AS told ON told.guild_id = $1 AND summary_id = ANY (used_summaries)
UNION ALL
SELECT 'day', '', is_quoted, day.starts_at FROM asked, unnest(day_starts, day_quoted) AS day (starts_at, is_quoted)
ORDER BY is_quoted DESC, at
"""  # noqa: S608 - made of constants

_WITH_THE_ANSWER = Follows("chat_history", How.KEY)
TABLES = (
    TableDeclaration(
        table="verdicts",
        purpose="who said of which answer that it was right or wrong (👍, 👎, That was wrong), and what they wrote is"
        " right",
        until="they take it back, or the question or the answer goes",
        columns=columns(
            ids="guild_id reply_id asked_in",
            people="user_id",
            words="correction",
            times="given_at",
            states="is_right",
        ),
        message=_WITH_THE_ANSWER,
        member=Goes("user_id = {member} OR strpos(correction, '<@' || {member} || '>') > 0"),
        channel=_WITH_THE_ANSWER,
        guild=Goes(),
    ),
)
