"""Putting a telling in other words: in one transaction it is taken out as by an undo, and told anew."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime

import asyncpg

from memory.audit import Deed, note_facts
from memory.core.changes import (
    ChangeKind,
    Edited,
    EditedNothing,
    EditOutcome,
    MayNotEdit,
    NothingToEdit,
    VetoedBefore,
)
from memory.core.values import Fact, Standing
from memory.db.database import Connection
from memory.fact_rows import SELECT, fact_of
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, Matter, may
from memory.store.about_others import rules_of
from memory.store.changes import Recorder
from memory.store.entering import Entered, NewFact, enter
from memory.store.undoing import take_out
from memory.store.vetoes import is_vetoed, lift


class NotEdited(Exception):
    """It ends the transaction, so that nothing has happened, and says why."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


async def reword(
    connection: Connection,
    facts: Sequence[Fact],
    text: str,
    actor: Actor,
    audience: Audience,
    owned: Collection[int],
    at: datetime,
) -> Edited:
    """The facts of one telling. Within the transaction of a caller who owns the log and all whom tellings about their
    subjects are about. Raises `NotEdited`, and `Overruled` where a better founded fact says otherwise."""
    guild_id, ids = audience.guild_id, [fact.fact_id for fact in facts]
    rows = await connection.fetch(f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id", guild_id, ids)
    before = [fact_of(row) for row in rows]
    if not before or any(fact.valid_to is not None or fact.withheld for fact in before):
        raise NotEdited(NothingToEdit())
    verdict = may(Action.EDIT, actor, Matter.of(*before), await rules_of(connection, guild_id))
    if not verdict:
        raise NotEdited(MayNotEdit(verdict.who_may))
    if all(fact.text == text for fact in before):
        raise NotEdited(EditedNothing(before[0]))
    recorder = Recorder(connection, guild_id)
    await recorder.will_delete(ids)
    await take_out(connection, guild_id, ids)
    told = [await _tell(connection, recorder, row, text, audience, owned) for row in rows]
    await connection.execute(
        "UPDATE facts SET told_at = greatest(told_at, $3) WHERE guild_id = $1 AND fact_id = ANY($2)",
        guild_id,
        [one.fact.fact_id for one in told],
        at,
    )
    change_id = await recorder.record_at_all(ChangeKind.EDITED, actor.user_id, at)
    await note_facts(connection, actor.user_id, Deed.EDITED, before, at)
    replaced = {fact.fact_id: fact for one in told for fact in one.replaced}
    about = tuple(one.fact.subject_id for one in told if one.fact.subject_id is not None)
    return Edited(told[0].fact, change_id, tuple(replaced.values()), about)


async def _tell(
    connection: Connection,
    recorder: Recorder,
    row: asyncpg.Record,
    text: str,
    audience: Audience,
    owned: Collection[int],
) -> Entered:
    """The same in other words: by the same person, in the same message, of the same person."""
    was = {one.name: row[one.name] for one in fields(NewFact)}
    new = NewFact(**{**was, "text": text, "standing": Standing(row["standing"])})
    if new.subject_id == new.teller_id:
        await lift(connection, new.guild_id, [(new.teller_id, text)])
    elif new.subject_id is not None and await is_vetoed(connection, new.guild_id, new.subject_id, text):
        raise NotEdited(VetoedBefore(new.subject_id))
    told = await enter(connection, new, audience, (), owned, recorder)
    if not told.is_new and told.fact.teller_id != new.teller_id:
        raise NotEdited(EditedNothing(told.fact))  # it would be another's telling then
    return told
