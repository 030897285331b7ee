"""Answers what was said to the bot: asks memory, turns the outcome into a sentence, and sends it once.

Whatever happens in between, the person gets a sentence: that memory cannot be reached, that it took too long, that
something broke. None of these is ever confused with knowing nothing.
"""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, replace

import aiohttp
import discord

from bot.earshot import Earshot
from bot.phrasebook import Phrase
from bot.phrases import Voice, language_of_locale
from bot.rooms import audience_of, is_public
from bot.sending import Sent, send_reply
from bot.settings import BotOptions
from bot.sources import with_sources
from bot.translate import to_message
from bot.turns import Turn, Turns
from bot.typing_notice import typing_in
from memory.core.addressing import Addressed, Intent, address
from memory.core.audience import Audience
from memory.core.model import AuthorKind, Message, Question, Telling
from memory.errors import StoreError
from memory.health import Part
from memory.manager import MemoryManager
from memory.tracing import current_request

logger = logging.getLogger(__name__)

REMEMBERED_CALLS = 10_000
"""How many of the latest calls are known by id, so that a message delivered twice is answered once."""
MOST_LOOKS = 3
"""How often an answer is made anew because channels closed meanwhile."""


@dataclass(frozen=True, slots=True)
class Call:
    """A message for us, with its place in the line of what its author wants of us."""

    message: discord.Message
    guild: discord.Guild
    stored: Message
    addressed: Addressed
    voice: Voice
    turn: Turn


class Answering:
    def __init__(self, memory: MemoryManager, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._options = options
        self._part = part
        self._earshot = Earshot(options.names)
        self._lines = Turns()
        self._heard: OrderedDict[int, None] = OrderedDict()

    def hear(self, message: discord.Message, stored: Message, me: discord.ClientUser) -> Call | None:
        """Is it for us? Not a coroutine: whoever spoke first is answered first."""
        guild = message.guild
        if guild is None or stored.author_kind is not AuthorKind.PERSON:
            return None
        reply_to_us = _answers(message, me.id)
        if not reply_to_us and not self._earshot.may_be_addressed(stored.text):
            return None
        if message.id in self._heard:
            return None
        addressed = address(
            stored.text,
            names=self._options.names,
            bot_id=me.id,
            bot_role_ids=() if guild.self_role is None else (guild.self_role.id,),
            reply_to_us=reply_to_us,
        )
        if addressed is None:
            return None
        self._heard[message.id] = None
        if len(self._heard) > REMEMBERED_CALLS:
            self._heard.popitem(last=False)
        language = addressed.language or language_of_locale(str(guild.preferred_locale))
        turn = self._lines.take([(guild.id, message.author.id)])
        return Call(message, guild, stored, addressed, Voice(language, self._options.names[0]), turn)

    async def answer(self, call: Call) -> None:
        async with call.turn.come():
            text = await self._find_words(call)
            await self._send(call.message, text, call.voice)

    async def settle(self) -> None:
        """Until everyone who has asked so far has their answer."""
        await self._lines.settle()

    async def greet(self, message: discord.Message, me: discord.ClientUser) -> None:
        """A direct message: there is no guild to remember, so nothing is kept, and that is said."""
        if message.author.bot or message.author.id == me.id:
            return
        addressed = address(message.content, names=self._options.names, bot_id=me.id, reply_to_us=True)
        language = addressed.language if addressed else None
        voice = Voice(language or language_of_locale("en"), self._options.names[0])
        await self._send(message, voice.say(Phrase.DIRECT_MESSAGE), voice)

    async def _find_words(self, call: Call) -> str:
        intent = call.addressed.intent
        logger.info("asked", extra={"intent": intent.value, "channel_id": call.stored.channel_id})
        try:
            async with asyncio.timeout(self._options.reply_seconds), typing_in(call.message.channel):
                return await self._ask(call)
        except TimeoutError:
            logger.warning("a reply took too long", extra={"seconds": self._options.reply_seconds})
            return call.voice.say(Phrase.TOOK_TOO_LONG)
        except StoreError as error:
            logger.warning("memory could not be reached for a reply", extra={"reason": type(error).__name__})
            reading = intent in (Intent.KNOWLEDGE, Intent.QUESTION)
            return call.voice.say(Phrase.CANNOT_LOOK if reading else Phrase.CANNOT_WRITE)
        except Exception:
            # The edge: whatever broke, the person is told so, and the operator finds it by the request's id.
            logger.exception("a reply failed")
            self._part.count("failures")
            return call.voice.say(Phrase.UNEXPECTED, request=current_request())

    async def _ask(self, call: Call) -> str:
        about = await self._replied_to(call)
        match call.addressed.intent:
            case Intent.REMEMBER:
                here = replace(audience_of(call.message.channel, call.guild), is_hall=is_public(call.message.channel))
                told = await self._memory.remember(_telling(call, about), here)
                return call.voice.told(told)
            case Intent.FORGET:
                gone = await self._memory.forget(_telling(call, about), audience_of(call.message.channel, call.guild))
                return call.voice.forgot(gone)
            case Intent.KNOWLEDGE | Intent.QUESTION:
                return await self._look(call, about)

    async def _look(self, call: Call, about: Message | None) -> str:
        """Channels may close while an answer is made; then it is made anew from what is still open."""
        audience = audience_of(call.message.channel, call.guild)
        for _ in range(MOST_LOOKS):
            text = await self._answer_for(call, about, audience)
            now = audience_of(call.message.channel, call.guild)
            if audience.sources <= now.sources:
                return text
            audience = now
        return await self._answer_for(call, about, Audience.of_place_alone(call.guild.id, call.stored.channel_id))

    async def _answer_for(self, call: Call, about: Message | None, audience: Audience) -> str:
        question = _question(call, about)
        if call.addressed.intent is Intent.KNOWLEDGE:
            answer = await self._memory.tell_what_is_known(question, audience)
        else:
            answer = await self._memory.answer(question, audience)
        return with_sources(answer, audience) or call.voice.say(Phrase.NOTHING_TO_SAY)

    async def _replied_to(self, call: Call) -> Message | None:
        """What "this" means. Discord nearly always sends it along; where it did not, it is asked for."""
        reference = call.message.reference
        if call.stored.reply_to is None or reference is None or call.guild.me is None:
            return None
        resolved = reference.resolved
        if resolved is None:
            try:
                resolved = await call.message.channel.fetch_message(call.stored.reply_to)
            except discord.HTTPException:
                return None
        if not isinstance(resolved, discord.Message) or resolved.channel.id != call.stored.channel_id:
            return None
        return to_message(resolved, call.guild.me.id)

    async def _send(self, message: discord.Message, text: str, voice: Voice) -> None:
        try:
            sent = await send_reply(message, text, ending=voice.say(Phrase.CUT))
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError):
            logger.exception("a reply could not be sent", extra={"channel_id": message.channel.id})
            self._part.failing("Discord did not take the latest reply; the log says why.")
            return
        if sent is Sent.FORBIDDEN:
            self._part.failing(
                f"In channel {message.channel.id} the bot may not write: give its role Send Messages there."
            )
            return
        self._part.active()
        self._part.count("replies")
        logger.info("answered", extra={"channel_id": message.channel.id, "characters": len(text)})


def _answers(message: discord.Message, self_id: int) -> bool:
    resolved = message.reference.resolved if message.reference else None
    return isinstance(resolved, discord.Message) and resolved.author.id == self_id


def _telling(call: Call, about: Message | None) -> Telling:
    stored = call.stored
    return Telling(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        teller_id=stored.author_id,
        body=call.addressed.body,
        told_at=stored.sent_at,
        about=about,
        is_manager=_manages(call.message.author),
        everywhere=call.addressed.everywhere,
    )


def _manages(author: discord.User | discord.Member) -> bool:
    return isinstance(author, discord.Member) and author.guild_permissions.manage_guild


def _question(call: Call, about: Message | None) -> Question:
    stored = call.stored
    return Question(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        asker_id=stored.author_id,
        text=call.addressed.body,
        asked_at=stored.sent_at,
        about=about,
    )
