"""Reads what people share: decides what is to be read, makes text of it in bounded time, and keeps it.

Nobody waits for it. Bytes come from whoever may fetch them, pass through memory and are never stored. What is still to
be read follows from the log, so a restart goes on where it was; what cannot be read is noted and left alone.
"""

import asyncio
import logging
import secrets
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from cachetools import TTLCache

from ai_clients.base import PromptFile, Purpose, Transcript
from ai_clients.build import Models
from ai_clients.errors import BadReply, Misconfigured, ModelError, Refused
from memory.background import pause_after
from memory.core.attachments import NotText, bounded, decoded, is_pdf, readable_as, tidy
from memory.core.clock import Clock, GuildDay, day_of
from memory.core.values import Attachment, Message, Picture, ReadAs
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language, language_of
from memory.language.text import repair
from memory.log.reading import message_of, not_pending_removal
from memory.log.store import log_transaction
from memory.models.metering import Metering
from memory.models.usage import Routine
from memory.policy.settings import FileRules, GuildSettings, SettingsOf
from memory.recall.pieces import Piece, cut, indexed, write_pieces
from memory.recall.query import BEGINNING_SEARCHED
from memory.shared_files import pdf_pages, prompt

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


@dataclass(frozen=True, slots=True)
class SharedFile:
    """Holds an attachment that may be read, and its message."""

    message: Message
    attachment: Attachment
    attachment_id: int
    read_as: ReadAs

    @property
    def guild_id(self) -> int:
        return self.message.guild_id


def unread_in(message: Message, wanted: Collection[ReadAs]) -> list[SharedFile]:
    """List the files of a message that may be read and were not."""
    found = ((one, one.attachment_id, readable_as(one)) for one in message.attachments if one.read_as is None)
    return [
        SharedFile(message, one, attachment_id, read_as)
        for one, attachment_id, read_as in found
        if attachment_id is not None and read_as is not None and read_as in wanted
    ]


def pictures_in(message: Message) -> list[SharedFile]:
    """List the pictures of a message, described or not."""
    found = ((one, one.attachment_id) for one in message.attachments if readable_as(one) is ReadAs.PICTURE)
    return [SharedFile(message, one, known, ReadAs.PICTURE) for one, known in found if known is not None]


def wanted_by(rules: FileRules) -> list[ReadAs]:
    switches = ((ReadAs.TEXT, rules.texts), (ReadAs.PICTURE, rules.pictures), (ReadAs.VOICE, rules.voices))
    return [read_as for read_as, is_on in switches if is_on]


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


class FileStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def guilds_with_unread(self, guild_ids: Collection[int]) -> list[int]:
        """Find those of these guilds that have something to be read which they want to have read."""
        rows = await self._database.read("store.files.guilds", _GUILDS, list(guild_ids))
        return [row["guild_id"] for row in rows]

    async def unread(
        self, guild_id: int, wanted: Collection[ReadAs], but: Collection[int], most: int
    ) -> list[SharedFile]:
        """List what is to be read, of each kind the newest first, without these attachments."""
        found: list[SharedFile] = []
        for read_as in wanted:
            rows = await self._database.read("store.files.unread", _UNREAD[read_as], guild_id, most)
            files = [file for row in rows for file in unread_in(message_of(row), [read_as])]
            found += [file for file in files if file.attachment_id not in but]
        return found

    async def messages(self, guild_id: int, message_ids: Collection[int]) -> list[Message]:
        """Read messages that may be told, for what is in their files. Whoever asks has seen them."""
        rows = await self._database.read("store.files.messages", _MESSAGES, guild_id, list(message_ids))
        return [message_of(row) for row in rows]

    async def keep(self, file: SharedFile, words: str, rows: Sequence[object]) -> bool:
        """Keep what was read, if the attachment is still there and unread; with no words, that there was nothing.

        Nobody edited the message, so it keeps its place in the order of arrival, as if its links were looked up.
        """
        message = file.message
        read = orjson.dumps({"as": file.read_as, "words": repair(words)}).decode()
        async with log_transaction(self._database, "store.files.keep", file.guild_id) as connection:
            done = await connection.execute(_KEEP, file.guild_id, message.message_id, str(file.attachment_id), read)
            is_kept = done.endswith(" 1")
            if is_kept and rows:
                await write_pieces(
                    connection, file.guild_id, message.channel_id, message.message_id, file.attachment_id, rows
                )
        return is_kept

    async def shown_since(self, guild_id: int, since: object) -> int:
        """Count the pictures and voice messages that models were shown since a moment."""
        [row] = await self._database.read("store.files.shown", _SHOWN, guild_id, since)
        return int(row["count"])


def _is_unread(read_as: ReadAs) -> str:
    """Write the condition that an attachment is unread, word for word as the log's partial indexes have it."""
    return f"""extras @? '$.attachments[*] ? (@.unread == "{read_as}")'"""


def _wants(read_as: ReadAs, name: str, by_default: str) -> str:
    return f"""
    (coalesce((files ->> '{name}')::boolean, {by_default}) AND EXISTS (
        SELECT FROM chat_history AS said WHERE said.guild_id = guilds.guild_id AND {_is_unread(read_as)}))
    """


_GUILDS = f"""
SELECT guild_id FROM guilds WHERE guild_id = ANY ($1) AND (
    {_wants(ReadAs.TEXT, "texts", "true")} OR {_wants(ReadAs.PICTURE, "pictures", "false")}
    OR {_wants(ReadAs.VOICE, "voices", "false")})
"""  # noqa: S608 - made of constants

_UNREAD = {
    read_as: f"""
    SELECT * FROM chat_history AS said WHERE guild_id = $1 AND {_is_unread(read_as)} AND {not_pending_removal("said")}
    ORDER BY message_id DESC LIMIT $2
    """  # noqa: S608 - made of constants
    for read_as in ReadAs
}

_MESSAGES = f"""
SELECT * FROM chat_history AS said
WHERE guild_id = $1 AND message_id = ANY ($2) AND {not_pending_removal("said")}
"""  # noqa: S608 - made of constants

_KEEP = f"""
UPDATE chat_history AS said SET extras = jsonb_set(extras, '{{attachments}}', (
    SELECT jsonb_agg(CASE WHEN file ->> 'id' = $3 THEN (file - 'unread') || jsonb_build_object('read', $4::text::jsonb)
        ELSE file END ORDER BY place)
    FROM jsonb_array_elements(extras -> 'attachments') WITH ORDINALITY AS files (file, place)))
WHERE guild_id = $1 AND message_id = $2 AND {not_pending_removal("said")} AND EXISTS (
    SELECT FROM jsonb_array_elements(extras -> 'attachments') AS file WHERE file ->> 'id' = $3 AND file ? 'unread')
"""  # noqa: S608 - made of constants

_SHOWN = """
SELECT count(*) AS count FROM model_calls
WHERE guild_id = $1 AND at >= $2 AND purpose IN ('see', 'hear') AND outcome <> 'unavailable'
"""
