"""What somebody missed on a server, from all that they can read themselves: what is for them, what was decided, which
questions are open, and what was talked about.

Mentions and replies are exact: all of them are read. The rest is found in the newest messages of each channel, without
a model; if there is one, it writes what was decided and talked about in one call, from the same messages.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from zoneinfo import ZoneInfo

from ai_clients.chain import Chain
from ai_clients.embedding import StaticVectors
from ai_clients.errors import BadReply, ModelError
from memory.channels.topics import Topic, topics_of
from memory.core.clock import Clock
from memory.core.values import Member, Message, Source, attention, last_id_of, text_of, time_of
from memory.daily import prompt
from memory.daily.plans import decided, moment_back
from memory.daily.questions import open_questions
from memory.daily.store import CatchUpStore
from memory.daily.values import (
    LONGEST,
    MOST_READ,
    NEVER_SPOKE,
    SHORTEST,
    WHOLE_SERVER,
    Boundary,
    CatchUp,
    Line,
    Section,
    Since,
    Stretch,
    Trouble,
    Why,
    not_before,
    quotas,
)
from memory.events import Events
from memory.health import Health
from memory.language.detect import Language
from memory.language.sensitive import is_sensitive
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester, Routine
from memory.people.names import keys_of, mentioned_ids, names_one_of
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that somebody waits for a model."""
FEW = 3
"""Messages that need no model: quoting them is as short."""
MOST_NAMED = 3
"""People of a topic, those who said most."""
SILENCE = timedelta(hours=3)
"""After which people speak of something else: several days in a quiet channel would be one topic else."""
SOON = timedelta(days=7)
"""Scheduled events of the next days are told whenever somebody catches up."""
LONGEST_QUOTE = 300
"""Characters of a message that stand in a line."""


class CatchUps:
    def __init__(
        self,
        store: CatchUpStore,
        places: Places,
        metering: Metering,
        chain: Chain | None,
        vectors: StaticVectors,
        settings_of: SettingsOf,
        zone_of: Callable[[int, int], Awaitable[str]],
        settled: Callable[[int], Awaitable[None]],
        events: Events,
        clock: Clock,
        health: Health,
    ) -> None:
        """`zone_of`: the time zone of a member of a guild, their own or the guild's."""
        self._store = store
        self._places = places
        self._metering = metering
        self._chain = chain
        self._vectors = vectors
        self._settings_of = settings_of
        self._zone_of = zone_of
        self._settled = settled
        self._events = events
        self._clock = clock
        self._part = health.part("catch-ups")
        self._part.active()

    async def boundary(self, audience: Audience, channel_id: int | None, before: int) -> Boundary:
        """Where somebody left off who says no time: behind their last message, or where they said to have read to, if
        that is later. Of a channel that is their last message in there, if there is one."""
        guild_id, user_id, now = audience.guild_id, _viewer(audience), self._clock.now()
        await self._settled(guild_id)
        among = None if channel_id is None else self._places.with_threads(audience, channel_id)
        said, read_to = await asyncio.gather(
            self._store.last_said(guild_id, user_id, before, among),
            self._store.read_to(guild_id, user_id, channel_id or WHOLE_SERVER),
        )
        if said is None and among is not None:
            said = await self._store.last_said(guild_id, user_id, before, None)
        first_id = last_id_of(now - LONGEST)
        if read_to is not None and (said is None or read_to > said[0]):
            found = Boundary(Since.CATCH_UP, time_of(read_to), read_to)
        elif said is not None:
            shown = said[1] if said[1] in audience.sources else None
            found = Boundary(Since.MESSAGE, time_of(said[0]), said[0], shown)
        else:
            found = Boundary(Since.NEVER, now - NEVER_SPOKE, last_id_of(now - NEVER_SPOKE))
        return not_before(found, now, first_id)

    async def boundary_at(self, audience: Audience, typed: str, language: Language) -> Boundary | None:
        """The time that somebody gives, by their own clock; None, if that is not understood, too near or too far."""
        zone = ZoneInfo(await self._zone_of(audience.guild_id, _viewer(audience)))
        now = self._clock.now()
        at = moment_back(typed, now.astimezone(zone), zone, language)
        if at is None or not SHORTEST <= now - at <= LONGEST:
            return None
        return Boundary(Since.TIME, at, last_id_of(at) - (1 << 22))

    def boundary_from(self, after_id: int) -> Boundary:
        """The one that was shown, by its number."""
        now = self._clock.now()
        return not_before(Boundary(Since.TIME, time_of(after_id), after_id), now, last_id_of(now - LONGEST))

    async def catch_up(
        self,
        audience: Audience,
        boundary: Boundary,
        until_id: int,
        channel_id: int | None,
        role_ids: Sequence[int],
        language: Language,
        *,
        by: Requester | None = None,
    ) -> CatchUp:
        """For the one viewer of the audience, up to that message. `by` is who has a model asked; without, none is."""
        guild_id, user_id = audience.guild_id, _viewer(audience)
        await self._settled(guild_id)
        channels = audience.sources if channel_id is None else self._places.with_threads(audience, channel_id)
        after_id = boundary.after_id
        settings = await self._settings_of(guild_id)
        stretch, (for_you, in_all) = await asyncio.gather(
            self.stretch(audience, channels, after_id, until_id, but=user_id),
            self._store.for_you(audience, channels, after_id, until_id, user_id, role_ids),
        )
        news = {channel: [one for one in some if one.author_id != user_id] for channel, some in stretch.said.items()}
        me = await self._store.people(guild_id, [user_id], ())
        members = await self.members(guild_id, news)
        zone = ZoneInfo(settings.time_zone)
        asked = await self.open_questions(stretch)
        plans = await self.decided(news, zone)
        sections = _sections(for_you, [one for one in asked if one.author_id != user_id], me)
        sections[Section.COMING] = await self.coming(audience, SOON)
        # By the moment of the page, so that *More* goes on where the page ended.
        sections[Section.DECIDED] = tuple(one for one in plans if not one.is_over(time_of(until_id)))
        shown = {one.message_id for some in sections.values() for line in some for one in line.sources}
        sections[Section.TALKED] = tuple(await self.topics(news, members, shown))
        excluded = len(audience.sources & settings.log.excluded_channels)
        found = CatchUp(boundary, until_id, stretch, sections, excluded, in_all - len(for_you))
        if by is None or self._chain is None or sum(map(len, news.values())) <= FEW:
            return found
        return await self.by_model(found, news, [*members, *me], zone, language, audience, by)

    async def mark(self, audience: Audience, channel_id: int | None, until_id: int) -> bool:
        """Their next catch-up begins there. False for whoever opted out: of them nothing is kept."""
        read_to = min(until_id, last_id_of(self._clock.now()))
        return await self._store.mark(audience.guild_id, _viewer(audience), channel_id or WHOLE_SERVER, read_to)

    async def purge(self, now: datetime) -> None:
        """What was said to be read so long ago that nobody can look back to it."""
        await self._store.purge(last_id_of(now - LONGEST))

    # What a stretch of talk comes down to, for any audience and any of the channels that it can read.

    async def stretch(
        self,
        audience: Audience,
        channels: Collection[int],
        after_id: int,
        until_id: int,
        *,
        but: int = 0,
        days: int = 1,
        most: int = MOST_READ,
    ) -> Stretch:
        """What was said there. The messages of one, for whom they are no news, are read and not counted. Of several
        days as much is read of each as of the others: a lively one hides none."""
        census = await self._store.census(audience, channels, after_id, until_id, but)
        said: dict[int, list[Message]] = {}
        bounds = [after_id + (until_id - after_id) * day // days for day in range(days + 1)]
        for first, last in pairwise(bounds):
            counted = census if days == 1 else await self._store.census(audience, channels, first, last, but)
            wanted = {row["channel_id"]: row["talk"] for row in counted if row["talk"]}
            talk = await self._store.talk(audience, quotas(wanted, most // days), first, last)
            for channel_id, some in talk.items():
                said.setdefault(channel_id, []).extend(some)
        return Stretch(
            said,
            sum(row["messages"] for row in census),
            sum(row["messages"] > 0 for row in census),
            sum(row["bots"] for row in census),
            max(sum(row["talk"] for row in census) - sum(map(len, said.values())), 0),
        )

    async def topics(
        self, said: Mapping[int, Sequence[Message]], members: Sequence[Member], shown: Collection[int]
    ) -> list[Line]:
        """What was talked about in channels, a line each, the liveliest first. Names of members are no topics; messages
        that are shown elsewhere are not quoted for one."""
        names = [member.display_name for member in members]
        found: list[Line] = []
        for channel_id, some in said.items():
            turned = await topics_of(some, self._vectors, names, SILENCE)
            found += await asyncio.to_thread(_talked_about, channel_id, turned, some, shown)
        return sorted(found, key=lambda line: (-line.messages, -len(line.people), -line.sources[0].message_id))

    async def open_questions(self, stretch: Stretch) -> list[Message]:
        """The newest first. What is sensitive is not repeated."""
        found = await asyncio.to_thread(lambda: [one for some in stretch.said.values() for one in open_questions(some)])
        return sorted((one for one in found if not is_sensitive(one.text)), key=lambda one: -one.message_id)

    async def decided(self, said: Mapping[int, Sequence[Message]], zone: ZoneInfo) -> list[Line]:
        return await asyncio.to_thread(lambda: decided((one for some in said.values() for one in some), zone))

    async def coming(self, audience: Audience, span: timedelta) -> tuple[Line, ...]:
        """The scheduled events of a span that begins now."""
        now = self._clock.now()
        return tuple(map(Line.of_event, await self._events.coming(audience, now, now + span)))

    async def members(self, guild_id: int, said: Mapping[int, Sequence[Message]]) -> list[Member]:
        messages = [one for some in said.values() for one in some]
        mentioned = {user_id for one in messages for user_id in mentioned_ids(one.text)}
        return await self._store.people(guild_id, {one.author_id for one in messages}, mentioned)

    async def by_model(
        self,
        found: CatchUp,
        news: Mapping[int, Sequence[Message]],
        members: Sequence[Member],
        zone: ZoneInfo,
        language: Language,
        audience: Audience,
        by: Requester | Routine,
    ) -> CatchUp:
        """With what a model wrote for these readers; as it was found, and with the reason, where no model could."""
        if self._chain is None:
            return found
        guild_id, reader_id = audience.guild_id, audience.viewer_id
        plans = found.sections[Section.DECIDED]
        messages = await asyncio.to_thread(prompt.chosen, news, [one.sources[0].message_id for one in plans])
        material = prompt.Material(language, zone, messages, members, self._places.names(audience), reader_id)
        asked = await asyncio.to_thread(prompt.render, material, fence=secrets.token_hex(8))
        try:
            reply = await self._metering.ask_for(
                guild_id,
                self._chain,
                asked.prompt,
                prompt.Reply,
                by=by,
                live=isinstance(by, Requester),
                seconds=PATIENCE,
            )
            lines = await asyncio.to_thread(prompt.read, reply.value, asked, messages)
            if not (lines.decided or lines.talked):
                raise BadReply("no line that rests on what was said")
        except AskedTooOften:
            return replace(found, trouble=Trouble.TOO_OFTEN)
        except ModelError as error:
            logger.warning("no model wrote a catch-up: %s", type(error).__name__, extra={"guild_id": guild_id})
            self._part.count("failed")
            return replace(found, trouble=Trouble.FAILED)
        self._part.count("told")
        dated = {one.sources[0]: one for one in plans if one.when is not None}
        told = tuple(_dated(line, dated) for line in lines.decided)
        written = {Section.DECIDED: told, Section.TALKED: lines.talked}
        quoted = frozenset(one for one, some in written.items() if len(found.sections[one]) > len(some))
        given = len(messages) if len(messages) < sum(map(len, news.values())) else 0
        sections = {**found.sections, **written}
        return replace(found, sections=sections, by_model=True, quoted=quoted, given=given)


def _sections(
    for_you: Sequence[tuple[Message, Why]], asked: Sequence[Message], me: Sequence[Member]
) -> dict[Section, tuple[Line, ...]]:
    """What is for somebody, with the open questions that are put to them, by mention, reply or name; and the others."""
    keys = {key for member in me for key in keys_of(member)}
    open_ids = {one.message_id for one in asked}
    theirs = {one.message_id for one, why in for_you if why is not Why.ROLE and one.message_id in open_ids}
    theirs |= {one.message_id for one in asked if names_one_of(keys, one.text)}
    listed = {one.message_id: _quote(one, Why.QUESTION if one.message_id in theirs else why) for one, why in for_you}
    listed |= {one.message_id: _quote(one, Why.QUESTION) for one in asked if one.message_id in theirs}
    ordered = [listed[message_id] for message_id in sorted(listed, reverse=True)]
    return {
        Section.FOR_YOU: tuple(sorted(ordered, key=lambda line: line.why is not Why.QUESTION)),
        Section.OPEN: tuple(_quote(one) for one in asked if one.message_id not in listed),
    }


def _quote(message: Message, why: Why | None = None) -> Line:
    source = Source(message.channel_id, message.message_id)
    return Line(text_of(message)[:LONGEST_QUOTE], (source,), (message.author_id,), why)


def _talked_about(
    channel_id: int, topics: Sequence[Topic], said: Sequence[Message], shown: Collection[int]
) -> list[Line]:
    """One after the other, they are all that was said. A topic of which nothing is left to tell has no line."""
    ends = accumulate(topic.messages for topic in topics)
    spans = (said[end - topic.messages : end] for topic, end in zip(topics, ends, strict=True))
    lines = (_topic(channel_id, topic, span, shown) for topic, span in zip(topics, spans, strict=True))
    return [line for line in lines if line.text]


def _topic(channel_id: int, topic: Topic, span: Sequence[Message], shown: Collection[int]) -> Line:
    """By its tags. One of them says too little: then by the message that others reacted to, or the longest, that is not
    sensitive or shown already."""
    speaking = Counter(one.author_id for one in span)
    people = tuple(user_id for user_id, _ in speaking.most_common())
    source = Source(channel_id, topic.first_id)
    line = Line(", ".join(topic.tags), (source,), people, messages=topic.messages)
    telling = (one for one in span if one.message_id not in shown and not is_sensitive(one.text))
    # Of what speaks for the topic, what others made most of.
    longest = (
        None if len(topic.tags) > 1 else max(telling, key=lambda one: (attention(one), len(one.text)), default=None)
    )
    if longest is None:
        return line
    source = Source(channel_id, longest.message_id)
    return replace(line, text=text_of(longest)[:LONGEST_QUOTE], sources=(source,), is_quote=True)


def _dated(line: Line, dated: Mapping[Source, Line]) -> Line:
    """With the moment that a message it rests on speaks of."""
    plan = next((dated[source] for source in line.sources if source in dated), None)
    return line if plan is None else replace(line, when=plan.when, is_day=plan.is_day)


def _viewer(audience: Audience) -> int:
    if audience.viewer_id is None:
        raise ValueError("what somebody missed is told to them alone")
    return audience.viewer_id
