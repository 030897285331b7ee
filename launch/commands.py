"""`main.py import` brings exported channels into the log; `main.py memory` carries all of it to a folder and back;
`main.py verdicts` writes what members said of answers.

They say how far they are, and what is wrong with a file.
"""

import logging
import os
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Literal, TextIO

import orjson

from launch import logs
from launch.settings import Settings
from launch.supervise import MISCONFIGURED, unless_stopped, until_stopped
from memory.core.clock import SystemClock
from memory.db.errors import SchemaError, StoreError
from memory.importing.discord_chat_exporter import Damage, UnusableExport
from memory.importing.importer import Importer, Outcome
from memory.receipts.verdicts import open_evaluation
from memory.transfer.folder import Manifest, Unusable
from memory.transfer.service import Transfer

# How far a command has come: a bar on a terminal; elsewhere a line now and then, which a log can hold.


WIDTH = 30
BAR_EVERY_S = 0.1
LINE_EVERY_S = 10.0
LEAST_TOLD = 0.01
"""Before that, how long the rest takes is a guess."""


class Bar:
    def __init__(self, out: TextIO, total: int) -> None:
        self.total = max(total, 1)
        self._out = out
        self._started = self._shown_at = time.monotonic()
        self._is_terminal = out.isatty()

    def show(self, done: int, what: str, state: str = "") -> None:
        """Show how much is done; `what` stands before a line, where there is no bar."""
        now = time.monotonic()
        if now - self._shown_at < (BAR_EVERY_S if self._is_terminal else LINE_EVERY_S):
            return
        self._shown_at = now
        share = min(done / self.total, 1.0)
        said = f"{share:4.0%}  {state}" if state else f"{share:4.0%}"
        if share >= LEAST_TOLD:
            said += f"  {_duration((now - self._started) * (self.total - done) / done)} left"
        if self._is_terminal:
            filled = round(share * WIDTH)
            self._out.write(f"\r\x1b[K[{'#' * filled}{'.' * (WIDTH - filled)}] {said}")
        else:
            self._out.write(f"{what}: {said}\n")
        self._out.flush()

    def say(self, line: str) -> None:
        """Write a line that stays, in the place of the bar."""
        self.clear()
        self._out.write(f"{line}\n")
        self._out.flush()

    def clear(self) -> None:
        if self._is_terminal:
            self._out.write("\r\x1b[K")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# `main.py import`.


DONE, INCOMPLETE = 0, 1


async def import_files(settings: Settings, paths: Sequence[Path], *, new_guild: int | None) -> int:
    files, missing = _find(paths)
    for path in missing:
        _complain(f"{path}: there is no such file, and no folder with .json files in it.")
    if not files:
        return MISCONFIGURED
    stopped = "What was read is stored; run the same command again for the rest."
    code = await _work(settings, _import(settings, files, new_guild), stopped)
    return max(code, INCOMPLETE if missing else DONE)


async def _work(settings: Settings, work: Coroutine[Any, Any, int], stopped: str) -> int:
    """Do the work until it is done or somebody stops it, and give the exit code."""
    logs.configure(settings.logs, settings.secrets())
    for package in ("memory", "launch"):
        logging.getLogger(package).setLevel(logging.ERROR)  # what goes wrong, and a stop, is said here, once
    async with until_stopped() as stop:
        code = await unless_stopped(work, stop)
    if code is None:
        _complain(f"\nStopped. {stopped}")
        return INCOMPLETE
    return code


async def _import(settings: Settings, files: Sequence[Path], new_guild: int | None) -> int:
    sizes = [path.stat().st_size for path in files]
    bar, codes = Bar(sys.stdout, sum(sizes)), [DONE]
    try:
        async with Importer.open(settings.memory, SystemClock()) as importing:
            for number, path in enumerate(files):
                before, which = sum(sizes[:number]), f"file {number + 1} of {len(files)}"

                def show(outcome: Outcome, before: int = before, which: str = which) -> None:
                    state = f"{which}  {_messages(outcome.messages)}, {outcome.stored:,} new"
                    bar.show(before + outcome.done, outcome.path.name, state)

                codes.append(await _import_file(importing, path, bar, show, new_guild))
    except StoreError as error:
        _complain(f"\n{error} What was read until now is stored; run the same command again for the rest.")
        return INCOMPLETE
    return max(codes)


async def _import_file(
    importing: Importer, path: Path, bar: Bar, show: Callable[[Outcome], None], new_guild: int | None
) -> int:
    try:
        outcome = await importing.file(path, show, new_guild=new_guild)
    except UnusableExport as error:
        bar.clear()
        _report(path, error.damage)
        return INCOMPLETE
    except OSError as error:
        bar.clear()
        _complain(f"{path}: cannot be read: {error.strerror}. Check the file and its permissions.")
        return INCOMPLETE
    bar.say(f"{path}: {_summary(outcome)}")
    for damage in outcome.damages:
        _report(path, damage)
    untold = outcome.broken - len(outcome.damages)
    if untold > 0:
        _complain(f"{path}: {untold:,} more of its messages are broken in one of these ways.")
    return INCOMPLETE if outcome.damages else DONE


def _find(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Find the files to import, each once, a folder's in the order of their names; and the paths that lead nowhere."""
    files: dict[Path, None] = {}
    missing: list[Path] = []
    for path in paths:
        found = [path] if path.is_file() else sorted(each for each in path.rglob("*.json") if each.is_file())
        files.update(dict.fromkeys(found))
        if not found:
            missing.append(path)
    return list(files), missing


def _report(path: Path, damage: Damage) -> None:
    place = f"near line {damage.place.line:,}, byte {damage.place.byte:,}"
    if damage.number is not None:
        place += f", message {damage.number:,}"
    _complain(f"{path} ({place}): {damage.what}.\n  → {damage.remedy}")


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _messages(count: int) -> str:
    return f"{count:,} message{'s' * (count != 1)}"


def _summary(outcome: Outcome) -> str:
    parts = [f"{_messages(outcome.messages)}: {outcome.stored:,} new"]
    for number, what in (
        (outcome.changed, "edited since"),
        (outcome.known, "known already"),
        (outcome.refused, "not stored (deleted, opted out, excluded, or too old)"),
        (outcome.system, "of Discord itself, which are not kept"),
        (outcome.broken, "broken"),
    ):
        if number:
            parts.append(f"{number:,} {what}")
    return ", ".join(parts)


# `main.py memory export` and `memory import`: carry the whole memory to a folder and back, and say how it went.


Way = Literal["export", "import"]


async def carry(settings: Settings, way: Way, folder: Path, *, guild_id: int | None) -> int:
    stopped = "Nothing was written; run the same command again."
    return await _work(settings, _carry(settings, way, folder, guild_id), stopped)


async def _carry(settings: Settings, way: Way, folder: Path, guild_id: int | None) -> int:
    bar = Bar(sys.stdout, 0)

    def show(done: int, total: int, what: str) -> None:
        bar.total = max(total, 1)
        bar.show(done, way, what)

    try:
        async with Transfer.open(settings.memory, SystemClock()) as transfer:
            work = transfer.write if way == "export" else transfer.read
            manifest = await work(folder, show, guild_id)
    except (Unusable, SchemaError) as error:
        return _failed(bar, str(error), MISCONFIGURED)
    except StoreError as error:
        return _failed(bar, f"{error} Nothing was written; run the same command again.", INCOMPLETE)
    except OSError as error:
        said = f"{error.filename or folder}: {error.strerror}. Nothing was written; check the folder, its disk and its"
        return _failed(bar, f"{said} permissions.", INCOMPLETE)
    bar.say(f"{folder}: {_carried(manifest, way)}")
    return DONE


def _failed(bar: Bar, line: str, code: int) -> int:
    bar.clear()
    _complain(line)
    return code


def _carried(manifest: Manifest, way: Way) -> str:
    guilds = ", ".join(map(str, manifest.guilds)) or "no guild"
    messages = _messages(sum(guild.tables["chat_history"].rows for guild in manifest.guilds))
    facts = sum(guild.tables["facts"].rows for guild in manifest.guilds)
    said = f"{manifest.rows:,} rows {way}ed of {guilds}; among them {messages} and {facts:,} fact{'s' * (facts != 1)}"
    return f"{said}. What this database has on record as erased stays so." if way == "import" else f"{said}."


# `main.py verdicts`: the evaluation set, a judged answer in each line.


async def write_verdicts(settings: Settings, file: Path, *, guild_id: int | None) -> int:
    stopped = f"{file} is not complete; delete it and run the same command again."
    return await _work(settings, _write_verdicts(settings, file, guild_id), stopped)


async def _write_verdicts(settings: Settings, file: Path, guild_id: int | None) -> int:
    written = 0
    try:
        async with open_evaluation(settings.memory, SystemClock()) as evaluation:
            guilds = await evaluation.guilds() if guild_id is None else [guild_id]
            # What people said is in it: for whoever runs this, and nobody else.
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                for one in guilds:
                    async for judged in evaluation.judged(one):
                        out.write(orjson.dumps(judged, option=orjson.OPT_APPEND_NEWLINE))
                        written += 1
    except SchemaError as error:
        _complain(str(error))
        return MISCONFIGURED
    except StoreError as error:
        _complain(f"{error} {file} is not complete; delete it and run the same command again.")
        return INCOMPLETE
    except OSError as error:
        _complain(f"{file}: {error.strerror}. Nothing is written over; choose a new file.")
        return INCOMPLETE
    print(f"{file}: {written:,} judged answer{'s' * (written != 1)}.", flush=True)
    return DONE
