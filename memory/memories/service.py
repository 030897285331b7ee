"""Takes memories from what members say to us: behind a session, by one call of the small model, never per message.

A session is read when its member has said nothing to us for as long as the guild says, or after ten exchanges. What
waits is known by the log, so a restart loses nothing; one process at a time reads what a member said in a place. Of
sentences that cannot be kept anyway no model is asked.
"""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
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
from memory.memories.store import MemoryStore, Place
from memory.models.metering import Metering
from memory.models.usage import Requester
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf
from memory.tasks import end

logger = logging.getLogger(__name__)

MOST_EXCHANGES = 10
"""After so many what was said is read, however long the session goes on."""
MOST_TRIES = 3
"""For the same words, of a model that answers, but not usably."""
LOOK_SECONDS = 300.0
"""Between two looks at what is due."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Says that a model failed at what waits in a place, and until when it is left alone."""

    rests_until: datetime
    tries: int


class Memories:
    def __init__(
        self,
        store: MemoryStore,
        facts: FactStore,
        members: MemberStore,
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
        self._members = members
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
        self._failures: dict[Place, _Failure] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start taking memories, in the process that speaks with members; without a model members note by hand."""
        if self._task is None and self._chain is not None:
            self._task = start_task("memories", self._look_after, self._part.failing)

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None

    async def take_due(self) -> int:
        """Read the sessions that have gone idle; give how many memories are new. May raise `StoreError`."""
        if self._chain is None:
            return 0
        new: list[int] = []
        turn: dict[int, Place] = {}

        async def read(guild_id: int) -> None:
            new.append(await self._read(turn[guild_id]))

        # One session of each guild after the other, however many there are of one.
        due = await self._due()
        while turn := {guild_id: places.pop() for guild_id, places in due.items() if places}:
            await self._turns.round(turn, read)
        self._part.count("taken", sum(new))
        return sum(new)

    async def _due(self) -> dict[int, list[Place]]:
        """Find the sessions to read in each guild that this process serves."""
        now = self._clock.now()
        waiting = [one for one in await self._store.waiting(now) if self._places.serves(one.place.guild_id)]
        places = {one.place for one in waiting}
        self._failures = {place: failure for place, failure in self._failures.items() if place in places}
        due: defaultdict[int, list[Place]] = defaultdict(list)
        for one in waiting:
            rules = (await self._settings_of(one.place.guild_id)).answers
            state = session_state(one.last_at, now, timedelta(minutes=rules.session_minutes))
            is_due = state is not SessionState.ACTIVE or one.exchanges >= MOST_EXCHANGES
            failure = self._failures.get(one.place)
            if is_due and (failure is None or failure.rests_until <= now):
                due[one.place.guild_id].append(one.place)
        return due

    async def purge(self, now: datetime) -> None:
        await self._store.purge(now)

    async def _look_after(self) -> None:
        while True:
            try:
                await self.take_due()
            except (StoreError, *DRIVER_ERRORS) as error:
                logger.warning("cannot extract memories: %s", type(error).__name__)
            await asyncio.sleep(LOOK_SECONDS)

    async def _read(self, place: Place) -> int:
        async with self._claims.held(place.guild_id, f"memories {place.channel_id} {place.user_id}") as claim:
            if claim is None:
                return 0
            await self._settled(place.guild_id)
            said = await self._store.unread(place, self._clock.now())
            return await self._take(claim, place, said) if said else 0

    async def _take(self, claim: Lease, place: Place, said: list[Message]) -> int:
        audience = self._places.audience_of(place.guild_id, place.channel_id)
        try:
            found = await self._found(place, audience, said)
        except ModelError as error:
            logger.warning("no model extracted memories: %s", error, extra={"reason": type(error).__name__})
            self._part.count("failed")
            failure = self._failures.get(place)
            tries = 1 if failure is None else failure.tries + 1
            if tries < MOST_TRIES or not isinstance(error, BadReply | Refused):
                self._failures[place] = _Failure(self._clock.now() + pause_after(tries, error), tries)
                return 0
            found = []
        return await self._store.keep(claim, place, said[-1].message_id, found, audience, self._clock.now())

    async def _found(self, place: Place, audience: Audience, said: list[Message]) -> list[Candidate]:
        """Find memories in what a member said, by the model. Raises `ModelError`."""
        settings = await self._settings_of(place.guild_id)
        if self._chain is None or not settings.answers.takes_memories:
            return []
        text = "\n".join(message.text for message in said)
        members = await self._members.meant_by(audience, text, [place.user_id])
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
        out = [await self._members.opted_out_in(audience, one.text, members) for one in found]
        return [one for one, member in zip(found, out, strict=True) if member is None]


def _worth_reading(said: Sequence[Message], speaker: Member, members: Sequence[Member]) -> list[Message]:
    """Find the messages with a sentence that could be kept."""
    return [message for message in said if worth_keeping(message.text, speaker, members)]
