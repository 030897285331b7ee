"""Stores the summaries of channels, and reads what of the talk no summary covers. Whoever reads a text says for whom.

What a text was made from is compared when it is written: whatever changed while a model was thinking has another
number, or is not there any more, and then the text is not kept. What changes later takes the row along.
"""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.audit import Deed, note
from memory.channels.values import ChannelSummary, OpenTalk, Policy, Span, SummaryRules, is_due, turns_in
from memory.core.log_values import Kind
from memory.core.outcomes import Correction
from memory.core.values import Member, Message, last_id_of, linking
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Follows, Goes, How, TableDeclaration, columns
from memory.leases import Lease
from memory.log.reading import message_of, not_pending_removal, said_by_people
from memory.log.store import shared_log_transaction
from memory.people.names import mentioned_ids, unnamed_in
from memory.people.store import members_spoken_of, unnamed_members
from memory.places.view import Audience
from memory.settings import tokens
from memory.summaries.make_store import to_be_told_of

MOST_READ = 200
"""Messages that a text is made from; of more, the newest."""
LONGEST_COUNTED = 500
"""Uncovered messages are counted up to here: any rule is met by then."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Holds messages that a text is to be made from, and by what it is seen that they are still the same."""

    span: Span
    messages: tuple[Message, ...]
    """The newest of the span, in the order in which they were said."""
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Holds what there is of a channel: its summaries, the highest level first, and what they do not cover."""

    summaries: tuple[ChannelSummary, ...]
    open_talk: OpenTalk

    def is_due(self, rules: SummaryRules) -> bool:
        return is_due(rules, sum(one.span.messages for one in self.summaries), self.open_talk)


class ChannelSummaryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def standing(self, audience: Audience, channel_id: int, policy: Policy) -> Standing:
        """Read what the audience may be told of a channel by this policy, and how much of it is open, as far as a rule
        may ask for it."""
        summaries = await self.told(audience, channel_id, policy)
        rows = await self._database.read(
            "store.channels.open_talk",
            _OPEN,
            audience.guild_id,
            list({channel_id} & audience.sources),
            policy,
            LONGEST_COUNTED,
        )
        turns = turns_in(row["author_id"] for row in rows)
        return Standing(tuple(summaries), OpenTalk(len(rows), sum(tokens(row["text"]) for row in rows), turns))

    async def told(self, audience: Audience, channel_id: int, *policies: Policy) -> list[ChannelSummary]:
        """Read the active summaries for those who may read the channel, nothing for others; highest level first."""
        rows = await self._database.read(
            "store.channels.told", _TOLD, audience.guild_id, list({channel_id} & audience.sources), policies
        )
        return sorted(map(summary_of, rows), key=lambda one: (-one.level, one.span.first_id))

    async def by_id(self, audience: Audience, summary_id: int) -> ChannelSummary | None:
        """Read a summary by its id; None also for whoever may not read its channel."""
        rows = await self._database.read(
            "store.channels.by_id", _BY_ID, audience.guild_id, list(audience.sources), summary_id
        )
        return summary_of(rows[0]) if rows else None

    async def fell_silent(self, guild_id: int, since: datetime, until: datetime) -> list[int]:
        """List the channels whose last words were said between the two moments, the latest first."""
        rows = await self._database.read(
            "store.channels.fell_silent", _FELL_SILENT, guild_id, last_id_of(since), last_id_of(until)
        )
        return [row["channel_id"] for row in rows]

    async def census(self, audience: Audience, channel_id: int) -> list[Record]:
        """Count who said how much there, from when to when; whoever said most comes first."""
        return await self._database.read(
            "store.channels.census", _CENSUS, audience.guild_id, list({channel_id} & audience.sources)
        )

    async def uncovered(self, guild_id: int, channel_id: int, policy: Policy, leaving: int) -> Talk | None:
        """Read what is not covered but for so many at the end; None where that is nothing.

        A summary in whose midst something came late is given up first: no message is covered twice.
        """
        async with shared_log_transaction(self._database, "store.channels.uncovered", guild_id) as connection:
            if policy is Policy.LEVELS:
                await connection.execute(_GIVE_UP_LATE, guild_id, channel_id)
            rows = await connection.fetch(_UNCOVERED, guild_id, channel_id, policy, leaving, MOST_READ)
            return await _talk(connection, guild_id, channel_id, rows)

    async def span_of(self, guild_id: int, channel_id: int, merged: Sequence[ChannelSummary]) -> Talk | None:
        """Read what several summaries cover together, without its messages: one of them is to be made of their texts.

        None while messages between them are in no summary, since the one between fell: they would be lost in the new.
        """
        first, last = min(one.span.first_id for one in merged), max(one.span.last_id for one in merged)
        messages, seq = sum(one.span.messages for one in merged), max(one.span.seen_seq for one in merged)
        span = Span(first, last, messages, seq)
        async with shared_log_transaction(self._database, "store.channels.span_of", guild_id) as connection:
            if await connection.fetchval(_HAS_GAP, guild_id, channel_id, Policy.LEVELS, first, last):
                return None
            return Talk(span, (), await _fingerprint(connection, guild_id, channel_id, span))

    async def people(self, guild_id: int, authors: Set[int], mentioned: Set[int], first_id: int) -> list[Member]:
        """List those who said something from that message on, and of those they mention whoever may be told of."""
        async with self._database.transaction("store.channels.people", readonly=True) as connection:
            return await to_be_told_of(connection, guild_id, authors, mentioned, first_id)

    async def put(
        self, claim: Lease, made: ChannelSummary, version: int, talk: Talk, before: Sequence[ChannelSummary] = ()
    ) -> int | None:
        """Keep a summary that has no number yet, and say which it has; None if something it was made from has changed,
        or another has the claim by now.

        `before` are the summaries it goes on from; one of a higher level takes their place.
        """
        async with shared_log_transaction(self._database, "store.channels.put", claim.guild_id) as connection:
            span = talk.span
            now = await _fingerprint(connection, claim.guild_id, made.channel_id, span)
            if now != talk.fingerprint or not await _holds(connection, claim, before):
                return None
            summary_id: int = await connection.fetchval(
                _RENEW if made.policy is not Policy.LEVELS else _ADD,
                claim.guild_id,
                made.channel_id,
                made.policy,
                made.level,
                made.span.first_id,
                made.span.last_id,
                made.span.messages,
                made.span.seen_seq,
                sorted(made.people),
                list(made.cites),
                made.text,
                version,
                made.model,
                made.quality,
                made.made_at,
            )
            await connection.execute(
                "UPDATE channel_summaries SET parent_id = $2 WHERE guild_id = $1 AND summary_id = ANY ($3::bigint[])",
                claim.guild_id,
                summary_id,
                [one.summary_id for one in before] if made.level > 1 else [],
            )
        return summary_id

    async def correct(self, audience: Audience, summary_id: int, text: str, by: int, at: datetime) -> Correction:
        """Correct a summary by hand, which is noted. What it covers and cites stays as it was; from now on it is also
        about those who are named in it."""
        guild_id, mentioned = audience.guild_id, mentioned_ids(text)
        async with self._database.transaction("store.channels.correct") as connection:
            members = await members_spoken_of(connection, guild_id, text)
            if unnamed_in(text, members, await unnamed_members(connection, guild_id)) is not None:
                return Correction.NAMES_WHO_OPTED_OUT
            channel_id = await connection.fetchval(
                """
                UPDATE channel_summaries SET text = $4, corrected_by = $5, quality = NULL,
                    people = ARRAY(SELECT unnest(people) UNION SELECT unnest($6::bigint[]) ORDER BY 1)
                WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND summary_id = $3 RETURNING channel_id
                """,
                guild_id,
                list(audience.sources),
                summary_id,
                text,
                by,
                [by, *mentioned],
            )
            if channel_id is None:
                return Correction.GONE
            deed, noted_as = Deed.CORRECTED_SUMMARY, UUID(int=summary_id)
            await note(connection, guild_id, by, deed, at, channel_id=channel_id, items=1, audit_id=noted_as)
        return Correction.DONE

    async def lost_correction(self, reader: Audience, channel_id: int, since: datetime) -> datetime | None:
        """Find when the reader last put a summary of the channel right, if that summary has gone since then."""
        rows = await self._database.read(
            "store.channels.lost_correction",
            """
            SELECT at, audit_id FROM audit
            WHERE guild_id = $1 AND actor_id = $2 AND action = $3 AND channel_id = $4 AND at > $5
            ORDER BY at DESC LIMIT 1
            """,
            reader.guild_id,
            reader.viewer_id,
            Deed.CORRECTED_SUMMARY,
            channel_id,
            since,
        )
        stands = bool(rows) and await self.by_id(reader, rows[0]["audit_id"].int) is not None
        return None if stands or not rows else rows[0]["at"]

    async def newest(self, audience: Audience, channel_id: int, limit: int, before: int = 2**63 - 1) -> list[Message]:
        """Read what was last talked about there, in the order in which it was said."""
        rows = await self._database.read(
            "store.channels.newest", _NEWEST, audience.guild_id, list({channel_id} & audience.sources), limit, before
        )
        return [message_of(row) for row in reversed(rows)]

    async def said_to_us(self, audience: Audience, channel_id: int, after: int) -> list[tuple[int, datetime]]:
        """List who said something to us there behind that message, and when, in order."""
        rows = await self._database.read(
            "store.channels.said_to_us", _SAID_TO_US, audience.guild_id, list({channel_id} & audience.sources), after
        )
        return [(row["author_id"], row["sent_at"]) for row in rows]

    async def cited(self, audience: Audience, message_ids: Collection[int]) -> list[Message]:
        """Read what a text cites, as it stands in the log now."""
        rows = await self._database.read(
            "store.channels.cited", _CITED, audience.guild_id, list(audience.sources), list(message_ids)
        )
        return [message_of(row) for row in rows]


async def _talk(connection: Connection, guild_id: int, channel_id: int, rows: Sequence[Record]) -> Talk | None:
    """Make the talk of rows that say how many there are in all, the newest first."""
    if not rows:
        return None
    seq: int = await connection.fetchval("SELECT coalesce(max(seq), 0) FROM chat_history WHERE guild_id = $1", guild_id)
    span = Span(rows[0]["first_id"], rows[0]["message_id"], rows[0]["in_all"], seq)
    fingerprint = await _fingerprint(connection, guild_id, channel_id, span)
    said = [message_of(row) for row in reversed(rows)]
    return Talk(span, tuple(linking(said, said)), fingerprint)


async def _fingerprint(connection: Connection, guild_id: int, channel_id: int, span: Span) -> str:
    """Digest the messages of a span: it changes with whatever of the span is edited, goes or comes."""
    found: str = await connection.fetchval(_FINGERPRINT, guild_id, channel_id, span.first_id, span.last_id)
    return found


async def _holds(connection: Connection, claim: Lease, before: Sequence[ChannelSummary]) -> bool:
    """Say whether the claim is still ours, and the texts it goes on from are there, and say what they said."""
    ids, texts = [one.summary_id for one in before], [one.text for one in before]
    held: bool = await connection.fetchval(_HOLDS, claim.guild_id, claim.what, claim.claimed_by, ids, texts)
    return held


async def forget_expired(connection: Connection, guild_id: int, now: datetime) -> None:
    """Delete, within the caller's transaction, summaries of what is older than the guild keeps summaries."""
    rows = await connection.fetch(
        """
        SELECT summary_id FROM channel_summaries JOIN guilds USING (guild_id)
        WHERE guild_id = $1 AND time_of(last_id) < $2::timestamptz - make_interval(days => summary_days)
        """,
        guild_id,
        now,
    )
    expired = [row["summary_id"] for row in rows]
    # What was answered from them may stand: nothing of it was taken back.
    await connection.execute(
        """
        UPDATE receipts SET quoted_summaries = ARRAY(SELECT unnest(quoted_summaries) EXCEPT SELECT unnest($2::bigint[]))
        WHERE guild_id = $1 AND quoted_summaries && $2::bigint[]
        """,
        guild_id,
        expired,
    )
    await connection.execute(
        "DELETE FROM channel_summaries WHERE guild_id = $1 AND summary_id = ANY ($2::bigint[])", guild_id, expired
    )


def summary_of(row: Record) -> ChannelSummary:
    return ChannelSummary(
        row["summary_id"],
        row["channel_id"],
        Policy(row["policy"]),
        row["level"],
        Span(row["first_id"], row["last_id"], row["messages"], row["seen_seq"]),
        frozenset(row["people"]),
        tuple(row["cites"]),
        row["text"],
        row["model"],
        row["made_at"],
        row["quality"],
        row["corrected_by"],
    )


_TALK = f"""
{said_by_people("said")}
AND NOT EXISTS (SELECT 1 FROM addressed a WHERE a.guild_id = said.guild_id AND a.message_id = said.message_id)
AND {not_pending_removal("said")}
"""  # noqa: S608 - made of constants

# Not covered: later than all that is, or come into the midst of it since.
_UNSUMMED = """
NOT EXISTS (
    SELECT 1 FROM channel_summaries AS told
    WHERE told.guild_id = $1 AND told.channel_id = said.channel_id AND told.policy = $3 AND told.parent_id IS NULL
      AND told.last_id >= said.message_id AND told.first_id <= said.message_id AND told.seen_seq >= said.seq)
"""

_TOLD = """
SELECT * FROM channel_summaries
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND policy = ANY ($3::text[]) AND parent_id IS NULL
ORDER BY first_id
"""

_BY_ID = """
SELECT * FROM channel_summaries
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND summary_id = $3
"""

_FELL_SILENT = f"""
SELECT channel_id FROM chat_history AS said WHERE guild_id = $1 AND message_id > $2 AND {_TALK}
GROUP BY channel_id HAVING max(message_id) <= $3 ORDER BY max(message_id) DESC
"""  # noqa: S608 - made of constants

_CENSUS = f"""
SELECT author_id, count(*) AS messages, min(sent_at) AS first_at, max(sent_at) AS last_at FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND {_TALK} GROUP BY author_id ORDER BY messages DESC, author_id
"""  # noqa: S608 - made of constants

_OPEN = f"""
SELECT author_id, text FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND {_TALK} AND {_UNSUMMED} ORDER BY message_id DESC LIMIT $4
"""  # noqa: S608 - made of constants

# Of levels the oldest that stand together: behind them may be what another summary covers.
_UNCOVERED = f"""
WITH everywhere AS MATERIALIZED (
    SELECT message_id FROM chat_history AS said
    WHERE guild_id = $1 AND channel_id = $2 AND {_TALK} AND {_UNSUMMED}
    ORDER BY message_id DESC OFFSET $4
), unsummed AS MATERIALIZED (
    SELECT message_id FROM everywhere WHERE $3 <> 'levels' OR message_id < coalesce((
        SELECT min(first_id) FROM channel_summaries
        WHERE guild_id = $1 AND channel_id = $2 AND policy = $3 AND parent_id IS NULL
          AND first_id > (SELECT min(message_id) FROM everywhere)), 9223372036854775807)
)
SELECT said.*, (SELECT min(message_id) FROM unsummed) AS first_id, (SELECT count(*) FROM unsummed) AS in_all
FROM chat_history AS said
WHERE said.guild_id = $1
  AND said.message_id = ANY (ARRAY(SELECT message_id FROM unsummed ORDER BY message_id DESC LIMIT $5))
ORDER BY said.message_id DESC
"""  # noqa: S608 - made of constants

_GIVE_UP_LATE = f"""
DELETE FROM channel_summaries AS told
WHERE told.guild_id = $1 AND told.channel_id = $2 AND told.policy = 'levels' AND EXISTS (
    SELECT 1 FROM chat_history AS said
    WHERE said.guild_id = $1 AND said.channel_id = $2 AND said.message_id BETWEEN told.first_id AND told.last_id
      AND said.seq > told.seen_seq AND {_TALK})
"""  # noqa: S608 - made of constants

_HAS_GAP = f"""
SELECT EXISTS (
    SELECT 1 FROM chat_history AS said
    WHERE said.guild_id = $1 AND said.channel_id = $2 AND said.message_id BETWEEN $4 AND $5
      AND {_TALK} AND {_UNSUMMED})
"""  # noqa: S608 - made of constants

_FINGERPRINT = f"""
SELECT concat_ws(' ', count(*), sum(said.seq), max(said.seq)) FROM chat_history AS said
WHERE said.guild_id = $1 AND said.channel_id = $2 AND said.message_id BETWEEN $3 AND $4 AND {_TALK}
"""  # noqa: S608 - made of constants

_HOLDS = """
SELECT EXISTS (SELECT 1 FROM claims WHERE guild_id = $1 AND what = $2 AND claimed_by = $3)
   AND (SELECT count(*) FROM channel_summaries
        JOIN unnest($4::bigint[], $5::text[]) AS read (summary_id, text) USING (summary_id, text)
        WHERE guild_id = $1 AND parent_id IS NULL) = cardinality($4::bigint[])
"""

_COLUMNS = """
guild_id, channel_id, policy, level, first_id, last_id, messages, seen_seq, people, cites, text, version, model,
quality, made_at
"""

_ADD = f"""
INSERT INTO channel_summaries ({_COLUMNS})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING summary_id
"""  # noqa: S608 - made of constants

# In its row: what rests on the one before it rests on this one now.
_RENEW = f"""
WITH renewed AS (
    UPDATE channel_summaries SET first_id = $5, last_id = $6, messages = $7, seen_seq = $8, people = $9, cites = $10,
        text = $11, version = $12, model = $13, quality = $14, corrected_by = NULL, made_at = $15
    WHERE guild_id = $1 AND channel_id = $2 AND policy = $3 RETURNING summary_id
), added AS (
    INSERT INTO channel_summaries ({_COLUMNS})
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
    WHERE NOT EXISTS (SELECT 1 FROM renewed) RETURNING summary_id
)
SELECT summary_id FROM renewed UNION ALL SELECT summary_id FROM added
"""  # noqa: S608 - made of constants

_NEWEST = f"""
SELECT * FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id < $4 AND {_TALK}
ORDER BY message_id DESC LIMIT $3
"""  # noqa: S608 - made of constants

_SAID_TO_US = f"""
SELECT author_id, sent_at FROM chat_history AS said JOIN addressed USING (guild_id, channel_id, message_id)
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id > $3 AND {not_pending_removal("said")}
ORDER BY message_id
"""  # noqa: S608 - made of constants

_CITED = f"""
SELECT * FROM chat_history AS said
WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id = ANY ($3::bigint[])
  AND {not_pending_removal("said")}
ORDER BY message_id
"""  # noqa: S608 - made of constants


TABLES = (
    TableDeclaration(
        table="channel_summaries",
        purpose="what was talked about in a channel, in one text by a model or quoted, without sensitive topics, and"
        " which messages it rests on; of a private channel only if somebody asked the bot in there",
        until="what it covers is edited, deleted, excluded or erased: then it goes in the same moment, and is made anew"
        " from the rest",
        columns=columns(
            ids="guild_id summary_id channel_id parent_id first_id last_id cites",
            people="people corrected_by",
            words="text",
            times="made_at",
            numbers="level messages seen_seq version quality",
            states="policy model",
        ),
        message=Follows("chat_history", How.TRIGGER),
        member=Goes("{member} = ANY (people)"),
        channel=Goes("channel_id = ANY ({channels}) AND first_id <= {through}"),
        guild=Goes(),
        counted=Kind.SUMMARIES,
    ),
)
