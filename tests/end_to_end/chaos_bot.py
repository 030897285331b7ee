"""The bot as a real process with a PostgreSQL of its own, for a test that kills both and looks into the log."""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import EmbeddedPostgres, is_held_exclusively
from memory.db.errors import DRIVER_ERRORS
from tests.end_to_end.chaos_guild import ChaosGuild, Row
from tests.end_to_end.forked import Forked

PATIENCE_SECONDS = 120.0
LAST_LINES = 40

_NOT_NOW = (*DRIVER_ERRORS, FileNotFoundError, json.JSONDecodeError)
"""What a database says that was killed a moment ago, or is starting."""


class BotProcess:
    def __init__(self, folder: Path, guild: ChaosGuild, **settings: str) -> None:
        self._data_dir = folder / "data"
        self._log = folder / "bot.log"
        self._guild = guild
        hidden = ("DISCORD_", "DATABASE_URL", "GEMINI", "GOOGLE")
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        self._environment |= {
            "DATA_DIR": str(self._data_dir),
            "DISCORD_TOKEN": guild.bot_token,
            "DISCORD_API_BASE": guild.api_base,
            "DISCORD_GATEWAY_URL": guild.gateway_url,
            "DISCORD_IDENTIFY_SECONDS": "0",
            **settings,
        }
        self._process: Forked | None = None
        self.kills = 0

    # Its life

    def start(self, **settings: str) -> None:
        # Not in the checkout: an .env of the developer's there must not reach the test.
        self._process = Forked(
            "main", ["bot"], folder=self._log.parent, environment=self._environment | settings, log=self._log
        )

    def kill(self) -> None:
        assert self._process is not None
        assert self._process.returncode is None, f"the bot had ended by itself\n{self.last_words()}"
        self._process.kill()
        self._process.join(PATIENCE_SECONDS)
        self.kills += 1

    async def stop(self) -> int:
        """In good order; its exit status."""
        if self._process is None:
            return 0
        self._process.terminate()
        return await self._process.wait(PATIENCE_SECONDS)

    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-LAST_LINES:])

    # The life of its PostgreSQL

    def kill_database(self, who: str) -> bool:
        """`server_pid` or `guardian_pid`; False if there is none at the moment."""
        try:
            pid = int(json.loads(StateFolder(self._data_dir).ready.read_text())[who])
        except _NOT_NOW:
            return False
        return self._kill(pid)

    async def kill_backend(self) -> bool:
        """One that serves the bot: the server ends all others, and recovers."""
        try:
            pid = await self._value(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        except _NOT_NOW:
            return False
        return pid is not None and self._kill(int(pid))

    def _kill(self, pid: int) -> bool:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            # The number may belong to somebody else by now.
            family = [process, *process.parents()]
            if any(str(self._data_dir) in part for each in family for part in each.cmdline()):
                process.kill()
                self.kills += 1
                return True
        return False

    async def until_database_is_gone(self) -> None:
        await self.until(self._no_guardian, "the guardian to end", needs_bot=False)

    async def _no_guardian(self) -> bool:
        lock = StateFolder(self._data_dir).guardian_lock
        return not lock.exists() or not is_held_exclusively(lock)

    # Its log

    async def until(self, holds: Callable[[], Awaitable[object]], what: str, *, needs_bot: bool = True) -> None:
        """Looks until it is so; a database that cannot be asked is asked again."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    if needs_bot and not self.is_running():
                        raise AssertionError(f"the bot ended by itself, waiting for {what}\n{self.last_words()}")
                    with contextlib.suppress(*_NOT_NOW):
                        if await holds():
                            return
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {what}\n{self.last_words()}") from None

    async def until_stored(self, message_id: int) -> None:
        await self.until(lambda: self.is_stored(message_id), "a message to be stored")

    async def is_stored(self, message_id: int) -> bool:
        query = "SELECT count(*) FROM chat_history WHERE guild_id = $1 AND message_id = $2"
        return bool(await self._value(query, self._guild.guild_id, message_id))

    async def until_swept_once(self) -> None:
        """Every place has been compared with Discord, from its newest message to its first, after it was caught up."""
        await self.until(lambda: self._all_places("backfill_done"), "the back-fill")
        now = datetime.now(UTC)
        await self.until(lambda: self._all_places("swept_at >= $3", now), "the sweep")

    async def _all_places(self, condition: str, *values: object) -> bool:
        query = f"SELECT count(*) FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY($2) AND {condition}"
        places = self._guild.places
        return bool(await self._value(query, self._guild.guild_id, places, *values) == len(places))

    async def stored(self) -> list[tuple[int, Row]]:
        """All of the log by message id, after the bot has stopped and with that has written down what it had heard."""
        server = EmbeddedPostgres(self._data_dir)
        address = await server.connect_arguments()
        connection = await asyncpg.connect(
            host=address.host, port=address.port, user=address.user, database=address.database
        )
        try:
            rows = await connection.fetch("SELECT message_id, channel_id, author_id, text, edited_at FROM chat_history")
        finally:
            await connection.close()
            await server.close()
        return [
            (row["message_id"], Row(row["channel_id"], row["author_id"], row["text"], row["edited_at"])) for row in rows
        ]

    async def _value(self, query: str, *values: object) -> Any:  # noqa: ANN401 - whatever the query asks for
        async with self._connection() as connection:
            return await connection.fetchval(query, *values)

    @contextlib.asynccontextmanager
    async def _connection(self) -> "AsyncIterator[asyncpg.Connection]":
        """Without becoming one of its users: the test must not keep it alive."""
        ready = json.loads(StateFolder(self._data_dir).ready.read_text())
        connection = await asyncpg.connect(
            host=ready["host"], port=ready["port"], user=ready["user"], database=ready["database"], timeout=10
        )
        try:
            yield connection
        finally:
            connection.terminate()


@contextlib.asynccontextmanager
async def chaos_bot(folder: Path, guild: ChaosGuild, **settings: str) -> AsyncIterator[BotProcess]:
    bot = BotProcess(folder, guild, **settings)
    try:
        yield bot
    finally:
        if bot.is_running():
            bot.kill()
        await bot.until_database_is_gone()
