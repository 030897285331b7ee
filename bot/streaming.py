"""A reply that takes its time stands in its place already while it grows, and is edited into what it becomes.

Its readers are looked at before every edit, as before every message. Whatever goes wrong with an edit, the finished
reply does not depend on it: then it is posted anew.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import aiohttp
import discord

from bot.reply import LIMIT, split
from bot.sending import Post, ReadersChanged, Still
from memory.core.log import UNFINISHED
from memory.ending import end

logger = logging.getLogger(__name__)

FIRST_SECONDS = 3.0
"""Whoever waits longer than this sees what there is."""
EVERY_SECONDS = 1.2
"""Between two edits. Discord takes five in five seconds."""
LAST_CALL_SECONDS = 2.0
"""How long the finished reply waits for an edit that is under way."""

_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)

Shown: TypeAlias = discord.Message | discord.PartialMessage
Hear = Callable[[str], None]
"""Takes all the words there are so far."""


def unheard(_words: str) -> None:
    """For what nobody sees before it is finished."""


class Growing:
    """One reply, from its first words to its last. Shows nothing of one that is quick."""

    def __init__(self, post: Post, shown: Shown | None = None, *, is_late: bool = False) -> None:
        """`shown`: what stands there already, and is to become this reply. Late, there may be such a one unknown."""
        self._post = post
        self._shown = shown
        self._said = ""
        """What stands in `_shown`."""
        self._is_late = is_late
        self._is_calling = False
        self._is_unsure = False
        """A post was given up while it was under way: it may stand there or not."""

    @property
    def is_shown(self) -> bool:
        """Whether something of it stands there already."""
        return self._shown is not None or self._is_unsure

    @property
    def shown_ids(self) -> list[int]:
        return [] if self._shown is None else [self._shown.id]

    @asynccontextmanager
    async def while_made(self, still: Still, on_shown: Callable[[], None] = lambda: None) -> AsyncIterator[Hear]:
        """Shows what is heard, as long as its readers may read it; `on_shown` once, when it first stands there."""
        latest = ""

        def hear(words: str) -> None:
            nonlocal latest
            latest = words

        showing = asyncio.create_task(self._keep_showing(lambda: latest, still, on_shown), name="growing reply")
        try:
            yield hear
        finally:
            await self._end(showing)

    async def finish(self, number: int, part: str, view: discord.ui.View, still: Still) -> discord.Message:
        """A part of the finished reply; the first takes the place of what is shown."""
        if number:
            return await self._post(number, part, view, still)
        shown = self._shown
        if shown is None:
            posted = await self._post(0, part, view, still)
            # Where there was a post before, Discord hands out the message that it took then, whatever that says.
            if not (self._is_unsure or self._is_late) or posted.content == part:
                return posted
            shown = posted
        posted = await self._edit_or_post(shown, part, view, still)
        self._shown = None
        return posted

    async def withdraw(self) -> None:
        """Nothing came of it: what is shown goes."""
        shown, self._shown = self._shown, None
        if shown is not None:
            await _delete(shown)

    async def _keep_showing(self, latest: Callable[[], str], still: Still, on_shown: Callable[[], None]) -> None:
        await asyncio.sleep(FIRST_SECONDS if self._shown is None else EVERY_SECONDS)
        while True:
            part = _one_message(latest())
            if part and part != self._said:
                was_shown = self._shown is not None
                self._is_calling = True
                try:
                    await self._show(part, still)
                except (ReadersChanged, *_DISCORD_FAILS) as error:
                    logger.info("a reply stops growing in sight", extra={"reason": type(error).__name__})
                    return
                finally:
                    self._is_calling = False
                if not was_shown:
                    on_shown()
            await asyncio.sleep(EVERY_SECONDS)

    async def _show(self, part: str, still: Still) -> None:
        view = discord.ui.View(timeout=None)
        if self._shown is not None:
            await _edit(self._shown, part, view, still)
        else:
            try:
                self._shown = await self._post(0, part, view, still)
            except (asyncio.CancelledError, *_DISCORD_FAILS):
                self._is_unsure = True
                raise
        self._said = part

    async def _end(self, showing: asyncio.Task[None]) -> None:
        """One that is calling Discord may finish: a late edit must not undo the last."""
        if self._is_calling:
            await asyncio.wait({showing}, timeout=LAST_CALL_SECONDS)
        await end(showing)

    async def _edit_or_post(self, shown: Shown, part: str, view: discord.ui.View, still: Still) -> discord.Message:
        try:
            return await _edit(shown, part, view, still)
        except _DISCORD_FAILS as error:
            logger.warning("a reply is posted anew", extra={"reason": type(error).__name__})
        posted = await self._post(0, part, view, still, again=True)
        await _delete(shown)
        return posted


def _one_message(words: str) -> str:
    """As much as one message holds, with a sign that there is more to come."""
    parts = split(words, limit=LIMIT - len(UNFINISHED), most_parts=2)
    return f"{parts[0]}{UNFINISHED}" if parts else ""


async def _edit(shown: Shown, part: str, view: discord.ui.View, still: Still) -> discord.Message:
    if not still():
        raise ReadersChanged
    return await shown.edit(content=part, view=view, allowed_mentions=discord.AllowedMentions.none())


async def _delete(shown: Shown) -> None:
    try:
        await shown.delete()
    except _DISCORD_FAILS as error:
        logger.info("an unfinished reply could not be taken back", extra={"reason": type(error).__name__})
