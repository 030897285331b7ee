"""Work to be done in the background by a few at a time, each piece under a key.

Asked for twice, a piece is done once; asked for while it is under way, it is done once more afterwards. A piece that
failed is tried again, after growing pauses, without holding up the others.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from memory.tasks import request

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Key:
    """What a piece of work is about: a guild, one channel or thread of it, or the threads that it has archived."""

    guild_id: int
    place_id: int | None = None
    is_archive: bool = False


Work: TypeAlias = Callable[[], Awaitable[bool]]
"""Returns whether it is done; if not, it is tried again."""


class Errands:
    def __init__(self, name: str, at_once: int) -> None:
        self._name = name
        self._at_once = at_once
        self._due: dict[Key, Work] = {}
        self._under_way: set[Key] = set()
        self._again: dict[Key, Work] = {}
        self._later: dict[Key, asyncio.TimerHandle] = {}
        self._failures: dict[Key, int] = {}
        self._wake = asyncio.Semaphore(0)
        self._idle = asyncio.Event()
        self._idle.set()

    def ask(self, key: Key, work: Work) -> None:
        waiting = self._later.pop(key, None)
        if waiting is not None:
            waiting.cancel()
        if key in self._under_way:
            self._again[key] = work
            return
        if key not in self._due:
            self._wake.release()
        self._due[key] = work
        self._idle.clear()

    def ask_later(self, key: Key, work: Work, seconds: float) -> None:
        """Unless it is asked for before."""
        waiting = self._later.pop(key, None)
        if waiting is not None:
            waiting.cancel()
        self._later[key] = asyncio.get_running_loop().call_later(seconds, self.ask, key, work)

    def forget_guild(self, guild_id: int) -> None:
        """What is under way is finished, and not tried again."""
        for key in [key for key in (*self._due, *self._again, *self._later) if key.guild_id == guild_id]:
            self._due.pop(key, None)
            self._again.pop(key, None)
            self._failures.pop(key, None)
            timer = self._later.pop(key, None)
            if timer is not None:
                timer.cancel()
        self._note_idle()

    def pending(self) -> int:
        """How many pieces are not done yet, those that wait to be tried again included."""
        return len(self._due) + len(self._under_way) + len(self._later)

    async def idle(self) -> None:
        """Until there is nothing to do at this moment."""
        await self._idle.wait()

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._at_once):
                    workers.create_task(self._work())
        finally:
            for timer in self._later.values():
                timer.cancel()

    async def _work(self) -> None:
        while True:
            await self._wake.acquire()
            await self._do_next()

    async def _do_next(self) -> None:
        """Apart from the one that waits for more: it would hold on to what was done last, and to whom that was for."""
        key = next(iter(self._due), None)
        if key is None:
            return  # it was forgotten meanwhile
        work = self._due.pop(key)
        self._under_way.add(key)
        try:
            with request(self._name):
                done = await self._tried(key, work)
        finally:
            self._under_way.discard(key)
        self._settle(key, work, done=done)
        self._note_idle()

    async def _tried(self, key: Key, work: Work) -> bool:
        try:
            return await work()
        except Exception:
            # The edge: a piece that stumbles over something nobody thought of must not take the others with it.
            logger.exception("%s failed", self._name, extra={"guild_id": key.guild_id, "channel_id": key.place_id})
            return False

    def _settle(self, key: Key, work: Work, *, done: bool) -> None:
        again = self._again.pop(key, None)
        if done:
            self._failures.pop(key, None)
        else:
            self._failures[key] = self._failures.get(key, 0) + 1
        if again is not None:
            self.ask(key, again)
        elif not done:
            pause = min(FIRST_PAUSE_SECONDS * 2 ** (self._failures[key] - 1), LONGEST_PAUSE_SECONDS)
            self.ask_later(key, work, pause)

    def _note_idle(self) -> None:
        if not self._due and not self._under_way:
            self._idle.set()
