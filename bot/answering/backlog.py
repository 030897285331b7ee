"""Carries out and answers, once, what was said to us while we were away, as soon as a channel has been caught up with.

Whatever wants something of us is noted as unanswered in the transaction that puts it into the log, and no longer when
it has its reply; and as done in the transaction that does it. So it does not matter what ended us, nor when. Commands
are carried out and questions answered as long as people may still wait for it; what is older gets a sign, for a day.
What holds is what a message says by now.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

import discord

from bot.answering.answer import Answerer, Call
from bot.background import Key, KeyedTaskQueue
from bot.mirror.guilds import GuildMirror
from bot.translate import Readable, to_message
from memory.core.clock import Clock
from memory.core.log_values import Unanswered
from memory.core.values import Intent
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

AT_ONCE = 4
COMMANDS_WAIT = timedelta(hours=1)
QUESTIONS_WAIT = timedelta(minutes=10)
SIGNS_WAIT = timedelta(days=1)
MOST_ANSWERED = 20
"""In one channel at one return, the newest: a later word may take back an earlier one, not the other way round."""
LOOK_AGAIN_SECONDS = 15.0
"""After memory could not be reached, which the log may never have noticed, or Discord did not take a reply."""


class Backlog:
    def __init__(self, memory: MemoryManager, answering: Answerer, guild_mirror: GuildMirror, clock: Clock) -> None:
        self._memory = memory
        self._answerer = answering
        self._guild_mirror = guild_mirror
        self._clock = clock
        self.tasks = KeyedTaskQueue("backlog", AT_ONCE)
        answering.on_undone = self._look_again

    def look(self, place: Readable) -> None:
        """Look for what waits to be answered in a place: all that was said there is in the log."""
        self.tasks.ask(Key(place.guild.id, place.id), lambda: self._work_off(place))

    def _look_again(self, message: discord.Message) -> None:
        place = message.channel
        if isinstance(place, Readable):
            self.tasks.ask_later(Key(place.guild.id, place.id), lambda: self._work_off(place), LOOK_AGAIN_SECONDS)

    async def _work_off(self, place: Readable) -> bool:
        """Carry out what waits in a place, in the order in which it was said."""
        try:
            # A reply that we gave a moment ago is on its way into the log as well.
            await self._memory.log.settled(place.guild.id)
            unanswered = await self._memory.log.unanswered(place.guild.id, place.id)
            waiting = [said for said in unanswered if not self._answerer.has_heard(said.message_id)]
            if not waiting:
                return True
            await self._guild_mirror.members_loaded(place.guild.id)
            now = self._clock.now()
            recent = [said for said in waiting if _is_within(SIGNS_WAIT, said, now)]
            old = {said.message_id for said in waiting} - {said.message_id for said in recent}
            if old:
                await self._memory.log.note_answered(place.guild.id, old)
            timely = [said for said in recent if _is_within(_patience(said.intent), said, now)][-MOST_ANSWERED:]
            answered = [await self._take_up(place, said, now, is_timely=said in timely) for said in recent]
        except discord.Forbidden:
            return True  # when it can be read again, catching up comes by
        logger.info("handled what was said while away", extra={"channel_id": place.id, "messages": len(waiting)})
        return all(answered)

    async def _take_up(self, place: Readable, said: Unanswered, now: datetime, *, is_timely: bool) -> bool:
        """Answer a message that waited, or leave a sign; say whether there is nothing left to do about it."""
        call = await self._call(place, said)
        if call is None:
            if not self._answerer.has_heard(said.message_id):
                await self._memory.log.note_answered(place.guild.id, [said.message_id])
            return True
        try:
            if is_timely and _is_within(_patience(call.addressed.intent), said, now):
                return await self._answerer.answer(call)
            if said.is_done:
                await self._memory.log.note_answered(place.guild.id, [said.message_id])
                return True
            return await self._answerer.leave_sign(call)
        finally:
            call.turn.release()

    async def _call(self, place: Readable, said: Unanswered) -> Call | None:
        """Fetch a message that waited as it stands now; None if it or its author is gone, or it is no more for us."""
        try:
            message = await place.fetch_message(said.message_id)
            if not isinstance(message.author, discord.Member):
                message.author = await place.guild.fetch_member(message.author.id)
        except discord.NotFound:
            return None
        stored = to_message(message, place.guild.me.id)
        if stored is None:
            return None
        ours = await self._memory.log.ours_among(place.guild.id, [stored.reply_to] if stored.reply_to else [])
        call = self._answerer.hear(message, stored, place.guild.me.id, is_late=True, reply_to_us=bool(ours))
        if call is None:
            return None
        if said.is_done:
            call = replace(call.taken_for(said.intent), is_done=True)
        return call if said.reply_id is None else replace(call, reply=place.get_partial_message(said.reply_id))


def _is_within(patience: timedelta, said: Unanswered, now: datetime) -> bool:
    return now - discord.utils.snowflake_time(said.message_id) <= patience


def _patience(intent: Intent) -> timedelta:
    """Find how long people may wait for a reply. What no verb says is a question, whatever a model takes it for."""
    return COMMANDS_WAIT if intent in (Intent.REMEMBER, Intent.FORGET, Intent.REMIND) else QUESTIONS_WAIT
