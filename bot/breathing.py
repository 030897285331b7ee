"""Long lists, gone through without holding up what else happens."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

BREATH_SECONDS = 0.004
"""How long may be worked without a pause: far below the 20 ms that anybody may have to wait."""

Item = TypeVar("Item")


async def unhurried(items: Iterable[Item]) -> AsyncIterator[Item]:
    """One after the other; whenever a breath is over, others come first."""
    now = asyncio.get_running_loop().time
    begun = now()
    for item in items:
        yield item
        if now() - begun > BREATH_SECONDS:
            await asyncio.sleep(0)
            begun = now()
