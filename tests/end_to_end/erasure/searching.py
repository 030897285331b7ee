"""Every place that is searched: tables, what was made of messages, files, living objects, logs, our words."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path

import asyncpg

from tests.end_to_end.erasure.canaries import Canary, needles_in
from tests.end_to_end.erasure.deletions import BESIDE_IT, IN_THE_BOT, ON_DISCORD, TABLES
from tests.end_to_end.erasure.registry import DELETIONS, PLACES, place
from tests.end_to_end.erasure.stage import BREATH_SECONDS, Stage
from tests.end_to_end.leaks.wiretap import WORDS, strings_in

ALL_TABLES = """
SELECT format('%I.%I', relnamespace::regnamespace, relname) AS name FROM pg_class
WHERE relkind IN ('r', 'p', 'm') AND relnamespace NOT IN (
    'pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
"""
"""All that is not PostgreSQL's own."""
IN_HEXADECIMAL = re.compile(r"\\x((?:[0-9a-f]{2})+)")
OF_MESSAGES = """
SELECT table_name FROM information_schema.columns
WHERE table_schema = 'public' AND column_name = 'message_id' AND table_name NOT IN ('tombstones', 'facts')
"""
"""Tables with a row for a message. What was deleted stays known by its id, and a fact may be kept by its teller."""


@place(TABLES)
async def tables(stage: Stage) -> dict[str, str]:
    """Every row as one text: words, stems, JSON and arrays are shown in it as they are, bytes in hexadecimal."""
    found: dict[str, set[str]] = {}
    connection = await asyncpg.connect(stage.database_url)
    try:
        for table in await connection.fetch(ALL_TABLES):
            for row in await connection.fetch(f"SELECT one::text AS said FROM {table['name']} AS one"):
                said = row["said"]
                in_bytes = (bytes.fromhex(one) for one in IN_HEXADECIMAL.findall(said))
                needles = [*needles_in(said), *(needle for one in in_bytes for needle in needles_in(one))]
                for needle in needles:
                    found.setdefault(needle, set()).add(table["name"])
    finally:
        await connection.close()
    return {needle: ", ".join(sorted(names)) for needle, names in found.items()}


@place("what was made of messages")
async def made_of_messages(stage: Stage) -> dict[str, str]:
    """Numbers tell nobody what was said; but where a message is gone, its vector has to be gone too."""
    gone = {canary.message_id: canary.needle for canary in stage.canaries.gone() if canary.message_id}
    edited_away = {canary.message_id for canary in stage.canaries if "edited" in canary.fate}
    found: dict[str, str] = {}
    for row in await stage.rows(OF_MESSAGES):
        table = row["table_name"]
        ids = [message_id for message_id in gone if message_id not in edited_away]
        rows = await stage.rows(f"SELECT message_id FROM {table} WHERE message_id = ANY ($1)", ids)
        found |= {gone[one["message_id"]]: f"a row of {table}" for one in rows}
    return found


@place("files")
async def files(stage: Stage) -> dict[str, str]:
    """Names and contents of all files in the folder of the data, PostgreSQL's own aside: the database is elsewhere."""
    found: dict[str, str] = {}
    for path in sorted((stage.folder / "data").rglob("*")):
        found |= dict.fromkeys(needles_in(path.name), f"the name of {path}")
        if path.is_file():
            found |= dict.fromkeys(needles_in(path.read_bytes()), f"the file {path.name}")
    return found


@place("log lines")
async def log_lines(stage: Stage) -> dict[str, str]:
    return {needle: f"the log {path.name}" for path in stage.log_files for needle in _lines(path)}


def _lines(path: Path) -> list[str]:
    return needles_in(path.read_bytes()) if path.exists() else []


@place(IN_THE_BOT)
async def in_the_bot(stage: Stage) -> dict[str, str]:
    return dict.fromkeys(await stage.bot.order("search"), "bot")


@place(BESIDE_IT)
async def in_the_other(stage: Stage) -> dict[str, str]:
    return dict.fromkeys(await stage.beside.order("search"), "beside")


@place(ON_DISCORD)
async def on_discord(stage: Stage) -> dict[str, str]:
    """As Discord shows them: words, embeds, buttons, names of files."""
    found: dict[str, str] = {}
    for message in stage.bots_messages():
        said = "\n".join(text for part in WORDS for text in strings_in(_plain(getattr(message, part))))
        found |= dict.fromkeys(needles_in(said), f"our message {message.id}: {said[:80]}")
    return found


def _plain(part: object) -> object:
    """Files as Discord shows them: by name and description."""
    if isinstance(part, list):
        return [_plain(one) for one in part]
    name, description = getattr(part, "filename", None), getattr(part, "description", None)
    return [one for one in (name, description) if one] if name else part


EXPLAINED = 8
"""Finds of which it is told who holds them: that takes long."""
QUICK = (TABLES, ON_DISCORD)
"""Places that can be searched again and again."""
STILL_SECONDS = 120.0
"""So long nothing more has gone: what is left will not go by itself."""


async def until_gone(look: Callable[[], Awaitable[Sequence[str]]]) -> Sequence[str]:
    """Waits as long as something is still going; what stays."""
    left, since = await look(), time.monotonic()
    while left and time.monotonic() - since < STILL_SECONDS:
        await asyncio.sleep(BREATH_SECONDS)
        now = await look()
        since = time.monotonic() if len(now) < len(left) else since
        left = now
    return left


async def traces(stage: Stage, names: Collection[str] = PLACES.keys(), *, explained: bool = True) -> list[str]:
    """Of all that had to be gone, where it was found all the same; explained, also who holds it."""
    found: list[str] = []
    for where in names:
        finds = await PLACES[where](stage)
        for canary in stage.canaries.called(finds):
            held = left_of(canary, finds, where)
            process = {IN_THE_BOT: stage.bot, BESIDE_IT: stage.beside}.get(where)
            if canary.gone and held:
                if explained and process is not None and len(found) < EXPLAINED:
                    held = str(await process.order("explain", needle=canary.needle))
                found.append(f"{where}: {canary}: {held}")
    return found


def left_of(canary: Canary, finds: Mapping[str, str], where: str) -> str:
    """Where in a place it was found, without what its deletion is declared not to reach."""
    spared = DELETIONS[canary.fate].spares if canary.fate else ()
    found = () if where in spared else finds[canary.needle].split(", ")
    return ", ".join(one for one in found if one not in spared)
