"""Two hundred things that people type, written by somebody who has not read the grammar: what each is taken for."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from memory.answers.understanding import without_model
from memory.commands.addressing import address
from memory.commands.small_talk import chatter_in, help_in, kindness_of, order_in, own_sentence
from memory.core.values import Intent

NAMES, BOT_ID = ("Bot", "Бот"), 1
UTTERANCES: list[Mapping[str, str]] = tomllib.loads(
    (Path(__file__).parent / "utterances.toml").read_text(encoding="utf-8")
)["utterance"]
WISHES: list[Mapping[str, str]] = tomllib.loads((Path(__file__).parent / "wishes.toml").read_text(encoding="utf-8"))[
    "wish"
]
MISSED = {
    "tell me about the clubhouse bot",
    "hey bot whos this max guy everyone keeps talking about",
    "hey bot did tom say if hes coming on friday or nah",
}
"""By rules alone. They may only become fewer; part 12 allows twenty."""


def taken_for(said: str) -> str:
    addressed = address(said.replace("@Bot", f"<@{BOT_ID}>"), names=NAMES, bot_id=BOT_ID)
    if addressed is None:
        return "nothing"
    if addressed.intent is not Intent.QUESTION:
        return addressed.intent.value
    sentence = own_sentence(addressed.body)
    if help_in(sentence) is not None:
        return "help"
    if order_in(sentence) is not None:
        return "question"  # that it cannot be done, or that nothing is kept
    return "chatter" if chatter_in(sentence) is not None else without_model(sentence).intent.value


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish["said"])
def test_what_is_wanted_of_reminders_catch_up_and_days(wish: Mapping[str, str]) -> None:
    addressed = address(f"Bot, {wish['said']}", names=NAMES, bot_id=BOT_ID)
    assert addressed is not None
    wants, language = addressed.intent.value, addressed.language
    if addressed.intent is Intent.QUESTION and (spoken := chatter_in(addressed.body)) is not None:
        wants, language = kindness_of(addressed.body, spoken).value, spoken
    elif addressed.intent is Intent.QUESTION:
        wants = without_model(own_sentence(addressed.body)).intent.value
    assert (wants, language) == (wish["wants"], wish["language"])
    assert addressed.may_mean == ()


def test_most_of_what_people_type_is_understood() -> None:
    assert len(UTTERANCES) == 200
    assert {one["said"] for one in UTTERANCES if taken_for(one["said"]) != one["wants"]} <= MISSED


def test_what_is_not_said_to_us_is_left_alone() -> None:
    assert [one["said"] for one in UTTERANCES if one["wants"] == "nothing" != taken_for(one["said"])] == []


def test_nothing_is_kept_or_dropped_that_nobody_asked_for() -> None:
    changing = {Intent.REMEMBER.value, Intent.FORGET.value}
    wrong = [one["said"] for one in UTTERANCES if taken_for(one["said"]) in changing - {one["wants"]}]
    assert wrong == []
