"""How far something has come, shown in the answer to an interaction while it goes on.

Whoever does the work is never kept waiting by Discord: what they tell is noted, and shown at most every two seconds.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self

import aiohttp
import discord

from bot.commands.questions import SILENT, Interaction

logger = logging.getLogger(__name__)

EVERY_SECONDS = 2.0
WHILE_DISCORD_LETS_US = timedelta(minutes=14)
"""The answer to an interaction can be changed for 15 minutes."""


class Progress:
    """Used as a context: after its end nothing more is shown, so that the last word is the caller's."""

    def __init__(self, interaction: Interaction, words: Callable[[int, int], str], goes_on: str) -> None:
        """`words` of how much is done, and of how much; `goes_on` is the last that can be said of what takes longer."""
        self._interaction = interaction
        self._words = words
        self._goes_on = goes_on
        self._reached: tuple[int, int] | None = None
        self._ended = asyncio.Event()
        self._showing: asyncio.Task[None] | None = None

    @property
    def reached(self) -> tuple[int, int] | None:
        """How much is done, and of how much; None before anything was told."""
        return self._reached

    async def __aenter__(self) -> Self:
        self._showing = asyncio.create_task(self._show(), name="progress")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._showing is not None:
            await self._showing

    async def note(self, done: int, of: int) -> None:
        self._reached = (done, of)

    async def _show(self) -> None:
        shown = None
        while not await self._ends_within(EVERY_SECONDS):
            if discord.utils.utcnow() - self._interaction.created_at > WHILE_DISCORD_LETS_US:
                await self._edit(self._goes_on)
                return
            if self._reached is not None and self._reached != shown:
                shown = self._reached
                await self._edit(self._words(*shown))

    async def _ends_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        return self._ended.is_set()

    async def _edit(self, words: str) -> None:
        try:
            await self._interaction.edit_original_response(content=words, view=None, allowed_mentions=SILENT)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.info("how far it has come could not be shown", extra={"reason": type(error).__name__})
