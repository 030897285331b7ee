"""Each member's blob: made from the ledger, in the transaction that changes the ledger, and merged by a model behind.

A blob says by a digest which facts it was made from. One whose facts are others by now is made anew at the next start.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.core.values import Fact, Member
from memory.db.database import Connection, Database
from memory.db.table_declarations import Follows, Goes, How, TableDeclaration, columns
from memory.fact_rows import SELECT, TOLD, fact_of
from memory.facts.blob import RULES_VERSION, merge
from memory.facts.changes import own_subjects
from memory.people.names import mentioned_ids, with_strangers
from memory.people.store import members_spoken_of

MOST_MERGED = 200
"""Facts that a blob is made from; many more than fit into one."""
UNASKED_PAUSE = timedelta(hours=1)
"""Before a merge that is due to nobody's request: whole facts serve meanwhile."""
MOST_HEALED = 500
"""Members whose blobs are made anew in one transaction."""

_OF_THE_HALL = f"(in_hall OR everywhere) AND {TOLD}"
# In the order `core.blob` prefers them.
_BEST_OF_THE_HALL = f"""{SELECT}
WHERE guild_id = $1 AND subject_id = $2 AND {_OF_THE_HALL}
ORDER BY array_position(ARRAY['self', 'confirmed', 'hearsay'], standing), fact_id DESC LIMIT $3
"""
_DIGEST = f"""encode(sha256(convert_to({RULES_VERSION} || E'\\n' || string_agg(
    concat_ws(' ', fact_id, standing, channel_id, everywhere, text), E'\\n' ORDER BY fact_id), 'UTF8')), 'hex')"""
_MADE_FROM = f"SELECT {_DIGEST} FROM facts WHERE guild_id = $1 AND subject_id = $2 AND {_OF_THE_HALL}"  # noqa: S608 - made of constants
_OUTDATED = f"""
WITH ledger AS (
    SELECT guild_id, subject_id AS user_id, {_DIGEST} AS made_from FROM facts
    WHERE subject_id IS NOT NULL AND {_OF_THE_HALL} GROUP BY guild_id, subject_id)
SELECT guild_id, user_id FROM ledger FULL JOIN user_facts AS blob USING (guild_id, user_id)
WHERE ledger.made_from IS DISTINCT FROM blob.made_from AND guild_id <> ALL ($2::bigint[])
ORDER BY guild_id, user_id LIMIT $1
"""  # noqa: S608 - made of constants


@dataclass(frozen=True, slots=True)
class Unmerged:
    """A member of whom more was told than there is room for, and what it is that a model shall merge."""

    guild_id: int
    user_id: int
    facts: tuple[Fact, ...]
    members: tuple[Member, ...]
    """Whoever the facts speak of."""
    made_from: str
    tries: int

    @property
    def subject(self) -> Member:
        return next(member for member in self.members if member.user_id == self.user_id)


async def rebuild(
    connection: Connection,
    guild_id: int,
    subject_ids: Collection[int | None],
    aim: int,
    updated_at: datetime,
    merge_at: datetime | None = None,
) -> None:
    """Within the transaction of a caller who owns these subjects: of what everyone may know about each of them.

    What a model merged stays, if it was made from the very facts there are. What there is no room for is merged from
    `merge_at` on, if a model may be asked for whoever changed it; otherwise later, once for all who may not.
    """
    merge_at = merge_at or updated_at + UNASKED_PAUSE
    for user_id in {subject_id for subject_id in subject_ids if subject_id}:
        facts = await _hall_facts(connection, guild_id, user_id)
        blob = await asyncio.to_thread(merge, facts, aim)
        if blob is None:
            await connection.execute("DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2", guild_id, user_id)
            continue
        await connection.execute(
            """
            INSERT INTO user_facts AS known
                (guild_id, user_id, memory_blob, source_channels, updated_at, made_from, merge_after)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (guild_id, user_id) DO UPDATE SET
                memory_blob = excluded.memory_blob, source_channels = excluded.source_channels,
                updated_at = excluded.updated_at, made_from = excluded.made_from, by_model = false,
                merge_after = CASE WHEN excluded.merge_after IS NULL THEN NULL
                    ELSE least(known.merge_after, excluded.merge_after) END, merge_tries = 0
            WHERE known.made_from <> excluded.made_from
            """,
            guild_id,
            user_id,
            blob.text,
            sorted(blob.source_channels),
            updated_at,
            await connection.fetchval(_MADE_FROM, guild_id, user_id),
            None if blob.is_complete else merge_at,
        )


class BlobStore:
    """For whoever looks after the blobs, not for telling: no audience is asked, and nothing is said."""

    def __init__(self, database: Database, aim: int) -> None:
        self._database = database
        self.aim = aim

    async def outdated(self, *, but_for: Sequence[int] = ()) -> list[tuple[int, int]]:
        """Guilds and members whose blobs do not say what the ledger says: some of them."""
        rows = await self._database.read("store.blobs.outdated", _OUTDATED, MOST_HEALED, but_for)
        return [(row["guild_id"], row["user_id"]) for row in rows]

    async def heal(self, guild_id: int, user_ids: Collection[int], now: datetime) -> None:
        """Make their blobs anew."""
        async with self._database.transaction("store.blobs.heal") as connection:
            await own_subjects(connection, guild_id, user_ids)
            await rebuild(connection, guild_id, user_ids, self.aim, now)

    async def to_merge(self, now: datetime) -> dict[int, int]:
        """Of each guild the member whose facts have waited longest for a model."""
        rows = await self._database.read(
            "store.blobs.to_merge",
            """
            SELECT DISTINCT ON (guild_id) guild_id, user_id FROM user_facts
            WHERE merge_after <= $1 ORDER BY guild_id, merge_after, user_id
            """,
            now,
        )
        return {row["guild_id"]: row["user_id"] for row in rows}

    async def unmerged(self, guild_id: int, user_id: int, now: datetime) -> Unmerged | None:
        """What is to be merged of a member; None if there is nothing any more."""
        async with self._database.transaction(
            "store.blobs.unmerged", isolation="repeatable_read", readonly=True
        ) as connection:
            row = await connection.fetchrow(
                """
                SELECT made_from, merge_tries FROM user_facts
                WHERE guild_id = $1 AND user_id = $2 AND merge_after <= $3
                """,
                guild_id,
                user_id,
                now,
            )
            if row is None:
                return None
            facts = await _hall_facts(connection, guild_id, user_id)
            tellers = [fact.teller_id for fact in facts]
            people = [user_id, *mentioned_ids("\n".join(fact.text for fact in facts)), *tellers]
            members = with_strangers(
                await members_spoken_of(connection, guild_id, "", people), guild_id, dict.fromkeys(people)
            )
        return Unmerged(guild_id, user_id, tuple(facts), tuple(members), row["made_from"], row["merge_tries"])

    async def put(self, unmerged: Unmerged, text: str, now: datetime) -> bool:
        """What a model made; False if other facts are known by now, and it was in vain."""
        channels = sorted({fact.channel_id for fact in unmerged.facts if not fact.everywhere})
        async with self._database.transaction("store.blobs.put") as connection:
            await own_subjects(connection, unmerged.guild_id, [unmerged.user_id])
            put = await connection.fetchval(
                """
                UPDATE user_facts
                SET memory_blob = $4, source_channels = $5, by_model = true, merge_after = NULL, updated_at = $6
                WHERE guild_id = $1 AND user_id = $2 AND made_from = $3 AND merge_after IS NOT NULL
                RETURNING true
                """,
                unmerged.guild_id,
                unmerged.user_id,
                unmerged.made_from,
                text,
                channels,
                now,
            )
        return put is not None

    async def put_off(self, unmerged: Unmerged, until: datetime | None) -> None:
        """It did not work; again after a while, or never for these very facts."""
        async with self._database.transaction("store.blobs.put_off") as connection:
            await connection.execute(
                """
                UPDATE user_facts SET merge_after = $4, merge_tries = merge_tries + 1
                WHERE guild_id = $1 AND user_id = $2 AND made_from = $3 AND merge_after IS NOT NULL
                """,
                unmerged.guild_id,
                unmerged.user_id,
                unmerged.made_from,
                until,
            )


async def _hall_facts(connection: Connection, guild_id: int, user_id: int) -> list[Fact]:
    rows = await connection.fetch(_BEST_OF_THE_HALL, guild_id, user_id, MOST_MERGED)
    return [fact_of(row) for row in rows]


TABLES = (
    TableDeclaration(
        table="user_facts",
        purpose="a readable merge of the facts told in public channels, per member, and which facts it was made from",
        until="made anew with every change of the facts",
        columns=columns(
            ids="guild_id source_channels",
            people="user_id",
            words="memory_blob",
            digests="made_from",
            times="updated_at merge_after",
            numbers="merge_tries",
            states="by_model",
        ),
        message=Follows("facts", How.LEDGER),
        member=Follows("facts", How.LEDGER),
        channel=Follows("facts", How.LEDGER),
        guild=Goes(),
    ),
)
