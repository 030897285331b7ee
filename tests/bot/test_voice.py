"""Every outcome has a sentence in every language."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.facts.undo import edited, opened_to_all
from bot.replies.split import LIMIT
from bot.words import LONGEST_FACT, Phrase, Voice
from memory.core.outcomes import AlreadyKnown, Forgotten, KnownBetter, NothingFound, Remembered, UnclearWho
from memory.core.values import Fact, Member, Standing
from memory.facts.values import Edited
from memory.language.detect import Language
from memory.models.prompt_data import one_line

ANNA = Member(1, 11, "anna_", None, "Anna *the* great")
BERT = Member(1, 12, "bert", None, "Anna *the* great")


def fact(text: str) -> Fact:
    return Fact(1, 2, 11, 12, 3, 4, text, Standing.HEARSAY, datetime(2026, 1, 1, tzinfo=UTC))


@given(st.text(), st.text())
def test_the_words_of_members_are_only_ever_filled_in(name: str, words: str) -> None:
    sentence = Voice(Language.EN, "Bot").told(Remembered(fact(words), Member(1, 2, "x", None, name or "x")))
    assert one_line(words, LONGEST_FACT) in sentence


@pytest.mark.parametrize(
    "words",
    [
        "see [1](https://evil.example)",
        "x\n-# ↪ [1](https://evil.example)",
        "x\n-# Everyone on this server may hear this.",
        "```py\nprint(1)",
        "# BIG\n# BIGGER",
    ],
)
def test_no_words_pass_for_ours(words: str) -> None:
    """Whatever they say, our sentence is one line with their words in it."""
    voice = Voice(Language.EN, "Bot")
    about = Remembered(fact(words), ANNA)
    said = [
        voice.told(about),
        voice.told(AlreadyKnown(fact(words), ANNA)),
        voice.told(KnownBetter(fact(words), ANNA)).splitlines()[0],
        voice.forgot(NothingFound(words)),
        voice.told(UnclearWho(words, (ANNA,))).splitlines()[0],
        voice.forgot(Forgotten((fact(words),))).splitlines()[1],
        edited(Edited(about.fact, uuid4()), "", voice, lambda _: None),
    ]
    assert [sentence for sentence in said if "\n" in sentence or re.search(r"(?<!\\)\]\(|(?<!\\)`", sentence)] == []


def test_a_confirmation_that_everyone_may_know_stays_as_long_as_a_message_may_be(voice: Voice) -> None:
    line, before = voice.say(Phrase.EVERYONE_MAY_KNOW), voice.say(Phrase.STAYS_HERE)
    long = opened_to_all("tea " * 499 + "end.", voice)
    assert len(long) <= LIMIT
    assert long.endswith(f"…\n{line}")
    assert opened_to_all(f"<@1> likes tea\n{before}", voice) == f"<@1> likes tea\n{line}"
