"""Reads what was asked here just before, and what we answered: so that "and who is not coming?" is understood."""

import re
from dataclasses import dataclass
from datetime import timedelta

from memory.core.provenance import DayKey, Read
from memory.core.values import Intent, Question, last_id_of
from memory.db.database import Database
from memory.log.reading import STARTS_AFTER, not_pending_removal
from memory.places.view import Audience
from memory.policy.settings import AnswerRules

_ADDRESS = re.compile(r"^\s*<@[!&]?\d+>[\s,:]*")
_SMALL_PRINT = re.compile(r"^-# [^\n]*\n?", re.MULTILINE)
_LINK = re.compile(r"\s?\[(\d{1,3}|↪)\]\(<?https?://[^\s()]*\)|<?https?://[^\s<>()]*>?")
"""Of a source: its number is nothing without it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Holds a question and our answer to it, as they stand in the channel now."""

    asker_id: int
    asked: str
    answered: str
    quoted: Read
    """What the answer goes back to: whoever repeats it repeats that."""
    is_replied_to: bool = False
    """The question that is asked now replies to this answer."""


class ExchangeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, question: Question, audience: Audience, rules: AnswerRules) -> list[Exchange]:
        """Read the last exchanges in this place, as many of the asker's session, and the one replied to, however old;
        the oldest first, as far as everyone here may hear them now.

        An answer that is to be taken back, or goes back to a channel which somebody here cannot read, is left out; so
        is one of which nobody knows (yet) what it goes back to.
        """
        if audience.place_id not in audience.sources:
            return []
        idle = timedelta(minutes=rules.session_minutes)
        rows = await self._database.read(
            "store.answers.exchanges",
            _EXCHANGES,
            question.guild_id,
            audience.place_id,
            question.message_id,
            last_id_of(question.asked_at - idle * rules.exchanges),
            list(audience.sources),
            [Intent.QUESTION, Intent.KNOWLEDGE],
            question.asker_id,
            rules.exchanges,
            None if question.about is None else question.about.message_id,
        )
        session: list[Exchange] = []
        later = dict.fromkeys((True, False), question.asked_at)
        for row in rows:
            is_own = row["author_id"] == question.asker_id
            if not row["is_replied_to"]:
                if later[is_own] - row["sent_at"] > idle:
                    continue
                later[is_own] = row["sent_at"]
            days = map(DayKey, row["day_scopes"], row["day_starts"])
            quoted = Read(
                messages=dict(zip(row["quoted_messages"], row["edited"], strict=True)),
                facts=dict.fromkeys(row["quoted_facts"], b""),
                days=dict(zip(days, row["day_changes"], strict=True)),
                summaries=frozenset(row["quoted_summaries"]),
                channels=frozenset(row["source_channels"]),
            )
            asked, answered = _ADDRESS.sub("", row["asked"]), _LINK.sub("", _SMALL_PRINT.sub("", row["answered"]))
            session.append(Exchange(row["author_id"], asked, answered, quoted, row["is_replied_to"]))
        return session[::-1]


def _exchanges(which: str) -> str:
    return f"""
    SELECT said.message_id, said.author_id, said.sent_at, said.text AS asked, answered, quoted_messages,
        quoted_facts, quoted_summaries, source_channels, day_scopes, day_starts, day_quoted,
        coalesce($9 = ANY (our_ids), false) AS is_replied_to
    FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
    JOIN receipts ON receipts.guild_id = $1 AND receipts.asked_in = said.message_id
    CROSS JOIN LATERAL (
        SELECT string_agg(reply.text, E'\\n' ORDER BY reply.message_id) AS answered,
            array_agg(reply.message_id) AS our_ids
        FROM chat_history AS reply
        WHERE reply.guild_id = $1 AND reply.reply_to = said.message_id AND reply.author_kind = 'self') AS ours
    WHERE addressed.guild_id = $1 AND addressed.message_id < $3 AND said.channel_id = $2 AND {which}
        AND addressed.message_id > greatest(0, {STARTS_AFTER})
        AND addressed.intent = ANY ($6) AND answered IS NOT NULL
        AND receipts.take_back_at IS NULL AND receipts.source_channels <@ $5
        AND {not_pending_removal("said")}
    ORDER BY message_id DESC LIMIT $8
    """  # noqa: S608 - made of constants


_REPLIED_TO = """
said.message_id = (SELECT reply_to FROM chat_history WHERE guild_id = $1 AND message_id = $9 AND author_kind = 'self')
"""

# What an answer quotes is looked up of those alone that are chosen.
_EXCHANGES = f"""
SELECT message_id, author_id, sent_at, asked, answered, quoted_facts, quoted_summaries, source_channels, is_replied_to,
    coalesce(read.ids, '{{}}') AS quoted_messages, coalesce(read.edited, '{{}}') AS edited,
    coalesce(told.scopes, '{{}}') AS day_scopes, coalesce(told.starts, '{{}}') AS day_starts,
    coalesce(told.changes, '{{}}') AS day_changes
FROM (
    ({_exchanges("addressed.message_id > $4")})
    UNION ({_exchanges("addressed.message_id > $4 AND said.author_id = $7")})
    UNION ({_exchanges(_REPLIED_TO)})
) AS exchange CROSS JOIN LATERAL (
    SELECT array_agg(source.message_id) AS ids, array_agg(source.edited_at) AS edited FROM chat_history AS source
    WHERE source.guild_id = $1 AND source.message_id = ANY (exchange.quoted_messages)) AS read
CROSS JOIN LATERAL (
    SELECT array_agg(scope) AS scopes, array_agg(starts_at) AS starts, array_agg(changes) AS changes
    FROM unnest(exchange.day_scopes, exchange.day_starts, exchange.day_quoted) AS day (scope, starts_at, is_quoted)
    JOIN days USING (scope, starts_at) WHERE days.guild_id = $1 AND is_quoted) AS told
ORDER BY message_id DESC
"""  # noqa: S608 - made of constants
