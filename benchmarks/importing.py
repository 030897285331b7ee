"""Measures how many messages a second an import stores, and how long a million of them take at that rate."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
import psutil

from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.yardsticks import calibrated_loop
from memory.core.clock import SystemClock
from memory.core.values import time_of
from memory.db.embedded.server import EmbeddedPostgres
from memory.importing.importer import Importer
from memory.settings import MemoryOptions

MAIN = Path(__file__).resolve().parents[1] / "main.py"
MEGABYTE = MILLION = 1_000_000
GUILD, CHANNEL = 100, 1001
FIRST_ID = 900_000_000_000_000_000
APART = 37_000 << 22
PEOPLE = 60


def person(number: int) -> dict[str, Any]:
    user_id = 200_000_000_000_000_000 + number
    return {
        "id": str(user_id),
        "name": f"user{number}",
        "discriminator": "0000",
        "nickname": f"User {number}",
        "color": "#3498DB",
        "isBot": False,
        "roles": [{"id": str(user_id + 1_000), "name": "Regular", "color": "#3498DB", "position": 3}],
        "avatarUrl": f"https://cdn.discordapp.com/avatars/{user_id}/0123456789abcdef0123456789abcdef.png?size=512",
    }


def exported(number: int, words: list[str], chance: random.Random) -> dict[str, Any]:
    """Write a message as exporters do: one in four is a reply, one in seven has a mention, one in twelve a file."""
    message_id = FIRST_ID + number * APART
    sent_at = time_of(message_id)
    message: dict[str, Any] = {
        "id": str(message_id),
        "type": "Default",
        "timestamp": sent_at.isoformat(timespec="milliseconds"),
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": " ".join(chance.choices(words, k=chance.randint(1, 25))),
        "author": person(chance.randrange(PEOPLE)),
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        "inlineEmojis": [],
    }
    if number % 4 == 3:
        message["type"] = "Reply"
        message["mentions"] = [person(chance.randrange(PEOPLE))]
        message["reference"] = {"messageId": str(message_id - APART), "channelId": str(CHANNEL), "guildId": str(GUILD)}
    if number % 7 == 0:
        mentioned = person(chance.randrange(PEOPLE))
        message["mentions"] = [mentioned]
        message["content"] += f" @{mentioned['nickname']}"
    if number % 12 == 0:
        url = "https://cdn.discordapp.com/attachments/1001/1/picture.png"
        message["attachments"] = [
            {"id": str(message_id), "url": url, "fileName": "picture.png", "fileSizeBytes": 98765}
        ]
    return message


def write_export(path: Path, count: int) -> None:
    """Write an export in the exporter's own layout: indented, one key a line."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnopq", k=chance.randint(2, 9))) for _ in range(2_000)]
    head = {
        "guild": {"id": str(GUILD), "name": "The Inn", "iconUrl": ""},
        "channel": {"id": str(CHANNEL), "type": "GuildTextChat", "categoryId": None, "name": "hall", "topic": None},
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-01-01T00:00:00+00:00",
    }
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head, indent=2).removesuffix("\n}") + ',\n  "messages": [\n')
        file.writelines(_indented(exported(number, words, chance), number) for number in range(count))
        file.write(f'\n  ],\n  "messageCount": {count}\n}}\n')


def _indented(message: dict[str, Any], number: int) -> str:
    lines = json.dumps(message, indent=2, ensure_ascii=False).splitlines()
    return (",\n" if number else "") + "\n".join(f"    {line}" for line in lines)


async def imported(importing: Importer, path: Path) -> float:
    """Measure the seconds that one import takes."""
    started = time.perf_counter()
    await importing.file(path, lambda _: None, new_guild=GUILD)
    return time.perf_counter() - started


async def most_memory(path: Path, data_dir: Path) -> float:
    """Measure the most megabytes that the command holds at a time."""
    command = [sys.executable, str(MAIN), "import", str(path), "--new-guild", str(GUILD)]
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=data_dir,
        env=os.environ | {"DATA_DIR": str(data_dir), "DATABASE_URL": ""},
        stdout=asyncio.subprocess.DEVNULL,
    )
    seen = psutil.Process(process.pid)
    most = 0
    while process.returncode is None:
        with suppress(psutil.NoSuchProcess):
            most = max(most, seen.memory_info().rss)
        await asyncio.sleep(0.02)
    if process.returncode != 0:
        raise RuntimeError("the import whose memory was measured has failed")
    return most / MEGABYTE


async def measure(full: bool) -> list[Figure]:
    count, times = (400_000, 3) if full else (20_000, 3)
    first: list[float] = []
    again: list[float] = []
    with open_folder() as folder:
        path = folder / "hall.json"
        write_export(path, count)
        data_dir = folder / "data"
        data_dir.mkdir()
        async with Importer.open(MemoryOptions(data_dir=data_dir), SystemClock()) as importing:
            address = await EmbeddedPostgres(data_dir).connect_arguments()
            connection = await asyncpg.connect(
                host=address.host, port=address.port, user=address.user, database=address.database
            )
            for _ in range(times):
                await connection.execute("TRUNCATE chat_history CASCADE")
                first.append(await imported(importing, path))
                again.append(await imported(importing, path))
            figures = [
                *calibrated_loop().figures("import: a message", median(first) / count, at_most(0.4), unit="µs"),
                Figure("import: a million messages", median(first) * MILLION / count / 60, "minutes"),
                Figure("import: stored", count / median(first), "messages/s"),
                Figure("import: a second time, all known", count / median(again), "messages/s"),
            ]
            if full:
                small = folder / "small.json"
                write_export(small, count // 10)
                await connection.execute("TRUNCATE chat_history CASCADE")
                least, most = await most_memory(small, data_dir), await most_memory(path, data_dir)
                figures.append(Figure("import: memory", most, "MB"))
                figures.append(Figure("import: more memory for ten times the size", most - least, "MB", at_most(10)))
            await connection.close()
    return figures
