"""`/recall` and the pages it leads to: what somebody looks for, found among what they can read.

Pages keep no text. The button of each holds which messages stand on it, so that pages can be turned after any restart;
whoever turns one gets what these messages say now, as far as they may read them now.
"""

import base64
import struct
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.recall.query import ON_A_PAGE, NotUnderstood, RecallRequest, RequestReader, heading_of, page
from bot.replies.buttons import ReplyButton
from bot.replies.draft import Draft, offered, sole_reader
from bot.replies.interactions import Interaction
from bot.replies.private import PrivateReplies
from bot.words.commands import described
from bot.words.keys import Phrase, Slash
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.recall.results import Bookmark, Passage

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
    """To a page, by its number from 0 on; the one that is open leads nowhere."""


def page_buttons(pages: Pages, number: int) -> tuple[PageButton, ...]:
    """One for each page and two for the next ones, where the page `number` is open; none for a single page."""
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
    """Which messages stand on which page; nothing, where the buttons are not ours."""
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
                understood = await RequestReader(self._memory, interaction, reader, voice).of(wanted)
            except NotUnderstood as objection:
                return Draft(str(objection))
            found = await self._memory.recall.search(
                wanted.text,
                reader,
                interaction.user.id,
                interaction.created_at,
                MOST_FOUND,
                limits=understood.limits,
                request_id=interaction.id,
            )
            if not found:
                return Draft(voice.say(Phrase.RECALL_NOTHING, query=wanted.query, limits=understood.words))
            marks = [Bookmark.of(passage) for passage in found]
            pages = [marks[start : start + ON_A_PAGE] for start in range(0, len(marks), ON_A_PAGE)]
            heading = voice.say(Phrase.RECALL_HEADING, query=wanted.query, limits=understood.words)
            words = page(heading, found[:ON_A_PAGE], 1, voice)
            return Draft(words, _drawn_from(found[:ON_A_PAGE]), buttons=page_buttons(pages, 0))

        await self._replies.answer(interaction, work)
        self._part.count("searches")

    async def turn_to(self, interaction: Interaction, _kind: str, number: str, _marks: str) -> None:
        open_page, place = interaction.message, int(number)
        pages = [] if open_page is None else pages_under(open_page)
        if open_page is None or place >= len(pages):
            await interaction.response.defer()
            return
        heading, voice = heading_of(open_page.content), self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            passages = await self._memory.recall.read_again(reader, pages[place])
            words = page(heading, passages, place * ON_A_PAGE + 1, voice)
            return Draft(words, _drawn_from(passages), buttons=page_buttons(pages, place))

        await self._replies.replace(interaction, work, reading=True)
        self._part.count("pages")


def _drawn_from(passages: Sequence[Passage]) -> frozenset[int]:
    return frozenset(passage.message.channel_id for passage in passages)


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
