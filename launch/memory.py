"""Opening the memory, which may have to wait for its database; until then the process lives and says so."""

import asyncio
import logging
from contextlib import suppress

from ai_clients.build import Models, build_models, check_models, without_models
from ai_clients.errors import Misconfigured
from ai_clients.settings import ModelOptions
from launch.stop import CannotStartError, unless_stopped
from memory.core.clock import Clock
from memory.db.errors import BinariesNotFound, DatabaseRefused, DataFolderUnusable, SchemaError, StoreError
from memory.health import Health, HealthReport, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions

logger = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
SILENCE_S = 2.0
"""After which a database of somebody else's is said not to answer."""


class Memory:
    """The memory of this process: `manager` once it is open."""

    def __init__(
        self, options: MemoryOptions, clock: Clock, health: Health, models: ModelOptions | None = None
    ) -> None:
        """With `models`, questions can be answered by one; otherwise they are answered by quotation."""
        self._options = options
        self._clock = clock
        self._health = health
        self._model_options = models
        self._models: Models | None = None
        self._part = health.part("database")
        self.manager: MemoryManager | None = None

    async def open(self, stop: asyncio.Event) -> MemoryManager | None:
        """Tries until it is open, which gives the manager, or until `stop` is set, which gives None."""
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
            since = models.counted_since(self._clock.now())
            models.seed(await self.manager.metering.requests_since(since))
        return self.manager

    async def check_models(self) -> None:
        """Says which of the models will answer nothing before a setting changes, in the log and in health."""
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
        """Names the setting: an address that nobody answers at is mistyped more often than not."""
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
