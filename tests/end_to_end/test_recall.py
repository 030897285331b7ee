"""`/recall` and recalled answers through the front door: what was said is found, by those who may read it."""

import pytest

from tests.end_to_end.asking import at_home, labels_of
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn
from tests.end_to_end.recalling import offered, recall, turn
from tests.end_to_end.slash import words_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def say_all(inn: Inn, name: str, *texts: str, channel: str = GENERAL) -> list[int]:
    person = inn.person(name)
    said = [await person.say(text, channel) for text in texts]
    for message_id in said:
        await inn.until_stored(message_id)
    return said


async def test_what_was_said_is_found_with_author_time_place_and_link(inn: Inn) -> None:
    await at_home(inn)
    [said] = await say_all(inn, "florent", "The spare key hangs behind the clock.", channel=KITCHEN)
    outcome = await recall(inn.person("aylin"), "where is the spare key?")
    words = words_of(outcome)
    kitchen = inn.channel(KITCHEN).id
    assert words.startswith("🔎 “where is the spare key?”")
    assert f"<@{inn.person('florent').user.id}>" in words
    assert f"<#{kitchen}>" in words
    assert "> The spare key hangs behind the clock." in words
    assert f"https://discord.com/channels/{inn.guild.id}/{kitchen}/{said}" in words
    assert outcome["message"]["flags"] & 64
    assert outcome["message"]["components"] == []
