"""B.2: an answer keeps what it was made from, links what can be opened, and says why to whoever may see it."""

import re

import pytest

from local_guild.state.messages import EPHEMERAL
from tests.end_to_end.asking import say_and_hear
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import point_at, words_of
from tests.end_to_end.taken_back import content_of

LINK = re.compile(r"\[(\d)\]\(https://discord\.com/channels/(\d+)/(\d+)/(\d+)\)")


async def ask_why(person: Person, message_id: int) -> str:
    outcome = await point_at(person, "Why did you say that?", message_id)
    assert outcome["message"]["flags"] & EPHEMERAL
    return words_of(outcome)


async def receipt_of(inn: Inn, asked_in: int) -> Payload | None:
    rows = await inn.house.rows("SELECT * FROM receipts WHERE guild_id = $1 AND asked_in = $2", inn.guild.id, asked_in)
    return rows[0] if rows else None


async def until_noted(inn: Inn, reply: Payload) -> Payload:
    """The receipt of a reply, once its message is known in there."""
    asked_in = int(reply["message_reference"]["message_id"])
    row = await eventually(
        lambda: receipt_of(inn, asked_in), lambda row: row is not None and int(reply["id"]) in row["message_ids"]
    )
    assert row is not None
    return row


async def said_and_stored(person: Person, text: str, channel: str = GENERAL) -> int:
    message_id = await person.say(text, channel)
    await person.inn.until_stored(message_id)
    return message_id


async def test_an_answer_links_what_it_repeats_and_says_why(inn: Inn, aylin: Person, florent: Person) -> None:
    quiz = await said_and_stored(florent, "The pub quiz is on Friday at eight")
    beer = await said_and_stored(florent, "Whoever wins the pub quiz gets free beer", KITCHEN)
    reply = await say_and_hear(aylin, f"<@{inn.house.bot.id}> what about the pub quiz?")
    links = {int(number): int(message_id) for number, _, _, message_id in LINK.findall(reply["content"])}
    assert set(links.values()) == {quiz, beer}
    for number, message_id in links.items():
        word = "Friday" if message_id == quiz else "beer"
        assert re.search(rf"{word}[^\n]*\[{number}\]$", reply["content"], re.MULTILINE), "numbers agree with links"
    row = await until_noted(inn, reply)
    assert set(row["quoted_messages"]) == {quiz, beer}
    words = await ask_why(aylin, int(reply["id"]))
    assert "Friday at eight" in words
    assert f"/{inn.channel(KITCHEN).id}/{beer})" in words
    assert "quotes or repeats" in words
    assert "had this in view" not in words
    assert f"<t:{int((await inn.until_stored(quiz))['sent_at'].timestamp())}:f>" in words


async def test_what_was_told_is_shown_with_its_dates_and_a_confirmation_has_a_receipt(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    confirmed = await say_and_hear(aylin, "Bot remember that I collect stamps")
    row = await until_noted(inn, confirmed)
    assert len(row["quoted_facts"]) == 1
    known = await say_and_hear(florent, f"Bot what do you know about {aylin.mention}?")
    assert (await until_noted(inn, known))["quoted_facts"] == row["quoted_facts"]
    words = await ask_why(florent, int(known["id"]))
    assert "stamps" in words
    assert re.search(r"<t:\d+:D>", words)
    assert confirmed["message_reference"]["message_id"] in words, "the way to the telling"


async def test_honest_words_where_there_is_nothing_to_show(inn: Inn, aylin: Person) -> None:
    theirs = await said_and_stored(aylin, "hello there")
    assert "isn't mine" in await ask_why(aylin, theirs)
    thanked = await say_and_hear(aylin, "Bot thanks!")
    assert "no record" in await ask_why(aylin, int(thanked["id"]))
    ignorant = await say_and_hear(aylin, f"<@{inn.house.bot.id}> who stole the lantern of Bornholm?")
    await until_noted(inn, ignorant)
    assert "can't show you anything it came from" in await ask_why(aylin, int(ignorant["id"]))


async def test_killed_before_its_message_was_noted_a_reply_is_found_all_the_same(
    inn: Inn, aylin: Person, florent: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = await said_and_stored(florent, "The vault opens with the word celandine")

    async def never(*_: object) -> None:
        """As if nobody had been there any more."""

    monkeypatch.setattr(inn.house.memory.receipts, "note_sent", never)
    reply = await say_and_hear(aylin, f"<@{inn.house.bot.id}> which word opens the vault?")
    row = await receipt_of(inn, int(reply["message_reference"]["message_id"]))
    assert row is not None
    assert row["message_ids"] == []
    assert "celandine" in await ask_why(aylin, int(reply["id"]))
    await inn.until_stored(int(reply["id"]))
    await florent.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
    await inn.until_gone(int(reply["id"]))
    await eventually(lambda: content_of(aylin, reply), lambda content: "celandine" not in (content or ""))
