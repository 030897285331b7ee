"""Reads what people share: decides what is to be read, makes text of it in bounded time, and keeps it.

Nobody waits for it. Bytes come from whoever may fetch them, pass through memory and are never stored. What is still to
be read follows from the log, so a restart goes on where it was; what cannot be read is noted and left alone.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Collection
from pathlib import Path

import orjson
from cachetools import TTLCache

from memory.core.attachments import is_pdf
from memory.db.database import Database
from memory.health import Health
from memory.policy.settings import SettingsOf
from memory.recall.pieces import Piece, cut, indexed
from memory.shared_files import pdf_pages
from memory.shared_files.decode import NotText, bounded, decoded, tidy
from memory.shared_files.store import FileStore
from memory.shared_files.values import UnreadFile, unread_in, wanted_by

logger = logging.getLogger(__name__)

BEGINNING = 400
"""Characters of a text file that stand with its message: what a summary of the day has of it."""
AT_ONCE = 20
POSTPONED_SECONDS = 3 * 3600.0
MOST_POSTPONED = 2_000
REPORTED_SECONDS = 3600.0
PDF_SECONDS = 25.0
"""After so long a PDF is given up, whatever it does."""
_PDF_READER = Path(pdf_pages.__file__)
_WHY = {pdf_pages.ENCRYPTED: "it is encrypted"}


class Unreadable(Exception):
    """Nothing can be had of the file; says why, in words for whoever runs us."""


class SharedFiles:
    def __init__(
        self,
        database: Database,
        settings_of: SettingsOf,
        health: Health,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_busy`: the log is being written, and what can wait gives way."""
        self._store = FileStore(database)
        self._settings_of = settings_of
        self._health = health
        self.is_busy = is_busy
        self._postponed: TTLCache[int, None] = TTLCache(MOST_POSTPONED, POSTPONED_SECONDS)
        """Attachments that could not be had just now. A restart tries them again."""
        self._unreadable: TTLCache[int, str] = TTLCache(MOST_POSTPONED, REPORTED_SECONDS)
        """Of attachments, why nothing could be had of them."""
        self._pdf = asyncio.Semaphore(1)
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Say that something may have come that is to be read."""
        self._wake.set()

    async def woken(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    async def guilds_with_unread(self, guild_ids: Collection[int]) -> list[int]:
        return await self._store.guilds_with_unread(guild_ids)

    async def unread(self, guild_id: int) -> list[UnreadFile]:
        """List what is to be read next in a guild, by what its managers decided."""
        wanted = wanted_by((await self._settings_of(guild_id)).files)
        return await self._store.unread(guild_id, wanted, set(self._postponed), AT_ONCE)

    async def unread_of(self, guild_id: int, message_ids: Collection[int]) -> list[UnreadFile]:
        """List what is to be read of these messages, because somebody asks about them."""
        wanted = wanted_by((await self._settings_of(guild_id)).files)
        messages = await self._store.messages(guild_id, message_ids)
        return [file for message in messages for file in unread_in(message, wanted)]

    def postpone(self, file: UnreadFile) -> None:
        """Leave a file alone for some hours: it cannot be had just now."""
        self._postponed[file.attachment_id] = None

    async def leave(self, file: UnreadFile, why: str) -> None:
        """Note that there is nothing to be had of a file."""
        await self._store.keep(file, "", ())
        self._unreadable[file.attachment_id] = why
        self._health.part("files").count("unreadable")
        logger.info("file not readable", extra={"guild_id": file.guild_id, "reason": why})

    async def read(self, file: UnreadFile, data: bytes) -> None:
        """Make text of a file's bytes, and keep it."""
        try:
            pieces = await self._text_of(file, data)
        except Unreadable as error:
            await self.leave(file, str(error))
            return
        words = "\n".join(piece.text for piece in pieces)
        is_long = len(words) > BEGINNING
        rows = await asyncio.to_thread(indexed, file.guild_id, pieces) if is_long else ()
        if await self._store.keep(file, words[:BEGINNING], rows):
            self._health.part("files").count("read")

    def report_health(self) -> None:
        part, reasons = self._health.part("files"), list(self._unreadable.values())
        if reasons:
            part.limited(f"{len(reasons)} file(s) could not be read within the last hour; the last one: {reasons[-1]}.")
        else:
            part.active()

    async def _text_of(self, file: UnreadFile, data: bytes) -> list[Piece]:
        if is_pdf(file.attachment):
            return await self._pages(data)
        try:
            return await asyncio.to_thread(lambda: cut(decoded(data)))
        except NotText:
            raise Unreadable("it is called a text and is none") from None

    async def _pages(self, data: bytes) -> list[Piece]:
        """Read a PDF in a process of its own, which nothing in the file can outlive or reach out of."""
        async with self._pdf:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                str(_PDF_READER),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={},
            )
            try:
                async with asyncio.timeout(PDF_SECONDS):
                    said, _ = await process.communicate(data)
            except TimeoutError:
                raise Unreadable("it takes too long") from None
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode:
            raise Unreadable(_WHY.get(process.returncode, "it is damaged, or takes too much"))
        return await asyncio.to_thread(_pieces_of_pages, said)


def _pieces_of_pages(said: bytes) -> list[Piece]:
    pieces: list[Piece] = []
    left = pdf_pages.MOST_CHARACTERS
    for number, page in enumerate(orjson.loads(said), start=1):
        text = bounded(tidy(page), left)
        left -= len(text.encode())
        pieces += cut(text, number)
    return pieces
