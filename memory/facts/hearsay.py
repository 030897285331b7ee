"""What members are shown of what is held about them or others, and what they do about it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TypeAlias

from memory.audit import Deed, note_facts
from memory.core.clock import Clock
from memory.core.outcomes import NothingToRemember, SubjectOptedOut, TooLong
from memory.core.values import Category, Telling, Traits
from memory.db.database import Connection, Database
from memory.fact_rows import DATED, SELECT, fact_of, readable
from memory.facts.hearsay_store import HearsayStore, NotDone
from memory.facts.ledger import FactStore
from memory.facts.merge_job import MergeJob
from memory.facts.others import rules_of
from memory.facts.statement import of_oneself, typed_length
from memory.facts.values import (
    Browsed,
    Correction,
    Done,
    FactFilter,
    FactPage,
    HearsayAction,
    HearsayOutcome,
    ListedFact,
    is_visible,
    offered,
)
from memory.health import Health
from memory.language.detect import Language
from memory.language.text import repair, words_in
from memory.log.reading import tellable
from memory.people.service import Naming
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules

# Facts as they are shown to somebody who asks for all that is held about a member.


_SHOWN = f"""
SELECT told.*, EXISTS (
    SELECT 1 FROM chat_history AS said WHERE said.guild_id = told.guild_id AND said.message_id = told.message_id
      AND {tellable("said")}
) AS has_message
FROM ({SELECT} WHERE guild_id = $1 AND subject_id IS NOT DISTINCT FROM $2 AND {readable("$3")}) AS told
ORDER BY valid_to IS NOT NULL, category IS NOT NULL, array_position($4::text[], category),
    CASE WHEN category IS NOT NULL THEN importance END DESC, fact_id DESC
"""  # noqa: S608 - made of constants


_FILTERED = f"""
FROM facts WHERE guild_id = $1 AND {readable("$2")} AND (NOT withheld OR subject_id = $3)
    AND (valid_to IS NULL OR subject_id = $3) AND ($4::bigint IS NULL OR subject_id = $4)
    AND ($5::text IS NULL OR category = $5) AND ($6::boolean IS NULL OR (category IS NOT NULL) = $6)
    AND ($7 = '' OR text ILIKE $7 ESCAPE '!')
"""
_BROWSED = f"""
SELECT told.*, EXISTS (
    SELECT 1 FROM chat_history AS said WHERE said.guild_id = told.guild_id AND said.message_id = told.message_id
      AND {tellable("said")}
) AS has_message
FROM ({SELECT.replace("FROM facts", _FILTERED)} AND message_id <= $8
      ORDER BY message_id DESC, fact_id DESC OFFSET $9 LIMIT $10) AS told
ORDER BY message_id DESC, fact_id DESC
"""  # noqa: S608 - made of constants
_UNREADABLE = f"SELECT guild_id, count(*) AS facts FROM facts WHERE NOT {DATED} GROUP BY guild_id"  # noqa: S608 - ours
_REST = re.compile(r"(\d{1,19})\.(\d{1,6})", re.ASCII)
_WILD, _AS_IT_IS = re.compile("[%_!]"), r"!\g<0>"
_LAST = 2**63 - 1


class ShownFacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, audience: Audience, actor: Actor, subject_id: int, at: datetime, *, skip: int, most: int
    ) -> FactPage:
        """What is held about a member, as far as the one who looks may see it; that they looked is written down."""
        async with self._database.transaction("store.shown_facts.page") as connection:
            rules = await rules_of(connection, audience.guild_id)
            held = await _shown(connection, audience, actor, subject_id, rules)
            page = held[skip : skip + most]
            await note_facts(connection, actor.user_id, Deed.LOOKED, [one.fact for one in page], at)
        return FactPage(tuple(page), len(held))

    async def browse(
        self, audience: Audience, actor: Actor, wanted: FactFilter, at: datetime, *, rest: str, most: int
    ) -> Browsed:
        """Of all that they may see, a page that the database cuts out; that they looked is written down."""
        # Behind the last fact of the page before: the message it was told in, and how many of that were shown.
        read = _REST.fullmatch(rest)
        through, skip = (_LAST, 0) if read is None else (min(int(read[1]), _LAST), int(read[2]))
        like = f"%{_WILD.sub(_AS_IT_IS, wanted.words)}%" if wanted.words else ""
        values = (audience.guild_id, list(audience.sources), actor.user_id, wanted.subject_id, wanted.category)
        given = (*values, wanted.memories, like)
        async with self._database.transaction("store.shown_facts.browse") as connection:
            rules = await rules_of(connection, audience.guild_id)
            rows = await connection.fetch(_BROWSED, *given, through, skip, most + 1)
            in_all = await connection.fetchval(f"SELECT count(*) {_FILTERED}", *given)
            facts = [(fact_of(row), row["has_message"]) for row in rows[:most]]
            await note_facts(connection, actor.user_id, Deed.LOOKED, [fact for fact, _ in facts], at)
        held = tuple(ListedFact(fact, has_message, offered(actor, fact, rules)) for fact, has_message in facts)
        if len(rows) <= most:
            return Browsed(held, in_all)
        last = held[-1].fact.message_id
        shown = sum(one.fact.message_id == last for one in held) + (skip if last == through else 0)
        return Browsed(held, in_all, f"{last}.{shown}")

    async def one(self, wish: HearsayAction, looked_at: datetime | None = None) -> ListedFact | None:
        """A fact as it is now; None if it is not there for them. `looked_at`: they were not shown it before, and that
        they look is written down."""
        async with self._database.transaction("store.shown_facts.one", readonly=looked_at is None) as connection:
            rules = await rules_of(connection, wish.audience.guild_id)
            held = await _shown(connection, wish.audience, wish.actor, wish.subject_id, rules)
            told = (one for one in held if one.fact.message_id == wish.message_id)
            found = next((one for one in told if wish.thing in (None, one.fact.thing)), None)
            if found is not None and looked_at is not None:
                await note_facts(connection, wish.actor.user_id, Deed.LOOKED, [found.fact], looked_at)
        return found

    async def unreadable(self) -> dict[int, int]:
        """By guild, how many facts no list has."""
        rows = await self._database.read("store.shown_facts.unreadable", _UNREADABLE)
        return {row["guild_id"]: row["facts"] for row in rows}


async def _shown(
    connection: Connection, audience: Audience, actor: Actor, subject_id: int | None, rules: FactRules
) -> list[ListedFact]:
    """All that somebody is shown about a member: what was told before memories, which stand by category and importance;
    what is over comes last, and to the member alone."""
    rows = await connection.fetch(_SHOWN, audience.guild_id, subject_id, list(audience.sources), list(Category))
    return [
        ListedFact(fact, row["has_message"], offered(actor, fact, rules))
        for row in rows
        if is_visible(actor, fact := fact_of(row)) and (fact.valid_to is None or actor.user_id == fact.subject_id)
    ]


_Doing: TypeAlias = Callable[[HearsayAction, datetime], Awaitable[HearsayOutcome]]


class Hearsay:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        naming: Naming,
        merge_job: MergeJob,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        store = self._store = HearsayStore(facts)
        self._shown = ShownFacts(database)
        self._naming = naming
        self._merge_job = merge_job
        self._clock = clock
        self._limit = limit
        self._part = health.part("hearsay")
        self._part.active()
        self._ways: Mapping[Action, _Doing] = MappingProxyType(
            {
                Action.CONFIRM: store.confirm,
                Action.VETO: store.veto,
                Action.FORGET: store.forget,
            }
        )

    async def page(self, audience: Audience, actor: Actor, subject_id: int, *, skip: int, most: int) -> FactPage:
        """What is held about a member, as far as the one who looks, and reads this alone, may see it."""
        return await self._shown.page(audience, actor, subject_id, self._clock.now(), skip=skip, most=most)

    async def browse(
        self, audience: Audience, actor: Actor, wanted: FactFilter, *, rest: str = "", most: int
    ) -> Browsed:
        """Of anybody, as far as the one who looks may see it; `rest` is where an earlier page ended."""
        return await self._shown.browse(audience, actor, wanted, self._clock.now(), rest=rest, most=most)

    async def one(self, wish: HearsayAction, *, noted: bool = False) -> ListedFact | None:
        """A fact that somebody was shown, as it is now; `noted`: that they look at it is written down."""
        return await self._shown.one(wish, self._clock.now() if noted else None)

    async def report_unreadable(self) -> None:
        """Tell the managers of a guild how many of its facts cannot be shown."""
        said = "Facts that are in no list, since the time they end at cannot be read: {}. What you miss, tell anew."
        self._part.limited(
            in_guilds={one: said.format(count) for one, count in (await self._shown.unreadable()).items()}
        )

    async def do(self, action: Action, wish: HearsayAction) -> HearsayOutcome:
        """All but correcting, which needs words."""
        return await self._tried(action, self._ways[action](wish, self._clock.now()))

    async def correct(
        self,
        wish: HearsayAction,
        typed: str,
        message_id: int,
        language: Language | None = None,
        traits: Traits | None = None,
    ) -> HearsayOutcome | TooLong | NothingToRemember | SubjectOptedOut:
        """`message_id` is what the new words are known by: they stand in no channel. `traits` are those of a memory,
        if they were given; otherwise they stay."""
        now = self._clock.now()
        audience, teller_id = wish.audience, wish.actor.user_id
        telling = Telling(
            audience.guild_id,
            audience.place_id,
            message_id,
            teller_id,
            repair(typed).strip(),
            now,
            language=language,
            by_command=True,
        )
        if not words_in(telling.body):
            return NothingToRemember()
        people = await self._naming.spoken_of(audience, telling.body, [teller_id])
        text = await asyncio.to_thread(of_oneself, telling, people)
        out = await self._naming.opted_out_in(audience, text, people)
        if out is not None:
            return SubjectOptedOut(out.user_id == teller_id)
        if (length := typed_length(text, typed)) > self._limit:
            return TooLong(length, self._limit)
        correction = Correction(text, message_id, now, traits)
        return await self._tried(Action.CORRECT, self._store.correct(wish, correction))

    async def _tried(self, action: Action, doing: Awaitable[HearsayOutcome]) -> HearsayOutcome:
        try:
            outcome = await doing
        except NotDone as refused:
            return refused.outcome
        self._merge_job.wake()
        if isinstance(outcome, Done) and outcome.change_id is not None:
            self._part.count(str(action))
        return outcome
