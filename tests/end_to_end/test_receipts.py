"""B.2: an answer keeps what it was made from, links what can be opened, and says why to whoever may see it."""

import re
from datetime import datetime

import pytest

from tests.end_to_end.asking import at_home, buttons_of, close_to_everyone, labels_of, say_and_hear
from tests.end_to_end.choosing import tell
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Payload, Person, eventually, until
from tests.end_to_end.recalling import turn
from tests.end_to_end.slash import COMMAND, COMPONENT, words_of

MESSAGE_MENU = 3
EPHEMERAL = 64
LINK = re.compile(r"\[(\d)\]\(https://discord\.com/channels/(\d+)/(\d+)/(\d+)\)")


async def ask_why(person: Person, message_id: int, channel: str = GENERAL) -> str:
    return words_of(await open_why(person, message_id, channel))


async def open_why(person: Person, message_id: int, channel: str = GENERAL) -> Payload:
    data = {"name": "Why did you say that?", "type": MESSAGE_MENU, "target_id": str(message_id)}
    body = {"type": COMMAND, "channel_id": str(person.inn.channel(channel).id), "data": data}
    outcome: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    assert outcome["message"]["flags"] & EPHEMERAL
    return outcome


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


async def until_nobody_came(inn: Inn, since: datetime) -> None:
    """Until it is known that whoever reads a reply of that moment could read what it was made from."""
    memory = inn.house.memory.retractions
    await until(lambda: (memory.unchanged_until(inn.guild.id) or since) > since)


async def content_of(person: Person, reply: Payload) -> str:
    """What stands there now; nothing, if it is gone."""
    answer = await person.try_call("GET", f"/channels/{reply['channel_id']}/messages/{reply['id']}")
    return "" if answer.status_code == 404 else str(answer.raise_for_status().json()["content"])


async def said_and_stored(person: Person, text: str, channel: str = GENERAL) -> int:
    message_id = await person.say(text, channel)
    await person.inn.until_stored(message_id)
    return message_id


async def test_an_answer_links_what_it_repeats_and_says_why(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
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
    await at_home(inn)
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


async def test_facts_told_by_command_have_no_message_to_link_to_and_fill_pages(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    things = ("stamps", "lanterns", "maps", "spoons", "clocks", "kites", "shells")
    for thing in things:
        await tell(aylin, "remember", fact=f"that I collect {thing}")
    assert await inn.house.rows("SELECT 1 FROM receipts WHERE guild_id = $1", inn.guild.id) == []
    known = await say_and_hear(florent, f"Bot what do you know about {aylin.mention}?")
    assert "stamps" in known["content"]
    assert "https://" not in known["content"]
    await until_noted(inn, known)
    first = await open_why(aylin, int(known["id"]))
    second = await turn(aylin, first, "▶")
    assert [labels_of(one["message"]) for one in (first, second)] == [["▶"], ["◀"]]
    words = words_of(first) + words_of(second)
    assert sorted(thing for thing in things if thing in words) == sorted(things)
    assert "https://" not in words


async def test_who_may_not_see_a_source_any_more_is_not_shown_it(inn: Inn) -> None:
    await at_home(inn)
    aylin, maren = inn.person("aylin"), inn.person("maren")
    await said_and_stored(inn.person("florent"), "The dragon boat race begins at the bridge", KITCHEN)
    reply = await say_and_hear(aylin, f"<@{inn.house.bot.id}> what about the dragon boat race?")
    assert "bridge" in reply["content"]
    await until_nobody_came(inn, (await until_noted(inn, reply))["made_at"])
    assert "bridge" in await ask_why(aylin, int(reply["id"]))
    await close_to_everyone(inn, KITCHEN)
    words = await ask_why(aylin, int(reply["id"]))
    assert "bridge" not in words
    assert str(inn.channel(KITCHEN).id) not in words
    assert "bridge" in await ask_why(maren, int(reply["id"])), "whoever manages the server still sees it"


async def test_honest_words_where_there_is_nothing_to_show(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    theirs = await said_and_stored(aylin, "hello there")
    assert "isn't mine" in await ask_why(aylin, theirs)
    thanked = await say_and_hear(aylin, "Bot thanks!")
    assert "no record" in await ask_why(aylin, int(thanked["id"]))
    ignorant = await say_and_hear(aylin, f"<@{inn.house.bot.id}> who stole the lantern of Bornholm?")
    await until_noted(inn, ignorant)
    assert "can't show you anything it came from" in await ask_why(aylin, int(ignorant["id"]))


async def test_killed_before_its_message_was_noted_a_reply_is_found_all_the_same(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
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
    await eventually(lambda: content_of(aylin, reply), lambda content: "celandine" not in content)


async def test_what_takes_the_place_of_our_question_takes_the_place_of_its_receipt(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    for what in ("sail a red boat on Sundays with friends", "rent a red boat for tourists in summer"):
        await say_and_hear(aylin, f"Bot remember that I {what}")
    asked = await say_and_hear(aylin, "Bot forget the red boat regatta")
    row = await until_noted(inn, asked)
    assert len(row["quoted_facts"]) == 2
    button = buttons_of(asked)[0]
    body = {
        "type": COMPONENT,
        "channel_id": asked["channel_id"],
        "message_id": asked["id"],
        "data": {"component_type": button["type"], "custom_id": button["custom_id"]},
    }
    await aylin.call("POST", "/interactions?wait=true", body)
    changed = await eventually(
        lambda: receipt_of(inn, row["asked_in"]), lambda now: now is not None and len(now["quoted_facts"]) == 1
    )
    assert changed is not None
    assert changed["message_ids"] == [int(asked["id"])]
    assert changed["because"] == "lapsed", "what was forgotten is named for as long as it can be undone"
