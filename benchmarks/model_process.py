"""Runs a model on loopback in a process of its own, which knows when each request reached it.

It speaks Gemini's wire format. Its clock is the one that all processes of the machine share.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web
from pydantic import SecretStr

from ai_clients.settings import ModelOptions
from memory.answers.generate import ModelReply

START_SECONDS = 60.0
SAID = "Somebody who likes long walks and talks about them. " * 12
_PERSON = re.compile(r'<person id="(\d+)"')
_NUMBERED = '<message n="1"'


@dataclass(frozen=True, slots=True)
class Arrival:
    at: float
    """By `time.monotonic`."""
    model: str
    is_answer: bool


@dataclass(frozen=True, slots=True)
class ModelProcess:
    http: httpx.AsyncClient
    url: str

    def options(self) -> ModelOptions:
        given = {"GEMINI_API_KEY": SecretStr("a key that opens nothing"), "GOOGLE_GEMINI_BASE_URL": self.url}
        return ModelOptions.model_validate(given)

    async def arrivals(self) -> list[Arrival]:
        """List all requests that arrived since this was last asked."""
        told = (await self.http.get("/arrivals")).raise_for_status().json()
        return [Arrival(**one) for one in told]

    async def take_time(self, seconds: float) -> None:
        """Have it understand a question so late from now on, and name three searches."""
        (await self.http.post("/seconds", json=seconds)).raise_for_status()


@asynccontextmanager
async def model_process(searches: Path | None = None) -> AsyncIterator[ModelProcess]:
    """Run the model on a free port; gone with the block. `searches`: a file with what it looks for, by question."""
    command = [sys.executable, "-m", "benchmarks.model_process", *([] if searches is None else [str(searches)])]
    started = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert started.stdout is not None
    try:
        url = (await asyncio.wait_for(started.stdout.readline(), START_SECONDS)).decode().strip()
        async with httpx.AsyncClient(base_url=url, timeout=START_SECONDS) as http:
            yield ModelProcess(http, url)
    finally:
        if started.returncode is None:
            started.terminate()
        await started.wait()


class _Server:
    def __init__(self, searches: Mapping[str, Sequence[str]]) -> None:
        self._arrivals: list[dict[str, object]] = []
        self._searches = searches
        self._seconds = 0.0

    async def take_time(self, request: web.Request) -> web.Response:
        self._seconds = await request.json()
        return web.Response()

    async def arrivals(self, _: web.Request) -> web.Response:
        told, self._arrivals = self._arrivals, []
        return web.json_response(told)

    async def speak(self, request: web.Request) -> web.Response:
        at, name = time.monotonic(), request.match_info["name"]
        body: dict[str, Any] = await request.json()
        is_answer = ModelReply.__name__ in json.dumps(body)
        self._arrivals.append({"at": at, "model": name, "is_answer": is_answer})
        data = str(body["contents"][0]["parts"][0].get("text", ""))
        asked = html.unescape(data.partition("<typed-")[2])
        searches = next((found for question, found in self._searches.items() if asked and question in asked), ())
        if asked and self._seconds:
            await asyncio.sleep(self._seconds)
            words = asked.split()[5:]
            searches = [" ".join(words[place : place + 2]) for place in (0, 2, 4)]
        return web.json_response(_spoken(json.dumps(_shaped(json.dumps(body["contents"])) | {"searches": searches})))


def _shaped(data: str) -> dict[str, object]:
    """Reply with a part for whatever shape is asked for."""
    given = data.replace('\\"', '"')
    people = _PERSON.findall(given)
    cited = "[1]" if _NUMBERED in given else ""  # of a channel nothing is kept without
    return {
        "members": [{"id": one, "summary": "They talked about long walks."} for one in people],
        "summary": SAID + cited,
        "context": SAID,
        "wants": "question",
        "kind": "missing",
        "answer": "That is not known here.",
    }


def _spoken(text: str) -> dict[str, object]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 500, "candidatesTokenCount": 20, "totalTokenCount": 520},
    }


async def _serve(searches: Mapping[str, Sequence[str]]) -> None:
    server, app = _Server(searches), web.Application(client_max_size=100_000_000)
    app.router.add_post("/{version}/models/{name}:{method}", server.speak)
    app.router.add_get("/arrivals", server.arrivals)
    app.router.add_post("/seconds", server.take_time)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    _, port = runner.addresses[0][:2]
    print(f"http://127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")) if len(sys.argv) > 1 else {}))
