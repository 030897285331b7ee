"""The collector is set for the bot's run alone, and collects all the same."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.run import THRESHOLDS, garbage_collected_seldom


class Knot:
    """Something that only the collector can take away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _set_aside_again() -> Iterator[None]:
    """As it is in a run of the tests, whose modules nobody needs to look through."""
    yield
    gc.freeze()


def test_what_was_there_is_set_aside_for_the_run_alone() -> None:
    before = gc.get_threshold()
    with garbage_collected_seldom():
        assert gc.get_threshold() == THRESHOLDS
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_the_run_leaves_behind_is_collected() -> None:
    with garbage_collected_seldom():
        left = weakref.ref(Knot())
        kept = [Knot() for _ in range(THRESHOLDS[0] * 2)]
        assert left() is None
    assert kept
