"""Finds names that members are called by, as the model that tells a day does: "Schorsch" for a georg_77.

Each rests on a line in which somebody else calls them so. It is kept as a fact that was let on there, so it is heard,
shown, denied and forgotten like one, and goes with that line or with its day.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from memory.core.clock import Clock
from memory.core.values import Category, Member, Message, Traits
from memory.db.database import Database, LogWrite
from memory.fact_rows import readable
from memory.facts.changes import LedgerChange
from memory.facts.enter import NewFact, NotKept, enter, is_vetoed
from memory.facts.ledger import FactStore, may_be_told_on
from memory.language.detect import ALL_STOP_WORDS, Language
from memory.language.sensitive import is_sensitive
from memory.language.sentences import sentences_around
from memory.language.wording import Attribution, wording
from memory.log.reading import stored
from memory.log.store import log_transaction
from memory.people.names import ANYBODY, NO_NAMES, aliases_in, name_key, people_in, unnamed_in
from memory.people.store import unnamed_members
from memory.places.service import Places
from memory.policy.settings import read_settings
from memory.policy.store import any_of, not_to_be_kept
from memory.summaries.extractive import CHATTER

SHORTEST = 3
"""Letters of a name."""
_TRAITS = Traits(Category.FACT, importance=3)
_COMMON = ALL_STOP_WORDS | CHATTER | NO_NAMES | ANYBODY
"""Words that could mean anybody, or stand in every other question."""


@dataclass(frozen=True, slots=True)
class CalledName:
    """Holds what somebody is called, and where that shows."""

    user_id: int
    name: str
    """As it is written there."""
    message: Message
    span: str
    """The sentence it stands in."""

    @property
    def key(self) -> str:
        return name_key(self.name)

    def told(self, language: Language) -> str:
        """Word the name as it stands in the ledger."""
        return wording(language, Attribution.ALSO_CALLED, who=f"<@{self.user_id}>", name=self.name)


def called_in(message: Message, user_id: int, name: str) -> CalledName | None:
    """Find where another calls them so in that message; None, if nobody does, or it is no name to find somebody by."""
    key = name_key(name)
    if message.author_id == user_id or sum(map(str.isalpha, key)) < SHORTEST or is_sensitive(name):
        return None
    if all(word in _COMMON for word in key.split()):
        return None
    called = Member(message.guild_id, user_id, "", aliases=(key,))
    typed = next((one.typed for one in people_in(message.text, [called]) if not one.is_mention), None)
    span = None if typed is None else sentences_around(typed, message.text)
    if typed is None or span is None:
        return None
    found = CalledName(user_id, typed, message, span)
    return found if aliases_in(found.told(Language.EN)) == [(user_id, key)] else None


class CalledNames:
    def __init__(self, database: Database, facts: FactStore, places: Places, clock: Clock) -> None:
        self._database = database
        self._facts = facts
        self._places = places
        self._clock = clock

    async def note(self, guild_id: int, found: Sequence[CalledName], language: Language) -> int:
        """Keep the names that may be kept; give how many are new. May raise `StoreError`."""
        if not found:
            return 0
        async with log_transaction(self._database, "store.days.also_called", guild_id) as connection:
            settings = await read_settings(connection, guild_id)
            if settings is None or not settings.answers.takes_memories or not settings.facts.about_others:
                return 0
            change = LedgerChange(connection, guild_id, self._clock.now())
            new = sum([await self._enter(change, one, language) for one in found])
            self._facts.changed(guild_id)
        return new

    async def _enter(self, change: LedgerChange, called: CalledName, language: Language) -> bool:
        message = called.message
        audience = self._places.audience_of(message.guild_id, message.channel_id)
        if not await _may_be_kept(change.connection, called, list(audience.sources)):
            return False
        said = (called.told(language), called.span, _TRAITS)
        new = NewFact.let_on(message, called.user_id, *said, in_hall=audience.is_hall)
        with suppress(NotKept):
            return (await enter(change, new, audience)).is_new
        return False


async def _may_be_kept(connection: LogWrite, called: CalledName, sources: list[int]) -> bool:
    """Say whether the line still says so and may be told on, its person did not refuse, and nobody else has the name.

    Asked behind the lock: a model takes its time.
    """
    message, guild_id, user_id = called.message, called.message.guild_id, called.user_id
    now = await stored(connection, guild_id, [message.message_id])
    if not now or sentences_around(called.span, now[0].text) != called.span:
        return False
    if not await may_be_told_on(connection, now[0]):
        return False
    if await connection.fetchval(_REFUSED, guild_id, user_id, message.message_id, called.key, sources):
        return False
    if unnamed_in(called.name, [], await unnamed_members(connection, guild_id)) is not None:
        return False
    vetoed = [await is_vetoed(connection, guild_id, user_id, called.told(language)) for language in Language]
    return not any(vetoed)


# Nothing may be kept of them, the name is one of somebody's account or begins one, or they are or were known by it.
_REFUSED = f"""
SELECT {any_of(not_to_be_kept("$2", "$3"))} OR EXISTS (
    SELECT 1 FROM member_names WHERE guild_id = $1 AND (name_key = $4 OR starts_with(name_key, $4 || ' ')))
OR EXISTS (
    SELECT 1 FROM fact_aliases JOIN facts USING (guild_id, fact_id)
    WHERE guild_id = $1 AND user_id = $2 AND name_key = $4 AND {readable("$5::bigint[]")})
"""  # noqa: S608 - made of constants
