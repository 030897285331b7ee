"""Takes back on Discord what we said, when something that it was made from is gone, or when somebody came to read it
who could not read that: it becomes one sentence, or goes.

Which replies those are stands in the database, so nothing is lost by a restart. What cannot be done now, because
Discord or the database is away or we may not, is tried again with growing pauses, for as long as it is due.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TypeAlias

import discord

from bot.background import Outages
from bot.connection import TROUBLE
from bot.replies.buttons import NotTrue
from bot.replies.draft import Block, layout_of
from bot.replies.interactions import SILENT
from bot.words import Phrase, Voice
from memory.background import FairScheduler
from memory.core.clock import Clock
from memory.daily.values import is_digest
from memory.db.errors import StoreError
from memory.facts.undo import UndoService
from memory.health import HealthReporter
from memory.receipts.retractions import Replacement, Retraction, Retractions
from memory.tasks import request

logger = logging.getLogger(__name__)

EVERY_SECONDS = 3.0
SOON_SECONDS = 0.2
"""Whoever wakes us may not have committed yet."""
LOOKS_AFTER_WAKING = 3
READERS_EVERY_SECONDS = 3.0
"""Between two looks at who can read what we said; there is something to do only if that changed."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3_600.0
SENDING = timedelta(minutes=1)
"""A reply that is not there may still be on its way for so long."""
MOST_LOOKED_AT = 100
"""Messages after a question, among which a reply is looked for that nobody noted."""
CHANNELS_AT_ONCE = GUILDS_AT_ONCE = 8
OLD = timedelta(hours=1)
MOST_OLD_EDITS, OLD_EDITS_SECONDS = 3, 20.0
"""Discord lets only a few older messages of a channel be edited in some twenty seconds (30046), and says not how many.
Deleting has a wider limit."""
MOST_REMADE = 9
"""Old digests of a channel that are edited in place, one handful after the other: all of them within a minute."""
PURGE_SECONDS = 60.0
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
"""The message is gone, alone or with its channel. Any other 404 may be somebody's on the way to Discord."""
THREAD_IS_ARCHIVED = 50083
"""Nothing can be edited in there."""

_SENTENCE = {
    Replacement.TAKEN_BACK: Phrase.TAKEN_BACK,
    Replacement.FORGOTTEN: Phrase.FORGOTTEN_UNSAID,
    Replacement.NOT_FOR_ALL: Phrase.NOT_FOR_ALL,
}

Key: TypeAlias = tuple[int, int]
"""Guild and question."""


Edit: TypeAlias = Callable[[discord.ui.LayoutView], Awaitable[None]]
Regenerate: TypeAlias = Callable[[Retraction, Edit], Awaitable[bool]]
"""Has something else stand there, with a receipt of its own; whether it did."""


class RetractionWorker:
    def __init__(
        self,
        memory: Retractions,
        undo: UndoService,
        bot_name: str,
        clock: Clock,
        part: HealthReporter,
        regenerate: Regenerate | None = None,
    ) -> None:
        self._memory = memory
        self._regenerate = regenerate
        self._undo = undo
        self._bot_name = bot_name
        self._clock = clock
        self._part = part
        self._outages = Outages(part)
        self._turns = FairScheduler("taking replies back")
        self._checks = FairScheduler("checking who reads our replies")
        part.watch(seconds_waited=self._turns.seconds_waited)
        self._not_before: dict[Key, float] = {}
        """By the loop's clock, what is put off."""
        self._failed: set[Key] = set()
        self._purge_at = 0.0

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]], client: discord.Client) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._check_readers(guilds), name="checking readers")
            tasks.create_task(self._work(guilds, client), name="retractions")

    async def _check_readers(self, guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        """Check readers beside the work, which Discord may hold up long: what is marked is out of the log at once."""
        while True:
            with request("readers"):
                try:
                    await self._checks.round([guild.id for guild in guilds()], self._memory.check_readers)
                    if self._checks.failed:
                        self._part.failing("Who can read the bot's replies could not be checked; the log says why.")
                except StoreError as error:
                    logger.info("check of who reads our replies postponed", extra={"reason": type(error).__name__})
            await asyncio.sleep(READERS_EVERY_SECONDS)

    async def _work(self, guilds: Callable[[], Iterable[discord.Guild]], client: discord.Client) -> None:
        looks = 0
        while True:
            with request("taking back"):
                await self._outages.survived(self._look([guild.id for guild in guilds()], client))
                self._report_health()
            if await self._memory.marked(SOON_SECONDS if looks else EVERY_SECONDS):
                looks = LOOKS_AFTER_WAKING
            else:
                looks = max(looks - 1, 0)

    async def _look(self, guild_ids: list[int], client: discord.Client) -> None:
        await self._purge()
        waiting = await self._memory.guilds(guild_ids)
        self._forget_unless(lambda key: key[0] in waiting)

        async def take_back(guild_id: int) -> None:
            now = asyncio.get_running_loop().time()
            later = [asked_in for (guild, asked_in), at in self._not_before.items() if guild == guild_id and at > now]
            async with self._memory.due(guild_id, later) as due:
                there = {*later, *(one.asked_in for one in due)}
                self._forget_unless(partial(_is_there, guild_id, there))
                await self._take_all_back(due, client)

        await self._turns.round(waiting, take_back, at_once=GUILDS_AT_ONCE)

    async def _take_all_back(self, due: list[Retraction], client: discord.Client) -> None:
        """Take all back, channels side by side: each has limits of its own. Of many old replies nothing is left: that
        the words go matters more than that something tells so. The newest digests are made anew a few at a time."""
        now, room = self._clock.now(), asyncio.Semaphore(CHANNELS_AT_ONCE)

        async def take_back_in(row: list[Retraction]) -> None:
            old = {one.key for one in row if now - one.made_at > OLD}
            digests = sorted((one.key for one in row if one.key in old and is_digest(one.asked_in)), reverse=True)
            at_once, later = digests[:MOST_OLD_EDITS], digests[MOST_OLD_EDITS:MOST_REMADE]
            async with room:
                for one in row:
                    if one.key in later:
                        self._wait(one, OLD_EDITS_SECONDS)
                        continue
                    goes = len(old) > MOST_OLD_EDITS and one.key in old and one.key not in at_once
                    await self._take_back(replace(one, instead=Replacement.NOTHING) if goes else one, client)

        rows = [
            [one for one in due if one.channel_id == channel] for channel in dict.fromkeys(d.channel_id for d in due)
        ]
        ended = await asyncio.gather(*map(take_back_in, rows), return_exceptions=True)
        for error in ended:
            if error is not None:
                raise error

    def _forget_unless(self, is_there: Callable[[Key], bool]) -> None:
        """Forget what was put off and need not be taken back: its guild was left, or another answer stands there."""
        self._failed = {key for key in self._failed if is_there(key)}
        self._not_before = {key: at for key, at in self._not_before.items() if is_there(key)}

    async def _purge(self) -> None:
        """Purge the words that are kept for undoing when their day is over, and not an hour later."""
        now = asyncio.get_running_loop().time()
        if now >= self._purge_at:
            await self._undo.purge(self._clock.now())
            self._purge_at = now + PURGE_SECONDS

    async def _take_back(self, due: Retraction, client: discord.Client) -> None:
        if not await self._memory.is_due(due):
            return
        channel = client.get_partial_messageable(due.channel_id, guild_id=due.guild_id)
        try:
            if not due.message_ids:
                found = tuple(sorted(await self._found(due, channel, client)))
                if not found and self._clock.now() - due.made_at < SENDING:
                    self._wait(due, FIRST_PAUSE_SECONDS)
                    return
                if not await self._memory.note_found(due, found):
                    return
                due = replace(due, message_ids=found)
            is_made_anew = await self._put_right(due, channel, client)
        except TROUBLE as error:
            await self._put_off(due, error)
            return
        if not is_made_anew:  # that has a receipt of its own, which may be marked again already
            await self._memory.done(due)
        self._not_before.pop(due.key, None)
        self._failed.discard(due.key)
        self._part.count("deleted" if due.instead is Replacement.NOTHING else "edited")
        logger.info("reply taken back", extra={"channel_id": due.channel_id, "because": due.because})

    async def _put_right(self, due: Retraction, channel: discord.PartialMessageable, client: discord.Client) -> bool:
        """Put a reply right: its first message says what is left of it, if anything; the rest go. True: made anew."""
        first, *more = due.message_ids or (None,)
        for message_id in more:
            await _delete(channel, message_id)
        if first is None:
            return False
        if due.instead is Replacement.NOTHING:
            await _delete(channel, first)
            return False
        try:
            return await self._edit(due, channel.get_partial_message(first))
        except discord.HTTPException as error:
            if error.code != THREAD_IS_ARCHIVED:
                raise
            await _open_again(due, client)
            return await self._edit(due, channel.get_partial_message(first))

    async def _edit(self, due: Retraction, message: discord.PartialMessage) -> bool:
        """Edit a reply; say whether something else was made to stand there."""

        async def edit(card: discord.ui.LayoutView | None, words: str | None = None) -> None:
            try:
                await message.edit(content=words, embeds=[], view=card, allowed_mentions=SILENT)
            except discord.NotFound as error:
                _must_be_gone(error)

        if self._regenerate is not None and await self._regenerate(due, edit):
            return True
        words = Voice(due.language, self._bot_name).say(_SENTENCE[due.instead])
        # What was posted as a card stays one.
        await (edit(layout_of([Block(words)])) if is_digest(due.asked_in) else edit(None, words))
        return False

    async def _found(self, due: Retraction, channel: discord.PartialMessageable, client: discord.Client) -> list[int]:
        """Find our answer to the question, which nobody came to note, with the parts that follow it.

        A command is answered by a line that refers to nothing: it is known by its button, and by when it was said.
        """
        found: list[int] = []
        lines: list[int] = []
        try:
            after = discord.Object(due.asked_in)
            async for message in channel.history(limit=MOST_LOOKED_AT, after=after, oldest_first=True):
                if client.user is None or message.author.id != client.user.id:
                    continue
                answers = None if message.reference is None else message.reference.message_id
                if answers == due.asked_in or (found and answers is None):
                    found.append(message.id)
                elif found:
                    break
                elif answers is None and _is_line(message) and abs(message.created_at - due.made_at) < SENDING:
                    lines.append(message.id)
        except discord.NotFound as error:
            _must_be_gone(error)
            return []
        return found or (await self._memory.unnoted(due.guild_id, lines))[:1]

    async def _put_off(self, due: Retraction, error: Exception) -> None:
        pause = min(FIRST_PAUSE_SECONDS * 2**due.tries, LONGEST_PAUSE_SECONDS)
        self._wait(due, pause)
        self._failed.add(due.key)
        self._part.count("put off")
        code = error.code if isinstance(error, discord.HTTPException) else None
        logger.warning(
            "could not take a reply back yet",
            extra={"channel_id": due.channel_id, "reason": type(error).__name__, "discord_code": code},
        )
        try:
            await self._memory.put_off(due)
        except StoreError:
            logger.info("could not note an attempt")

    def _wait(self, due: Retraction, seconds: float) -> None:
        self._not_before[due.key] = asyncio.get_running_loop().time() + seconds

    def _report_health(self) -> None:
        if self._turns.failed:
            self._part.failing(f"Replies cannot be taken back on {self._turns.failed} server(s); the log says why.")
        elif self._failed:
            self._part.failing(
                f"{len(self._failed)} replies that quote something deleted could not be taken back on Discord yet; "
                "it is tried again. If the bot may not see a channel any more, let it, or delete them there."
            )


def _is_there(guild_id: int, there: set[int], key: Key) -> bool:
    return key[0] != guild_id or key[1] in there


def _is_line(message: discord.Message) -> bool:
    """Say whether a message of ours tells somebody that they were spoken of in a command."""
    return any(
        isinstance(item, discord.Button) and (item.custom_id or "").startswith(f"{NotTrue.kind}:")
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for item in row.children
    )


async def _open_again(due: Retraction, client: discord.Client) -> None:
    """Open a thread again, which archives itself again after a while."""
    guild = client.get_guild(due.guild_id)
    thread = None if guild is None else await guild.fetch_channel(due.channel_id)
    if isinstance(thread, discord.Thread):
        await thread.edit(archived=False)


async def _delete(channel: discord.PartialMessageable, message_id: int) -> None:
    try:
        await channel.get_partial_message(message_id).delete()
    except discord.NotFound as error:
        _must_be_gone(error)


def _must_be_gone(error: discord.NotFound) -> None:
    if error.code not in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE):
        raise error
