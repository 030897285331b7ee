"""One file on its way in: the next parts of it are read and translated while the last one is being stored."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, BinaryIO

from memory.importing.blocks import Block, translate_block
from memory.importing.chat_export import Translated, Translator
from memory.importing.header import Header
from memory.importing.message_array import BLOCK, MessageArray, Piece

AHEAD = 3
"""Blocks that are being translated or wait for their turn to be stored; it bounds the memory."""
WORTH_STARTING = 3 * BLOCK
WORTH_SENDING = BLOCK // 4
"""How much of a file has to be left for a process to be started for it, and then to be used."""

Missing = Callable[[int, Piece], Awaitable[list[int]]]


class Parts:
    """Gives the messages of one file, translated, in their order."""

    def __init__(
        self,
        path: Path,
        file: BinaryIO,
        header: Header,
        own_ids: frozenset[int],
        *,
        processes: Executor,
        missing: Missing,
    ) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._header = header
        self._own_ids = own_ids
        self._processes = processes
        self._missing = missing
        self._array = MessageArray(file, header.messages_at)
        self._translator = Translator(path, header, own_ids)
        self._sent: deque[asyncio.Future[Translated]] = deque()
        self._has_sent = False
        self._is_over = False
        self.seem_known = False
        """The last part was in the log already, so the next one probably is, and a look at its ids will do."""

    async def read(self) -> AsyncGenerator[Translated, None]:
        following = asyncio.create_task(self._next())
        try:
            while (part := await following) is not None:
                following = asyncio.create_task(self._next())
                yield part
        finally:
            unread: list[asyncio.Future[Any]] = [following, *self._sent]
            for future in unread:
                future.cancel()
            await asyncio.gather(*unread, return_exceptions=True)

    async def _next(self) -> Translated | None:
        await self._send_blocks()
        if self._sent:
            part = await self._sent.popleft()
            self._is_over = part.has_ended
            return part
        if self._is_over:
            return None
        return await (self._read_if_missing() if self.seem_known else asyncio.to_thread(self._read))

    async def _send_blocks(self) -> None:
        loop = asyncio.get_running_loop()
        while len(self._sent) < AHEAD and not self.seem_known and not self._is_over:
            if self._size - self._array.offset < (WORTH_SENDING if self._has_sent else WORTH_STARTING):
                break
            found = await asyncio.to_thread(self._array.cut)
            if found is None or self._array.seam is None:
                break
            block = Block(self._path, *found, self._array.seam, self._header, self._own_ids)
            self._has_sent = True
            self._sent.append(loop.run_in_executor(self._processes, translate_block, block))

    def _read(self) -> Translated | None:
        piece = self._array.read()
        return None if piece is None else self._translate(piece, None)

    async def _read_if_missing(self) -> Translated | None:
        piece = await asyncio.to_thread(self._array.read)
        if piece is None:
            return None
        wanted = await self._missing(self._header.guild_id, piece)
        return await asyncio.to_thread(self._translate, piece, wanted)

    def _translate(self, piece: Piece, wanted: list[int] | None) -> Translated:
        self._translator.take(piece, wanted)
        return self._translator.translated(has_ended=self._array.has_ended)
