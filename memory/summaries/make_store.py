"""Makes the texts of a day: reads what it is told from, and writes what was told, if all of that still holds."""

import secrets
from collections.abc import Collection, Set
from datetime import date, datetime

from memory.audit import Deed, note
from memory.core.outcomes import Correction
from memory.core.values import Member, linking
from memory.db.database import Connection, Database
from memory.fact_rows import CURRENT, readable
from memory.leases import Lease
from memory.log.store import log_transaction, shared_log_transaction
from memory.people.names import mentioned_ids, names_in, unnamed_in
from memory.people.store import members_spoken_of, unnamed_members
from memory.places.view import Audience
from memory.policy.store import any_of, not_to_be_kept
from memory.summaries.calendar import CalendarDay
from memory.summaries.happenings import EntryKind
from memory.summaries.store import Begun, DayInput, MadeDay, ToldDay, ToldName, correction_id, said_on

FIRST_CHANGE_BITS = 60
MOST_TOLD_NAMES = 2
"""Of one member: what they are called by their account stands beside them."""


class DayMakingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self,
        guild_id: int,
        scope: int,
        channels: Collection[int],
        day: CalendarDay,
        now: datetime,
        *,
        mended_on: date | None = None,
    ) -> Begun:
        """Read what a day is to be told from. It is on record before a model is asked: whatever of it changes counts.

        The log stands still meanwhile, else something might change between being read and being on record.
        """
        async with shared_log_transaction(self._database, "store.days.begin", guild_id) as connection:
            source = await _input(connection, guild_id, channels, day)
            # Days that were not over when the guild moved to another zone.
            await connection.execute(
                """
                DELETE FROM days WHERE guild_id = $1 AND scope = $2 AND NOT is_final
                  AND starts_at < $4 AND ends_at > $3 AND starts_at <> $3
                """,
                guild_id,
                scope,
                day.starts_at,
                day.ends_at,
            )
            changes: int = await connection.fetchval(
                _BEGIN,
                guild_id,
                scope,
                day.starts_at,
                day.ends_at,
                day.date,
                sorted(source.channels),
                sorted(source.people),
                len(source.messages),
                source.seq,
                now,
                mended_on,
                sorted(source.fact_ids),
                secrets.randbits(FIRST_CHANGE_BITS),
            )
        return Begun(source, changes)

    async def finish(self, claim: Lease, scope: int, day: CalendarDay, begun: Begun, made: MadeDay) -> bool:
        """Write a day; say whether it was kept: not if a source of it has changed, or another has the claim by now."""
        source, key = begun.source, (claim.guild_id, scope, day.starts_at)
        async with self._database.transaction("store.days.finish") as connection:
            # What somebody corrected stands, unless it may say what was read where this was not made from.
            corrected = await connection.fetch(_CORRECTED, *key, sorted(source.channels))
            named = [await _named_in(connection, claim.guild_id, row["text"], row["corrected_by"]) for row in corrected]
            standing = {row["user_id"] for row in corrected}
            kept = await connection.fetchval(
                _FINISH,
                claim.guild_id,
                scope,
                day.starts_at,
                made.is_final,
                sorted(source.channels),
                sorted(source.people.union(*named)),
                len(source.messages),
                source.seq,
                begun.changes,
                made.version,
                made.model,
                made.made_at,
                made.tries,
                made.retry_at,
                claim.what,
                claim.claimed_by,
                sorted(source.fact_ids),
                made.left_out,
            )
            if kept is None:
                return False
            await connection.execute(_CLEAR, *key, list(standing))
            texts = {user_id: text for user_id, text in made.texts.items() if user_id not in standing}
            entries: list[tuple[EntryKind, int | None, str, tuple[int, ...]]]
            entries = [(EntryKind.MEMBER, user_id, text, ()) for user_id, text in texts.items()]
            entries += [(one.kind, None, one.text, one.cites) for one in made.happenings]
            last = await connection.fetchval(_LAST_POSITION, *key)
            await connection.executemany(
                _ENTER, [(*key, last + number, *entry) for number, entry in enumerate(entries, start=1)]
            )
        return True

    async def correct(self, audience: Audience, told: ToldDay, text: str, by: int, at: datetime) -> Correction:
        """Correct a day by hand, if it still says what it said to whoever does it. From now on the day is also about
        those who are named in it, and what was made or answered from it before does not hold."""
        guild_id, key = audience.guild_id, (audience.guild_id, told.scope, told.day.starts_at)
        async with log_transaction(self._database, "store.days.correct", guild_id) as connection:
            named = await members_spoken_of(connection, guild_id, text)
            if unnamed_in(text, named, await unnamed_members(connection, guild_id)) is not None:
                return Correction.NAMES_WHO_OPTED_OUT
            if await connection.fetchval(_HOLD, *key, list(audience.sources)) is None:
                return Correction.GONE
            done = await connection.fetchval(_CORRECT, *key, told.user_id, told.text, text, by)
            if done is None:
                return Correction.GONE
            await connection.execute(_HAS_CORRECTED, *key, sorted(await _named_in(connection, guild_id, text, by)))
            await note(
                connection,
                guild_id,
                by,
                Deed.CORRECTED_DAY,
                at,
                subject_id=told.user_id,
                channel_id=told.scope or None,
                items=1,
                audit_id=correction_id(told.user_id, told.day.date),
            )
        return Correction.DONE

    async def failed(self, guild_id: int, scope: int, day: CalendarDay, tries: int, retry_at: datetime) -> None:
        """Note that a try failed; what was made before stays as it is."""
        await self._change(
            "store.days.failed", "UPDATE days SET tries = $4, retry_at = $5", guild_id, scope, day, tries, retry_at
        )

    async def close(self, guild_id: int, scope: int, day: CalendarDay) -> None:
        """Close a day that is over: it has seen all there is of it."""
        await self._change("store.days.close", "UPDATE days SET is_final = true", guild_id, scope, day)

    async def drop(self, guild_id: int, scope: int, day: CalendarDay) -> None:
        await self._change("store.days.drop", "DELETE FROM days", guild_id, scope, day)

    async def _change(self, name: str, what: str, guild_id: int, scope: int, day: CalendarDay, *values: object) -> None:
        async with self._database.transaction(name) as connection:
            await connection.execute(f"{what} WHERE {_OF_DAY}", guild_id, scope, day.starts_at, *values)


async def _named_in(connection: Connection, guild_id: int, text: str, by: int) -> set[int]:
    """Find whom corrected words are about besides, with who wrote them: what is done about them is done to the day."""
    named = await members_spoken_of(connection, guild_id, text)
    return {by, *mentioned_ids(text), *(member.user_id for member in named)}


async def detach_expired_facts(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> None:
    """Let days keep their texts, in the caller's transaction, when these facts and what they had replaced expire."""
    await connection.execute(
        """
        WITH RECURSIVE expiring AS (
            SELECT fact_id FROM unnest($2::bigint[]) AS told (fact_id)
            UNION
            SELECT before.fact_id FROM facts AS before JOIN expiring ON before.superseded_by = expiring.fact_id
            WHERE before.guild_id = $1)
        UPDATE days SET fact_ids = ARRAY(SELECT unnest(fact_ids) EXCEPT SELECT fact_id FROM expiring)
        WHERE guild_id = $1 AND fact_ids && ARRAY(SELECT fact_id FROM expiring)
        """,
        guild_id,
        list(fact_ids),
    )


async def _input(connection: Connection, guild_id: int, channels: Collection[int], day: CalendarDay) -> DayInput:
    seq: int = await connection.fetchval("SELECT coalesce(max(seq), 0) FROM chat_history WHERE guild_id = $1", guild_id)
    said = await said_on(connection, guild_id, channels, day)
    messages = tuple(linking(said, said))
    authors = {message.author_id for message in messages}
    mentioned = {one for message in messages for one in mentioned_ids(message.text)}
    people = await to_be_told_of(connection, guild_id, authors, mentioned, day.first_id)
    names = await _told_names(connection, guild_id, channels, [member.user_id for member in people])
    return DayInput(messages, tuple(people), seq, names)


async def to_be_told_of(
    connection: Connection, guild_id: int, authors: Set[int], mentioned: Set[int], first_id: int
) -> list[Member]:
    """Find those who said something, and of those who are only spoken of whoever may be told of."""
    only_mentioned = mentioned - authors
    told = authors | (only_mentioned - await not_to_be_told_of(connection, guild_id, only_mentioned, first_id))
    return [one for one in await members_spoken_of(connection, guild_id, "", sorted(told)) if not one.is_bot]


async def not_to_be_told_of(
    connection: Connection, guild_id: int, user_ids: Collection[int], first_id: int
) -> set[int]:
    """Find, of people only spoken of from that message on, those whose own words could not be stored."""
    rows = await connection.fetch(_BARRED, guild_id, list(user_ids), first_id)
    return {row["user_id"] for row in rows}


async def _told_names(
    connection: Connection, guild_id: int, channels: Collection[int], user_ids: Collection[int]
) -> dict[int, list[ToldName]]:
    """Read what facts call members, told in these channels or for everyone, the best founded and newest first."""
    rows = await connection.fetch(_TOLD_NAMES, guild_id, list(user_ids), list(channels), MOST_TOLD_NAMES)
    names: dict[int, list[ToldName]] = {}
    for row in rows:
        where = None if row["everywhere"] else row["channel_id"]
        told = [name for user_id, name in names_in(row["text"]) if user_id == row["user_id"]]
        names.setdefault(row["user_id"], []).extend(ToldName(name, row["fact_id"], where) for name in told)
    return names


_TOLD_NAMES = f"""
SELECT user_id, fact_id, channel_id, everywhere, text FROM (
    SELECT user_id, fact_id, channel_id, everywhere, text, standing, row_number() OVER (
        PARTITION BY user_id ORDER BY standing IN ('hearsay', 'let_on'), fact_id DESC) AS place
    FROM fact_aliases JOIN facts USING (guild_id, fact_id)
    WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND {CURRENT} AND {readable("$3::bigint[]")}
) AS called WHERE place <= $4 ORDER BY user_id, place
"""  # noqa: S608 - made of constants

# A day may go and come again, and what was made from the former must not pass for having been made from this one: so
# each counts from a number that no other had.
_BEGIN = """
INSERT INTO days AS known
    (guild_id, scope, starts_at, ends_at, day, source_channels, people, messages, read_seq, tried_at, mended_on,
     fact_ids, changes, seen_changes)
VALUES ($1, $2, $3, $4, $5, $6::bigint[], $7::bigint[], $8, $9, $10, $11, $12::bigint[], $13, $13)
ON CONFLICT (guild_id, scope, starts_at) DO UPDATE SET
    ends_at = excluded.ends_at, day = excluded.day,
    source_channels = ARRAY(SELECT unnest(known.source_channels) UNION SELECT unnest(excluded.source_channels)),
    people = ARRAY(SELECT unnest(known.people) UNION SELECT unnest(excluded.people)),
    fact_ids = ARRAY(SELECT unnest(known.fact_ids) UNION SELECT unnest(excluded.fact_ids)),
    read_seq = greatest(known.read_seq, excluded.read_seq),
    tried_at = excluded.tried_at, mended_on = coalesce(excluded.mended_on, known.mended_on)
RETURNING changes
"""

_FINISH = """
UPDATE days SET is_final = $4, source_channels = $5, people = $6, messages = $7, seen_seq = $8, seen_changes = changes,
    version = $10, model = $11, made_at = $12, tries = $13, retry_at = $14, fact_ids = $17,
    left_out = $18
WHERE guild_id = $1 AND scope = $2 AND starts_at = $3 AND changes = $9 AND EXISTS (
    SELECT 1 FROM claims WHERE claims.guild_id = $1 AND claims.what = $15 AND claims.claimed_by = $16)
RETURNING true
"""

_OF_DAY = "guild_id = $1 AND scope = $2 AND starts_at = $3"

_CLEAR = f"DELETE FROM day_entries WHERE {_OF_DAY} AND (user_id = ANY ($4::bigint[])) IS NOT TRUE"  # noqa: S608 - ours
_LAST_POSITION = f"SELECT coalesce(max(position), 0) FROM day_entries WHERE {_OF_DAY}"  # noqa: S608 - ours
_ENTER = """
INSERT INTO day_entries (guild_id, scope, starts_at, position, kind, user_id, text, cites)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""

_HOLD = f"""
SELECT true FROM days WHERE {_OF_DAY} AND changes = seen_changes AND source_channels <@ $4::bigint[] FOR UPDATE
"""  # noqa: S608 - made of constants

_CORRECT = f"""
UPDATE day_entries SET text = $6, corrected_by = $7 WHERE {_OF_DAY} AND user_id = $4 AND text = $5 RETURNING true
"""  # noqa: S608 - made of constants

_HAS_CORRECTED = f"""
UPDATE days SET changes = changes + 1, seen_changes = seen_changes + 1,
    people = ARRAY(SELECT unnest(people) UNION SELECT unnest($4::bigint[]) ORDER BY 1)
WHERE {_OF_DAY}
"""  # noqa: S608 - made of constants

_CORRECTED = f"""
SELECT user_id, text, corrected_by FROM days JOIN day_entries USING (guild_id, scope, starts_at)
WHERE {_OF_DAY} AND corrected_by IS NOT NULL AND source_channels <@ $4::bigint[]
"""  # noqa: S608 - made of constants

_BARRED = f"""
SELECT user_id FROM unnest($2::bigint[]) AS named (user_id)
WHERE {any_of(not_to_be_kept("named.user_id", "$3::bigint"))}
"""  # noqa: S608 - made of constants
