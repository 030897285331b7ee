"""Gives replies that one person alone can see: to a command, a button or a form, in their language, and made from what
they can read at that moment."""

import asyncio
from collections.abc import Awaitable
from functools import partial

import discord

from bot.replies.compose import Composer
from bot.replies.draft import Draft, Make, Mark, Readers, Sent, deliver, knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, answer, voice_of
from bot.replies.send import ReceiptWriter, Still, answer_in_place, ephemeral_post, send
from bot.words import Notice, Phrase, Voice
from memory.manager import MemoryManager
from memory.people.names import NameOf
from memory.places.view import Audience
from memory.tasks import request

FORM_SECONDS = 2.0
"""A form has to be shown within the three seconds that Discord waits for any answer."""


class PrivateReplies:
    def __init__(self, memory: MemoryManager, composer: Composer, bot_name: str) -> None:
        self._memory = memory
        self._composer = composer
        self.bot_name = bot_name

    def voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self.bot_name)

    def reader(self, interaction: Interaction) -> Audience:
        """Find what somebody can read now; in a direct message nothing of any server."""
        if interaction.guild_id is None:
            return Audience(0, interaction.channel_id or 0, frozenset(), viewer_id=interaction.user.id)
        return sole_reader(self._memory, interaction)

    async def answer(
        self,
        interaction: Interaction,
        work: Make,
        *,
        reading: bool = True,
        needs_view: bool = False,
        readers: Readers | None = None,
        voice: Voice | None = None,
        until: float | None = None,
        repeating: str = "",
    ) -> tuple[Draft, Sent]:
        """Send what comes of the work as a message of its own. `needs_view`: without knowing who reads what, it would
        look as if there were nothing. `repeating`: words of theirs that may have to stand under it."""
        with request(interaction.command.name if interaction.command is not None else "press"):
            if not interaction.response.is_done():
                await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice or self.voice(interaction)
            paper = ReceiptWriter(self._memory.receipts, interaction.id, interaction.user.id, voice)

            async def say(draft: Draft, still: Still) -> Sent:
                ready = await paper.before(draft, self.reader(interaction))
                if isinstance(ready, Sent):
                    return ready
                post = ephemeral_post(interaction, repeating=repeating if ready.repeats_words else "")
                return await send(ready, post, ending=voice.say(Phrase.CUT), still=still)

            make = self._made(work, voice, until, reading=reading, needs_view=needs_view)
            return await deliver(make, readers or partial(self.reader, interaction), say)

    async def replace(
        self, interaction: Interaction, work: Make, *, reading: bool = False, needs_view: bool = False
    ) -> None:
        """Put what comes of the work in the place of what was pressed. What could not be done is said to them alone,
        and that stays as it was."""
        if not interaction.response.is_done():
            await interaction.response.defer()
        voice = self.voice(interaction)
        make = self._made(work, voice, None, reading=reading, needs_view=needs_view)
        await answer_in_place(interaction, make, partial(self.reader, interaction), voice, self._memory.receipts)

    async def show_form(self, interaction: Interaction, work: Awaitable[discord.ui.Modal | str]) -> None:
        """Show the form that comes of the work, or say why there is none."""
        until = asyncio.get_running_loop().time() + FORM_SECONDS
        found = await self._composer.attempt(work, self.voice(interaction), until, reading=True)
        if isinstance(found, discord.ui.Modal):
            await interaction.response.send_modal(found)
        else:
            await answer(interaction, found if isinstance(found, str) else found.words)

    def _made(self, work: Make, voice: Voice, until: float | None, *, reading: bool, needs_view: bool) -> Make:
        until = until or self._composer.until()

        async def make(reader: Audience) -> Draft:
            if needs_view and not knows_who_reads(reader):
                return Draft(voice.say(Notice.NOT_KNOWN_YET), mark=Mark.FAILED)
            return await self._composer.attempt(work(reader), voice, until, reading=reading)

        return make


def names_in(interaction: Interaction) -> NameOf:
    def called(user_id: int) -> str | None:
        member = None if interaction.guild is None else interaction.guild.get_member(user_id)
        return None if member is None else member.display_name

    return called
