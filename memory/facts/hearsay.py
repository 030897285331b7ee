"""Shows members what is held about them or others, and does what they want about it: confirm it, deny it, forget it,
put it in their own words.

Each is one transaction, which checks whether they may, does it, records it so that it can be undone, and writes down
whose memory it was, if it was not theirs.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from memory.audit import Deed, note_facts
from memory.core.clock import Clock
from memory.core.outcomes import NothingToRemember, SubjectOptedOut, TooLong
from memory.core.values import Category, Fact, RememberRequest, Standing, Traits
from memory.db.database import Connection, Database, Record
from memory.fact_rows import DATED, SELECT, fact_of, readable
from memory.facts.changes import LedgerChange
from memory.facts.enter import NewFact, apply_policy, enter, lift, rules_of, same_hearsay, veto
from memory.facts.ledger import FactStore
from memory.facts.matching import claim_of
from memory.facts.statement import of_oneself, typed_length
from memory.facts.values import (
    ChangeKind,
    Done,
    FactFilter,
    FactPage,
    HearsayAction,
    HearsayOutcome,
    ListedFact,
    MayNot,
    NotThere,
    is_visible,
    offered,
)
from memory.health import Health
from memory.language.detect import Language
from memory.language.own_words import statement_key, words_alone
from memory.language.text import repair, words_in
from memory.log.reading import not_pending_removal
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules, may

_LISTED = f"""
SELECT told.*, EXISTS (
    SELECT 1 FROM chat_history AS said
    WHERE said.guild_id = told.guild_id AND said.message_id = coalesce(told.source_message_id, told.message_id)
      AND {not_pending_removal("said")}
) AS has_message FROM
"""  # noqa: S608 - made of constants
# Of what is over, and of what is withheld, a member sees what is about them.
_VISIBLE = f"""
FROM facts WHERE guild_id = $1 AND {readable("$2")} AND ((NOT withheld AND valid_to IS NULL) OR subject_id = $3)
"""
_SHOWN = f"""{_LISTED}
({SELECT.replace("FROM facts", _VISIBLE)} AND subject_id IS NOT DISTINCT FROM $4) AS told
ORDER BY valid_to IS NOT NULL, category IS NOT NULL, array_position($5::text[], category),
    CASE WHEN category IS NOT NULL THEN importance END DESC, fact_id DESC
"""
_FILTERED = f"""{_VISIBLE} AND ($4::bigint IS NULL OR subject_id = $4)
    AND ($5::text IS NULL OR category = $5) AND ($6::boolean IS NULL OR (category IS NOT NULL) = $6)
    AND ($7 = '' OR text ILIKE $7 ESCAPE '!')
"""
_BROWSED = f"""{_LISTED}
({SELECT.replace("FROM facts", _FILTERED)} AND message_id <= $8
      ORDER BY message_id DESC, fact_id DESC OFFSET $9 LIMIT $10) AS told
ORDER BY message_id DESC, fact_id DESC
"""
_UNREADABLE = f"SELECT guild_id, count(*) AS facts FROM facts WHERE NOT {DATED} GROUP BY guild_id"  # noqa: S608 - ours
_REST = re.compile(r"(\d{1,19})\.(\d{1,6})", re.ASCII)
_WILD, _AS_IT_IS = re.compile("[%_!]"), r"!\g<0>"
_LAST = 2**63 - 1


_ABOUT = f"{SELECT} WHERE guild_id = $1 AND subject_id = $2 ORDER BY fact_id"
_MEANT = f"""{SELECT}
WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND message_id = $3 AND {readable("$4")}
ORDER BY valid_to IS NOT NULL, fact_id DESC
"""


class NotDone(Exception):
    """Ends the transaction of what somebody wanted done about a fact, and says why."""

    def __init__(self, outcome: HearsayOutcome) -> None:
        super().__init__(type(outcome).__name__)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class _Held:
    """Holds a fact that nobody else changes meanwhile, and that may be changed so."""

    change: LedgerChange
    fact: Fact
    actor: Actor
    beside: tuple[Fact, ...] = ()
    """What else was told of them in the same message, if all of that is meant."""

    async def done(self, action: Action, kind: ChangeKind, *, now: Fact | None = None) -> Done:
        return Done(action, self.fact, await self.change.record(kind, self.actor.user_id), now)


class Hearsay:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        members: MemberStore,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        self._database = database
        self._facts = facts
        self._members = members
        self._clock = clock
        self._limit = limit
        self._part = health.part("hearsay")
        self._part.active()

    # What is shown

    async def page(self, audience: Audience, actor: Actor, subject_id: int, *, skip: int, most: int) -> FactPage:
        """List what is held about a member, as far as the one who looks, and reads this alone, may see it; that they
        looked is written down."""
        async with self._database.transaction("facts.page") as connection:
            held = await _shown(connection, audience, actor, subject_id)
            page = held[skip : skip + most]
            await note_facts(connection, actor.user_id, Deed.LOOKED, [one.fact for one in page], self._clock.now())
        return FactPage(tuple(page), len(held))

    async def browse(
        self, audience: Audience, actor: Actor, wanted: FactFilter, *, rest: str = "", most: int
    ) -> FactPage:
        """List facts about anybody, as far as the one who looks may see them; that they looked is written down. `rest`
        is where an earlier page ended: the message of its last fact, and how many of that were shown."""
        read = _REST.fullmatch(rest)
        through, skip = (_LAST, 0) if read is None else (min(int(read[1]), _LAST), int(read[2]))
        like = f"%{_WILD.sub(_AS_IT_IS, wanted.words)}%" if wanted.words else ""
        values = (audience.guild_id, list(audience.sources), actor.user_id, wanted.subject_id, wanted.category)
        given = (*values, wanted.memories, like)
        async with self._database.transaction("facts.browse") as connection:
            rules = await rules_of(connection, audience.guild_id)
            rows = await connection.fetch(_BROWSED, *given, through, skip, most + 1)
            in_all = await connection.fetchval(f"SELECT count(*) {_FILTERED}", *given)
            held = tuple(_listed(row, actor, rules) for row in rows[:most])
            await note_facts(connection, actor.user_id, Deed.LOOKED, [one.fact for one in held], self._clock.now())
        if len(rows) <= most:
            return FactPage(held, in_all)
        last = held[-1].fact.message_id
        shown = sum(one.fact.message_id == last for one in held) + (skip if last == through else 0)
        return FactPage(held, in_all, f"{last}.{shown}")

    async def one(self, wish: HearsayAction, *, noted: bool = False) -> ListedFact | None:
        """Get a fact as it is now; None if it is not there for them. `noted`: they were not shown it before, and that
        they look is written down."""
        async with self._database.transaction("facts.one", readonly=not noted) as connection:
            held = await _shown(connection, wish.audience, wish.actor, wish.subject_id)
            told = (one for one in held if one.fact.message_id == wish.message_id)
            found = next((one for one in told if wish.thing in (None, one.fact.thing)), None)
            if found is not None and noted:
                await note_facts(connection, wish.actor.user_id, Deed.LOOKED, [found.fact], self._clock.now())
        return found

    async def report_unreadable(self) -> None:
        """Tell the managers of a guild how many of its facts cannot be shown."""
        said = "Facts that are in no list, since the time they end at cannot be read: {}. What you miss, tell anew."
        rows = await self._database.read("facts.unreadable", _UNREADABLE)
        self._part.limited(in_guilds={row["guild_id"]: said.format(row["facts"]) for row in rows})

    # What is done about it

    async def do(self, action: Action, wish: HearsayAction) -> HearsayOutcome:
        """Do an action on a fact, all but correcting, which needs words."""
        try:
            async with self._held(wish, action) as held:
                match action:
                    case Action.CONFIRM:
                        outcome: HearsayOutcome = await _confirm(held)
                    case Action.VETO:
                        outcome = await _veto(held)
                    case _:
                        gone = await self._facts.delete_facts(held.change, [held.fact.fact_id], wish.actor.user_id)
                        outcome = Done(Action.FORGET, held.fact, gone.change_id)
        except NotDone as refused:
            return refused.outcome
        return self._counted(action, outcome)

    async def correct(
        self,
        wish: HearsayAction,
        typed: str,
        message_id: int,
        language: Language | None = None,
        traits: Traits | None = None,
    ) -> HearsayOutcome | TooLong | NothingToRemember | SubjectOptedOut:
        """Put the subject's own words in the place of what was told; they reach as far, and what was before is over.

        `message_id` is what the new words are known by: they stand in no channel. `traits` are those of a memory, if
        they were given; otherwise they stay.
        """
        audience, teller_id, body = wish.audience, wish.actor.user_id, words_alone(repair(typed).strip())
        if not words_in(body):
            return NothingToRemember()
        at = (audience.guild_id, audience.place_id, message_id)
        telling = RememberRequest(*at, teller_id, body, self._clock.now(), language=language, by_command=True)
        people = await self._members.meant_by(audience, body, [teller_id])
        text = await asyncio.to_thread(of_oneself, telling, people)
        out = await self._members.opted_out_in(audience, text, people)
        if out is not None:
            return SubjectOptedOut(out.user_id == teller_id)
        if (length := typed_length(text, typed)) > self._limit:
            return TooLong(length, self._limit)
        try:
            async with self._held(wish, Action.CORRECT) as held:
                is_same = statement_key(text) == statement_key(held.fact.text)
                outcome = await (
                    _confirm(held, traits) if is_same else _correct(held, audience, text, message_id, traits)
                )
        except NotDone as refused:
            return refused.outcome
        return self._counted(Action.CORRECT, outcome)

    def _counted(self, action: Action, outcome: HearsayOutcome) -> HearsayOutcome:
        if isinstance(outcome, Done) and outcome.change_id is not None:
            self._part.count(str(action))
        return outcome

    @asynccontextmanager
    async def _held(self, wish: HearsayAction, action: Action) -> AsyncIterator[_Held]:
        """Find and hold the fact that is meant. Raises `NotDone` if it is not there, or they may not."""
        guild_id, now = wish.audience.guild_id, self._clock.now()
        async with self._facts.change(f"facts.{action}", guild_id, now, said_in=wish.said_in) as change:
            values = (guild_id, wish.subject_id, wish.message_id, list(wish.audience.sources))
            rows = await change.connection.fetch(_MEANT, *values)
            found = [fact for row in rows if is_visible(wish.actor, fact := fact_of(row))]
            meant = [fact for fact in found if wish.thing in (None, fact.thing)]
            if not meant:
                raise NotDone(NotThere())
            fact, *also = meant
            allowed = may(action, wish.actor, fact, await rules_of(change.connection, guild_id))
            if not allowed:
                raise NotDone(MayNot(allowed.who_may))
            if fact.valid_to is not None and action is not Action.FORGET:
                raise NotDone(NotThere())
            yield _Held(change, fact, wish.actor, tuple(one for one in also if one.valid_to is None))


async def _shown(connection: Connection, audience: Audience, actor: Actor, subject_id: int | None) -> list[ListedFact]:
    """List all that somebody is shown about a member: what was told, then memories by category and importance, and what
    is over last."""
    rules = await rules_of(connection, audience.guild_id)
    values = (audience.guild_id, list(audience.sources), actor.user_id, subject_id, list(Category))
    return [_listed(row, actor, rules) for row in await connection.fetch(_SHOWN, *values)]


def _listed(row: Record, actor: Actor, rules: FactRules) -> ListedFact:
    fact = fact_of(row)
    return ListedFact(fact, row["has_message"], offered(actor, fact, rules))


async def _confirm(held: _Held, traits: Traits | None = None) -> Done:
    """Have a member say as well, from now on, what others said of them. Elsewhere it stays hearsay."""
    fact = held.fact
    await held.change.will_change([fact.fact_id])
    row = await held.change.connection.fetchrow(
        """
        UPDATE facts SET told_at = greatest(told_at, $3), withheld = false, category = coalesce($4, category),
            importance = coalesce($5, importance),
            standing = CASE standing WHEN 'hearsay' THEN 'confirmed' WHEN 'let_on' THEN
                CASE WHEN teller_id = subject_id THEN 'self' ELSE 'confirmed' END ELSE standing END
        WHERE guild_id = $1 AND fact_id = $2 RETURNING *
        """,
        fact.guild_id,
        fact.fact_id,
        held.change.at,
        None if traits is None else traits.category,
        None if traits is None else traits.importance,
    )
    return await held.done(Action.CONFIRM, ChangeKind.REMEMBERED, now=fact_of(row))


async def _correct(held: _Held, audience: Audience, text: str, message_id: int, traits: Traits | None) -> Done:
    fact, change, connection = held.fact, held.change, held.change.connection
    if fact.subject_id is None:
        raise NotDone(NotThere())
    await change.will_change([fact.fact_id])
    # What is withheld is not there for `enter`.
    query = "UPDATE facts SET withheld = false WHERE guild_id = $1 AND fact_id = $2 RETURNING *"
    [row] = await connection.fetch(query, fact.guild_id, fact.fact_id)
    await lift(connection, fact.guild_id, [(fact.subject_id, text)])
    new = replace(
        NewFact.of(row, text).with_traits(traits),
        teller_id=fact.subject_id,
        message_id=message_id,
        source_message_id=None,
        standing=Standing.SELF,
        valid_from=change.at,
        attribute="",
        span=None,
    )
    # Only for this member: of others it is about it holds as before.
    entered = await enter(change, new, audience, [fact.fact_id], only_about=fact.subject_id)
    await apply_policy(connection, fact.guild_id)
    return await held.done(Action.CORRECT, ChangeKind.REMEMBERED, now=entered.fact)


async def _veto(held: _Held) -> Done:
    """Veto a fact: it goes, wherever it was told, and others cannot tell it again."""
    change, guild_id = held.change, held.fact.guild_id
    going = {one.fact_id: one for fact in (held.fact, *held.beside) for one in await _denied_with(change, fact)}
    await change.delete(going)
    for one in going.values():
        if one.subject_id is not None:
            await veto(change.connection, guild_id, one.subject_id, one.text, change.at)
    await note_facts(change.connection, held.actor.user_id, Deed.VETOED, list(going.values()), change.at)
    return await held.done(Action.VETO, ChangeKind.VETOED)


async def _denied_with(change: LedgerChange, fact: Fact) -> list[Fact]:
    """List what a member can mean who wants no more of a fact about them: the same statement, wherever and by whomever
    it was told, of what others said also in other words. Of others it is about, only what is on others' word goes, for
    their own words stay theirs."""
    connection = change.connection
    denied = [fact]
    for one in await change.told_with([fact.fact_id]):
        if one.subject_id != one.teller_id:
            denied += [one, *await same_hearsay(connection, one.guild_id, one.subject_id, one.text)]
    if fact.subject_id is not None:
        about = [fact_of(row) for row in await connection.fetch(_ABOUT, fact.guild_id, fact.subject_id)]
        denied += await asyncio.to_thread(_saying_so, about, fact.subject_id, fact.text)
    return denied


def _saying_so(facts: Sequence[Fact], subject_id: int, text: str) -> list[Fact]:
    key, claim = statement_key(text), claim_of(subject_id, text)
    return [
        one
        for one in facts
        if statement_key(one.text) == key
        or (one.standing is Standing.HEARSAY and claim_of(subject_id, one.text) == claim)
    ]
