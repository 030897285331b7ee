"""Fetches files that came with messages, one after the other and behind everything else, for memory to read them.

Only from the addresses at which Discord keeps attachments, never beyond a redirect, and never more than was announced.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress

import aiohttp
import discord
from cachetools import TTLCache
from yarl import URL

from bot.background import Outages
from bot.connection import TROUBLE
from bot.settings import BotOptions
from memory.background import FairScheduler
from memory.core.attachments import readable_as
from memory.core.values import Message, Picture, ReadAs
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.language.word_caches import register_cache
from memory.manager import MemoryManager
from memory.shared_files.service import SharedFile
from memory.tasks import request

logger = logging.getLogger(__name__)

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Names of this machine: a browser may use another one than we do."""
DISCORDS = frozenset(("cdn.discordapp.com", "media.discordapp.net"))
FOLDERS = ("/attachments/", "/ephemeral-attachments/")
GUILDS_AT_ONCE = 3
FETCH_SECONDS = 30.0
NOW_SECONDS = 8.0
"""How long whoever asks about a file waits until it is read."""
REST_SECONDS = 10.0
"""Between two looks for what nobody told us of, such as history that was read back."""
MOST_URLS, URL_SECONDS = 5_000, 600.0


class NoSuchFile(Exception):
    """Discord has the file no longer."""


class FileWorker:
    def __init__(self, memory: MemoryManager, options: BotOptions, part: HealthReporter) -> None:
        self._memory = memory
        self._part = part
        self._outages = Outages(part)
        self._turns = FairScheduler("reading files")
        self._own = URL(options.api_base).origin() if options.api_base else None
        """Where a server keeps attachments that is not Discord's."""
        self._urls: TTLCache[int, str] = TTLCache(MOST_URLS, URL_SECONDS)
        """Of attachments that came just now. All others are asked for, because addresses expire."""
        register_cache(self)
        self._session: aiohttp.ClientSession | None = None

    def forget_words(self) -> None:
        """Forget the addresses of files, in which their names stand."""
        self._urls.clear()

    def heard(self, message: discord.Message) -> None:
        """Note where the files of a new message are."""
        if message.attachments:
            self._urls.update({one.id: one.url for one in message.attachments})
            self._memory.files.wake()

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        self._part.active()
        try:
            while True:
                here = {guild.id: guild for guild in guilds()}
                with request("files"):
                    if await self._outages.survived(self._round(here)):
                        self._memory.files.report_health()
                await self._memory.files.woken(REST_SECONDS)
        finally:
            await self.close()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _round(self, guilds: dict[int, discord.Guild]) -> None:
        """Read files until nothing is left that can be read now."""

        async def turn(guild_id: int) -> None:
            for file in await self._memory.files.unread(guild_id):
                await self._memory.files.give_way()
                await self._read(guilds[guild_id], file)

        await self._memory.log.settled()
        while due := await self._due(guilds):
            await self._turns.round(due, turn, at_once=GUILDS_AT_ONCE)

    async def _due(self, guilds: Collection[int]) -> list[int]:
        due = await self._memory.files.guilds_with_unread(guilds)
        resting = self._turns.resting
        return [one for one in due if one not in resting and await self._memory.files.unread(one)]

    async def read_about(self, guild: discord.Guild, *messages: Message | None) -> None:
        """Read the files of what somebody asks about, if there are any."""
        ids = [one.message_id for one in messages if one is not None and any(map(readable_as, one.attachments))]
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(NOW_SECONDS):
                files = await self._memory.files.unread_of(guild.id, ids) if ids else ()
                await asyncio.gather(*(self._read(guild, file) for file in files))

    async def pictures(self, guild: discord.Guild, *messages: Message | None) -> tuple[Picture, ...]:
        """Fetch the pictures of what somebody asks about, where a model may see them; as far as it can."""
        about = [one for one in messages if one is not None]
        ids = [one.message_id for one in about if ReadAs.PICTURE in map(readable_as, one.attachments)]
        found: list[Picture] = []
        with suppress(StoreError, TimeoutError, NoSuchFile, *TROUBLE):
            async with asyncio.timeout(NOW_SECONDS):
                for file in await self._memory.files.pictures_of(guild.id, ids) if ids else ():
                    data = await self.fetch(await self._url(guild, file), file.attachment.size)
                    if (picture := self._memory.files.picture(file, data)) is not None:
                        found.append(picture)
        return tuple(found)

    async def _read(self, guild: discord.Guild, file: SharedFile) -> None:
        self._memory.files.postpone(file)  # whatever comes of it, it is not tried again at once
        try:
            data = await self.fetch(await self._url(guild, file), file.attachment.size)
        except NoSuchFile:
            await self._memory.files.leave(file, "it is gone")
        except TROUBLE as error:
            logger.info("file not fetched", extra={"guild_id": guild.id, "reason": type(error).__name__})
            self._part.count("not fetched")
        else:
            await self._memory.files.read(file, data)

    async def _url(self, guild: discord.Guild, file: SharedFile) -> str:
        known = self._urls.get(file.attachment_id)
        if known is not None:
            return known
        place = guild.get_channel_or_thread(file.message.channel_id)
        if not isinstance(place, discord.abc.Messageable):
            raise NoSuchFile
        try:
            message = await place.fetch_message(file.message.message_id)
        except discord.NotFound:
            raise NoSuchFile from None
        urls = {one.id: one.url for one in message.attachments}
        if file.attachment_id not in urls:
            raise NoSuchFile
        return urls[file.attachment_id]

    def may_fetch(self, url: URL) -> bool:
        """Say whether an address is that of an attachment, where Discord or our own server keeps them."""
        if url.user is not None or url.password is not None or not url.path.startswith(FOLDERS):
            return False
        if url.scheme == "https" and url.host in DISCORDS and url.port == 443:
            return True
        return self._own is not None and _here(url) == _here(self._own)

    async def fetch(self, address: str, most: int) -> bytes:
        """Fetch a file of at most the size that was announced. Raises `NoSuchFile`, and what `TROUBLE` names."""
        url = URL(address)
        if not self.may_fetch(url):
            raise NoSuchFile
        if self._session is None:
            self._session = aiohttp.ClientSession(auto_decompress=False, trust_env=True)
        timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
        headers = {"Accept-Encoding": "identity"}
        async with self._session.get(url, timeout=timeout, allow_redirects=False, headers=headers) as response:
            if response.status in (403, 404, 410):
                raise NoSuchFile
            if response.status != 200:
                raise aiohttp.ClientResponseError(response.request_info, (), status=response.status)
            data = bytearray()
            async for part in response.content.iter_chunked(64 * 1024):
                data += part
                if len(data) > most:
                    raise NoSuchFile
            return bytes(data)


def _here(url: URL) -> tuple[str, str | None, int | None]:
    return url.scheme, LOOPBACK[0] if url.host in LOOPBACK else url.host, url.port
