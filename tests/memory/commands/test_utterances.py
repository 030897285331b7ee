"""Two hundred things that people type, written by somebody who has not read the grammar: what each is taken for."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from memory.answers.understanding import without_model
from memory.commands.addressing import address
from memory.commands.small_talk import chatter_in, help_in, order_in, own_sentence
from memory.core.values import Intent

NAMES, BOT_ID = ("Bot", "Бот"), 1
UTTERANCES: list[Mapping[str, str]] = tomllib.loads(
    (Path(__file__).parent / "utterances.toml").read_text(encoding="utf-8")
)["utterance"]
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


def test_most_of_what_people_type_is_understood() -> None:
    assert len(UTTERANCES) == 200
    assert {one["said"] for one in UTTERANCES if taken_for(one["said"]) != one["wants"]} <= MISSED


def test_what_is_not_said_to_us_is_left_alone() -> None:
    assert [one["said"] for one in UTTERANCES if one["wants"] == "nothing" != taken_for(one["said"])] == []


def test_nothing_is_kept_or_dropped_that_nobody_asked_for() -> None:
    changing = {Intent.REMEMBER.value, Intent.FORGET.value}
    wrong = [one["said"] for one in UTTERANCES if taken_for(one["said"]) in changing - {one["wants"]}]
    assert wrong == []
