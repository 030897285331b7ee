"""Says reminders when they are due, each once: in the place they were asked for if their owner may write there then,
else by direct message.

Which are due stands in the database, and who delivers one has claimed it. Whoever finds that somebody set about it
before looks for its buttons first, where it may have been said: a crash at any step neither loses nor doubles it.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import timedelta

import discord

from bot.background import Outages
from bot.connection import TROUBLE
from bot.reminders.pages import all_due, due, is_of, nonce_of, under_all_due, under_due
from bot.replies.draft import Draft, SpeakingPlaces, may_write
from bot.replies.send import NO_REPLY_POSSIBLE, ReadersChanged, Still, post_message, view_of, withdraw
from bot.words import Voice
from memory.background import FairScheduler
from memory.core.clock import Clock
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.reminders.values import Claimed, Reminder
from memory.tasks import request

logger = logging.getLogger(__name__)

EVERY_SECONDS = 30.0
"""Between two looks, if nothing is due before: another process may have made a reminder."""
SENDING_SECONDS = 25.0
"""Less than a lease, also by clocks that are half a minute apart."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3_600.0
FIRST_VIEW_SECONDS = 60.0
"""So long after a start it may not be known yet who sees what."""
SOON_SECONDS = 2.0
AT_ONCE_SECONDS = 0.05
SKEW = timedelta(minutes=5)
"""Between the clocks of two processes, and Discord's, at most."""
MOST_LOOKED_AT = 2_000
GUILDS_AT_ONCE = 8
MOST_IN_A_TURN = 5
"""Of one guild, while others wait."""

_SERVER_ERROR = 500


class ReminderWorker:
    def __init__(self, memory: MemoryManager, bot_name: str, clock: Clock, part: HealthReporter) -> None:
        self._memory = memory
        self._bot_name = bot_name
        self._clock = clock
        self._part = part
        self._outages = Outages(part)
        self._turns = FairScheduler("reminders")
        part.watch(seconds_waited=self._turns.seconds_waited)
        self._speaking_places = SpeakingPlaces(memory)
        self._began = 0.0
        self._pause = EVERY_SECONDS

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]], client: discord.Client) -> None:
        self._began = asyncio.get_running_loop().time()
        while True:
            self._pause = EVERY_SECONDS
            with request("reminders"):
                await self._outages.survived(self._look([guild.id for guild in guilds()], client))
            await self._memory.reminders.woken(self._pause)

    async def _look(self, guild_ids: list[int], client: discord.Client) -> None:
        """Deliver what is due, guilds side by side: what fails or waits for Discord in one holds up no other."""
        now = self._clock.now()
        coming = await self._memory.reminders.next_due(guild_ids) if guild_ids else {}
        due_in = [guild_id for guild_id, at in coming.items() if at <= now]
        awake = [at for guild_id, at in coming.items() if guild_id not in self._turns.resting]
        soonest = min(((at - now).total_seconds() for at in awake), default=EVERY_SECONDS)
        # After a delivery the next look finds out what comes next.
        self._pause = max(min(soonest, EVERY_SECONDS), AT_ONCE_SECONDS)
        await self._turns.round(due_in, lambda guild_id: self._deliver_some(guild_id, client), at_once=GUILDS_AT_ONCE)

    async def _deliver_some(self, guild_id: int, client: discord.Client) -> None:
        for _ in range(MOST_IN_A_TURN):
            claimed = await self._memory.reminders.claim(guild_id)
            if not claimed:
                return
            first = claimed[0]
            may_stand = self._memory.reminders.may_stand(first.reminder)
            if may_stand is None and asyncio.get_running_loop().time() - self._began < FIRST_VIEW_SECONDS:
                for one in claimed:
                    await self._memory.reminders.release_claim(one, SOON_SECONDS, was_tried=False)
                return
            try:
                async with asyncio.timeout(SENDING_SECONDS):
                    await self._deliver(claimed, client, in_place=bool(may_stand))
            except TROUBLE as error:
                await self._put_off(claimed, error)

    async def _deliver(self, claimed: tuple[Claimed, ...], client: discord.Client, *, in_place: bool) -> None:
        first = claimed[0]
        one = first.reminder
        place = client.get_partial_messageable(one.channel_id, guild_id=one.guild_id)
        if first.tried_from is not None:
            found, is_certain = await self._found(first, place, client)
            if found is not None:
                await self._mark(first, found)
                return
            if not is_certain:
                # It may stand there: it is not said again, but told when its owner asks.
                await self._memory.reminders.keep(first)
                return
        if in_place and await self._speaks_in(one, client):
            sent = await self._sent(claimed, place, lambda: self._may_be_posted(one, client))
            if sent is not None:
                for each in claimed:
                    await self._mark(each, sent)
                return
        await self._by_direct_message(claimed, client)

    async def _by_direct_message(self, claimed: tuple[Claimed, ...], client: discord.Client) -> None:
        private = await _private_channel(claimed[0].reminder, client)
        sent = None if private is None else await self._sent(claimed, private, lambda: True)
        for each in claimed:
            if sent is None:
                self._part.count("kept")
                await self._memory.reminders.keep(each)
            else:
                await self._mark(each, sent)

    async def _sent(
        self, claimed: tuple[Claimed, ...], place: discord.abc.Messageable, still: Still
    ) -> discord.Message | None:
        """Send reminders; None: Discord does not take them there, now or later; or others read there by now."""
        one = claimed[0].reminder
        in_private = isinstance(place, discord.DMChannel)
        draft = self._draft(tuple(each.reminder for each in claimed), in_place=not in_private)
        owner_alone = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(one.owner_id)], replied_user=False
        )
        for reference in (None,) if in_private or _reference(one) is None else (_reference(one), None):
            try:
                return await post_message(
                    place, draft.words, nonce_of(one), view_of(draft), still, reference, owner_alone
                )
            except ReadersChanged:
                return None
            except discord.HTTPException as error:
                if error.status >= _SERVER_ERROR:
                    raise
                logger.info("reminder not accepted by Discord", extra={"discord_code": error.code})
                if error.code not in NO_REPLY_POSSIBLE:
                    return None
        return None

    def _draft(self, reminders: tuple[Reminder, ...], *, in_place: bool) -> Draft:
        voice = Voice(reminders[0].language, self._bot_name)
        if len(reminders) > 1:
            return Draft(all_due(reminders, voice), buttons=under_all_due(reminders))
        one = reminders[0]
        words = due(one, self._clock.now(), voice, self._memory.reminders.following(one), in_place=in_place)
        return Draft(words, buttons=under_due(one, voice))

    async def _mark(self, claimed: Claimed, said: discord.Message) -> None:
        """Mark a reminder as said; it goes again if what asked for it has gone meanwhile."""
        in_place = said.channel.id == claimed.reminder.channel_id
        if not await self._memory.reminders.delivered(claimed, said.id if in_place else None):
            await withdraw(said)
            return
        self._part.count("delivered")
        logger.info("reminded", extra={"channel_id": claimed.reminder.channel_id, "tries": claimed.tries + 1})

    async def _found(
        self, claimed: Claimed, place: discord.PartialMessageable, client: discord.Client
    ) -> tuple[discord.Message | None, bool]:
        """Look for a reminder where it may have been said before; say whether all of its place could be read."""
        found: discord.Message | None = None
        is_certain = True
        guild, there = _place_of(claimed.reminder, client)
        if guild is not None and there is not None:
            # Without the right to read back Discord says that there is nothing.
            allowed = there.permissions_for(guild.me)
            is_certain = allowed.view_channel and allowed.read_message_history
            if is_certain:
                found, is_certain = await _searched(place, claimed, client)
        if found is None and (private := await _private_channel(claimed.reminder, client)) is not None:
            found, _ = await _searched(private, claimed, client)
        return found, is_certain

    def _may_be_posted(self, one: Reminder, client: discord.Client) -> bool:
        """Say whether its owner could say a reminder there now, to no others than when they asked for it."""
        guild, place = _place_of(one, client)
        owner = None if guild is None else guild.get_member(one.owner_id)
        if place is None or owner is None or (isinstance(place, discord.Thread) and place.parent is None):
            return False
        return may_write(place, place.permissions_for(owner)) and self._memory.reminders.may_stand(one) is True

    async def _speaks_in(self, one: Reminder, client: discord.Client) -> bool:
        _, place = _place_of(one, client)
        parent_id = place.parent_id if isinstance(place, discord.Thread) else None
        return await self._speaking_places.include(one.guild_id, one.channel_id, parent_id)

    async def _put_off(self, claimed: tuple[Claimed, ...], error: Exception) -> None:
        self._part.count("put off")
        code = error.code if isinstance(error, discord.HTTPException) else None
        logger.warning("reminder postponed", extra={"reason": type(error).__name__, "discord_code": code})
        for one in claimed:
            pause = min(FIRST_PAUSE_SECONDS * 2 ** min(one.tries, 12), LONGEST_PAUSE_SECONDS)
            await self._memory.reminders.release_claim(one, pause, was_tried=True)


def _reference(one: Reminder) -> discord.MessageReference | None:
    answered = one.reminder_id if one.by_message else one.about_id
    if answered is None:
        return None
    return discord.MessageReference(
        message_id=answered, channel_id=one.channel_id, guild_id=one.guild_id, fail_if_not_exists=False
    )


def _place_of(
    one: Reminder, client: discord.Client
) -> tuple[discord.Guild | None, discord.abc.GuildChannel | discord.Thread | None]:
    guild = client.get_guild(one.guild_id)
    return guild, None if guild is None else guild.get_channel_or_thread(one.channel_id)


async def _private_channel(one: Reminder, client: discord.Client) -> discord.DMChannel | None:
    try:
        user = client.get_user(one.owner_id) or await client.fetch_user(one.owner_id)
        return user.dm_channel or await user.create_dm()
    except discord.HTTPException as error:
        if error.status >= _SERVER_ERROR:
            raise
        return None


async def _searched(
    place: discord.abc.Messageable, claimed: Claimed, client: discord.Client
) -> tuple[discord.Message | None, bool]:
    """Search a place for a reminder, between the first try and the end of the last; say whether all could be read."""
    if claimed.tried_from is None:
        return None, True
    after, looked_at = claimed.tried_from - SKEW, 0
    before = None if claimed.tried_until is None else claimed.tried_until + SKEW
    try:
        async for message in place.history(limit=MOST_LOOKED_AT, after=after, before=before, oldest_first=True):
            looked_at += 1
            is_ours = client.user is not None and message.author.id == client.user.id
            if is_ours and is_of(message, claimed.reminder):
                return message, True
    except (discord.Forbidden, discord.NotFound):
        return None, False
    return None, looked_at < MOST_LOOKED_AT
