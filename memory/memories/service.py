"""Takes memories from what members say to us: behind a session, by one call of the small model, never per message.

A session is read when its member has said nothing to us for as long as the guild says, or after ten exchanges. What
waits is known by the log, so a restart loses nothing; one process at a time reads what a member said in a place. Of
sentences that cannot be kept anyway no model is asked.
"""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.errors import BadReply, ModelError, Refused
from memory.background import FairScheduler, pause_after, start_task
from memory.channels.values import SessionState, session_state
from memory.core.clock import Clock
from memory.core.values import Intent, Member, Message, Standing, last_id_of
from memory.db.database import Database, LogWrite
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.facts.changes import LedgerChange
from memory.facts.enter import NewFact, NotKept, enter, is_vetoed, known_to, saying_the_same
from memory.facts.ledger import FactStore, may_be_told_on
from memory.health import Health
from memory.language.sentences import sentences_around
from memory.leases import Lease, Leases
from memory.log.reading import message_of, not_pending_removal, stored
from memory.log.store import log_transaction
from memory.memories import prompt
from memory.memories.prompt import Candidate, worth_keeping
from memory.models.metering import Metering
from memory.models.usage import Requester
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf, read_settings
from memory.policy.store import opted_out_among
from memory.tasks import end

logger = logging.getLogger(__name__)

MOST_EXCHANGES = 10
"""After so many what was said is read, however long the session goes on."""
MOST_TRIES = 3
"""For the same words, of a model that answers, but not usably."""
LOOK_SECONDS = 60.0
"""Between two looks at what is due."""
LOOK_BACK = timedelta(days=1)
"""What was said longer ago is not read any more, whatever kept us from it."""
MOST_READ = 20
"""Messages of one reading."""
KEPT_FOR = 2 * LOOK_BACK
_EXCHANGES = (Intent.QUESTION, Intent.KNOWLEDGE)


@dataclass(frozen=True, slots=True)
class Place:
    """Names where a member speaks with us."""

    guild_id: int
    channel_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Holds how many exchanges with a member were not read yet."""

    place: Place
    exchanges: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class _Failure:
    """Says that a model failed at what waits in a place, and until when it is left alone."""

    rests_until: datetime
    tries: int


class Memories:
    def __init__(
        self,
        database: Database,
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
        self._store = MemoryStore(database, facts)
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


# What members said to us and was not read for memories yet, and the memories found. How far was read is written in the
# transaction that keeps what was found: whoever is ended before it begins anew, and finds nothing twice.


class MemoryStore:
    def __init__(self, database: Database, facts: FactStore) -> None:
        self._database = database
        self._facts = facts

    async def waiting(self, now: datetime) -> list[Waiting]:
        """List all that was said to us and not read, in every guild."""
        rows = await self._database.read(
            "store.memories.waiting", _WAITING, list(_EXCHANGES), last_id_of(now - LOOK_BACK)
        )
        return [
            Waiting(Place(row["guild_id"], row["channel_id"], row["author_id"]), row["exchanges"], row["last_at"])
            for row in rows
        ]

    async def unread(self, place: Place, now: datetime) -> list[Message]:
        """Read what a member said to us there and was answered, the oldest first."""
        rows = await self._database.read(
            "store.memories.unread",
            _UNREAD,
            place.guild_id,
            place.channel_id,
            place.user_id,
            list(_EXCHANGES),
            last_id_of(now - LOOK_BACK),
            MOST_READ,
        )
        return [message_of(row) for row in rows]

    async def keep(
        self,
        claim: Lease,
        place: Place,
        through: int,
        found: Sequence[Candidate],
        audience: Audience,
        at: datetime,
    ) -> int:
        """Note that all up to a message was read, and what was found there; give how many are new.

        Nothing, if another has the claim by now. What was edited or deleted meanwhile, vetoed, or may not be taken any
        more, is left out.
        """
        async with log_transaction(self._database, "store.memories.keep", place.guild_id) as connection:
            if not await connection.fetchval(_HOLDS, claim.guild_id, claim.what, claim.claimed_by):
                return 0
            await connection.execute(_READ_THROUGH, place.guild_id, place.channel_id, place.user_id, through, at)
            wanted = await _still_wanted(connection, place, found)
            if not wanted:
                return 0
            change = LedgerChange(connection, place.guild_id, at)
            new = sum([await _enter(change, one, audience) for one in wanted])
            self._facts.changed(place.guild_id)
        return new

    async def purge(self, now: datetime) -> None:
        async with self._database.transaction("store.memories.purge") as connection:
            await connection.execute("DELETE FROM memory_progress WHERE read_at < $1", now - KEPT_FOR)


async def _still_wanted(connection: LogWrite, place: Place, found: Collection[Candidate]) -> list[Candidate]:
    """Find the candidates that may still be kept. Asked again behind the lock: a model takes its time."""
    settings = await read_settings(connection, place.guild_id)
    is_out = await opted_out_among(connection, place.guild_id, [place.user_id])
    if not found or settings is None or not settings.answers.takes_memories or is_out:
        return []
    ids = {one.message.message_id for one in found}
    said = {message.message_id: message for message in await stored(connection, place.guild_id, ids)}
    wanted: list[Candidate] = []
    for one in found:
        message = said.get(one.message.message_id)
        if message is None or sentences_around(one.span, message.text) != one.span:
            continue
        is_denied = await is_vetoed(connection, place.guild_id, place.user_id, one.text)
        if not is_denied and await may_be_told_on(connection, message):
            wanted.append(one)
    return wanted


async def _enter(change: LedgerChange, candidate: Candidate, audience: Audience) -> bool:
    """Enter a candidate; say whether it is new: what was told and says otherwise, or says so already, holds."""
    message, in_hall = candidate.message, audience.is_hall
    said = (candidate.text, candidate.span, candidate.traits)
    new = replace(NewFact.let_on(message, message.author_id, *said, in_hall=in_hall), attribute=candidate.attribute)
    rows = await known_to(change.connection, new, audience)
    if await saying_the_same(rows, new.text):
        return False
    same = [
        row for row in rows if new.attribute and (row["category"], row["attribute"]) == (new.category, new.attribute)
    ]
    earlier = [row for row in same if row["standing"] == Standing.INFERRED and row["valid_from"] <= new.valid_from]
    over = [row["fact_id"] for row in earlier]
    with suppress(NotKept):
        return (await enter(change, new, audience, over)).is_new
    return False


_HOLDS = "SELECT EXISTS (SELECT 1 FROM claims WHERE guild_id = $1 AND what = $2 AND claimed_by = $3)"

_READ_THROUGH = """
INSERT INTO memory_progress AS known (guild_id, channel_id, user_id, read_through, read_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (guild_id, channel_id, user_id) DO UPDATE
SET read_through = greatest(known.read_through, excluded.read_through), read_at = excluded.read_at
"""

_ANSWERED = """
EXISTS (SELECT 1 FROM chat_history AS reply
        WHERE reply.guild_id = said.guild_id AND reply.reply_to = said.message_id AND reply.author_kind = 'self')
"""

_WAITING = f"""
SELECT said.guild_id, said.channel_id, said.author_id, count(*) AS exchanges, max(said.sent_at) AS last_at
FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
LEFT JOIN memory_progress AS done
    ON done.guild_id = said.guild_id AND done.channel_id = said.channel_id AND done.user_id = said.author_id
WHERE addressed.intent = ANY ($1) AND addressed.message_id > greatest($2, done.read_through)
  AND said.author_kind = 'person' AND NOT said.imported AND {_ANSWERED}
GROUP BY said.guild_id, said.channel_id, said.author_id
"""  # noqa: S608 - made of constants

_UNREAD = f"""
SELECT said.* FROM addressed JOIN chat_history AS said USING (guild_id, message_id)
LEFT JOIN memory_progress AS done
    ON done.guild_id = $1 AND done.channel_id = $2 AND done.user_id = $3
WHERE addressed.guild_id = $1 AND addressed.message_id > greatest($5, done.read_through)
  AND addressed.intent = ANY ($4) AND said.channel_id = $2 AND said.author_id = $3
  AND said.author_kind = 'person' AND NOT said.imported AND {_ANSWERED} AND {not_pending_removal("said")}
ORDER BY said.message_id LIMIT $6
"""  # noqa: S608 - made of constants

TABLES = (
    TableDeclaration(
        table="memory_progress",
        purpose="how far a member's messages to the bot in a channel were read for memories; ids only",
        until="two days later",
        columns=columns(ids="guild_id channel_id read_through", people="user_id", times="read_at"),
        message=Stays("how far was read is true whatever became of what was read"),
        member=Goes("user_id = {member}"),
        channel=Goes("channel_id = ANY({channels})"),
        guild=Goes(),
    ),
)
