"""Answers `/catchup`: tells somebody alone what they missed, from all that they can read.

A button holds numbers and nothing of what was said: from where, up to where, of which channel and section. Whatever is
pressed, after any restart, memory is asked anew for what the one who presses can read at that moment.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.utils import format_dt

from bot.daily.pages import ON_A_PAGE, catch_up_card, section_text
from bot.replies.buttons import ReplyButton
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Block, Draft
from bot.replies.interactions import Interaction, answer
from bot.words import Notice, Phrase, Slash, Voice, described
from memory.core.values import time_of
from memory.daily.values import CatchUp, Line, Section
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.models.usage import Requester
from memory.places.view import Audience

logger = logging.getLogger(__name__)

LONGEST_SINCE = 100
OFFERED = ("1 h", "3 h", "12 h", "24 h", "3 d", "7 d", "14 d")
_READ = "read"


class CatchUpButton(ReplyButton, kind="catchup"):
    """Shows *More* of a section from one of its lines on, or stands for *Mark as read*."""

    @classmethod
    def of(cls, verb: str, start: int, found: CatchUp, channel_id: int | None, label: str) -> "CatchUpButton":
        ids = (found.boundary.after_id, found.until_id, channel_id or 0)
        return cls(verb, start, *(f"{one:x}" for one in ids), label=label)


class CatchUpCommand:
    def __init__(self, memory: MemoryManager, replies: PrivateReplies) -> None:
        self._memory = memory
        self._replies = replies

    async def catch_up(self, interaction: Interaction, since: str | None = None, channel: int | None = None) -> None:
        """Tell somebody what they missed; in a thread, of the thread."""
        if channel is None and isinstance(interaction.channel, discord.Thread):
            channel = interaction.channel.id
        await self._replies.answer(interaction, partial(self._caught_up, interaction, since, channel), needs_view=True)

    async def show(self, interaction: Interaction, asker: str) -> None:
        """Show what somebody missed who asked for it in words, and pressed the button under our answer."""
        if interaction.user.id == int(asker, 16):
            await self.catch_up(interaction)
        else:
            await answer(interaction, self._replies.voice(interaction).say(Phrase.NOT_YOUR_CATCH_UP))

    async def press(
        self, interaction: Interaction, verb: str, start: str, after: str, until: str, channel: str
    ) -> None:
        channel_id, until_id = int(channel, 16) or None, int(until, 16)
        if verb == _READ:
            work = partial(self._marked, interaction, until_id, channel_id)
        else:
            work = partial(self._more, interaction, Section(verb), int(start), int(after, 16), until_id, channel_id)
        await self._replies.answer(interaction, work, reading=verb != _READ, needs_view=True)

    async def _caught_up(
        self, interaction: Interaction, since: str | None, channel_id: int | None, reader: Audience
    ) -> Draft:
        voice = self._replies.voice(interaction)
        if channel_id is not None and channel_id not in reader.sources:
            return Draft(voice.say(Phrase.RECALL_NO_PLACE))
        boundary = (
            await self._memory.catch_ups.boundary(reader, channel_id, interaction.id)
            if since is None
            else await self._memory.catch_ups.boundary_at(reader, since, voice.language)
        )
        if boundary is None:
            return Draft(voice.say(Notice.CATCHUP_NO_TIME, typed=one_line(since or "", LONGEST_SINCE)))
        by, roles = Requester(interaction.user.id, interaction.id), _roles(interaction)
        found = await self._memory.catch_ups.catch_up(reader, boundary, interaction.id, channel_id, roles, by=by)
        logger.info("caught up", extra={"messages": found.talk.messages, "by_model": found.account.by_model})
        named = frozenset() if boundary.channel_id is None else frozenset((boundary.channel_id,))
        shown = [line for some in found.sections.values() for line in some[:ON_A_PAGE]]
        # A model was given all of it.
        drawn_from = named | _drawn_from(shown) | frozenset(found.talk.said)

        def more(section: Section, start: int) -> ReplyButton:
            return _more_button(found, section, start, channel_id, voice)

        card = catch_up_card(found, reader.guild_id, voice, more)
        read = CatchUpButton.of(_READ, 0, found, channel_id, voice.say(Notice.CATCHUP_READ))
        return replace(Draft.of_card(card, drawn_from), buttons=(read,))

    async def _more(
        self,
        interaction: Interaction,
        section: Section,
        start: int,
        after_id: int,
        until_id: int,
        channel_id: int | None,
        reader: Audience,
    ) -> Draft:
        """Show more lines of a section; no model is asked."""
        voice, boundary = self._replies.voice(interaction), self._memory.catch_ups.boundary_from(after_id)
        found = await self._memory.catch_ups.catch_up(reader, boundary, until_id, channel_id, _roles(interaction))
        end = start + ON_A_PAGE
        lines = found.sections[section][start:end]
        if not lines:
            return Draft(voice.say(Notice.CATCHUP_GONE))
        has_more = len(found.sections[section]) > end
        more = _more_button(found, section, end, channel_id, voice) if has_more else None
        text = section_text(section, lines, reader.guild_id, voice)
        return Draft.of_card([Block(text, more)], _drawn_from(lines))

    async def _marked(self, interaction: Interaction, until_id: int, channel_id: int | None, reader: Audience) -> Draft:
        voice = self._replies.voice(interaction)
        if not await self._memory.catch_ups.mark(reader, channel_id, until_id):
            return Draft(voice.say(Notice.CATCHUP_NOT_MARKED))
        return Draft(voice.say(Notice.CATCHUP_MARKED, when=format_dt(time_of(until_id), "f")))


def _more_button(found: CatchUp, section: Section, start: int, channel_id: int | None, voice: Voice) -> CatchUpButton:
    label = voice.say(Notice.CATCHUP_MORE)
    return CatchUpButton.of(section.value, start, found, channel_id, label)


def _drawn_from(lines: Iterable[Line]) -> frozenset[int]:
    listed = list(lines)
    in_channels = (line.event.channel_id for line in listed if line.event is not None)
    said_in = {one.channel_id for line in listed for one in line.sources}
    return frozenset(said_in | {channel_id for channel_id in in_channels if channel_id is not None})


def _roles(interaction: Interaction) -> list[int]:
    """List the roles of whoever asks: Discord tells them with every interaction."""
    user = interaction.user
    return [role.id for role in user.roles if not role.is_default()] if isinstance(user, discord.Member) else []


def catchup_command(catch_ups: CatchUpCommand) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="catchup", description=described(Slash.CATCHUP))
    @app_commands.describe(since=described(Slash.CATCHUP_SINCE), channel=described(Slash.CATCHUP_CHANNEL))
    @app_commands.guild_only()
    async def catchup(
        interaction: Interaction,
        since: app_commands.Range[str, 1, LONGEST_SINCE] | None = None,
        channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
    ) -> None:
        await catch_ups.catch_up(interaction, since, None if channel is None else channel.id)

    @catchup.autocomplete("since")
    async def moments(_interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        offered = [one for one in OFFERED if one.startswith(typed.strip())]
        return [app_commands.Choice(name=one, value=one) for one in offered]

    return catchup
