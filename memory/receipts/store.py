"""Stores receipts of our replies: written before a reply goes out, and held against what became of its sources.

Whoever deletes, edits or forgets something owns the log or shares it, and so does whoever writes a receipt: either the
deletion finds the receipt, or the receipt finds that something is gone. Nothing falls between them.
"""

from collections.abc import Collection
from datetime import UTC, datetime

from memory.core.log_values import Kind
from memory.core.provenance import (
    DIGEST_BYTES,
    EVERYONES,
    Broken,
    DayKey,
    Explanation,
    KeptReceipt,
    ReplyReceipt,
    UsedDay,
    UsedFact,
    UsedMessage,
    UsedSummary,
)
from memory.core.values import ERASED
from memory.db.database import Connection, Database, Record
from memory.db.table_declarations import Changes, Erasing, Follows, Goes, How, TableDeclaration, TakenBack, columns
from memory.fact_rows import fact_of, readable
from memory.log.reading import message_of, not_pending_removal
from memory.log.store import shared_log_transaction
from memory.places.view import Audience
from memory.policy.rules import Verdict
from memory.policy.store import MAY_STAY, REFUSALS, any_of, said_no

# Questions of which nothing is kept: whoever asked may not be stored, or had it erased while it was being answered.
#
# An answer may stand all the same, since everyone sees on Discord what it answers; and it has to be taken back when
# something that it quotes goes. So it has a receipt, in which nobody asked, and is not in the log.


# As the question would come in now. An id tells its time.
_QUESTION = """
SELECT $2::bigint AS message_id, $3::bigint AS channel_id, $4::bigint AS author_id, 'person' AS author_kind,
       to_timestamp((($2::bigint >> 22) + 1420070400000) / 1000.0) AS sent_at,
       (SELECT parent_id FROM places WHERE places.guild_id = $1 AND places.channel_id = $3
        AND kind IN ('thread', 'private_thread')) AS parent_id, NULL::text AS speaker_key
"""
_MAY_BE_KEPT = f"SELECT EXISTS (SELECT 1 FROM ({_QUESTION}) AS arrived WHERE {MAY_STAY})"  # noqa: S608 - constants
_WITHDRAWALS = (*REFUSALS[Verdict.ERASED], said_no("arrived.author_id", " AND decided.decided_at > arrived.sent_at"))
_WITHDRAWN = f"SELECT EXISTS (SELECT 1 FROM ({_QUESTION}) AS arrived WHERE {any_of(_WITHDRAWALS)})"  # noqa: S608 - constants


async def is_withdrawn(connection: Connection, receipt: ReplyReceipt) -> bool:
    """Say whether the question was erased, or whoever asked it has opted out since: then its answer goes with it."""
    withdrawn: bool = await connection.fetchval(_WITHDRAWN, *_question(receipt))
    return withdrawn


async def asker_to_keep(connection: Connection, receipt: ReplyReceipt) -> int:
    """Name who asked, unless nothing of them may be kept."""
    may_be_kept: bool = await connection.fetchval(_MAY_BE_KEPT, *_question(receipt))
    return receipt.asker_id if may_be_kept else ERASED


def _question(receipt: ReplyReceipt) -> tuple[int, int, int, int]:
    return receipt.guild_id, receipt.asked_in, receipt.channel_id, receipt.asker_id


AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""From when on a reply is to be taken back, if that is now."""


class ReceiptStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, receipt: ReplyReceipt, *, is_unsaid: bool = False) -> Broken | None:
        """Store a receipt; say why the reply may not stand, if something that it quotes is not as it was read.

        Then it is to be taken back at once; or, if nothing of it has been said, it need not be, and nothing is written.
        A second receipt of one question takes the place of the first: what it was answered with has been replaced.
        """
        guild_id, asked_in = receipt.guild_id, receipt.asked_in
        async with shared_log_transaction(self._database, "store.receipts.put", guild_id) as connection:
            broken = await _broken_by(connection, receipt)
            if broken is None or not is_unsaid:
                await _write(connection, receipt)
            if broken is not None and not is_unsaid:
                await connection.execute("SELECT take_back($1, $2, $3)", guild_id, [asked_in], broken)
        return broken

    async def broken_source(self, receipt: ReplyReceipt) -> Broken | None:
        """Find a broken source of a reply that has no receipt, by nothing but what it quotes."""
        async with shared_log_transaction(
            self._database, "store.receipts.broken_source", receipt.guild_id
        ) as connection:
            return await _broken_source(connection, receipt)

    async def note_sent(self, receipt: ReplyReceipt, message_ids: Collection[int]) -> None:
        """Note in a receipt which messages its reply became.

        If it has gone meanwhile, or is to be taken back, then so are these: somebody was quicker than Discord.
        """
        async with shared_log_transaction(self._database, "store.receipts.note_sent", receipt.guild_id) as connection:
            await connection.execute(
                _NOTE_SENT,
                receipt.guild_id,
                receipt.asked_in,
                receipt.channel_id,
                await asker_to_keep(connection, receipt),
                receipt.made_at,
                receipt.language,
                sorted(message_ids),
                AT_ONCE,
            )
            await keep_out(connection, receipt.guild_id, receipt.asked_in)

    async def of_reply(self, guild_id: int, message_id: int, reply_to: int | None) -> KeptReceipt | None:
        """Find a reply by one of our messages, or by what that answers, where nobody noted which it became."""
        rows = await self._database.read("store.receipts.of_reply", _OF_REPLY, guild_id, message_id, reply_to)
        return _kept(rows[0]) if rows else None

    async def is_taken_back(self, guild_id: int, message_id: int) -> bool:
        """Say whether a message of ours had its words taken back: it stands on Discord, but no longer in the log."""
        rows = await self._database.read("store.receipts.is_taken_back", _IS_TOMBSTONED, guild_id, message_id)
        return bool(rows)

    async def standing(self, guild_id: int, message_ids: Collection[int]) -> dict[int, datetime | None]:
        """Find which messages can be opened, as far as the log knows, and when each was last edited."""
        if not message_ids:
            return {}
        rows = await self._database.read("store.receipts.standing", _STANDING, guild_id, list(message_ids))
        return {row["message_id"]: row["edited_at"] for row in rows}

    async def explained(self, audience: Audience, kept: KeptReceipt) -> Explanation:
        """Explain what was quoted first, then the rest, the newest first."""
        guild_id, sources = audience.guild_id, list(audience.sources)
        scopes, starts = [day.scope for day in kept.days], [day.starts_at for day in kept.days]
        quoted_facts, quoted_messages = list(kept.quoted_facts), list(kept.quoted_messages)
        async with self._database.transaction(
            "store.explaining", isolation="repeatable_read", readonly=True
        ) as connection:
            facts = await connection.fetch(
                _FACTS, guild_id, list(kept.facts), sources, quoted_facts, audience.viewer_id
            )
            days = await connection.fetch(
                _DAYS, guild_id, scopes, starts, sources, [day in kept.quoted_days for day in kept.days]
            )
            summaries = await connection.fetch(
                _SUMMARIES, guild_id, list(kept.summaries), sources, list(kept.quoted_summaries)
            )
            messages = await connection.fetch(_MESSAGES, guild_id, list(kept.messages), sources, quoted_messages)
        return Explanation(
            facts=tuple(map(_fact, facts)),
            days=tuple(UsedDay(**row) for row in days),
            messages=tuple(UsedMessage(message_of(row), row["is_quoted"]) for row in messages),
            summaries=tuple(UsedSummary(**row) for row in summaries),
        )


async def keep_out(connection: Connection, guild_id: int, asked_in: int) -> None:
    """Keep the messages of a reply that is to be taken back out of the log, behind its lock."""
    await connection.execute(_KEEP_OUT, guild_id, asked_in, AT_ONCE)


async def _write(connection: Connection, receipt: ReplyReceipt) -> None:
    used, quoted = receipt.evidence.used, receipt.evidence.quoted
    days = sorted({*used.days, *quoted.days})
    await connection.execute(
        _PUT,
        receipt.guild_id,
        receipt.asked_in,
        receipt.channel_id,
        await asker_to_keep(connection, receipt),
        receipt.made_at,
        receipt.language,
        sorted({*used.messages, *quoted.messages}),
        sorted(quoted.messages),
        sorted({*used.facts, *quoted.facts}),
        sorted(quoted.facts),
        [day.scope for day in days],
        [day.starts_at for day in days],
        [day in quoted.days for day in days],
        receipt.lapses_at,
        AT_ONCE,
        sorted(used.channels | quoted.channels),
        sorted(used.summaries | quoted.summaries),
        sorted(quoted.summaries),
    )


async def _broken_by(connection: Connection, receipt: ReplyReceipt) -> Broken | None:
    """Say why the reply may not stand, if it may not. Behind the lock of the log."""
    if await connection.fetchrow(_IS_TOMBSTONED, receipt.guild_id, receipt.asked_in) is not None:
        return Broken.QUESTION
    if await is_withdrawn(connection, receipt):
        return Broken.QUESTION
    return await _broken_source(connection, receipt)


async def _broken_source(connection: Connection, receipt: ReplyReceipt) -> Broken | None:
    guild_id, quoted = receipt.guild_id, receipt.evidence.quoted
    messages, facts, days = quoted.messages, quoted.facts, quoted.days
    if messages and await connection.fetchval(
        _CHANGED_MESSAGES, guild_id, list(messages), list(messages.values()), receipt.made_during_outage
    ):
        return Broken.SOURCE
    scopes, starts = [day.scope for day in days], [day.starts_at for day in days]
    if days and await connection.fetchval(_CHANGED_DAYS, guild_id, scopes, starts, list(days.values())):
        return Broken.SOURCE
    if quoted.summaries and await connection.fetchval(_GONE_SUMMARIES, guild_id, list(quoted.summaries)):
        return Broken.SOURCE
    may_go = receipt.lapses_at is not None or not facts
    if not may_go and await connection.fetchval(_CHANGED_FACTS, guild_id, list(facts), list(facts.values())):
        return Broken.FORGOTTEN
    return None


def _kept(row: Record) -> KeptReceipt:
    days = tuple(map(DayKey, row["day_scopes"], row["day_starts"]))
    return KeptReceipt(
        asked_in=row["asked_in"],
        message_ids=tuple(row["message_ids"]),
        is_taken_back=row["take_back_at"] == AT_ONCE,
        messages=tuple(row["used_messages"]),
        facts=tuple(row["used_facts"]),
        days=days,
        quoted_messages=frozenset(row["quoted_messages"]),
        quoted_facts=frozenset(row["quoted_facts"]),
        quoted_days=frozenset(day for day, is_quoted in zip(days, row["day_quoted"], strict=True) if is_quoted),
        summaries=tuple(row["used_summaries"]),
        quoted_summaries=frozenset(row["quoted_summaries"]),
    )


# A question that is gone stays gone, and so does what lost a source, until somebody has taken it back; only what was
# made anew meanwhile, from what is there now, may stand. What somebody has in hand (`reply_in_hand`) stands when it is
# sent, and not before: else the words that were to go would stay if Discord did not take the new ones.
# A reply of ours that it was made from may repeat what that was made from.
_PUT = """
INSERT INTO receipts AS known (guild_id, asked_in, channel_id, asker_id, made_at, language, used_messages,
    quoted_messages, used_facts, quoted_facts, day_scopes, day_starts, day_quoted, take_back_at, because,
    used_summaries, quoted_summaries, source_channels)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::timestamptz,
    CASE WHEN $14::timestamptz IS NOT NULL THEN 'lapsed' END, $17, $18,
    ARRAY(
        SELECT unnest($16::bigint[])
        UNION SELECT channel_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY ($7)
        UNION SELECT channel_id FROM events WHERE guild_id = $1 AND event_id = ANY ($7) AND channel_id IS NOT NULL
        UNION SELECT channel_id FROM facts WHERE guild_id = $1 AND fact_id = ANY ($9) AND NOT everywhere
        UNION SELECT unnest(source_channels) FROM days
              JOIN unnest($11::bigint[], $12::timestamptz[]) AS told (scope, starts_at) USING (scope, starts_at)
              WHERE guild_id = $1
        UNION SELECT channel_id FROM channel_summaries WHERE guild_id = $1 AND summary_id = ANY ($17)
        UNION SELECT unnest(source_channels) FROM receipts WHERE guild_id = $1 AND message_ids && $7
        EXCEPT SELECT $3
        ORDER BY 1))
ON CONFLICT (guild_id, asked_in) DO UPDATE SET made_at = excluded.made_at, language = excluded.language,
    used_messages = excluded.used_messages, quoted_messages = excluded.quoted_messages,
    used_facts = excluded.used_facts, quoted_facts = excluded.quoted_facts, day_scopes = excluded.day_scopes,
    day_starts = excluded.day_starts, day_quoted = excluded.day_quoted,
    used_summaries = excluded.used_summaries, quoted_summaries = excluded.quoted_summaries,
    source_channels = excluded.source_channels, tries = 0,
    take_back_at = CASE WHEN (known.because = 'question' AND known.take_back_at = $15)
                             OR (known.because = 'forgotten' AND known.take_back_at > $15) THEN known.take_back_at
                        ELSE excluded.take_back_at END,
    because = CASE WHEN (known.because = 'question' AND known.take_back_at = $15)
                        OR (known.because = 'forgotten' AND known.take_back_at > $15) THEN known.because
                   ELSE excluded.because END
"""

_NOTE_SENT = """
INSERT INTO receipts AS known (guild_id, asked_in, channel_id, asker_id, made_at, language, message_ids,
    take_back_at, because)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'source')
ON CONFLICT (guild_id, asked_in) DO UPDATE SET message_ids = (
    SELECT array_agg(DISTINCT id ORDER BY id) FROM unnest(known.message_ids || excluded.message_ids) AS id),
    take_back_at = CASE WHEN known.because = 'forgotten' AND known.take_back_at > $8 THEN NULL
                        ELSE known.take_back_at END,
    because = CASE WHEN known.because = 'forgotten' AND known.take_back_at > $8 THEN NULL ELSE known.because END
"""

# Their rows of the log go when they are marked; these were not known by then. And what answers somebody of whom nothing
# may be kept is never in it.
_KEEP_OUT = f"""
WITH taken AS (
    SELECT channel_id, message_ids FROM receipts
    WHERE guild_id = $1 AND asked_in = $2 AND (take_back_at = $3 OR asker_id = {ERASED})
), gone AS (
    DELETE FROM chat_history USING taken
    WHERE chat_history.guild_id = $1 AND author_kind = 'self' AND message_id = ANY (taken.message_ids)
)
INSERT INTO tombstones (guild_id, message_id, channel_id) SELECT $1, unnest(message_ids), channel_id FROM taken
ON CONFLICT DO NOTHING
"""  # noqa: S608 - made of constants

_OF_REPLY = """
SELECT * FROM receipts
WHERE guild_id = $1 AND (message_ids @> ARRAY[$2::bigint] OR asked_in = $3)
ORDER BY message_ids @> ARRAY[$2::bigint] DESC LIMIT 1
"""

_TELLABLE = not_pending_removal("said")

_IS_TOMBSTONED = "SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2"

_STANDING = f"""
SELECT message_id, edited_at FROM chat_history AS said
WHERE guild_id = $1 AND message_id = ANY ($2::bigint[])
  AND NOT EXISTS (SELECT 1 FROM tombstones t WHERE t.guild_id = $1 AND t.message_id = said.message_id)
  AND {_TELLABLE}
"""  # noqa: S608 - made of constants

# What is not in the log was deleted, or not let in, if it is no event; while it could not be written, it may not have
# come in yet.
_CHANGED_MESSAGES = f"""
SELECT EXISTS (
    SELECT 1 FROM unnest($2::bigint[], $3::timestamptz[]) AS seen (message_id, edited_at)
    LEFT JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = seen.message_id AND {_TELLABLE}
    LEFT JOIN events ON events.guild_id = $1 AND event_id = seen.message_id
    WHERE CASE WHEN said.message_id IS NOT NULL THEN said.edited_at IS DISTINCT FROM seen.edited_at
               WHEN event_id IS NOT NULL THEN false
               ELSE NOT $4 OR EXISTS (
                   SELECT 1 FROM tombstones t WHERE t.guild_id = $1 AND t.message_id = seen.message_id) END)
"""  # noqa: S608 - made of constants

_CHANGED_FACTS = f"""
SELECT EXISTS (
    SELECT 1 FROM unnest($2::bigint[], $3::bytea[]) AS seen (fact_id, digest)
    LEFT JOIN facts ON facts.guild_id = $1 AND facts.fact_id = seen.fact_id
    WHERE facts.fact_id IS NULL OR withheld OR (seen.digest <> '' AND seen.digest <> substring(sha256(convert_to(
        text || CASE WHEN everywhere THEN '{EVERYONES}' ELSE '' END, 'UTF8')) FOR {DIGEST_BYTES})))
"""  # noqa: S608 - made of constants

_GONE_SUMMARIES = """
SELECT cardinality($2::bigint[]) > count(*) FROM channel_summaries
WHERE guild_id = $1 AND summary_id = ANY ($2::bigint[])
"""

_CHANGED_DAYS = """
SELECT EXISTS (
    SELECT 1 FROM unnest($2::bigint[], $3::timestamptz[], $4::bigint[]) AS seen (scope, starts_at, changes)
    LEFT JOIN days ON days.guild_id = $1 AND days.scope = seen.scope AND days.starts_at = seen.starts_at
    WHERE days.changes IS DISTINCT FROM seen.changes)
"""


TABLES = (
    TableDeclaration(
        table="receipts",
        purpose="which messages, facts, days and channel summaries an answer was made from, and which of them it"
        " quotes, so that the bot can say why it said something, and take it back when they go; ids only. And who"
        " asked, unless they may not be stored",
        until="the question is deleted, the answer is taken back, or the server's retention of messages ends",
        columns=columns(
            ids="guild_id asked_in channel_id message_ids used_messages quoted_messages used_facts quoted_facts"
            " day_scopes used_summaries quoted_summaries source_channels",
            people="asker_id",
            times="made_at day_starts take_back_at",
            numbers="tries",
            states="language because day_quoted",
        ),
        message=Follows("chat_history", How.TRIGGER),
        member=TakenBack("asker_id = {member} AND asked_in <= {through}"),
        channel=TakenBack("channel_id = ANY({channels}) AND asked_in <= {through}"),
        guild=Goes(),
        counted=Kind.RECEIPTS,
        # Until the answer is taken back, which Discord may keep us from.
        unnamed=dict.fromkeys(
            (Erasing.MEMBER, Erasing.OPTING_OUT),
            Changes(f"asker_id = {ERASED}", "asker_id = {member} AND asked_in <= {through}"),
        ),
    ),
)


# What stands behind a receipt, read for one who asks why: what they may see of it, as it is now.


def _fact(row: Record) -> UsedFact:
    fact = fact_of(row)
    source = fact.source if row["can_be_opened"] else None
    return UsedFact(fact, row["is_quoted"], source)


# What is withheld its subject alone may see.
_FACTS = f"""
SELECT facts.*, fact_id = ANY ($4::bigint[]) AS is_quoted, channel_id = ANY ($3::bigint[]) AND EXISTS (
    SELECT 1 FROM chat_history AS said
    WHERE said.guild_id = facts.guild_id AND said.message_id = coalesce(source_message_id, facts.message_id)
      AND {_TELLABLE}) AS can_be_opened
FROM facts
WHERE guild_id = $1 AND fact_id = ANY ($2::bigint[]) AND {readable("$3::bigint[]")}
  AND (NOT withheld OR subject_id = $5)
ORDER BY is_quoted DESC, fact_id DESC
"""  # noqa: S608 - made of constants

_DAYS = """
SELECT starts_at, scope, is_quoted
FROM days JOIN unnest($2::bigint[], $3::timestamptz[], $5::boolean[]) AS used (scope, starts_at, is_quoted)
    USING (scope, starts_at)
WHERE guild_id = $1 AND source_channels <@ $4::bigint[]
ORDER BY is_quoted DESC, starts_at DESC
"""

_SUMMARIES = """
SELECT summary_id, channel_id, summary_id = ANY ($4::bigint[]) AS is_quoted FROM channel_summaries
WHERE guild_id = $1 AND summary_id = ANY ($2::bigint[]) AND channel_id = ANY ($3::bigint[])
ORDER BY is_quoted DESC, summary_id DESC
"""

_MESSAGES = f"""
SELECT *, message_id = ANY ($4::bigint[]) AS is_quoted FROM chat_history AS said
WHERE guild_id = $1 AND message_id = ANY ($2::bigint[]) AND channel_id = ANY ($3::bigint[]) AND author_kind <> 'self'
  AND {_TELLABLE}
ORDER BY is_quoted DESC, message_id DESC
"""  # noqa: S608 - made of constants
