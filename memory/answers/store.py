"""What was asked here just before, and what we answered: so that "and who is not coming?" is understood."""

import re
from dataclasses import dataclass
from datetime import timedelta

from memory.core.provenance import Read
from memory.core.values import Intent, Question, last_id_of
from memory.db.database import Database
from memory.log.reading import STARTS_AFTER, tellable
from memory.places.view import Audience
from memory.policy.settings import AnswerRules

_ADDRESS = re.compile(r"^\s*<@[!&]?\d+>[\s,:]*")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and our answer to it, as they stand in the channel now."""

    message_id: int
    asker_id: int
    asked: str
    answered: str
    quoted: Read
    """What the answer goes back to: whoever repeats it repeats that."""


class ExchangeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, question: Question, audience: Audience, rules: AnswerRules) -> list[Exchange]:
        """The last exchanges in this place and as many of the asker's session, the oldest first, as far as everyone
        here may hear them now.

        An answer that is to be taken back, that goes back to a channel which somebody here cannot read, or to a day,
        which may change at any time, is left out.
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
        )
        session: list[Exchange] = []
        later = dict.fromkeys((True, False), question.asked_at)
        for row in rows:
            is_own = row["author_id"] == question.asker_id
            if later[is_own] - row["sent_at"] > idle:
                continue
            later[is_own] = row["sent_at"]
            quoted = Read(
                messages=dict(zip(row["quoted_messages"], row["edited"], strict=True)),
                facts=dict.fromkeys(row["quoted_facts"], b""),
                summaries=frozenset(row["quoted_summaries"]),
                channels=frozenset(row["source_channels"]),
            )
            session.append(
                Exchange(row["message_id"], row["author_id"], _ADDRESS.sub("", row["asked"]), row["answered"], quoted)
            )
        return session[::-1]


def _exchanges(whose: str) -> str:
    return f"""
    SELECT said.message_id, said.author_id, said.sent_at, said.text AS asked, answered, quoted_messages,
        coalesce(quoted_facts, '{{}}') AS quoted_facts, coalesce(quoted_summaries, '{{}}') AS quoted_summaries,
        coalesce(source_channels, '{{}}') AS source_channels
    FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
    LEFT JOIN receipts ON receipts.guild_id = $1 AND receipts.asked_in = said.message_id
    CROSS JOIN LATERAL (
        SELECT string_agg(reply.text, E'\\n' ORDER BY reply.message_id) AS answered FROM chat_history AS reply
        WHERE reply.guild_id = $1 AND reply.reply_to = said.message_id AND reply.author_kind = 'self') AS ours
    WHERE addressed.guild_id = $1 AND addressed.message_id > greatest($4, {STARTS_AFTER})
        AND addressed.message_id < $3 AND said.channel_id = $2 {whose}
        AND addressed.intent = ANY ($6) AND answered IS NOT NULL
        AND receipts.take_back_at IS NULL AND coalesce(receipts.source_channels, '{{}}') <@ $5
        AND NOT coalesce(true = ANY (receipts.day_quoted), false) AND {tellable("said")}
    ORDER BY message_id DESC LIMIT $8
    """  # noqa: S608 - made of constants


# What an answer quotes is looked up of those alone that are chosen.
_EXCHANGES = f"""
SELECT message_id, author_id, sent_at, asked, answered, quoted_facts, quoted_summaries, source_channels,
    coalesce(read.ids, '{{}}') AS quoted_messages, coalesce(read.edited, '{{}}') AS edited
FROM (({_exchanges("")}) UNION ({_exchanges("AND said.author_id = $7")})) AS exchange CROSS JOIN LATERAL (
    SELECT array_agg(source.message_id) AS ids, array_agg(source.edited_at) AS edited FROM chat_history AS source
    WHERE source.guild_id = $1 AND source.message_id = ANY (exchange.quoted_messages)) AS read
ORDER BY message_id DESC
"""  # noqa: S608 - made of constants
