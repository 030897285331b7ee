"""What members are shown of what is held about them or others, and what they do about it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import TypeAlias

from memory.core.clock import Clock
from memory.core.hearsay import Correction, Done, FactPage, HearsayAction, HearsayOutcome, ListedFact
from memory.core.outcomes import NothingToRemember, SubjectOptedOut, TooLong
from memory.core.telling import Statement, read_statement
from memory.core.values import Member, Telling
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language
from memory.language.text import repair, words_in
from memory.merging import Merging
from memory.people.resolver import Naming
from memory.places.view import Audience
from memory.policy.authority import Action, Actor
from memory.store.facts import FactStore
from memory.store.hearsay import HearsayStore, NotDone
from memory.store.shown_facts import ShownFacts

_Doing: TypeAlias = Callable[[HearsayAction, datetime], Awaitable[HearsayOutcome]]


class Hearsay:
    def __init__(
        self,
        database: Database,
        facts: FactStore,
        naming: Naming,
        merging: Merging,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        store = self._store = HearsayStore(database, facts)
        self._shown = ShownFacts(database)
        self._naming = naming
        self._merging = merging
        self._clock = clock
        self._limit = limit
        self._part = health.part("hearsay")
        self._part.active()
        self._ways: Mapping[Action, _Doing] = MappingProxyType(
            {
                Action.CONFIRM: store.confirm,
                Action.VETO: store.veto,
                Action.NOT_ME: store.not_me,
                Action.FORGET: store.forget,
            }
        )

    async def page(self, audience: Audience, actor: Actor, subject_id: int, *, skip: int, most: int) -> FactPage:
        """What is held about a member, as far as the one who looks, and reads this alone, may see it."""
        return await self._shown.page(audience, actor, subject_id, self._clock.now(), skip=skip, most=most)

    async def one(self, wish: HearsayAction) -> ListedFact | None:
        """A fact that somebody was shown, as it is now."""
        return await self._shown.one(wish)

    async def do(self, action: Action, wish: HearsayAction) -> HearsayOutcome:
        """All but correcting, which needs words."""
        return await self._tried(action, self._ways[action](wish, self._clock.now()))

    async def correct(
        self, wish: HearsayAction, typed: str, message_id: int, language: Language | None = None
    ) -> HearsayOutcome | TooLong | NothingToRemember | SubjectOptedOut:
        """`message_id` is what the new words are known by: they stand in no channel."""
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
        text = await asyncio.to_thread(_of_oneself, telling, people)
        out = await self._naming.opted_out_in(audience, text, people)
        if out is not None:
            return SubjectOptedOut(out.user_id == teller_id)
        if len(text) > self._limit:
            return TooLong(len(text), self._limit)
        return await self._tried(Action.CORRECT, self._store.correct(wish, Correction(text, message_id, now)))

    async def _tried(self, action: Action, doing: Awaitable[HearsayOutcome]) -> HearsayOutcome:
        try:
            outcome = await doing
        except NotDone as refused:
            return refused.outcome
        self._merging.wake()
        if isinstance(outcome, Done) and outcome.change_id is not None:
            self._part.count(str(action))
        return outcome


def _of_oneself(telling: Telling, people: Sequence[Member]) -> str:
    """What somebody says of themselves, in the third person, whether or not they begin with themselves."""
    teller = next(member for member in people if member.user_id == telling.teller_id)
    for body in (telling.body, f"about <@{teller.user_id}>: {telling.body}"):
        statement = read_statement(replace(telling, body=body), people, teller, None, None)
        if isinstance(statement, Statement) and teller in statement.subjects:
            return statement.text
    return f"<@{teller.user_id}>: {telling.body}"
