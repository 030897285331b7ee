"""Who may do what about a fact they are shown by `/memory show`: the rest of the table of who may do what.

What somebody may not is not offered to them; and what was offered while they might is refused afterwards.
"""

import pytest

from tests.end_to_end.asking import at_home, outcome_of
from tests.end_to_end.changing import whispered_in
from tests.end_to_end.house import Inn, Person, eventually
from tests.end_to_end.memory_screen import MemoryScreen, memory_of
from tests.end_to_end.test_authority import CONFIRMED, HEARSAY, OF_ONESELF, Play, ledger

PARTS = "TSOMGW"
ABOUT_ME = ["Confirm", "Correct", "Not true", "Forget"]

# fmt: off
OFFERED = {
    HEARSAY: {
        "T": ["Forget"], "S": ABOUT_ME,                                     "O": [],
        "M": [],         "G": ["Remove"],                                   "W": ["Remove"],
    },
    CONFIRMED: {
        "T": ["Forget"], "S": ["Correct", "Not true", "Forget"],  "O": [],
        "M": [],         "G": ["Remove"],                                   "W": ["Remove"],
    },
    OF_ONESELF: {
        "T": [],         "S": ["Correct", "Forget"],                        "O": [],
        "M": [],         "G": ["Remove"],                                   "W": ["Remove"],
    },
}
# fmt: on


async def opened(person: Person, inn: Inn) -> MemoryScreen | None:
    """The one fact that is held about Aylin, if they are shown something to do about it."""
    aylin = inn.person("aylin")
    screen = await memory_of(person, None if person.user.id == aylin.user.id else aylin)
    if "1" not in screen.labels():
        return None
    await screen.do("1", "")
    return screen


async def offered_to(person: Person, inn: Inn) -> list[str]:
    screen = await opened(person, inn)
    return [] if screen is None else [label for label in screen.labels() if label != "Back"]


@pytest.mark.parametrize("standing", OFFERED)
async def test_what_is_offered_to_whom(inn: Inn, standing: str) -> None:
    await at_home(inn)
    play = Play(inn)
    await play.tell(standing)
    seen = {part: await offered_to(await play.cast(part), inn) for part in PARTS}
    assert seen == OFFERED[standing]


async def test_what_was_offered_to_a_manager_is_refused_to_a_member(inn: Inn) -> None:
    await at_home(inn)
    play = Play(inn)
    await play.tell(HEARSAY)
    gruzilkin = await play.cast("G")
    screen = await opened(gruzilkin, inn)
    assert screen is not None
    assert "Remove" in screen.labels()
    await play.cast("O")
    before = await ledger(inn)
    pressed = await screen.press("Remove")

    async def answer() -> str:
        return f"{screen.words}\n{whispered_in(await outcome_of(gruzilkin, pressed))}"

    said = await eventually(answer, lambda words: "the person it's about" in words)
    assert "someone who manages the server" in said
    assert await ledger(inn) == before
