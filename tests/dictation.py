"""A reply that a Gemini server gives piece by piece, just when a test wants it."""

import asyncio
import json
from dataclasses import dataclass, field
from enum import Enum

from aiohttp import web

from tests.gemini_server import GeminiServer, growing, spoken


class Act(Enum):
    BREAK_OFF = "the connection ends in the middle"


@dataclass
class Dictation:
    """To be put where a fault of the server goes. Speaks for one request after the other."""

    pieces: asyncio.Queue[str | Act | None] = field(default_factory=asyncio.Queue)
    begun: int = 0

    def take(self, gemini: GeminiServer) -> "Dictation":
        gemini.fault = self
        return self

    def say(self, *pieces: str) -> None:
        for piece in pieces:
            self.pieces.put_nowait(piece)

    def end(self, *last: str) -> None:
        self.say(*last)
        self.pieces.put_nowait(None)

    def break_off(self) -> None:
        self.pieces.put_nowait(Act.BREAK_OFF)

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.begun += 1
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while (piece := await self.pieces.get()) is not None:
            if piece is Act.BREAK_OFF:
                assert request.transport is not None
                request.transport.abort()
                return response
            await response.write(_event(growing(str(piece))))
        await response.write(_event(spoken("")))
        await response.write_eof()
        return response


def _event(payload: object) -> bytes:
    return f"data: {json.dumps(payload)}\r\n\r\n".encode()
