"""Ends tasks of one's own."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any


async def end(task: "asyncio.Task[None]") -> None:
    """Cancel a task, and wait until it is over; what it failed with is raised.

    Not by catching what it ends with: whoever is cancelled while they wait here would take that for its end, go on, and
    be waited for in vain.
    """
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


async def drop(*tasks: "asyncio.Task[Any] | None") -> None:
    """Cancel tasks, and wait until they are over; what comes of them is of no interest, not even that they failed."""
    dropped = [task for task in tasks if task is not None]
    for task in dropped:
        task.cancel()
    await asyncio.gather(*dropped, return_exceptions=True)


# One short id from an event to its reply, on every line of the log that belongs to it.


NO_REQUEST = "-"

_request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)


def current_request() -> str:
    return _request_id.get()


@contextlib.contextmanager
def request(kind: str) -> Iterator[str]:
    """Give everything inside, and every task started inside, an id of its own: `message-3f9a1c`.

    A request inside a request keeps the outer id, because it is part of the same story.
    """
    outer = _request_id.get()
    if outer != NO_REQUEST:
        yield outer
        return
    request_id = f"{kind}-{secrets.token_hex(3)}"
    token = _request_id.set(request_id)
    try:
        yield request_id
    finally:
        _request_id.reset(token)


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to every record, for formatters to show."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        return True
