"""A server on loopback that speaks OpenAI's wire format and Ollama's list of models.

It repeats what it was given unless told what to say, can do as much or as little as a test wants, and misbehaves on
demand.
"""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from pydantic import SecretStr

from ai_clients.openai_compatible.client import Server
from tests.replies import in_shape

KEY = "sk-test-never-real"
DIMENSIONS = 4
ALL = frozenset(
    {"json_schema", "json_object", "temperature", "system role", "max_tokens", "max_completion_tokens", "image input"}
)
HUGE = 10_000_000
"""Bytes of a reply that nobody wants to read."""

Payload = dict[str, Any]


@dataclass
class OpenAIServer:
    server: BaseTestServer
    requests: list[Payload] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    says: Callable[[str], str] = lambda data: data
    takes: frozenset[str] = ALL
    names_what_it_refuses: bool = True
    counts: bool = True
    """Tells how many tokens it took."""
    vector: Callable[[str], list[float]] = lambda text: [float(len(text)), 1.0, 2.0, 3.0]
    models: list[str] = field(default_factory=lambda: ["good"])
    installed: list[Payload] = field(default_factory=list)
    """As Ollama lists them."""
    fault: "Fault | None" = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return str(self.server.make_url("/v1"))

    def as_server(self, label: str = "openai", key: str | None = KEY) -> Server:
        return Server(self.url, SecretStr(key) if key else None, label)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body: Payload = await request.json()
        self._note(request, body)
        refused = self._not_taken(body)
        if self.fault is not None:
            return await self.fault(self, request, body)
        if refused is not None:
            return problem(400, f"{refused} is not supported" if self.names_what_it_refuses else "Bad Request")
        return web.json_response(spoken(in_shape(self.says(data_of(body)), body), counts=self.counts))

    async def embeddings(self, request: web.Request) -> web.StreamResponse:
        body: Payload = await request.json()
        self._note(request, body)
        if self.fault is not None:
            return await self.fault(self, request, body)
        return web.json_response(embedded([self.vector(text) for text in body["input"]]))

    async def transcribe(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        sound = form["file"]
        assert isinstance(sound, web.FileField)
        self._note(request, {"model": form["model"], "name": sound.filename, "sound": sound.file.read()})
        if self.fault is not None:
            return await self.fault(self, request, {})
        return web.json_response({"text": self.says("")})

    async def list_models(self, request: web.Request) -> web.StreamResponse:
        self._note(request, {})
        if self.fault is not None:
            return await self.fault(self, request, {})
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})

    async def list_installed(self, request: web.Request) -> web.StreamResponse:
        self._note(request, {})
        if self.fault is not None:
            return await self.fault(self, request, {})
        return web.json_response({"models": self.installed})

    def _note(self, request: web.Request, body: Payload) -> None:
        self.requests.append(body)
        self.headers.append(dict(request.headers))

    def _not_taken(self, body: Payload) -> str | None:
        form = body.get("response_format", {}).get("type")
        asked = {
            "temperature": "temperature" in body,
            "max_tokens": "max_tokens" in body,
            "max_completion_tokens": "max_completion_tokens" in body,
            "json_schema": form == "json_schema",
            "json_object": form == "json_object",
            "system role": any(message["role"] == "system" for message in body["messages"]),
            "image input": bool(files_of(body)),
        }
        return next((name for name, is_asked in asked.items() if is_asked and name not in self.takes), None)


Fault = Callable[[OpenAIServer, web.Request, Payload], Awaitable[web.StreamResponse]]


def rules_of(body: Payload) -> str:
    return "\n".join(message["content"] for message in body["messages"] if message["role"] == "system")


def data_of(body: Payload) -> str:
    said = [message["content"] for message in body["messages"] if message["role"] == "user"]
    parts = [one if isinstance(one, list) else [{"type": "text", "text": one}] for one in said]
    return "\n".join(part["text"] for one in parts for part in one if part["type"] == "text")


def files_of(body: Payload) -> list[tuple[str, bytes]]:
    """The pictures of a request, as they stand in its addresses."""
    parts = [part for message in body["messages"] for part in message["content"] if isinstance(part, dict)]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    split = (url.removeprefix("data:").split(";base64,") for url in urls)
    return [(kind, base64.b64decode(data)) for kind, data in split]


def usage(counts: bool = True) -> Payload:
    return {"usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}} if counts else {}


def spoken(text: str | None, finish: str | None = "stop", *, counts: bool = True, **message: object) -> Payload:
    choice = {"index": 0, "message": {"role": "assistant", "content": text} | message, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]} | usage(counts)


def embedded(vectors: list[list[float]]) -> Payload:
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 3, "total_tokens": 3}}


def problem(
    status: int, message: str = "on demand", headers: dict[str, str] | None = None, **more: object
) -> web.Response:
    error = {"message": message, "type": "some_error", "param": None, "code": None} | more
    return web.json_response({"error": error}, status=status, headers=headers)


@contextlib.asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAIServer]:
    app = web.Application()
    openai = OpenAIServer(TestServer(app))
    app.router.add_post("/v1/chat/completions", openai.chat)
    app.router.add_post("/v1/audio/transcriptions", openai.transcribe)
    app.router.add_post("/v1/embeddings", openai.embeddings)
    app.router.add_get("/v1/models", openai.list_models)
    app.router.add_get("/api/tags", openai.list_installed)
    async with openai.server:
        try:
            yield openai
        finally:
            openai.over.set()
