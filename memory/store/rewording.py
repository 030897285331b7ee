"""Putting a telling in other words, in place: the same facts under the same ids, as if they had been told so."""

from collections.abc import Collection, Sequence
from dataclasses import replace
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
from memory.core.contradiction import may_overturn
from memory.core.model import Fact, Standing
from memory.store.about_others import disturb_days, rules_of
from memory.store.audit import note_facts
from memory.store.changes import Recorder
from memory.store.database import Connection, Database
from memory.store.entering import (
    NewFact,
    Overruled,
    ToldTo,
    contradicted_among,
    known_to,
    learn_names,
    saying_the_same,
    supersede,
    touched,
)
from memory.store.fact_rows import CURRENT, SELECT, fact_of
from memory.store.facts import FactStore
from memory.store.log import log_transaction
from memory.store.owning import own_subjects, subjects_beside
from memory.store.reply_in_hand import keep_in_hand
from memory.store.vetoes import is_vetoed, lift


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
        async with log_transaction(self._database, "store.rewording.reword", guild_id) as connection:
            beside = await subjects_beside(connection, guild_id, [fact.subject_id for fact in facts])
            owned = await own_subjects(connection, guild_id, beside)
            rows = await connection.fetch(
                f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) AND {CURRENT} ORDER BY fact_id",
                guild_id,
                [fact.fact_id for fact in facts],
            )
            now = [fact_of(row) for row in rows]
            if not now:
                return NothingToEdit()
            verdict = may(Action.EDIT, actor, Matter.of(*now), await rules_of(connection, guild_id))
            if not verdict:
                return MayNotEdit(verdict.who_may)
            if all(fact.text == text for fact in now):
                return EditedNothing(now[0])
            outcome = await self._say_so(connection, rows, text, actor, audience, owned, at)
            await keep_in_hand(connection, guild_id, said_in, at)
            return outcome

    async def _say_so(
        self,
        connection: Connection,
        rows: Sequence[asyncpg.Record],
        text: str,
        actor: Actor,
        audience: Audience,
        owned: Collection[int],
        at: datetime,
    ) -> EditOutcome:
        """Within the transaction of a caller who owns the log, and all whom tellings about their subjects are about."""
        guild_id = audience.guild_id
        recorder = Recorder(connection, guild_id)
        new = [_in_other_words(row, text) for row in rows]
        over: dict[int, list[Fact]] = {}
        for row, one in zip(rows, new, strict=True):
            refused = await _refused(connection, one)
            if refused is not None:
                return refused
            others = [known for known in await known_to(connection, one, audience) if known not in rows]
            same = await saying_the_same(others, text)
            if same:
                return EditedNothing(fact_of(same[0]))
            over[row["fact_id"]] = await _overturned(connection, recorder, one, others, owned)
        await recorder.will_change([row["fact_id"] for row in rows])
        said = [await _write(connection, fact_of(row), one, at) for row, one in zip(rows, new, strict=True)]
        for fact in said:
            await supersede(connection, over[fact.fact_id], fact, at, owned)
        change_id = await recorder.record(ChangeKind.EDITED, actor.user_id, at)
        await disturb_days(connection, guild_id, [row["fact_id"] for row in rows])
        await self._facts.rebuild(connection, guild_id, owned, at)
        before = [fact_of(row) for row in rows]
        await note_facts(connection, actor.user_id, Deed.EDITED, before, at)
        if change_id is None:
            return EditedNothing(before[0])
        replaced = {fact.fact_id: fact for facts in over.values() for fact in facts}
        about = tuple(fact.subject_id for fact in said if fact.subject_id is not None)
        return Edited(before[0], said[0], change_id, tuple(replaced.values()), about)


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


async def _refused(connection: Connection, new: NewFact) -> VetoedBefore | None:
    """What somebody says of themselves they veto no longer; others may not tell it again by editing."""
    if new.subject_id is None:
        return None
    if new.subject_id == new.teller_id:
        await lift(connection, new.guild_id, [(new.subject_id, new.text)])
        return None
    vetoed = await is_vetoed(connection, new.guild_id, new.subject_id, new.text)
    return VetoedBefore(new.subject_id) if vetoed else None


async def _overturned(
    connection: Connection,
    recorder: Recorder,
    new: NewFact,
    others: Sequence[asyncpg.Record],
    owned: Collection[int],
) -> list[Fact]:
    """What does not hold any more when this does, as for a telling."""
    over = await contradicted_among(others, new.text)
    better = [fact_of(known) for known in over if not may_overturn(new.standing, Standing(known["standing"]))]
    if better:
        raise Overruled(better)
    await recorder.will_change(await touched(connection, over, owned))
    return [fact_of(known) for known in over if new.told_to.covers(ToldTo.of(known))]


async def _write(connection: Connection, before: Fact, new: NewFact, at: datetime) -> Fact:
    await connection.execute(
        "UPDATE facts SET text = $3, told_at = greatest(told_at, $4) WHERE guild_id = $1 AND fact_id = $2",
        before.guild_id,
        before.fact_id,
        new.text,
        at,
    )
    said = replace(before, text=new.text)
    await learn_names(connection, said)
    return said
