"""Tells what was talked about in a channel, for whoever may read it.

A threshold makes a summary due, and an extract serves at once. A model is asked behind an exchange with us in that
channel; when somebody reads the summary: from the channel itself whenever it is due, from elsewhere at most once an
hour, and of a private channel only from inside; and by itself when nobody has spoken in a public one for an hour.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from cachetools import TTLCache

from ai_clients.embedding import StaticVectors
from memory.audit import LOSS_TOLD
from memory.background import FairScheduler, start_task
from memory.channels import prompt, topics
from memory.channels.make import Channel, SummaryMaker, SummaryOutcome
from memory.channels.store import ChannelSummaryStore
from memory.channels.topics import Returned, Topic
from memory.channels.values import (
    LONGEST,
    MID_TERM,
    SHORT_TERM,
    WINDOW,
    ChannelSummary,
    OpenTalk,
    Policy,
    Session,
    SummaryRules,
    is_history_due,
    last_sessions,
)
from memory.core.clock import Clock
from memory.core.outcomes import Correction
from memory.core.provenance import Read
from memory.core.values import Message, last_id_of
from memory.db.database import Record
from memory.db.errors import StoreError
from memory.language.text import repair
from memory.log.reading import MessageStore
from memory.models.usage import Requester, Routine
from memory.people.store import GuildStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf
from memory.tasks import drop, request

logger = logging.getLogger(__name__)

DEBOUNCE = 2.0
"""Seconds between an exchange and the look whether something is due: people go on talking."""
REST = 600.0
"""Seconds after a model has failed in a channel before it is asked again behind."""
MOST_RESTING = 1_024
FROM_ELSEWHERE = timedelta(hours=1)
QUIET = timedelta(hours=1)
"""Without a word for so long, a channel is summed up by itself if that is due."""
QUIET_LOOKED_BACK = timedelta(days=1)
"""Where nobody spoke for longer than that, it was looked at before."""
QUIET_PAUSE = 600.0
"""Seconds between two looks for such channels."""
PATIENCE = 15.0
"""Seconds that somebody waits for the history of a channel."""
CLAIMED_PAUSE = 0.2
ANALYZED = 2_000
"""Messages whose topics are told, the newest."""
EXTRACTED = 200
"""Messages that an extract is taken from, the newest."""
SESSIONS_SHOWN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ChannelText:
    """Holds what can be told of a channel now."""

    channel_id: int
    summaries: tuple[ChannelSummary, ...]
    """The highest level first; nothing where none was made yet."""
    extract: prompt.Told | None
    """What no summary covers, quoted."""
    is_due: bool
    read: Read
    """What it repeats."""


@dataclass(frozen=True, slots=True)
class ChannelStatus:
    rules: SummaryRules
    summaries: tuple[ChannelSummary, ...]
    open_talk: OpenTalk
    total: int
    """Messages of people in the channel."""
    is_due: bool
    lost_correction_at: datetime | None = None
    """When the reader put a summary right that went since, because something it covered was edited or deleted."""

    @property
    def covered(self) -> int:
        return sum(one.span.messages for one in self.summaries)

    @property
    def highest_level(self) -> int:
        return max((one.level for one in self.summaries), default=0)


@dataclass(frozen=True, slots=True)
class ContextViews:
    """Shows a channel's past in four views: what was just said, what was said before, all of it, and its history."""

    short_term: tuple[Message, ...]
    mid_term: tuple[Message, ...]
    total: int
    starts_after: int | None
    """Somebody had the short term begin anew behind this message."""
    summaries: tuple[ChannelSummary, ...]
    history: ChannelSummary | None
    sessions: tuple[Session, ...] = ()
    """Of those who spoke with us here within a day, the latest first."""
    returned: tuple[Returned, ...] = ()
    """Of the mid-term: what belongs to the topic of the last messages, the best first."""


@dataclass(frozen=True, slots=True)
class Analysis:
    messages: int
    people: dict[int, int]
    """How much each of them said; whoever said most comes first."""
    first_at: datetime | None
    last_at: datetime | None
    topics: tuple[Topic, ...]
    """Of the newest messages, in the order in which they came up."""
    extract: prompt.Told | None


class ChannelSummaries:
    def __init__(
        self,
        store: ChannelSummaryStore,
        messages: MessageStore,
        maker: SummaryMaker,
        places: Places,
        settings_of: SettingsOf,
        settled: Callable[[int], Awaitable[None]],
        clock: Clock,
        vectors: StaticVectors,
        guilds: GuildStore,
    ) -> None:
        self._store = store
        self._messages = messages
        self._maker = maker
        self._places = places
        self._settings_of = settings_of
        self._settled = settled
        self._clock = clock
        self._vectors = vectors
        self._resting: TTLCache[tuple[int, int], bool] = TTLCache(MOST_RESTING, REST)
        """Channels that no model could sum up just now."""
        self._behind: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._guilds = guilds
        self._turns = FairScheduler("summing up channels")
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start to sum up by themselves channels that fall silent, where there is a model."""
        if self._watching is None and self._maker.has_model:
            self._watching = start_task("channels that fell silent", self._watch, self._maker.part.failing)

    async def round(self) -> None:
        """Sum up, guild by guild, the public channels in which enough was said and nobody has spoken for an hour."""
        here = [guild_id for guild_id in await self._guilds.present() if self._places.knows_hall(guild_id)]
        await self._turns.round(here, self._sum_up_quiet)

    async def status(self, audience: Audience) -> ChannelStatus:
        """Say how the summaries of the place stand."""
        rules = (await self._settings_of(audience.guild_id)).summaries
        channel = _readable_place(audience)
        standing = await self._store.standing(audience, channel, rules.policy)
        total = _messages_in(await self._store.census(audience, channel))
        lost_at = await self._store.lost_correction(audience, channel, self._clock.now() - LOSS_TOLD)
        is_due = standing.is_due(rules)
        return ChannelStatus(rules, standing.summaries, standing.open_talk, total, is_due, lost_at)

    async def brought_up_to_date(self, audience: Audience, seconds: float, by: Requester) -> ChannelText | None:
        """Bring the place's text up to date for whoever asks: they wait a while for a model to make what is due."""
        await self._settled(audience.guild_id)
        text = await self.text(audience, audience.place_id, by)
        making = self._behind.get((audience.guild_id, audience.place_id))
        if text is None or making is None or not text.is_due:
            return text
        await asyncio.wait({making}, timeout=seconds)
        return await self.text(audience, audience.place_id, by)

    async def text(self, audience: Audience, channel_id: int, by: Requester) -> ChannelText | None:
        """Tell what was talked about from what there is: nobody waits for a model, which makes what is due behind, for
        whoever reads it. None: it is switched off, or the audience may not read the channel."""
        rules = (await self._settings_of(audience.guild_id)).summaries
        if not rules.is_on or channel_id not in audience.sources:
            return None
        standing = await self._store.standing(audience, channel_id, rules.policy)
        summaries, due = standing.summaries, standing.is_due(rules)
        if due and self._may_ask(audience, channel_id, summaries):
            self._make_behind(audience.guild_id, channel_id, by)
        said = await self._store.newest(audience, channel_id, EXTRACTED)
        covered_to = max((one.span.last_id for one in summaries), default=0)
        since = [one for one in said if one.message_id > covered_to]
        return await _text(channel_id, summaries, since, is_due=due)

    async def now(self, audience: Audience, by: Requester) -> SummaryOutcome:
        """Sum up the place now, as somebody in there asked for it: also what is not due. May raise `StoreError`."""
        await self._settled(audience.guild_id)
        channel = await self._channel(audience.guild_id, _readable_place(audience), by, live=True)
        outcome = await self._maker.make(channel, at_once=True)
        self._note(audience.guild_id, audience.place_id, outcome)
        return outcome

    async def history(self, audience: Audience, by: Requester) -> ChannelText:
        """Tell what the channel has been about, in a text that archives nothing; with what was said since it was last
        told, because somebody asks for it. Waits a while."""
        guild_id, channel_id = audience.guild_id, _readable_place(audience)
        await self._settled(guild_id)
        standing = await self._store.standing(audience, channel_id, Policy.HISTORY)
        if standing.open_talk.messages:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    channel = await self._channel(guild_id, channel_id, by, live=True)
                    history = _with_policy(channel, Policy.HISTORY)
                    # Whoever else is at it, here or in another process, will have it in a moment.
                    while await self._maker.make(history, at_once=True) is SummaryOutcome.ELSEWHERE:  # noqa: ASYNC110 - by claim
                        await asyncio.sleep(CLAIMED_PAUSE)
        told = await self._store.told(audience, channel_id, Policy.HISTORY)
        said = () if told else await self._store.newest(audience, channel_id, EXTRACTED)
        return await _text(channel_id, told, said, is_due=False)

    async def views(self, audience: Audience) -> ContextViews:
        guild_id, channel_id = audience.guild_id, _readable_place(audience)
        settings, now = await self._settings_of(guild_id), self._clock.now()
        rules, length = settings.summaries, timedelta(minutes=settings.answers.session_minutes)
        said, starts_after, census, summaries, history, spoken = await asyncio.gather(
            self._store.newest(audience, channel_id, SHORT_TERM + MID_TERM),
            self._messages.starts_after(guild_id, channel_id),
            self._store.census(audience, channel_id),
            self._store.told(audience, channel_id, rules.policy),
            self._store.told(audience, channel_id, Policy.HISTORY),
            self._store.said_to_us(audience, channel_id, last_id_of(now - SESSIONS_SHOWN)),
        )
        sessions = tuple(last_sessions(spoken, now, length))
        short = tuple(one for one in said[-SHORT_TERM:] if one.message_id > (starts_after or 0))
        mid = tuple(said[: len(said) - len(short)][-MID_TERM:])
        told = history[0] if history else None
        # It is in view for as long after the last message as it would be after a question.
        back = await topics.returning("", short, mid, self._vectors, short[-1].sent_at) if short else []
        returned = tuple(one for one in back if one.expires_at > now)
        return ContextViews(short, mid, _messages_in(census), starts_after, tuple(summaries), told, sessions, returned)

    async def analyze(self, audience: Audience, about: str | None = None) -> Analysis:
        """Count the whole past of the channel; find its topics and an extract, of what concerns `about` if that is
        given, from the newest of it."""
        channel_id = _readable_place(audience)
        census, said = await asyncio.gather(
            self._store.census(audience, channel_id), self._store.newest(audience, channel_id, ANALYZED)
        )
        found = await topics.topics_of(said)
        if about:
            extract = await topics.told_about(said, about, self._vectors)
        else:
            extract = await asyncio.to_thread(prompt.without_model, said[-EXTRACTED:])
        return Analysis(
            _messages_in(census),
            {row["author_id"]: row["messages"] for row in census},
            min((row["first_at"] for row in census), default=None),
            max((row["last_at"] for row in census), default=None),
            tuple(found),
            extract,
        )

    async def restart(self, audience: Audience) -> None:
        """Have the short term of the place begin anew. Nothing is deleted."""
        await self._messages.start_after(audience.guild_id, _readable_place(audience), last_id_of(self._clock.now()))

    async def by_id(self, audience: Audience, summary_id: int) -> ChannelSummary | None:
        return await self._store.by_id(audience, summary_id)

    async def may_correct(self, audience: Audience, summary: ChannelSummary, user_id: int, *, is_manager: bool) -> bool:
        """Say whether somebody may correct a text: they manage the guild, or it rests on their words."""
        return is_manager or any(one.author_id == user_id for one in await self.rests_on(audience, summary))

    async def correct(self, audience: Audience, summary_id: int, text: str, by: int) -> Correction:
        """Correct a summary with words that are not empty."""
        words = repair(text).strip()[:LONGEST]
        return await self._store.correct(audience, summary_id, words, by, self._clock.now())

    async def rests_on(self, audience: Audience, summary: ChannelSummary) -> list[Message]:
        return await self._store.cited(audience, summary.cites)

    async def for_answer(self, audience: Audience) -> tuple[ChannelSummary, ...]:
        """Read the place's summaries, the highest level first; without any, its history. Nobody waits for a model."""
        rules = (await self._settings_of(audience.guild_id)).summaries
        if not rules.is_on or audience.place_id not in audience.sources:
            return ()
        told = await self._store.told(audience, audience.place_id, rules.policy, Policy.HISTORY)
        return tuple([one for one in told if one.policy is rules.policy] or told)

    async def returning(self, asked: str, audience: Audience, before: int, now: datetime) -> list[Returned]:
        """Find what was said in the place before the short term and belongs to the topic that a question comes back to.
        Nothing where there is no such past."""
        if audience.place_id not in audience.sources or audience.viewer_id is not None:
            return []
        said = await self._store.newest(audience, audience.place_id, SHORT_TERM + MID_TERM, before)
        if len(said) <= SHORT_TERM:
            return []
        return await topics.returning(asked, said[-SHORT_TERM:], said[:-SHORT_TERM], self._vectors, now)

    def after_exchange(self, guild_id: int, channel_id: int, by: Requester) -> None:
        """Make what is due of a channel behind; we have just answered them there."""
        self._make_behind(guild_id, channel_id, by, is_exchange=True)

    async def stop(self) -> None:
        await drop(*self._behind.values(), self._watching)

    def _may_ask(self, audience: Audience, channel_id: int, summaries: Sequence[ChannelSummary]) -> bool:
        if channel_id == audience.place_id:
            return True
        if channel_id not in self._places.hall(audience.guild_id):
            return False
        made_at = max((one.made_at for one in summaries), default=None)
        return made_at is None or self._clock.now() - made_at >= FROM_ELSEWHERE

    def _note(self, guild_id: int, channel_id: int, outcome: SummaryOutcome) -> None:
        if outcome is SummaryOutcome.FAILED:
            self._resting[guild_id, channel_id] = True

    async def _is_due(self, channel: Channel) -> bool:
        """Say whether a summary is due, before anybody claims it: mostly it is not."""
        standing = await self._store.standing(channel.itself, channel.channel_id, channel.rules.policy)
        return standing.is_due(channel.rules)

    async def _is_history_due(self, channel: Channel, *, is_exchange: bool) -> bool:
        """Say whether the history is due; the first: once we are spoken with and more was said than a model sees."""
        standing = await self._store.standing(channel.itself, channel.channel_id, Policy.HISTORY)
        told, new = standing.summaries, standing.open_talk.messages
        if not told:
            return is_exchange and new > WINDOW
        said = await self._store.newest(channel.itself, channel.channel_id, EXTRACTED) if new else []
        has_turned = await topics.has_turned(said, told[0].made_at)
        return is_history_due(told[0], new, self._clock.now(), has_turned=has_turned)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(QUIET_PAUSE)
            with request("channels"), suppress(StoreError):  # the next look comes
                await self.round()

    async def _sum_up_quiet(self, guild_id: int) -> None:
        now = self._clock.now()
        for channel_id in await self._store.fell_silent(guild_id, now - QUIET_LOOKED_BACK, now - QUIET):
            if channel_id not in self._places.hall(guild_id) or (guild_id, channel_id) in self._resting:
                continue
            channel = await self._channel(guild_id, channel_id, Routine.QUIET)
            if channel.rules.is_on and await self._is_due(channel):
                self._note(guild_id, channel_id, await self._maker.make(channel))

    async def _channel(self, guild_id: int, channel_id: int, by: Requester | Routine, *, live: bool = False) -> Channel:
        settings = await self._settings_of(guild_id)
        name = self._places.names(Audience.of_place_alone(guild_id, channel_id)).get(channel_id)
        return Channel(guild_id, channel_id, settings.time_zone, settings.summaries, by, live, name)

    def _make_behind(self, guild_id: int, channel_id: int, by: Requester, *, is_exchange: bool = False) -> None:
        key = (guild_id, channel_id)
        if key in self._behind or key in self._resting:
            return  # what comes meanwhile is counted when it looks
        work = partial(self._make, guild_id, channel_id, by, is_exchange=is_exchange)
        task = start_task("channel summary", work, self._maker.part.failing, again=False)
        self._behind[key] = task
        task.add_done_callback(lambda _: self._behind.pop(key, None))

    async def _make(self, guild_id: int, channel_id: int, by: Requester, *, is_exchange: bool) -> None:
        await asyncio.sleep(DEBOUNCE if is_exchange else 0)
        try:
            await self._settled(guild_id)
            channel = await self._channel(guild_id, channel_id, by)
            if channel.rules.is_on and await self._is_due(channel):
                self._note(guild_id, channel_id, await self._maker.make(channel))
            if channel.rules.is_on and await self._is_history_due(channel, is_exchange=is_exchange):
                history = _with_policy(channel, Policy.HISTORY)
                self._note(guild_id, channel_id, await self._maker.make(history, at_once=True))
        except StoreError:
            logger.warning("channel summary failed: database unavailable", extra={"guild_id": guild_id})


async def _text(
    channel_id: int, summaries: Sequence[ChannelSummary], said: Sequence[Message], *, is_due: bool
) -> ChannelText:
    """Make the text of a channel, with quotations of what was said."""
    extract = await asyncio.to_thread(prompt.without_model, said)
    quoted = Read.of_messages(one for one in said if extract is not None and one.message_id in extract.cites)
    told = Read(
        summaries=frozenset(one.summary_id for one in summaries),
        channels=frozenset(one.channel_id for one in summaries),
    )
    return ChannelText(channel_id, tuple(summaries), extract, is_due, told | quoted)


def _messages_in(census: Iterable[Record]) -> int:
    return sum(row["messages"] for row in census)


def _readable_place(audience: Audience) -> int:
    """Give the place itself; 0, in which nothing is ever said, where the audience cannot read back."""
    return audience.place_id if audience.place_id in audience.sources else 0


def _with_policy(channel: Channel, policy: Policy) -> Channel:
    return replace(channel, rules=replace(channel.rules, policy=policy))
