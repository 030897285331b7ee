"""One file on its way in: the next parts of it are read and translated while the last one is being stored."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
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
    """Gives the messages of one file, from a place between two of them on, translated, in their order."""

    def __init__(
        self,
        path: Path,
        file: BinaryIO,
        header: Header,
        own_ids: frozenset[int],
        *,
        start: int,
        processes: Executor,
        missing: Missing,
    ) -> None:
        self._path = path
        self._file = file
        self._size = path.stat().st_size
        self._header = header
        self._own_ids = own_ids
        self._processes = processes
        self._thread = ThreadPoolExecutor(1)
        self._missing = missing
        self._array = MessageArray(file, start)
        self._translator = Translator(path, header, own_ids)
        self._sent: deque[tuple[Block, asyncio.Future[Translated | None]]] = deque()
        self._has_sent = False
        self._can_send = True
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
            await _give_up([following, *(future for _, future in self._sent)])
            self._thread.shutdown(cancel_futures=True)  # it may be reading the file just now

    async def _next(self) -> Translated | None:
        await self._send_blocks()
        if self._sent:
            block, future = self._sent.popleft()
            part = await future
            if part is not None:
                self._is_over = part.has_ended
                return part
            await self._go_back_to(block)
        if self._is_over:
            return None
        if self.seem_known:
            return await self._read_if_missing()
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read)

    async def _send_blocks(self) -> None:
        loop = asyncio.get_running_loop()
        while len(self._sent) < AHEAD and self._is_worth_sending():
            found = await loop.run_in_executor(self._thread, self._array.cut)
            if found is None or self._array.seam is None:
                break
            block = Block(self._path, *found, self._array.seam, self._header, self._own_ids)
            self._has_sent = True
            self._sent.append((block, loop.run_in_executor(self._processes, translate_block, block)))

    async def _go_back_to(self, block: Block) -> None:
        """It was cut in the middle of a message, or one in it is broken: only reading on from there can tell."""
        await _give_up([future for _, future in self._sent])
        self._sent.clear()
        self._can_send = False
        self._array = MessageArray(self._file, block.start)

    def _is_worth_sending(self) -> bool:
        if self.seem_known or self._is_over or not self._can_send or self._array.seam is None:
            return False
        return self._size - self._array.offset >= (WORTH_SENDING if self._has_sent else WORTH_STARTING)

    def _read(self) -> Translated | None:
        start, has_read = self._array.offset, False
        while self._array.offset - start < BLOCK and (piece := self._array.read()) is not None:
            self._translator.take(piece)
            has_read = True
            if self._is_worth_sending():
                break
        return self._translator.translated(has_ended=self._array.is_finished) if has_read else None

    async def _read_if_missing(self) -> Translated | None:
        loop = asyncio.get_running_loop()
        piece = await loop.run_in_executor(self._thread, self._array.read, BLOCK)
        if piece is None:
            return None
        wanted = await self._missing(self._header.guild_id, piece)
        return await loop.run_in_executor(self._thread, self._translate, piece, wanted)

    def _translate(self, piece: Piece, wanted: list[int]) -> Translated:
        self._translator.take(piece, wanted)
        return self._translator.translated(has_ended=self._array.is_finished)


async def _give_up(futures: list[asyncio.Future[Any]]) -> None:
    for future in futures:
        future.cancel()
    await asyncio.gather(*futures, return_exceptions=True)
