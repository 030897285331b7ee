"""How many messages a second an import stores, against a bare COPY of the same rows into a table like the log's."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
import psutil

from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most
from memory.core.clock import SystemClock
from memory.importing.chat_export import DISCORD_BEGAN
from memory.importing.importing import Importing
from memory.settings import MemoryOptions
from memory.store.embedded import EmbeddedPostgres

MAIN = Path(__file__).resolve().parents[1] / "main.py"
MEGABYTE = 1_000_000
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
    """As the exporter writes it: one in four is a reply, one in seven mentions someone, one in twelve has a file."""
    message_id = FIRST_ID + number * APART
    sent_at = DISCORD_BEGAN + timedelta(milliseconds=message_id >> 22)
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
    """In the exporter's own layout: indented, one key a line."""
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


def put_on_one_line(path: Path, target: Path) -> None:
    target.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")


async def imported(importing: Importing, path: Path) -> float:
    """Seconds that one import takes."""
    started = time.perf_counter()
    await importing.file(path, lambda _: None, new_guild=GUILD)
    return time.perf_counter() - started


async def copied(connection: asyncpg.Connection[asyncpg.Record], count: int) -> float:
    """Seconds that copying the rows takes that are in the log now."""
    rows = [tuple(row) for row in await connection.fetch("SELECT * FROM chat_history ORDER BY seq")]
    assert len(rows) == count
    await connection.execute("DROP TABLE IF EXISTS bare; CREATE TABLE bare (LIKE chat_history INCLUDING ALL)")
    started = time.perf_counter()
    await connection.copy_records_to_table("bare", records=rows)
    return time.perf_counter() - started


async def most_memory(path: Path, data_dir: Path) -> float:
    """Megabytes: the most that the command, or one of the processes it starts, holds at a time."""
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
            most = max(most, *(each.memory_info().rss for each in (seen, *seen.children(recursive=True))))
        await asyncio.sleep(0.02)
    if process.returncode != 0:
        raise RuntimeError("the import whose memory was measured has failed")
    return most / MEGABYTE


@dataclass(slots=True)
class Rounds:
    """Seconds. What belongs together is measured right after each other, since the machine may change its pace."""

    imported: list[float] = field(default_factory=list)
    copied: list[float] = field(default_factory=list)
    on_one_line: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)

    def figures(self, count: int) -> list[Figure]:
        of_copy = [copy / import_ for copy, import_ in zip(self.copied, self.imported, strict=True)]
        of_lines = [lines / line for lines, line in zip(self.imported, self.on_one_line, strict=True)]
        return [
            Figure("import: of the rate of a bare COPY", median(of_copy), "", at_least(0.3)),
            Figure("import: stored", count / median(self.imported), "messages/s"),
            Figure("import: bare COPY of the same rows", count / median(self.copied), "rows/s"),
            Figure("import: a file on one line, of the rate of one in lines", median(of_lines), ""),
            Figure("import: a second time, all known", count / median(self.again), "messages/s"),
        ]


async def measure(full: bool) -> list[Figure]:
    count, times = (400_000, 5) if full else (60_000, 5)
    rounds = Rounds()
    with open_folder() as folder:
        path, line = folder / "hall.json", folder / "line.json"
        write_export(path, count)
        put_on_one_line(path, line)
        data_dir = folder / "data"
        data_dir.mkdir()
        async with Importing.open(MemoryOptions(data_dir=data_dir), SystemClock()) as importing:
            address = await EmbeddedPostgres(data_dir).connect_arguments()
            connection = await asyncpg.connect(
                host=address.host, port=address.port, user=address.user, database=address.database
            )
            await imported(importing, path)  # starts the reading processes, which a long import does once
            for _ in range(times):
                await connection.execute("TRUNCATE chat_history")
                rounds.imported.append(await imported(importing, path))
                rounds.copied.append(await copied(connection, count))
                rounds.again.append(await imported(importing, path))
                await connection.execute("TRUNCATE chat_history")
                rounds.on_one_line.append(await imported(importing, line))
            figures = rounds.figures(count)
            if full:
                small = folder / "small.json"
                write_export(small, count // 10)
                await connection.execute("TRUNCATE chat_history")
                least, most = await most_memory(small, data_dir), await most_memory(path, data_dir)
                figures.append(Figure("import: memory", most, "MB"))
                figures.append(Figure("import: more memory for ten times the size", most - least, "MB", at_most(10)))
            await connection.close()
    return figures
