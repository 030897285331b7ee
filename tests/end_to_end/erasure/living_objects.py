"""Looks through everything that lives in this process for canaries, whoever holds it: caches, queues, buffers, frames.

Strings are not known to the garbage collector, but what holds them is, and from there everything can be reached.
"""

import gc
import types

from discord import ScheduledEvent

from tests.end_to_end.erasure.canaries import needles_in

TEXTS = (str, bytes, bytearray)
LEAVES = (*TEXTS, int, float, complex, type(None), types.CodeType)
LEVELS = 6
LEAST = 10
"""No shorter text holds a canary."""


def search() -> list[str]:
    """The needles of all canaries that live here."""
    gc.unfreeze()  # what a process had at its start is out of the collector's sight, and holds what came later
    gc.collect()
    return sorted({needle for _, needles in _texts() for needle in needles})


def explain(needle: str) -> str:
    """Those who hold it, and held it before we looked, from the text outwards: ours first."""
    before = {id(one) for one in gc.get_objects()}
    one: object = next((text for text, needles in _texts() if needle in needles and text is not needle), None)
    told, passed = ["nobody by now"] if one is None else [], {id(one)}
    while one is not None and len(told) < LEVELS:
        holders = [each for each in gc.get_referrers(one) if id(each) in before and id(each) not in passed]
        one = max(holders, key=lambda each: type(each).__module__.startswith(("memory", "bot", "web")), default=None)
        passed.add(id(one))
        told += [] if one is None else [getattr(one, "__qualname__", type(one).__qualname__)]
    return " < ".join(told)


def _texts() -> list[tuple[object, list[str]]]:
    """Texts with canaries in them, each once."""
    found: list[tuple[object, list[str]]] = []
    # discord.py holds the events that Discord lists, and of those nobody is told.
    waiting = [one for one in gc.get_objects() if type(one) is not ScheduledEvent]
    seen = set(map(id, (found, waiting, *waiting)))
    while waiting:
        # Many at once: a call for each object would take several times as long.
        inner = {id(one): one for one in gc.get_referents(*waiting)}
        fresh = [inner[number] for number in inner.keys() - seen]
        seen.update(inner, map(id, (seen, inner, fresh)))
        waiting = [one for one in fresh if not isinstance(one, LEAVES) and not gc.is_tracked(one)]
        seen.add(id(waiting))
        texts = (one for one in fresh if isinstance(one, TEXTS) and len(one) >= LEAST)
        found += [(text, needles) for text in texts if (needles := needles_in(text))]
    return found
