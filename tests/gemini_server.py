"""A server on loopback that speaks Gemini's wire format, says what a test wants, and misbehaves on demand."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from pydantic import SecretStr

from ai_clients.settings import ModelOptions

KEY = "test-key-never-real"

Payload = dict[str, Any]


@dataclass
class GeminiServer:
    """Repeats everything it was given in the data part, unless it is told what to say or how to fail."""

    server: BaseTestServer
    requests: list[Payload] = field(default_factory=list)
    says: Callable[[str], str] = lambda data: data
    fault: Callable[[web.Request], web.StreamResponse] | None = None
    hangs: bool = False

    def options(self, **changes: object) -> ModelOptions:
        given: Payload = {"GEMINI_API_KEY": SecretStr(KEY), "GOOGLE_GEMINI_BASE_URL": str(self.server.make_url("/"))}
        return ModelOptions.model_validate(given | changes)

    async def generate(self, request: web.Request) -> web.StreamResponse:
        body: Payload = await request.json()
        self.requests.append(body)
        if request.headers.get("x-goog-api-key") != KEY:
            return problem(403)
        if self.hangs:
            await asyncio.sleep(3600)
        if self.fault is not None:
            return self.fault(request)
        return web.json_response(spoken(self.says(data_of(body))))


def data_of(body: Payload) -> str:
    return "\n".join(part["text"] for content in body["contents"] for part in content["parts"])


def rules_of(body: Payload) -> str:
    return "\n".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))


def spoken(text: str, finish: str = "STOP") -> Payload:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
    }


def problem(code: int, *details: Payload) -> web.Response:
    error = {"code": code, "message": "on demand", "status": "X", "details": list(details)}
    return web.json_response({"error": error}, status=code)


def body(text: str | Payload, content_type: str = "application/json", status: int = 200) -> web.Response:
    return web.Response(
        text=text if isinstance(text, str) else json.dumps(text), content_type=content_type, status=status
    )


@contextlib.asynccontextmanager
async def gemini_server() -> AsyncIterator[GeminiServer]:
    app = web.Application()
    gemini = GeminiServer(TestServer(app))
    app.router.add_post("/{version}/models/{name}:generateContent", gemini.generate)
    async with gemini.server:
        yield gemini
