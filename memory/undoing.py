"""Undoing what was done to the ledger: who may, for how long, and what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from memory.core.audience import Audience
from memory.core.audit import Deed
from memory.core.authority import Action, Actor, may
from memory.core.changes import (
    Change,
    ChangeKind,
    MayNotUndo,
    NothingToUndo,
    Obstacle,
    Stuck,
    Undone,
    UndoneInPart,
    UndoOutcome,
    audible,
    heard,
)
from memory.core.clock import Clock
from memory.core.settings import GuildSettings
from memory.health import Health
from memory.merging import Merging
from memory.store import about_others, changes, vetoes
from memory.store.audit import note_facts
from memory.store.changes import ChangeStore, Recorded
from memory.store.database import Connection, Database
from memory.store.facts import FactStore
from memory.store.log import log_transaction
from memory.store.owning import own_subjects, subjects_beside
from memory.store.reply_in_hand import keep_in_hand
from memory.store.told_changes import told_by
from memory.store.undoing import PutBack, put_back, take_out_hearsay

_TOLD_AGAIN = (ChangeKind.FORGOTTEN, ChangeKind.VETOED, ChangeKind.EDITED, ChangeKind.OPENED)
"""Undone, these leave what was told as it was told, to be undone, edited or denied like that.

What a telling had replaced has a line of its own.
"""

SettingsOf: TypeAlias = Callable[[int], Awaitable[GuildSettings]]


class Undoing:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        merging: Merging,
        settings: SettingsOf,
        clock: Clock,
        health: Health,
    ) -> None:
        self._database = database
        self._facts = facts
        self._merging = merging
        self._settings = settings
        self._clock = clock
        self._changes = ChangeStore(database)
        self._part = health.part("undo")
        self._part.active()

    async def change(self, guild_id: int, change_id: UUID) -> Change | None:
        """What was done; None once it cannot be undone any more."""
        return await self._changes.read(guild_id, change_id, self._clock.now())

    async def undo(
        self, guild_id: int, change_id: UUID, actor: Actor, audience: Audience, *, said_in: int | None = None
    ) -> UndoOutcome:
        """`audience` are those who will read what came of it: no more is told to them than they could hear.

        `said_in` is the message of ours that will say so.
        """
        rules = (await self._settings(guild_id)).facts
        now = self._clock.now()
        async with log_transaction(self._database, "undoing.undo", guild_id) as connection:
            recorded = await changes.read(connection, guild_id, change_id, now, to_undo=True)
            if recorded is None:
                return NothingToUndo()
            verdict = may(Action.UNDO, actor, recorded.change.matter, rules)
            if not verdict:
                return MayNotUndo(recorded.change.kind, verdict.who_may)
            done = await self._put_back(connection, recorded, actor, now)
            if done.back or done.gone or not done.stuck:
                await changes.remove(connection, guild_id, change_id)
            # Of what these readers could hear alone: whether there was more must not show.
            back = [fact.fact_id for fact in audible(done.back, audience)]
            told = await told_by(connection, guild_id, back, now) if recorded.change.kind in _TOLD_AGAIN else None
            await keep_in_hand(connection, guild_id, said_in, now)
        self._merging.wake()
        self._part.count("undone")
        return _outcome(recorded, done, audience, told)

    async def purge(self, now: datetime) -> int:
        """The words of changes whose day is over."""
        purged = await self._changes.purge(now)
        self._part.count("purged", purged)
        return purged

    async def _put_back(self, connection: Connection, recorded: Recorded, actor: Actor, now: datetime) -> PutBack:
        change = recorded.change
        subjects = {fact.subject_id for fact in (*change.before, *change.made)} | change.subjects
        owned = await own_subjects(
            connection, change.guild_id, await subjects_beside(connection, change.guild_id, subjects)
        )
        done = await put_back(connection, recorded)
        # What a member takes back of what another told of them is not for others to tell, here or elsewhere.
        for fact in [one for one in done.gone if one.subject_id == actor.user_id != one.teller_id]:
            await vetoes.veto(connection, change.guild_id, actor.user_id, fact.text, now)
            done.gone += await take_out_hearsay(connection, change.guild_id, actor.user_id, fact.text)
        await note_facts(connection, actor.user_id, Deed.UNDID, [*done.back, *done.gone], now)
        # What others said may not be told here any more since.
        owned |= await about_others.obey(connection, change.guild_id)
        await self._facts.rebuild(connection, change.guild_id, owned, now)
        return done


def _outcome(recorded: Recorded, done: PutBack, audience: Audience, told: UUID | None) -> UndoOutcome:
    kind = recorded.change.kind
    back, gone = heard(done.back, audience), heard(done.gone, audience)
    stuck = tuple(_told(one, audience) for one in done.stuck if one.fact is None or heard((one.fact,), audience))
    if not stuck:
        of_others = any(fact.subject_id not in (None, fact.teller_id) for fact in audible(done.back, audience))
        return Undone(kind, back, gone, told, is_about_others=of_others)
    if done.back or done.gone:
        return UndoneInPart(kind, back, gone, stuck)
    return NothingToUndo(stuck)


def _told(stuck: Stuck, audience: Audience) -> Stuck:
    """Why a fact stays as it is, without what its readers could not hear, and once the reason is that its words may not
    be kept, without them."""
    newer = stuck.newer if stuck.newer is not None and heard((stuck.newer,), audience) else None
    fact = stuck.fact if stuck.obstacle in (Obstacle.NEWER, Obstacle.VETOED) else None
    return replace(stuck, fact=fact, newer=newer)
