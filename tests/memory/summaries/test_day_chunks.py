"""A day too big for one prompt: parted at its pauses, within its budget and its number of calls."""

from dataclasses import replace
from datetime import UTC, date

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.values import Message
from memory.language.detect import Language
from memory.settings import tokens
from memory.summaries.day_prompt import LEAST_BUDGET, DayMaterial, DayPlan, planned, render
from tests.memory.summaries.saying import ANNA, BERT, GARDEN, HALL, Talk


def a_day(messages: list[Message], names: dict[int, str] | None = None) -> DayMaterial:
    return DayMaterial(date(2026, 11, 14), UTC, Language.EN, [messages], names or {ANNA: "Anna", BERT: "Bert"})


def ids(plan: DayPlan) -> list[list[list[int]]]:
    return [[[message.message_id for message in talk] for talk in part.conversations] for part in plan.parts]


def test_a_small_day_is_one_call_with_its_conversations_apart() -> None:
    talk = Talk()
    talk.say(ANNA, "one")
    talk.say(BERT, "two", channel_id=GARDEN)
    talk.say(ANNA, "three")
    talk.say(ANNA, "four", minutes=45)
    assert ids(planned(a_day(list(reversed(talk.messages))))) == [[[1_000, 1_002], [1_001], [1_003]]]


def test_a_big_day_is_parted_between_conversations_and_within_them_at_the_longest_pause() -> None:
    talk = Talk()
    for number in range(60):
        talk.say(ANNA, f"{number} " + "word " * 190, minutes=10 if number == 27 else 1)
    plan = planned(a_day(talk.messages), budget=LEAST_BUDGET)
    assert plan.left_out == 0
    firsts = [part[0][0] for part in ids(plan)]
    assert 1_027 in firsts
    assert [one for part in ids(plan) for said in part for one in said] == list(range(1_000, 1_060))


def test_the_number_of_calls_is_bounded_and_what_tells_least_is_left_out_and_counted() -> None:
    talk = Talk()
    for number in range(300):
        talk.say(BERT, "lol " * 230)
        if number % 30 == 0:
            talk.say(ANNA, f"We decided to move the {number}th raid to Saturday because of the tournament.")
    plan = planned(a_day(talk.messages), budget=LEAST_BUDGET, most=2)
    assert len(plan.parts) == 2
    kept = [message for part in plan.parts for said in part.conversations for message in said]
    assert plan.left_out == len(talk.messages) - len(kept)
    assert sum(message.author_id == ANNA for message in kept) == 10


def test_a_flood_of_mentions_and_long_names_does_not_break_the_budget() -> None:
    names = dict.fromkeys((ANNA, *range(10_000, 10_100)), '"' * 40)
    talk = Talk()
    for number in range(30):
        talk.say(ANNA, '"' * 900 + " ".join(f"<@{10_000 + (number * 7 + one) % 100}>" for one in range(80)))
    day = replace(a_day(talk.messages, names), aliases=dict.fromkeys(names, ('"' * 40,) * 9))
    for part in planned(day, budget=LEAST_BUDGET).parts:
        assert tokens(render(part, fence="x" * 16).prompt.data) <= LEAST_BUDGET + 50


MESSAGES = st.lists(
    st.tuples(
        st.sampled_from((ANNA, BERT)), st.sampled_from((HALL, GARDEN)), st.integers(0, 90), st.integers(1, 1_500)
    ),
    max_size=60,
)


@settings(max_examples=40, deadline=None)
@given(MESSAGES, st.integers(1, 4))
def test_every_message_is_in_one_part_or_counted_and_every_part_fits(
    said: list[tuple[int, int, int, int]], most: int
) -> None:
    talk = Talk()
    for author_id, channel_id, minutes, length in said:
        talk.say(author_id, "tea " * (length // 4 + 1), channel_id=channel_id, minutes=minutes)
    plan = planned(a_day(talk.messages), budget=LEAST_BUDGET, most=most)
    kept = [one for part in ids(plan) for conversation in part for one in conversation]
    assert len(plan.parts) <= most
    assert len(set(kept)) == len(kept)
    assert len(kept) + plan.left_out == len(talk.messages)
    for part in plan.parts:
        assert tokens(render(part, fence="0" * 16).prompt.data) <= LEAST_BUDGET + 50
        for conversation in part.conversations:
            assert len({message.channel_id for message in conversation}) == 1
