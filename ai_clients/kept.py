"""What the packages keep in memory for longer than a call, declared: what it holds, how long at most, and how erasing
reaches it. Each package has such a list; the tests compare it with the source, and prove how erasing reaches it.

It begins here because every package may import this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Reach(StrEnum):
    """How erasing reaches it."""

    NOTHING = "it holds nothing of people"
    IDS = "it holds ids, numbers and times alone, and says nothing about what was said"
    CALL = "it lives no longer than what it is made for"
    PENDING = "it goes when it is written, which the rule of admission decides anew"
    FLEETING = "it is dropped at once, and within ten minutes in other processes"
    FOLLOWS = "what is gone is taken out at once, and within ten minutes in other processes"
    POLICY = "what may not be stored goes with the decision; in other processes when the guild is next heard of"
    DISCORD = "it is Discord's own list of who is there now, and goes when they leave"


@dataclass(frozen=True, slots=True)
class Kept:
    holds: str
    at_most: str
    """How long."""
    reach: Reach


def kept(reach: Reach, holds: str, at_most: str, *places: str) -> Mapping[str, Kept]:
    """Places are `package/module.py:function`, or `package/module.py:Class.attribute`; several of one module with
    spaces between them."""
    one = Kept(holds, at_most, reach)
    found = ((place.partition(":")[0], name) for place in places for name in place.partition(":")[2].split())
    return MappingProxyType({f"{module}:{name}": one for module, name in found})


KEPT: Mapping[str, Kept] = {
    **kept(
        Reach.FLEETING,
        "single words with their vectors, and the pieces they are made of",
        "ten minutes",
        "ai_clients/closeness.py:Closeness._known",
        "ai_clients/static_vectors.py:_Vocabulary._known",
    ),
    **kept(
        Reach.FLEETING,
        "one bit for each dimension of the meaning of messages, by their ids",
        "ten minutes",
        "ai_clients/sketches.py:Sketches._columns Sketches._spans",
    ),
    **kept(
        Reach.CALL,
        "calls of a model that nobody waits for any more, with what they were given",
        "until the provider answers or hangs up",
        "ai_clients/guard.py:_abandoned",
    ),
    **kept(
        Reach.NOTHING,
        "models, servers, how often they were asked lately, and what they can do",
        "as long as the process runs",
        "ai_clients/building.py:Connections._servers _Workshop._guards _Workshop._links",
        "ai_clients/gemini/api.py:_trusted",
        "ai_clients/openai_compatible/server.py:Server._talents",
        "ai_clients/pacing.py:Pace._lately Pace._line",
    ),
}
