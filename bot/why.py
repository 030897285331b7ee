""" "Why did you say that?" in the menu of a message: what it was made from, as far as the one who asks may see it.

What the reply cites or repeats comes first. Of the rest nobody can say whether it was used, and the page says so. A
button holds the number of a page and nothing of its text: whoever turns to it gets what they may read at that moment.
"""

import logging
import re
from datetime import timedelta
from functools import partial
from typing import Any, Protocol, Self, runtime_checkable

import aiohttp
import discord
from discord import app_commands

from bot.facts.memory_command import say_in_place
from bot.replies.buttons import ID
from bot.replies.compose import Composer
from bot.replies.draft import Draft, Make, Say, Sent, deliver, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import Still, send, whispering_to
from bot.replies.split import LIMIT, jump_link, sendable
from bot.settings import BotOptions
from bot.words.keys import Notice
from bot.words.voice import Voice
from memory.core.provenance import Explanation, Unexplained, UsedDay, UsedFact, UsedMessage, UsedSummary
from memory.core.values import text_of
from memory.facts.matching import attributed
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.summaries.calendar import HALL_SCOPE
from memory.tasks import request

ON_A_PAGE = 6
LONGEST_WORDS = 110
"""Characters of a fact or a message, of which so many fit into one message of ours."""
_NOON = timedelta(hours=12)

Used = UsedFact | UsedDay | UsedSummary | UsedMessage


def page(found: Explanation, guild_id: int, voice: Voice, number: int = 0) -> str:
    """The page with this number, from 0 on."""
    if not found:
        return voice.say(Notice.WHY_NOTHING)
    used: list[Used] = [*found.facts, *found.days, *found.summaries, *found.messages]
    used.sort(key=lambda one: not one.is_quoted)
    shown = used[number * ON_A_PAGE : (number + 1) * ON_A_PAGE]
    lines: list[str] = []
    for heading, is_quoted in ((Notice.WHY_QUOTED, True), (Notice.WHY_BESIDES, False)):
        group = [f"• {_line(one, guild_id, voice)}" for one in shown if one.is_quoted is is_quoted]
        lines += [f"**{voice.say(heading)}**", *group] if group else []
    if pages_of(found) > 1:
        lines.append(f"-# {voice.say(Notice.MEMORY_PAGE, page=number + 1, pages=pages_of(found))}")
    return sendable("\n".join(lines))[:LIMIT]


def pages_of(found: Explanation) -> int:
    count = len(found.facts) + len(found.days) + len(found.summaries) + len(found.messages)
    return max(-(-count // ON_A_PAGE), 1)


def _line(one: Used, guild_id: int, voice: Voice) -> str:
    match one:
        case UsedFact():
            return _fact(one, guild_id, voice)
        case UsedDay():
            return _day(one, voice)
        case UsedSummary():
            return voice.say(Notice.WHY_SUMMARY, channel=f"<#{one.channel_id}>")
        case UsedMessage():
            return _message(one, voice)


def _fact(one: UsedFact, guild_id: int, voice: Voice) -> str:
    fact = one.fact
    dates = f"<t:{int(fact.valid_from.timestamp())}:D>"
    if fact.valid_to is not None:
        dates += f" – <t:{int(fact.valid_to.timestamp())}:D>"
    words = attributed(fact, voice.language, one_line(fact.text, LONGEST_WORDS))
    told = f"{voice.say(Notice.WHY_FACT, fact=words)} · {dates}"
    if one.told_in is None:
        return told
    return f"{told} · {_show(guild_id, one.told_in.channel_id, one.told_in.message_id, voice)}"


def _day(one: UsedDay, voice: Voice) -> str:
    # At noon it is the same date nearly everywhere, whatever the zone of whoever reads it.
    day = f"<t:{int((one.starts_at + _NOON).timestamp())}:D>"
    if one.scope == HALL_SCOPE:
        return voice.say(Notice.WHY_HALL, day=day)
    return voice.say(Notice.WHY_HERE, day=day, channel=f"<#{one.scope}>")


def _message(one: UsedMessage, voice: Voice) -> str:
    said = one.message
    at = f"<t:{int(said.sent_at.timestamp())}:f>"
    show = _show(said.guild_id, said.channel_id, said.message_id, voice)
    words = one_line(text_of(said), LONGEST_WORDS) or "…"
    return f"<@{said.author_id}> · {at} · <#{said.channel_id}> · {show}: “{words}”"


def _show(guild_id: int, channel_id: int, message_id: int, voice: Voice) -> str:
    return f"[{voice.say(Notice.WHY_SHOW)}]({jump_link(guild_id, channel_id, message_id)})"


logger = logging.getLogger(__name__)

NAME = "Why did you say that?"
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)
_UNEXPLAINED = {Unexplained.UNKNOWN: Notice.WHY_UNKNOWN, Unexplained.TAKEN_BACK: Notice.WHY_TAKEN_BACK}


class WhyHandler(Protocol):
    async def turn_to(self, interaction: Interaction, message_id: int, reply_to: int, number: int) -> None: ...


@runtime_checkable
class HasWhyHandler(Protocol):
    @property
    def why(self) -> WhyHandler: ...


class WhyButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"why:(?P<message>{ID}):(?P<reply_to>{ID}):(?P<page>[0-9]{{1,4}})",
):
    """To another page of what a message of ours was made from."""

    def __init__(self, message_id: int, reply_to: int, number: int, label: str) -> None:
        custom_id = f"why:{message_id:x}:{reply_to:x}:{number}"
        super().__init__(discord.ui.Button(label=label, custom_id=custom_id))
        self._leads_to = message_id, reply_to, number

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["message"], 16), int(match["reply_to"], 16), int(match["page"]), "…")

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasWhyHandler):
            raise TypeError("this client does not say why")
        await interaction.client.why.turn_to(interaction, *self._leads_to)


class WhyCommand:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]

    async def explain(self, interaction: Interaction, message: discord.Message) -> None:
        """The first page, for whoever chose it in the menu of a message."""
        with request("why"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            is_ours = interaction.client.user is not None and message.author.id == interaction.client.user.id
            reply_to = 0 if message.reference is None else message.reference.message_id or 0

            async def look(audience: Audience) -> Draft:
                if not is_ours:
                    return Draft(voice.say(Notice.WHY_NOT_OURS))
                return await self._page(audience, voice, message.id, reply_to, 0)

            async def say(draft: Draft, still: Still) -> Sent:
                return await send(draft, whispering_to(interaction), ending="", still=still)

            await self._deliver(interaction, voice, look, say)
            logger.info("asked why", extra={"channel_id": interaction.channel_id})

    async def turn_to(self, interaction: Interaction, message_id: int, reply_to: int, number: int) -> None:
        """Another page takes the place of the one that is open."""
        with request("why"):
            voice = voice_of(interaction, self._bot_name)

            async def look(audience: Audience) -> Draft:
                return await self._page(audience, voice, message_id, reply_to, number)

            try:
                await interaction.response.defer()
                await self._deliver(interaction, voice, look, partial(say_in_place, interaction))
            except _DISCORD_FAILS:
                logger.exception("a page could not be turned")

    async def _page(self, audience: Audience, voice: Voice, message_id: int, reply_to: int, number: int) -> Draft:
        found = await self._memory.receipts.explain(audience, message_id, reply_to or None)
        if isinstance(found, Unexplained):
            return Draft(voice.say(_UNEXPLAINED[found]))
        number = min(number, pages_of(found) - 1)
        buttons = (
            WhyButton(message_id, reply_to, there, label)
            for there, label in ((number - 1, "◀"), (number + 1, "▶"))
            if 0 <= there < pages_of(found)
        )
        return Draft(page(found, audience.guild_id, voice, number), audience.sources, choices=tuple(buttons))

    async def _deliver(self, interaction: Interaction, voice: Voice, look: Make, say: Say) -> None:
        until = self._composer.until()

        async def make(audience: Audience) -> Draft:
            return await self._composer.attempt(look(audience), voice, until, reading=True)

        await deliver(make, partial(sole_reader, self._memory, interaction), say)


def why_menu(command: WhyCommand) -> app_commands.ContextMenu:
    @app_commands.guild_only()
    async def why(interaction: Interaction, message: discord.Message) -> None:
        await command.explain(interaction, message)

    return app_commands.ContextMenu(name=NAME, callback=why)
