"""Makes, changes and lists reminders for their owners, and hands out what is due to whoever delivers it.

When something is due is read by a grammar that must understand all of what was said about it; what it does not know is
read by the small model, which has to point at the words; what neither knows, the owner is asked.
"""

import asyncio
import logging
import secrets
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.errors import ModelError
from memory.core.clock import Clock
from memory.db.database import Database
from memory.events import Events, named_in
from memory.health import Health
from memory.language.dates import JOINTS
from memory.language.text import fold, repair
from memory.language.time_grammar import Grain
from memory.language.time_meaning import Reading, Resolved, Understood, for_reminder, moment_of, next_of
from memory.language.time_zones import is_zone, time_in
from memory.language.times import lead_in, when, within
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester
from memory.places.service import Places
from memory.places.view import Audience
from memory.reminders.prompt import TimeReply, read_time, render_time
from memory.reminders.store import ReminderStore
from memory.reminders.values import (
    CHOSEN_WITHIN,
    FARTHEST,
    KEPT_AFTER,
    KEPT_UNDELIVERED,
    LONG_ABSENCE,
    LONGEST_TEXT,
    AskedWhen,
    Claimed,
    Made,
    NoTime,
    Outcome,
    Refused,
    Reminder,
    State,
    Wish,
)

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
"""Whoever delivers a reminder has to be done by then, also by a clock that is half a minute ahead."""
MOST_READERS = 500
"""Of more, it is not noted who they are, and the reminder comes by direct message."""
TOMORROW_AT = 9


class Reminders:
    def __init__(
        self,
        database: Database,
        models: Models,
        metering: Metering,
        places: Places,
        events: Events,
        clock: Clock,
        health: Health,
    ) -> None:
        self._events = events
        self._store = ReminderStore(database)
        self._chain = models.chain(Purpose.SMALL)
        self._metering = metering
        self._places = places
        self._clock = clock
        self._part = health.part("reminder times")
        self._part.active()
        self._woken = asyncio.Event()

    # Asking for one

    async def ask(self, wish: Wish) -> Outcome:
        """Make a reminder. Whatever is missing is asked for, and what was said is kept for a day meanwhile."""
        zone = await self.zone_of(wish.guild_id, wish.owner_id)
        wish = replace(wish, words=repair(wish.words).strip())
        now = time_in(zone, wish.asked_at)
        understood, event_id = await self._understood(wish, now)
        text = wish.words
        if wish.when is None:
            text = _what(wish) if understood is None else understood.rest
        if len(text) > LONGEST_TEXT:
            return Refused.TOO_LONG
        in_hall, readers = self._readers(wish.guild_id, wish.channel_id)
        reminder = Reminder(
            wish.guild_id,
            wish.asked_in,
            wish.owner_id,
            wish.channel_id,
            text,
            wish.language,
            zone,
            self._clock.now(),
            by_message=wish.by_message,
            about_id=wish.about_id,
            in_hall=in_hall,
            readers=readers,
            ends_at=self._clock.now() + CHOSEN_WITHIN,
            event_id=event_id,
        )
        outcome = _timed(reminder, understood, now)
        added = await self._store.add(outcome.reminder)
        if isinstance(added, Refused):
            return added
        if isinstance(outcome, AskedWhen):
            return replace(outcome, reminder=added)
        self.wake()
        return await self._with_zone(replace(outcome, reminder=added))

    async def _with_zone(self, made: Made) -> Made:
        """Tell whoever has chosen no time zone once which one holds, with the first time by the clock."""
        one = made.reminder
        if made.is_interval:
            return made
        _, is_known = await self._store.zone(one.guild_id, one.owner_id)
        tells_zone = not is_known and await self._store.set_zone(one.guild_id, one.owner_id, None)
        return replace(made, tells_zone=tells_zone)

    async def change(self, reminder: Reminder, said: str, text: str | None = None) -> Outcome:
        """Change a reminder to another time, said in words, and to another `text`. It keeps the zone it was made in."""
        now = time_in(reminder.zone, self._clock.now())
        worded = reminder if text is None else replace(reminder, text=repair(text).strip())
        if len(worded.text) > LONGEST_TEXT:
            return Refused.TOO_LONG
        if not said.strip() and reminder.due_at is not None:
            return await self._saved(reminder, Made(worded))
        asked = (reminder.guild_id, reminder.channel_id, reminder.reminder_id, reminder.owner_id)
        wish = Wish(*asked, now, reminder.language, worded.text, repair(said))
        understood, event_id = await self._understood(wish, now)
        outcome = _timed(replace(worded, repeat=None, event_id=event_id), understood, now)
        # What holds goes on holding until another time is known.
        return (
            await self._saved(reminder, outcome) if isinstance(outcome, Made) else replace(outcome, reminder=reminder)
        )

    async def choose(self, reminder: Reminder, at: datetime) -> Outcome:
        """Set a reminder to one of the moments that its owner was asked about, or that a button offers."""
        now = self._clock.now()
        if not now < at < now + FARTHEST:
            return AskedWhen(reminder, NoTime.PAST)
        wall = at.astimezone(ZoneInfo(reminder.zone)).replace(tzinfo=None)
        return await self._saved(reminder, Made(_open(replace(reminder, event_id=None), at, wall)))

    async def snooze(self, reminder: Reminder, by: timedelta | None, asked_in: int) -> Outcome:
        """Put a reminder off that was delivered; None: till tomorrow morning. A repeated one goes on besides."""
        now = self._clock.now()
        here = time_in(reminder.zone, now)
        if by is None:
            wall = (here + timedelta(days=1)).replace(hour=TOMORROW_AT, minute=0, second=0, microsecond=0, tzinfo=None)
            at = moment_of(Reading(wall, Grain.MINUTE), here, ZoneInfo(reminder.zone)).at
        else:
            at = (now + by).replace(microsecond=0)
        if reminder.repeat is None:
            return await self.choose(reminder, at)
        once = replace(
            reminder,
            reminder_id=asked_in,
            repeat=None,
            event_id=None,
            by_message=False,
            about_id=reminder.about_id or (reminder.reminder_id if reminder.by_message else None),
            made_at=now,
        )
        wall = at.astimezone(ZoneInfo(reminder.zone)).replace(tzinfo=None)
        added = await self._store.add(_open(once, at, wall))
        self.wake()
        return added if isinstance(added, Refused) else Made(added)

    async def _saved(self, before: Reminder, outcome: Made) -> Outcome:
        if not await self._store.save(before, outcome.reminder):
            # Whoever delivers it may have marked it just now: that changes nothing about what its owner wants.
            marked = await self.one(before.guild_id, before.reminder_id, before.owner_id)
            is_same = marked is not None and marked.state is State.SENT and marked.due_at == before.due_at
            if marked is None or not is_same or not await self._store.save(marked, outcome.reminder):
                return Refused.GONE
        self.wake()
        return await self._with_zone(outcome) if before.state is State.ASKED else outcome

    async def _understood(self, wish: Wish, now: datetime) -> tuple[Understood | None, int | None]:
        """Read a wish's time by the grammar, else by the model, with the scheduled event that it was counted from.
        None: neither knows when."""
        said = wish.words if wish.when is None else wish.when
        if (counted := await self._before_event(wish, said, now)) is not None:
            return counted
        for language in (wish.language, None):
            read = within(said, now, language) if wish.when is None else when(said, now, language)
            if read is not None and read.readings:
                return read, None
        return await self._by_model(wish, said, now), None

    async def _before_event(self, wish: Wish, said: str, now: datetime) -> tuple[Understood, int] | None:
        """Count from a scheduled event: "an hour before the game night". It may stand in the place where it is said."""
        lead = lead_in(said, now, wish.language)
        if lead is None:
            return None
        audience = self._places.audience_of(wish.guild_id, wish.channel_id)
        event = named_in(f"{lead.rest} {wish.words}", await self._events.coming(audience, now))
        if event is None:
            return None
        wall = (event.starts_at - lead.before).astimezone(now.tzinfo).replace(tzinfo=None)
        return Understood((Reading(wall, Grain.MINUTE),), lead.rest), event.event_id

    async def _by_model(self, wish: Wish, said: str, now: datetime) -> Understood | None:
        if self._chain is None or not said.strip():
            return None
        try:
            shaped = await self._metering.ask_for(
                wish.guild_id,
                self._chain,
                render_time(said, now, secrets.token_hex(8)),
                TimeReply,
                by=Requester(wish.owner_id, wish.asked_in),
            )
        except (AskedTooOften, ModelError, TimeoutError) as error:
            self._part.count("not read")
            logger.info("no model read a time", extra={"reason": type(error).__name__})
            return None
        read = read_time(shaped.value, said, now)
        self._part.count("unclear" if read is None else "read by a model")
        return read

    # What an owner has

    async def one(self, guild_id: int, reminder_id: int, owner_id: int) -> Reminder | None:
        """Get a reminder. None also for whoever does not own it."""
        return await self._store.one(guild_id, reminder_id, owner_id)

    async def of_owner(self, guild_id: int, owner_id: int) -> list[Reminder]:
        """List reminders that are to come, and those that could not be delivered."""
        return await self._store.of_owner(guild_id, owner_id, State.KEPT, State.OPEN)

    async def kept(self, guild_id: int, owner_id: int) -> list[Reminder]:
        """List reminders that could not be delivered."""
        return await self._store.of_owner(guild_id, owner_id, State.KEPT)

    async def in_channel(self, reader: Audience, by: int, channel_id: int) -> list[Reminder]:
        """List what will be posted in a channel and its threads, for a manager who can read it. What would come to its
        owner alone is left out."""
        channels = self._places.with_threads(reader, channel_id)

        def is_public(one: Reminder) -> bool:
            return self.may_stand(one) is True and not self.comes_privately(one)

        return await self._store.in_channels(reader, by, channel_id, channels, self._clock.now(), is_public)

    async def end(self, reader: Audience, by: int, reminder_id: int) -> bool:
        """End a reminder, as a manager. False: it is gone, or nowhere that they can read."""
        return await self._store.end(reader, by, reminder_id, self._clock.now())

    async def delete(self, reminder: Reminder) -> bool:
        """Delete a reminder; for a day it can be had back."""
        ends_at = self._clock.now() + CHOSEN_WITHIN
        return await self._store.save(reminder, replace(reminder, state=State.DELETED, ends_at=ends_at))

    async def restore(self, reminder: Reminder) -> bool:
        if reminder.state is not State.DELETED or reminder.due_at is None:
            return False
        restored = await self._store.save(reminder, replace(reminder, state=State.OPEN, ends_at=None))
        self.wake()
        return restored

    async def done(self, reminder: Reminder) -> None:
        """Note that its owner needs nothing more of a delivered reminder."""
        if reminder.repeat is not None:
            return
        if reminder.state is State.OPEN:  # nobody came to mark it yet
            await self.told(reminder)
        else:
            await self._store.remove(reminder)

    async def told(self, reminder: Reminder) -> bool:
        """Note that a reminder's owner has seen it."""
        ends_at = self._clock.now() + KEPT_AFTER
        return await self._store.save(reminder, replace(reminder, state=State.SENT, ends_at=ends_at))

    # Time zones

    async def zone_of(self, guild_id: int, user_id: int) -> str:
        return (await self._store.zone(guild_id, user_id))[0]

    async def choose_zone(self, guild_id: int, user_id: int, zone: str) -> bool:
        """Choose a zone for what is asked from now on. False for who wants nothing stored."""
        if not is_zone(zone):
            raise ValueError("no such zone")
        return await self._store.set_zone(guild_id, user_id, zone)

    async def move_to_zone(self, reminder: Reminder, zone: str) -> Outcome:
        """Keep the time of a reminder by another clock: its owner said only now where they are."""
        if reminder.wall is None or reminder.state is not State.OPEN:
            return Refused.GONE
        now = time_in(zone, self._clock.now())
        resolved = moment_of(reminder.reading, now, ZoneInfo(zone))
        if resolved.at <= self._clock.now():
            return AskedWhen(reminder, NoTime.PAST)
        moved = replace(reminder, zone=zone, due_at=resolved.at)
        return await self._saved(reminder, Made(moved, resolved.shifted))

    # Delivering

    def wake(self) -> None:
        self._woken.set()

    async def woken(self, seconds: float) -> None:
        """Wait until there may be something new to deliver, or the time is up."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()

    async def next_due(self, guild_ids: Collection[int]) -> dict[int, datetime]:
        return await self._store.next_due(guild_ids)

    async def claim(self, guild_id: int) -> tuple[Claimed, ...]:
        """Claim what this process alone delivers now: one, or after a long absence all of its owner in its place."""
        now = self._clock.now()
        first = await self._store.claim(guild_id, uuid4(), now=now, until=now + LEASE)
        if first is None:
            return ()
        long_ago = now - LONG_ABSENCE
        if first.tries or first.reminder.due_at is None or first.reminder.due_at >= long_ago:
            return (first,)
        beside = await self._store.claim_beside(first, now=now, until=now + LEASE, before=long_ago)
        return (first, *sorted(beside, key=lambda one: one.reminder.due))

    async def release_claim(self, claimed: Claimed, seconds: float, *, was_tried: bool) -> None:
        """Release a claimed reminder for so long. What was tried may have been said: whoever is next looks for it."""
        until = self._clock.now() + timedelta(seconds=seconds)
        await self._store.release_claim(claimed, until, was_tried=was_tried)

    async def delivered(self, claimed: Claimed, message_id: int | None) -> bool:
        """Note that a reminder was delivered, by that message in its place or elsewhere. False: what asked is gone."""
        return await self._store.mark(claimed, self._after(claimed.reminder, State.SENT, KEPT_AFTER), message_id)

    async def keep(self, claimed: Claimed) -> None:
        """Keep a reminder that could not be delivered: it is told when its owner is next seen."""
        await self._store.mark(claimed, self._after(claimed.reminder, State.KEPT, KEPT_UNDELIVERED), None)

    def _after(self, one: Reminder, state: State, kept: timedelta) -> Reminder:
        """Say how a reminder goes on. What was missed of a repeated one is not made up for."""
        now = self._clock.now()
        if one.repeat is None:
            return replace(one, state=state, ends_at=now + kept)
        return replace(one, due_at=self.following(one))

    def following(self, one: Reminder) -> datetime | None:
        """Work out when a repeated one comes again."""
        after = max(self._clock.now(), one.due_at or self._clock.now())
        return None if one.repeat is None else next_of(one.reading, after, ZoneInfo(one.zone)).at

    def may_stand(self, one: Reminder) -> bool | None:
        """Say whether nobody sees a reminder's place who could not when it was asked for. None: not known yet."""
        view = self._places.view(one.guild_id)
        if not (view.knows_hall if one.in_hall else view.is_open):
            return None
        people = view.people(view.viewers(one.channel_id))
        if one.owner_id not in people:
            return False
        if one.in_hall:
            return view.audience_of(one.channel_id).is_hall
        return one.readers is not None and people <= frozenset(one.readers)

    def comes_privately(self, one: Reminder) -> bool:
        """Say whether a reminder comes by direct message: its owner may not write in its place, as far as is known."""
        view = self._places.view(one.guild_id)
        return view.is_open and not view.may_write(one.owner_id, one.channel_id)

    def _readers(self, guild_id: int, channel_id: int) -> tuple[bool, tuple[int, ...] | None]:
        view = self._places.view(guild_id)
        if not view.is_open:
            return False, None
        if view.audience_of(channel_id).is_hall:
            return True, None
        people = view.people(view.viewers(channel_id))
        return False, tuple(sorted(people)) if len(people) <= MOST_READERS else None

    async def purge(self, now: datetime) -> None:
        await self._store.purge(now)


def _what(wish: Wish) -> str:
    """Take from a wish without a time what stands behind "remind me"."""
    first, _, rest = wish.words.partition(" ")
    return rest.strip() if rest and fold(first).strip(",") in JOINTS[wish.language] else wish.words


def _timed(reminder: Reminder, understood: Understood | None, now: datetime) -> Made | AskedWhen:
    """Give a reminder its moment, or say why there is none; `now` is by its owner's clock."""
    if understood is None:
        return AskedWhen(reminder)
    if any(one.repeat is not None and one.repeat.count == 0 for one in understood.readings):
        return AskedWhen(reminder, NoTime.TOO_OFTEN)
    readings = [for_reminder(reading) for reading in understood.readings]
    resolved = [(reading, _moment(reading, now, reminder.zone)) for reading in readings]
    to_come = [(reading, moment) for reading, moment in resolved if moment.at > now]
    near = [(reading, moment) for reading, moment in to_come if moment.at < now + FARTHEST]
    if not near:
        return AskedWhen(reminder, NoTime.TOO_FAR if to_come else NoTime.PAST)
    moments = dict.fromkeys(moment.at for _, moment in near)
    reading, moment = near[0]
    repeated = replace(reminder, repeat=reading.repeat)
    if len(moments) > 1:
        return AskedWhen(repeated, moments=tuple(sorted(moments)))
    return Made(_open(repeated, moment.at, moment.wall), moment.shifted, is_interval=reading.is_interval)


def _moment(reading: Reading, now: datetime, zone: str) -> Resolved:
    resolved = moment_of(reading, now, ZoneInfo(zone))
    if reading.repeat is not None and resolved.at <= now:
        resolved = next_of(reading, now, ZoneInfo(zone))
    # A button has its moment in seconds.
    return replace(resolved, at=resolved.at.replace(microsecond=0), wall=resolved.wall.replace(microsecond=0))


def _open(reminder: Reminder, at: datetime, wall: datetime) -> Reminder:
    return replace(reminder, state=State.OPEN, due_at=at, wall=wall, ends_at=None)
