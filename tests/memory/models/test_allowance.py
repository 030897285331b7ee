"""How often a member may ask."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memory.core.outcomes import Limit, Wait
from memory.models.usage import HOUR, Allowance, Askers

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD, ALICE = 1, 2


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_an_hour_holds_so_many_questions() -> None:
    askers = Askers(Allowance(hourly=3))
    assert [askers.admit(GUILD, ALICE, after(minute * 60)) for minute in (0, 10, 20)] == [None] * 3
    assert askers.admit(GUILD, ALICE, after(30 * 60)) == Wait(30 * 60, Limit.HOURLY)
    assert askers.admit(GUILD, ALICE, after(60 * 60)) is None
    assert askers.admit(GUILD, ALICE, after(60 * 60)) == Wait(10 * 60, Limit.HOURLY)


def test_a_question_that_is_answered_once_more_counts_once() -> None:
    askers = Askers(Allowance(cooldown=timedelta(seconds=10), hourly=2))
    assert [askers.admit(GUILD, ALICE, after(second), 7) for second in (0, 1, 2)] == [None] * 3
    assert askers.admit(GUILD, ALICE, after(3), 8) == Wait(7, Limit.COOLDOWN)
    assert askers.admit(GUILD, ALICE, after(4), 8) == Wait(6, Limit.COOLDOWN), "what was turned away may not come back"
    assert askers.admit(GUILD, ALICE, after(10), 8) is None


@given(st.lists(st.integers(0, 900), max_size=60), st.integers(0, 300), st.integers(0, 8))
def test_whoever_is_admitted_kept_both_limits(pauses: list[int], cooldown: int, hourly: int) -> None:
    askers = Askers(Allowance(timedelta(seconds=cooldown), hourly))
    now, admitted = NOON, []
    for pause in pauses:
        now += timedelta(seconds=pause)
        wait = askers.admit(GUILD, ALICE, now)
        if wait is None:
            admitted.append(now)
        else:
            assert 0 < wait.seconds <= max(cooldown, HOUR.total_seconds())
    assert all(later - earlier >= timedelta(seconds=cooldown) for earlier, later in pairwise(admitted))
    if hourly:
        assert all(later - earlier >= HOUR for earlier, later in zip(admitted, admitted[hourly:], strict=False))
