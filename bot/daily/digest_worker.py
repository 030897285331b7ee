"""Posts the digests of guilds when they are due, each once, and has them say what is left when a source goes.

Which are due stands in the database, and who posts one has claimed it. Whoever finds that somebody set about it before
looks for it in its channel first: a crash at any step neither loses nor doubles it.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum, auto

import discord

from bot.background import Outages
from bot.connection import TROUBLE
from bot.daily.pages import digest_card
from bot.replies.draft import Draft, Sent, SpeakingPlaces, deliver, knows_who_reads, layout_of
from bot.replies.retract import Edit
from bot.replies.send import ReadersChanged, ReceiptWriter, Still, post_message, view_of
from bot.translate import text_of
from bot.words import Voice
from memory.background import FairScheduler
from memory.core.clock import Clock
from memory.core.provenance import Evidence
from memory.core.values import ERASED
from memory.daily.values import LATE, Digest, Edition, Schedule, State, is_digest
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.receipts.retractions import Retraction
from memory.tasks import request

logger = logging.getLogger(__name__)

EVERY_SECONDS = 20.0
MAKING_SECONDS, SENDING_SECONDS = 45.0, 25.0
"""Together less than a lease, also by clocks that are half a minute apart."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 600.0
SKEW = timedelta(minutes=5)
"""Between the clocks of two processes, and Discord's, at most."""
MOST_LOOKED_AT = 2_000
MOST_REMAKES = 3
GUILDS_AT_ONCE = 8


class Came(Enum):
    """Says what came of posting a digest."""

    POSTED = auto()
    DONE_BEFORE = auto()
    QUIET = auto()
    LATER = auto()
    """Something is in the way; it is tried again."""
    FORBIDDEN = auto()
    """We may not write there."""


@dataclass(slots=True)
class _Attempt:
    digest: Digest
    asks_model: bool
    message_id: int | None = None


class DigestWorker:
    def __init__(self, memory: MemoryManager, bot_name: str, clock: Clock, part: HealthReporter) -> None:
        self._memory = memory
        self._bot_name = bot_name
        self._clock = clock
        self._part = part
        self._outages = Outages(part)
        self._turns = FairScheduler("digests")
        part.watch(seconds_waited=self._turns.seconds_waited)
        self._speaking_places = SpeakingPlaces(memory)
        self._late: dict[int, str] = {}
        """By guild, what health says of one that was due and did not come."""

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]], client: discord.Client) -> None:
        while True:
            with request("digest"):
                await self._outages.survived(self._look([guild.id for guild in guilds()], client))
                if self._late:
                    self._part.failing(in_guilds=self._late)
            await self._memory.digests.woken(EVERY_SECONDS)

    async def _look(self, guild_ids: list[int], client: discord.Client) -> None:
        """Post what is due, guilds side by side: what waits for a model or Discord in one holds up no other."""
        schedules = {one.guild_id: one for one in await self._memory.digests.schedules(guild_ids)}
        latest = await self._memory.digests.latest(schedules)

        due = {guild: _due(one, latest.get(guild), self._clock.now()) for guild, one in schedules.items()}

        async def come(guild_id: int) -> None:
            await self._come(schedules[guild_id], due[guild_id], client)

        await self._turns.round([guild for guild, days in due.items() if days], come, at_once=GUILDS_AT_ONCE)
        posted = await self._memory.digests.latest(schedules)
        now = self._clock.now()
        self._late = {guild: _ISSUE for guild, one in schedules.items() if is_late(one, posted.get(guild), now)}

    async def _come(self, schedule: Schedule, due: list[tuple[date, datetime]], client: discord.Client) -> None:
        for day, at in due:
            if not knows_who_reads(self._readers(schedule)):
                return
            digest = await self._memory.digests.claim(schedule, day, at)
            if digest is not None:
                await self._post(schedule, digest, client, least=schedule.rules.least)

    async def post_now(self, schedule: Schedule, client: discord.Client) -> tuple[Came, int | None]:
        """Post today's digest, because somebody wants it; return what came of it, and which message it is."""
        digest = await self._memory.digests.claim_now(schedule)
        if digest is None:
            latest = (await self._memory.digests.latest([schedule.guild_id])).get(schedule.guild_id)
            return Came.DONE_BEFORE, None if latest is None else latest.message_id
        return await self._post(schedule, digest, client, least=1)

    async def _post(
        self, schedule: Schedule, digest: Digest, client: discord.Client, *, least: int
    ) -> tuple[Came, int | None]:
        attempt = _Attempt(digest, asks_model=digest.tries == 0)
        try:
            async with asyncio.timeout(MAKING_SECONDS + SENDING_SECONDS):
                came = await self._posted(schedule, attempt, client, least)
        except TROUBLE as error:
            code = error.code if isinstance(error, discord.HTTPException) else None
            logger.warning("digest postponed", extra={"reason": type(error).__name__, "discord_code": code})
            came = Came.FORBIDDEN if isinstance(error, (discord.Forbidden, discord.NotFound)) else Came.LATER
        match came:
            case Came.POSTED:
                await self._memory.digests.settle(digest, State.POSTED, attempt.message_id)
                self._part.count("posted")
                logger.info("digest posted", extra={"guild_id": digest.guild_id, "tries": digest.tries + 1})
            case Came.QUIET:
                await self._memory.digests.settle(digest, State.QUIET)
                self._part.count("quiet")
            case _:
                pause = min(FIRST_PAUSE_SECONDS * 2 ** min(digest.tries, 10), LONGEST_PAUSE_SECONDS)
                await self._memory.digests.put_off(digest, pause)
        return came, attempt.message_id

    async def _posted(self, schedule: Schedule, attempt: _Attempt, client: discord.Client, least: int) -> Came:
        digest, voice = attempt.digest, Voice(schedule.language, self._bot_name)
        place = client.get_partial_messageable(digest.channel_id, guild_id=digest.guild_id)
        paper = ReceiptWriter(self._memory.receipts, digest.digest_id, ERASED, voice)
        if digest.tries and await self._is_found(attempt, place, client, voice):
            return Came.POSTED
        if not await self._speaking_places.include(digest.guild_id, digest.channel_id):
            return Came.FORBIDDEN

        async def make(audience: Audience) -> Draft:
            edition = await self._memory.digests.make(digest, schedule, audience, by_model=attempt.asks_model)
            attempt.asks_model = False
            if edition.messages < least or not edition.lines:
                return Draft("")
            return draft_of(edition, voice)

        async def say(draft: Draft, still: Still) -> Sent:
            if not draft.words:
                return Sent.NOTHING
            ready = await paper.before(draft, readers())
            if isinstance(ready, Sent):
                return ready
            if ready.words != draft.words:
                raise TimeoutError("what it tells of is being changed")
            nonce = f"digest-{digest.digest_id:x}"
            try:
                sent = await post_message(place, ready.words, nonce, view_of(ready), still)
            except ReadersChanged:
                return Sent.CHANGED
            attempt.message_id = sent.id
            await paper.after([sent.id])
            return Sent.DELIVERED

        def readers() -> Audience:
            return self._memory.places.audience_of(digest.guild_id, digest.channel_id)

        _, sent = await deliver(make, readers, say)
        return Came.POSTED if sent is Sent.DELIVERED else Came.QUIET if sent is Sent.NOTHING else Came.LATER

    async def _is_found(
        self, attempt: _Attempt, place: discord.PartialMessageable, client: discord.Client, voice: Voice
    ) -> bool:
        """Say whether a digest stands there already. Whoever may not read back what they wrote does not repeat it."""
        digest = attempt.digest
        after = (digest.tried_at or digest.due_at) - SKEW
        async for message in place.history(limit=MOST_LOOKED_AT, after=after, oldest_first=True):
            is_ours = client.user is not None and message.author.id == client.user.id
            if is_ours and digest.mark in text_of(message).split("\n", 1)[0]:
                attempt.message_id = message.id
                audience = self._memory.places.audience_of(digest.guild_id, digest.channel_id)
                receipts = self._memory.receipts
                receipt = receipts.receipt_of(audience, digest.digest_id, ERASED, voice.language, Evidence())
                await receipts.note_sent(receipt, [message.id])
                return True
        return False

    async def regenerate(self, due: Retraction, edit: Edit) -> bool:
        """Edit a digest to say what is left, without a model: something that it rests on is gone, or somebody came to
        read it who may not read all."""
        if not is_digest(due.asked_in):
            return False
        digest = await self._memory.digests.one(due.guild_id, due.asked_in)
        schedule = None if digest is None else await self._memory.digests.schedule(due.guild_id)
        if digest is None or schedule is None:
            return False
        voice = Voice(due.language, self._bot_name)
        for _ in range(MOST_REMAKES):
            audience = self._memory.places.audience_of(digest.guild_id, digest.channel_id)
            edition = await self._memory.digests.make(digest, schedule, audience, by_model=False)
            readers = self._memory.places.audience_of(digest.guild_id, digest.channel_id)
            draft = draft_of(edition, voice)
            if not draft.suits(readers):
                continue
            await edit(layout_of(draft.blocks))
            # Behind the edit: until the new words stand, the old ones are still to be taken back.
            paper = ReceiptWriter(self._memory.receipts, digest.digest_id, ERASED, voice)
            if isinstance(await paper.before(draft, readers), Draft):
                await paper.after(due.message_ids)
                self._part.count("edited")
                return True
        return False

    def _readers(self, schedule: Schedule) -> Audience:
        return self._memory.places.audience_of(schedule.guild_id, schedule.rules.channel_id or 0)


_ISSUE = (
    "The server's digest was due and did not come. See that the bot may view, write and read back its channel, or "
    "choose another with /digest setup."
)


def _due(schedule: Schedule, latest: Digest | None, now: datetime) -> list[tuple[date, datetime]]:
    """List the days whose digest nobody posted or passed over."""
    return [
        (day, at)
        for day, at in schedule.due_by(now)
        if latest is None or day > latest.local_date or (day == latest.local_date and latest.state is State.OPEN)
    ]


def is_late(schedule: Schedule, latest: Digest | None, now: datetime) -> bool:
    """Say whether a digest was due and did not come, and none came since."""
    if latest is not None and latest.state is State.MISSED:
        return latest.due_at.timestamp() > schedule.rules.since
    return any(
        now - at > LATE and (latest is None or latest.local_date < day or latest.state is State.OPEN)
        for day, at in schedule.due_by(now)
        if latest is None or latest.local_date <= day
    )


def draft_of(edition: Edition, voice: Voice) -> Draft:
    drawn_from = frozenset(one.channel_id for line in edition.lines for one in line.sources)
    drawn_from |= edition.evidence.quoted.channels
    return Draft.of_card(digest_card(edition, voice), drawn_from, edition.evidence)
