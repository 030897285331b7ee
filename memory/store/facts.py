"""The ledger of facts, which is the truth, and each member's blob, which is made from it in the same transaction.

Two tellings about one member take turns by an advisory lock, so that a blob always knows the whole ledger.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import asyncpg

from memory.core.admission import Verdict, may_store
from memory.core.audience import Audience
from memory.core.model import Fact, Message, Standing
from memory.core.telling import statement_key
from memory.store.blobs import rebuild
from memory.store.database import Connection, Database
from memory.store.errors import StoreError
from memory.store.fact_rows import SELECT, fact_of, readable
from memory.store.heard_facts import HeardFacts
from memory.store.log import is_deleted, share_log
from memory.store.policy import load_policy

MOST_SEARCHED = 1000
"""Facts that a search without a person looks at, the newest first."""


@dataclass(frozen=True, slots=True)
class NewFact:
    guild_id: int
    subject_id: int | None
    teller_id: int
    channel_id: int
    message_id: int
    source_message_id: int | None
    text: str
    standing: Standing
    in_hall: bool
    """Told where everyone may read it, so that it may join the member's blob."""
    valid_from: datetime
    everywhere: bool = False
    """Its subject, who tells it, says that everyone may know it; so it joins the blob as well."""


class SourceGone(StoreError):
    """The message that a fact was to be taken from has been deleted, or may not be stored."""


class FactStore:
    def __init__(self, database: Database, blob_aim: int) -> None:
        self._database = database
        self._blob_aim = blob_aim
        self.heard = HeardFacts()

    async def remember(self, new: NewFact, audience: Audience, source: Message | None = None) -> tuple[Fact, bool]:
        """Keep a fact, unless this audience could already read it. The fact kept, and whether it is new.

        `source` is the message that "this" meant: what may not be stored is not kept as a fact either.

        Said again by the member it is about, hearsay becomes confirmed.
        """
        async with self._database.transaction("store.facts.remember") as connection:
            # The log is shared first: the message that "this" means must not be deleted meanwhile.
            await share_log(connection, new.guild_id)
            if new.source_message_id is not None and await is_deleted(connection, new.guild_id, new.source_message_id):
                raise SourceGone
            if source is not None and not await _may_be_told_on(connection, source):
                raise SourceGone
            await _own_subjects(connection, new.guild_id, [new.subject_id])
            fact, is_new = await _enter(connection, new, audience)
            await self._rebuild(connection, new.guild_id, [new.subject_id], new.valid_from)
        return fact, is_new

    async def open(self, guild_id: int, message_id: int, teller_id: int, opened_at: datetime) -> bool:
        """Let everyone know what somebody told of themselves, unless it was taken from the words of another."""
        async with self._database.transaction("store.facts.open") as connection:
            await _own_subjects(connection, guild_id, [teller_id])
            opened = await connection.fetchval(
                """
                UPDATE facts SET everywhere = true
                WHERE guild_id = $1 AND message_id = $2 AND teller_id = $3 AND subject_id = $3
                  AND (source_message_id IS NULL OR EXISTS (
                    SELECT 1 FROM chat_history AS said
                    WHERE said.guild_id = $1 AND said.message_id = source_message_id AND said.author_id = $3))
                RETURNING true
                """,
                guild_id,
                message_id,
                teller_id,
            )
            await self._rebuild(connection, guild_id, [teller_id], opened_at)
        return opened is not None

    async def about(self, audience: Audience, subject_ids: Collection[int]) -> list[Fact]:
        """What was told about these members where this audience could hear it, oldest first."""
        started = self.heard.now()
        async with self._database.transaction("store.facts.about", readonly=True) as connection:
            rows = await connection.fetch(
                f"{SELECT} WHERE guild_id = $1 AND subject_id = ANY($2) AND {readable('$3')} ORDER BY fact_id",
                audience.guild_id,
                list(subject_ids),
                list(audience.sources),
            )
        return self._heard_by(audience, rows, started)

    async def within(self, audience: Audience) -> list[Fact]:
        """The newest facts about anybody and anything that this audience could hear, oldest first."""
        started = self.heard.now()
        async with self._database.transaction("store.facts.within", readonly=True) as connection:
            rows = await connection.fetch(
                f"{SELECT} WHERE guild_id = $1 AND {readable('$2')} ORDER BY fact_id DESC LIMIT $3",
                audience.guild_id,
                list(audience.sources),
                MOST_SEARCHED,
            )
        return self._heard_by(audience, rows[::-1], started)

    async def blob(self, audience: Audience, user_id: int) -> str | None:
        """A member's blob, if this audience could hear all that it was made from."""
        async with self._database.transaction("store.facts.blob", readonly=True) as connection:
            blob: str | None = await connection.fetchval(
                "SELECT memory_blob FROM user_facts WHERE guild_id = $1 AND user_id = $2 AND source_channels <@ $3",
                audience.guild_id,
                user_id,
                list(audience.sources),
            )
        return blob

    async def outside_the_hall(self, audience: Audience, user_id: int) -> list[Fact]:
        """What this audience could hear about a member beyond what may join the blob, oldest first."""
        async with self._database.transaction("store.facts.outside_the_hall", readonly=True) as connection:
            rows = await connection.fetch(
                f"""{SELECT} WHERE guild_id = $1 AND subject_id = $2 AND channel_id = ANY($3)
                AND NOT (in_hall OR everywhere) ORDER BY fact_id""",
                audience.guild_id,
                user_id,
                list(audience.sources),
            )
        return [fact_of(row) for row in rows]

    async def forget(self, guild_id: int, facts: Sequence[Fact], forgotten_at: datetime) -> list[Fact]:
        """Delete facts and make the blobs anew; those that were still there."""
        async with self._database.transaction("store.facts.forget") as connection:
            await _own_subjects(connection, guild_id, [fact.subject_id for fact in facts])
            rows = await connection.fetch(
                "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2) RETURNING fact_id",
                guild_id,
                [fact.fact_id for fact in facts],
            )
            await self._rebuild(connection, guild_id, [fact.subject_id for fact in facts], forgotten_at)
        gone = {row["fact_id"] for row in rows}
        return [fact for fact in facts if fact.fact_id in gone]

    async def forget_all_about(self, guild_id: int, user_id: int, forgotten_at: datetime) -> list[Fact]:
        """Delete everything about a member, wherever it was told. Only for that member's own request."""
        async with self._database.transaction("store.facts.forget_all_about") as connection:
            await _own_subjects(connection, guild_id, [user_id])
            rows = await connection.fetch(
                "DELETE FROM facts WHERE guild_id = $1 AND subject_id = $2 RETURNING *", guild_id, user_id
            )
            await self._rebuild(connection, guild_id, [user_id], forgotten_at)
        return sorted((fact_of(row) for row in rows), key=lambda fact: fact.fact_id)

    async def erase_member(
        self, connection: Connection, guild_id: int, user_id: int, message_ids: Collection[int], erased_at: datetime
    ) -> tuple[int, int]:
        """Within the caller's transaction: what a member told, and what others told about them or took from these
        messages of theirs. How many of each."""
        rows = await connection.fetch(
            f"""{SELECT} WHERE guild_id = $1
            AND (teller_id = $2 OR subject_id = $2 OR source_message_id = ANY($3)) ORDER BY fact_id""",
            guild_id,
            user_id,
            list(message_ids),
        )
        facts = [fact_of(row) for row in rows]
        await self.restate(connection, guild_id, dict.fromkeys(facts), erased_at)
        told = sum(fact.teller_id == user_id for fact in facts)
        return told, len(facts) - told

    async def forget_sources(
        self, connection: Connection, guild_id: int, message_ids: Collection[int], forgotten_at: datetime
    ) -> None:
        """Within the caller's transaction: facts that were taken from deleted messages go with them."""
        facts = await made_from(connection, guild_id, message_ids)
        await self.restate(connection, guild_id, dict.fromkeys(facts), forgotten_at)

    async def forget_channel(
        self,
        connection: Connection,
        guild_id: int,
        channel_id: int,
        message_ids: Collection[int],
        forgotten_at: datetime,
    ) -> None:
        """Within the caller's transaction: what was told in a deleted channel, or taken from its messages, goes too.

        Nobody could hear it any more: a channel that is gone is in no audience. What everyone may know stays.
        """
        rows = await connection.fetch(
            f"{SELECT} WHERE guild_id = $1 AND channel_id = $2 AND NOT everywhere", guild_id, channel_id
        )
        facts = [*(fact_of(row) for row in rows), *await made_from(connection, guild_id, message_ids)]
        await self.restate(connection, guild_id, dict.fromkeys(facts), forgotten_at)

    async def restate(
        self, connection: Connection, guild_id: int, texts: Mapping[Fact, str | None], restated_at: datetime
    ) -> None:
        """Within the caller's transaction: give facts another text, or none, and then they go."""
        if not texts:
            return
        subjects = [fact.subject_id for fact in texts]
        await _own_subjects(connection, guild_id, subjects)
        for fact, text in texts.items():
            if text is None:
                statement = "DELETE FROM facts WHERE guild_id = $1 AND fact_id = $2"
                await connection.execute(statement, guild_id, fact.fact_id)
            else:
                statement = "UPDATE facts SET text = $3 WHERE guild_id = $1 AND fact_id = $2"
                await connection.execute(statement, guild_id, fact.fact_id, text)
        await self._rebuild(connection, guild_id, subjects, restated_at)

    async def _rebuild(
        self, connection: Connection, guild_id: int, subject_ids: Collection[int | None], updated_at: datetime
    ) -> None:
        self.heard.ledger_changed(guild_id)
        await rebuild(connection, guild_id, subject_ids, self._blob_aim, updated_at)

    def _heard_by(self, audience: Audience, rows: Sequence[asyncpg.Record], started: float) -> list[Fact]:
        facts = [fact_of(row) for row in rows]
        sources = [row["source_message_id"] for row in rows if row["source_message_id"] is not None]
        self.heard.note(audience, facts, sources, started)
        return facts


async def made_from(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[Fact]:
    """Facts taken from these messages ("remember this"): for keeping them true, never for telling."""
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND source_message_id = ANY($2) ORDER BY fact_id", guild_id, list(message_ids)
    )
    return [fact_of(row) for row in rows]


async def _may_be_told_on(connection: Connection, source: Message) -> bool:
    known = await load_policy(connection, source.guild_id)
    return may_store(source, known.policy) is Verdict.ADMITTED


async def _own_subjects(connection: Connection, guild_id: int, subject_ids: Collection[int | None]) -> None:
    """In the order of ids, so that two writers cannot wait for each other. 0 stands for the guild itself."""
    for subject_id in sorted({subject_id or 0 for subject_id in subject_ids}):
        await connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('facts ' || $1::bigint, $2::bigint))", guild_id, subject_id
        )


async def _enter(connection: Connection, new: NewFact, audience: Audience) -> tuple[Fact, bool]:
    """Within the transaction of a caller who owns the subject: the fact as it stands then, and whether it is new."""
    same = await _same(connection, new, audience)
    known = [fact_of(row) for row in same]
    if new.everywhere and known and not any(fact.everywhere for fact in known):
        # The teller's own word for everyone takes the place of what was said of them in the same words.
        await connection.execute(
            "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", new.guild_id, [f.fact_id for f in known]
        )
        return await _insert(connection, replace(new, valid_from=min(fact.valid_from for fact in known))), True
    if new.standing is Standing.HEARSAY or any(fact.standing is not Standing.HEARSAY for fact in known):
        return (known[0], False) if known else (await _insert(connection, new), True)
    for row in same:
        # That somebody confirmed it is known where they did. Elsewhere it stays hearsay.
        if row["channel_id"] == new.channel_id or (row["in_hall"] and new.in_hall):
            return await _confirm(connection, fact_of(row)), False
    return await _insert(connection, new), True


async def _same(connection: Connection, new: NewFact, audience: Audience) -> list[asyncpg.Record]:
    """What this audience could read already in the same words, the newest first."""
    rows = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {readable("$3")}
        ORDER BY fact_id DESC""",
        new.guild_id,
        new.subject_id,
        list(audience.sources),
    )
    key = statement_key(new.text)
    return [row for row in rows if statement_key(row["text"]) == key]


async def _insert(connection: Connection, new: NewFact) -> Fact:
    row = await connection.fetchrow(
        """
        INSERT INTO facts (guild_id, subject_id, teller_id, channel_id, message_id, source_message_id, text, standing,
                           in_hall, valid_from, everywhere)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING *
        """,
        new.guild_id,
        new.subject_id,
        new.teller_id,
        new.channel_id,
        new.message_id,
        new.source_message_id,
        new.text,
        new.standing,
        new.in_hall,
        new.valid_from,
        new.everywhere,
    )
    return fact_of(row)


async def _confirm(connection: Connection, known: Fact) -> Fact:
    row = await connection.fetchrow(
        "UPDATE facts SET standing = $3 WHERE guild_id = $1 AND fact_id = $2 RETURNING *",
        known.guild_id,
        known.fact_id,
        Standing.CONFIRMED,
    )
    return fact_of(row)
