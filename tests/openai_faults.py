"""The ways in which a server of OpenAI's kind can fail, each for whole replies, streams and vectors alike."""

import asyncio
import contextlib
import json

from aiohttp import web

from tests.openai_server import HUGE, Fault, OpenAIServer, Payload, problem, spoken, step, streamed, told


def answering(status: int, message: str = "on demand", headers: dict[str, str] | None = None, **more: object) -> Fault:
    """Repeats what was asked in its error, as some servers do."""

    async def fault(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        return problem(status, f"{message}: {json.dumps(body)} {request.headers.get('Authorization')}", headers, **more)

    return fault


def saying(text: str, content_type: str = "application/json", status: int = 200) -> Fault:
    async def fault(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        is_stream = bool(body.get("stream")) and content_type == "application/json"
        kind = "text/event-stream" if is_stream else content_type
        said = f"data: {text}\n\ndata: [DONE]\n\n" if is_stream else text
        return web.Response(text=said, content_type=kind, status=status)

    return fault


def ending(finish: str | None, text: str = "Half a sen") -> Fault:
    async def fault(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        if body.get("stream"):
            return await streamed(request, told([text], finish))
        return web.json_response(spoken(text, finish))

    return fault


async def hanging(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    await server.over.wait()
    return web.Response()


async def trickling(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    """A byte now and then, always in time for a timeout that begins anew with each."""
    kind = "text/event-stream" if body.get("stream") else "application/json"
    response = web.StreamResponse(headers={"Content-Type": kind})
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while not server.over.is_set():
            await response.write(b" ")
            await asyncio.sleep(0.02)
    return response


async def trickling_words(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    if not body.get("stream"):
        return await trickling(server, request, body)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while not server.over.is_set():
            await response.write(f"data: {json.dumps(step({'content': 'la '}))}\n\n".encode())
            await asyncio.sleep(0.02)
    return response


async def resetting(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def resetting_midway(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    kind = "text/event-stream" if body.get("stream") else "application/json"
    response = web.StreamResponse(headers={"Content-Type": kind})
    await response.prepare(request)
    await response.write(f"data: {json.dumps(step({'content': 'Half a '}))}\n\n".encode())
    assert request.transport is not None
    request.transport.abort()
    return response


async def huge(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    if body.get("stream"):
        return await _as_far_as_wanted(request, "", f"data: {json.dumps(step({'content': 'x' * 1000}))}\n\n")
    if "input" in body:
        return await _as_far_as_wanted(request, '{"data": [{"index": 0, "embedding": [0.25', ", 0.5" * 200)
    return await _as_far_as_wanted(request, '{"choices": [{"message": {"content": "', "x" * 1000)


async def huge_in_one_piece(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    if not body.get("stream"):
        return await huge(server, request, body)
    return await _as_far_as_wanted(request, "data: ", "x" * 1000)


async def _as_far_as_wanted(request: web.Request, start: str, part: str) -> web.StreamResponse:
    kind = "text/event-stream" if "data:" in start + part else "application/json"
    response = web.StreamResponse(headers={"Content-Type": kind})
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        await response.write(start.encode())
        for _ in range(HUGE // len(part)):
            await response.write(part.encode())
    return response


async def huge_refusal(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    return problem(503, "x" * (HUGE // 10))


async def packed(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    """What unfolds to a gigabyte fits into a megabyte."""
    response = web.json_response(spoken("x" * 1_000_000))
    response.enable_compression(web.ContentCoding.gzip)
    return response


async def nested(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    return await saying("[" * 200_000)(_, request, body)
