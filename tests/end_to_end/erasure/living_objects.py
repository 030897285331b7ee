"""Looks through everything that lives in this process for canaries, whoever holds it: caches, queues, buffers, frames.

Strings are not known to the garbage collector, but what holds them is, and from there everything can be reached.
"""

import gc
import types

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
    """Who holds it, from the text outwards."""
    before = {id(one) for one in gc.get_objects()}
    text = next((text for text, needles in _texts() if needle in needles and text is not needle), None)
    return "nobody by now" if text is None else _holders_of(text, before)


def _texts() -> list[tuple[object, list[str]]]:
    """Texts with canaries in them, each once."""
    found: list[tuple[object, list[str]]] = []
    waiting = gc.get_objects()
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


def _holders_of(text: object, before: set[int]) -> str:
    """A chain of those who hold it, and held it before we looked."""
    told: list[str] = []
    passed = {id(text)}
    one = text
    for _ in range(LEVELS):
        holders = [each for each in gc.get_referrers(one) if id(each) in before and id(each) not in passed]
        if not holders:
            break
        one = max(holders, key=_worth_telling)
        passed.add(id(one))
        told.append(_called(one))
    return " < ".join(told)


def _worth_telling(holder: object) -> int:
    ours = type(holder).__module__.startswith(("memory", "bot", "web", "ai_clients"))
    return 3 if ours else 2 if callable(holder) else 1


def _called(holder: object) -> str:
    if isinstance(holder, dict):
        return "dict(" + ",".join(key[:20] for key in list(holder)[:4] if isinstance(key, str)) + ")"
    if isinstance(holder, types.ModuleType | types.FunctionType):
        return holder.__name__
    return f"{type(holder).__module__}.{getattr(holder, '__qualname__', type(holder).__qualname__)}"
