"""The ways in which a server of OpenAI's kind can fail, each for replies and vectors alike."""

import contextlib
import inspect
import json

from aiohttp import web

from tests import gemini_faults, gemini_server
from tests.openai_server import HUGE, Fault, OpenAIServer, Payload, problem, spoken


def answering(status: int, message: str = "on demand", headers: dict[str, str] | None = None, **more: object) -> Fault:
    """Repeats what was asked in its error, as some servers do."""

    async def fault(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        return problem(status, f"{message}: {json.dumps(body)} {request.headers.get('Authorization')}", headers, **more)

    return fault


def saying(text: str, content_type: str = "application/json", status: int = 200) -> Fault:
    async def fault(_: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
        return web.Response(text=text, content_type=content_type, status=status)

    return fault


def ending(finish: str, text: str = "Half a sen") -> Fault:
    return saying(json.dumps(spoken(text, finish)))


def like_gemini(fault: gemini_server.Fault) -> Fault:
    """The same trouble on the way, whoever speaks."""

    async def failing(server: OpenAIServer, request: web.Request, _body: Payload) -> web.StreamResponse:
        request[gemini_server.OVER] = server.over
        answer = fault(request)
        return await answer if inspect.isawaitable(answer) else answer

    return failing


hanging, trickling = like_gemini(gemini_faults.hanging), like_gemini(gemini_faults.trickling)
resetting, resetting_midway = like_gemini(gemini_faults.resetting), like_gemini(gemini_faults.resetting_midway)


async def huge(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
    is_vectors = "input" in body
    start = '{"data": [{"index": 0, "embedding": [0.25' if is_vectors else '{"choices": [{"message": {"content": "'
    part = ", 0.5" * 200 if is_vectors else "x" * 1000
    response = await gemini_faults.begun(request)
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
