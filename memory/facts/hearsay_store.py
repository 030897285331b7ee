"""What a member does about a fact that they see in a list: confirm it, deny it, put it in their own words.

Each is one transaction, which checks whether they may, does it, records it so that it can be undone, and writes down
whose memory it was, if it was not theirs.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from memory.audit import Deed, note_facts
from memory.core.values import Fact, Standing, Traits
from memory.db.database import Connection
from memory.fact_rows import SELECT, fact_of, readable
from memory.facts.changes import LedgerChange
from memory.facts.enter import NewFact, enter, same_hearsay
from memory.facts.ledger import FactStore
from memory.facts.others import claim_of, lift, obey, rules_of, veto
from memory.facts.statement import statement_key
from memory.facts.values import (
    ChangeKind,
    Correction,
    Done,
    HearsayAction,
    HearsayOutcome,
    NotThere,
    is_visible,
    objection,
)
from memory.policy.authority import Action, Actor

_THIS = f"""{SELECT}
WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND message_id = $3 AND {readable("$4")}
ORDER BY valid_to IS NOT NULL, fact_id DESC
"""
_TOLD_WITH = f"""{SELECT}
WHERE guild_id = $1 AND message_id = $2 AND teller_id = $3 AND text = $4 AND coalesce(subject_id, 0) = ANY($5)
ORDER BY fact_id
"""
_ABOUT = f"{SELECT} WHERE guild_id = $1 AND subject_id = $2 ORDER BY fact_id"


class NotDone(Exception):
    """It ends the transaction, and says why."""

    def __init__(self, outcome: HearsayOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class _Grip:
    """A fact that nobody else changes meanwhile, and that may be changed so."""

    change: LedgerChange
    fact: Fact
    actor: Actor
    also: tuple[Fact, ...] = ()
    """What else was told of them in the same message, if all of that is meant."""

    async def told_with(self) -> list[Fact]:
        """The facts of its telling, one for each of those it is about."""
        fact = self.fact
        rows = await self.change.connection.fetch(
            _TOLD_WITH, fact.guild_id, fact.message_id, fact.teller_id, fact.text, list(self.change.owned)
        )
        return [fact_of(row) for row in rows]

    async def said_elsewhere(self) -> list[Fact]:
        """The same statement about the same member, wherever and by whomever it was told; of what others said, also in
        other words."""
        subject_id, text = self.fact.subject_id, self.fact.text
        if subject_id is None:
            return []
        facts = [fact_of(row) for row in await self.change.connection.fetch(_ABOUT, self.fact.guild_id, subject_id)]
        return await asyncio.to_thread(lambda: [one for one in facts if _says_so(one, subject_id, text)])

    async def together(self) -> list[Fact]:
        """All that a member can mean who wants no more of a fact about them: of others it is about, only what is on
        others' word, for their own words stay theirs."""
        told_with = [one for one in await self.told_with() if one.subject_id != one.teller_id]
        found = {one.fact_id: one for one in [self.fact, *told_with, *await self.said_elsewhere()]}
        for beside in told_with:
            for one in await same_hearsay(self.change.connection, beside.guild_id, beside.subject_id, beside.text):
                found[one.fact_id] = one
        return list(found.values())

    async def done(self, action: Action, kind: ChangeKind, *, now: Fact | None = None) -> Done:
        change_id = await self.change.record(kind, self.actor.user_id)
        return Done(action, self.fact, change_id, now)


class HearsayStore:
    def __init__(self, facts: FactStore) -> None:
        self._facts = facts

    async def confirm(self, wish: HearsayAction, at: datetime) -> HearsayOutcome:
        """What others said of a member, they say as well from now on. Elsewhere it stays hearsay."""
        async with self._held(wish, Action.CONFIRM, at) as grip:
            return await self._confirm(grip)

    async def correct(self, wish: HearsayAction, correction: Correction) -> HearsayOutcome:
        """The subject's own words take its place, and reach as far; what was said before is over."""
        async with self._held(wish, Action.CORRECT, correction.at) as grip:
            if statement_key(correction.text) == statement_key(grip.fact.text):
                return await self._confirm(grip, correction.traits)
            return await self._correct(grip, wish, correction)

    async def veto(self, wish: HearsayAction, at: datetime) -> HearsayOutcome:
        """It goes, wherever it was told, and others cannot tell it again."""
        async with self._held(wish, Action.VETO, at) as grip:
            each = [replace(grip, fact=fact) for fact in (grip.fact, *grip.also)]
            going = list({one.fact_id: one for part in each for one in await part.together()}.values())
            outcome = await self._deny(grip, Action.VETO, going)
            await note_facts(grip.change.connection, wish.actor.user_id, Deed.VETOED, going, at)
            return outcome

    async def forget(self, wish: HearsayAction, at: datetime) -> HearsayOutcome:
        """With the whole of its telling, as everywhere."""
        async with self._held(wish, Action.FORGET, at) as grip:
            gone = await self._facts.take_out(grip.change, [grip.fact.fact_id], wish.actor.user_id)
            return Done(Action.FORGET, grip.fact, gone.change_id)

    @asynccontextmanager
    async def _held(self, wish: HearsayAction, action: Action, at: datetime) -> AsyncIterator[_Grip]:
        """Raises `NotDone` if it is not there, or they may not."""
        guild_id = wish.audience.guild_id
        name, subjects = f"store.hearsay.{action}", [wish.subject_id]
        async with self._facts.change(name, guild_id, subjects, at, said_in=wish.said_in) as change:
            connection = change.connection
            rules = await rules_of(connection, guild_id)
            rows = await connection.fetch(
                _THIS, guild_id, wish.subject_id, wish.message_id, list(wish.audience.sources)
            )
            found = [fact for row in rows if is_visible(wish.actor, fact := fact_of(row))]
            meant = [fact for fact in found if wish.thing in (None, fact.thing)]
            if not meant:
                raise NotDone(NotThere())
            fact, *also = meant
            refused = objection(action, wish, fact, rules)
            if refused is not None:
                raise NotDone(refused)
            yield _Grip(change, fact, wish.actor, tuple(one for one in also if one.valid_to is None))

    async def _confirm(self, grip: _Grip, traits: Traits | None = None) -> HearsayOutcome:
        fact = grip.fact
        await grip.change.will_change([fact.fact_id])
        await grip.change.connection.execute(
            """
            UPDATE facts SET told_at = greatest(told_at, $3), withheld = false, category = coalesce($4, category),
                importance = coalesce($5, importance),
                standing = CASE standing WHEN 'hearsay' THEN 'confirmed' WHEN 'let_on' THEN
                    CASE WHEN teller_id = subject_id THEN 'self' ELSE 'confirmed' END ELSE standing END
            WHERE guild_id = $1 AND fact_id = $2
            """,
            fact.guild_id,
            fact.fact_id,
            grip.change.at,
            None if traits is None else traits.category,
            None if traits is None else traits.importance,
        )
        return await grip.done(Action.CONFIRM, ChangeKind.REMEMBERED, now=await _again(grip))

    async def _correct(self, grip: _Grip, wish: HearsayAction, correction: Correction) -> HearsayOutcome:
        fact, change, connection = grip.fact, grip.change, grip.change.connection
        if fact.subject_id is None:
            raise NotDone(NotThere())
        await change.will_change([fact.fact_id])
        # What is withheld is not there for `enter`.
        await connection.execute(
            "UPDATE facts SET withheld = false WHERE guild_id = $1 AND fact_id = $2", fact.guild_id, fact.fact_id
        )
        await lift(connection, fact.guild_id, [(fact.subject_id, correction.text)])
        new = (await _in_place_of(connection, fact, correction)).with_traits(correction.traits or fact.traits)
        # Only for this member: of others it is about it holds as before.
        entered = await enter(change, new, wish.audience, [fact.fact_id], within=[fact.subject_id])
        await obey(connection, fact.guild_id)
        return await grip.done(Action.CORRECT, ChangeKind.REMEMBERED, now=entered.fact)

    async def _deny(self, grip: _Grip, action: Action, going: Sequence[Fact]) -> HearsayOutcome:
        guild_id = grip.fact.guild_id
        ids = [one.fact_id for one in going]
        await grip.change.will_delete(ids)
        await grip.change.connection.execute(
            "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, ids
        )
        for one in going:
            if one.subject_id is not None:
                await veto(grip.change.connection, guild_id, one.subject_id, one.text, grip.change.at)
        return await grip.done(action, ChangeKind.VETOED)


def _says_so(fact: Fact, subject_id: int, text: str) -> bool:
    if statement_key(fact.text) == statement_key(text):
        return True
    return fact.standing is Standing.HEARSAY and claim_of(subject_id, fact.text) == claim_of(subject_id, text)


async def _again(grip: _Grip) -> Fact:
    row = await grip.change.connection.fetchrow(
        f"{SELECT} WHERE guild_id = $1 AND fact_id = $2", grip.fact.guild_id, grip.fact.fact_id
    )
    return fact_of(row)


async def _in_place_of(connection: Connection, fact: Fact, correction: Correction) -> NewFact:
    in_hall: bool = await connection.fetchval(
        "SELECT in_hall FROM facts WHERE guild_id = $1 AND fact_id = $2", fact.guild_id, fact.fact_id
    )
    return NewFact(
        guild_id=fact.guild_id,
        subject_id=fact.subject_id,
        teller_id=fact.subject_id or fact.teller_id,
        channel_id=fact.channel_id,
        message_id=correction.message_id,
        source_message_id=None,
        text=correction.text,
        standing=Standing.SELF,
        in_hall=in_hall,
        valid_from=correction.at,
        everywhere=fact.everywhere,
    )
