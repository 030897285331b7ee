"""The ways in which the Gemini API can fail, each for replies and vectors alike."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from ai_clients.errors import BadReply, KeyRefused, ModelError, ModelGone, RateLimited, Refused, TimedOut, Unavailable
from tests.gemini_server import OVER, Fault, Payload, body, problem, spoken

HUGE = 10_000_000
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}
WRONG_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}


@dataclass(frozen=True, slots=True)
class Trouble:
    fault: Fault
    error: type[ModelError]
    error_of_vectors: type[ModelError] | None = None
    """Where it is another one: replies are blocked, vectors are not."""


def saying(payload: object) -> Callable[[web.Request], web.StreamResponse]:
    return lambda _: body(payload if isinstance(payload, str) else json.dumps(payload))


async def hanging(request: web.Request) -> web.StreamResponse:
    await request[OVER].wait()
    return web.Response()


async def trickling(request: web.Request) -> web.StreamResponse:
    """A byte now and then, always in time for a timeout that begins anew with each."""
    response = await begun(request)
    with contextlib.suppress(ConnectionError):
        while not request[OVER].is_set():
            await response.write(b" ")
            await asyncio.sleep(0.02)
    return response


def resetting(request: web.Request) -> web.StreamResponse:
    transport = request.transport
    assert isinstance(transport, asyncio.WriteTransport)
    transport.abort()
    return web.Response()


async def resetting_midway(request: web.Request) -> web.StreamResponse:
    response = await begun(request)
    await response.write(json.dumps(spoken("Half a sentence")).encode()[:60])
    return resetting(request)


async def huge(request: web.Request) -> web.StreamResponse:
    text = json.dumps(spoken("la " * (HUGE // 3)) | {"embeddings": [{"values": [0.5] * 10}]})
    response = await begun(request)
    with contextlib.suppress(ConnectionError):
        for start in range(0, len(text), 2**16):
            await response.write(text[start : start + 2**16].encode())
    return response


async def begun(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    return response


def _candidate(**changes: object) -> Payload:
    return {"candidates": [{"index": 0} | changes]}


TROUBLES: dict[str, Trouble] = {
    "400": Trouble(lambda _: problem(400), Refused),
    "400 wrong key": Trouble(lambda _: problem(400, WRONG_KEY), KeyRefused),
    "400 country": Trouble(lambda _: problem(400, status="FAILED_PRECONDITION"), KeyRefused),
    "401": Trouble(lambda _: problem(401), KeyRefused),
    "403": Trouble(lambda _: problem(403), KeyRefused),
    "404 model gone": Trouble(lambda _: problem(404), ModelGone),
    "429": Trouble(lambda _: problem(429), RateLimited),
    "429 with RetryInfo": Trouble(lambda _: problem(429, RETRY_INFO), RateLimited),
    "429 with Retry-After": Trouble(lambda _: problem(429, headers={"Retry-After": "23"}), RateLimited),
    "500": Trouble(lambda _: problem(500), Unavailable),
    "503": Trouble(lambda _: problem(503), Unavailable),
    "502 in HTML": Trouble(lambda _: body("<html>Bad gateway</html>", "text/html", 502), Unavailable),
    "hang": Trouble(hanging, TimedOut),
    "slow trickle": Trouble(trickling, TimedOut),
    "connection reset": Trouble(resetting, Unavailable),
    "connection reset midway": Trouble(resetting_midway, Unavailable),
    "HTML instead of JSON": Trouble(lambda _: body("<html>Welcome</html>", "text/html"), BadReply),
    "truncated JSON": Trouble(saying('{"candidates": [{"content": {"par'), BadReply),
    "wrong shape": Trouble(saying({"candidates": "no list", "embeddings": 7}), BadReply),
    "a list": Trouble(saying([]), BadReply),
    "an error in a reply": Trouble(saying({"error": "no object"}), BadReply),
    "nothing": Trouble(saying({}), BadReply),
    "empty candidates": Trouble(saying({"candidates": []}), BadReply),
    "no content": Trouble(saying(_candidate(finishReason="STOP")), BadReply),
    "empty text": Trouble(saying(spoken("   ")), BadReply),
    "broken off for no reason": Trouble(saying(spoken("Half a sen", finish="OTHER")), BadReply),
    "safety block": Trouble(saying({"promptFeedback": {"blockReason": "SAFETY"}}), Refused, BadReply),
    "safety stop": Trouble(saying(spoken("Half a sen", finish="SAFETY")), Refused, BadReply),
    "10 MB reply": Trouble(huge, BadReply),
}
