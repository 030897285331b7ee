"""Tells what somebody missed on a server, from all that they can read themselves: what is for them, what was decided,
which questions are open, and what was talked about.

Mentions and replies are exact: all of them are read. What was decided and talked about is read from the days, as far as
a model told them by topic; the rest is found in the newest messages of each channel, without a model.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from memory.channels.topics import LONGEST_QUOTE, topics_of
from memory.core.clock import Clock
from memory.core.provenance import DayKey, Read
from memory.core.values import Member, Message, Source, last_id_of, text_of, time_of
from memory.daily.store import CatchUpStore
from memory.daily.values import (
    LONGEST,
    MOST_READ,
    NEVER_SPOKE,
    SHORTEST,
    SOON,
    WHOLE_SERVER,
    Account,
    Boundary,
    CatchUp,
    Line,
    Section,
    Since,
    Talk,
    Trouble,
    Why,
    moment_back,
    not_before,
    quotas,
)
from memory.events import Events
from memory.language.detect import Language
from memory.language.sensitive import is_sensitive
from memory.language.text import hide_borrowed, plain_words
from memory.models.usage import Requester
from memory.people.names import keys_of, mentioned_ids, names_one_of
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf
from memory.summaries.days import Days
from memory.summaries.happenings import EntryKind, Plan, ToldHappening, decided, weightiest_of_days
from memory.summaries.make_day import DayOutcome

PATIENCE = 20.0
"""Seconds that somebody waits for a model."""
FEW = 3
"""Messages that need no model: quoting them is as short."""
MOST_HAPPENED = 20
"""Happenings of several days."""


class CatchUps:
    def __init__(
        self,
        store: CatchUpStore,
        places: Places,
        days: Days,
        settings_of: SettingsOf,
        zone_of: Callable[[int, int], Awaitable[str]],
        settled: Callable[[int], Awaitable[None]],
        events: Events,
        clock: Clock,
    ) -> None:
        """`zone_of`: the time zone of a member of a guild, their own or the guild's."""
        self._store = store
        self._places = places
        self._days = days
        self._settings_of = settings_of
        self._zone_of = zone_of
        self._settled = settled
        self._events = events
        self._clock = clock

    async def boundary(self, audience: Audience, channel_id: int | None, before: int) -> Boundary:
        """Find where somebody left off who says no time: behind their last message, or where they said to have read to,
        if that is later. Of a channel that is their last message in there, if there is one."""
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
        """Read the time that somebody gives, by their own clock; None if it is unclear, too near or too far."""
        zone = ZoneInfo(await self._zone_of(audience.guild_id, _viewer(audience)))
        now = self._clock.now()
        at = moment_back(typed, now.astimezone(zone), zone, language)
        if at is None or not SHORTEST <= now - at <= LONGEST:
            return None
        return Boundary(Since.TIME, at, last_id_of(at) - (1 << 22))

    def boundary_from(self, after_id: int) -> Boundary:
        """Make the boundary that was shown, by its number."""
        now = self._clock.now()
        return not_before(Boundary(Since.TIME, time_of(after_id), after_id), now, last_id_of(now - LONGEST))

    async def catch_up(
        self,
        audience: Audience,
        boundary: Boundary,
        until_id: int,
        channel_id: int | None,
        role_ids: Sequence[int],
        *,
        by: Requester | None = None,
    ) -> CatchUp:
        """Tell what was missed, for the one viewer of the audience, up to that message. `by` is who has today told, if
        that is due; without, nothing is made."""
        guild_id, user_id = audience.guild_id, _viewer(audience)
        await self._settled(guild_id)
        channels = audience.sources if channel_id is None else self._places.with_threads(audience, channel_id)
        after_id = boundary.after_id
        settings = await self._settings_of(guild_id)
        talk, (for_you, in_all) = await asyncio.gather(
            self.talk(audience, channels, after_id, until_id, but=user_id),
            self._store.for_you(audience, channels, after_id, until_id, user_id, role_ids),
        )
        news = {channel: [one for one in some if one.author_id != user_id] for channel, some in talk.said.items()}
        came = None
        if by is not None and self._days.has_model and sum(map(len, news.values())) > FEW:
            came = await self._days.bring_up(audience, await self._days.today(guild_id), by, wait=PATIENCE)
        me = await self._store.member(guild_id, user_id)
        asked = await self.open_questions(talk)
        sections = _sections(for_you, [one for one in asked if one.author_id != user_id], me)
        shown = {one.message_id for some in sections.values() for line in some for one in line.sources}
        account = await self.account(
            audience, channels, news, (after_id, until_id), ZoneInfo(settings.time_zone), shown
        )
        now = self._clock.now()
        events = map(Line.of_event, await self._events.coming(audience, now, now + SOON))
        sections |= {
            Section.COMING: tuple(sorted((*events, *account.coming), key=_when)),
            Section.DECIDED: account.decided,
            Section.TALKED: account.talked,
        }
        trouble = Trouble.TOO_OFTEN if came is DayOutcome.TOO_OFTEN and not account.by_model else None
        if came is not None and account.is_quoted:
            trouble = trouble or Trouble.FAILED
        excluded = len(audience.sources & settings.log.excluded_channels)
        return CatchUp(boundary, until_id, talk, sections, excluded, in_all - len(for_you), account, trouble)

    async def mark(self, audience: Audience, channel_id: int | None, until_id: int) -> bool:
        """Mark where their next catch-up begins. False for whoever opted out: of them nothing is kept."""
        read_to = min(until_id, last_id_of(self._clock.now()))
        return await self._store.mark(audience.guild_id, _viewer(audience), channel_id or WHOLE_SERVER, read_to)

    async def purge(self, now: datetime) -> None:
        """Delete what was said to be read so long ago that nobody can look back to it."""
        await self._store.purge(last_id_of(now - LONGEST))

    # What was said, and what it comes down to, for any audience and any of the channels that it can read.

    async def talk(
        self,
        audience: Audience,
        channels: Collection[int],
        after_id: int,
        until_id: int,
        *,
        but: int = 0,
        days: int = 1,
        most: int = MOST_READ,
    ) -> Talk:
        """Read what was said there. The messages of one, for whom they are no news, are read and not counted. Of
        several days as much is read of each as of the others: a lively one hides none."""
        census = await self._store.census(audience, channels, after_id, until_id, but)
        said: dict[int, list[Message]] = {}
        bounds = [after_id + (until_id - after_id) * day // days for day in range(days + 1)]
        for first, last in pairwise(bounds):
            counted = census if days == 1 else await self._store.census(audience, channels, first, last, but)
            wanted = {row["channel_id"]: row["talk"] for row in counted if row["talk"]}
            talk = await self._store.talk(audience, quotas(wanted, most // days), first, last)
            for channel_id, some in talk.items():
                said.setdefault(channel_id, []).extend(some)
        return Talk(
            said,
            sum(row["messages"] for row in census),
            sum(row["messages"] > 0 for row in census),
            sum(row["bots"] for row in census),
            max(sum(row["talk"] for row in census) - sum(map(len, said.values())), 0),
        )

    async def account(
        self,
        audience: Audience,
        channels: Collection[int],
        said: Mapping[int, Sequence[Message]],
        span: tuple[int, int],
        zone: ZoneInfo,
        shown: Collection[int] = (),
        *,
        quoting: bool = True,
    ) -> Account:
        """Tell what was said in these channels between two ids: by topic, as far as a model has told its days; the rest
        is quoted, but for messages that are shown elsewhere, or not at all."""
        after_id, until_id = span
        first, last = (time_of(one).astimezone(zone).date() for one in span)
        messages = [one for some in said.values() for one in some]
        happened, told, plans = await asyncio.gather(
            self._days.happened(audience, first, last),
            self._days.told_by_model(audience, [one.message_id for one in messages]),
            asyncio.to_thread(decided, messages, zone),
        )
        read = {one.message_id for one in messages}
        by_model = [
            one
            for one in happened
            if not one.is_quoted
            and any(after_id < source.message_id <= until_id for source in one.sources)
            and all(source.channel_id in channels for source in one.sources)
            # What only somebody said for whom it is no news is none.
            and (len(messages) >= MOST_READ or not read.isdisjoint(one.cites))
        ]
        chosen = await asyncio.to_thread(weightiest_of_days, by_model, MOST_HAPPENED)
        dated = {plan.source: plan for plan in plans if plan.when is not None}
        lines = [_happened(one, dated) for one in chosen]
        linked = {source for line in lines for source in line.sources}
        untold = {channel: [one for one in some if one.message_id not in told] for channel, some in said.items()}
        settled = [line for line, one in zip(lines, chosen, strict=True) if one.kind is not EntryKind.HAPPENED]
        settled += [
            Line(plan.text, (plan.source,), (plan.author_id,), when=plan.when, is_day=plan.is_day)
            for plan in plans
            if plan.source.message_id not in told and plan.source not in linked
        ]
        now = time_of(until_id)
        open_lines = [line for line in settled if not line.is_over(now)]
        coming = [(line.when, line) for line in open_lines if line.when is not None and line.when < now + SOON]
        soon = tuple(line for _, line in sorted(coming, key=lambda one: one[0]))
        others = sorted((line for line in open_lines if line not in soon), key=lambda line: -line.sources[0].message_id)
        linked |= {source for line in settled for source in line.sources}
        talked = [line for line, one in zip(lines, chosen, strict=True) if one.kind is EntryKind.HAPPENED]
        if quoting:
            talked += await self._quoted_topics(untold, {*shown, *(one.message_id for one in linked)})
        days = {(one.scope, one.day): one for one in chosen}.values()
        return Account(
            soon,
            tuple(others),
            tuple(talked),
            sum(one.messages for one in days),
            sum(one.left_out for one in days),
            any(one.is_quoted for one in happened),
        )

    async def _quoted_topics(self, said: Mapping[int, Sequence[Message]], shown: Collection[int]) -> list[Line]:
        """List what was talked about in channels, a sentence of each topic, the liveliest first."""
        found: list[Line] = []
        for some in said.values():
            for topic in await topics_of(some, shown):
                if (quote := topic.quote) is not None:
                    people = tuple(dict.fromkeys((quote.author_id, *topic.people)))
                    found.append(Line(quote.text, (quote.source,), people, messages=topic.messages))
        return sorted(found, key=lambda line: (-line.messages, -len(line.people), -line.sources[0].message_id))

    async def open_questions(self, talk: Talk) -> list[Message]:
        """List the open questions, the newest first. What is sensitive is not repeated."""
        found = await asyncio.to_thread(lambda: [one for some in talk.said.values() for one in open_questions(some)])
        return sorted((one for one in found if not is_sensitive(one.text)), key=lambda one: -one.message_id)


def _when(line: Line) -> datetime:
    return line.when or datetime.max.replace(tzinfo=UTC)


def _happened(one: ToldHappening, dated: Mapping[Source, Plan]) -> Line:
    """Make a line of a happening, with the moment its messages speak of, if that is to come or was decided."""
    plan = next((dated[source] for source in one.sources if source in dated), None)
    rests_on = Read(days={DayKey(one.scope, one.day.starts_at): one.changes}, channels=one.source_channels)
    line = Line(one.text, one.sources, rests_on=rests_on)
    if plan is None or one.kind is EntryKind.HAPPENED:
        return line
    return replace(line, when=plan.when, is_day=plan.is_day)


def _sections(
    for_you: Sequence[tuple[Message, Why]], asked: Sequence[Message], me: Sequence[Member]
) -> dict[Section, tuple[Line, ...]]:
    """Choose what is for somebody, with open questions put to them by mention, reply or name; and the others."""
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


def _viewer(audience: Audience) -> int:
    if audience.viewer_id is None:
        raise ValueError("what somebody missed is told to them alone")
    return audience.viewer_id


# Which questions of a channel are still open, by what was said behind them.
#
# A reply to a question answers it. So does whoever turns to its asker soon, or is spoken to in it and speaks; and an
# asker who goes on talking has their answer. Of real chat in which people marked what answers what, 87 % of what is
# found so is open (`benchmarks/daily.py`).


WATCHED = 30
"""Messages behind a question in which its answer is looked for."""
LEAST_WORDS = 3
TEXT_LIMIT = 1_000
AROUND, FEW = 10, 3
"""Where so few others spoke in so many messages before and behind a question, whoever speaks next answers it."""
ANSWERED_WITHIN = timedelta(minutes=30)
_MARKS = "?？؟"


def open_questions(messages: Sequence[Message]) -> list[Message]:
    """List a channel's open questions, in order. `messages` are all that people said there, in order."""
    authors = {one.message_id: one.author_id for one in messages}
    replied = {one.reply_to for one in messages if one.author_id != authors.get(one.reply_to or 0)}
    turned_to = [_turned_to(one, authors) for one in messages]
    return [
        one
        for place, one in enumerate(messages)
        if is_question(one.text) and one.message_id not in replied and _is_open(place, messages, turned_to)
    ]


def is_question(text: str) -> bool:
    """Say whether somebody asks in their own words: no link, no code, nothing quoted, and more than "what?"."""
    if not any(mark in text for mark in _MARKS):
        return False
    own = hide_borrowed(text[:TEXT_LIMIT])
    return any(mark in own for mark in _MARKS) and len(plain_words(own)) >= LEAST_WORDS


def _is_open(place: int, messages: Sequence[Message], turned_to: Sequence[frozenset[int]]) -> bool:
    question, asker = messages[place], messages[place].author_id
    asked = turned_to[place] - {asker}
    behind = range(place + 1, min(place + 1 + WATCHED, len(messages)))
    if any(messages[at].author_id in {asker, *asked} or asker in turned_to[at] for at in behind):
        return False
    around = range(max(place - AROUND, 0), min(place + 1 + AROUND, len(messages)))
    others = {messages[at].author_id for at in around} - {asker}
    if asked or not behind or len(others) > FEW:
        return True
    # Hardly anybody else is there: whoever speaks next answers, unless they ask back.
    spoke = messages[place + 1]
    is_free = not turned_to[place + 1] and not is_question(spoke.text)
    return not is_free or spoke.sent_at - question.sent_at > ANSWERED_WITHIN


def _turned_to(message: Message, authors: Mapping[int, int]) -> frozenset[int]:
    replied = authors.get(message.reply_to) if message.reply_to is not None else None
    return frozenset([*mentioned_ids(message.text), *([] if replied is None else [replied])])
