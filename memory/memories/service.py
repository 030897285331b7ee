"""Takes memories from what members say to us: behind a session, by one call of the small model, never per message.

A session is read when its member has said nothing to us for as long as the guild says, or after ten exchanges. What
waits is known by the log, so a restart loses nothing; one process at a time reads what a member said in a place. Of
sentences that cannot be kept anyway no model is asked.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.errors import BadReply, ModelError, Refused
from memory.background import FairScheduler, pause_after, start_task
from memory.channels.values import SessionState, session_state
from memory.core.clock import Clock
from memory.core.values import Member, Message
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.facts.ledger import FactStore
from memory.health import Health
from memory.leases import Lease, Leases
from memory.memories import prompt
from memory.memories.prompt import Candidate, worth_keeping
from memory.memories.store import MOST_READ, MemoryStore, Place
from memory.models.metering import Metering
from memory.models.usage import Requester
from memory.people.service import Naming
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import AnswerRules, SettingsOf
from memory.tasks import end

logger = logging.getLogger(__name__)

MOST_EXCHANGES = 10
"""After so many what was said is read, however long the session goes on."""
MOST_TRIES = 3
"""For the same words, of a model that answers, but not usably."""
LOOK_SECONDS = 30.0
"""Between two looks at what is due."""
READ_AGAIN = timedelta(minutes=10)
"""Between two looks at what waits by the log: another process may have gone, and left us its guilds."""


@dataclass(frozen=True, slots=True)
class _Session:
    """Counts the exchanges that wait to be read."""

    exchanges: int
    last_at: datetime
    rests_until: datetime | None = None
    """A model failed, and is left alone for a while."""
    tries: int = 0

    def is_idle(self, now: datetime, rules: AnswerRules) -> bool:
        length = timedelta(minutes=rules.session_minutes)
        return session_state(self.last_at, now, length) is not SessionState.ACTIVE

    def is_due(self, now: datetime, rules: AnswerRules) -> bool:
        rests = self.rests_until is not None and now < self.rests_until
        return not rests and (self.is_idle(now, rules) or self.exchanges >= MOST_EXCHANGES)


class Memories:
    def __init__(
        self,
        store: MemoryStore,
        facts: FactStore,
        naming: Naming,
        places: Places,
        claims: Leases,
        models: Models,
        metering: Metering,
        settings_of: SettingsOf,
        settled: Callable[[int], Awaitable[None]],
        clock: Clock,
        health: Health,
    ) -> None:
        """`settled` waits until what was said before in a guild is in the log."""
        self._store = store
        self._facts = facts
        self._naming = naming
        self._places = places
        self._claims = claims
        self._chain = models.chain(Purpose.SMALL)
        self._metering = metering
        self._settings_of = settings_of
        self._settled = settled
        self._clock = clock
        self._part = health.part("memories")
        self._part.active()
        self._turns = FairScheduler("taking memories")
        self._part.watch(seconds_waited=self._turns.seconds_waited)
        self._sessions: dict[Place, _Session] = {}
        self._read_again_at = clock.now()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start taking memories, in the process that speaks with members; without a model members note by hand."""
        if self._task is None and self._chain is not None:
            self._task = start_task("memories", self._look_after, self._part.failing)

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None

    def after_exchange(self, guild_id: int, channel_id: int, user_id: int) -> None:
        """Note that somebody has just spoken with us there."""
        if self._chain is None:
            return
        place, now = Place(guild_id, channel_id, user_id), self._clock.now()
        before = self._sessions.get(place, _Session(0, now))
        self._sessions[place] = replace(before, exchanges=before.exchanges + 1, last_at=now)

    async def take_due(self) -> int:
        """Read the sessions that have gone idle; give how many memories are new. May raise `StoreError`."""
        if self._chain is None:
            return 0
        await self._read_what_waits()
        new: list[int] = []
        tried: set[Place] = set()
        rules: dict[int, AnswerRules] = {}

        async def read(guild_id: int) -> None:
            place, session = due[guild_id]
            new.append(await self._read(place, session, is_idle=session.is_idle(self._clock.now(), rules[guild_id])))

        # One session of each guild after the other, however many there are of one.
        while due := await self._due(rules, tried):
            await self._turns.round(due, read)
            tried |= {place for place, _ in due.values()}
        self._part.count("taken", sum(new))
        return sum(new)

    async def _due(self, rules: dict[int, AnswerRules], but: set[Place]) -> dict[int, tuple[Place, _Session]]:
        """Find one session of each guild that this process serves."""
        due: dict[int, tuple[Place, _Session]] = {}
        for place, session in list(self._sessions.items()):
            guild_id = place.guild_id
            if place in but or guild_id in due or not self._places.serves(guild_id):
                continue
            if guild_id not in rules:
                rules[guild_id] = (await self._settings_of(guild_id)).answers
            if session.is_due(self._clock.now(), rules[guild_id]):
                due[guild_id] = place, session
        return due

    async def _read_what_waits(self) -> None:
        now = self._clock.now()
        if now < self._read_again_at:
            return
        waiting = await self._store.waiting(now)
        ours = {place: session for place, session in self._sessions.items() if self._places.serves(place.guild_id)}
        self._sessions = {one.place: _Session(one.exchanges, one.last_at) for one in waiting} | ours
        self._read_again_at = now + READ_AGAIN

    async def purge(self, now: datetime) -> None:
        await self._store.purge(now)

    async def _look_after(self) -> None:
        while True:
            try:
                await self.take_due()
            except (StoreError, *DRIVER_ERRORS) as error:
                logger.warning("cannot extract memories: %s", type(error).__name__)
            await asyncio.sleep(LOOK_SECONDS)

    async def _read(self, place: Place, session: _Session, *, is_idle: bool) -> int:
        async with self._claims.held(place.guild_id, f"memories {place.channel_id} {place.user_id}") as claim:
            if claim is None:
                return 0
            await self._settled(place.guild_id)
            said = await self._store.unread(place, self._clock.now())
            if self._sessions.get(place) == session:  # nothing was said meanwhile
                del self._sessions[place]
                if not is_idle or len(said) == MOST_READ:  # the rest waits for the next look
                    self._sessions[place] = replace(session, exchanges=0)
            return await self._take(claim, place, session, said) if said else 0

    async def _take(self, claim: Lease, place: Place, session: _Session, said: list[Message]) -> int:
        audience = self._places.audience_of(place.guild_id, place.channel_id)
        try:
            found = await self._found(place, audience, said)
        except ModelError as error:
            logger.warning("no model extracted memories: %s", error, extra={"reason": type(error).__name__})
            self._part.count("failed")
            tries = session.tries + 1
            if tries < MOST_TRIES or not isinstance(error, BadReply | Refused):
                again = replace(session, rests_until=self._clock.now() + pause_after(tries, error), tries=tries)
                self._sessions[place] = again
                return 0
            found = []
        return await self._store.keep(claim, place, said[-1].message_id, found, audience, self._clock.now())

    async def _found(self, place: Place, audience: Audience, said: list[Message]) -> list[Candidate]:
        """Find memories in what a member said, by the model. Raises `ModelError`."""
        settings = await self._settings_of(place.guild_id)
        if self._chain is None or not settings.answers.takes_memories:
            return []
        text = "\n".join(message.text for message in said)
        members = await self._naming.spoken_of(audience, text, [place.user_id])
        speaker = next(member for member in members if member.user_id == place.user_id)
        known = await self._facts.about(audience, [place.user_id])
        worth = await asyncio.to_thread(_worth_reading, said, speaker, members)
        if not worth:
            return []
        task = prompt.Task(speaker, members, worth, known, self._clock.now(), ZoneInfo(settings.time_zone))
        asked = await asyncio.to_thread(prompt.render, task, secrets.token_hex(8))
        by = Requester.without_message(place.user_id, self._clock.now())
        reply = await self._metering.ask_for(
            place.guild_id, self._chain, asked, prompt.MemoriesReply, by=by, live=False
        )
        found = await asyncio.to_thread(prompt.read, reply.value, task)
        self._part.count("refused", len(reply.value.memories) - len(found))
        out = [await self._naming.opted_out_in(audience, one.text, members) for one in found]
        return [one for one, member in zip(found, out, strict=True) if member is None]


def _worth_reading(said: Sequence[Message], speaker: Member, members: Sequence[Member]) -> list[Message]:
    """Find the messages with a sentence that could be kept."""
    return [message for message in said if worth_keeping(message.text, speaker, members)]
