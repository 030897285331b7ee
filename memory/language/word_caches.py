"""Keeps words for speed alone: single words with their stems, names, texts made ready. Kept for minutes.

None of it says whose it was, so nothing in it can be taken out by itself. Instead all of it is dropped: at once when
somebody has something erased, within a minute when something was edited, deleted or forgotten in this process, and
every ten minutes in any case, for what another process did.
"""

from collections.abc import Callable
from enum import IntEnum, auto
from functools import lru_cache
from math import inf
from typing import ParamSpec, Protocol, TypeVar
from weakref import WeakSet

KEPT_SECONDS = 600.0
DISTURBED_SECONDS = 60.0

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class Forgetful(Protocol):
    def forget_words(self) -> None: ...


class When(IntEnum):
    """Says how little it takes for something to be told to forget; an erasure is always enough."""

    OLD = auto()
    """It drops by itself what is changed in this process."""
    CHANGED = auto()


class _Fleeting:
    def __init__(self) -> None:
        self.functions: list[Callable[[], None]] = []
        self.keepers: dict[When, WeakSet[Forgetful]] = {when: WeakSet() for when in When}
        self.begun = self.disturbed_begun = inf
        self.is_disturbed = False


_ALL = _Fleeting()


def word_cache(most: int) -> Callable[[Callable[_Given, _Made]], Callable[_Given, _Made]]:
    """Cache a pure function whose arguments are somebody's words."""

    def kept(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
        cached = lru_cache(maxsize=most)(function)
        _ALL.functions.append(cached.cache_clear)
        return cached  # type: ignore[return-value] # the same function, only quicker

    return kept


def register_cache(keeper: Forgetful, when: When = When.CHANGED) -> None:
    """Register a cache: from now on it is told to forget whenever words are to be forgotten."""
    _ALL.keepers[when].add(keeper)


def invalidate() -> None:
    """Note that something that may lie in here was edited, deleted or forgotten."""
    _ALL.is_disturbed = True


def forget_words() -> None:
    """Forget all words in every cache at once."""
    _forget(When.OLD)


def expire(now: float) -> None:
    """Forget what has been here for long enough; called every few seconds, while the store can be read."""
    _ALL.disturbed_begun = min(_ALL.disturbed_begun, now)
    _ALL.begun = min(_ALL.begun, now)
    if now - _ALL.begun > KEPT_SECONDS:
        _forget(When.OLD)
        _ALL.begun = _ALL.disturbed_begun = now
    elif _ALL.is_disturbed and now - _ALL.disturbed_begun > DISTURBED_SECONDS:
        _forget(When.CHANGED)
        _ALL.disturbed_begun = now


def _forget(what: When) -> None:
    _ALL.is_disturbed = False
    for clear in _ALL.functions:
        clear()
    for when in When:
        if when >= what:
            for keeper in list(_ALL.keepers[when]):
                keeper.forget_words()
