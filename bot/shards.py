"""Keeps a bot of several processes in step: none speaks without its shards, and none identifies too soon."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import aiohttp
import discord
from yarl import URL

from memory.core.clock import Clock
from memory.health import HealthReporter
from memory.shards import ShardLeases

logger = logging.getLogger(__name__)

LIMITS_SECONDS = 5.0
"""How long identifying waits to be told how often it may be done."""


class ShardsLostError(ConnectionError):
    """Another process may be connected as these shards by now, and say the same."""


def fenced(is_ours: Callable[[], bool]) -> aiohttp.TraceConfig:
    """For a client: whatever would change something at Discord is looked at once more right before it is sent.

    A process that was stopped for a minute goes on in the middle of a reply, before any timer tells it so.
    """
    trace = aiohttp.TraceConfig()

    async def look(_session: object, _context: object, request: aiohttp.TraceRequestStartParams) -> None:
        if request.method != "GET" and not is_ours():
            raise ShardsLostError

    trace.on_request_start.append(look)
    return trace


# Discord's gateway cannot be reached at the start. discord.py tries again within the try that failed, so that each is
# told with the frames of all before, and after a thousand of them Python gives up.


DISCORDS_PAUSE_SECONDS = 5.0
"""discord.py's own, after each try that failed."""
LONGEST_PAUSE_SECONDS = 30.0


class _TryFailedError(ConnectionError):
    """Leads out of the failed try; its context is what went wrong."""


class PatientClient(discord.AutoShardedClient):
    """Tries the first connection of each shard again until it holds, in a loop."""

    def __init__(self, gateway: HealthReporter, **options: Any) -> None:  # noqa: ANN401 - discord.py's own
        super().__init__(**options)
        self._gateway = gateway
        self._launching: set[int] = set()

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Of discord.py, which calls it once more when a try has failed."""
        if shard_id in self._launching:
            raise _TryFailedError
        self._launching.add(shard_id)
        pause = 0.0
        try:
            while not await self._is_launched(gateway, shard_id, initial=initial):
                await asyncio.sleep(pause)
                pause = min(pause + DISCORDS_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS - DISCORDS_PAUSE_SECONDS)
        finally:
            self._launching.discard(shard_id)

    async def _is_launched(self, gateway: URL, shard_id: int, *, initial: bool) -> bool:
        try:
            await super().launch_shard(gateway, shard_id, initial=initial)
        except _TryFailedError as error:
            reason = type(error.__context__).__name__
            self._gateway.failing(f"Discord's gateway cannot be reached ({reason}); it is tried again and again.")
            return False
        return True


def _leave_out_frames(record: logging.LogRecord) -> bool:
    if record.exc_info and record.exc_info[0]:
        logger.debug("a try to connect failed", exc_info=record.exc_info)
        record.msg, record.args = f"{record.getMessage()} ({record.exc_info[0].__name__})", None
        record.exc_info = None
    return True


def log_connections_briefly() -> None:
    """From here on: one short line for each try that failed; where in the code it did is for DEBUG."""
    logging.getLogger("discord.shard").addFilter(_leave_out_frames)


class SessionStarts:
    """Every IDENTIFY of this bot, in whichever process: in each bucket some seconds apart, and so many in a day."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        leases: ShardLeases,
        gateway: HealthReporter,
        clock: Clock,
        seconds: float,
    ) -> None:
        """`seconds` apart; 0: whoever serves the gateway does not mind."""
        self._client = client
        self._leases = leases
        self._gateway = gateway
        self._clock = clock
        self._seconds = seconds
        self._buckets = 1

    async def turn(self, shard_id: int) -> None:
        """Returns when this shard may identify."""
        while (limits := await self._limits()) is not None and limits.remaining == 0:
            pause = max(limits.reset_after / 1000, 1.0)
            again = self._clock.now() + timedelta(seconds=pause)
            self._gateway.failing(
                f"Discord lets this bot connect {limits.total} times a day, and that is used up; it waits until "
                f"{again:%Y-%m-%d %H:%M} UTC. Look in the log for what made it connect so often."
            )
            await asyncio.sleep(pause)
        if self._seconds:
            await self._leases.turn(shard_id % self._buckets, self._seconds)

    async def _limits(self) -> discord.SessionStartLimits | None:
        """None where Discord does not say so now: then what it last said holds, and it counts by itself."""
        try:
            async with asyncio.timeout(LIMITS_SECONDS):
                limits = await self._client.fetch_session_start_limits()
        except (discord.GatewayNotFound, aiohttp.ClientError, TimeoutError, OSError, KeyError) as error:
            logger.info("could not read the gateway's session limit: %s", type(error).__name__)
            return None
        self._buckets = max(limits.max_concurrency, 1)
        self._gateway.show(starts_left=limits.remaining)
        return limits
