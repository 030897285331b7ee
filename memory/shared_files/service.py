"""Reads what people share: decides what is to be read, makes text of it in bounded time, and keeps it.

Nobody waits for it. Bytes come from whoever may fetch them, pass through memory and are never stored. What is still to
be read follows from the log, so a restart goes on where it was; what cannot be read is noted and left alone.
"""

import asyncio
import logging
import secrets
import sys
from collections.abc import Callable, Collection
from pathlib import Path

import orjson
from cachetools import TTLCache

from ai_clients.base import PromptFile, Purpose, Transcript
from ai_clients.build import Models
from ai_clients.errors import BadReply, Misconfigured, ModelError, Refused
from memory.background import pause_after
from memory.core.attachments import NotText, bounded, decoded, is_pdf, tidy
from memory.core.clock import Clock, GuildDay, day_of
from memory.core.values import Picture, ReadAs
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language, language_of
from memory.models.metering import Metering
from memory.models.usage import Routine
from memory.policy.settings import GuildSettings, SettingsOf
from memory.recall.pieces import Piece, cut, indexed
from memory.recall.query import BEGINNING_SEARCHED
from memory.shared_files import pdf_pages, prompt
from memory.shared_files.store import FileStore
from memory.shared_files.values import SharedFile, pictures_in, unread_in, wanted_by

logger = logging.getLogger(__name__)

BEGINNING = {ReadAs.TEXT: 400, ReadAs.PICTURE: 1_000, ReadAs.VOICE: 1_000}
"""Characters of what was read that stand with its message: what a summary of the day has of it."""
PURPOSES = {ReadAs.PICTURE: Purpose.SEE, ReadAs.VOICE: Purpose.HEAR}
MOST_PICTURES = 3
"""Of one question."""
AT_ONCE = 5
"""Files of a guild in one turn: others wait for it."""
POSTPONED_SECONDS = 3 * 3600.0
MOST_POSTPONED = 2_000
REPORTED_SECONDS = 3600.0
LONGEST_WAY_SECONDS = 1.0
"""So long each file waits where messages never pause."""
GLANCE_SECONDS = 0.1
PDF_SECONDS = 25.0
"""After so long a PDF is given up, whatever it does."""
_PDF_READER = Path(pdf_pages.__file__)
_WHY = {pdf_pages.ENCRYPTED: "it is encrypted"}


class Unreadable(Exception):
    """Says why nothing can be had of the file, in words for whoever runs us."""


class SharedFiles:
    def __init__(
        self,
        database: Database,
        settings_of: SettingsOf,
        models: Models,
        metering: Metering,
        clock: Clock,
        health: Health,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_busy`: the log is being written, and what can wait gives way."""
        self._store = FileStore(database)
        self._settings_of = settings_of
        self._chains = {read_as: models.chain(purpose) for read_as, purpose in PURPOSES.items()}
        self._sees_answers = models.chain(Purpose.ANSWER) is not None
        self._metering = metering
        self._clock = clock
        self._shown: dict[int, tuple[GuildDay, int]] = {}
        """By guild, how many pictures and voice messages models were shown on its day."""
        self._resting: dict[int, float] = {}
        """By guild, until when no model is asked, by the loop's clock."""
        self._failures = 0
        self._health = health
        self._is_busy = is_busy
        self._postponed: TTLCache[int, None] = TTLCache(MOST_POSTPONED, POSTPONED_SECONDS)
        """Attachments that could not be had just now. A restart tries them again."""
        self._unreadable: TTLCache[int, str] = TTLCache(MOST_POSTPONED, REPORTED_SECONDS)
        """Of attachments, why nothing could be had of them."""
        self._pdf = asyncio.Semaphore(1)
        self._wake = asyncio.Event()

    async def give_way(self) -> None:
        """Wait while the log is being written, but not for ever."""
        loop = asyncio.get_running_loop()
        until = loop.time() + LONGEST_WAY_SECONDS
        while self._is_busy() and loop.time() < until:  # noqa: ASYNC110 - no single event ends it
            await asyncio.sleep(GLANCE_SECONDS)

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

    async def unread(self, guild_id: int) -> list[SharedFile]:
        """List what is to be read next in a guild, by what its managers decided."""
        settings = await self._settings_of(guild_id)
        left = await self._left(guild_id, settings)
        wanted = [one for one in wanted_by(settings.files) if one not in PURPOSES or (left and self._chains[one])]
        files = await self._store.unread(guild_id, wanted, set(self._postponed), AT_ONCE)
        for_models = [one for one in files if one.read_as in PURPOSES]
        return [one for one in files if one.read_as not in PURPOSES] + for_models[:left]

    async def _left(self, guild_id: int, settings: GuildSettings) -> int:
        """Count how much models may be shown now."""
        if asyncio.get_running_loop().time() < self._resting.get(guild_id, 0.0):
            return 0
        now = self._clock.now()
        known = self._shown.get(guild_id)
        if known is None or now not in known[0]:
            day = day_of(settings.time_zone, now)
            known = self._shown[guild_id] = day, await self._store.shown_since(guild_id, day.starts_at)
        return max(settings.files.daily - known[1], 0)

    async def unread_of(self, guild_id: int, message_ids: Collection[int]) -> list[SharedFile]:
        """List what is to be read of these messages, because somebody asks about them."""
        if not (await self._settings_of(guild_id)).files.texts:
            return []
        messages = await self._store.messages(guild_id, message_ids)
        return [file for message in messages for file in unread_in(message, [ReadAs.TEXT])]

    async def pictures_of(self, guild_id: int, message_ids: Collection[int]) -> list[SharedFile]:
        """List the pictures of these messages that a model may be shown, because a question is about them."""
        if not self._sees_answers or not (await self._settings_of(guild_id)).files.pictures:
            return []
        messages = await self._store.messages(guild_id, message_ids)
        return [file for message in messages for file in pictures_in(message)][:MOST_PICTURES]

    @staticmethod
    def picture(file: SharedFile, data: bytes) -> Picture | None:
        """Make of its bytes what goes before a model; None where it is no picture."""
        media_type = prompt.media_type_of(ReadAs.PICTURE, data)
        return None if media_type is None else Picture(file.message.message_id, media_type, data)

    def postpone(self, file: SharedFile) -> None:
        """Leave a file alone for some hours: it cannot be had just now."""
        self._postponed[file.attachment_id] = None

    async def leave(self, file: SharedFile, why: str) -> None:
        """Note that there is nothing to be had of a file."""
        await self._store.keep(file, "", ())
        self._unreadable[file.attachment_id] = why
        self._health.part("files").count("unreadable")
        logger.info("file not readable", extra={"guild_id": file.guild_id, "reason": why})

    async def read(self, file: SharedFile, data: bytes) -> None:
        """Make text of a file's bytes, and keep it."""
        try:
            pieces = await self._text_of(file, data)
        except Unreadable as error:
            await self.leave(file, str(error))
            return
        except ModelError as error:
            self._failures += 1
            pause = pause_after(self._failures, error)
            self._resting[file.guild_id] = asyncio.get_running_loop().time() + pause.total_seconds()
            logger.warning("no model for a file: %s", error, extra={"reason": type(error).__name__})
            return
        words = "\n".join(piece.text for piece in pieces)
        beginning = BEGINNING[file.read_as]
        searched = BEGINNING_SEARCHED if file.read_as is ReadAs.TEXT else beginning
        rows = await asyncio.to_thread(indexed, file.guild_id, pieces) if len(words) > searched else ()
        if await self._store.keep(file, words[:beginning], rows):
            self._health.part("files").count("read")

    def report_health(self) -> None:
        part, reasons = self._health.part("files"), list(self._unreadable.values())
        if reasons:
            part.limited(f"{len(reasons)} file(s) could not be read within the last hour; the last one: {reasons[-1]}.")
        else:
            part.active()

    async def _text_of(self, file: SharedFile, data: bytes) -> list[Piece]:
        if file.read_as in PURPOSES:
            return cut(await self._by_model(file, data))
        if is_pdf(file.attachment):
            return await self._pages(data)
        try:
            return await asyncio.to_thread(lambda: cut(decoded(data)))
        except NotText:
            raise Unreadable("it is called a text and is none") from None

    async def _by_model(self, file: SharedFile, data: bytes) -> str:
        """Ask a model what it sees or hears in a file. Raises `ModelError` where another try may do."""
        chain, media_type = self._chains[file.read_as], prompt.media_type_of(file.read_as, data)
        if media_type is None or chain is None:
            raise Unreadable(f"it is called a {file.read_as} and is none")
        said = file.message.text
        settings = await self._settings_of(file.guild_id)
        language = language_of(said) or Language(settings.digest.language)
        asked = prompt.render(file.attachment, said, language, PromptFile(media_type, data), fence=secrets.token_hex(4))
        if (shown := self._shown.get(file.guild_id)) is not None:
            self._shown[file.guild_id] = shown[0], shown[1] + 1
        shape: type[prompt.Seen] | type[Transcript] = prompt.Seen if file.read_as is ReadAs.PICTURE else Transcript
        try:
            reply = await self._metering.ask_for(file.guild_id, chain, asked, shape, by=Routine.FILES, live=False)
        except Misconfigured:
            raise
        except (Refused, BadReply):
            raise Unreadable("no model takes it") from None
        self._failures = 0
        return prompt.read(reply.value)

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
