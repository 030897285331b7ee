"""Answers `/recall` and the pages it leads to: what somebody looks for, found among what they can read.

Pages keep no text. The button of each holds which messages stand on it, so that pages can be turned after any restart;
whoever turns one gets what these messages say now, as far as they may read them now.
"""

import base64
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.replies.buttons import ReplyButton
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, named, offered, sole_reader
from bot.replies.interactions import Interaction
from bot.replies.split import LIMIT, jump_link, sendable
from bot.words import Phrase, Slash, Voice, described
from memory.core.values import Message, text_of
from memory.health import HealthReporter
from memory.language.detect import Language, language_of
from memory.language.stems import words_of
from memory.language.times import Span, span_in
from memory.manager import MemoryManager
from memory.models.prompt_data import author_line, one_line
from memory.places.view import Audience
from memory.recall.query import Limits
from memory.recall.results import Bookmark, Passage

# Days that somebody types: "2026-03-01", "yesterday", "last week", "März", read in the guild's time zone.


_NUMBERS = re.compile(r"[\d\s./-]+")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


def days_meant(typed: str, now: datetime, zone: ZoneInfo, spoken: Language) -> Span | None:
    """Read which days were meant; None: not understood. `spoken` is what the one who types speaks with Discord."""
    language = language_of(typed) or spoken
    if _NUMBERS.fullmatch(typed):
        return _in_numbers(typed.strip(), now, zone, language)
    # "May" alone might be another word in a question; here it can only be the month.
    texts, languages = (typed, f"in {typed}"), dict.fromkeys((language, spoken, None))
    spans = (span_in(text, now, zone, one) for one in languages for text in texts)
    return next((span for span in spans if span is not None), None)


def _in_numbers(typed: str, now: datetime, zone: ZoneInfo, language: Language) -> Span | None:
    """Read a day, a month as 2026-03, or a year; of a day that no calendar has, the year would be a poor guess."""
    if month := _MONTH.fullmatch(typed):
        first = f"{month[1]}-{month[2]}-01"
        return span_in(first, now, zone, language)
    span = span_in(typed, now, zone, language)
    return span if span is None or len(typed) == 4 or span.end - span.start < timedelta(days=2) else None


def _day(typed: str, now: datetime, zone: ZoneInfo, voice: Voice) -> datetime:
    """Find the moment with which a day begins in the guild's zone; raises `NotUnderstood`."""
    days = days_meant(typed, now, zone, voice.language)
    if days is None:
        raise NotUnderstood(voice.say(Phrase.RECALL_NO_DAY, typed=one_line(typed, LONGEST_SHOWN)))
    return days.start


def shown(moment: datetime, zone: ZoneInfo) -> str:
    """Show a day in words: Discord's own notation would show that of the reader's zone."""
    return f"{moment.astimezone(zone):%Y-%m-%d}"


LONGEST_SHOWN = 120


class NotUnderstood(Exception):
    """Says to whoever typed a request what is wrong with it."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    text: str
    author_id: int | None = None
    place: str | None = None
    before: str | None = None
    after: str | None = None


# Passages of the log as a page to read: who said it, when, where, a line or two of it, and the way there.


ON_A_PAGE = 5
_LENGTHS = (260, 200, 150, 110, 80, 50, 30)
"""Characters of a message that are shown, the first of these with which a page fits into one of Discord's."""


def page(heading: str, passages: Sequence[Passage], first: int, voice: Voice) -> str:
    """Write a page of what was found; `first` is the number of its first passage among all of them."""
    if not passages:
        return f"{heading}\n{voice.say(Phrase.RECALL_GONE)}"
    written = ""
    for length in _LENGTHS:
        lines = (line for number, one in enumerate(passages, first) for line in _lines(number, one, length, voice))
        written = sendable("\n".join([heading, *lines]))
        if len(written) <= LIMIT:
            break
    return written[:LIMIT]


def heading_of(page: str) -> str:
    """Take the heading of a page that stands somewhere."""
    return page.split("\n", 1)[0]


def _lines(number: int, passage: Passage, length: int, voice: Voice) -> Iterable[str]:
    said = passage.message
    link = jump_link(said.guild_id, said.channel_id, said.message_id)
    at = discord.utils.format_dt(said.sent_at, "f")
    author = author_line(said, voice.language)
    yield f"**{number}.** {author} · {at} · <#{said.channel_id}> · [{voice.say(Phrase.RECALL_SHOW)}]({link})"
    for before in passage.before:
        yield f"> -# {_beside(before, length, voice)}"
    yield f"> {_words(said, length)}"
    for after in passage.after:
        yield f"> -# {_beside(after, length, voice)}"


def _beside(message: Message, length: int, voice: Voice) -> str:
    """Write a message beside a passage, by which that is understood, and no more of it."""
    return f"{author_line(message, voice.language)}: {_words(message, length // 2)}"


def _words(message: Message, length: int) -> str:
    """Quote somebody's words; a sign that would make a heading, a list or a small line is taken at its word."""
    words = one_line(text_of(message), length)
    return f"\\{words}" if words.startswith(("#", "-", "+", ">")) else words or "…"


MOST_PAGES = 5
MOST_FOUND = ON_A_PAGE * MOST_PAGES
LONGEST_TEXT, LONGEST_LIMIT = 4_000, 200
_IN_ONE_ROW = 3
"""So many pages have room between the two arrows."""
_BOOKMARK = struct.Struct(">qB")
"""Nine bytes are twelve signs of an id."""
_NUMBER, _BACK, _ON = "n", "b", "o"

Pages = Sequence[Sequence[Bookmark]]
Text = app_commands.Range[str, 1, LONGEST_TEXT]
Typed = app_commands.Range[str, 1, LONGEST_LIMIT]


class PageButton(ReplyButton, kind="page"):
    """Leads to a page, by its number from 0 on; that of the open one leads nowhere."""


def page_buttons(pages: Pages, number: int) -> tuple[PageButton, ...]:
    """Make a button for each page and two for the next ones, where page `number` is open; none for a single page."""
    if len(pages) < 2:
        return ()

    def button(kind: str, leads_to: int, label: str, *, is_open: bool, row: int, marks: str = "") -> PageButton:
        style = discord.ButtonStyle.primary if is_open else discord.ButtonStyle.secondary
        return PageButton(kind, leads_to, marks, label=label, style=style, is_there=not is_open, row=row)

    last, arrows = len(pages) - 1, int(len(pages) > _IN_ONE_ROW)
    leaves = [
        button(_NUMBER, place, str(place + 1), is_open=place == number, row=0, marks=_written(marks))
        for place, marks in enumerate(pages)
    ]
    return (
        button(_BACK, max(number - 1, 0), "◀", is_open=number == 0, row=arrows),
        *leaves,
        button(_ON, min(number + 1, last), "▶", is_open=number == last, row=arrows),
    )


def pages_under(message: discord.Message) -> list[list[Bookmark]]:
    """Read from a message's buttons which messages stand on which page; nothing, where they are not ours."""
    children = [one for row in message.components if isinstance(row, discord.ActionRow) for one in row.children]
    ids = [(one.custom_id or "").split(":") for one in children if isinstance(one, discord.Button)]
    return [_read(values[3]) for values in ids if values[:2] == [PageButton.kind, _NUMBER]]


def _written(marks: Sequence[Bookmark]) -> str:
    packed = b"".join(_BOOKMARK.pack(mark.message_id, mark.with_before + 2 * mark.with_after) for mark in marks)
    return base64.urlsafe_b64encode(packed).decode()


def _read(written: str) -> list[Bookmark]:
    marks = _BOOKMARK.iter_unpack(base64.urlsafe_b64decode(written))
    return [Bookmark(message_id, bool(beside & 1), bool(beside & 2)) for message_id, beside in marks]


class RecallCommand:
    def __init__(self, memory: MemoryManager, replies: PrivateReplies, part: HealthReporter) -> None:
        self._memory = memory
        self._replies = replies
        self._part = part

    async def recall(self, interaction: Interaction, wanted: RecallRequest) -> None:
        voice = self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            try:
                limits, words = await self._limits(interaction, wanted, reader, voice)
            except NotUnderstood as objection:
                return Draft(str(objection))
            found = await self._memory.recall.search(
                wanted.text,
                reader,
                interaction.user.id,
                interaction.created_at,
                MOST_FOUND,
                limits=limits,
                request_id=interaction.id,
            )
            said = {"query": one_line(wanted.text, LONGEST_SHOWN), "limits": words}
            if not found:
                return Draft(voice.say(Phrase.RECALL_NOTHING, **said))
            marks = [Bookmark.of(passage) for passage in found]
            pages = [marks[start : start + ON_A_PAGE] for start in range(0, len(marks), ON_A_PAGE)]
            shown_first = page(voice.say(Phrase.RECALL_HEADING, **said), found[:ON_A_PAGE], 1, voice)
            return Draft(shown_first, _drawn_from(found[:ON_A_PAGE]), buttons=page_buttons(pages, 0))

        await self._replies.answer(interaction, work)
        self._part.count("searches")

    async def _limits(
        self, interaction: Interaction, wanted: RecallRequest, reader: Audience, voice: Voice
    ) -> tuple[Limits, str]:
        """Read what a search is narrowed down to, and write it as it stands behind the query; raises `NotUnderstood`.
        Where one cannot read is the same as where nothing is."""
        if not words_of(wanted.text):
            raise NotUnderstood(voice.say(Phrase.RECALL_NO_WORDS))
        limits, said = Limits(), list[str]()
        if wanted.author_id is not None:
            limits = replace(limits, author_ids=frozenset((wanted.author_id,)))
            said.append(voice.say(Phrase.RECALL_FROM, who=f"<@{wanted.author_id}>"))
        if wanted.place is not None:
            guild = interaction.guild
            places = sorted(named(guild, reader, wanted.place)) if guild is not None else []
            if not places:
                raise NotUnderstood(voice.say(Phrase.RECALL_NO_PLACE))
            view = self._memory.place_mirror.view(reader.guild_id)
            threads = (view.with_threads(reader, place) for place in places)
            limits = replace(limits, channel_ids=frozenset(places).union(*threads))
            said.append(voice.say(Phrase.RECALL_IN, place=" ".join(f"<#{place}>" for place in places)))
        if wanted.before is None and wanted.after is None:
            return limits, "".join(f" · {one}" for one in said)
        zone = ZoneInfo((await self._memory.privacy.settings(reader.guild_id)).time_zone)
        after, before = (
            _day(typed, interaction.created_at, zone, voice) if typed is not None else None
            for typed in (wanted.after, wanted.before)
        )
        if after is not None:
            said.append(voice.say(Phrase.RECALL_AFTER, day=shown(after, zone)))
        if before is not None:
            said.append(voice.say(Phrase.RECALL_BEFORE, day=shown(before, zone)))
        if after is not None and before is not None and before <= after:
            days = {"before": shown(before, zone), "after": shown(after, zone)}
            raise NotUnderstood(voice.say(Phrase.RECALL_NO_TIME, **days))
        return replace(limits, after=after, before=before), "".join(f" · {one}" for one in said)

    async def turn_to(self, interaction: Interaction, _kind: str, number: str, _marks: str) -> None:
        open_page, place = interaction.message, int(number)
        pages = [] if open_page is None else pages_under(open_page)
        if open_page is None or place >= len(pages):
            await interaction.response.defer()
            return
        heading, voice = heading_of(open_page.content), self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            passages = await self._memory.recall.read_again(reader, pages[place], heading)
            words = page(heading, passages, place * ON_A_PAGE + 1, voice)
            return Draft(words, _drawn_from(passages), buttons=page_buttons(pages, place))

        await self._replies.replace(interaction, work, reading=True)
        self._part.count("pages")


def _drawn_from(passages: Sequence[Passage]) -> frozenset[int]:
    said = [message for passage in passages for message in passage.messages]
    return frozenset(one.channel_id for message in said for one in (message, *message.linked))


def recall_command(recalling: RecallCommand, memory: MemoryManager) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="recall", description=described(Slash.RECALL))
    @app_commands.describe(
        text=described(Slash.RECALL_TEXT),
        author=described(Slash.RECALL_FROM),
        place=described(Slash.RECALL_IN),
        before=described(Slash.RECALL_BEFORE),
        after=described(Slash.RECALL_AFTER),
    )
    @app_commands.rename(author="from", place="in")
    @app_commands.guild_only()
    async def recall(
        interaction: Interaction,
        text: Text,
        author: discord.Member | discord.User | None = None,
        place: Typed | None = None,
        before: Typed | None = None,
        after: Typed | None = None,
    ) -> None:
        author_id = None if author is None else author.id
        await recalling.recall(interaction, RecallRequest(text, author_id, place, before, after))

    @recall.autocomplete("place")
    async def places(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild is None:
            return []
        readable = offered(interaction.guild, sole_reader(memory, interaction), typed)
        return [app_commands.Choice(name=name, value=str(place_id)) for name, place_id in readable]

    return recall
