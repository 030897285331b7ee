"""Putting what one told in other words, for a day: whom the new words name, and what came of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memory.audit import Deed, note_facts
from memory.core.clock import Clock
from memory.core.outcomes import KnownBetter, TooLong
from memory.core.values import Fact, Member, Telling
from memory.db.database import Database, Record
from memory.fact_rows import SELECT, fact_of
from memory.facts.changes import ChangeStore, LedgerChange
from memory.facts.enter import Entered, NewFact, Overruled, enter
from memory.facts.ledger import FactStore
from memory.facts.others import is_vetoed, lift, rules_of
from memory.facts.statement import Statement, read_statement, typed_length
from memory.facts.undo import retract_facts
from memory.facts.values import (
    AboutSomebodyElse,
    ChangeKind,
    Edited,
    EditedNothing,
    EditOutcome,
    MayNotEdit,
    NothingToEdit,
    VetoedBefore,
    heard,
)
from memory.health import Health
from memory.language.own_words import words_alone
from memory.language.text import repair
from memory.people.service import Naming
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, Matter, may

# Putting a telling in other words: in one transaction it is taken out as by an undo, and told anew.


class NotEdited(Exception):
    """It ends the transaction, so that nothing has happened, and says why."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


async def reword(change: LedgerChange, facts: Sequence[Fact], text: str, actor: Actor, audience: Audience) -> Edited:
    """Put the facts of one telling in other words. Raises `NotEdited`, and `Overruled` where a better founded fact says
    otherwise."""
    connection, guild_id, ids = change.connection, change.guild_id, [fact.fact_id for fact in facts]
    rows = await connection.fetch(f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id", guild_id, ids)
    before = [fact_of(row) for row in rows]
    if not before or any(fact.valid_to is not None or fact.withheld for fact in before):
        raise NotEdited(NothingToEdit())
    verdict = may(Action.EDIT, actor, Matter.of(*before), await rules_of(connection, guild_id))
    if not verdict:
        raise NotEdited(MayNotEdit(verdict.who_may))
    if all(fact.text == text for fact in before):
        raise NotEdited(EditedNothing(before[0]))
    await change.will_delete(ids)
    await retract_facts(change, ids)
    told = [await _tell(change, row, text, audience) for row in rows]
    await connection.execute(
        "UPDATE facts SET told_at = greatest(told_at, $3) WHERE guild_id = $1 AND fact_id = ANY($2)",
        guild_id,
        [one.fact.fact_id for one in told],
        change.at,
    )
    change_id = await change.record_at_all(ChangeKind.EDITED, actor.user_id)
    await note_facts(connection, actor.user_id, Deed.EDITED, before, change.at)
    replaced = {fact.fact_id: fact for one in told for fact in one.replaced}
    about = tuple(one.fact.subject_id for one in told if one.fact.subject_id is not None)
    return Edited(told[0].fact, change_id, tuple(replaced.values()), about)


async def _tell(change: LedgerChange, row: Record, text: str, audience: Audience) -> Entered:
    """Tell the same in other words: by the same person, in the same message, of the same person."""
    connection = change.connection
    new = NewFact.of(row, text)
    if new.subject_id == new.teller_id:
        await lift(connection, new.guild_id, [(new.teller_id, text)])
    elif new.subject_id is not None and await is_vetoed(connection, new.guild_id, new.subject_id, text):
        raise NotEdited(VetoedBefore(new.subject_id))
    told = await enter(change, new, audience)
    if not told.is_new and told.fact.teller_id != new.teller_id:
        raise NotEdited(EditedNothing(told.fact))  # it would be another's telling then
    return told


class FactEditor:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        naming: Naming,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        self._facts = facts
        self._changes = ChangeStore(database)
        self._naming = naming
        self._clock = clock
        self._part = health.part("facts")
        self._limit = limit

    async def words(self, guild_id: int, change_id: UUID, audience: Audience) -> Fact | None:
        """What would be edited, for showing it: one fact of the telling; None if there is nothing any more."""
        change = await self._changes.read(guild_id, change_id, self._clock.now())
        found = () if change is None else heard(change.told, audience)
        return replace(found[0], text=words_alone(found[0].text)) if found else None

    async def edit(
        self,
        guild_id: int,
        change_id: UUID,
        actor: Actor,
        text: str,
        audience: Audience,
        *,
        said_in: int | None = None,
    ) -> EditOutcome:
        """What was told with a change, or put in other words by it. Whom it is about stays.

        `said_in` is the message of ours that will say so.
        """
        now = self._clock.now()
        change = await self._changes.read(guild_id, change_id, now)
        facts = () if change is None else change.told
        if not facts or not heard(facts, audience):
            return NothingToEdit()
        statement = await self._read(facts, words_alone(repair(text)), audience)
        if not isinstance(statement, str):
            return statement
        if (length := typed_length(statement, text)) > self._limit:
            return TooLong(length, self._limit)
        try:
            subjects = [fact.subject_id for fact in facts]
            async with self._facts.change("editing.edit", guild_id, subjects, now, said_in=said_in) as ledger_change:
                outcome = await reword(ledger_change, facts, statement, actor, audience)
        except NotEdited as refused:
            return refused.outcome
        except Overruled as overruled:
            better = overruled.facts[0]
            whose = await self._naming.spoken_of(audience, "", [better.subject_id or 0])
            return KnownBetter(better, next(one for one in whose if one.user_id == better.subject_id))
        self._part.count("edited")
        return outcome

    async def _read(self, facts: Sequence[Fact], text: str, audience: Audience) -> str | EditOutcome:
        """The new words as they would stand in the ledger."""
        first = facts[0]
        subjects = [fact.subject_id for fact in facts if fact.subject_id is not None]
        members = await self._naming.spoken_of(audience, text, [first.teller_id, *subjects])
        teller = next(member for member in members if member.user_id == first.teller_id)
        telling = Telling(
            first.guild_id,
            first.channel_id,
            first.message_id,
            first.teller_id,
            text,
            first.valid_from,
        )
        read = await asyncio.to_thread(read_statement, telling, members, teller, None, None)
        if not isinstance(read, Statement):
            return read
        if await self._naming.opted_out_in(audience, read.text, members) is not None:
            return AboutSomebodyElse()
        named = [member.user_id for member in read.subjects]
        if not subjects:
            return read.text if not named else AboutSomebodyElse()
        if set(subjects) <= set(_people(read, members)):
            return read.text
        if not named and len(subjects) == 1:
            return f"<@{subjects[0]}>: {read.text}"
        return AboutSomebodyElse()


def _people(statement: Statement, members: Sequence[Member]) -> list[int]:
    """Everybody whom a statement names."""
    return [member.user_id for member in members if f"<@{member.user_id}>" in statement.text]
