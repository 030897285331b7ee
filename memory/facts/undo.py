"""Undoes what was done to the ledger, and puts what one told in other words: for a day each."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.audit import Deed, note_facts
from memory.core.clock import Clock
from memory.core.outcomes import KnownBetter, TooLong
from memory.core.values import Fact, RememberRequest, Standing
from memory.db.database import Connection, Database, Record
from memory.fact_rows import CURRENT, SELECT, fact_of
from memory.facts import changes
from memory.facts.changes import LedgerChange, Recorded, Row, delete_facts, digest, fact_before, rows_of, with_replaced
from memory.facts.enter import (
    Entered,
    NewFact,
    NotKept,
    ToldTo,
    apply_policy,
    enter,
    is_vetoed,
    learn_names,
    lift,
    rules_of,
    same_hearsay,
    veto,
)
from memory.facts.ledger import FactStore
from memory.facts.matching import contradicts
from memory.facts.statement import Statement, read_statement, typed_length
from memory.facts.values import (
    AboutSomebodyElse,
    Change,
    ChangedSince,
    ChangeKind,
    Edited,
    EditedNothing,
    EditOutcome,
    MayNot,
    NotThere,
    TakenAway,
    Undone,
    UndoOutcome,
    VetoedBefore,
    audible,
    heard,
    is_name_in_passing,
)
from memory.health import Health
from memory.language.own_words import statement_key, words_alone
from memory.language.text import repair
from memory.log.store import log_transaction
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, Matter, may
from memory.policy.store import any_of, is_erased, said_no
from memory.receipts.retractions import postpone_retraction

# Undoing a change: the rows of the ledger become what they were before it, if they are as it left them.
#
# What the readers of the line could hear comes back as a whole, or nothing does. What was told elsewhere comes back or
# not without a word: whether something happened to it there is not for them.


_PEOPLE = ("told.teller_id", "told.subject_id")
# Of people who were erased or opted out, from messages that were deleted, or told where nobody is or may be quoted.
_UNWELCOME = f"""
SELECT told.fact_id FROM jsonb_populate_recordset(NULL::facts, $2) AS told
WHERE {any_of(refusal for one in _PEOPLE for refusal in (said_no(one), is_erased(one, "told.message_id")))}
   OR EXISTS (SELECT 1 FROM tombstones AS gone WHERE gone.guild_id = $1
              AND gone.message_id IN (told.source_message_id, told.message_id))
   OR (NOT told.everywhere AND EXISTS (
        SELECT 1 FROM closed_channels AS closed WHERE closed.guild_id = $1 AND closed.channel_id = told.channel_id))
   OR EXISTS (SELECT 1 FROM channel_erasures AS erased WHERE erased.guild_id = $1
              AND erased.channel_id = told.channel_id AND told.message_id <= erased.through_message_id)
"""  # noqa: S608 - made of constants
_PUT_BACK = """
INSERT INTO facts OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::facts, $1)
ON CONFLICT (guild_id, fact_id) DO UPDATE SET standing = excluded.standing, everywhere = excluded.everywhere,
    valid_to = excluded.valid_to, superseded_by = excluded.superseded_by, told_at = excluded.told_at,
    withheld = excluded.withheld, category = excluded.category, importance = excluded.importance
"""
_HOLDS_INSTEAD = f"""
WITH RECURSIVE since AS (
    SELECT * FROM facts WHERE guild_id = $1 AND (fact_id = ANY($2) OR message_id = ANY($3))
    UNION SELECT later.* FROM facts AS later JOIN since ON later.fact_id = since.superseded_by
    WHERE later.guild_id = $1)
SELECT * FROM since WHERE {CURRENT} ORDER BY fact_id
"""  # noqa: S608 - made of constants


async def put_back(change: LedgerChange, recorded: Recorded, audience: Audience) -> ChangedSince | list[Fact]:
    """Put the rows back as they were before a recorded change; what went with that."""
    connection, guild_id, kind = change.connection, change.guild_id, recorded.kind
    stuck = await _stuck(connection, recorded)
    heard_of = {fact.fact_id for fact in audible(recorded.before, audience)} | recorded.made_ids
    # Its words went with the message that they came from.
    is_empty = not recorded.ids and recorded.messages and recorded.channels & audience.sources
    if is_empty or not heard_of.isdisjoint(stuck):
        ids = [*recorded.ids, *(newer.fact_id for newer in stuck.values() if newer is not None)]
        now = await connection.fetch(_HOLDS_INSTEAD, guild_id, ids, list(recorded.messages))
        return ChangedSince(heard([fact_of(row) for row in now], audience))
    rows = [row for row in recorded.rows if row["fact_id"] not in stuck]
    await connection.execute(_PUT_BACK, rows)
    for row in rows:
        await learn_names(connection, fact_before(row))
    if kind in (ChangeKind.VETOED, ChangeKind.FORGOTTEN):
        denied = [row for row in rows if kind is ChangeKind.VETOED or is_name_in_passing(fact_before(row))]
        said = [(row["subject_id"], row["text"]) for row in denied if row["subject_id"] is not None]
        await lift(connection, guild_id, said)
    await retract_facts(change, recorded.made_ids, but=stuck)
    return list(recorded.made)


async def retract_facts(change: LedgerChange, fact_ids: Collection[int], *, but: Collection[int] = ()) -> None:
    """Delete facts; what they had replaced holds again, `but` for these, which go with them."""
    connection, guild_id, ids = change.connection, change.guild_id, list(fact_ids)
    await connection.execute(
        """
        UPDATE facts SET valid_to = NULL, superseded_by = NULL
        WHERE guild_id = $1 AND superseded_by = ANY($2) AND fact_id <> ALL ($3)
        """,
        guild_id,
        ids,
        list(but),
    )
    await delete_facts(connection, guild_id, ids)


async def _stuck(connection: Connection, recorded: Recorded) -> Mapping[int, Fact | None]:
    """Find facts that cannot become what they were, by their ids, with what was told in their place."""
    guild_id, ids = recorded.guild_id, recorded.ids
    now = {row["fact_id"]: row for row in await rows_of(connection, guild_id, ids)}
    left = {fact_id: digest(row) for fact_id, row in now.items()}
    stuck: dict[int, Fact | None] = {one: None for one in ids if left.get(one) != recorded.left_as.get(one)}
    unwelcome = await connection.fetch(_UNWELCOME, guild_id, list(recorded.rows))
    stuck.update(dict.fromkeys(row["fact_id"] for row in unwelcome))
    for row in recorded.rows:
        if row["fact_id"] not in stuck and row["valid_to"] is None:
            is_contested, newer = await _contested(connection, recorded, row)
            if is_contested:
                stuck[row["fact_id"]] = newer
    # What is over comes back only with what took its place.
    over = {row["fact_id"]: row["superseded_by"] for row in recorded.rows if row["superseded_by"] is not None}
    there = {row["fact_id"] for row in await rows_of(connection, guild_id, over.values())} | ids
    while orphans := [one for one, by in over.items() if one not in stuck and (by in stuck or by not in there)]:
        stuck.update(dict.fromkeys(orphans))
    return stuck


async def _contested(connection: Connection, recorded: Recorded, row: Row) -> tuple[bool, Fact | None]:
    """Say whether it is contested by its subject, or by what was told since where the same people hear it."""
    guild_id, subject_id = recorded.guild_id, row["subject_id"]
    in_passing = is_name_in_passing(fact_before(row))
    is_hearsay = subject_id is not None and (row["standing"] == Standing.HEARSAY or in_passing)
    after = recorded.made_at if in_passing else None  # forgetting such a name denies it
    is_denied = is_hearsay and await is_vetoed(connection, guild_id, subject_id, row["text"], after)
    if is_denied and recorded.kind is not ChangeKind.VETOED:
        return True, None
    since = await connection.fetch(
        f"""{SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {CURRENT} AND told_at > $3
        AND fact_id <> ALL ($4) ORDER BY fact_id DESC""",
        guild_id,
        subject_id,
        recorded.made_at,
        list(recorded.ids),
    )
    covering = [newer for newer in since if ToldTo.of(newer).covers(ToldTo.of(row))]
    newer = await asyncio.to_thread(_instead_of, row["text"], covering)
    return newer is not None, None if newer is None else fact_of(newer)


def _instead_of(text: str, newer: Sequence[Record]) -> Record | None:
    """Find the first row that says the same as a text, or contradicts it."""
    key = statement_key(text)
    return next((one for one in newer if statement_key(one["text"]) == key or contradicts(one["text"], text)), None)


_TOLD_AGAIN = (ChangeKind.FORGOTTEN, ChangeKind.VETOED, ChangeKind.EDITED, ChangeKind.OPENED)
"""Undone, these leave what was told as it was told, to be undone, edited or denied like that.

What a telling had replaced has a line of its own.
"""


class UndoService:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        members: MemberStore,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        """`limit`: characters of a fact."""
        self._database = database
        self._facts = facts
        self._members = members
        self._clock = clock
        self._limit = limit
        self._part = health.part("undo")
        self._part.active()

    async def change(self, guild_id: int, change_id: UUID) -> Change | None:
        """Read what was done; None once it cannot be undone any more."""
        async with self._database.transaction("undoing.change", readonly=True) as connection:
            return await changes.read(connection, guild_id, change_id, self._clock.now())

    async def recently_forgotten(self, audience: Audience, actor: Actor, most: int) -> list[TakenAway]:
        """List what somebody had forgotten or denied themselves and can have back, the newest first."""
        async with self._database.transaction("undoing.recently_forgotten", readonly=True) as connection:
            return await changes.taken_away_by(connection, actor, audience, self._clock.now(), most)

    async def undo(
        self, guild_id: int, change_id: UUID, actor: Actor, audience: Audience, *, said_in: int | None = None
    ) -> UndoOutcome:
        """Undo a change. `audience` will read what came of it: no more is told to them than they could hear.

        `said_in` is the message of ours that will say so.
        """
        now = self._clock.now()
        async with log_transaction(self._database, "undoing.undo", guild_id) as connection:
            recorded = await changes.read(connection, guild_id, change_id, now, to_undo=True)
            if recorded is None:
                return NotThere()
            rules = await rules_of(connection, guild_id)
            verdict = may(Action.UNDO, actor, recorded.matter, rules)
            if not verdict:
                return MayNot(verdict.who_may)
            change = LedgerChange(connection, guild_id, now)
            gone = await put_back(change, recorded, audience)
            if isinstance(gone, ChangedSince):
                return gone
            await changes.remove(connection, guild_id, change_id)
            gone += await _veto(connection, gone, actor.user_id, now)
            # What others said may not be told here any more since.
            await apply_policy(connection, guild_id)
            back = await _holding(connection, guild_id, [fact.fact_id for fact in recorded.before])
            await note_facts(connection, actor.user_id, Deed.UNDID, [*back, *gone], now)
            self._facts.changed(guild_id)
            outcome = await _undone(connection, recorded, back, gone, audience, now)
            await postpone_retraction(connection, guild_id, said_in, now)
        self._part.count("undone")
        return outcome

    async def words(self, guild_id: int, change_id: UUID, audience: Audience) -> Fact | None:
        """Show what would be edited: one fact of the telling; None if there is nothing any more."""
        change = await self.change(guild_id, change_id)
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
        """Put what was told with a change, or put in other words by it, in new words. Whom it is about stays.

        `said_in` is the message of ours that will say so.
        """
        change = await self.change(guild_id, change_id)
        facts = () if change is None else change.told
        if not facts or not heard(facts, audience):
            return NotThere()
        statement = await self._read(facts, words_alone(repair(text)), audience)
        if not isinstance(statement, str):
            return statement
        if (length := typed_length(statement, text)) > self._limit:
            return TooLong(length, self._limit)
        try:
            at = self._clock.now()
            async with self._facts.change("editing.edit", guild_id, at, said_in=said_in) as ledger_change:
                outcome = await reword(ledger_change, facts, statement, actor, audience)
        except NotEdited as refused:
            return refused.outcome
        except NotKept as kept_out:
            better = kept_out.known
            if better is None or better.subject_id is None:
                raise
            [whose] = await self._members.meant_by(audience, "", [better.subject_id])
            return KnownBetter(better, whose)
        self._part.count("edited")
        return outcome

    async def _read(self, facts: Sequence[Fact], text: str, audience: Audience) -> str | EditOutcome:
        """Read the new words as they would stand in the ledger."""
        first = facts[0]
        subjects = [fact.subject_id for fact in facts if fact.subject_id is not None]
        members = await self._members.meant_by(audience, text, [first.teller_id, *subjects])
        place = (first.guild_id, first.channel_id, first.message_id)
        telling = RememberRequest(*place, first.teller_id, text, first.valid_from)
        read = await asyncio.to_thread(read_statement, telling, members)
        if not isinstance(read, Statement):
            return read
        if await self._members.opted_out_in(audience, read.text, members) is not None:
            return AboutSomebodyElse()
        named = [member.user_id for member in read.subjects]
        if not subjects:
            return read.text if not named else AboutSomebodyElse()
        if all(f"<@{subject_id}>" in read.text for subject_id in subjects):
            return read.text
        if not named and len(subjects) == 1:
            return f"<@{subjects[0]}>: {read.text}"
        return AboutSomebodyElse()

    async def purge(self, now: datetime) -> int:
        """Delete the changes whose day is over, in every guild; how many they were."""
        async with self._database.transaction("undoing.purge") as connection:
            done: str = await connection.execute("DELETE FROM changes WHERE until <= $1", now)
        purged = int(done.split()[-1])
        self._part.count("purged", purged)
        return purged


async def _veto(connection: Connection, gone: Sequence[Fact], user_id: int, now: datetime) -> list[Fact]:
    """Veto what a member takes back of what another told of them: it is not for others to tell, here or elsewhere. Give
    what went for that."""
    went: list[Fact] = []
    for fact in [one for one in gone if one.subject_id == user_id != one.teller_id]:
        await veto(connection, fact.guild_id, user_id, fact.text, now)
        same = await same_hearsay(connection, fact.guild_id, user_id, fact.text)
        await delete_facts(connection, fact.guild_id, [one.fact_id for one in same])
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
    """List what was undone as far as these readers could hear it: whether there was more must not show."""
    back = audible(back, audience)
    told = None
    if change.kind in _TOLD_AGAIN:
        told = await changes.told_by(connection, change.guild_id, [fact.fact_id for fact in back], now)
    of_others = any(fact.subject_id not in (None, fact.teller_id) for fact in back)
    return Undone(change.kind, heard(back, audience), heard(gone, audience), told, is_about_others=of_others)


# Putting a telling in other words: in one transaction it is taken out as by an undo, and told anew.


class NotEdited(Exception):
    """Ends the transaction of an edit, so that nothing has happened, and says why."""

    def __init__(self, outcome: EditOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


async def reword(change: LedgerChange, facts: Sequence[Fact], text: str, actor: Actor, audience: Audience) -> Edited:
    """Put the facts of one telling in other words. Raises `NotEdited`, and `NotKept` where a fact forbids it."""
    connection, guild_id, ids = change.connection, change.guild_id, [fact.fact_id for fact in facts]
    rows = await connection.fetch(f"{SELECT} WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id", guild_id, ids)
    before = [fact_of(row) for row in rows]
    if not before or any(fact.valid_to is not None or fact.withheld for fact in before):
        raise NotEdited(NotThere())
    verdict = may(Action.EDIT, actor, Matter.of(*before), await rules_of(connection, guild_id))
    if not verdict:
        raise NotEdited(MayNot(verdict.who_may))
    if all(fact.text == text for fact in before):
        raise NotEdited(EditedNothing(before[0]))
    await change.will_change(await with_replaced(connection, guild_id, ids))
    await retract_facts(change, ids)
    told = [await _retell(change, row, text, audience) for row in rows]
    await connection.execute(
        "UPDATE facts SET told_at = greatest(told_at, $3) WHERE guild_id = $1 AND fact_id = ANY($2)",
        guild_id,
        [one.fact.fact_id for one in told],
        change.at,
    )
    change_id = await change.record(ChangeKind.EDITED, actor.user_id)
    await note_facts(connection, actor.user_id, Deed.EDITED, before, change.at)
    replaced = {fact.fact_id: fact for one in told for fact in one.replaced}
    about = tuple(one.fact.subject_id for one in told if one.fact.subject_id is not None)
    return Edited(told[0].fact, change_id, tuple(replaced.values()), about)


async def _retell(change: LedgerChange, row: Record, text: str, audience: Audience) -> Entered:
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
