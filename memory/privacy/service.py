"""Carries out what members and managers decide about the log: consent, erasing, settings, retention, leaving."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from memory.audit import Deed, note, note_erasure
from memory.background import FairScheduler
from memory.channels import store as channels
from memory.core.clock import Clock
from memory.core.log_values import ErasureReport, Kind, OnProgress, Purged, Removal, untold
from memory.core.values import last_id_of
from memory.db.database import Connection, Database
from memory.db.errors import StoreError
from memory.db.table_declarations import Erasing
from memory.facts.enter import apply_policy
from memory.facts.ledger import FactStore
from memory.health import Health
from memory.language.word_caches import forget_words
from memory.leases import Leases, LeaseStore
from memory.log import reading
from memory.log.outage import RecentMessages
from memory.log.store import arrive_anew, closed_with_messages, drop_messages_of, log_transaction
from memory.people.store import GuildStore, name_again
from memory.places.service import PlaceMirror
from memory.policy import store as policy
from memory.policy.rules import Policy
from memory.policy.settings import (
    GuildSettings,
    SettingsChange,
    SettingsStore,
    changed,
    settings_to_change,
    would_go,
    write_settings,
)
from memory.policy.store import Policies
from memory.privacy import erase
from memory.privacy.erase import CHUNK, CHUNKS_IN_A_TURN, Erasure
from memory.summaries import store as days
from memory.summaries.make_store import detach_expired_facts

logger = logging.getLogger(__name__)

DAYS_AFTER_LEAVING = 7
FACTS_AT_ONCE = 200
"""Facts removed in one transaction: nobody can tell anything about those they are about meanwhile."""
EVERY_ID = ALL_CHUNKS = 2**63 - 1


Settled: TypeAlias = Callable[[int], Awaitable[None]]


class Privacy:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        policies: Policies,
        ring: RecentMessages,
        place_mirror: PlaceMirror,
        settled: Settled,
        clock: Clock,
        health: Health,
        unfinished: asyncio.Event,
        on_erased: Callable[[int], None],
    ) -> None:
        """`settled`: until what was said before in a guild is in the log. `unfinished`: set while
        something that was decided may not have been carried out to its end, which the purge does. `on_erased`: told
        when something of a member was taken out of a guild because they wanted it."""
        self._database = database
        self._place_mirror = place_mirror
        self._settled = settled
        self._facts = facts
        self._policies = policies
        self._ring = ring
        self._clock = clock
        self._erasure = Erasure(database, facts, clock, self._out_of_use)
        self._settings = SettingsStore(database)
        self._guilds = GuildStore(database)
        self._claims = Leases(LeaseStore(database), clock, health)
        self.purging = FairScheduler("purging")
        self.is_unfinished = unfinished
        """Waited for by whoever purges: what was decided holds, the rest should not wait long."""
        self._on_erased = on_erased
        self._followed: dict[int, int] = {}

    async def opt_out(self, guild_id: int, user_id: int, on_progress: OnProgress = untold) -> ErasureReport:
        """Store nothing of this member from now on, nor anything told about them, and remove what was stored. What they
        told of others stays told."""

        async def decide(connection: Connection) -> None:
            await policy.choose(connection, guild_id, user_id, "out", self._clock.now())

        values = {"guild": guild_id, "member": user_id, "through": EVERY_ID}
        async with self._finishing(guild_id):
            gone = await self._erasure.erase(Erasing.OPTING_OUT, guild_id, values, decide, on_progress)
        await self._erased(guild_id)
        return gone

    async def opt_in(self, guild_id: int, user_id: int) -> None:
        """Store a member from now on; what was said while they were not stored stays out."""
        now = self._clock.now()
        async with log_transaction(self._database, "privacy.opt_in", guild_id) as connection:
            if not await policy.choose(connection, guild_id, user_id, "in", now):
                await policy.forbid_through(connection, guild_id, [user_id], last_id_of(now), now)
            await name_again(connection, guild_id, user_id)
        await self._decided(guild_id)

    async def erase_member(
        self, guild_id: int, user_id: int, through_message_id: int, on_progress: OnProgress = untold
    ) -> ErasureReport:
        """Erase all that is kept of a member up to a message: what they said and told, and what was told of them."""
        values = {"guild": guild_id, "member": user_id, "through": through_message_id}

        async def decide(connection: Connection) -> None:
            now = self._clock.now()
            await policy.forbid_through(connection, guild_id, [user_id], through_message_id, now)
            messages = await erase.messages_in_all(connection, Erasing.MEMBER, values)
            await note_erasure(connection, guild_id, now, messages)

        async with self._finishing(guild_id):
            gone = await self._erasure.erase(Erasing.MEMBER, guild_id, values, decide, on_progress)
        await self._erased(guild_id)
        logger.info("member erased", extra={"guild_id": guild_id, "messages": gone.messages})
        return gone

    async def erase_channel(
        self, guild_id: int, channel_id: int, through_message_id: int, by: int, on_progress: OnProgress = untold
    ) -> ErasureReport:
        """Erase all that is kept of a channel and its threads up to a message: what was said and told in there.

        That this member had it erased stands in the audit log from the moment it is decided.
        """
        async with self._finishing(guild_id):
            gone = await self._erasure.of_channel(guild_id, channel_id, through_message_id, by, on_progress)
        await self._erased(guild_id)
        logger.info("channel erased", extra={"guild_id": guild_id, "messages": gone.messages})
        return gone

    async def erase_guild(self, guild_id: int, on_progress: OnProgress = untold) -> ErasureReport:
        """Erase all that is kept of a guild, which is about to be left. What was said until now stays out for good."""
        async with self._finishing(guild_id):
            gone = await self._erasure.of_guild(guild_id, on_progress)
        self._policies.forget(guild_id)
        self._ring.forget_guild(guild_id)
        forget_words()
        self._place_mirror.forget_decisions(guild_id)
        logger.info("guild erased", extra={"guild_id": guild_id, "messages": gone.messages})
        return gone

    async def settings(self, guild_id: int) -> GuildSettings:
        return await self._settings.of_guild(guild_id)

    async def follow(self, guild_ids: Collection[int]) -> None:
        """Take over, in memory, what another process decided, on the panel or for a program."""
        for guild_id, epoch, hall_role_id in await self._settings.decisions(guild_ids):
            if self._followed.get(guild_id) != epoch:
                self._place_mirror.hall_role(guild_id, hall_role_id, epoch)
                await self._decided(guild_id)
                self._followed[guild_id] = epoch

    async def would_remove(
        self, guild_id: int, change: Callable[[GuildSettings], GuildSettings], sources: Collection[int] | None = None
    ) -> Removal:
        """Count what a change of settings would remove. `sources` are the channels that whoever asks can read: they
        are told how much of those would go."""
        before = await self._settings.of_guild(guild_id)
        # In a thread: names of time zones may have to be read.
        after = await asyncio.to_thread(change, before)
        if after.log == before.log:
            return Removal()
        async with self._database.transaction("privacy.would_remove", readonly=True) as connection:
            return await would_go(connection, guild_id, after.log, self._clock.now(), sources)

    async def change_settings(
        self,
        guild_id: int,
        change: Callable[[GuildSettings], GuildSettings],
        by: int | None = None,
        sources: Collection[int] | None = None,
    ) -> SettingsChange:
        """Decide, knowing what was decided before; what may not be kept any longer goes. Who decides about the memory
        of others is written down. With `sources`, what went is counted in these channels alone."""
        announced: Removal | None = None
        async with log_transaction(self._database, "privacy.change_settings", guild_id) as connection:
            before = await settings_to_change(connection, guild_id)
            after = change(before)
            if by is not None and (after.log, after.facts) != (before.log, before.facts):
                announced = await would_go(connection, guild_id, after.log, self._clock.now(), sources)
                items = announced.messages + announced.facts
                await note(connection, guild_id, by, Deed.CHANGED_KEEPING, self._clock.now(), items=items)
            if by is not None and after.answers.persona != before.answers.persona:
                await note(connection, guild_id, by, Deed.CHANGED_PERSONA, self._clock.now())
            if after != before:
                await write_settings(connection, guild_id, after, self._clock.now())
                await days.forget_expired(connection, guild_id, self._clock.now())
                await channels.forget_expired(connection, guild_id, self._clock.now())
            if after.log != before.log:
                await reading.begin(connection, guild_id)  # ended where nothing more is found
            if after.facts != before.facts:
                await apply_policy(connection, guild_id)
                self._facts.changed(guild_id)
            epoch = await policy.epoch_of(connection, guild_id)
        await self._have_arrive_anew(guild_id, before.log.webhooks ^ after.log.webhooks)
        # As soon as that is decided; what goes may take longer.
        self._place_mirror.hall_role(guild_id, after.hall_role_id, epoch or 0)
        if after.log == before.log:
            return SettingsChange(before, after)
        await self._decided(guild_id)
        try:
            removed = await self._remove_what_may_not_stay(guild_id, self._clock.now())
            return SettingsChange(before, after, removed if sources is None or announced is None else announced)
        except StoreError:
            logger.warning("the next purge removes what may not stay", extra={"guild_id": guild_id})
            return SettingsChange(before, after, all_removed=False)

    async def leave_name_out(self, guild_id: int, user_id: int, name: str) -> bool:
        """Leave a name behind webhooks out for a member who opted out; False: they have not. Raises `NotASetting` where
        so many are left out that there is room for no more."""
        async with self._database.transaction("privacy.has_opted_out", readonly=True) as connection:
            if not await policy.opted_out_among(connection, guild_id, [user_id]):
                return False
        path = "log.names_left_out"

        def change(settings: GuildSettings) -> GuildSettings:
            return changed(settings, {path: [*settings.log.names_left_out, name]}, self._clock.now())

        await self.change_settings(guild_id, change, user_id)
        return True

    async def _have_arrive_anew(self, guild_id: int, webhooks: Collection[int]) -> None:
        """Have webhooks' messages arrive anew, some at a time. If it breaks off, the rest waits to be chosen again."""
        last: int | None = 0
        try:
            while webhooks and last is not None:
                async with log_transaction(self._database, "privacy.arrive_anew", guild_id) as connection:
                    last = await arrive_anew(connection, guild_id, webhooks, last, CHUNK)
        except StoreError:
            logger.warning("some messages of webhooks count as before", extra={"guild_id": guild_id})

    async def leave_guild(self, guild_id: int) -> None:
        """Note that we left a guild. Its data waits for the purge; what came after it was erased goes at once."""
        if not await self._guilds.leave(guild_id, self._clock.now()):
            await self._erasure.rest_of_guild(guild_id)

    async def purge(self, now: datetime) -> Purged:
        """Remove, every hour, what is older than its guild keeps, what may not be stored, and guilds we left.

        By any process, each guild by one at a time. A guild of which much has to go gives way to the others again and
        again; one that fails is passed over, for the next time.
        """
        since = now - timedelta(days=DAYS_AFTER_LEAVING)
        steps: dict[int, Callable[[], Awaitable[Purged]]] = {}
        steps |= {one: partial(self._purge_present, one, now) for one in await self._guilds.present()}
        # What was under way when it was erased may have been written down afterwards.
        steps |= {one: partial(self._purge_erased, one) for one in await self._guilds.erased()}
        steps |= {one: partial(self._purge_left, one, since) for one in await self._guilds.left_before(since)}
        purged, more = Purged(), list(steps)

        async def take(guild_id: int) -> None:
            nonlocal purged
            async with self._claims.held(guild_id, "purge") as claim:
                gone = Purged() if claim is None else await steps[guild_id]()
            if gone != Purged():
                purged += gone
                more.append(guild_id)

        while due := more:
            more = []
            await self.purging.round(due, take)
            purged += Purged(failed=self.purging.failed)
        self.purging.begin(())
        if not purged.failed:
            self.is_unfinished.clear()
        logger.info("purged", extra=asdict(purged))
        return purged

    async def _purge_present(self, guild_id: int, now: datetime) -> Purged:
        yesterday = now - timedelta(days=1)
        async with self._database.transaction("privacy.purge.notes", readonly=True) as connection:
            notes = await erase.notes_in_vain(connection, guild_id, last_id_of(yesterday))
        async with log_transaction(self._database, "privacy.purge.horizon", guild_id) as connection:
            await policy.advance_horizon(connection, guild_id, now)
            await erase.forget_notes(connection, guild_id, notes)
            await days.forget_expired(connection, guild_id, now)
            await channels.forget_expired(connection, guild_id, now)
        await self._decided(guild_id)
        removed = await self._remove_what_may_not_stay(guild_id, now, CHUNKS_IN_A_TURN)
        return Purged(messages=removed.messages, facts=removed.facts)

    async def _purge_erased(self, guild_id: int) -> Purged:
        return Purged(messages=(await self._erasure.rest_of_guild(guild_id))[Kind.MESSAGES])

    async def _purge_left(self, guild_id: int, since: datetime) -> Purged:
        left = await self._erasure.of_left_guild(guild_id, since)
        if left is None:
            return Purged()
        self._policies.forget(guild_id)
        self._ring.forget_guild(guild_id)
        gone, is_all = left
        return Purged(messages=gone[Kind.MESSAGES], guilds=int(is_all))

    async def _remove_what_may_not_stay(self, guild_id: int, now: datetime, most: int = ALL_CHUNKS) -> Removal:
        """Remove some messages and facts at a time: if it breaks off or reaches its limit, the next purge goes on."""
        messages = facts = 0
        for _ in range(most):
            if not (chunk := await self._remove_chunk(guild_id)):
                break
            messages += chunk
        for _ in range(most):
            if not (chunk := await self._facts.forget_expired(guild_id, now, FACTS_AT_ONCE, detach_expired_facts)):
                break
            facts += chunk
        return Removal(messages, facts)

    async def _remove_chunk(self, guild_id: int) -> int:
        """Remove a chunk of messages. Facts outlive their messages' retention: somebody asked for them to be kept."""
        async with log_transaction(self._database, "privacy.remove", guild_id) as connection:
            known = await self._policies.refresh(connection, guild_id)
            if await reading.is_marked(connection, guild_id):
                closed = await closed_with_messages(connection, guild_id)
                if closed:
                    return await drop_messages_of(connection, guild_id, closed, CHUNK)
            if known == Policy():
                await reading.end_all(connection, guild_id)
                return 0  # nothing was ever decided here, so nothing needs to be looked for
            expired = 0
            if known.keep_since is not None:
                last_expired_id = last_id_of(known.keep_since) - (1 << 22)
                expired = await erase.remove_expired(connection, guild_id, last_expired_id, CHUNK)
            if expired:
                return expired
            ids = await erase.not_admitted(connection, guild_id, CHUNK)
            await self._erasure.delete_with_facts(connection, guild_id, ids)
            if not ids:
                await reading.end_all(connection, guild_id)
        return len(ids)

    @asynccontextmanager
    async def _finishing(self, guild_id: int) -> AsyncIterator[None]:
        """Wait for what was said before, and have the purge finish what breaks off."""
        await self._settled(guild_id)
        try:
            yield
        except BaseException:
            self.is_unfinished.set()
            raise

    async def _erased(self, guild_id: int) -> None:
        await self._out_of_use(guild_id)
        self._on_erased(guild_id)

    async def _out_of_use(self, guild_id: int) -> None:
        """Put what was erased out of use in this process; the store sees to the others."""
        await self._decided(guild_id)
        forget_words()

    async def _decided(self, guild_id: int) -> None:
        """Have what lies in memory follow the policy. The decision is made: a failure here does not undo it."""
        self._policies.forget(guild_id)
        try:
            async with self._database.transaction("privacy.decided", readonly=True) as connection:
                await self._policies.refresh(connection, guild_id)
        except StoreError:
            logger.info("could not refresh a guild's policy; the next batch reads it", extra={"guild_id": guild_id})
