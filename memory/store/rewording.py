"""Putting a telling in other words: in one transaction it is taken out as by an undo, and told anew."""

from collections.abc import Collection, Sequence
from datetime import datetime

import asyncpg

from memory.core.audience import Audience
from memory.core.audit import Deed
from memory.core.authority import Action, Actor, Matter, may
from memory.core.changes import (
    ChangeKind,
    Edited,
    EditedNothing,
    EditOutcome,
    MayNotEdit,
    NothingToEdit,
    VetoedBefore,
)
from memory.core.model import Fact, Standing
from memory.store.about_others import rules_of
from memory.store.audit import note_facts
from memory.store.changes import Recorder
from memory.store.database import Connection, Database
from memory.store.entering import Entered, NewFact, enter
from memory.store.fact_rows import SELECT, fact_of
from memory.store.facts import FactStore
from memory.store.log import log_transaction
from memory.store.owning import own_subjects, subjects_beside
from memory.store.reply_in_hand import keep_in_hand
from memory.store.vetoes import is_vetoed, lift


class _Refused(Exception):
    """It ends the transaction, so that nothing has happened, and says why."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


class Rewording:
    def __init__(self, database: Database, facts: FactStore) -> None:
        self._database = database
        self._facts = facts

    async def reword(
        self,
        facts: Sequence[Fact],
        text: str,
        actor: Actor,
        audience: Audience,
        at: datetime,
        said_in: int | None = None,
    ) -> EditOutcome:
        """The facts of one telling. Raises `Overruled` where a better founded one says otherwise."""
        guild_id = audience.guild_id
        try:
            async with log_transaction(self._database, "store.rewording.reword", guild_id) as connection:
                beside = await subjects_beside(connection, guild_id, [fact.subject_id for fact in facts])
                owned = await own_subjects(connection, guild_id, beside)
                rows = await connection.fetch(
                    f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id",
                    guild_id,
                    [fact.fact_id for fact in facts],
                )
                before = [fact_of(row) for row in rows]
                if not before or any(fact.valid_to is not None or fact.withheld for fact in before):
                    return NothingToEdit()
                verdict = may(Action.EDIT, actor, Matter.of(*before), await rules_of(connection, guild_id))
                if not verdict:
                    return MayNotEdit(verdict.who_may)
                if all(fact.text == text for fact in before):
                    return EditedNothing(before[0])
                recorder = Recorder(connection, guild_id)
                await _take_out(connection, recorder, before)
                entered = await _tell(connection, recorder, rows, text, audience, owned, at)
                change_id = await recorder.record_at_all(ChangeKind.EDITED, actor.user_id, at)
                await note_facts(connection, actor.user_id, Deed.EDITED, before, at)
                await self._facts.rebuild(connection, guild_id, owned, at)
                await keep_in_hand(connection, guild_id, said_in, at)
        except _Refused as refused:
            return refused.outcome
        replaced = {fact.fact_id: fact for one in entered for fact in one.replaced}
        about = tuple(one.fact.subject_id for one in entered if one.fact.subject_id is not None)
        return Edited(before[0], entered[0].fact, change_id, tuple(replaced.values()), about)


async def _take_out(connection: Connection, recorder: Recorder, facts: Sequence[Fact]) -> None:
    """What they had replaced holds again."""
    guild_id, ids = facts[0].guild_id, [fact.fact_id for fact in facts]
    await recorder.will_delete(ids)
    await connection.execute(
        "UPDATE facts SET valid_to = NULL, superseded_by = NULL WHERE guild_id = $1 AND superseded_by = ANY($2)",
        guild_id,
        ids,
    )
    await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, ids)


async def _tell(
    connection: Connection,
    recorder: Recorder,
    rows: Sequence[asyncpg.Record],
    text: str,
    audience: Audience,
    owned: Collection[int],
    at: datetime,
) -> list[Entered]:
    """The same telling in other words: by the same person, in the same message, of the same people."""
    entered: list[Entered] = []
    for row in rows:
        new = _in_other_words(row, text)
        if new.subject_id == new.teller_id:
            await lift(connection, new.guild_id, [(new.teller_id, text)])
        elif new.subject_id is not None and await is_vetoed(connection, new.guild_id, new.subject_id, text):
            raise _Refused(VetoedBefore(new.subject_id))
        told = await enter(connection, new, audience, (), owned, recorder)
        if not told.is_new and told.fact.teller_id != new.teller_id:
            raise _Refused(EditedNothing(told.fact))  # it would be another's telling then
        entered.append(told)
    await connection.execute(
        "UPDATE facts SET told_at = greatest(told_at, $3) WHERE guild_id = $1 AND fact_id = ANY($2)",
        rows[0]["guild_id"],
        [one.fact.fact_id for one in entered],
        at,
    )
    return entered


def _in_other_words(row: asyncpg.Record, text: str) -> NewFact:
    return NewFact(
        guild_id=row["guild_id"],
        subject_id=row["subject_id"],
        teller_id=row["teller_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        source_message_id=row["source_message_id"],
        text=text,
        standing=Standing(row["standing"]),
        in_hall=row["in_hall"],
        valid_from=row["valid_from"],
        everywhere=row["everywhere"],
    )
