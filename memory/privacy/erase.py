"""Erases a member, a channel or a guild: the decision and all that was derived at once, then the messages in parts.

The first transaction holds what keeps it out from then on, takes everything away that was made of it, and with it the
first messages; a small erasure is done then. If a large one breaks off later, the next purge finds the messages that
are left, because they may not be stored any more.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from datetime import datetime

from memory.audit import Deed, note
from memory.core.clock import Clock
from memory.core.log_values import ErasureReport, Kind, OnProgress, erasure_report, untold
from memory.core.values import Fact, last_id_of
from memory.db.database import Connection, Database, LogWrite
from memory.db.table_declarations import (
    Erasing,
    InParts,
    Statement,
    TableDeclaration,
    Unsaid,
    in_order,
    statement_of,
    unnaming,
    written,
)
from memory.fact_rows import SELECT, fact_of
from memory.facts.ledger import FactStore
from memory.log import reading
from memory.log.store import log_transaction, threads_of
from memory.people.store import leave_for_good
from memory.policy import store as policy
from memory.policy.rules import WHOLE_GUILD, Verdict
from memory.policy.store import REFUSALS, Refusal, any_of, refusals_but_for
from memory.privacy.tables import ALL_TABLES
from memory.recall.index_store import TABLES as INDEXED

# Taking people, channels, old messages and whole guilds out of the store, as its tables declare what that means.


def _plan(erasing: Erasing) -> tuple[tuple[TableDeclaration, Statement], ...]:
    found = ((held, statement_of(held, erasing)) for held in in_order(ALL_TABLES, erasing))
    return tuple((held, statement) for held, statement in found if statement is not None)


_PLANS = {erasing: _plan(erasing) for erasing in Erasing}
_UNNAMING = {erasing: unnaming(ALL_TABLES, erasing) for erasing in Erasing}


def _conditions(fate: type[InParts] | type[Unsaid]) -> dict[Erasing, str]:
    found = ((erasing, held.fate(erasing)) for erasing in Erasing for held in ALL_TABLES)
    return {erasing: meant.where for erasing, meant in found if isinstance(meant, fate)}


WITH_THE_LOG = ("chat_history", "guilds", *(held.table for held in INDEXED))
"""Too much for one statement, of a guild that goes as a whole: some messages at a time, and last the guild."""

_MESSAGES = _conditions(InParts)
_FACTS = _conditions(Unsaid)


async def carry_out(
    connection: LogWrite, erasing: Erasing, values: Mapping[str, object], *, spare: Collection[str] = ()
) -> None:
    """Erase all that is declared, but for messages that go in parts, facts, and tables that are spared for now."""
    if erasing is Erasing.GUILD:
        await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('index', $1))", values["guild"])
    for held, statement in _PLANS[erasing]:
        if held.table not in spare:
            await connection.execute(statement.sql, *statement.arguments(values))


async def unname(connection: Connection, erasing: Erasing, values: Mapping[str, object]) -> None:
    """Take a member out of rows that stay, within the caller's transaction, when it is known what went."""
    for statement in _UNNAMING[erasing]:
        await connection.execute(statement.sql, *statement.arguments(values))


async def facts_meant(connection: Connection, erasing: Erasing, values: Mapping[str, object]) -> list[Fact]:
    """Find the facts that have to go: for the ledger, never for telling."""
    meant = written(f"{SELECT} WHERE guild_id = $1 AND ({_FACTS[erasing]}) ORDER BY fact_id")
    return [fact_of(row) for row in await connection.fetch(meant.sql, *meant.arguments(values))]


async def messages_in_all(connection: Connection, erasing: Erasing, values: Mapping[str, object]) -> int:
    """Count the messages that have to go."""
    where = _MESSAGES.get(erasing, "true")
    counted = written(f"SELECT count(*) FROM chat_history WHERE guild_id = $1 AND {where}")  # noqa: S608 - declared
    number: int = await connection.fetchval(counted.sql, *counted.arguments(values))
    return number


async def next_messages(
    connection: Connection, erasing: Erasing, values: Mapping[str, object], after: int, most: int
) -> list[int]:
    """Find the first messages to erase behind a message, in the order of their ids."""
    where = _MESSAGES.get(erasing, "true")
    meant = written(
        f"SELECT message_id FROM chat_history WHERE guild_id = $1 AND {where} AND message_id > {{after}}"  # noqa: S608 - declared
        " ORDER BY message_id LIMIT {most}"
    )
    rows = await connection.fetch(meant.sql, *meant.arguments({**values, "after": after, "most": most}))
    return [row["message_id"] for row in rows]


OUR_REPLIES = "chat_history WHERE guild_id = $1 AND author_kind = 'self' AND reply_to = ANY ($2)"


async def delete_with_replies(connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> int:
    """Delete messages, and our own replies to them; give how many of the messages were not ours.

    What others wrote is kept out by the policy; our replies leave tombstones, since they are still there on Discord.
    """
    ids = list(message_ids)
    await connection.execute(
        f"""
        WITH replies AS (
            DELETE FROM {OUR_REPLIES} AND message_id <> ALL ($2) RETURNING message_id, channel_id
        )
        INSERT INTO tombstones (guild_id, message_id, channel_id)
        SELECT $1, message_id, channel_id FROM replies ON CONFLICT DO NOTHING
        """,  # noqa: S608 - made of constants
        guild_id,
        ids,
    )
    others: int = await connection.fetchval(
        "SELECT count(*) FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2) AND author_kind <> 'self'",
        guild_id,
        ids,
    )
    await carry_out(connection, Erasing.MESSAGE, {"guild": guild_id, "messages": ids})
    return others


async def gone_so_far(connection: Connection) -> Counter[str]:
    """Count rows by table that the caller's transaction deleted, by whatever way: a statement, a key or a trigger.

    What was before it may be in it too, so only the difference of two such counts says something.
    """
    # Receipts are not deleted but marked: they go when the reply has been taken back.
    rows = await connection.fetch(
        """
        SELECT relname, n_tup_del + CASE WHEN relname = 'receipts' THEN n_tup_upd ELSE 0 END AS gone
        FROM pg_stat_xact_user_tables WHERE schemaname = current_schema()
        """
    )
    return Counter({row["relname"]: row["gone"] for row in rows})


def by_kind(gone: Counter[str], known: Counter[Kind]) -> Counter[Kind]:
    """Sum rows that went as what a receipt counts them as. `known` says which messages and facts were meant; the other
    ones are our own replies, and what those facts had replaced."""
    kinds = known.copy()
    for held in ALL_TABLES:
        if held.counted is not None:
            kinds[held.counted] += gone[held.table]
    kinds[Kind.REPLIES] += gone["chat_history"] - known[Kind.MESSAGES]
    kinds[Kind.FACTS_REPLACED] += gone["facts"] - known[Kind.FACTS_TOLD] - known[Kind.FACTS_ABOUT]
    return kinds


async def remove_expired(connection: LogWrite, guild_id: int, last_expired_id: int, limit: int) -> int:
    """Delete up to `limit` messages from before the horizon."""
    removed = await _deleted(
        connection,
        f"chat_history WHERE guild_id = $1 AND message_id IN ({EXPIRED})",
        guild_id,
        limit,
        last_expired_id + (1 << 22),  # of the same millisecond, too
    )
    # An id tells its time; a note of a message from before the horizon waits for it in vain.
    await _deleted(connection, "addressed WHERE guild_id = $1 AND message_id <= $2", guild_id, last_expired_id)
    await _deleted(
        connection,
        "receipts WHERE guild_id = $1 AND asked_in <= $2 AND take_back_at IS NULL",
        guild_id,
        last_expired_id,
    )
    return removed


async def not_admitted(connection: LogWrite, guild_id: int, limit: int) -> list[int]:
    """Find stored messages that may be stored no longer, but for those from before the horizon."""
    return [row["message_id"] for row in await connection.fetch(NOT_ADMITTED, guild_id, limit)]


async def notes_in_vain(connection: Connection, guild_id: int, last_id: int) -> list[int]:
    """Find the notes up to a message whose message has not come."""
    # Asked in this form it looks for each of the few notes; as a join it might read the whole log.
    rows = await connection.fetch(
        """
        SELECT message_id FROM addressed AS note WHERE guild_id = $1 AND message_id <= $2 AND (
            SELECT true FROM chat_history AS said
            WHERE said.guild_id = $1 AND said.message_id = note.message_id) IS NULL
        """,
        guild_id,
        last_id,
    )
    return [row["message_id"] for row in rows]


async def forget_notes(connection: LogWrite, guild_id: int, notes: Collection[int]) -> None:
    """Delete these notes if their message has not come by now: it never will be stored."""
    await _deleted(
        connection,
        """addressed AS note WHERE guild_id = $1 AND message_id = ANY ($2) AND NOT EXISTS (
            SELECT 1 FROM chat_history c WHERE c.guild_id = $1 AND c.message_id = note.message_id)""",
        guild_id,
        list(notes),
    )


async def is_left_for_good(connection: Connection, guild_id: int, since: datetime) -> bool:
    """Say whether we left a guild before then; it stays so until the transaction ends, even if we come back now."""
    left: bool | None = await connection.fetchval(
        "SELECT left_at < $2 FROM guilds WHERE guild_id = $1 FOR UPDATE", guild_id, since
    )
    return bool(left)


async def _deleted(connection: Connection, rest: str, *values: object) -> int:
    done = await connection.execute(f"DELETE FROM {rest}", *values)  # noqa: S608 - `rest` is ours
    return int(done.split()[-1])


# An id tells its time, and is what the log is ordered by.
EXPIRED = f"""
SELECT message_id FROM chat_history AS arrived
WHERE guild_id = $1 AND message_id <= $3 AND {any_of(REFUSALS[Verdict.TOO_OLD])}
ORDER BY message_id LIMIT $2
"""  # noqa: S608 - made of constants

# From one entry of the index by author to the next. That it begins with a decision keeps it from being done in vain.
_AUTHORS = """
WITH RECURSIVE one AS (
    (SELECT min(author_id) AS user_id FROM chat_history WHERE guild_id = decided.guild_id)
    UNION ALL
    SELECT (SELECT min(author_id) FROM chat_history WHERE guild_id = $1 AND author_id > one.user_id)
    FROM one WHERE one.user_id IS NOT NULL
)
SELECT user_id FROM one WHERE user_id IS NOT NULL
"""


def _found(refusal: Refusal) -> Iterator[str]:
    """Write a query for each decision that finds the first messages it keeps out."""
    decided, by_author = refusal.decided, ""
    if refusal.of_author:
        decided = f"{decided} CROSS JOIN LATERAL ({_AUTHORS}) AS author"
        by_author = "arrived.author_id = author.user_id AND "
    for condition in refusal.meets:
        yield f"""
    SELECT found.message_id FROM {decided} CROSS JOIN LATERAL (
        SELECT message_id FROM chat_history AS arrived WHERE guild_id = $1 AND {by_author}{condition}
        ORDER BY message_id LIMIT $2
    ) AS found WHERE {refusal.of_author or "true"}"""  # noqa: S608 - made of constants


# The rule is asked of a message, so it would read every one of them. What it refuses is found here by what was
# decided: whose words, which channels. The members of a guild are few, and so are its decisions.
_BY_DECISION = [way for one in refusals_but_for(Verdict.TOO_OLD, Verdict.ANSWER) for way in _found(one)]
NOT_ADMITTED = f"SELECT message_id FROM ({' UNION '.join(_BY_DECISION)}) AS due LIMIT $2"  # noqa: S608 - made of constants


CHUNK = 5_000
"""Messages removed in one transaction, so that new ones need not wait long."""
CHUNKS_IN_A_TURN = 4
"""So many go in a row while other guilds wait."""

Decide = Callable[[Connection], Awaitable[None]]
Values = Mapping[str, object]


class Erasure:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        clock: Clock,
        on_decided: Callable[[int], Awaitable[None]],
        chunk: int = CHUNK,
    ) -> None:
        """`on_decided` is told of a guild as soon as something still there may not be told any more."""
        self._database = database
        self._facts = facts
        self._clock = clock
        self._chunk = chunk
        self._on_decided = on_decided

    async def of_channel(
        self, guild_id: int, channel_id: int, through: int, by: int, on_progress: OnProgress = untold
    ) -> ErasureReport:
        """Erase what was said and told in a channel and its threads, and write down who had it erased."""
        values: dict[str, object] = {"guild": guild_id, "through": through}

        async def decide(connection: Connection) -> None:
            now = self._clock.now()
            await policy.empty_through(connection, guild_id, channel_id, through, now)
            values["channels"] = await threads_of(connection, guild_id, channel_id)
            items = await messages_in_all(connection, Erasing.CHANNEL, values)
            await note(connection, guild_id, by, Deed.ERASED_CHANNEL, now, channel_id=channel_id, items=items)

        return await self.erase(Erasing.CHANNEL, guild_id, values, decide, on_progress)

    async def of_guild(self, guild_id: int, on_progress: OnProgress = untold) -> ErasureReport:
        """Erase everything but what members and managers decided about being stored."""
        async with log_transaction(self._database, "erasure.guild", guild_id) as connection:
            now = self._clock.now()
            await policy.empty_through(connection, guild_id, WHOLE_GUILD, last_id_of(now), now)
            await leave_for_good(connection, guild_id)
            in_all = await messages_in_all(connection, Erasing.GUILD, {"guild": guild_id})
            counts = await self._forget(connection, guild_id, spare=WITH_THE_LOG)
            await reading.begin(connection, guild_id)  # the mark goes with the guild's row
        await self._on_decided(guild_id)
        done = 0
        while True:
            async with log_transaction(self._database, "erasure.guild.part", guild_id) as connection:
                gone = await self._drop_messages(connection, guild_id)
            counts += gone
            done += gone.total()
            if gone.total() < self._chunk:
                break
            await on_progress(done, in_all)
        return erasure_report(counts + await self.rest_of_guild(guild_id))

    async def of_left_guild(self, guild_id: int, since: datetime) -> tuple[Counter[Kind], bool] | None:
        """Erase some of a guild that was left before then; say how much of each kind went, and whether all is gone.
        None, if we have come back meanwhile.

        It may break off anywhere: what is left is true of fewer messages then. How far each channel has been read is
        forgotten first, so that if we come back in the middle, what went is read again.
        """
        async with log_transaction(self._database, "erasure.left.part", guild_id) as connection:
            if not await is_left_for_good(connection, guild_id, since):
                return None
            counts = await self._forget(connection, guild_id, spare=WITH_THE_LOG)
            counts += await self._drop_messages(connection, guild_id)
            is_all = counts[Kind.MESSAGES] + counts[Kind.REPLIES] < self._chunk
            return counts + (await self._forget(connection, guild_id) if is_all else Counter()), is_all

    async def rest_of_guild(self, guild_id: int) -> Counter[Kind]:
        """Erase whatever there is of a guild by now, in one transaction; say how much of each kind."""
        async with log_transaction(self._database, "erasure.guild.rest", guild_id) as connection:
            return await self._forget(connection, guild_id)

    async def _drop_messages(self, connection: Connection, guild_id: int) -> Counter[Kind]:
        """Delete some messages of a guild that goes as a whole, with what the index holds of them."""
        rows = await connection.fetch(
            """
            DELETE FROM chat_history WHERE guild_id = $1 AND message_id IN (
                SELECT message_id FROM chat_history WHERE guild_id = $1 ORDER BY message_id LIMIT $2)
            RETURNING author_kind = 'self' AS is_ours
            """,
            guild_id,
            self._chunk,
        )
        return Counter(Kind.REPLIES if row["is_ours"] else Kind.MESSAGES for row in rows)

    async def _forget(self, connection: LogWrite, guild_id: int, spare: tuple[str, ...] = ()) -> Counter[Kind]:
        before = await gone_so_far(connection)
        await carry_out(connection, Erasing.GUILD, {"guild": guild_id}, spare=spare)
        gone = await gone_so_far(connection) - before
        return by_kind(gone, Counter({Kind.MESSAGES: gone["chat_history"], Kind.FACTS_TOLD: gone["facts"]}))

    async def delete_with_facts(self, connection: LogWrite, guild_id: int, message_ids: list[int]) -> Counter[Kind]:
        """Delete messages with our replies and the facts taken from them; facts that were told in them stay."""
        values: Values = {"guild": guild_id, "messages": message_ids}
        facts = await facts_meant(connection, Erasing.MESSAGE, values)
        await self._facts.restate(connection, guild_id, dict.fromkeys(facts))
        messages = await delete_with_replies(connection, guild_id, message_ids)
        return Counter({Kind.MESSAGES: messages, Kind.FACTS_ABOUT: len(facts)})

    async def erase(
        self, erasing: Erasing, guild_id: int, values: Values, decide: Decide, on_progress: OnProgress
    ) -> ErasureReport:
        """Decide, and erase what the `values` name."""
        async with log_transaction(self._database, f"erasure.{erasing}", guild_id) as connection:
            await decide(connection)
            in_all = await messages_in_all(connection, erasing, values)
            before = await gone_so_far(connection)
            known = await self._unsay(connection, erasing, guild_id, values)
            await carry_out(connection, erasing, values)
            ids = await next_messages(connection, erasing, values, -1, self._chunk)
            known += await self.delete_with_facts(connection, guild_id, ids)
            counts = by_kind(await gone_so_far(connection) - before, known)
            await unname(connection, erasing, values)
            if len(ids) < self._chunk:
                return erasure_report(counts)
            mark = await reading.begin(connection, guild_id)
        await self._on_decided(guild_id)
        while len(ids) == self._chunk:
            await on_progress(counts[Kind.MESSAGES], in_all)
            async with log_transaction(self._database, f"erasure.{erasing}.part", guild_id) as connection:
                before = await gone_so_far(connection)
                ids = await next_messages(connection, erasing, values, ids[-1], self._chunk)
                known = await self.delete_with_facts(connection, guild_id, ids)
                counts += by_kind(await gone_so_far(connection) - before, known)
                if len(ids) < self._chunk:
                    await reading.end(connection, guild_id, mark)
        return erasure_report(counts)

    async def _unsay(self, connection: LogWrite, erasing: Erasing, guild_id: int, values: Values) -> Counter[Kind]:
        facts = await facts_meant(connection, erasing, values)
        await self._facts.restate(connection, guild_id, dict.fromkeys(facts))
        told = sum(fact.teller_id == values.get("member", fact.teller_id) for fact in facts)
        return Counter({Kind.FACTS_TOLD: told, Kind.FACTS_ABOUT: len(facts) - told})
