"""What its subject hid, told again by others: they see what they always see, and nothing comes to light by it."""

import pytest

from tests.end_to_end.asking import at_home, labels_of
from tests.end_to_end.choosing import becomes, press
from tests.end_to_end.house import Inn, Payload, Person
from tests.end_to_end.memory_screen import memory_of
from tests.end_to_end.taken_back import content_of, noted, nothing_left_to_do

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def hide_first(person: Person) -> None:
    screen = await memory_of(person)
    await screen.do("1", "quinces")
    await screen.do("Hide", "nobody but you")


async def tell(person: Person, about: Person) -> Payload:
    said = await person.say(f"Bot remember that {about.mention} grows quinces")
    told = await person.hear_reply(said)
    await noted(person.inn, said, int(told["id"]))
    return told


async def test_who_tells_again_what_was_hidden_cannot_tell(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin, maren = inn.person("florent"), inn.person("aylin"), inn.person("maren")
    first = await tell(florent, aylin)
    await hide_first(aylin)
    await nothing_left_to_do(inn)
    assert "quinces" not in str(await content_of(florent, first))
    again = await tell(maren, aylin)
    assert (again["content"], labels_of(again)) == (first["content"], labels_of(first))
    await nothing_left_to_do(inn)
    assert await content_of(maren, again) == again["content"]
    assert "quinces" not in await maren.ask("Bot what do you know about aylin?")
    await press(maren, again, "Undo")
    await becomes(maren, again, "Undone")
