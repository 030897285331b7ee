"""Answers "Why did you say that?" in a message's menu: what it was made from, as far as the asker may see it.

What the reply cites or repeats comes first. Of the rest nobody can say whether it was used, and the page says so. A
button holds the number of a page and nothing of its text: whoever turns to it gets what they may read at that moment.
"""

from datetime import timedelta

import discord
from discord.utils import format_dt

from bot.replies.buttons import ReplyButton
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft
from bot.replies.interactions import Interaction
from bot.replies.split import LIMIT, jump_link, sendable
from bot.words import Notice, Voice
from memory.core.provenance import Explanation, Unexplained, UsedDay, UsedFact, UsedMessage, UsedSummary
from memory.core.values import text_of
from memory.facts.matching import attributed
from memory.manager import MemoryManager
from memory.models.prompt_data import author_line, one_line, statement_line
from memory.places.view import Audience
from memory.summaries.calendar import HALL_SCOPE

ON_A_PAGE = 6
LONGEST_WORDS = 110
"""Characters of a fact or a message, of which so many fit into one message of ours."""
_NOON = timedelta(hours=12)

_UNEXPLAINED = {Unexplained.UNKNOWN: Notice.WHY_UNKNOWN, Unexplained.TAKEN_BACK: Notice.WHY_TAKEN_BACK}

Used = UsedFact | UsedDay | UsedSummary | UsedMessage


def page(found: Explanation, guild_id: int, voice: Voice, number: int = 0) -> str:
    """Write a page of what a reply was made from, by its number from 0 on."""
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
    dates = " – ".join(format_dt(at, "D") for at in (fact.valid_from, fact.valid_to) if at is not None)
    words = attributed(fact, voice.language, statement_line(fact.text, LONGEST_WORDS))
    told = f"{voice.say(Notice.WHY_FACT, fact=words)} · {dates}"
    if one.source is None:
        return told
    return f"{told} · {_show(guild_id, one.source.channel_id, one.source.message_id, voice)}"


def _day(one: UsedDay, voice: Voice) -> str:
    # At noon it is the same date nearly everywhere, whatever the zone of whoever reads it.
    day = format_dt(one.starts_at + _NOON, "D")
    if one.scope == HALL_SCOPE:
        return voice.say(Notice.WHY_HALL, day=day)
    return voice.say(Notice.WHY_HERE, day=day, channel=f"<#{one.scope}>")


def _message(one: UsedMessage, voice: Voice) -> str:
    said = one.message
    show = _show(said.guild_id, said.channel_id, said.message_id, voice)
    words = one_line(text_of(said), LONGEST_WORDS) or "…"
    author = author_line(said, voice.language)
    return f"{author} · {format_dt(said.sent_at, 'f')} · <#{said.channel_id}> · {show}: “{words}”"


def _show(guild_id: int, channel_id: int, message_id: int, voice: Voice) -> str:
    return f"[{voice.say(Notice.WHY_SHOW)}]({jump_link(guild_id, channel_id, message_id)})"


class WhyButton(ReplyButton, kind="why"):
    """Leads to another page of what a message of ours was made from."""


class WhyCommand:
    def __init__(self, memory: MemoryManager, replies: PrivateReplies) -> None:
        self._memory = memory
        self._replies = replies

    async def explain(self, interaction: Interaction, message: discord.Message) -> None:
        """Show the first page of why a message was said to whoever chose it in its menu."""
        voice = self._replies.voice(interaction)
        is_ours = interaction.client.user is not None and message.author.id == interaction.client.user.id
        reply_to = 0 if message.reference is None else message.reference.message_id or 0

        async def work(reader: Audience) -> Draft:
            if not is_ours:
                return Draft(voice.say(Notice.WHY_NOT_OURS))
            return await self._page(reader, voice, message.id, reply_to, 0)

        await self._replies.answer(interaction, work)

    async def turn_to(self, interaction: Interaction, message: str, reply_to: str, number: str) -> None:
        """Put another page of why a message was said in the place of the one that is open."""

        async def work(reader: Audience) -> Draft:
            voice = self._replies.voice(interaction)
            return await self._page(reader, voice, int(message, 16), int(reply_to, 16), int(number))

        await self._replies.replace(interaction, work, reading=True)

    async def _page(self, reader: Audience, voice: Voice, message_id: int, reply_to: int, number: int) -> Draft:
        found = await self._memory.receipts.explain(reader, message_id, reply_to or None)
        if isinstance(found, Unexplained):
            return Draft(voice.say(_UNEXPLAINED[found]))
        number = min(number, pages_of(found) - 1)
        buttons = (
            WhyButton(f"{message_id:x}", f"{reply_to:x}", there, label=label)
            for there, label in ((number - 1, "◀"), (number + 1, "▶"))
            if 0 <= there < pages_of(found)
        )
        return Draft(page(found, reader.guild_id, voice, number), reader.sources, buttons=tuple(buttons))
