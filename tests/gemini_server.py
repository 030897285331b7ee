"""A server on loopback that speaks Gemini's wire format, says what a test wants, and misbehaves on demand."""

import asyncio
import base64
import contextlib
import hashlib
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from pydantic import SecretStr

from ai_clients.settings import ModelOptions
from tests.replies import in_shape

KEY = "test-key-never-real"

Payload = dict[str, Any]
Fault = Callable[[web.Request], web.StreamResponse | Awaitable[web.StreamResponse]]

OVER = web.RequestKey("over", asyncio.Event)

HAS = ("gemini-good", "gemini-3.8-flash", "gemini-3.5-flash-lite", "gemma-4-31b-it", "gemini-embedding-2")


@dataclass
class GeminiServer:
    """Repeats everything it was given in the data part, unless it is told what to say or how to fail."""

    server: BaseTestServer
    requests: list[Payload] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """What was asked of which model, in this order: `gemini-good:generateContent`."""
    says: Callable[[str], str] = lambda data: data
    fault: Fault | None = None
    faults: dict[str, Fault] = field(default_factory=dict)
    """Of single models, by their names."""
    hangs: bool = False
    counts: bool = True
    """Whether replies tell how many tokens they took."""
    has: tuple[str, ...] = HAS
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set at the end, for those who hang."""

    def options(self, **changes: object) -> ModelOptions:
        given: Payload = {"GEMINI_API_KEY": SecretStr(KEY), "GOOGLE_GEMINI_BASE_URL": str(self.server.make_url("/"))}
        return ModelOptions.model_validate(given | changes)

    async def post(self, request: web.Request) -> web.StreamResponse:
        body: Payload = await request.json()
        name, method = request.match_info["name"], request.match_info["method"]
        self.requests.append(body)
        self.asked.append(f"{name}:{method}")
        wrong = await self._wrong(request, name)
        if wrong is not None:
            return wrong
        match method:
            case "generateContent":
                return web.json_response(self._spoken(body))
            case "batchEmbedContents":
                return web.json_response({"embeddings": [embedded(asked) for asked in body["requests"]]})
        return problem(404)

    async def get(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        wrong = await self._wrong(request, name)
        if wrong is not None:
            return wrong
        return web.json_response(described(name)) if name in self.has else problem(404)

    async def all_models(self, request: web.Request) -> web.StreamResponse:
        wrong = await self._wrong(request, "")
        return wrong or web.json_response({"models": [described(name) for name in self.has]})

    async def _wrong(self, request: web.Request, name: str) -> web.StreamResponse | None:
        if request.headers.get("x-goog-api-key") != KEY:
            return problem(403)
        if self.hangs:
            await self.over.wait()
        fault = self.faults.get(name, self.fault)
        if fault is None:
            return None
        request[OVER] = self.over
        answer = fault(request)
        return await answer if inspect.isawaitable(answer) else answer

    def _spoken(self, body: Payload) -> Payload:
        reply = spoken(in_shape(self.says(data_of(body)), body))
        return reply if self.counts else {"candidates": reply["candidates"]}


def data_of(body: Payload) -> str:
    return "\n".join(part["text"] for content in body["contents"] for part in content["parts"] if "text" in part)


def files_of(body: Payload) -> list[tuple[str, bytes]]:
    """The pictures and recordings of a request, as the API receives them."""
    parts = (part["inlineData"] for content in body["contents"] for part in content["parts"] if "inlineData" in part)
    return [(one.get("mimeType") or one["mime_type"], base64.urlsafe_b64decode(one["data"])) for one in parts]


def rules_of(body: Payload) -> str:
    return "\n".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))


def spoken(text: str, finish: str = "STOP") -> Payload:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
    }


def embedded(asked: Payload) -> Payload:
    """The same text always has the same vector, which has not the length 1."""
    text = "".join(part["text"] for part in asked["content"]["parts"])
    seed = hashlib.sha256(text.encode()).digest()
    return {
        "values": [seed[place % 32] - 127.5 + place % 7 for place in range(asked.get("outputDimensionality", 3072))]
    }


def described(name: str) -> Payload:
    methods = ["embedContent", "batchEmbedContents"] if "embedding" in name else ["generateContent"]
    return {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": methods}


def problem(code: int, *details: Payload, status: str = "X", headers: dict[str, str] | None = None) -> web.Response:
    error = {"code": code, "message": "on demand", "status": status, "details": list(details)}
    return web.json_response({"error": error}, status=code, headers=headers)


def body(text: str | Payload, content_type: str = "application/json", status: int = 200) -> web.Response:
    return web.Response(
        text=text if isinstance(text, str) else json.dumps(text), content_type=content_type, status=status
    )


@contextlib.asynccontextmanager
async def gemini_server() -> AsyncIterator[GeminiServer]:
    app = web.Application()
    gemini = GeminiServer(TestServer(app))
    app.router.add_post("/{version}/models/{name}:{method}", gemini.post)
    app.router.add_get("/{version}/models/{name}", gemini.get)
    app.router.add_get("/{version}/models", gemini.all_models)
    async with gemini.server:
        try:
            yield gemini
        finally:
            gemini.over.set()
