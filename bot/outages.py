"""Says once that memory cannot be reached, and once that it is back, however many events come in between."""

import logging
from collections.abc import Awaitable

from memory.db.errors import StoreError
from memory.health import Part

logger = logging.getLogger(__name__)


class Outages:
    def __init__(self, part: Part) -> None:
        self._part = part
        self._missed = 0

    async def survived(self, work: Awaitable[None]) -> bool:
        """Whether memory took it. A failure of the store ends here; anything else is a bug and goes on."""
        try:
            await work
        except StoreError as error:
            reason = type(error).__name__
            if not self._missed:
                logger.error("memory cannot be reached; events are missed", extra={"reason": reason})
            self._missed += 1
            self._part.count("missed")
            self._part.failing(f"Memory cannot be reached ({reason}); {self._missed} events were missed.")
            return False
        if self._missed:
            logger.warning("memory is back", extra={"missed": self._missed})
            self._missed = 0
        self._part.active()
        self._part.touch()
        return True
