"""Who is meant in a text."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.values import Member
from memory.language.detect import Language
from memory.people.names import (
    is_speaker_alone,
    keys_of,
    mentioned_ids,
    people_in,
    people_listed,
    speaks_by_verb,
    spoken_keys,
)
from tests.memory.tables import tables_of

ANNA = Member(1, 10, "anna_b", global_name="Anna")
ANNA_MARIA = Member(1, 11, "am", nickname="Anna-Maria")
SERGEY = Member(1, 12, "gruzilkin", global_name="Sergéy", nickname="El Capitán")
WILL = Member(1, 13, "will")
DICE = Member(1, 14, "Dice", is_bot=True)
OTHER_ANNA = Member(1, 15, "other", nickname="ANNA")
ONE = Member(1, 16, "1")
PRIYA = Member(1, 17, "p_notes", global_name="Priya N.", nickname="The Minutes")
COFFEE = Member(1, 18, "cup", nickname="Coffee Addict")
EVERYONE = (ANNA, ANNA_MARIA, SERGEY, WILL, DICE, ONE, PRIYA, COFFEE)
SAID = tables_of(__file__)


def ids_in(text: str, members: tuple[Member, ...] = EVERYONE, speaker: Member | None = None) -> list[int | None]:
    found = people_in(text, members, speaker=speaker)
    return [reference.member.user_id if reference.member else None for reference in found]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("<@10> and <@!12>", [10, 12]),
        ("anna likes tea", [10]),
        ("ANNA likes tea", [10]),
        ("@anna_b likes tea", [10]),
        ("Anna-Maria likes tea", [11]),
        ("annabel likes tea", []),
        ("anna_c likes tea", []),
        ("gruzilkin, el capitan, sergey", [12, 12, 12]),
        ("he will come", []),
        ("@will will come", [13]),
        ("<@13> will come", [13]),
        ("what was it on 1 February?", []),
        ("@1 and <@16>", [16, 16]),
        ("roll the dice", []),
        ("<@999> is nobody we know", []),
        ("<#10> is a channel", []),
        ("see https://example.com/anna", []),
        ("what did priya say? and Priya N.?", [17, 17]),
        ("coffee addict and Coffee and @coffee", [18, 18, 18]),
        ("der Coffee, the coffee or coffee", []),
        ("the minutes", [17]),
        ("minutes of the Priyas", []),
    ],
)
def test_names_and_mentions(text: str, ids: list[int]) -> None:
    assert ids_in(text) == ids


def test_the_beginning_of_a_name_means_nobody_else_and_no_one_of_two() -> None:
    other = Member(1, 19, "pk", global_name="Priya Kaur")
    assert ids_in("Priya rows", (PRIYA, other)) == [None]
    assert ids_in("Priya rows", (PRIYA, other, Member(1, 20, "priya"))) == [20]
    listed = people_listed("coffee and priya", EVERYONE, ANNA)
    assert [one.member for one in listed] == [COFFEE, PRIYA], "where nothing but people can stand"


def test_two_of_one_name_are_both_candidates() -> None:
    (reference,) = people_in("anna likes tea", (*EVERYONE, OTHER_ANNA))
    assert reference.member is None
    assert set(reference.candidates) == {ANNA, OTHER_ANNA}
    assert reference.typed == "anna"


@pytest.mark.parametrize(("text", "language"), SAID["first_person"])
def test_the_first_person_is_the_speaker(text: str, language: str) -> None:
    (reference,) = people_in(text, EVERYONE, speaker=SERGEY, language=Language(language))
    assert reference.is_speaker
    assert reference.member == SERGEY


@pytest.mark.parametrize("text", SAID["no_first_person"])
def test_words_that_only_look_like_the_first_person(text: str) -> None:
    assert people_in(text, EVERYONE, speaker=SERGEY) == []


@pytest.mark.parametrize("text", ["me", "myself", "mich", "moi", "mí", "мне", "меня", "I", " me? "])
def test_the_speaker_alone(text: str) -> None:
    assert is_speaker_alone(text)


def test_more_than_the_speaker() -> None:
    assert not is_speaker_alone("my dog")
    assert not is_speaker_alone("")


WILD = st.text(max_size=60)
NAMES = st.text(min_size=1, max_size=32)
MEMBERS = st.builds(
    Member,
    st.just(1),
    st.integers(min_value=1, max_value=2**63 - 1),
    NAMES,
    global_name=st.none() | NAMES,
    nickname=st.none() | NAMES,
    is_bot=st.booleans(),
)


@given(WILD, st.lists(MEMBERS, max_size=5, unique_by=lambda member: member.user_id))
def test_references_are_in_order_and_never_overlap(text: str, members: list[Member]) -> None:
    found = people_in(text, members, speaker=ANNA)
    for before, after in itertools.pairwise(found):
        assert before.end <= after.start
    assert all(0 <= reference.start < reference.end <= len(text) for reference in found)


@given(MEMBERS, WILD, WILD)
def test_whoever_is_named_can_be_looked_up_by_the_keys_of_the_text(member: Member, before: str, after: str) -> None:
    text = f"{before} {member.display_name} {after}"
    for reference in people_in(text, [member]):
        assert keys_of(member) & spoken_keys(text) or reference.is_mention


@given(st.lists(st.integers(min_value=1, max_value=2**63 - 1), max_size=5))
def test_mentions_are_read_once_each_and_in_order(ids: list[int]) -> None:
    assert mentioned_ids(" ".join(f"<@{user_id}>" for user_id in ids + ids)) == list(dict.fromkeys(ids))


def test_ids_beyond_what_can_be_stored_are_nobody() -> None:
    assert mentioned_ids("<@99999999999999999999> <@0>") == []


ROSE = Member(1, 16, "r_16", nickname="Rose")
SEVERAL = (*EVERYONE, ROSE)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("me, Anna and will?", [12, 10, 13]),
        ("mí, Anna y de Rose", [12, 10, 16]),
        ("will", [13]),
        ("<@10>, me & Rose", [10, 12, 16]),
        ("anna maria, el capitan", [11, 12]),
        ("Anna and Anna and <@10>", [10]),
        ("anna's dog", []),
        ("what will Anna do", []),
        ("me and my dog", []),
        ("", []),
    ],
)
def test_a_list_of_people_is_read_as_one(text: str, ids: list[int]) -> None:
    found = people_listed(text, SEVERAL, SERGEY)
    assert [reference.candidates[0].user_id for reference in found] == ids


@pytest.mark.parametrize("text", SAID["by_verb"])
def test_a_verb_alone_may_say_who_asks(text: str) -> None:
    assert speaks_by_verb(text)


@pytest.mark.parametrize("text", SAID["not_by_verb"])
def test_the_same_words_may_say_something_else(text: str) -> None:
    assert not speaks_by_verb(text)
