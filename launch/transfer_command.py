"""`main.py memory export` and `memory import`: carry the whole memory to a folder and back, and say how it went."""

import logging
import sys
from pathlib import Path
from typing import Literal

from launch import logs
from launch.progress import Bar
from launch.settings import Settings
from launch.stop import MISCONFIGURED, unless_stopped, until_stopped
from memory.core.clock import SystemClock
from memory.db.errors import SchemaError, StoreError
from memory.transfer.folder import Manifest, Unusable
from memory.transfer.service import Transfer

Way = Literal["export", "import"]
DONE, NOT_DONE = 0, 1


async def run(settings: Settings, way: Way, folder: Path, *, guild_id: int | None) -> int:
    logs.configure(settings.logs, settings.secrets())
    for package in ("memory", "launch"):
        logging.getLogger(package).setLevel(logging.ERROR)  # what goes wrong, and a stop, is said below, once
    async with until_stopped() as stop:
        code = await unless_stopped(_carry(settings, way, folder, guild_id), stop)
        if code is None:
            print("\nStopped. Nothing was written; run the same command again.", file=sys.stderr, flush=True)
        return NOT_DONE if code is None else code


async def _carry(settings: Settings, way: Way, folder: Path, guild_id: int | None) -> int:
    bar = Bar(sys.stdout, 0)

    def show(done: int, total: int, what: str) -> None:
        bar.total = max(total, 1)
        bar.show(done, way, what)

    try:
        async with Transfer.open(settings.memory, SystemClock()) as transfer:
            carry = transfer.write if way == "export" else transfer.read
            manifest = await carry(folder, show, guild_id)
    except (Unusable, SchemaError) as error:
        return _failed(bar, str(error), MISCONFIGURED)
    except StoreError as error:
        return _failed(bar, f"{error} Nothing was written; run the same command again.", NOT_DONE)
    except OSError as error:
        said = f"{error.filename or folder}: {error.strerror}. Nothing was written; check the folder, its disk and its"
        return _failed(bar, f"{said} permissions.", NOT_DONE)
    bar.say(f"{folder}: {_summary(manifest, way)}")
    return DONE


def _failed(bar: Bar, line: str, code: int) -> int:
    bar.clear()
    print(line, file=sys.stderr, flush=True)
    return code


def _summary(manifest: Manifest, way: Way) -> str:
    guilds = ", ".join(map(str, manifest.guilds)) or "no guild"
    messages = sum(guild.tables["chat_history"].rows for guild in manifest.guilds)
    facts = sum(guild.tables["facts"].rows for guild in manifest.guilds)
    said = f"{manifest.rows:,} rows {way}ed of {guilds}; among them {messages:,} messages and {facts:,} facts"
    return f"{said}. What this database has on record as erased stays so." if way == "import" else f"{said}."
