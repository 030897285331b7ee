"""Things that concern the same key happen one after the other, in the order in which they were announced.

discord.py starts a task for every event. Without this, the deletion of a message could overtake its storing, and the
message would stay. Different keys do not wait for each other.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from contextlib import asynccontextmanager


class Turns:
    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Future[None]] = {}

    def take(self, keys: Iterable[Hashable]) -> "Turn":
        """Announces something about `keys`. Not a coroutine: the place in the line is taken at once."""
        keys = tuple(dict.fromkeys(keys))
        before = {self._last[key] for key in keys if key in self._last}
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for key in keys:
            self._last[key] = done
        return Turn(self._last, keys, before, done)

    def under_way(self) -> set[asyncio.Future[None]]:
        """What has been announced and is not over yet."""
        return set(self._last.values())

    async def settle(self) -> None:
        """Until that is over; what is announced meanwhile is not waited for."""
        if self._last:
            await asyncio.wait(self.under_way())

    def __len__(self) -> int:
        """How many keys have something under way."""
        return len(self._last)


class Turn:
    def __init__(
        self,
        last: dict[Hashable, asyncio.Future[None]],
        keys: tuple[Hashable, ...],
        before: set[asyncio.Future[None]],
        done: asyncio.Future[None],
    ) -> None:
        self._last = last
        self._keys = keys
        self._before = before
        self._done = done

    @asynccontextmanager
    async def come(self) -> AsyncIterator[None]:
        """Waits for what was announced before, and lets the next one go when left."""
        try:
            if self._before:
                await asyncio.wait(self._before)
            yield
        finally:
            self.pass_on()

    def when_over(self, tell: Callable[[], object]) -> None:
        """Also if it never came."""
        self._done.add_done_callback(lambda _: tell())

    def pass_on(self, _earlier: asyncio.Future[None] | None = None) -> None:
        """Lets the next one go, but not past those before us: one that stops waiting does not open the way."""
        for earlier in self._before:
            if not earlier.done():
                earlier.add_done_callback(self.pass_on)
                return
        for key in self._keys:
            if self._last.get(key) is self._done:
                del self._last[key]
        if not self._done.done():
            self._done.set_result(None)
