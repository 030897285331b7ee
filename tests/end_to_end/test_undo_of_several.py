"""Undo in place of what was told about several people at once: each of them is named, and each may object."""

import pytest

from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.changing import fill_in, form_of
from tests.end_to_end.choosing import becomes, facts_of, press
from tests.end_to_end.house import Inn, Payload, Person
from tests.end_to_end.test_undo import MINE, OF_OTHERS


async def reword(person: Person, line: Payload, words: str) -> Payload:
    await fill_in(person, line, await form_of(person, line), words)
    return await becomes(person, line, "Changed. ")


async def test_the_line_names_all_of_them_also_in_other_words(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin, gruzilkin = (inn.person(name) for name in ("florent", "aylin", "gruzilkin"))
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} and {gruzilkin.mention} are married")
    assert told["content"].startswith("Got it, I'll remember about Aylin, gruzilkin: ")
    now = await reword(florent, told, "@Aylin and @gruzilkin are engaged")
    assert now["content"].startswith("Changed. I'll remember about Aylin, gruzilkin: ")
    assert labels_of(now) == OF_OTHERS
    assert {subject for subject, _ in await facts_of(inn)} == {aylin.user.id, gruzilkin.user.id}


@pytest.mark.parametrize("words", ["I and {} are married", "{} and I are married"])
async def test_whoever_was_told_of_beside_the_teller_may_object(inn: Inn, words: str) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, f"Bot remember that {words.format(aylin.mention)}")
    assert labels_of(told) == OF_OTHERS
    now = await reword(florent, told, words.format("@Aylin").replace("married", "engaged"))
    assert labels_of(now) == OF_OTHERS
    await press(aylin, now, "Not true")
    await becomes(aylin, now, "not true")
    assert [subject for subject, _ in await facts_of(inn)] == [florent.user.id]


async def test_whoever_has_left_is_not_taken_for_the_server(inn: Inn) -> None:
    await at_home(inn)
    maren, gruzilkin = inn.person("maren"), inn.person("gruzilkin")
    told = await say_and_hear(maren, f"Bot remember that {gruzilkin.mention} snores")
    await maren.call("DELETE", f"/guilds/{inn.guild.id}/members/{gruzilkin.user.id}")
    now = await reword(maren, told, f"{gruzilkin.mention} sings")
    assert now["content"].startswith(f"Changed. I'll remember about {gruzilkin.mention}: ")


async def test_what_is_about_the_server_is_said_so(inn: Inn) -> None:
    await at_home(inn)
    maren = inn.person("maren")
    told = await say_and_hear(maren, "Bot remember that the door code is 4711")
    assert labels_of(told) == MINE
    now = await reword(maren, told, "the door code is 1337")
    assert "1337" in now["content"]
    assert "about" not in now["content"] or "server" in now["content"]
