"""Erasing a member, a channel or a guild: the decision and all that was derived at once, then the messages in parts.

The first transaction holds what keeps it out from then on, takes everything away that was made of it, and with it the
first messages; a small erasure is done then. If a large one breaks off later, the next purge finds the messages that
are left, because they may not be stored any more.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from memory.audit import Deed, note
from memory.core.clock import Clock
from memory.core.log_values import ErasureProgress, ErasureReport, Kind, OnProgress, erasure_report
from memory.core.values import last_id_of
from memory.db.database import Connection, Database
from memory.db.retention_declarations import Erasing
from memory.facts.ledger import FactStore
from memory.log import reading
from memory.log.store import log_transaction, threads_of
from memory.people.store import leave_for_good
from memory.policy import store as policy
from memory.policy.rules import WHOLE_GUILD
from memory.store import removal

CHUNK = 5_000
"""Messages removed in one transaction, so that new ones need not wait long."""

Decide = Callable[[Connection], Awaitable[None]]
Values = Mapping[str, object]


class Erasure:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        clock: Clock,
        chunk: int = CHUNK,
        on_decided: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        """`on_decided` is told of a guild as soon as something of it may not be told any more, and is still there."""
        self._database = database
        self._facts = facts
        self._clock = clock
        self._chunk = chunk
        self._on_decided = on_decided

    async def of_member(
        self,
        erasing: Erasing,
        guild_id: int,
        user_id: int,
        through: int,
        decide: Decide,
        on_progress: OnProgress | None = None,
    ) -> ErasureReport:
        """Of somebody who is erased, or opts out."""
        values = {"guild": guild_id, "member": user_id, "through": through}
        return await self._erase(erasing, guild_id, values, decide, on_progress)

    async def of_channel(
        self, guild_id: int, channel_id: int, through: int, by: int, on_progress: OnProgress | None = None
    ) -> ErasureReport:
        """A channel with its threads: what was said and told in there. Who had it erased is written down with it."""
        values: dict[str, object] = {"guild": guild_id, "through": through}

        async def decide(connection: Connection) -> None:
            now = self._clock.now()
            await policy.empty_through(connection, guild_id, channel_id, through, now)
            values["channels"] = await threads_of(connection, guild_id, channel_id)
            items = await removal.messages_in_all(connection, Erasing.CHANNEL, values)
            await note(connection, guild_id, by, Deed.ERASED_CHANNEL, now, channel_id=channel_id, items=items)

        return await self._erase(Erasing.CHANNEL, guild_id, values, decide, on_progress)

    async def of_guild(self, guild_id: int, on_progress: OnProgress | None = None) -> ErasureReport:
        """Everything but what members and managers decided about being stored."""
        async with log_transaction(self._database, "erasure.guild", guild_id) as connection:
            now = self._clock.now()
            await policy.empty_through(connection, guild_id, WHOLE_GUILD, last_id_of(now), now)
            await leave_for_good(connection, guild_id)
            in_all = await removal.messages_in_all(connection, Erasing.GUILD, {"guild": guild_id})
            counts = await self._forget(connection, guild_id, spare=removal.WITH_THE_LOG)
            await reading.begin(connection, guild_id)  # the mark goes with the guild's row
        await self._decided(guild_id)
        done = 0
        while True:
            async with log_transaction(self._database, "erasure.guild.part", guild_id) as connection:
                gone, others = await removal.drop_messages(connection, guild_id, self._chunk)
            counts += Counter({Kind.MESSAGES: others, Kind.REPLIES: gone - others})
            done += gone
            if gone < self._chunk:
                break
            await _report(on_progress, done, in_all)
        return erasure_report(counts + await self.rest_of_guild(guild_id))

    async def of_left_guild(self, guild_id: int, since: datetime) -> Counter[Kind] | None:
        """A guild that was left before then: how much of each kind went. None, if we have come back meanwhile.

        It may break off anywhere: what is left is true of fewer messages then. How far each channel has been read is
        forgotten first, so that if we come back in the middle, what went is read again.
        """
        counts: Counter[Kind] = Counter()
        is_begun = is_emptied = False
        while not is_emptied:
            async with log_transaction(self._database, "erasure.left.part", guild_id) as connection:
                if not await removal.is_left_for_good(connection, guild_id, since):
                    return None
                if not is_begun:
                    counts += await self._forget(connection, guild_id, spare=removal.WITH_THE_LOG)
                    is_begun = True
                gone, others = await removal.drop_messages(connection, guild_id, self._chunk)
                counts += Counter({Kind.MESSAGES: others, Kind.REPLIES: gone - others})
                is_emptied = gone < self._chunk
                if is_emptied:
                    counts += await self._forget(connection, guild_id)
        return counts

    async def rest_of_guild(self, guild_id: int) -> Counter[Kind]:
        """Whatever there is of a guild by now, in one transaction; how much of each kind."""
        async with log_transaction(self._database, "erasure.guild.rest", guild_id) as connection:
            return await self._forget(connection, guild_id)

    async def _forget(self, connection: Connection, guild_id: int, spare: tuple[str, ...] = ()) -> Counter[Kind]:
        before = await removal.gone_so_far(connection)
        await removal.carry_out(connection, Erasing.GUILD, {"guild": guild_id}, spare=spare)
        gone = await removal.gone_so_far(connection) - before
        return removal.by_kind(gone, Counter({Kind.MESSAGES: gone["chat_history"], Kind.FACTS_TOLD: gone["facts"]}))

    async def take_out(self, connection: Connection, guild_id: int, message_ids: list[int]) -> Counter[Kind]:
        """Within the transaction of a caller who owns the log: messages with our replies and the facts that were
        taken from them; facts that were told in them stay."""
        values: Values = {"guild": guild_id, "messages": message_ids}
        facts = await removal.facts_meant(connection, Erasing.MESSAGE, values)
        await self._facts.restate(connection, guild_id, dict.fromkeys(facts), self._clock.now())
        messages = await removal.take_out(connection, guild_id, message_ids)
        return Counter({Kind.MESSAGES: messages, Kind.FACTS_ABOUT: len(facts)})

    async def _erase(
        self, erasing: Erasing, guild_id: int, values: Values, decide: Decide, on_progress: OnProgress | None
    ) -> ErasureReport:
        async with log_transaction(self._database, f"erasure.{erasing}", guild_id) as connection:
            await decide(connection)
            in_all = await removal.messages_in_all(connection, erasing, values)
            before = await removal.gone_so_far(connection)
            known = await self._unsay(connection, erasing, guild_id, values)
            await removal.carry_out(connection, erasing, values)
            ids = await removal.next_messages(connection, erasing, values, -1, self._chunk)
            known += await self.take_out(connection, guild_id, ids)
            counts = removal.by_kind(await removal.gone_so_far(connection) - before, known)
            await removal.unname(connection, erasing, values)
            if len(ids) < self._chunk:
                return erasure_report(counts)
            mark = await reading.begin(connection, guild_id)
        await self._decided(guild_id)
        while len(ids) == self._chunk:
            await _report(on_progress, counts[Kind.MESSAGES], in_all)
            async with log_transaction(self._database, f"erasure.{erasing}.part", guild_id) as connection:
                before = await removal.gone_so_far(connection)
                ids = await removal.next_messages(connection, erasing, values, ids[-1], self._chunk)
                known = await self.take_out(connection, guild_id, ids)
                counts += removal.by_kind(await removal.gone_so_far(connection) - before, known)
                if len(ids) < self._chunk:
                    await reading.end(connection, guild_id, mark)
        return erasure_report(counts)

    async def _decided(self, guild_id: int) -> None:
        if self._on_decided is not None:
            await self._on_decided(guild_id)

    async def _unsay(self, connection: Connection, erasing: Erasing, guild_id: int, values: Values) -> Counter[Kind]:
        facts = await removal.facts_meant(connection, erasing, values)
        await self._facts.restate(connection, guild_id, dict.fromkeys(facts), self._clock.now())
        told = sum(fact.teller_id == values.get("member", fact.teller_id) for fact in facts)
        return Counter({Kind.FACTS_TOLD: told, Kind.FACTS_ABOUT: len(facts) - told})


async def _report(on_progress: OnProgress | None, messages: int, in_all: int) -> None:
    if on_progress is not None:
        await on_progress(ErasureProgress(messages, in_all))
