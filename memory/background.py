"""The edge of every job in the background: what goes wrong is logged, said in health, and tried again later.

An error that nobody thought of ends no job for good, and what goes wrong for one guild does not stop another's work.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from ai_clients.errors import ModelError
from memory.db.errors import DatabaseSlow, GuildNotMet, StoreError

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 300.0

T = TypeVar("T")

_ABOUT_ONE_GUILD = (DatabaseSlow, GuildNotMet)
"""Any other failure of the store is one for all guilds."""


async def keep_alive(what: str, work: Callable[[], Awaitable[None]], fails: Callable[[str], None]) -> None:
    """Begins the work again, after pauses that grow, whenever it fails; `fails` tells health. Ends when it ends."""
    failures = 0
    while True:
        began = asyncio.get_running_loop().time()
        try:
            return await work()
        except Exception:
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE_SECONDS:
                failures = 0
            failures += 1
            pause = _pause(failures)
            logger.exception("%s failed and is begun again", what, extra={"in_s": pause})
            fails(f"Something unexpected stopped it ({what}); it is tried again, and the log says why.")
        await asyncio.sleep(pause)


class Setbacks:
    """The guilds for which a job failed. Each is left alone for a pause that grows, so that it holds up no other."""

    def __init__(self, what: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._now = now
        self._failures: dict[int, int] = {}
        self._until: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._failures)

    @property
    def resting(self) -> list[int]:
        """The guilds that are left alone now."""
        return [guild_id for guild_id, until in self._until.items() if self._now() < until]

    def keep(self, guild_ids: Iterable[int]) -> None:
        """Forget all but these: for the others there is nothing to do any more."""
        for guild_id in self._failures.keys() - set(guild_ids):
            del self._failures[guild_id], self._until[guild_id]

    async def survived(self, guild_id: int, work: Awaitable[T]) -> T | None:
        """What comes of the work; None where it fails as nobody thought of.

        Raised are a database that cannot be reached, which is no guild's own, and errors of models, which jobs know.
        """
        try:
            done = await work
        except Exception as error:
            is_its_own = isinstance(error, _ABOUT_ONE_GUILD) or not isinstance(error, StoreError | OSError | ModelError)
            if not is_its_own:
                raise
            self._failures[guild_id] = self._failures.get(guild_id, 0) + 1
            pause = _pause(self._failures[guild_id])
            self._until[guild_id] = self._now() + pause
            logger.exception("%s failed for a guild", self._what, extra={"guild_id": guild_id, "again_in_s": pause})
            return None
        self._failures.pop(guild_id, None)
        self._until.pop(guild_id, None)
        return done


def _pause(failures: int) -> float:
    return min(FIRST_PAUSE_SECONDS * (1 << min(failures - 1, 10)), LONGEST_PAUSE_SECONDS)
