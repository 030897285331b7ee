"""Finds the channels and threads of a guild that we may read back, by what Discord shows us now; reads their pages."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from bot.translate import PAGE, STUMBLES, Page, Readable, is_plain, reactions_of, replies_to, to_message, words_of
from memory.core.values import Message

if TYPE_CHECKING:
    from discord.types.message import Message as Payload


# Messages of a history page: plain ones straight from their payload, all others as discord.py reads them.


logger = logging.getLogger(__name__)


def message_of(payload: "Payload", place: Readable, self_id: int) -> Message | None:
    if is_plain(payload) and int(payload["id"]) != place.id:  # a thread's first message stands below its title
        return words_of(payload, place, self_id)
    try:
        message = discord.Message(state=place._state, channel=place, data=payload)
        said = to_message(message, self_id)
        return said and replace(said, pinned=message.pinned, reactions=reactions_of(message))
    except STUMBLES:
        # One odd message must not keep the whole channel from being read.
        logger.warning("read a message without its reply link", extra={"message_id": payload["id"]})
        return words_of(payload, place, self_id)


PAGES_AHEAD = 5
"""How many pages may wait to be stored: so many go into the database at once where it is the slower one."""
_UNKNOWN_CHANNEL, _UNKNOWN_MESSAGE = 10003, 10008


class UnreadableError(Exception):
    """The channel cannot be read back, or is gone. That says nothing about its messages."""


class RefusedError(UnreadableError):
    """Discord does not let us read it, though by all that it told us we may."""


def may_read(place: Readable | discord.ForumChannel) -> bool:
    guild = place.guild
    if guild.unavailable or guild.me is None:
        return False
    if isinstance(place, discord.Thread) and place.parent is None:
        return False
    allowed = place.permissions_for(guild.me)
    return allowed.view_channel and allowed.read_message_history


def open_places(guild: discord.Guild) -> list[Readable]:
    """List the channels that we may read back, and the threads that are not archived."""
    return [place for place in shown_places(guild) if may_read(place)]


def shown_places(guild: discord.Guild) -> list[Readable]:
    """List all places, with those that cannot be read back: some of them are heard all the same."""
    return [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]


async def archived_threads(guild: discord.Guild) -> AsyncIterator[discord.Thread]:
    """List archived threads that we may see; private ones all if we manage threads, else those we were in."""
    for forum in guild.forums:
        if may_read(forum):
            async for thread in _if_allowed(forum.archived_threads(limit=None)):
                yield thread
    for channel in guild.text_channels:
        if not may_read(channel):
            continue
        async for thread in _if_allowed(channel.archived_threads(limit=None)):
            yield thread
        if channel.is_news():
            continue  # announcement channels have no private threads
        manages = channel.permissions_for(guild.me).manage_threads
        async for thread in _if_allowed(channel.archived_threads(private=True, joined=not manages, limit=None)):
            yield thread


async def pages_after(place: Readable, message_id: int) -> AsyncGenerator[Page, None]:
    """Read all messages younger than the given one, oldest first.

    Fetching goes on while the caller is busy with a page; what has arrived meanwhile comes as one larger page. Where
    it fails, what was fetched before comes first.
    """
    arrived: asyncio.Queue[Page | None] = asyncio.Queue()
    room = asyncio.Semaphore(PAGES_AHEAD)
    fetching = asyncio.create_task(_fetch_after(place, message_id, arrived, room))
    try:
        is_over = False
        while not is_over:
            batch = [await arrived.get()]
            while not arrived.empty():
                batch.append(arrived.get_nowait())
            is_over = batch[-1] is None
            pages = [page for page in batch if page is not None]
            for _ in pages:
                room.release()
            if pages:
                yield _joined(pages)
        await fetching
    finally:
        fetching.cancel()
        await asyncio.gather(fetching, return_exceptions=True)


async def _fetch_after(
    place: Readable, message_id: int, arrived: "asyncio.Queue[Page | None]", room: asyncio.Semaphore
) -> None:
    """Put page after page into a queue, and None at the end, whatever ends it."""
    try:
        while True:
            await room.acquire()
            page = await _page(place, after=message_id, before=None)
            if page.ids:
                arrived.put_nowait(page)
                message_id = page.ids[-1]
            if not page.is_full:
                return
    finally:
        arrived.put_nowait(None)


def _joined(pages: Sequence[Page]) -> Page:
    messages = (message for page in pages for message in page.messages)
    ids = (message_id for page in pages for message_id in page.ids)
    replies = frozenset().union(*(page.replies_to_us for page in pages))
    return Page(tuple(messages), tuple(ids), replies, any(page.has_pins for page in pages))


async def page_before(place: Readable, message_id: int | None) -> Page:
    """Read the youngest messages older than the given one, or of all."""
    return await _page(place, after=None, before=message_id)


async def ids_between(place: Readable, first: int, last: int) -> set[int]:
    """Find the ids of the messages that Discord has strictly between two."""
    found: set[int] = set()
    reached, is_over = first, False
    while not is_over:
        page = await _page(place, after=reached, before=None)
        found.update(page.ids)
        is_over = not page.is_full or page.ids[-1] >= last
        reached = page.ids[-1] if page.ids else last
    return {message_id for message_id in found if message_id < last}


async def is_gone(place: Readable, message_id: int) -> bool:
    """Say whether Discord says that a message does not exist; raises `UnreadableError` where it says nothing."""
    try:
        await place.fetch_message(message_id)
    except discord.NotFound as error:
        if error.code == _UNKNOWN_MESSAGE:
            return True
        raise UnreadableError from error
    except discord.Forbidden as error:
        raise RefusedError from error
    return False


async def is_deleted(guild: discord.Guild, place_id: int) -> bool:
    """Say whether Discord says that there is no such channel or thread. Where it says anything else, there is."""
    try:
        await guild.fetch_channel(place_id)
    except discord.NotFound as error:
        return error.code == _UNKNOWN_CHANNEL
    except (discord.Forbidden, discord.InvalidData):
        return False
    return False


async def _page(place: Readable, *, after: int | None, before: int | None) -> Page:
    if not may_read(place):
        raise UnreadableError
    try:
        found = await place._state.http.logs_from(place.id, PAGE, after=after, before=before)
    except discord.Forbidden as error:
        raise RefusedError from error
    except discord.NotFound as error:
        raise UnreadableError from error
    if not may_read(place):
        raise UnreadableError  # what came may have been cut off by that
    if not found:
        # Without Read Message History Discord shows an empty channel. The event that tells us of the loss may still be
        # on its way; asking for a message that cannot exist tells the two apart.
        await is_gone(place, place.id - 1)
    by_id = {int(payload["id"]): payload for payload in found}
    ids, self_id = tuple(sorted(by_id)), place.guild.me.id
    messages = (message_of(by_id[message_id], place, self_id) for message_id in ids)
    to_us = frozenset(message_id for message_id, payload in by_id.items() if replies_to(payload, self_id))
    has_pins = any(payload["type"] == discord.MessageType.pins_add.value for payload in found)
    return Page(tuple(message for message in messages if message), ids, to_us, has_pins)


async def _if_allowed(threads: AsyncIterator[discord.Thread]) -> AsyncIterator[discord.Thread]:
    """Yield archived threads; a channel that says no to listing its archive does not stop the others."""
    try:
        async for thread in threads:
            yield thread
    except (discord.Forbidden, discord.NotFound):
        return
