"""The servers that fail on demand, asked by the real SDKs, and what a member should hear of each fault."""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from aiohttp import web

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Guard, Link
from ai_clients.gemini import GeminiApi, GeminiEmbedder, GeminiModel
from ai_clients.openai_compatible.embedder import OpenAIEmbedder
from ai_clients.openai_compatible.model import OpenAIModel
from memory.answers.generate import Reason, Why
from memory.language.detect import Language
from tests import gemini_server, openai_faults, openai_server
from tests.gemini_faults import TROUBLES
from tests.models import ClosableModel, Watch, answering

OTHER_PURPOSES = {Purpose.SMALL: "small", Purpose.SUMMARISE: "diligent"}
"""Those that have a model of their own, and what it is called on a server that has no names for them."""
DAY_BY_MODEL = "They spoke of the quiz, says the model."
CONTEXT_BY_MODEL = "All of it, merged by the model."
ENJOY = "what would I enjoy?"
KNOWS_NOTHING = "I know:"
"""What the model says to that if it was told of nobody."""
"""Asked this, the model repeats what it was told of those who are in its prompt."""
_PERSON = re.compile(r'<person id="(\d+)"')
_FACTS = re.compile(r"^\d+ about [^:]*: (.*)$", re.MULTILINE)
_KNOWN = re.compile(r'<member name="[^"]*">([^<]*)</member>')


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of the table."""

    name: str
    why: Why
    gemini: gemini_server.Fault
    openai: openai_server.Fault

    @property
    def sentence(self) -> str:
        return Reason(self.why).sentence(Language.EN)


def _fault(name: str, why: Why, of_gemini: str, of_openai: openai_server.Fault) -> Fault:
    return Fault(name, why, TROUBLES[of_gemini].fault, of_openai)


FAULTS = (
    _fault("400", Why.REFUSED, "400", openai_faults.answering(400)),
    _fault("401", Why.MISCONFIGURED, "401", openai_faults.answering(401)),
    _fault("403", Why.MISCONFIGURED, "403", openai_faults.answering(403)),
    _fault("404, model gone", Why.MISCONFIGURED, "404 model gone", openai_faults.answering(404, "model not found")),
    _fault("429", Why.BUSY, "429", openai_faults.answering(429)),
    _fault(
        "429 with a delay",
        Why.BUSY,
        "429 with RetryInfo",
        openai_faults.answering(429, headers={"Retry-After": "17"}),
    ),
    _fault("500", Why.AWAY, "500", openai_faults.answering(500)),
    _fault("503", Why.AWAY, "503", openai_faults.answering(503)),
    _fault("hang", Why.SLOW, "hang", openai_faults.hanging),
    _fault("slow trickle", Why.SLOW, "slow trickle", openai_faults.trickling),
    _fault("connection reset", Why.AWAY, "connection reset", openai_faults.resetting),
    _fault("reset midway", Why.AWAY, "connection reset midway", openai_faults.resetting_midway),
    _fault("HTML", Why.UNUSABLE, "HTML instead of JSON", openai_faults.saying("<html>Welcome</html>", "text/html")),
    _fault("truncated JSON", Why.UNUSABLE, "truncated JSON", openai_faults.saying('{"choices": [{"message": {"con')),
    _fault("wrong shape", Why.UNUSABLE, "wrong shape", openai_faults.saying('{"choices": "none", "data": 7}')),
    _fault("empty candidates", Why.UNUSABLE, "empty candidates", openai_faults.saying('{"choices": [], "data": []}')),
    _fault("safety block", Why.REFUSED, "safety block", openai_faults.ending("content_filter")),
    _fault("10 MB reply", Why.UNUSABLE, "10 MB reply", openai_faults.huge),
)


@dataclass
class Provider:
    name: str
    key: str
    models: Models
    watch: Watch
    fail: Callable[[Purpose, Fault], None]
    """What is asked for that purpose fails like this from now on, and nothing else does."""
    heal: Callable[[], None]
    embedded: Callable[[str], int]
    """How often a vector was asked for, of a text with these words."""


Open = Callable[[str, float], contextlib.AbstractAsyncContextManager[Provider]]
"""With a model that says this, and has so many seconds for it."""


@contextlib.asynccontextmanager
async def gemini(says: str, seconds: float) -> AsyncIterator[Provider]:
    async with gemini_server.gemini_server() as server:
        server.says = _saying(says)
        watch = Watch()
        names = {
            Purpose.ANSWER: "gemini-good",
            Purpose.EMBED: "gemini-embedding-2",
            Purpose.SMALL: "gemini-3.5-flash-lite",
            Purpose.SUMMARISE: "gemini-3.8-flash",
        }
        api = GeminiApi(server.options())
        model, embedder = GeminiModel(names[Purpose.ANSWER], api), GeminiEmbedder(names[Purpose.EMBED], api)

        def fail(purpose: Purpose, fault: Fault) -> None:
            server.faults = {names[purpose]: fault.gemini}

        def heal() -> None:
            server.faults = {}

        models = answering(model, seconds=seconds, watch=watch, embedder=embedder)
        for purpose in OTHER_PURPOSES:
            models = _and(models, purpose, GeminiModel(names[purpose], api), seconds, watch)

        def embedded(words: str) -> int:
            return sum(words in json.dumps(body["requests"]) for body in server.requests if "requests" in body)

        yield Provider("Gemini", gemini_server.KEY, models, watch, fail, heal, embedded)


@contextlib.asynccontextmanager
async def openai(says: str, seconds: float) -> AsyncIterator[Provider]:
    async with openai_server.openai_server() as server:
        server.says = _saying(says)
        server.vector = lambda text: [float(len(text)), *map(float, range(1, 8))]
        watch = Watch()
        at = server.as_server()
        model, embedder = OpenAIModel("good", at, seconds), OpenAIEmbedder("vectors", at, seconds)

        def fail(purpose: Purpose, fault: Fault) -> None:
            server.fault = _only(purpose, fault.openai)

        def heal() -> None:
            server.fault = None

        models = answering(model, seconds=seconds, watch=watch, embedder=embedder)
        for purpose, name in OTHER_PURPOSES.items():
            models = _and(models, purpose, OpenAIModel(name, at, seconds), seconds, watch)

        def embedded(words: str) -> int:
            return sum(words in json.dumps(body["input"]) for body in server.requests if "input" in body)

        yield Provider("OpenAI-compatible", openai_server.KEY, models, watch, fail, heal, embedded)


def _saying(says: str) -> Callable[[str], str]:
    """What has a shape is said in it. What was told and what is wished is left to the rules."""

    def say(data: str) -> str:
        if "<typed-" in data:
            return json.dumps(_understood(data))
        if ENJOY.split()[-1] in data.rpartition("<question-")[2]:  # what was asked before stands there as well
            return f"{KNOWS_NOTHING} {' '.join([*_FACTS.findall(data), *_KNOWN.findall(data)])}".strip()
        if data.startswith("<days-"):
            return json.dumps({"summary": CONTEXT_BY_MODEL})
        if "<today-" in data or "<history-" in data:
            return json.dumps({"context": CONTEXT_BY_MODEL})
        if "<people-" in data and "<messages-" in data:
            return json.dumps({"members": [{"id": one, "summary": DAY_BY_MODEL} for one in _PERSON.findall(data)]})
        return '{"text": "", "numbers": []}' if "<told-" in data or "<wish-" in data else says

    return say


def _understood(data: str) -> dict[str, str]:
    """The form for what is typed, and for nothing that was said before it."""
    if "what happened today" not in data.rpartition("<typed-")[2]:
        return {"wants": "question"}
    today = data.partition("<now-")[2].split()[2].rstrip(",")
    return {"wants": "days", "first_day": today, "last_day": today}


def _and(models: Models, purpose: Purpose, other: ClosableModel, seconds: float, watch: Watch) -> Models:
    """The same with another model for another purpose, which fails by itself."""
    guard = Guard(other.name, now=watch.now)
    chain = Chain(purpose, [Link(other, guard)], seconds)
    return replace(
        models,
        chains={**models.chains, purpose: chain},
        guards={**models.guards, other.name: guard},
        connections=(*models.connections, other),
    )


def _only(purpose: Purpose, fault: openai_server.Fault) -> openai_server.Fault:
    async def chosen(
        server: openai_server.OpenAIServer, request: web.Request, body: openai_server.Payload
    ) -> web.StreamResponse:
        asked = next((other for other, name in OTHER_PURPOSES.items() if body["model"] == name), Purpose.ANSWER)
        asked_for = Purpose.EMBED if "input" in body else asked
        if asked_for is purpose:
            return await fault(server, request, body)
        server.fault, before = None, server.fault
        try:
            return await (server.embeddings if "input" in body else server.chat)(request)
        finally:
            server.fault = before

    return chosen


PROVIDERS: tuple[Open, ...] = (gemini, openai)
