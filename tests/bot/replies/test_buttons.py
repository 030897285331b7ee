"""What the buttons to choose with hold: numbers that Discord takes, and that come back as they were."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.replies.buttons import ForgetThis, ThisMember, Unfinished
from bot.words import Voice
from memory.core.outcomes import UnclearWhat, UnclearWho
from memory.core.values import MOST_CHOICES, NOBODY, Choice, Fact, Intent, Member, Standing, fingerprint
from memory.language.detect import Language
from memory.people.names import name_key

LONGEST_ID, LONGEST_LABEL = 100, 80
VOICE = Voice(Language.EN, "Bot")
WISHES = (Intent.REMEMBER, Intent.FORGET, Intent.KNOWLEDGE, Intent.QUESTION)
snowflakes = st.integers(min_value=1, max_value=2**63 - 1)
made = st.builds(Choice, st.integers(min_value=0, max_value=2**32 - 1), st.integers(NOBODY, 2**63 - 1))
unfinished = st.builds(
    lambda intent, person, message, choices, way: Unfinished(intent, person, message, tuple(choices), *way),
    st.sampled_from(WISHES),
    snowflakes,
    snowflakes,
    st.lists(made, min_size=1, max_size=MOST_CHOICES),
    st.sampled_from([(False, False), (True, False), (True, True)]),
)


@given(unfinished)
def test_the_id_of_a_button_is_short_enough_and_says_all(waiting: Unfinished) -> None:
    custom_id = ThisMember(*waiting.values).custom_id
    assert len(custom_id) <= LONGEST_ID
    assert Unfinished.of_values(*custom_id.split(":")[1:]) == waiting


@given(st.text(min_size=1, max_size=32), st.text(min_size=1, max_size=200), st.text(max_size=300))
def test_no_word_of_anybody_stands_in_an_id(username: str, nickname: str, typed: str) -> None:
    unclear = UnclearWho(typed, (Member(1, 2, username, nickname=nickname), Member(1, 3, username)))
    buttons = ThisMember.of(Unfinished(Intent.KNOWLEDGE, 7, 8), unclear, VOICE)
    chosen = [(Choice(fingerprint(name_key(typed)), user_id),) for user_id in (2, 3)]
    ids = [":".join(("meant", *Unfinished(Intent.KNOWLEDGE, 7, 8, one).values)) for one in chosen]
    assert [button.item.custom_id for button in buttons] == ids
    assert all(0 < len(str(button.item.label)) <= LONGEST_LABEL for button in buttons)


def fact(number: int) -> Fact:
    told_at = datetime(2026, 3, 1, tzinfo=UTC)
    return Fact(1, number, 2, 3, 4, 1_000 + number, f"<@2> owns boat {number}", Standing.HEARSAY, told_at)


def test_facts_are_chosen_by_their_messages() -> None:
    few = UnclearWhat("boat", (fact(1), fact(2)))
    buttons = ForgetThis.of(7, few, VOICE)
    assert [button.item.label for button in buttons] == ["1", "2"]
    ids = [f"forget-this:en:7:3e9:{fact(1).thing:x}", f"forget-this:en:7:3ea:{fact(2).thing:x}"]
    assert [button.item.custom_id for button in buttons] == ids
    assert VOICE.forgot(few).endswith("\n1. <@2> owns boat 1\n2. <@2> owns boat 2")
    assert ForgetThis.of(7, UnclearWhat("boat", tuple(map(fact, range(6)))), VOICE) == ()


@pytest.mark.parametrize("nickname", ["<@42>", "@everyone", "<@&7>", "**bold**"])
def test_nobody_passes_for_another_in_our_question(nickname: str) -> None:
    eve = Member(1, 2, "eve", nickname=nickname)
    words = VOICE.told(UnclearWho("eve", (eve, Member(1, 3, "eve2"))))
    assert nickname not in words
    assert "(@eve)" in words
