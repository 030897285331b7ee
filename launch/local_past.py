"""Makes an import the local guild's own past, so that its page and its history have it too."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from launch.settings import Settings
from local_guild.running import serve
from local_guild.server import STATE_FILE, LocalGuild
from memory.importing.importer import Importer


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
