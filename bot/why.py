""" "Why did you say that?" in the menu of a message: what it was made from, as far as the one who asks may see it."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import discord
from discord import app_commands

from bot.replies.compose import Composer
from bot.replies.draft import Draft, Sent, deliver, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import Still, send, whispering_to
from bot.replies.split import LIMIT, jump_link, sendable
from bot.settings import BotOptions
from bot.words.keys import Notice
from bot.words.voice import Voice
from memory.core.provenance import Explanation, Unexplained, UsedDay, UsedFact, UsedMessage
from memory.core.values import text_of
from memory.facts.matching import attributed
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.summaries.calendar import HALL_SCOPE
from memory.tasks import request

# What a reply of ours was made from, as a page to read: facts, summaries, messages, with dates and the way there.
#
# One message holds it. Where there is more, what was repeated comes first, and the rest is counted.


QUOTED = "❝ "
_SIZES = ((10, 160), (8, 130), (6, 110), (5, 80), (4, 60), (3, 40), (2, 20), (1, 10))
"""How many of each kind, and how many characters of each: the first of these with which all fits into a message."""
_NOON = timedelta(hours=12)


def page(found: Explanation, guild_id: int, voice: Voice) -> str:
    if not found:
        return voice.say(Notice.WHY_NOTHING)
    written = ""
    for most, length in _SIZES:
        facts = [(one.is_quoted, _fact(one, guild_id, length, voice)) for one in found.facts]
        days = [(one.is_quoted, _day(one, voice)) for one in found.days]
        summaries = [(one.is_quoted, f"<#{one.channel_id}>") for one in found.summaries]
        messages = [(one.is_quoted, _message(one, length, voice)) for one in found.messages]
        lines = [
            voice.say(Notice.WHY_HEADING),
            *_group(Notice.WHY_FACTS, facts, most, voice),
            *_group(Notice.WHY_DAYS, days, most, voice),
            *_group(Notice.WHY_SUMMARIES, summaries, most, voice),
            *_group(Notice.WHY_MESSAGES, messages, most, voice),
            f"-# {voice.say(Notice.WHY_QUOTED)}",
        ]
        written = sendable("\n".join(lines))
        if len(written) <= LIMIT:
            break
    return written[:LIMIT]


def _group(title: Notice, found: Sequence[tuple[bool, str]], most: int, voice: Voice) -> list[str]:
    """`found` says of each whether it was repeated."""
    if not found:
        return []
    shown = [f"• {QUOTED if is_quoted else ''}{line}" for is_quoted, line in found[:most]]
    left = len(found) - len(shown)
    return [f"**{voice.say(title)}**", *shown, *([voice.say(Notice.WHY_MORE, count=left)] if left else [])]


def _fact(one: UsedFact, guild_id: int, length: int, voice: Voice) -> str:
    fact = one.fact
    dates = f"<t:{int(fact.valid_from.timestamp())}:D>"
    if fact.valid_to is not None:
        dates += f" – <t:{int(fact.valid_to.timestamp())}:D>"
    told = attributed(fact, voice.language, one_line(fact.text, length))
    if one.told_in is None:
        return f"{told} · {dates}"
    return f"{told} · {dates} · {_show(guild_id, one.told_in.channel_id, one.told_in.message_id, voice)}"


def _day(one: UsedDay, voice: Voice) -> str:
    # At noon it is the same date nearly everywhere, whatever the zone of whoever reads it.
    day = f"<t:{int((one.starts_at + _NOON).timestamp())}:D>"
    if one.scope == HALL_SCOPE:
        return voice.say(Notice.WHY_HALL, day=day)
    return voice.say(Notice.WHY_HERE, day=day, channel=f"<#{one.scope}>")


def _message(one: UsedMessage, length: int, voice: Voice) -> str:
    said = one.message
    at = f"<t:{int(said.sent_at.timestamp())}:f>"
    show = _show(said.guild_id, said.channel_id, said.message_id, voice)
    words = one_line(text_of(said), length) or "…"
    return f"<@{said.author_id}> · {at} · <#{said.channel_id}> · {show}: “{words}”"


def _show(guild_id: int, channel_id: int, message_id: int, voice: Voice) -> str:
    return f"[{voice.say(Notice.WHY_SHOW)}]({jump_link(guild_id, channel_id, message_id)})"


logger = logging.getLogger(__name__)

NAME = "Why did you say that?"


_UNEXPLAINED = {Unexplained.UNKNOWN: Notice.WHY_UNKNOWN, Unexplained.TAKEN_BACK: Notice.WHY_TAKEN_BACK}


def why_menu(memory: MemoryManager, composer: Composer, options: BotOptions) -> app_commands.ContextMenu:
    @app_commands.guild_only()
    async def why(interaction: Interaction, message: discord.Message) -> None:
        with request("why"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, options.names[0])
            await _explain(memory, composer, interaction, message, voice)

    return app_commands.ContextMenu(name=NAME, callback=why)


async def _explain(
    memory: MemoryManager, composer: Composer, interaction: Interaction, message: discord.Message, voice: Voice
) -> None:
    until = composer.until()

    async def look(audience: Audience) -> Draft:
        if interaction.client.user is None or message.author.id != interaction.client.user.id:
            return Draft(voice.say(Notice.WHY_NOT_OURS))
        reply_to = None if message.reference is None else message.reference.message_id
        found = await memory.receipts.explain(audience, message.id, reply_to)
        if isinstance(found, Explanation):
            return Draft(page(found, audience.guild_id, voice), audience.sources)
        return Draft(voice.say(_UNEXPLAINED[found]))

    async def make(audience: Audience) -> Draft:
        return await composer.attempt(look(audience), voice, until, reading=True)

    async def say(draft: Draft, still: Still) -> Sent:
        return await send(draft, whispering_to(interaction), ending="", still=still)

    await deliver(make, partial(sole_reader, memory, interaction), say)
    logger.info("asked why", extra={"channel_id": interaction.channel_id})
