"""Composes the two processes. Each imports late what only it needs: the web process loads no discord.py."""

import asyncio
import logging
import sqlite3
from contextlib import suppress

import aiohttp
from pydantic import SecretStr

from ai_clients.build import Models, build_models, check_models, without_models
from ai_clients.errors import Misconfigured
from ai_clients.guard import day_start
from ai_clients.settings import ModelOptions
from bot.settings import BotOptions
from launch import logs
from launch.settings import Settings
from launch.supervise import CannotStartError, check_files, give_up, unless_stopped, until_stopped
from memory.background import start_task
from memory.core.clock import Clock, SystemClock
from memory.db.errors import BinariesNotFound, DatabaseRefused, DataFolderUnusable, SchemaError, StoreError
from memory.health import Health, HealthReport, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.shards import ALL, Shards
from memory.tasks import end

logger = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
SILENCE_S = 2.0
"""After which a database of somebody else's is said not to answer."""


class Memory:
    """Holds the memory of this process: `manager` once it is open."""

    def __init__(
        self, options: MemoryOptions, clock: Clock, health: Health, models: ModelOptions | None = None
    ) -> None:
        """Compose a process; with `models`, questions can be answered by one, otherwise by quotation."""
        self._options = options
        self._clock = clock
        self._health = health
        self._model_options = models
        self._models: Models | None = None
        self._part = health.part("database")
        self.manager: MemoryManager | None = None

    async def open(self, stop: asyncio.Event) -> MemoryManager | None:
        """Try to open the memory until that works, which gives the manager, or `stop` is set, which gives None."""
        pause = FIRST_PAUSE
        models = await self._build_models()
        silence = asyncio.get_running_loop().call_later(SILENCE_S, self._complain_of_silence)
        while not stop.is_set():
            try:
                opening = MemoryManager.open(
                    self._options,
                    clock=self._clock,
                    health=self._health,
                    models=models,
                    prices=self._model_options,
                )
                self.manager = await unless_stopped(opening, stop)
            except (SchemaError, BinariesNotFound, DatabaseRefused, DataFolderUnusable) as error:
                raise CannotStartError(str(error)) from error
            except StoreError as error:
                self._complain(str(error), again_in_s=pause)
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                break
            finally:
                silence.cancel()
        if self.manager is not None:
            since = day_start(self._clock.now())
            models.seed(await self.manager.metering.requests_since(since))
        return self.manager

    async def check_models(self) -> None:
        """Say which of the models will answer nothing before a setting changes, in the log and in health."""
        if self._models is None or self._model_options is None:
            return
        for check in await check_models(self._model_options):
            if check.needs_setting:
                logger.error("model %s: %s. %s", check.model, check.says, check.remedy)
                if check.model in self._models.guards:
                    self._models.guards[check.model].misconfigured(Misconfigured(check.says))
        self._health.part("model check").active()

    def _complain_of_silence(self) -> None:
        is_connected = self._part.snapshot().state is PartState.ACTIVE  # and its tables are brought up to date
        if self._options.database_url is not None and not is_connected:  # to make or repair our own takes longer
            self._complain("The database has not answered yet.")

    def _complain(self, reason: str, **fields: float) -> None:
        """Report the database unavailable, and name the setting: an address nobody answers at is mostly mistyped."""
        reason = reason if self._options.database_url is None else f"DATABASE_URL: {reason}"
        self._part.failing(reason)
        logger.error("database unavailable: %s", reason, extra=fields)

    async def report(self) -> HealthReport:
        if self.manager is not None:
            return await self.manager.heartbeat.report()
        return HealthReport((self._health.snapshot(),), self._clock.now())

    async def close(self) -> None:
        if self.manager is not None:
            await self.manager.close()
        if self._models is not None:
            await self._models.close()

    async def _build_models(self) -> Models:
        if self._models is None:
            self._models = await build_models(self._model_options) if self._model_options else without_models()
        return self._models


PAUSE_S = 0.3
COMPLAIN_AFTER_S = 20.0


async def run_bot_process(settings: Settings, *, tethered: bool, shards: Shards = ALL) -> int:
    """Run the memory first, then Discord, or the local guild where there is no token."""
    from bot.connection import BotError
    from bot.run import garbage_collected_seldom, run_bot

    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    health = Health(shards.process, clock)
    health.is_heard = lambda: False  # another process may be what this one is to become
    health.part("gateway")  # said to be initializing from the start, so that nobody takes a waiting bot for a ready one
    memory = Memory(settings.memory, clock, health, settings.models)
    checking: asyncio.Task[None] | None = None
    async with until_stopped(tethered=tethered) as stop:
        try:
            manager = await memory.open(stop)
            checking = start_task(
                "model check", memory.check_models, lambda issue: health.part("model check").failing(issue)
            )  # nobody waits for it
            options = await local_bot_options(settings, stop) if settings.is_local else settings.bot
            if options is not None and manager is not None:
                options = options.model_copy(update={"panel_url": options.panel_url or settings.web.url})
                with garbage_collected_seldom():
                    await run_bot(options, manager, health, clock, stop, shards)
        except (CannotStartError, BotError) as error:
            return give_up(error)
        finally:
            if checking is not None:
                await end(checking)
            await memory.close()
    return 0


async def local_bot_options(settings: Settings, stop: asyncio.Event) -> BotOptions | None:
    """Make bot options for the local guild, as soon as the web process serves it; None when `stop` comes first."""
    loop = asyncio.get_running_loop()
    complain_at = loop.time() + COMPLAIN_AFTER_S
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as http:
        while not stop.is_set():
            token = await _token(http, settings.web.url)
            if token is not None:
                return settings.bot.model_copy(
                    update={
                        "token": SecretStr(token),
                        "api_base": f"{settings.web.url}/api/v10",
                        "gateway_url": f"{settings.web.url.replace('http', 'ws', 1)}/gateway",
                        "identify_seconds": 0.0,
                    }
                )
            if loop.time() > complain_at:
                logger.warning("waiting for the local guild", extra={"at": settings.web.url})
                complain_at = loop.time() + COMPLAIN_AFTER_S
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), PAUSE_S)
    return None


async def _token(http: aiohttp.ClientSession, base: str) -> str | None:
    try:
        async with http.get(f"{base}/local/world") as answer:
            if answer.status != 200:
                return None
            world = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None
    return str(world["bot"]["token"])


async def run_web_process(settings: Settings, *, tethered: bool) -> int:
    """Serve health, the API, and without a token the local guild with its page."""
    from local_guild.port import PortTakenError, bind
    from local_guild.server import LocalGuild
    from local_guild.serving import serving
    from local_guild.state.describe import WorldFileError, read_world
    from local_guild.state.ids import Clock

    def local_guild_of(settings: Settings) -> LocalGuild | None:
        if not settings.is_local:
            return None
        clock = Clock()
        described = settings.local_guild.world
        world = read_world(described, clock) if described else None
        folder = settings.local_guild_folder
        try:
            return LocalGuild.open(folder, clock=clock, world=world)
        except (OSError, sqlite3.Error) as error:
            raise CannotStartError(f"DATA_DIR: the local guild in {folder} cannot be opened ({error}).") from error

    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    memory = Memory(settings.memory, clock, Health("web", clock), settings.models)
    async with until_stopped(tethered=tethered) as stop:
        try:
            check_files(settings)
            bound = bind(settings.web.host, settings.web.port)
            local_guild = local_guild_of(settings)
        except (CannotStartError, PortTakenError, WorldFileError) as error:
            return give_up(error)
        from web.app import create_app  # takes longer than all before: a taken port is said at once

        opening = asyncio.create_task(memory.open(stop), name="opening the memory")
        opening.add_done_callback(lambda done: stop.set() if done.exception() else None)
        given = settings.web.metrics_token
        metrics_token = "" if given is None else given.get_secret_value()
        app = create_app(
            memory.report, lambda: memory.manager, local_guild, settings.bot.panel_url, metrics_token=metrics_token
        )
        try:
            async with serving(app, bound):
                await stop.wait()
            await opening
        except CannotStartError as error:
            return give_up(error)
        finally:
            if local_guild is not None:
                await local_guild.close()
            await memory.close()
    return 0
