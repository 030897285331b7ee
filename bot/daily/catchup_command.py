"""`/catchup`: what somebody missed, told to them alone from all that they can read.

A button holds numbers and nothing of what was said: from where, up to where, of which channel and section. Whatever is
pressed, after any restart, memory is asked anew for what the one who presses can read at that moment.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Protocol, Self, runtime_checkable

import aiohttp
import discord
from discord import app_commands

from bot.daily.pages import HEADINGS as HEADINGS
from bot.daily.pages import ON_A_PAGE, catch_up_page, first_shown, section_page
from bot.replies.buttons import ID
from bot.replies.compose import Composer
from bot.replies.draft import Button, Draft, Mark, Sent, deliver, knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import SILENT, Still, send, whispering_to
from bot.settings import BotOptions
from bot.words.commands import described
from bot.words.keys import Notice, Phrase, Slash
from bot.words.voice import Voice
from memory.core.values import time_of
from memory.daily.values import CatchUp, Line, Section
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.models.usage import Requester
from memory.places.view import Audience
from memory.tasks import request

logger = logging.getLogger(__name__)

LONGEST_SINCE = 100
OFFERED = ("1 h", "3 h", "12 h", "24 h", "3 d", "7 d", "14 d")
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)
_READ = "read"
_SECTIONS = {section.value: section for section in Section}

Work = Callable[[Audience, Voice], Awaitable[Draft]]


class CatchUpHandler(Protocol):
    async def press(self, interaction: Interaction, pressed: "CatchUpButton") -> None: ...


@runtime_checkable
class HasCatchUpHandler(Protocol):
    @property
    def catch_ups(self) -> CatchUpHandler: ...


class CatchUpButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"catchup:(?P<verb>{_READ}|{'|'.join(_SECTIONS)}):(?P<start>[0-9]{{1,5}})"
    rf":(?P<after>{ID}):(?P<until>{ID}):(?P<channel>{ID})",
):
    """*More* of a section from one of its lines on, or *Mark as read*."""

    def __init__(
        self, verb: str, start: int, after_id: int, until_id: int, channel_id: int | None, label: str = "…"
    ) -> None:
        numbers = f"{start}:{after_id:x}:{until_id:x}:{channel_id or 0:x}"
        super().__init__(discord.ui.Button(label=label, custom_id=f"catchup:{verb}:{numbers}"))
        self.verb, self.start = verb, start
        self.after_id, self.until_id, self.channel_id = after_id, until_id, channel_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        after_id, until_id, channel_id = (int(match[name], 16) for name in ("after", "until", "channel"))
        return cls(match["verb"], int(match["start"]), after_id, until_id, channel_id or None)

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasCatchUpHandler):
            raise TypeError("this client has no catch-ups")
        await interaction.client.catch_ups.press(interaction, self)


class CatchUpCommand:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]

    async def catch_up(self, interaction: Interaction, since: str | None = None, channel: int | None = None) -> None:
        """For whatever Discord has had no answer to yet. In a thread it is about the thread."""
        if channel is None and isinstance(interaction.channel, discord.Thread):
            channel = interaction.channel.id
        await self._answer(interaction, partial(self._caught_up, interaction, since, channel))

    async def show(self, interaction: Interaction, asker_id: int) -> None:
        """Somebody asked in words what they missed, and pressed the button under our answer."""
        try:
            if interaction.user.id == asker_id:
                await self.catch_up(interaction)
            else:
                words = voice_of(interaction, self._bot_name).say(Phrase.NOT_YOUR_CATCH_UP)
                await interaction.response.send_message(words, ephemeral=True, allowed_mentions=SILENT)
        except _DISCORD_FAILS:
            logger.exception("a press could not be answered")

    async def press(self, interaction: Interaction, pressed: CatchUpButton) -> None:
        work = self._marked if pressed.verb == _READ else self._more
        try:
            await self._answer(interaction, partial(work, interaction, pressed), reading=pressed.verb != _READ)
        except _DISCORD_FAILS:
            logger.exception("a press could not be answered")

    async def _answer(self, interaction: Interaction, work: Work, *, reading: bool = True) -> None:
        with request("catch-up"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice, until = voice_of(interaction, self._bot_name), self._composer.until()

            async def make(reader: Audience) -> Draft:
                if not knows_who_reads(reader):
                    return Draft(voice.say(Notice.NOT_KNOWN_YET), mark=Mark.FAILED)
                return await self._composer.attempt(work(reader, voice), voice, until, reading=reading)

            async def say(draft: Draft, still: Still) -> Sent:
                return await send(draft, whispering_to(interaction), ending=voice.say(Phrase.CUT), still=still)

            await deliver(make, partial(sole_reader, self._memory, interaction), say)

    async def _caught_up(
        self, interaction: Interaction, since: str | None, channel_id: int | None, reader: Audience, voice: Voice
    ) -> Draft:
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
        found = await self._memory.catch_ups.catch_up(
            reader, boundary, interaction.id, channel_id, roles, voice.language, by=by
        )
        logger.info("caught up", extra={"messages": found.stretch.messages, "by_model": found.by_model})
        named = frozenset() if boundary.channel_id is None else frozenset((boundary.channel_id,))
        shown = [line for some in found.sections.values() for line in some[:ON_A_PAGE]]
        # A model was given all of it.
        drawn_from = named | _drawn_from(shown) | frozenset(found.stretch.said)
        words = catch_up_page(found, reader.guild_id, voice)
        return Draft(words, drawn_from, choices=_buttons(found, channel_id, voice))

    async def _more(self, interaction: Interaction, pressed: CatchUpButton, reader: Audience, voice: Voice) -> Draft:
        """As people wrote it: no model is asked for it."""
        boundary = self._memory.catch_ups.boundary_from(pressed.after_id)
        found = await self._memory.catch_ups.catch_up(
            reader, boundary, pressed.until_id, pressed.channel_id, _roles(interaction), voice.language
        )
        section, end = _SECTIONS[pressed.verb], pressed.start + ON_A_PAGE
        lines = found.sections[section][pressed.start : end]
        if not lines:
            return Draft(voice.say(Notice.CATCHUP_GONE))
        has_more = len(found.sections[section]) > end
        more = (_more_button(found, section, end, pressed.channel_id, voice),) if has_more else ()
        return Draft(section_page(section, lines, reader.guild_id, voice), _drawn_from(lines), choices=more)

    async def _marked(self, _interaction: Interaction, pressed: CatchUpButton, reader: Audience, voice: Voice) -> Draft:
        if not await self._memory.catch_ups.mark(reader, pressed.channel_id, pressed.until_id):
            return Draft(voice.say(Notice.CATCHUP_NOT_MARKED))
        when = f"<t:{int(time_of(pressed.until_id).timestamp())}:f>"
        return Draft(voice.say(Notice.CATCHUP_MARKED, when=when))


def _buttons(found: CatchUp, channel_id: int | None, voice: Voice) -> tuple[Button, ...]:
    starts = ((section, first_shown(found, section)) for section in Section)
    more = [_more_button(found, section, start, channel_id, voice) for section, start in starts if start is not None]
    label = voice.say(Notice.CATCHUP_READ)
    return (*more, CatchUpButton(_READ, 0, found.boundary.after_id, found.until_id, channel_id, label))


def _more_button(found: CatchUp, section: Section, start: int, channel_id: int | None, voice: Voice) -> CatchUpButton:
    label = voice.say(Notice.CATCHUP_MORE, section=voice.say(HEADINGS[section]))
    return CatchUpButton(section.value, start, found.boundary.after_id, found.until_id, channel_id, label)


def _drawn_from(lines: Iterable[Line]) -> frozenset[int]:
    return frozenset(one.channel_id for line in lines for one in line.sources)


def _roles(interaction: Interaction) -> list[int]:
    """Discord tells them with every interaction."""
    user = interaction.user
    return [role.id for role in user.roles if not role.is_default()] if isinstance(user, discord.Member) else []


# The command itself.


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
