"""When a summary is due, and which of them become one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.channels.values import (
    MERGED,
    MOST_ACTIVE,
    ChannelSummary,
    OpenTalk,
    Policy,
    SessionState,
    Span,
    SummaryRules,
    is_due,
    last_sessions,
    next_merge,
    session_state,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROLLING = SummaryRules()


def summary(number: int, level: int = 1, policy: Policy = Policy.LEVELS) -> ChannelSummary:
    return ChannelSummary(
        number, 1, policy, level, Span(number * 10, number * 10 + 9, 10, 1), frozenset(), (), "text", None, NOON
    )


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_next_is_due_when_ten_are_uncovered_besides_the_last_ten(covered: int, more: int) -> None:
    total = covered + more
    expected = total - (covered + 10) >= 10 if covered else total >= 20
    assert is_due(ROLLING, covered, OpenTalk(more, 0, 0)) is expected


def test_the_first_is_also_due_when_much_was_said() -> None:
    assert not is_due(ROLLING, 0, OpenTalk(19, 7_999, 1))
    assert is_due(ROLLING, 0, OpenTalk(3, 8_000, 1))
    assert not is_due(ROLLING, 500, OpenTalk(19, 90_000, 1))


def test_of_too_many_in_all_the_oldest_of_the_lowest_are_merged() -> None:
    counts = {1: 3, 2: 4, 3: 4}
    active = [summary(level * 10 + number, level) for level, count in counts.items() for number in range(count)]
    assert len(active) > MOST_ACTIVE
    assert [one.level for one in next_merge(active)] == [1, 1, 1]
    assert next_merge(active[1:]) == ()


@given(st.integers(1, 400))
def test_there_are_never_more_than_ten(stretches: int) -> None:
    active: list[ChannelSummary] = []
    number = 0
    for stretch in range(stretches):
        active.append(summary(stretch))
        while merged := next_merge(active):
            number += 1
            assert 2 <= len(merged) <= MERGED
            assert len({one.level for one in merged}) == 1
            one = summary(merged[0].span.first_id // 10, merged[0].level + 1)
            active = [one, *(other for other in active if other not in merged)]
        assert len(active) <= MOST_ACTIVE


HALF_AN_HOUR = timedelta(minutes=30)


@pytest.mark.parametrize(
    ("silent", "state"),
    [
        (0, SessionState.ACTIVE),
        (5, SessionState.ACTIVE),
        (6, SessionState.IDLE),
        (30, SessionState.IDLE),
        (31, SessionState.CLOSED),
    ],
)
def test_a_session_is_active_then_idle_then_closed(silent: int, state: SessionState) -> None:
    assert session_state(NOON, NOON + timedelta(minutes=silent), HALF_AN_HOUR) is state


def test_the_last_session_of_each_is_counted_and_a_long_silence_begins_another() -> None:
    said = [(1, 0), (2, 1), (1, 20), (1, 60), (2, 31), (1, 61), (1, 62)]
    spoken = [(who, NOON + timedelta(minutes=at)) for who, at in sorted(said, key=lambda one: one[1])]
    first, second = last_sessions(spoken, NOON + timedelta(minutes=63), HALF_AN_HOUR)
    assert (first.user_id, first.messages, first.state) == (1, 3, SessionState.ACTIVE)
    assert first.began_at == NOON + timedelta(minutes=60)
    assert (second.user_id, second.messages, second.state) == (2, 2, SessionState.CLOSED)
