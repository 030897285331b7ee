"""A file for one reader, as Discord takes it: as it is, packed, or packed and in parts."""

import asyncio
import gzip
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BufferedRandom, BytesIO

import discord

ROOM = 64 * 1024
"""Left below Discord's limit, for what goes around a file."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a reader gets: one file, or several that make one."""

    name: str
    contents: BufferedRandom
    size: int
    limit: int
    is_packed: bool = False

    @property
    def parts(self) -> int:
        return -(-self.size // self.limit)

    def files(self) -> Iterator[discord.File]:
        """One after the other: each part lies in memory only while it is sent."""
        self.contents.seek(0)
        if self.parts == 1:
            yield discord.File(self.contents, filename=self.name)
            return
        for number in range(1, self.parts + 1):
            yield discord.File(BytesIO(self.contents.read(self.limit)), filename=f"{self.name}.{number:03}")


def file_name(of: str, made_at: datetime) -> str:
    return f"innkeeper-{of}-{made_at:%Y-%m-%d}.json"


async def parcelled(file: BufferedRandom, spare: BufferedRandom, name: str, upload_limit: int) -> Parcel:
    """`spare` is filled with the packed file where the file itself is too large."""
    limit = upload_limit - ROOM
    size = file.seek(0, 2)
    if size <= limit:
        return Parcel(name, file, size, limit)
    await asyncio.to_thread(_pack, file, spare)
    return Parcel(f"{name}.gz", spare, spare.seek(0, 2), limit, is_packed=True)


def _pack(file: BufferedRandom, packed: BufferedRandom) -> None:
    file.seek(0)
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as packing:
        shutil.copyfileobj(file, packing)
