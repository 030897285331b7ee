"""Answers what was said to the bot, in the place where it was said, once.

Where managers do not let it write, it does what it was asked to do and leaves a sign instead of words. What it was
ended over, could not do because memory was out of reach, or could not say because Discord did not take the reply, stays
noted as unanswered for `bot.answering.backlog`. What was done by then is not done again: only its reply is owed.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import discord
from cachetools import LRUCache, TTLCache

from bot.background import KeyedLock, KeyedLocks
from bot.connection import TROUBLE
from bot.facts.tellings import question_in, rank_of, telling_in
from bot.reminders.command import ReminderCommand
from bot.replies.buttons import AnswerOnlyToMe
from bot.replies.compose import Composer
from bot.replies.draft import Draft, Mark, Sent, SpeakingPlaces, deliver
from bot.replies.send import (
    ReceiptWriter,
    Still,
    replying_late_to,
    replying_to,
    send,
    send_with_receipt,
    typing_while,
    withdraw,
)
from bot.settings import BotOptions
from bot.shared_files import FileWorker
from bot.translate import AddressCheck, to_message
from bot.words import Phrase, Voice, language_of_locale
from memory.commands.addressing import Addressed, address
from memory.commands.grammar import reminds_several
from memory.core.values import AuthorKind, Intent, Message, Question, RememberRequest
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.language.word_caches import When, register_cache
from memory.manager import MemoryManager
from memory.models.usage import Askers
from memory.places.view import Audience
from memory.reminders.values import Wish

logger = logging.getLogger(__name__)

REMEMBERED_CALLS = 10_000
"""How many of the latest calls are known by id, so that a message delivered twice is answered once."""

MOST_WAITING = 10
"""Calls of one member that wait for their turn; more are left alone, with a sign."""
GREETINGS = 5
"""In an hour, for direct messages of one person: all of them say the same."""
HEARD_AGAIN = timedelta(minutes=15)
"""So long after it was said, an edit makes a telling of what was none."""
MOST_OWED = 1_000
OWED_SECONDS = 600.0
"""How long a reply that Discord did not take is kept, to be sent again."""
NOTING_SECONDS = 2.0
"""How long the next question of a member waits until it is noted that this one has its answer."""

_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class Call:
    """Holds a message for us, with its place in the line of what its author wants of us."""

    message: discord.Message
    guild: discord.Guild
    stored: Message
    addressed: Addressed
    voice: Voice
    turn: KeyedLock
    is_too_much: bool = False
    """So many of its author's are waiting that nothing is done about it."""
    is_late: bool = False
    """We were away when it was said."""
    is_done: bool = False
    """It was carried out before: only its reply is owed."""
    is_again: bool = False
    """It was edited: what it told before is gone, if that was not the same."""
    reply: discord.PartialMessage | None = None
    """Of ours, if one that is no answer any more stands under it already: it becomes the answer."""

    @property
    def asks(self) -> bool:
        """Say whether a call wants to hear something, and has nothing done."""
        return self.addressed.intent in (Intent.KNOWLEDGE, Intent.QUESTION)

    @property
    def may_want_anything(self) -> bool:
        """Say whether a call may want anything: no verb says what, and nobody has chosen yet."""
        return self.addressed.intent is Intent.QUESTION and not self.addressed.is_guess

    def taken_for(self, intent: Intent) -> "Call":
        if intent is not Intent.QUESTION:
            logger.info("routed", extra={"intent": intent.value, "channel_id": self.stored.channel_id})
        return replace(self, addressed=replace(self.addressed, intent=intent, is_guess=True))


class Answerer:
    def __init__(
        self,
        memory: MemoryManager,
        composer: Composer,
        reminders: ReminderCommand,
        options: BotOptions,
        files: FileWorker,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._composer = composer
        self._files = files
        self._options = options
        self._part = part
        self._reminders = reminders
        self._speaking_places = SpeakingPlaces(memory)
        self._address_check = AddressCheck(options.names)
        self._lines = KeyedLocks()
        self._heard: LRUCache[int, None] = LRUCache(REMEMBERED_CALLS)
        self._waiting: Counter[tuple[int, int]] = Counter()
        self._greeted = Askers(hourly=GREETINGS)
        self._owed: TTLCache[int, Draft] = TTLCache(MOST_OWED, OWED_SECONDS)
        """By the message they answer, replies to commands that Discord did not take."""
        register_cache(self, When.OLD)
        self.on_undone: Callable[[discord.Message], None] = lambda _: None
        """Told of what could not be done or said now."""

    def forget_words(self) -> None:
        self._owed.clear()

    def hear(
        self,
        message: discord.Message,
        stored: Message,
        self_id: int,
        *,
        is_late: bool = False,
        reply_to_us: bool = False,
    ) -> Call | None:
        """Take up a message if it is for us. Not a coroutine: whoever spoke first is answered first. `reply_to_us`: the
        log says so, which Discord may leave out."""
        guild = message.guild
        if guild is None or stored.author_kind is not AuthorKind.PERSON or self.has_heard(message.id):
            return None
        reply_to_us = reply_to_us or _answers(message, self_id)
        addressed = self._address_check.addressed(stored.text, guild, self_id, reply_to_us=reply_to_us)
        if addressed is None:
            return None
        self._heard[message.id] = None
        spoken = addressed.language or self._memory.log.language_last_spoken(stored)
        language = spoken or language_of_locale(str(guild.preferred_locale))
        stored = replace(stored, wish=addressed.intent, is_unanswered=True)
        voice = Voice(language, self._options.names[0])
        turn, is_too_much = self._line_up(guild.id, message)
        return Call(message, guild, stored, addressed, voice, turn, is_too_much, is_late)

    async def handle_edited_command(self, message: discord.Message, self_id: int) -> Call | None:
        """Hear a message edited to tell us something, or something else: what it tells now is to be kept, and our line
        under it says so. To be asked before the edit is written, which takes that line back."""
        guild, stored, channel = message.guild, to_message(message, self_id), message.channel
        if guild is None or stored is None or isinstance(channel, discord.abc.PrivateChannel):
            return None
        addressed = self._address_check.addressed(stored.text, guild, self_id, reply_to_us=_answers(message, self_id))
        if addressed is None or addressed.intent is not Intent.REMEMBER:
            return None
        kept = await self._memory.receipts.of_message(guild.id, message.id, message.id)
        stands = kept.message_ids if kept is not None and kept.asked_in == message.id else ()
        if not stands and (message.edited_at or message.created_at) - message.created_at > HEARD_AGAIN:
            return None
        reply = channel.get_partial_message(stands[0]) if stands else None
        self._heard.pop(message.id, None)
        call = self.hear(message, stored, self_id)
        return None if call is None else replace(call, reply=reply, is_again=True)

    def _line_up(self, guild_id: int, message: discord.Message) -> tuple[KeyedLock, bool]:
        """Take a place for a message in the line of its author, or beside it if that is too long."""
        line = (guild_id, message.author.id)
        if self._waiting[line] >= MOST_WAITING:
            return self._lines.take(message.id), True
        self._waiting[line] += 1
        turn = self._lines.take(line)
        turn.when_over(partial(self._waiting.subtract, (line,)))
        return turn, False

    def has_heard(self, message_id: int) -> bool:
        """Say whether somebody sees to a message already, or has done so."""
        return message_id in self._heard

    async def answer(self, call: Call) -> bool:
        """Answer a call; say whether there is nothing left to do about it. Otherwise it can be heard again."""
        async with call.turn.acquired():
            extra = {"intent": call.addressed.intent.value, "channel_id": call.stored.channel_id}
            logger.info("asked", extra=extra)
            if call.is_again and await self._is_told_still(call):
                done = True
            elif call.is_too_much:
                self._part.count("left alone")
                await self._leave_alone(call, Mark.TOO_MUCH)
                done = True
            else:
                speaks = await self._speaks_beside(call.stored)
                with self._memory.contexts.hold_background_work(call.guild.id):
                    done = await (self._reply(call) if speaks else self._sign(call))
            await self._close(call, done=done)
        return done

    async def _is_told_still(self, call: Call) -> bool:
        """Say whether an edit changed nothing of what a message tells."""
        try:
            return await self._memory.facts.is_told_in(_readers(self._memory, call), call.stored)
        except StoreError:
            return False  # whoever carries it out says so

    async def leave_sign(self, call: Call) -> bool:
        """React to what was said too long ago, so that its author knows; but not where we may not write."""
        async with call.turn.acquired():
            speaks = await self._speaks_beside(call.stored)
            done = await self._mark(call, Mark.MISSED) if speaks else True
            await self._close(call, done=done)
        return done

    async def _speaks_beside(self, message: Message) -> bool:
        return await self._speaking_places.include(message.guild_id, message.channel_id, message.parent_id)

    async def _close(self, call: Call, *, done: bool) -> None:
        """Note that a question is answered. Where that fails, our reply in the log tells whoever comes next."""
        if not done:
            self._heard.pop(call.message.id, None)
            return
        self._owed.pop(call.message.id, None)
        try:
            async with asyncio.timeout(NOTING_SECONDS):
                await self._memory.log.note_answered(call.guild.id, [call.message.id])
        except (StoreError, TimeoutError) as error:
            logger.info("could not note that a question was answered", extra={"reason": type(error).__name__})

    async def settle(self) -> None:
        """Wait until everyone who has asked so far has their answer."""
        await self._lines.settle()

    async def greet(self, message: discord.Message, me: discord.ClientUser) -> None:
        """Answer a direct message: there is no guild to remember, so nothing is kept, and that is said."""
        if message.author.bot or message.author.id == me.id:
            return
        if self._greeted.admit(0, message.author.id, message.created_at) is not None:
            return  # it has been said often enough
        addressed = address(message.content, names=self._options.names, bot_id=me.id, reply_to_us=True)
        language = addressed.language if addressed else None
        voice = Voice(language or language_of_locale("en"), self._options.names[0])
        try:
            greeting = Draft(voice.say(Phrase.DIRECT_MESSAGE))
            self._report_reply(
                message, greeting, await send(greeting, replying_to(message), ending="", still=lambda: True)
            )
        except TROUBLE as error:
            self._report_failure(message, error)

    async def _reply(self, call: Call) -> bool:
        message, until = call.message, self._composer.until(answerer=call.asks)
        post = replying_late_to(message, call.reply) if call.is_late or call.is_again else replying_to(message)
        paper = ReceiptWriter(self._memory.receipts, message.id, message.author.id, call.voice)

        owed: Draft | None = None

        async def make(readers: Audience) -> Draft:
            nonlocal call, until
            if (said := owed or self._owed.get(message.id)) is not None:
                return said
            if call.may_want_anything:
                work = typing_while(self._answer_or_want(call, readers, until), message.channel)
                made = await self._composer.attempt(work, call.voice, until, reading=True)
                # Chosen once: made anew for other readers, it is wanted as it was.
                call = call.taken_for(made if isinstance(made, Intent) else Intent.QUESTION)
                if isinstance(made, Draft):
                    return self._with_button(made, call, readers)
                until = self._composer.until()
            carried_out = typing_while(self._carry_out(call, readers, until), message.channel)
            draft = await self._composer.attempt(carried_out, call.voice, until, reading=call.asks)
            return self._with_button(draft, call, readers) if call.asks else draft

        async def say(draft: Draft, still: Still) -> Sent:
            nonlocal owed
            if draft.is_unasked or (draft.is_undone and call.is_late):
                return Sent.NOTHING
            kept = await self._reminders.undelivered(call.guild.id, message.author.id, call.voice)
            # Whoever waited is told why first, if it was not said before.
            before = call.voice.say(Phrase.WAS_AWAY) if call.is_late and message.id not in self._owed else ""
            words = "\n".join(filter(None, (before, draft.words, kept))) if draft.words else ""
            if not (call.asks or draft.only_reads or draft.is_undone):
                # Sent again, it has to be true still: nothing is done for it then.
                owed = replace(draft, only_reads=True)
            readers = _readers(self._memory, call)
            return await send_with_receipt(paper, replace(draft, words=words), readers, post, call.voice, still)

        began = asyncio.get_running_loop().time()
        try:
            draft, sent = await deliver(make, partial(_readers, self._memory, call), say)
            if call.reply is not None and sent is not Sent.DELIVERED and not draft.is_undone:
                await withdraw(call.reply)
            self._report_reply(message, draft, sent)
            self._part.count("reply_ms", round((asyncio.get_running_loop().time() - began) * 1000))
        except TROUBLE as error:
            self._report_failure(message, error)
            if _is_refusal(error):
                return True
            if owed is not None:
                self._owed.setdefault(message.id, owed)
                with contextlib.suppress(StoreError):
                    await self._memory.log.note_owed(call.guild.id, message.id)
            if not call.is_late:
                self.on_undone(message)
            return False
        return not self._is_undone(draft, call)

    def _is_undone(self, draft: Draft, call: Call) -> bool:
        if draft.is_undone and not call.is_late:
            self.on_undone(call.message)
        return draft.is_undone

    async def _sign(self, call: Call) -> bool:
        """React to a call without a word: what was told or to be forgotten is done, what was asked is for `/ask`."""
        if call.may_want_anything:
            call = call.taken_for(await self._memory.answers.understand(_question(call, None)))
        if call.asks:
            await self._leave_alone(call, Mark.ASK_PRIVATELY)
            return True
        until = self._composer.until()
        work = self._carry_out(call, _readers(self._memory, call), until)
        draft = await self._composer.attempt(work, call.voice, until, reading=False)
        undone = self._is_undone(draft, call)
        if not undone or not call.is_late:
            await self._mark(call, draft.mark)
        return not undone

    async def _leave_alone(self, call: Call, mark: Mark) -> None:
        """Leave a call alone, with a mark: it is no conversation all the same."""
        try:
            await self._memory.answers.mark_addressed(_question(call, None), call.addressed.intent)
        except StoreError as error:
            logger.warning("could not keep a question for later", extra={"reason": type(error).__name__})
        await self._mark(call, mark)

    async def _mark(self, call: Call, mark: Mark) -> bool:
        """React with a mark; return False where it may be worth trying again."""
        try:
            await call.message.add_reaction(mark)
        except TROUBLE as error:
            logger.info("could not react to a message", extra={"reason": type(error).__name__})
            return _is_refusal(error)
        return True

    async def _answer_or_want(self, call: Call, readers: Audience, until: float) -> Draft | Intent:
        about = await _replied_to(call)
        question = await self._question_with_files(call, about)
        return await self._composer.answered_or_wanted(question, readers, call.voice, until)

    async def _carry_out(self, call: Call, readers: Audience, until: float) -> Draft:
        about = await _replied_to(call)
        match call.addressed.intent:
            case Intent.REMEMBER:
                telling = _telling(call, about)
                return await self._composer.remembered(telling, readers, call.voice)
            case Intent.FORGET:
                if call.is_done:
                    return Draft("")  # nothing tells by now what it was
                telling = _telling(call, about)
                return await self._composer.forgotten(telling, readers, call.voice)
            case Intent.REMIND:
                wish = _wish(call, about)
                if call.is_done:
                    return await self._reminders.asked_before(wish, call.voice)
                await self._memory.answers.mark_addressed(_question(call, about), Intent.REMIND)
                return await self._reminders.asked(wish, call.voice)
            case Intent.KNOWLEDGE | Intent.QUESTION as intent:
                question = await self._question_with_files(call, about)
                return await self._composer.answered(question, intent, readers, call.voice, until)
            case intent:
                return await self._composer.pointed(_question(call, about), intent, call.voice)

    async def _question_with_files(self, call: Call, about: Message | None) -> Question:
        """Make a question with the pictures it is about; its text files have been read by then."""
        _, pictures = await asyncio.gather(
            self._files.read_about(call.guild, call.stored, about), self._files.pictures(call.guild, call.stored, about)
        )
        return replace(_question(call, about), pictures=pictures)

    def _with_button(self, draft: Draft, call: Call, readers: Audience) -> Draft:
        """Add the button for a private answer where the asker alone would hear more than all the readers here."""
        alone = self._memory.places.audience_for(call.guild.id, call.stored.channel_id, call.stored.author_id)
        if alone.sources <= readers.sources:
            return draft
        button = AnswerOnlyToMe.of(call.message.author.id, call.message.id, call.voice)
        return replace(draft, buttons=(button, *draft.buttons))

    def _report_reply(self, message: discord.Message, draft: Draft, sent: Sent) -> None:
        if sent is Sent.FORBIDDEN:
            guild_id = 0 if message.guild is None else message.guild.id
            self._part.limited(
                in_guilds={
                    guild_id: f"In <#{message.channel.id}> the bot may not write: give its role Send Messages there."
                }
            )
            return
        self._part.active()
        self._part.add({"replies": 1, "failed": int(draft.mark is Mark.FAILED)})
        logger.info("answered", extra={"channel_id": message.channel.id, "characters": len(draft.words)})

    def _report_failure(self, message: discord.Message, error: Exception) -> None:
        logger.error("could not send a reply", exc_info=error, extra={"channel_id": message.channel.id})
        self._part.failing("Discord did not take the latest reply; the log says why.")
        self._part.count("not taken")


def _readers(memory: MemoryManager, call: Call) -> Audience:
    """Find everyone who can see the place of a call as it is now."""
    return memory.places.audience_of(call.guild.id, call.stored.channel_id)


async def _replied_to(call: Call) -> Message | None:
    """Fetch the message that "this" means. Discord nearly always sends it along; where it did not, it is asked for.

    Of our own replies one has to know what they answer, to forget what they confirm; that is not sent along.
    """
    reference = call.message.reference
    if call.stored.reply_to is None or reference is None or call.guild.me is None:
        return None
    resolved = reference.resolved
    forgets = call.addressed.intent is Intent.FORGET
    if resolved is None or (forgets and _answers(call.message, call.guild.me.id)):
        try:
            resolved = await call.message.channel.fetch_message(call.stored.reply_to)
        except discord.HTTPException:
            return None
    if not isinstance(resolved, discord.Message) or resolved.channel.id != call.stored.channel_id:
        return None
    return to_message(resolved, call.guild.me.id)


def _answers(message: discord.Message, self_id: int) -> bool:
    resolved = message.reference.resolved if message.reference else None
    return isinstance(resolved, discord.Message) and resolved.author.id == self_id


def _is_refusal(error: Exception) -> bool:
    """Say whether an error means that Discord does not take it, and would not later either."""
    return isinstance(error, discord.HTTPException) and error.status < _SERVER_ERROR


def _telling(call: Call, about: Message | None) -> RememberRequest:
    rank = rank_of(call.message.author)
    return telling_in(call.stored, call.addressed, about, rank=rank, is_done=call.is_done)


def _wish(call: Call, about: Message | None) -> Wish:
    """Make a wish of the message as it was said, when it was said: we may hear of it late."""
    stored = call.stored
    return Wish(
        stored.guild_id,
        stored.channel_id,
        stored.message_id,
        stored.author_id,
        stored.sent_at,
        call.voice.language,
        call.addressed.body,
        by_message=True,
        about_id=None if about is None else about.message_id,
        for_several=reminds_several(stored.text, call.addressed.body),
    )


def _question(call: Call, about: Message | None) -> Question:
    return question_in(call.stored, call.addressed, about, call.voice)
