"""Puts the diary of all guilds together: days that can be asked for, and the night's work that keeps them told."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from ai_clients.base import Purpose
from ai_clients.build import Models
from memory.answers.quote import Line, Say, answer_of, together
from memory.core.clock import Clock
from memory.core.outcomes import Answer
from memory.core.provenance import DayKey, Evidence, Read
from memory.core.values import Member, Message, Question
from memory.db.database import Database
from memory.facts.ledger import FactStore
from memory.health import Health
from memory.language.dates import shown_day
from memory.language.detect import Language, language_of, word_set
from memory.language.stems import words_of
from memory.language.text import repair
from memory.language.wording import wording
from memory.leases import Leases, LeaseStore
from memory.log.outage import CaughtUpChannels
from memory.models.metering import Metering
from memory.models.prompt_data import one_line
from memory.models.usage import Requester
from memory.people.store import GuildStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsStore
from memory.recall.query import read_question
from memory.summaries.also_called import CalledNames
from memory.summaries.calendar import date_in
from memory.summaries.days import WAIT, Days, DayTold, ToldDay
from memory.summaries.extractive import Diary, Quote, happenings
from memory.summaries.happenings import MOST, EntryKind, ToldHappening, weightiest_of_days
from memory.summaries.make_day import DayMaker
from memory.summaries.make_store import DayMakingStore
from memory.summaries.nightly import Nightly
from memory.summaries.store import DayStore

# What happened, told by topic: what a model wrote, or what is quoted, each with the message that says it.


QUOTE_LIMIT = 300
"""More than a quoted sentence has: none is cut."""
MOST_OF_DAYS = 10
"""Happenings of several days."""
MOST_ACTIVE = 8
_GROUPS = (
    (EntryKind.HAPPENED, None),
    (EntryKind.DECIDED, Diary.DECIDED),
    (EntryKind.PLANNED, Diary.PLANNED),
)


def told_by_topic(
    happened: Sequence[ToldHappening], said: Sequence[Sequence[Message]], days: Sequence[date], language: Language
) -> Answer:
    """Tell what happened on a day, or on several; `said` is, day by day, what nobody has told yet. All of it is what
    the readers of the answer may read, and no more."""
    quotes = happenings(said)
    chosen = weightiest_of_days(happened, MOST if len(days) == 1 else MOST_OF_DAYS)
    if not chosen and not quotes:
        return Answer(wording(language, Diary.NOTHING_HAPPENED, day=_written(days)))
    linked = {source for one in chosen for source in one.sources[:1]}
    quotes = tuple(one for one in quotes if one.source not in linked)
    is_quoted = all(one.is_quoted for one in chosen)
    quoted_lines = [Line(_line(quote), quote.source) for quote in quotes]
    first, last = shown_day(days[0]), shown_day(days[-1])
    if is_quoted:
        lines = [Line(wording(language, Say.QUOTING))]
    elif first == last:
        lines = [Line(wording(language, Diary.HEADING, day=first))]
    else:
        lines = [Line(wording(language, Diary.HEADING_OF_DAYS, first=first, last=last))]
    for kind, heading in _GROUPS:
        told = [_told_line(one, is_dated=len(days) > 1) for one in chosen if one.kind is kind]
        lines += [Line(wording(language, heading))] if told and heading is not None else []
        lines += [*told, *(quoted_lines if is_quoted and heading is None else [])]
    if quotes and not is_quoted:
        lines += [Line(wording(language, Say.QUOTING)), *quoted_lines]
    quoted = {quote.source.message_id for quote in quotes}
    read = Read.of_messages(message for some in said for message in some if message.message_id in quoted)
    from_days = Read(days={DayKey(one.scope, one.day.starts_at): one.changes for one in chosen})
    answer = answer_of(lines, read | from_days)
    return replace(answer, without_model=is_quoted, links_at_lines=True)


def _written(days: Sequence[date]) -> str:
    return " – ".join(dict.fromkeys(map(shown_day, (days[0], days[-1]))))


def _told_line(one: ToldHappening, *, is_dated: bool) -> Line:
    source = one.sources[0] if one.sources else None
    text = _as_line(one.text, QUOTE_LIMIT)
    return Line(f"• {shown_day(one.day.date)}: {text}" if is_dated else f"• {text}", source)


def _as_line(text: str, limit: int) -> str:
    """Write a text as one line, cut at `limit`. Quotation marks are ours: nothing inside closes them."""
    quotation = _QUOTATION.fullmatch(text)
    if quotation is None:
        return one_line(text, limit)
    return f"{quotation['by']}“{one_line(quotation['words'], limit)}”"


_QUOTATION = re.compile(r"(?P<by><@\d{1,20}>: )“(?P<words>.*)”", re.DOTALL)


def _line(quote: Quote) -> str:
    """Quote somebody in a line; Discord shows the moment in the language and the zone of whoever reads it."""
    stamp = int(quote.said_at.timestamp())
    return f"• <t:{stamp}:f> <@{quote.author_id}>: “{one_line(quote.text, QUOTE_LIMIT)}”"


# What a day was about for members who are asked about: their summaries, and quotations of what has none.


ROOM = 1_600
"""Characters of all summaries together: what one reads at a glance, and what Discord takes at once."""

MOST_DAYS = 3
"""Of a member's last week, where somebody asks what is known of them."""
MOST_LINKS = 3
"""To what a summarised day was made from, the most telling first to be found."""


def told(
    day: date,
    summaries: Mapping[int, Sequence[ToldDay]],
    said: Sequence[Message],
    sources: Sequence[Message],
    language: Language,
    read: Read,
) -> Answer:
    """Tell a day: `said` is what is not summarised of it, `sources` some of the rest; `read` days of summaries.

    All of it is what the readers of the answer may read, and no more. Where nobody summarised anything, the day is
    quoted line by line, each with its source.
    """
    is_quoted = all(one.is_quoted for of_member in summaries.values() for one in of_member)
    quoted = told_by_topic((), [[*sources, *said] if is_quoted else said], [day], language)
    if is_quoted:
        return quoted
    lines = [wording(language, Diary.HEADING, day=shown_day(day)), *_lines(summaries, language)]
    links = tuple(quote.source for quote in happenings([sources], MOST_LINKS))
    answer = Answer("\n".join(lines), links, without_model=False, evidence=Evidence.all_quoted(read))
    return together([answer, quoted]) if quoted.sources else answer


def _lines(summaries: Mapping[int, Collection[ToldDay]], language: Language) -> list[str]:
    """Write a line of summaries for each member, the most telling first; none of them is cut."""
    entries = [
        f"• <@{user_id}>: {' '.join(one.text for one in of_member)}"
        for user_id, of_member in sorted(summaries.items(), key=lambda one: -sum(len(s.text) for s in one[1]))
    ]
    room = ROOM
    kept: list[str] = []
    for entry in entries:
        if kept and len(entry) > room:
            break
        kept.append(entry)
        room -= len(entry)
    left = len(entries) - len(kept)
    return [*kept, *([wording(language, Diary.MORE, count=left)] if left else [])]


# Whether a question wants to know what happened on a day, and nothing more particular: then the day itself is told.


_WEEK = 7
_LONGEST = timedelta(days=_WEEK, hours=2)
"""Several days that are told as one; in one of them the clocks may change."""

_HAPPENING = word_set(
    "happened happen happening happens going new news whats day summarise summarize summary recap sum catch "
    "passiert passierte geschehen geschah los gemacht tat neu neues tag zusammenfassung zusammenfassen "
    "passe arrive fait nouveau neuf journee resume resumer "
    "paso pasado pasaba ocurrio sucedio hizo hecho nuevo dia resumen resumir "
    "случилось произошло происходило делал делала делали нового день итоги расскажи"
)
_MISSED = word_set("miss missed verpasst rate manque perdi perdido пропустил пропустила")
"""Whoever missed something asks for the others."""


@dataclass(frozen=True, slots=True)
class AskedDay:
    date: date
    people: frozenset[int]
    """Whose day; nobody: everybody's."""
    days: int = 1
    """From that date on."""


def asked_day(question: Question, members: Iterable[Member], zone: str) -> AskedDay | None:
    """Read by rule which day a question asks for; None if it asks for anything else. `members` need to hold the asker
    and those whom it may mean."""
    known = {member.user_id: member for member in members}
    text, when, asker = repair(question.text), question.asked_at, known[question.asker_id]
    asked = read_question(text, known.values(), asker, when, ZoneInfo(zone), question.language)
    span = asked.span
    if span is None or span.end - span.start > _LONGEST or asked.wants or asked.latest or asked.spoken_of:
        return None
    if not set(asked.words) <= _HAPPENING | _MISSED:
        return None
    is_missed = not _MISSED.isdisjoint(words_of(text))
    people = asked.speakers - {asker.user_id} if is_missed else asked.speakers
    first, last = date_in(zone, span.start), date_in(zone, min(span.end - timedelta(seconds=1), when))
    return AskedDay(first, people, max((last - first).days + 1, 1))


class DayAnswers:
    def __init__(
        self,
        database: Database,
        places: Places,
        facts: FactStore,
        metering: Metering,
        models: Models,
        clock: Clock,
        health: Health,
        live: CaughtUpChannels,
        settled: Callable[[int], Awaitable[None]],
        warm: Callable[[int], Awaitable[None]],
    ) -> None:
        """`settled`: until what was said before in a guild is in the log; `warm`: what is done once a night's days are
        told."""
        self._settled = settled
        store, making = DayStore(database), DayMakingStore(database)
        claims = Leases(LeaseStore(database), clock, health)
        chain = models.chain(Purpose.SUMMARISE)
        names = CalledNames(database, facts, places, clock)
        maker = DayMaker(store, making, claims, metering, chain, clock, health, places, names, live.is_live)
        self.days = Days(store, making, maker, places, SettingsStore(database), clock)
        self.nightly = Nightly(self.days, maker, store, making, GuildStore(database), places, claims, clock, warm)

    async def stop(self) -> None:
        await self.nightly.stop()

    async def day(self, audience: Audience, day: date, by: Requester, *, wait: float = WAIT) -> DayTold:
        """Tell what a day was about, brought up to date if that is due; what nobody summarised is quoted."""
        await self._settled(audience.guild_id)
        return await self.days.day(audience, day, by, wait=wait)

    async def asked_for(self, question: Question, members: Sequence[Member]) -> AskedDay | None:
        zone = await self.days.zone_of(question.guild_id)
        return await asyncio.to_thread(asked_day, question, members, zone)

    async def tell(
        self, asked: AskedDay, question: Question, audience: Audience, wait: float, *, for_model: bool
    ) -> Answer | None:
        """Tell what happened on a day, or quoted on several; None if nothing was said by those who are meant, or if it
        is told in another language and a model can answer in that of the question."""
        language = question.language or language_of(repair(question.text)) or Language.EN
        if asked.days > 1:
            zone = await self.days.zone_of(question.guild_id)
            return await self._several(asked, audience, date_in(zone, question.asked_at), language, for_model=for_model)
        by = Requester.of(question)
        day = await self.days.day(audience, asked.date, by, wait=min(wait, WAIT))
        summaries: dict[int, list[ToldDay]] = {}
        told_days: dict[DayKey, int] = {}
        for one in day.told:
            if not asked.people or one.user_id in asked.people:
                summaries.setdefault(one.user_id, []).append(one)
                told_days[DayKey(one.scope, one.day.starts_at)] = one.changes
        if for_model and not _is_told_in(language, (*day.told, *day.happened)):
            return None
        if not asked.people:
            told_day = await asyncio.to_thread(told_by_topic, day.happened, [day.said], [asked.date], language)
            small = _small_print(day, list(summaries), language)
            evidence = told_day.evidence | Evidence.all_quoted(Read(days=told_days))
            return replace(told_day, text="\n".join([told_day.text, *small]), evidence=evidence)
        said, sources = (
            [message for message in messages if message.author_id in asked.people]
            for messages in (day.said, day.sources)
        )
        if not summaries and not said:
            return None  # perhaps something else is known of them
        read = Read(days=told_days)
        return await asyncio.to_thread(told, asked.date, summaries, said, sources, language, read)

    async def lately(self, audience: Audience, user_id: int, language: Language) -> Answer | None:
        """Tell what a member's last days that are told already were about, each with the message that tells most."""
        today = await self.days.today(audience.guild_id)
        told = await self.days.told(audience, today - timedelta(days=_WEEK - 1), today, [user_id])
        newest = told[-MOST_DAYS:][::-1]
        if not newest:
            return None
        lines = [Line(wording(language, Say.LATELY))]
        for one in newest:
            said = await self.days.said_between(audience, one.day.date, one.day.date)
            own = [message for messages in said for message in messages if message.author_id == user_id]
            quotes = await asyncio.to_thread(happenings, [own], 1)
            noon = int((one.day.starts_at + (one.day.ends_at - one.day.starts_at) / 2).timestamp())
            words = f"• <t:{noon}:D>: {one_line(one.text, QUOTE_LIMIT)}"
            lines.append(Line(words, quotes[0].source if quotes else None))
        return answer_of(lines, Read(days={DayKey(one.scope, one.day.starts_at): one.changes for one in newest}))

    async def _several(
        self, asked: AskedDay, audience: Audience, today: date, language: Language, *, for_model: bool
    ) -> Answer | None:
        """Tell several days as one. "Last week" in which nothing was said means the last seven days."""
        first, last = asked.date, asked.date + timedelta(days=asked.days - 1)
        said = await self.days.said_between(audience, first, last)
        if not any(said) and asked.days == _WEEK and today - last <= timedelta(days=_WEEK):
            first, last = today - timedelta(days=_WEEK - 1), today
            said = await self.days.said_between(audience, first, last)
        happened = [] if asked.people else await self.days.happened(audience, first, last)
        if for_model and (all(one.is_quoted for one in happened) or not _is_told_in(language, happened)):
            return None  # a model answers that out of all else

        def is_told(message: Message) -> bool:
            return any(message.sent_at in day and message.channel_id in channels for day, channels in of_days)

        of_days = {(one.day, one.source_channels) for one in happened}
        untold = [
            [one for one in some if (one.author_id in asked.people if asked.people else not is_told(one))]
            for some in said
        ]
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        return await asyncio.to_thread(told_by_topic, happened, untold, days, language)


def _is_told_in(language: Language, entries: Iterable[ToldDay | ToldHappening]) -> bool:
    return language_of(" ".join(one.text for one in entries), language) is language


def _small_print(day: DayTold, people: Sequence[int], language: Language) -> list[str]:
    """Say in small print who was active, and of how much all of that is made, if it was too much."""
    if not any(not one.is_quoted for one in day.happened):
        return []
    named = ", ".join(f"<@{user_id}>" for user_id in people[:MOST_ACTIVE])
    more = f" +{len(people) - MOST_ACTIVE}" if len(people) > MOST_ACTIVE else ""
    lines = [wording(language, Diary.ACTIVE, people=f"{named}{more}")] if people else []
    if (left_out := max(one.left_out for one in day.happened)) > 0:
        count = max(one.messages for one in day.happened)
        lines.append(wording(language, Diary.MADE_FROM, given=count - left_out, count=count))
    return [f"-# {line}" for line in lines]
