"""The bots as real processes, each with the shard of a guild, on one PostgreSQL of their own; for a test that kills all
of them and looks into the log."""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
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
MOST_SHARDS = 1_000

_NOT_NOW = (*DRIVER_ERRORS, FileNotFoundError, json.JSONDecodeError)
"""What a database says that was killed a moment ago, or is starting."""


class BotProcess:
    """The process that has the shard of a guild."""

    def __init__(self, folder: Path, guild: ChaosGuild, shards: int) -> None:
        shard = guild.shard_of(shards)
        self.guild = guild
        self.kills = 0
        self._arguments = ["bot", "--shards", str(shard), "--of", str(shards)]
        self._log = folder / f"bot-{shard}.log"
        hidden = ("DISCORD_", "DATABASE_URL", "GEMINI", "GOOGLE")
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        self._environment |= {
            "DATA_DIR": str(folder / "data"),
            "DISCORD_TOKEN": guild.bot_token,
            "DISCORD_API_BASE": guild.api_base,
            "DISCORD_GATEWAY_URL": guild.gateway_url,
            "DISCORD_IDENTIFY_SECONDS": "0",
        }
        self._process: Forked | None = None

    def start(self, **settings: str) -> None:
        # Not in the checkout: an .env of the developer's there must not reach the test.
        self._process = Forked(
            "main", self._arguments, folder=self._log.parent, environment=self._environment | settings, log=self._log
        )

    def kill(self) -> None:
        assert self._process is not None
        assert self._process.returncode is None, f"the bot had ended by itself\n{self.last_words()}"
        self._process.kill()
        self._process.join(PATIENCE_SECONDS)
        self.kills += 1

    async def stop(self) -> None:
        """In good order."""
        if self._process is not None:
            self._process.terminate()
            assert await self._process.wait(PATIENCE_SECONDS) == 0, self.last_words()

    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-LAST_LINES:])


@dataclass(frozen=True)
class Kept:
    """What is in the database after a storm."""

    log: list[tuple[int, Row]]
    """Of each row its message, and what has to be the same."""
    facts: list[tuple[int, int]]
    """Of each the guild, and the message that told it."""


class Bots:
    """The processes, and the memory they share."""

    def __init__(self, folder: Path, guilds: Sequence[ChaosGuild]) -> None:
        of = next(
            of for of in range(len(guilds), MOST_SHARDS) if len({guild.shard_of(of) for guild in guilds}) == len(guilds)
        )
        self.all = [BotProcess(folder, guild, of) for guild in guilds]
        self.database_deaths = 0
        self._data_dir = folder / "data"

    @property
    def kills(self) -> int:
        return sum(bot.kills for bot in self.all)

    # The life of their PostgreSQL

    def kill_database(self, who: str) -> bool:
        """`server_pid` or `guardian_pid`; False if there is none at the moment."""
        try:
            pid = int(json.loads(StateFolder(self._data_dir).ready.read_text())[who])
        except _NOT_NOW:
            return False
        return self._kill(pid)

    async def kill_backend(self) -> bool:
        """One that serves a bot: the server ends all others, and recovers."""
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
                self.database_deaths += 1
                return True
        return False

    async def until_database_is_gone(self) -> None:
        await self._until(self._no_guardian, "the guardian to end", needs=())

    async def _no_guardian(self) -> bool:
        lock = StateFolder(self._data_dir).guardian_lock
        return not lock.exists() or not is_held_exclusively(lock)

    # Their log

    async def _until(self, holds: Callable[[], Awaitable[object]], what: str, needs: Sequence[BotProcess]) -> None:
        """Looks until it is so; a database that cannot be asked is asked again."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    for bot in needs:
                        assert bot.is_running(), f"a bot ended by itself, waiting for {what}\n{bot.last_words()}"
                    with contextlib.suppress(*_NOT_NOW):
                        if await holds():
                            return
                    await asyncio.sleep(0.05)
        except TimeoutError:
            last_words = "\n".join(bot.last_words() for bot in needs)
            raise AssertionError(f"waited in vain for {what}\n{last_words}") from None

    async def until_stored(self, bot: BotProcess, message_id: int) -> None:
        await self._until(lambda: self.is_stored(bot, message_id), "a message to be stored", [bot])

    async def is_stored(self, bot: BotProcess, message_id: int) -> bool:
        query = "SELECT count(*) FROM chat_history WHERE guild_id = $1 AND message_id = $2"
        return bool(await self._value(query, bot.guild.guild_id, message_id))

    async def until_swept_once(self, bot: BotProcess) -> None:
        """Every place has been compared with Discord, from its newest message to its first, after it was caught up."""
        await self._until(lambda: self._all_places(bot.guild, "backfill_done"), "the back-fill", [bot])
        now = datetime.now(UTC)
        await self._until(lambda: self._all_places(bot.guild, "swept_at >= $3", now), "the sweep", [bot])

    async def _all_places(self, guild: ChaosGuild, condition: str, *values: object) -> bool:
        query = f"SELECT count(*) FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY($2) AND {condition}"
        places = [*guild.places, *guild.desks]
        return bool(await self._value(query, guild.guild_id, places, *values) == len(places))

    async def until_answered(self, bot: BotProcess) -> None:
        async def is_answered() -> bool:
            return not await bot.guild.unanswered()

        try:
            await self._until(is_answered, "what was told to be answered", [bot])
        except AssertionError as error:
            raise AssertionError(f"{sorted(await bot.guild.unanswered())} {error}") from None

    async def kept(self) -> Kept:
        """All of it, after the bots have stopped and with that have written down what they had heard."""
        server = EmbeddedPostgres(self._data_dir)
        address = await server.connect_arguments()
        connection = await asyncpg.connect(
            host=address.host, port=address.port, user=address.user, database=address.database
        )
        try:
            rows = await connection.fetch("SELECT message_id, channel_id, author_id, text, edited_at FROM chat_history")
            facts = await connection.fetch("SELECT guild_id, message_id FROM facts")
        finally:
            await connection.close()
            await server.close()
        log = [
            (row["message_id"], Row(row["channel_id"], row["author_id"], row["text"], row["edited_at"])) for row in rows
        ]
        return Kept(log, [(fact["guild_id"], fact["message_id"]) for fact in facts])

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
async def chaos_bots(folder: Path, guilds: Sequence[ChaosGuild]) -> AsyncIterator[Bots]:
    bots = Bots(folder, guilds)
    try:
        yield bots
    finally:
        for bot in bots.all:
            if bot.is_running():
                bot.kill()
        await bots.until_database_is_gone()
