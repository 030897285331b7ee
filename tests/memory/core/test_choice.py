"""Choices that wait in the id of a button, and what they mean in the words they belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.values import NOBODY, Choice, Member, fingerprint, read, written
from memory.people.names import name_key, people_in, with_choices

GUILD = 1
ALEX = Member(GUILD, 11, "alexb", nickname="Alex")
TWIN = Member(GUILD, 12, "alexc", nickname="Alex")
RENAMED = Member(GUILD, 12, "alexc", nickname="Captain")

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


def test_the_chosen_one_is_mentioned_whatever_they_are_called() -> None:
    assert with_choices("Alex likes tea, alex!", [chose("Alex", TWIN)]) == "<@12> likes tea, <@12>!"
    (reference,) = people_in(with_choices("Alex likes tea", [chose("Alex", TWIN)]), [ALEX, RENAMED])
    assert reference.member == RENAMED, "not the other, who is the only Alex left"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("alxeb likes tea", "<@11> likes tea"),
        ("@alxeb's tea", "<@11>'s tea"),
        ("what of alxeb?", "what of <@11>?"),
        ("alxeb-x and alxeb_y are others", "alxeb-x and alxeb_y are others"),
        ("<@77> met https://example.com/alxeb", "<@77> met https://example.com/alxeb"),
        ("nobody of that name", "nobody of that name"),
    ],
)
def test_a_choice_is_for_its_name_alone(text: str, named: str) -> None:
    assert with_choices(text, [chose("alxeb", ALEX)]) == named
