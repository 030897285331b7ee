"""How many messages a second an import stores, against a bare COPY of the same rows into a table like the log's."""

from __future__ import annotations

import json
import random
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg

from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least
from memory.core.clock import SystemClock
from memory.importing.chat_export import DISCORD_BEGAN
from memory.importing.importing import Importing
from memory.settings import MemoryOptions
from memory.store.embedded import EmbeddedPostgres

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


async def imported(importing: Importing, path: Path) -> float:
    """Seconds that one import takes."""
    started = time.perf_counter()
    await importing.file(path, lambda _: None, new_guild=GUILD)
    return time.perf_counter() - started


async def copied(connection: asyncpg.Connection[asyncpg.Record]) -> tuple[int, float]:
    """How many rows the log has now, and the seconds that copying them takes."""
    rows = [tuple(row) for row in await connection.fetch("SELECT * FROM chat_history ORDER BY seq")]
    await connection.execute("DROP TABLE IF EXISTS bare; CREATE TABLE bare (LIKE chat_history INCLUDING ALL)")
    started = time.perf_counter()
    await connection.copy_records_to_table("bare", records=rows)
    return len(rows), time.perf_counter() - started


async def measure(full: bool) -> list[Figure]:
    count, rounds = (400_000, 3) if full else (60_000, 3)
    importing_rates: list[float] = []
    again_rates: list[float] = []
    copying_rates: list[float] = []
    with open_folder() as folder:
        path = folder / "hall.json"
        write_export(path, count)
        data_dir = folder / "data"
        data_dir.mkdir()
        async with Importing.open(MemoryOptions(data_dir=data_dir), SystemClock()) as importing:
            address = await EmbeddedPostgres(data_dir).connect_arguments()
            connection = await asyncpg.connect(
                host=address.host, port=address.port, user=address.user, database=address.database
            )
            for _ in range(rounds):
                await connection.execute("TRUNCATE chat_history")
                importing_rates.append(count / await imported(importing, path))
                again_rates.append(count / await imported(importing, path))
                rows, seconds = await copied(connection)
                assert rows == count
                copying_rates.append(count / seconds)
            await connection.close()
    # Other programs on the machine only ever make it slower.
    importing_rate, copying_rate = max(importing_rates), max(copying_rates)
    return [
        Figure("import: of the rate of a bare COPY", importing_rate / copying_rate, "", at_least(0.3)),
        Figure("import: stored", importing_rate, "messages/s"),
        Figure("import: a second time, all known", max(again_rates), "messages/s"),
        Figure("import: bare COPY of the same rows", copying_rate, "rows/s"),
    ]
