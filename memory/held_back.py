"""Holds back what a model says until it is written down what that may repeat.

From then on its words stand before everyone's eyes while they come; and if whatever they repeat is deleted in that very
moment, or nobody is left to finish the reply, it has to be known whose words they were.
"""

import asyncio
from collections.abc import Awaitable, Callable

from ai_clients.base import OnText


class HeldBack:
    def __init__(self, on_text: OnText, write_down: Callable[[], Awaitable[None]]) -> None:
        self._on_text = on_text
        self._write_down = write_down
        self._writing: asyncio.Task[None] | None = None
        self._is_written = False
        self._latest = ""

    def hear(self, words: str) -> None:
        """Begins to write at the first words: a reply that is not shown while it grows has no need of it."""
        self._latest = words
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="receipt of a growing reply")
        elif self._is_written:
            self._on_text(words)

    async def end(self) -> None:
        """All is said: what is written from now on comes after this."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        await self._write_down()
        self._is_written = True
        self._on_text(self._latest)
