"""The real discord.py client, remembering every event it dispatched."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import discord

# Far above what an event needs even on a busy machine; a test that waits this long has failed.
PATIENCE = 60.0


async def eventually(condition: Callable[[], object], what: str = "") -> None:
    """Return once the condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE:.0f} s in vain for {what or 'a condition'}")
        await asyncio.sleep(0.005)


class Witness(discord.Client):
    """Keeps (event, arguments) in order of dispatch. Arguments are discord.py's own objects."""

    def __init__(
        self,
        *,
        intents: discord.Intents | None = None,
        chunk_guilds_at_startup: bool = True,
        shard_id: int | None = None,
        shard_count: int | None = None,
    ) -> None:
        super().__init__(
            intents=intents or discord.Intents.all(),
            chunk_guilds_at_startup=chunk_guilds_at_startup,
            shard_id=shard_id,
            shard_count=shard_count,
            guild_ready_timeout=0.05,
        )
        self.seen: list[tuple[str, tuple[Any, ...]]] = []
        self._died: BaseException | None = None

    async def connect(self, *, reconnect: bool = True) -> None:
        try:
            await super().connect(reconnect=reconnect)
        except BaseException as reason:
            self._died = reason
            raise

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        self.seen.append((event, args))
        super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord wants five seconds between two IDENTIFYs; the local guild does not mind."""

    def all(self, event: str) -> list[Any]:
        """The first argument of each such event so far."""
        return [args[0] for name, args in self.seen if name == event]

    def count(self, event: str) -> int:
        return sum(name == event for name, _ in self.seen)

    async def saw(self, event: str, matching: Callable[..., bool] = lambda *_: True) -> tuple[Any, ...]:
        """The arguments of the first such event, waiting for it if need be."""
        found: list[tuple[Any, ...]] = []

        def happened() -> bool:
            if self._died is not None:
                raise AssertionError(f"the client died while waiting for on_{event}") from self._died
            found.extend(args for name, args in self.seen if name == event and matching(*args))
            return bool(found)

        await eventually(happened, f"on_{event}")
        return found[0]

    async def heard(self, content: str) -> discord.Message:
        """The message with this content, once it has arrived."""
        (message,) = await self.saw("message", lambda message: message.content == content)
        assert isinstance(message, discord.Message)
        return message
