"""The sum that becomes a chance."""

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.ranking import COMPARED, WEIGHTS, Parts, shares_of_totals

NAMES = [field.name for field in fields(Parts)]
SHARES = st.floats(0, 1)
PARTS = st.builds(Parts, **dict.fromkeys(NAMES, SHARES))


@given(PARTS)
def test_a_chance_is_between_0_and_1(parts: Parts) -> None:
    assert 0 < WEIGHTS.chance(WEIGHTS.total(parts)) < 1


@given(PARTS, st.sampled_from(NAMES), SHARES)
def test_more_of_what_speaks_for_it_never_lowers_the_chance(parts: Parts, name: str, more: float) -> None:
    better = replace(parts, **{name: getattr(parts, name) + more})
    sign = math.copysign(1, getattr(WEIGHTS, name))
    gained = WEIGHTS.chance(WEIGHTS.total(better)) - WEIGHTS.chance(WEIGHTS.total(parts))
    assert sign * gained >= 0


@given(PARTS)
def test_the_explanation_adds_up(parts: Parts) -> None:
    assert sum(WEIGHTS.explained(parts).values()) == pytest.approx(WEIGHTS.total(parts))


def test_only_asking_speaks_against_a_message() -> None:
    assert [name for name in NAMES if getattr(WEIGHTS, name) < 0] == ["asks"]


def test_a_part_can_be_left_out_but_not_made_up() -> None:
    assert WEIGHTS.without("topic").total(Parts(topic=1.0)) == 0.0
    with pytest.raises(ValueError, match="no such parts: fame"):
        WEIGHTS.without("fame")


@given(st.lists(st.floats(-5, 40), min_size=1, max_size=60))
def test_chances_keep_the_order_of_the_sums(totals: list[float]) -> None:
    shares = shares_of_totals(totals)
    assert all(0 < share <= 1 for share in shares)
    assert sum(sorted(shares, reverse=True)[:COMPARED]) <= 1 + 1e-6
    ordered = sorted(zip(totals, shares, strict=True))
    chances = [WEIGHTS.chance(total, share) for total, share in ordered]
    assert chances == sorted(chances)


def test_what_stands_out_is_surer_than_one_of_many() -> None:
    alone, among_many = shares_of_totals([12.0])[0], shares_of_totals([12.0] * 10)[0]
    assert WEIGHTS.chance(12.0, alone) > WEIGHTS.chance(12.0, among_many)


def test_no_totals_have_no_shares() -> None:
    assert shares_of_totals([]) == []
