"""What people type, written by somebody who has not read the grammar: what each is taken for."""

import pytest

from memory.answers.understanding import without_model
from memory.commands.addressing import address
from memory.commands.small_talk import Kindness, chatter_in, kindness_of, order_in, own_sentence, wanted_in
from memory.core.values import Intent
from tests.memory.tables import tables_of

NAMES, BOT_ID = ("Bot", "Бот"), 1
UTTERANCES: dict[str, list[str]] = tables_of(__file__, "utterances")
WISHES: dict[str, list[tuple[str, str]]] = tables_of(__file__, "wishes")
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
    if order_in(sentence) is not None:
        return "question"  # that it cannot be done, or that nothing is kept
    wanted = wanted_in(sentence)
    return "help" if wanted is not None and wanted[0] is Kindness.HELP else without_model(sentence).intent.value


@pytest.mark.parametrize(
    ("wants", "language", "said"), [(wants, *one) for wants, several in WISHES.items() for one in several]
)
def test_what_is_wanted_of_reminders_catch_up_and_days(wants: str, language: str, said: str) -> None:
    addressed = address(f"Bot, {said}", names=NAMES, bot_id=BOT_ID)
    assert addressed is not None
    taken, spoken = addressed.intent.value, addressed.language
    if addressed.intent is Intent.QUESTION and (chatter := chatter_in(addressed.body)) is not None:
        taken, spoken = kindness_of(addressed.body, chatter).value, chatter
    elif addressed.intent is Intent.QUESTION:
        taken = without_model(own_sentence(addressed.body)).intent.value
    assert (taken, spoken) == (wants, language)


def test_most_of_what_people_type_is_understood() -> None:
    assert sum(map(len, UTTERANCES.values())) == 200
    taken = {said: (wants, taken_for(said)) for wants, several in UTTERANCES.items() for said in several}
    wrong = {said for said, (wanted, was) in taken.items() if wanted != was}
    assert wrong <= MISSED
    assert {taken[said][1] for said in wrong} <= {"nothing", "question"}, "nothing is kept, dropped or answered unasked"
    assert [said for said in wrong if taken[said][0] == "nothing"] == []
