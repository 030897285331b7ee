"""Undoing what was done to the ledger: who may, for how long, and what came of it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.audit import Deed, note_facts
from memory.core.changes import (
    Change,
    ChangedSince,
    ChangeKind,
    MayNotUndo,
    NothingToUndo,
    Undone,
    UndoOutcome,
    audible,
    heard,
)
from memory.core.clock import Clock
from memory.core.values import Fact
from memory.db.database import Connection, Database
from memory.fact_rows import SELECT, fact_of
from memory.health import Health
from memory.merging import Merging
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, may
from memory.store import about_others, changes, vetoes
from memory.store.changes import ChangeStore
from memory.store.entering import same_hearsay
from memory.store.facts import FactStore
from memory.store.log import log_transaction
from memory.store.owning import own_subjects, subjects_beside
from memory.store.reply_in_hand import keep_in_hand
from memory.store.undoing import put_back

_TOLD_AGAIN = (ChangeKind.FORGOTTEN, ChangeKind.VETOED, ChangeKind.EDITED, ChangeKind.OPENED)
"""Undone, these leave what was told as it was told, to be undone, edited or denied like that.

What a telling had replaced has a line of its own.
"""


class Undoing:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        merging: Merging,
        clock: Clock,
        health: Health,
    ) -> None:
        self._database = database
        self._facts = facts
        self._merging = merging
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
        now = self._clock.now()
        async with log_transaction(self._database, "undoing.undo", guild_id) as connection:
            recorded = await changes.read(connection, guild_id, change_id, now, to_undo=True)
            if recorded is None:
                return NothingToUndo()
            rules = await about_others.rules_of(connection, guild_id)
            verdict = may(Action.UNDO, actor, recorded.change.matter, rules)
            if not verdict:
                return MayNotUndo(verdict.who_may)
            owned = await _own(connection, recorded.change)
            gone = await put_back(connection, recorded, audience)
            if isinstance(gone, ChangedSince):
                return gone
            await changes.remove(connection, guild_id, change_id)
            gone += await _veto(connection, gone, actor.user_id, now)
            # What others said may not be told here any more since.
            owned |= await about_others.obey(connection, guild_id)
            back = await _holding(connection, guild_id, [fact.fact_id for fact in recorded.change.before])
            await note_facts(connection, actor.user_id, Deed.UNDID, [*back, *gone], now)
            await self._facts.rebuild(connection, guild_id, owned, now)
            outcome = await _undone(connection, recorded.change, back, gone, audience, now)
            await keep_in_hand(connection, guild_id, said_in, now)
        self._merging.wake()
        self._part.count("undone")
        return outcome

    async def purge(self, now: datetime) -> int:
        """The words of changes whose day is over."""
        purged = await self._changes.purge(now)
        self._part.count("purged", purged)
        return purged


async def _own(connection: Connection, change: Change) -> frozenset[int]:
    subjects = {fact.subject_id for fact in (*change.before, *change.made)} | change.subjects
    return await own_subjects(connection, change.guild_id, await subjects_beside(connection, change.guild_id, subjects))


async def _veto(connection: Connection, gone: Sequence[Fact], user_id: int, now: datetime) -> list[Fact]:
    """What a member takes back of what another told of them is not for others to tell, here or elsewhere; what went
    for that."""
    went: list[Fact] = []
    for fact in [one for one in gone if one.subject_id == user_id != one.teller_id]:
        await vetoes.veto(connection, fact.guild_id, user_id, fact.text, now)
        same = await same_hearsay(connection, fact.guild_id, user_id, fact.text)
        ids = [one.fact_id for one in same]
        await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", fact.guild_id, ids)
        went += same
    return went


async def _holding(connection: Connection, guild_id: int, fact_ids: Sequence[int]) -> list[Fact]:
    rows = await connection.fetch(
        f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) AND valid_to IS NULL ORDER BY fact_id", guild_id, fact_ids
    )
    return [fact_of(row) for row in rows]


async def _undone(
    connection: Connection,
    change: Change,
    back: Sequence[Fact],
    gone: Sequence[Fact],
    audience: Audience,
    now: datetime,
) -> Undone:
    """As far as these readers could hear it: whether there was more must not show."""
    back = audible(back, audience)
    told = None
    if change.kind in _TOLD_AGAIN:
        told = await changes.told_by(connection, change.guild_id, [fact.fact_id for fact in back], now)
    of_others = any(fact.subject_id not in (None, fact.teller_id) for fact in back)
    return Undone(change.kind, heard(back, audience), heard(gone, audience), told, is_about_others=of_others)
