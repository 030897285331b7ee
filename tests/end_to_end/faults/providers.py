"""The server that fails on demand, asked by the real SDK, and what a member should hear of each fault."""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.chain import Chain, Guard, Link
from ai_clients.gemini import GeminiApi, GeminiEmbedder, GeminiModel
from memory.answers.generate import Reason, Why
from memory.language.detect import Language
from tests import gemini_server
from tests.gemini_faults import TROUBLES
from tests.models import ClosableModel, Watch, answering

OTHER_PURPOSES = (Purpose.SMALL, Purpose.SUMMARISE)
"""Those that have a model of their own."""
DAY_BY_MODEL = "They spoke of the quiz, says the model."
_PERSON = re.compile(r'<person id="(\d+)"')


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of the table."""

    name: str
    why: Why
    gemini: gemini_server.Fault

    @property
    def sentence(self) -> str:
        return Reason(self.why).sentence(Language.EN)


def _fault(name: str, why: Why) -> Fault:
    return Fault(name, why, TROUBLES[name].fault)


FAULTS = (
    _fault("400", Why.REFUSED),
    _fault("401", Why.MISCONFIGURED),
    _fault("403", Why.MISCONFIGURED),
    _fault("404 model gone", Why.MISCONFIGURED),
    _fault("429", Why.BUSY),
    _fault("429 with RetryInfo", Why.BUSY),
    _fault("500", Why.AWAY),
    _fault("503", Why.AWAY),
    _fault("hang", Why.SLOW),
    _fault("slow trickle", Why.SLOW),
    _fault("connection reset", Why.AWAY),
    _fault("connection reset midway", Why.AWAY),
    _fault("HTML instead of JSON", Why.UNUSABLE),
    _fault("truncated JSON", Why.UNUSABLE),
    _fault("wrong shape", Why.UNUSABLE),
    _fault("empty candidates", Why.UNUSABLE),
    _fault("safety block", Why.REFUSED),
    _fault("10 MB reply", Why.UNUSABLE),
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


@contextlib.asynccontextmanager
async def gemini(says: str, seconds: float) -> AsyncIterator[Provider]:
    """With a model that says this, and has so many seconds for it."""
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


def _saying(says: str) -> Callable[[str], str]:
    """What has a shape is said in it. What was told and what is wished is left to the rules."""

    def say(data: str) -> str:
        if "<typed-" in data:
            return json.dumps(_understood(data))
        if "<people-" in data and "<messages-" in data:
            members = [{"id": one, "summary": DAY_BY_MODEL} for one in _PERSON.findall(data)]
            return json.dumps({"members": members, "happenings": [{"text": DAY_BY_MODEL, "messages": [1]}]})
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
