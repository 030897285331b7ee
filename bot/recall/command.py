"""`/recall` and the pages it leads to: what somebody looks for, found among what they can read.

Pages keep no text. Whoever turns one gets what it holds now, as far as they may read it now.
"""

import asyncio
import base64
import logging
import re
import struct
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Protocol, Self, runtime_checkable

import aiohttp
import discord
from discord import app_commands

from bot.recall.query import ON_A_PAGE, NotUnderstood, RecallRequest, RequestReader, heading_of, page
from bot.replies.compose import Composer
from bot.replies.draft import Draft, Mark, Sent, deliver, offered, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import Still
from bot.settings import BotOptions
from bot.words.commands import described
from bot.words.keys import Phrase, Slash
from bot.words.voice import Voice
from memory.health import Part
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.recall.results import Bookmark, Passage
from memory.tasks import request

# The buttons under what was found, one for each page and two for the next ones.
#
# Each page's button holds in its id which messages stand on that page, and nothing of what they say. So pages can be
# turned after any restart; what they show is read anew, for the one who turns them.


Button = discord.ui.Button[discord.ui.View]

MOST_PAGES = 5
_IN_ONE_ROW = 3
"""So many pages have room between the two arrows."""
_BOOKMARK = struct.Struct(">qB")
_ID = re.compile(r"page:(?P<kind>[nbo]):(?P<number>[0-4]):(?P<marks>(?:[A-Za-z0-9_-]{12}){0,5})")
"""Nine bytes of a mark are twelve of these signs."""
_NUMBER, _BACK, _ON = "n", "b", "o"
_LABELS = {_BACK: "◀", _ON: "▶"}

Pages = Sequence[Sequence[Bookmark]]


class PageTurner(Protocol):
    async def turn_to(self, interaction: Interaction, number: int) -> None: ...


@runtime_checkable
class HasPageTurner(Protocol):
    @property
    def turning(self) -> PageTurner: ...


class PageButton(discord.ui.DynamicItem[Button], template=_ID):
    def __init__(
        self, kind: str, number: int, marks: str = "", *, is_open: bool = False, row: int | None = None
    ) -> None:
        """`number` is the page it leads to, from 0 on; the one that is open leads nowhere."""
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.primary if is_open else discord.ButtonStyle.secondary,
                label=_LABELS.get(kind, str(number + 1)),
                custom_id=f"page:{kind}:{number}:{marks}",
                disabled=is_open,
            ),
            row=row,
        )
        self._number = number

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["kind"], int(match["number"]), match["marks"])

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasPageTurner):
            raise TypeError("this client has no pages")
        await interaction.client.turning.turn_to(interaction, self._number)


def page_buttons(pages: Pages, number: int) -> discord.ui.View:
    """For the page `number`, which is open; none for a single page."""
    view = discord.ui.View(timeout=None)
    if len(pages) < 2:
        return view
    arrows, numbers = (0, 0) if len(pages) <= _IN_ONE_ROW else (1, 0)
    back = PageButton(_BACK, max(number - 1, 0), is_open=number == 0, row=arrows)
    on = PageButton(_ON, min(number + 1, len(pages) - 1), is_open=number == len(pages) - 1, row=arrows)
    leaves = [
        PageButton(_NUMBER, place, _written(marks), is_open=place == number, row=numbers)
        for place, marks in enumerate(pages)
    ]
    for button in (back, *leaves, on):
        view.add_item(button)
    return view


def pages_under(message: discord.Message) -> list[list[Bookmark]]:
    """Which messages stand on which page; nothing, where the buttons are not ours."""
    pages: list[list[Bookmark]] = []
    for button in _buttons(message):
        found = _ID.fullmatch(button.custom_id or "")
        if found is not None and found["kind"] == _NUMBER:
            pages.append(_read(found["marks"]))
    return pages


def _buttons(message: discord.Message) -> Iterable[discord.Button]:
    for row in message.components:
        if isinstance(row, discord.ActionRow):
            yield from (one for one in row.children if isinstance(one, discord.Button))


def _written(marks: Sequence[Bookmark]) -> str:
    packed = b"".join(_BOOKMARK.pack(mark.message_id, mark.with_before + 2 * mark.with_after) for mark in marks)
    return base64.urlsafe_b64encode(packed).decode()


def _read(written: str) -> list[Bookmark]:
    marks = _BOOKMARK.iter_unpack(base64.urlsafe_b64decode(written))
    return [Bookmark(message_id, bool(beside & 1), bool(beside & 2)) for message_id, beside in marks]


logger = logging.getLogger(__name__)

MOST_FOUND = ON_A_PAGE * MOST_PAGES
_SILENT = discord.AllowedMentions.none()
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)


class RecallCommand:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._composer = composer
        self._options = options
        self._part = part

    async def recall(self, interaction: Interaction, wanted: RecallRequest) -> None:
        """For an interaction that has been deferred."""
        voice, until = self._voice(interaction), self._until()
        found: Sequence[Passage] = ()

        async def look(readers: Audience) -> Draft:
            nonlocal found
            try:
                understood = await RequestReader(self._memory, interaction, readers, voice).of(wanted)
            except NotUnderstood as objection:
                return Draft(str(objection))
            found = await self._memory.recall.search(
                wanted.text,
                readers,
                interaction.user.id,
                interaction.created_at,
                MOST_FOUND,
                limits=understood.limits,
                thorough=True,
                request_id=interaction.id,
            )
            if not found:
                return Draft(voice.say(Phrase.RECALL_NOTHING, query=wanted.query, limits=understood.words))
            heading = voice.say(Phrase.RECALL_HEADING, query=wanted.query, limits=understood.words)
            return Draft(page(heading, found[:ON_A_PAGE], 1, voice), _drawn_from(found[:ON_A_PAGE]))

        async def make(readers: Audience) -> Draft:
            nonlocal found
            found = ()
            return await self._composer.attempt(look(readers), voice, until, reading=True)

        async def say(draft: Draft, still: Still) -> Sent:
            if not still():
                return Sent.CHANGED
            await _whisper(interaction, draft.words, page_buttons(_in_pages(found), 0))
            return Sent.DELIVERED

        await deliver(make, partial(sole_reader, self._memory, interaction), say)
        self._part.count("searches")
        logger.info("recalled", extra={"found": len(found)})

    async def turn_to(self, interaction: Interaction, number: int) -> None:
        with request("page"):
            try:
                await interaction.response.defer()
                await self._turn_to(interaction, number)
            except _DISCORD_FAILS:
                logger.exception("a page could not be turned")

    async def _turn_to(self, interaction: Interaction, number: int) -> None:
        open_page = interaction.message
        pages = [] if open_page is None else pages_under(open_page)
        if open_page is None or number >= len(pages):
            return
        voice, until = self._voice(interaction), self._until()
        heading = heading_of(open_page.content)

        async def read(readers: Audience) -> Draft:
            passages = await self._memory.recall.read_again(readers, pages[number])
            return Draft(page(heading, passages, number * ON_A_PAGE + 1, voice), _drawn_from(passages))

        async def make(readers: Audience) -> Draft:
            return await self._composer.attempt(read(readers), voice, until, reading=True)

        async def say(draft: Draft, still: Still) -> Sent:
            if not still():
                return Sent.CHANGED
            if draft.mark is Mark.FAILED:
                await _whisper(interaction, draft.words)  # the page that is open stays open
            else:
                view = page_buttons(pages, number)
                await interaction.edit_original_response(content=draft.words, view=view, allowed_mentions=_SILENT)
            return Sent.DELIVERED

        await deliver(make, partial(sole_reader, self._memory, interaction), say)
        self._part.count("pages")

    def _voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self._options.names[0])

    def _until(self) -> float:
        return asyncio.get_running_loop().time() + self._options.reply_seconds


async def _whisper(interaction: Interaction, words: str, view: discord.ui.View = discord.utils.MISSING) -> None:
    await interaction.followup.send(words, ephemeral=True, allowed_mentions=_SILENT, suppress_embeds=True, view=view)


def _in_pages(found: Sequence[Passage]) -> list[list[Bookmark]]:
    marks = [Bookmark.of(passage) for passage in found]
    return [marks[start : start + ON_A_PAGE] for start in range(0, len(marks), ON_A_PAGE)]


def _drawn_from(passages: Sequence[Passage]) -> frozenset[int]:
    return frozenset(passage.message.channel_id for passage in passages)


# `/recall`: look for what was said, among all that one can read oneself; nobody else sees what is found.


LONGEST_TEXT = 4_000
LONGEST_LIMIT = 200

Text = app_commands.Range[str, 1, LONGEST_TEXT]
Typed = app_commands.Range[str, 1, LONGEST_LIMIT]


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
        with request("recall"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            author_id = None if author is None else author.id
            await recalling.recall(interaction, RecallRequest(text, author_id, place, before, after))

    @recall.autocomplete("place")
    async def places(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild is None:
            return []
        readable = offered(interaction.guild, sole_reader(memory, interaction), typed)
        return [app_commands.Choice(name=name, value=str(place_id)) for name, place_id in readable]

    return recall
