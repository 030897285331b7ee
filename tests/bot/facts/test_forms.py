"""Words of a fact in a form: people by their names, and the same people in what comes back."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.facts.undo import FactModal
from bot.replies.buttons import under_taken_away, under_told
from bot.words import Voice
from memory.language.detect import Language
from memory.people.names import with_ids, with_names

NAMES = {7: "Anna", 8: "Anna-Lena", 9: "Bert", 10: "Bert", 11: "Ü. (the 3rd) *x*"}


def called(user_id: int) -> str | None:
    return NAMES.get(user_id)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<@7> likes tea", "@Anna likes tea"),
        ("<@!7> and <@8> like tea", "@Anna and @Anna-Lena like tea"),
        ("<@9> met <@10>", "<@9> met <@10>"),
        ("<@99> has left", "<@99> has left"),
        ("<@11> sings", "@Ü. (the 3rd) *x* sings"),
    ],
)
def test_people_are_shown_by_their_names_where_these_say_who_is_meant(text: str, shown: str) -> None:
    assert with_names(text, called) == shown


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("@Anna likes coffee", "<@7> likes coffee"),
        ("@Anna-Lena likes @Anna's tea", "<@8> likes <@7>'s tea"),
        ("@Annabel likes tea", "@Annabel likes tea"),
        ("Anna likes tea", "Anna likes tea"),
        ("<@9> likes @Bert", "<@9> likes @Bert"),
    ],
)
def test_who_was_shown_is_who_is_meant(typed: str, read: str) -> None:
    assert with_ids(typed, "<@7> and <@8> like tea", called) == read


@given(st.lists(st.sampled_from([*(f"<@{one}>" for one in NAMES), "likes", "tea", "*", "@"]), min_size=1))
def test_what_is_sent_back_untouched_says_what_it_said(words: list[str]) -> None:
    text = " ".join(words)
    assert with_ids(with_names(text, called), text, called) == text


async def test_everything_fits_into_what_discord_takes(voice: Voice) -> None:
    modal = FactModal(uuid4(), "<@7> likes tea", voice, called)
    assert len(modal.title) <= 45
    assert len(modal.custom_id) <= 100
    assert modal.is_finished(), "discord.py would keep it for ever"
    for button in under_told(uuid4(), voice, can_object=True):
        assert len(button.custom_id) <= 100
        assert 1 <= len(str(button.item.label)) <= 80


async def test_the_longest_fact_with_the_longest_names_can_be_edited() -> None:
    longest = 2_000  # the most that `FACT_LIMIT` may say
    people = range(10**18, 10**18 + longest // len(f"<@{10**18}> "))
    text = " ".join(f"<@{one}>" for one in people)
    modal = FactModal(uuid4(), text, Voice(Language.EN, "Innkeeper"), lambda one: f"{one:x<32}")
    [label] = modal.to_dict()["components"]
    field = label["component"]
    assert len(field["value"]) <= field["max_length"] <= 4_000


def test_nothing_is_offered_where_nothing_changed() -> None:
    voice = Voice(Language.EN, "Innkeeper")
    assert under_told(None, voice, can_object=True) == ()
    assert under_taken_away(None, voice) == ()
