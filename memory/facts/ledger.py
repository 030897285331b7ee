"""Keeps the ledger of facts, which is the truth. Changes of one guild take turns by the lock of its log."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias
from uuid import UUID

from cachetools import LRUCache

from memory.audit import Deed, note_facts
from memory.core.values import Fact, Message
from memory.db.database import Connection, Database, LogWrite, Record
from memory.fact_rows import CURRENT, INFERRED_BY_OTHERS, OVER, SELECT, TOLD, fact_of, readable
from memory.facts.changes import LedgerChange, delete_facts, with_replaced
from memory.facts.enter import Entered, NewFact, NotKept, Objection, admit, enter, learn_names, veto
from memory.facts.values import ChangeKind, Opened, is_name_in_passing
from memory.language.word_caches import When, invalidate, register_cache
from memory.log.store import is_deleted, log_transaction, note_done
from memory.places.view import Audience
from memory.policy.rules import Verdict, may_store
from memory.policy.store import horizon, load_policy
from memory.receipts import retractions

# What was last read of the ledger for an audience, so that something is known while the ledger cannot be read.
#
# Keyed by the audience's scope and version: a role or a channel that changes meanwhile finds nothing here. Whatever
# changes the ledger empties it, and for a while nothing that is read is kept, since it may not know of the change yet.


AUDIENCES = 500
UNSETTLED_SECONDS = 60.0
"""Longer than any change takes from its first statement to its commit."""


@dataclass(slots=True)
class _Heard:
    guild_id: int
    facts: dict[int, Fact] = field(default_factory=dict)
    sources: set[int] = field(default_factory=set)
    """Messages that facts were taken from."""


class FactOutageCache:
    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._heard: LRUCache[object, _Heard] = LRUCache(AUDIENCES)
        self._changed_at: dict[int, float] = {}
        register_cache(self, When.OLD)

    def forget_words(self) -> None:
        """Forget what was read: another process may have changed the ledger, and nobody here heard of it."""
        self._heard.clear()

    def note(self, audience: Audience, facts: Sequence[Fact], sources: Collection[int], read_at: float) -> None:
        """Note facts that were read; `read_at` is when reading began."""
        if read_at < self._changed_at.get(audience.guild_id, -UNSETTLED_SECONDS) + UNSETTLED_SECONDS:
            return
        heard = self._heard.setdefault(audience.key, _Heard(audience.guild_id))
        heard.facts.update((fact.fact_id, fact) for fact in facts)
        heard.sources.update(sources)

    def of(self, audience: Audience) -> list[Fact] | None:
        """Give the facts, oldest first; None if nothing was read for this very audience."""
        heard = self._heard.get(audience.key)
        return None if heard is None else [fact for _, fact in sorted(heard.facts.items())]

    def ledger_changed(self, guild_id: int) -> None:
        self._changed_at[guild_id] = self.now()
        invalidate()
        self._drop(guild_id, lambda _: True)

    def messages_changed(self, guild_id: int, message_ids: Collection[int]) -> None:
        """Drop what was taken from messages that were edited or deleted, whether or not that can be written now."""
        self._drop(guild_id, lambda heard: not heard.sources.isdisjoint(message_ids))

    def _drop(self, guild_id: int, is_meant: Callable[[_Heard], bool]) -> None:
        for key in [key for key, heard in self._heard.items() if heard.guild_id == guild_id and is_meant(heard)]:
            del self._heard[key]


MOST_SEARCHED = 1000
"""Facts that a search without a person looks at, the newest first."""

_EXPIRED = f"""
SELECT fact_id FROM facts
WHERE guild_id = $1 AND (told_at < $2 OR expires_at <= $3 OR ({INFERRED_BY_OTHERS} AND valid_from < $4))
ORDER BY told_at LIMIT $5
"""  # noqa: S608 - made of constants


@dataclass(frozen=True, slots=True)
class Gone:
    """Lists facts that were there and are not any more, with the whole of their tellings."""

    facts: tuple[Fact, ...]
    change_id: UUID | None
    """None: there was nothing."""


Outlive: TypeAlias = Callable[[Connection, int, Collection[int]], Awaitable[None]]
"""Within the transaction: keeps what was made from facts of a guild that are about to expire."""


# Facts as they were at some time: what held then, whether or not it still does, and what took its place.
#
# What was forgotten is in no ledger, and what is withheld is told to nobody, neither of now nor of then.


MOST_HELD = 1_000
"""Facts that are looked at, the newest first."""

# When a fact ended tells when its successor was told, so both have to be theirs to hear.
_HELD = f"""
WITH told AS NOT MATERIALIZED (
    SELECT * FROM facts WHERE guild_id = $1 AND {readable("$2")} AND NOT withheld
), held AS (
    SELECT * FROM told
    WHERE valid_from < $3 AND (valid_to IS NULL OR $4::timestamptz IS NULL OR valid_to > $4)
      AND (cardinality($5::bigint[]) = 0 OR subject_id = ANY($5)) AND (valid_to IS NOT NULL OR NOT $7)
      AND (superseded_by IS NULL OR EXISTS (SELECT 1 FROM told AS later WHERE later.fact_id = told.superseded_by))
    ORDER BY fact_id DESC LIMIT $6
)
SELECT *, true AS is_held FROM held
UNION ALL SELECT *, false FROM told WHERE fact_id IN (SELECT superseded_by FROM held)
ORDER BY fact_id
"""  # noqa: S608 - made of constants


class PastFact(NamedTuple):
    fact: Fact
    successor: Fact | None
    """What took its place."""


class FactStore:
    def __init__(self, database: Database, on_changed: Callable[[], None] = lambda: None) -> None:
        """`on_changed`: called while the ledger is changed, before that is committed."""
        self._database = database
        self.heard = FactOutageCache()
        self._on_changed = on_changed

    async def remember(
        self,
        new: Sequence[NewFact],
        audience: Audience,
        source: Message | None = None,
        replaces: Collection[int] = (),
        *,
        made_by: int | None = None,
    ) -> Entered:
        """Keep one telling, as a fact for each thing and each of those it is about, unless this audience could already
        read it.

        `source` is the message that "this" meant: what may not be stored is not kept as a fact either. `replaces` are
        facts that hold no more. Raises `NotKept` where it may be told of none of them, or not by this teller.

        Said again by the member it is about, hearsay becomes confirmed. `made_by` is whoever has it kept, if its teller
        said it without asking for that.
        """
        first = new[0]
        made_by = first.teller_id if made_by is None else made_by
        # The log stands still first: the message that "this" means must not be deleted meanwhile.
        async with log_transaction(self._database, "store.facts.remember", first.guild_id) as connection:
            if await is_deleted(connection, first.guild_id, first.message_id):
                raise NotKept(Objection.TELLING_GONE)
            taken_from = first.source_message_id
            if taken_from is not None and await is_deleted(connection, first.guild_id, taken_from):
                raise NotKept(Objection.SOURCE_GONE)
            if source is not None and not await may_be_told_on(connection, source):
                raise NotKept(Objection.SOURCE_GONE)
            change = LedgerChange(connection, first.guild_id, first.valid_from)
            kept = await admit(connection, new, made_by)
            passed_on = made_by != first.teller_id
            entered = [await enter(change, one, audience, replaces, passed_on=passed_on) for one in kept]
            change_id = await change.record(ChangeKind.REMEMBERED, made_by)
            replaced = {fact.fact_id: fact for one in entered for fact in one.replaced}
            new_facts = [one.fact for one in entered if one.is_new]
            await note_facts(connection, made_by, Deed.TOLD, new_facts, first.valid_from)
            await note_facts(connection, made_by, Deed.REPLACED, replaced.values(), first.valid_from)
            self.changed(first.guild_id)
            await note_done(connection, first.guild_id, first.message_id)
        is_new = any(one.is_new for one in entered)
        about = frozenset(one.subject_id for one in kept)
        things: dict[str, Fact] = {}
        for one in entered:
            things.setdefault(one.fact.text, one.fact)
        fact, *also = things.values()
        return Entered(fact, is_new, tuple(replaced.values()), change_id, about, tuple(also))

    async def told_by_message(
        self, audience: Audience, message_id: int, teller_id: int
    ) -> tuple[list[Fact], UUID | None]:
        """Read what a message told and still holds, where this audience could hear it, and the change that it was."""
        async with self._database.transaction("store.facts.told_by_message", readonly=True) as connection:
            rows = await connection.fetch(
                f"""{SELECT} WHERE guild_id = $1 AND message_id = $2 AND teller_id = $3 AND {TOLD}
                AND {readable("$4")} ORDER BY fact_id""",
                audience.guild_id,
                message_id,
                teller_id,
                list(audience.sources),
            )
            change_id = await connection.fetchval(
                "SELECT change_id FROM changes WHERE guild_id = $1 AND kind = $2 AND fact_ids && $3::bigint[] LIMIT 1",
                audience.guild_id,
                ChangeKind.REMEMBERED,
                [row["fact_id"] for row in rows],
            )
        return [fact_of(row) for row in rows], change_id

    async def open(self, guild_id: int, message_id: int, teller_id: int, opened_at: datetime) -> Opened | None:
        """Let everyone know what somebody told of themselves, unless it was taken from the words of another."""
        async with self.change("store.facts.open", guild_id, opened_at) as change:
            connection = change.connection
            rows = await connection.fetch(
                """
                SELECT fact_id FROM facts
                WHERE guild_id = $1 AND message_id = $2 AND teller_id = $3 AND subject_id = $3 AND valid_to IS NULL
                  AND (source_message_id IS NULL OR EXISTS (
                    SELECT 1 FROM chat_history AS said
                    WHERE said.guild_id = $1 AND said.message_id = source_message_id AND said.author_id = $3))
                  AND NOT EXISTS (
                    SELECT 1 FROM facts AS beside
                    WHERE beside.guild_id = $1 AND beside.message_id = $2 AND beside.subject_id <> $3)
                """,
                guild_id,
                message_id,
                teller_id,
            )
            if not rows:
                return None
            fact_ids = [row["fact_id"] for row in rows]
            await change.will_change(fact_ids)
            await connection.execute(
                """
                UPDATE facts SET everywhere = true, told_at = greatest(told_at, $3)
                WHERE guild_id = $1 AND fact_id = ANY($2)
                """,
                guild_id,
                fact_ids,
                opened_at,
            )
            return Opened(await change.record(ChangeKind.OPENED, teller_id))

    async def about(self, audience: Audience, subject_ids: Collection[int]) -> list[Fact]:
        """Read what was told about these members where this audience could hear it, oldest first."""
        started = self.heard.now()
        condition = f"{CURRENT} AND subject_id = ANY($3) ORDER BY fact_id"
        return self._heard_by(audience, await self._read("about", audience, condition, list(subject_ids)), started)

    async def within(self, audience: Audience) -> list[Fact]:
        """Read the newest facts about anybody and anything that this audience could hear, oldest first."""
        started = self.heard.now()
        rows = await self._read("within", audience, f"{CURRENT} ORDER BY fact_id DESC LIMIT $3", MOST_SEARCHED)
        return self._heard_by(audience, rows[::-1], started)

    async def superseded_facts(self, audience: Audience) -> list[Fact]:
        """Read the newest facts that hold no more, of those that this audience could hear: for forgetting them."""
        rows = await self._read("superseded_facts", audience, f"{OVER} ORDER BY fact_id DESC LIMIT $3", MOST_SEARCHED)
        return [fact_of(row) for row in rows[::-1]]

    async def told_with(self, audience: Audience, facts: Collection[Fact]) -> list[Fact]:
        """Read facts and what was told in the same messages, as far as this audience could hear it."""
        ids = [fact.message_id for fact in facts]
        rows = await self._read("told_with", audience, "message_id = ANY($3) ORDER BY fact_id", ids)
        return [fact_of(row) for row in rows]

    async def _read(self, name: str, audience: Audience, condition: str, *values: object) -> list[Record]:
        """Read the facts that this audience could hear."""
        query = f"{SELECT} WHERE guild_id = $1 AND {readable('$2')} AND {condition}"
        return await self._database.read(
            f"store.facts.{name}", query, audience.guild_id, list(audience.sources), *values
        )

    async def held_between(
        self, audience: Audience, start: datetime | None, end: datetime, people: Collection[int], *, only_over: bool
    ) -> list[PastFact]:
        """Read what this audience could be told of what held between the two, the oldest first: about anybody,
        if nobody is named; without a start, at any time before the end. `only_over`: without what still holds."""
        values = (audience.guild_id, list(audience.sources), end, start, list(people), MOST_HELD, only_over)
        rows = await self._database.read("store.facts.held_between", _HELD, *values)
        facts = {row["fact_id"]: fact_of(row) for row in rows}
        return [PastFact(facts[row["fact_id"]], facts.get(row["superseded_by"])) for row in rows if row["is_held"]]

    async def forget(
        self, guild_id: int, facts: Collection[Fact], made_by: int, forgotten_at: datetime, asked_in: int
    ) -> Gone:
        """Delete facts with the whole of their tellings and all that they replaced; give those that were still there.

        `asked_in` is the message that asks for it.
        """
        async with self.change("store.facts.forget", guild_id, forgotten_at) as change:
            await note_done(change.connection, guild_id, asked_in)
            return await self.delete_facts(change, [fact.fact_id for fact in facts], made_by)

    async def forget_all_about(self, guild_id: int, user_id: int, forgotten_at: datetime, asked_in: int) -> Gone:
        """Delete everything about a member, wherever it was told. Only for that member's own request, in `asked_in`."""
        async with self.change("store.facts.forget_all_about", guild_id, forgotten_at) as change:
            await note_done(change.connection, guild_id, asked_in)
            query = "SELECT fact_id FROM facts WHERE guild_id = $1 AND subject_id = $2"
            about = [row["fact_id"] for row in await change.connection.fetch(query, guild_id, user_id)]
            return await self.delete_facts(change, about, user_id, also_nothing=True)

    async def delete_facts(
        self, change: LedgerChange, fact_ids: Collection[int], made_by: int, *, also_nothing: bool = False
    ) -> Gone:
        """Delete facts with the whole of their tellings, as a part of a change, and record it."""
        connection, guild_id = change.connection, change.guild_id
        gone = await change.told_with(fact_ids)
        await change.delete([fact.fact_id for fact in gone])
        for fact in filter(is_name_in_passing, gone):
            await veto(connection, guild_id, fact.subject_id or 0, fact.text, change.at)  # or the next night finds it
        await note_facts(connection, made_by, Deed.FORGOT, gone, change.at)
        return Gone(gone, await change.record(ChangeKind.FORGOTTEN, made_by, also_nothing=also_nothing))

    async def drop(self, connection: LogWrite, guild_id: int, condition: str, ids: Collection[int]) -> None:
        """Delete, within the caller's transaction, the facts that meet a condition on these ids, its `$2`."""
        done = await connection.execute(
            f"DELETE FROM facts WHERE guild_id = $1 AND ({condition})",  # noqa: S608 - the condition is ours
            guild_id,
            list(ids),
        )
        if done != "DELETE 0":
            self.changed(guild_id)

    async def forget_expired(self, guild_id: int, now: datetime, most: int, outlive: Outlive) -> int:
        """Delete facts that nobody has told for longer than the guild keeps them, also those that are over,
        memories whose date has passed, and names in passing as old as days that are not kept any more; how many.

        What one of them had replaced goes with it, so that nothing holds again. `outlive`: what else was made from them
        and stays.
        """
        async with log_transaction(self._database, "store.facts.forget_expired", guild_id) as connection:
            kept = await connection.fetchrow("SELECT fact_days, summary_days FROM guilds WHERE guild_id = $1", guild_id)
            terms = (None, None) if kept is None else (kept["fact_days"], kept["summary_days"])
            since, days_since = (horizon(days, now) for days in terms)
            rows = await connection.fetch(_EXPIRED, guild_id, since, now, days_since, most)
            going = [row["fact_id"] for row in rows]
            if not going:
                return 0
            await outlive(connection, guild_id, going)
            await retractions.detach_expired_facts(
                connection, guild_id, await with_replaced(connection, guild_id, going)
            )
            await delete_facts(connection, guild_id, going)
            self.changed(guild_id)
        return len(going)

    async def restate(self, connection: LogWrite, guild_id: int, texts: Mapping[Fact, str | None]) -> None:
        """Give facts another text, or none, and then they go."""
        if not texts:
            return
        await delete_facts(connection, guild_id, [fact.fact_id for fact, text in texts.items() if text is None])
        for fact, text in texts.items():
            if text is not None:
                # What its subject confirmed were other words.
                statement = """
                UPDATE facts SET text = $3,
                    standing = CASE WHEN standing = 'confirmed' AND text <> $3 THEN 'hearsay' ELSE standing END
                WHERE guild_id = $1 AND fact_id = $2
                """
                done = await connection.execute(statement, guild_id, fact.fact_id, text)
                if done != "UPDATE 0":  # it is gone with one that had taken its place
                    await learn_names(connection, replace(fact, text=text))
        self.changed(guild_id)

    @asynccontextmanager
    async def change(
        self, name: str, guild_id: int, at: datetime, *, said_in: int | None = None
    ) -> AsyncIterator[LedgerChange]:
        """Change the ledger in one transaction; on leaving, whoever listens is told.

        `said_in` is a reply of ours that will say what came of it: it is not taken back meanwhile.
        """
        async with log_transaction(self._database, name, guild_id) as log:
            yield LedgerChange(log, guild_id, at)
            self.changed(guild_id)
            await retractions.postpone_retraction(log, guild_id, said_in, at)

    def changed(self, guild_id: int) -> None:
        """Tell whoever listens that something was changed, when all of the change is done."""
        self.heard.ledger_changed(guild_id)
        self._on_changed()

    def _heard_by(self, audience: Audience, rows: Sequence[Record], started: float) -> list[Fact]:
        facts = [fact_of(row) for row in rows]
        sources = [one for row in rows for one in (row["message_id"], row["source_message_id"]) if one is not None]
        self.heard.note(audience, facts, sources, started)
        return facts


async def may_be_told_on(connection: Connection, source: Message) -> bool:
    """Ask, within the caller's transaction, whether a message may be stored as things stand."""
    known = await load_policy(connection, source.guild_id)
    return may_store(source, known.policy) is Verdict.ADMITTED
