"""Ending a task of one's own."""

import asyncio


async def end(task: "asyncio.Task[None]") -> None:
    """Cancelled, and over; what it failed with is raised.

    Not by catching what it ends with: whoever is cancelled while they wait here would take that for its end, go on, and
    be waited for in vain.
    """
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()
