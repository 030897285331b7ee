"""Makes the entries of a day, for each member and by topic: by one call of a model, or more if the day is big; else by
quotation.

Each day is made once at a time, in this process and in all. What a day is made from is on record before a model is
asked, so that an edit or a deletion meanwhile is noticed, and what came of it thrown away.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum, auto
from zoneinfo import ZoneInfo

from ai_clients.chain import Chain
from ai_clients.errors import BadReply, ModelError
from memory.background import pause_after
from memory.core.clock import Clock
from memory.core.values import Member, Message
from memory.db.errors import StoreError
from memory.health import Health, HealthReporter, PartState
from memory.language.detect import Language, language_of
from memory.leases import Lease, Leases
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester, Routine
from memory.people.names import name_key
from memory.places.service import Places
from memory.places.view import NOWHERE, Audience
from memory.summaries import day_prompt, happenings
from memory.summaries.also_called import CalledName, CalledNames
from memory.summaries.calendar import CalendarDay, DayRow, DueWork, is_over
from memory.summaries.day_prompt import planned
from memory.summaries.happenings import Happening, weightiest
from memory.summaries.make_store import DayMakingStore
from memory.summaries.store import Begun, DayInput, DayStore, MadeDay
from memory.tasks import drop

logger = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(minutes=30)
LONGEST_PAUSE = timedelta(hours=12)
"""Before a day is tried again that no model could tell."""
LISTENED_TO = 300
"""Messages of a day that tell which language is spoken."""

IsLive = Callable[[int, int], bool]
"""Whether all that is said in a channel of a guild is in the log as soon as it is said."""


class DayOutcome(StrEnum):
    MADE = auto()
    QUOTED = auto()
    """By quotation, because there is no model, or none that could."""
    KEPT = auto()
    """No model could, and there is a text from before that still holds."""
    QUIET = auto()
    """Nobody said anything."""
    CHANGED = auto()
    """Something it was made from changed meanwhile."""
    ELSEWHERE = auto()
    """Somebody else is at it, or was faster."""
    TOO_OFTEN = auto()
    """Whoever asked for it has to wait."""


@dataclass(frozen=True, slots=True)
class DayWork:
    """Holds a day, and what is to be done about it."""

    due: DueWork
    guild_id: int
    scope: int
    channels: frozenset[int]
    zone: str
    day: CalendarDay
    row: DayRow | None
    """What there was when it was decided to make it."""
    by: Requester | Routine | None
    """On whose behalf a model is asked. None: it is quoted, for an answer that waits for no model; a model has its turn
    later."""
    live: bool = False
    """A person is waiting for it."""
    mended_on: date | None = None
    """The night in which it is made anew, for a day that was final."""

    @property
    def key(self) -> tuple[int, int, datetime, bool]:
        return self.guild_id, self.scope, self.day.starts_at, self.by is not None


@dataclass(frozen=True, slots=True)
class _Told:
    summaries: Mapping[int, str]
    model: str | None
    happenings: Sequence[Happening] = ()
    called: tuple[CalledName, ...] = ()
    language: Language = Language.EN
    left_out: int = 0


class DayMaker:
    def __init__(
        self,
        store: DayStore,
        making: DayMakingStore,
        claims: Leases,
        metering: Metering,
        chain: Chain | None,
        clock: Clock,
        health: Health,
        places: Places,
        names: CalledNames,
        is_live: IsLive = lambda _guild, _channel: False,
    ) -> None:
        self._store = store
        self._making = making
        self._claims = claims
        self._metering = metering
        self._chain = chain
        self._clock = clock
        self._health = health
        self._places = places
        self._names = names
        self._is_live = is_live
        self._running: dict[tuple[int, int, datetime, bool], asyncio.Task[DayOutcome]] = {}

    @property
    def has_model(self) -> bool:
        return self._chain is not None

    @property
    def part(self) -> HealthReporter:
        """Get the health of days, named when first needed: a process that makes no days has no such part."""
        part = self._health.part("days")
        if part.snapshot().state is PartState.INITIALIZING:
            part.active()
        return part

    def make(self, work: DayWork) -> "asyncio.Future[DayOutcome]":
        """Make a day. Whoever waits for it may stop waiting: it goes on. May raise `StoreError`."""
        task = self._running.get(work.key)
        if task is None:
            task = asyncio.create_task(self._make(work), name="day")
            self._running[work.key] = task
            task.add_done_callback(lambda done: self._done(work, done))
        return asyncio.shield(task)

    async def stop(self) -> None:
        """Stop making days; what was not finished is done again by whoever comes next."""
        await drop(*self._running.values())

    async def is_over(self, guild_id: int, channels: frozenset[int], day: CalendarDay) -> bool:
        now = self._clock.now()
        if now < day.ends_at:
            return False
        reached = await self._store.read_through(guild_id, channels, day)
        return is_over(day, now, {one: at for one, at in reached.items() if not self._is_live(guild_id, one)})

    def _done(self, work: DayWork, task: "asyncio.Task[DayOutcome]") -> None:
        self._running.pop(work.key, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StoreError):
            logger.warning("could not summarise a day: %s", type(error).__name__, extra={"guild_id": work.guild_id})
            self.part.failing("A day could not be summarised, because the database did not answer; it is tried again.")
        elif error is not None:
            logger.error("unexpected error while summarising a day", exc_info=error, extra={"guild_id": work.guild_id})
            self.part.failing("A day could not be summarised, because of an unexpected error; the log says why.")

    async def _make(self, work: DayWork) -> DayOutcome:
        what = f"day {work.scope} {work.day.starts_at:%Y-%m-%dT%H:%M}"
        async with self._claims.held(work.guild_id, what) as claim:
            if claim is None or await self._is_overtaken(work):
                return DayOutcome.ELSEWHERE
            begun = await self._making.begin(
                work.guild_id, work.scope, work.channels, work.day, self._clock.now(), mended_on=work.mended_on
            )
            if not any(map(day_prompt.is_summarised, begun.source.messages)):
                await self._making.drop(work.guild_id, work.scope, work.day)
                return DayOutcome.QUIET
            outcome = await self._tell(work, claim, begun)
            if outcome is DayOutcome.CHANGED and work.by is not None:
                await self._try_later(work)
            return outcome

    async def _try_later(self, work: DayWork) -> None:
        """Put off what somebody edits while it is told, and may go on editing."""
        for row in await self._store.rows(work.guild_id, [work.scope], work.day.starts_at, work.day.ends_at):
            if row.day.starts_at == work.day.starts_at and not row.has_text:
                tries = row.tries + 1
                retry_at = self._clock.now() + pause_after(tries, first=FIRST_PAUSE, longest=LONGEST_PAUSE)
                await self._making.failed(work.guild_id, work.scope, work.day, tries, retry_at)

    async def _is_overtaken(self, work: DayWork) -> bool:
        """Say whether another process did it between our decision and our claim."""
        rows = await self._store.rows(work.guild_id, [work.scope], work.day.starts_at, work.day.ends_at)
        return next((row for row in rows if row.day.starts_at == work.day.starts_at), None) != work.row

    async def _tell(self, work: DayWork, claim: Lease, begun: Begun) -> DayOutcome:
        source, zone = begun.source, ZoneInfo(work.zone)
        tries, retry_at = 0, None
        try:
            told = await self._by_model(work, source)
        except AskedTooOften:
            return DayOutcome.TOO_OFTEN
        except ModelError as error:
            told = None
            tries = (work.row.tries if work.row is not None else 0) + 1
            pause = pause_after(tries, error, first=FIRST_PAUSE, longest=LONGEST_PAUSE)
            retry_at = self._clock.now() + pause
            self._note_failure(work, error)
            if work.row is not None and work.row.has_text and not work.row.is_quoted:
                await self._making.failed(work.guild_id, work.scope, work.day, tries, retry_at)
                return DayOutcome.KEPT
        by_topic = () if told is None else told.happenings
        if not by_topic:
            by_topic = await asyncio.to_thread(happenings.without_model, source.messages, zone)
        if told is None:
            told = _Told(await asyncio.to_thread(day_prompt.without_model, source.messages), None)
        made = MadeDay(
            texts=told.summaries,
            is_final=await self.is_over(work.guild_id, work.channels, work.day),
            made_at=self._clock.now(),
            version=day_prompt.VERSION,
            model=told.model,
            happenings=by_topic,
            left_out=told.left_out,
            tries=tries,
            retry_at=retry_at,
        )
        if not await self._making.finish(claim, work.scope, work.day, begun, made):
            return DayOutcome.CHANGED
        self.part.count("named", await self._names.note(work.guild_id, told.called, told.language))
        if tries == 0 and work.by is not None:
            self.part.active()
        self.part.count("made" if told.model is not None else "quoted")
        return DayOutcome.MADE if told.model is not None else DayOutcome.QUOTED

    async def _by_model(self, work: DayWork, source: DayInput) -> _Told | None:
        """Have a model tell the day; None: there is no model, or it is not its turn."""
        if self._chain is None or work.by is None:
            return None
        names = {member.user_id: member.display_name for member in source.members}
        day = day_prompt.DayMaterial(
            work.day.date,
            ZoneInfo(work.zone),
            most_spoken(source.messages),
            (source.messages,),
            names,
            {member.user_id: _also_known_as(member, source) for member in source.members},
            channels=self._places.names(Audience(work.guild_id, NOWHERE, _said_in(source.messages))),
        )
        plan = await asyncio.to_thread(planned, day)
        parts: list[Mapping[int, str]] = []
        by_topic: list[Sequence[Happening]] = []
        called: list[CalledName] = []
        models: dict[str, None] = {}
        dropped = 0
        for part in plan.parts:
            asked = day_prompt.render(part, fence=secrets.token_hex(8))
            reply = await self._metering.ask_for(
                work.guild_id, self._chain, asked.prompt, day_prompt.DayReply, by=work.by, live=work.live
            )
            read = day_prompt.read(reply.value, asked)
            parts.append(read.summaries)
            by_topic.append(read.happenings)
            called += read.called
            models[reply.model] = None
            dropped += read.dropped
        summaries = day_prompt.joined(parts)
        quotable = await asyncio.to_thread(day_prompt.without_model, source.messages) if not summaries else {}
        if quotable:
            raise BadReply("a day on which something was said has no summaries")
        logger.info(
            "day summarised",
            extra={
                "guild_id": work.guild_id,
                "day": f"{work.day.date}",
                "messages": len(source.messages),
                "left_out": plan.left_out,
                "calls": len(plan.parts),
                "members": len(summaries),
                "happenings": sum(map(len, by_topic)),
                "dropped": dropped,
            },
        )
        self.part.add({"calls": len(plan.parts), "dropped": dropped})
        return _Told(
            summaries, ", ".join(models), weightiest(by_topic), tuple(called), day.language, left_out=plan.left_out
        )

    def _note_failure(self, work: DayWork, error: ModelError) -> None:
        logger.warning(
            "no model summarised a day: %s",
            type(error).__name__,
            extra={"guild_id": work.guild_id, "day": f"{work.day.date}"},
        )
        self.part.count("failed")
        self.part.limited("Some days could not be summarised by a model; they are quoted, and tried again later.")


def _said_in(messages: Iterable[Message]) -> frozenset[int]:
    """List the channels that whoever will be told of the day can read."""
    return frozenset(message.channel_id for message in messages)


def most_spoken(messages: Iterable[Message]) -> Language:
    """Find the language of most of what was said at length."""
    longest = sorted(messages, key=lambda message: -len(message.text))[:LISTENED_TO]
    heard = Counter(language for message in longest if (language := language_of(message.text)) is not None)
    return heard.most_common(1)[0][0] if heard else Language.EN


def _also_known_as(member: Member, source: DayInput) -> tuple[str, ...]:
    """List what else a member is called, others' names first: their account's names say less to those who talk."""
    told = [one.name for one in source.told_names.get(member.user_id, ())]
    names: dict[str, str] = {}
    for name in (member.display_name, *told, member.global_name, member.username):
        if name:
            names.setdefault(name_key(name), name)
    return tuple(names.values())[1:]
