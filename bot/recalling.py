"""`/recall` and the pages it leads to: what somebody looks for, found among what they can read.

Pages keep no text. Whoever turns one gets what it holds now, as far as they may read it now.
"""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

import aiohttp
import discord

from bot.commands.saying import voice_of
from bot.composing import Composing
from bot.drafts import Draft, Mark, Sent, deliver
from bot.page_buttons import MOST_PAGES, Interaction, page_buttons, pages_under
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.recollections import ON_A_PAGE, heading_of, page
from bot.sending import Still
from bot.settings import BotOptions
from bot.sole_reader import sole_reader
from bot.wanted import NotUnderstood, Understanding, Wanted
from memory.health import Part
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.recall.results import Bookmark, Passage
from memory.tasks import request

logger = logging.getLogger(__name__)

MOST_FOUND = ON_A_PAGE * MOST_PAGES
_SILENT = discord.AllowedMentions.none()
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)


class Recalling:
    def __init__(self, memory: MemoryManager, composing: Composing, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._composing = composing
        self._options = options
        self._part = part

    async def recall(self, interaction: Interaction, wanted: Wanted) -> None:
        """For an interaction that has been deferred."""
        voice, until = self._voice(interaction), self._until()
        found: Sequence[Passage] = ()

        async def look(readers: Audience) -> Draft:
            nonlocal found
            try:
                understood = await Understanding(self._memory, interaction, readers, voice).of(wanted)
            except NotUnderstood as objection:
                return Draft(str(objection))
            found = await self._memory.recall(
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
            return await self._composing.attempt(look(readers), voice, until, reading=True)

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
            passages = await self._memory.read_again(readers, pages[number])
            return Draft(page(heading, passages, number * ON_A_PAGE + 1, voice), _drawn_from(passages))

        async def make(readers: Audience) -> Draft:
            return await self._composing.attempt(read(readers), voice, until, reading=True)

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
