"""Putting what one told in other words, for a day: whom the new words name, and what came of it."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from memory.core.changes import (
    AboutSomebodyElse,
    EditOutcome,
    NothingToEdit,
    heard,
)
from memory.core.clock import Clock
from memory.core.outcomes import KnownBetter, TooLong
from memory.core.telling import Statement, read_statement
from memory.core.values import Fact, Member, Telling
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language
from memory.language.text import repair
from memory.merging import Merging
from memory.people.resolver import Naming
from memory.places.view import Audience
from memory.policy.authority import Actor
from memory.store.changes import ChangeStore
from memory.store.entering import Overruled
from memory.store.facts import FactStore
from memory.store.log import log_transaction
from memory.store.owning import own_subjects, subjects_beside
from memory.store.reply_in_hand import keep_in_hand
from memory.store.rewording import NotEdited, reword


class Editing:
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
        self._database = database
        self._facts = facts
        self._changes = ChangeStore(database)
        self._naming = naming
        self._merging = merging
        self._clock = clock
        self._part = health.part("facts")
        self._limit = limit

    async def words(self, guild_id: int, change_id: UUID, audience: Audience) -> Fact | None:
        """What would be edited, for showing it: one fact of the telling; None if there is nothing any more."""
        change = await self._changes.read(guild_id, change_id, self._clock.now())
        found = () if change is None else heard(change.told, audience)
        return found[0] if found else None

    async def edit(
        self,
        guild_id: int,
        change_id: UUID,
        actor: Actor,
        text: str,
        audience: Audience,
        language: Language | None = None,
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
        statement = await self._read(facts, repair(text), audience, language)
        if not isinstance(statement, str):
            return statement
        if len(statement) > self._limit:
            return TooLong(len(statement), self._limit)
        try:
            async with log_transaction(self._database, "editing.edit", guild_id) as connection:
                beside = await subjects_beside(connection, guild_id, [fact.subject_id for fact in facts])
                owned = await own_subjects(connection, guild_id, beside)
                outcome = await reword(connection, facts, statement, actor, audience, owned, now)
                await self._facts.rebuild(connection, guild_id, owned, now)
                await keep_in_hand(connection, guild_id, said_in, now)
        except NotEdited as refused:
            return refused.outcome
        except Overruled as overruled:
            better = overruled.facts[0]
            whose = await self._naming.spoken_of(audience, "", [better.subject_id or 0])
            return KnownBetter(better, next(one for one in whose if one.user_id == better.subject_id))
        self._merging.wake()
        self._part.count("edited")
        return outcome

    async def _read(
        self, facts: Sequence[Fact], text: str, audience: Audience, language: Language | None
    ) -> str | EditOutcome:
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
            language=language,
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
