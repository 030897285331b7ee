"""Keeps a bot of several processes in step: none speaks without its shards, and none identifies too soon."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

import aiohttp
import discord

from memory.core.clock import Clock
from memory.health import Part
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


class SessionStarts:
    """Every IDENTIFY of this bot, in whichever process: in each bucket some seconds apart, and so many in a day."""

    def __init__(
        self, client: discord.AutoShardedClient, leases: ShardLeases, gateway: Part, clock: Clock, seconds: float
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
            logger.info("how often it may connect is not known: %s", type(error).__name__)
            return None
        self._buckets = max(limits.max_concurrency, 1)
        self._gateway.show(starts_left=limits.remaining)
        return limits
