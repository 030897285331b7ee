"""`main.py import`: brings exported channels into the log, and says how far it is and what is wrong with a file."""

import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

import aiohttp

from launch import logs
from launch.progress import Bar
from launch.settings import Settings
from launch.stop import MISCONFIGURED, unless_stopped, until_stopped
from local_guild.server import STATE_FILE, LocalGuild
from local_guild.serving import serve
from memory.core.clock import SystemClock
from memory.db.errors import StoreError
from memory.importing.discord_chat_exporter import Damage, UnusableExport
from memory.importing.importer import Importer, Outcome

# Makes an import the local guild's own past, so that its page and its history have it too.


class LocalGuildAway(Exception):
    """The local guild did not take what was imported; the text says what to do."""


async def add_to_local_guild(settings: Settings, importing: Importer, path: Path) -> int:
    """Messages of an imported file that the log has; how many were new to the local guild, which may not have their
    channel."""
    added = 0
    try:
        async with (
            aiohttp.ClientSession() as http,
            _served(settings, http) as url,
            aclosing(importing.stored(path)) as pieces,
        ):
            async for header, messages in pieces:
                if url is None:
                    break
                place = f"{url}/local/guilds/{header.guild_id}/channels/{header.channel_id}/past"
                async with http.post(place, json={"messages": [_past(each) for each in messages]}) as answer:
                    if answer.status == 404:
                        break
                    answer.raise_for_status()
                    added += (await answer.json())["added"]
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise LocalGuildAway(
            f"All of it is stored, but the local guild at {settings.web.url} did not take it over"
            f" ({type(error).__name__}). Run the same command again when it is well."
        ) from error
    return added


@asynccontextmanager
async def _served(settings: Settings, http: aiohttp.ClientSession) -> AsyncIterator[str | None]:
    """Where the local guild answers: at the web process, or here as long as that one is not running. None before its
    first start."""
    if await _answers(http, settings.web.url):
        yield settings.web.url
    elif (settings.local_guild_folder / STATE_FILE).exists():
        local_guild = LocalGuild.open(settings.local_guild_folder)
        try:
            async with serve(local_guild) as address:
                yield address.url
        finally:
            await local_guild.close()
    else:
        yield None


async def _answers(http: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with http.get(f"{url}/local/world") as answer:
            answer.raise_for_status()
    except aiohttp.ClientConnectorError:
        return False
    return True


def _past(message: dict[str, Any]) -> dict[str, object]:
    author = message["author"]
    reference = message.get("reference") or {}
    return {
        "id": message["id"],
        "author": {
            "id": author["id"],
            "name": author["name"],
            "display_name": author.get("nickname"),
            "bot": bool(author.get("isBot")),
        },
        "content": message["content"],
        "edited_at": message.get("timestampEdited"),
        "reply_to": reference.get("messageId") if message["type"] == "Reply" else None,
    }


DONE, INCOMPLETE = 0, 1


async def run(settings: Settings, paths: Sequence[Path], *, new_guild: int | None) -> int:
    logs.configure(settings.logs, settings.secrets())
    for package in ("memory", "launch"):
        logging.getLogger(package).setLevel(logging.ERROR)  # what goes wrong, and a stop, is said below, once
    files, missing = _find(paths)
    for path in missing:
        _complain(f"{path}: there is no such file, and no folder with .json files in it.")
    if not files:
        return MISCONFIGURED
    async with until_stopped() as stop:
        code = await unless_stopped(_import(settings, files, new_guild), stop)
        if code is None:
            _complain("\nStopped. What was read is stored; run the same command again for the rest.")
            return INCOMPLETE
        return max(code, INCOMPLETE if missing else DONE)


async def _import(settings: Settings, files: Sequence[Path], new_guild: int | None) -> int:
    progress = Progress(sys.stdout, sum(path.stat().st_size for path in files), len(files))
    try:
        async with Importer.open(settings.memory, SystemClock()) as importing:
            codes = [await _import_file(settings, importing, path, progress, new_guild) for path in files]
    except StoreError as error:
        _complain(f"\n{error} What was read until now is stored; run the same command again for the rest.")
        return INCOMPLETE
    return max(codes)


async def _import_file(
    settings: Settings, importing: Importer, path: Path, progress: "Progress", new_guild: int | None
) -> int:
    progress.begin(path)
    try:
        outcome = await importing.file(path, progress.show, new_guild=new_guild)
    except UnusableExport as error:
        progress.skip()
        _tell(path, error.damage)
        return INCOMPLETE
    except OSError as error:
        progress.skip()
        _complain(f"{path}: cannot be read: {error.strerror}. Check the file and its permissions.")
        return INCOMPLETE
    progress.finish(outcome)
    _tell_damages(outcome)
    try:
        if settings.is_local and (added := await add_to_local_guild(settings, importing, path)):
            print(f"{path}: {added:,} of them are in the local guild now", flush=True)
    except LocalGuildAway as error:
        _complain(f"{path}: {error}")
        return INCOMPLETE
    return INCOMPLETE if outcome.damages else DONE


def _find(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The files to import, each once, those of a folder in the order of their names; and what leads nowhere."""
    files: dict[Path, None] = {}
    missing: list[Path] = []
    for path in paths:
        found = [path] if path.is_file() else sorted(each for each in path.rglob("*.json") if each.is_file())
        files.update(dict.fromkeys(found))
        if not found:
            missing.append(path)
    return list(files), missing


def _tell_damages(outcome: Outcome) -> None:
    for damage in outcome.damages:
        _tell(outcome.path, damage)
    untold = outcome.broken - len(outcome.damages)
    if untold > 0:
        _complain(f"{outcome.path}: {untold:,} more messages are broken in one of these ways.")


def _tell(path: Path, damage: Damage) -> None:
    place = f"near line {damage.place.line:,}, byte {damage.place.byte:,}"
    if damage.number is not None:
        place += f", message {damage.number:,}"
    _complain(f"{path} ({place}): {damage.what}.\n  → {damage.remedy}")


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Progress:
    """How far an import has come, over all of its files."""

    def __init__(self, out: TextIO, total: int, files: int) -> None:
        self._bar = Bar(out, total)
        self._files = files
        self._file = 0
        self._passed = 0
        self._size = 0

    def begin(self, path: Path) -> None:
        self._file += 1
        self._size = path.stat().st_size

    def skip(self) -> None:
        self._passed += self._size
        self._bar.clear()

    def show(self, outcome: Outcome) -> None:
        state = f"file {self._file} of {self._files}  {outcome.messages:,} messages, {outcome.stored:,} new"
        self._bar.show(self._passed + outcome.done, outcome.path.name, state)

    def finish(self, outcome: Outcome) -> None:
        self._passed += self._size
        self._bar.say(f"{outcome.path}: {_summary(outcome)}")


def _summary(outcome: Outcome) -> str:
    parts = [f"{outcome.messages:,} messages: {outcome.stored:,} new"]
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
