"""Choices that wait in the id of a button, and what they mean in the words they belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.choosing import NOBODY, Choice, fingerprint, read, written
from memory.core.model import Member
from memory.core.people import name_key, people_in

GUILD = 1
ALEX = Member(GUILD, 11, "alexb", nickname="Alex")
TWIN = Member(GUILD, 12, "alexc", nickname="Alex")
SAM = Member(GUILD, 13, "sam")

choices = st.builds(
    Choice, st.integers(min_value=0, max_value=2**32 - 1), st.integers(min_value=NOBODY, max_value=2**63 - 1)
)


def chose(name: str, member: Member) -> Choice:
    return Choice(fingerprint(name_key(name)), member.user_id)


@given(st.lists(choices, max_size=3))
def test_what_was_written_is_read(made: list[Choice]) -> None:
    assert read(written(made)) == tuple(made)


@pytest.mark.parametrize("text", ["zz", "1", "1.2-", "1.2.3", "x.1", "-"])
def test_nothing_else_is_read(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read(text)


@given(st.text())
def test_any_name_has_a_fingerprint(name: str) -> None:
    assert 0 <= fingerprint(name_key(name)) < 2**32


@pytest.mark.parametrize("member", [ALEX, TWIN])
def test_of_two_the_chosen_one_is_meant(member: Member) -> None:
    (reference,) = people_in("Alex likes tea", [ALEX, TWIN], choices=[chose("Alex", member)])
    assert reference.member == member


def test_the_chosen_one_is_meant_who_goes_by_another_name_by_now() -> None:
    renamed = Member(GUILD, 12, "alexc", nickname="Captain")
    (reference,) = people_in("Alex likes tea", [ALEX, renamed], choices=[chose("Alex", TWIN)])
    assert reference.member == renamed, "not the other, who is the only Alex left"


def test_the_chosen_one_is_meant_by_what_was_mistyped() -> None:
    (reference,) = people_in("alxeb likes tea", [ALEX], choices=[chose("alxeb", ALEX)])
    assert (reference.typed, reference.member) == ("alxeb", ALEX)


def test_a_choice_is_for_its_name_alone() -> None:
    references = people_in("Sam met Alex", [ALEX, TWIN, SAM], choices=[chose("Alex", TWIN)])
    assert [one.member for one in references] == [SAM, TWIN]
    (unclear,) = people_in("Alex likes tea", [ALEX, TWIN], choices=[chose("Sam", SAM)])
    assert unclear.member is None


def test_a_choice_of_nobody_means_nobody() -> None:
    assert people_in("alxeb likes tea", [ALEX], choices=[Choice(fingerprint("alxeb"), NOBODY)]) == []
