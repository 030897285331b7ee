"""A loopback model that understands what is said as a test wants, and says something else to all else it is asked."""

import json
from collections.abc import Callable

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.answers.understanding import FIRST_WORDS
from tests.gemini_server import GeminiServer, Payload, data_of, rules_of
from tests.models import answering

ANSWERS, SORTS = "gemini-good", "gemini-3.5-flash-lite"


def models_of(gemini: GeminiServer, *, seconds: float = 20.0) -> Models:
    """One model answers, another does small things."""
    api = GeminiApi(gemini.options())
    small = GeminiModel(SORTS, api, seconds=seconds)
    return answering(GeminiModel(ANSWERS, api, seconds=seconds), seconds=seconds, others={Purpose.SMALL: small})


def is_routing(body: Payload) -> bool:
    return rules_of(body).startswith(FIRST_WORDS)


def routings(gemini: GeminiServer) -> list[str]:
    """What was given to be understood, in this order."""
    return [data_of(body) for body in gemini.requests if is_routing(body)]


def sorting(wants: str, otherwise: Callable[[str], str] = lambda _: "So it is.") -> Callable[[str], str]:
    """The last request is the one that is being answered: tests ask one thing at a time."""

    def say(data: str) -> str:
        return json.dumps({"wants": wants}) if "<typed-" in data else otherwise(data)

    return say
