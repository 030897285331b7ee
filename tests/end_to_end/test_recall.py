"""`/recall` through the front door: what was said is found, by those who may read it, as it is now."""

import re

from tests.end_to_end.asking import close_to_everyone, open_to_everyone, recall, turn
from tests.end_to_end.house import GENERAL, KITCHEN, NOON, House, Inn, Person, eventually
from tests.end_to_end.slash import labels_of, offered, words_of

AT = NOON
NOTHING = "Nothing found for"


async def say_all(inn: Inn, name: str, *texts: str, channel: str = GENERAL) -> list[int]:
    person = inn.person(name)
    said = [await person.say(text, channel) for text in texts]
    for message_id in said:
        await inn.until_stored(message_id)
    return said


async def all_indexed(house: House) -> None:
    await eventually(
        lambda: house.rows(
            "SELECT 1 FROM chat_history AS said WHERE seq > coalesce("
            "(SELECT words_through FROM index_state WHERE index_state.guild_id = said.guild_id), 0)"
        ),
        lambda waiting: not waiting,
    )


async def test_what_was_said_is_found_with_author_time_place_and_link(inn: Inn) -> None:
    [said] = await say_all(inn, "florent", "The spare key hangs behind the clock.", channel=KITCHEN)
    outcome = await recall(inn.person("aylin"), "where is the spare key?")
    words = words_of(outcome)
    kitchen = inn.channel(KITCHEN).id
    assert words.startswith("🔎 “where is the spare key?”")
    assert re.search(rf"\*\*1\.\*\* <@{inn.person('florent').user.id}> · <t:\d+:f> · <#{kitchen}> · \[show\]", words)
    assert "> The spare key hangs behind the clock." in words
    assert f"https://discord.com/channels/{inn.guild.id}/{kitchen}/{said}" in words
    assert outcome["message"]["flags"] & 64
    assert outcome["message"]["components"] == []


async def test_limits_narrow_it_down_and_are_said(inn: Inn, florent: Person, aylin: Person) -> None:
    await say_all(inn, "florent", "I planted radishes by the wall.")
    await say_all(inn, "aylin", "The radishes are pink.", channel=KITCHEN)
    by_florent = words_of(await recall(aylin, "radishes", from_=str(florent.user.id)))
    assert "by the wall" in by_florent
    assert "pink" not in by_florent
    assert by_florent.startswith(f"🔎 “radishes” · from <@{florent.user.id}>")
    for typed in (str(inn.channel(KITCHEN).id), f"<#{inn.channel(KITCHEN).id}>", f"#{KITCHEN}", KITCHEN.upper()):
        in_kitchen = words_of(await recall(aylin, "radishes", in_=typed))
        assert "pink" in in_kitchen
        assert "by the wall" not in in_kitchen
        assert f"in <#{inn.channel(KITCHEN).id}>" in in_kitchen
    today = f"{NOON:%Y-%m-%d}"
    assert f"{NOTHING} “radishes” · before {today}" in words_of(await recall(aylin, "radishes", before=today))
    since = words_of(await recall(aylin, "radishes", after="today"))
    assert f"since {today}" in since
    assert "by the wall" in since


async def test_threads_belong_to_their_channel_and_can_be_named_alone(inn: Inn) -> None:
    aylin, kitchen = inn.person("aylin"), inn.channel(KITCHEN).id
    begun = await aylin.call("POST", f"/channels/{kitchen}/threads", {"name": "Marmalade", "type": 11})
    thread = int(begun.json()["id"])
    await inn.until_stored(await aylin.say_in(thread, "The marmalade needs three lemons."))
    await eventually(
        lambda: offered(aylin, "recall", typed=("in", "marma"), text="tea"),
        lambda choices: [one["name"] for one in choices] == [f"#{KITCHEN} › Marmalade"],
    )
    for typed in (KITCHEN, "marmalade", str(thread)):
        assert "three lemons" in words_of(await recall(aylin, "marmalade lemons", in_=typed))
    assert NOTHING in words_of(await recall(aylin, "marmalade lemons", in_=GENERAL))


async def test_pages_are_turned_and_show_what_is_there_now_and_may_be_read(inn: Inn) -> None:
    aylin, florent, kitchen = inn.person("aylin"), inn.person("florent"), inn.channel(KITCHEN).id
    said = await say_all(
        inn, "florent", *(f"Beetle number {number} is green." for number in range(12)), channel=KITCHEN
    )
    await all_indexed(inn.house)  # what is in the index is ranked by more than what has just been said
    first = await recall(aylin, "green beetle number")
    assert labels_of(first["message"]) == ["◀", "1", "2", "3", "▶"]
    second = await turn(aylin, first, "▶")
    third = await turn(aylin, second, "3")
    back = await turn(aylin, third, "◀")
    assert words_of(back) == words_of(second)
    assert "**6.**" in words_of(second)
    assert words_of(second).splitlines()[0] == words_of(first).splitlines()[0]
    seen = set(re.findall(r"Beetle number (\d+)", words_of(first) + words_of(second) + words_of(third)))
    assert len(seen) == 12
    assert first["message"]["id"] == third["message"]["id"]

    one, two, *_ = [message for message in said if f"/{message}" in words_of(second)]
    await florent.call("DELETE", f"/channels/{kitchen}/messages/{one}")
    await inn.until_gone(one)
    await florent.call("PATCH", f"/channels/{kitchen}/messages/{two}", {"content": "It was a cricket."})
    await inn.until_stored(two, text="It was a cricket.")
    again = await turn(aylin, await turn(aylin, back, "◀"), "▶")
    assert f"/{one}" not in words_of(again)
    assert "It was a cricket." in words_of(again)

    await close_to_everyone(inn, KITCHEN)
    closed = await turn(aylin, again, "1")
    assert "Beetle" not in words_of(closed)
    assert "gone, or you can't read it any more" in words_of(closed)
    await open_to_everyone(inn, KITCHEN)
    assert "Beetle" in words_of(await turn(aylin, closed, "3"))


async def test_quotes_stay_quotes(inn: Inn) -> None:
    await say_all(
        inn,
        "florent",
        "# @everyone pancakes ```now``` **bold**\n> <@&77> ||hidden|| \u202e[here](https://evil.example)",
    )
    outcome = await recall(inn.person("aylin"), "pancakes")
    words = words_of(outcome)
    assert "@everyone" not in words
    assert "<@&77>" not in words
    assert "\u202e" not in words
    assert r"> \# @" in words
    assert r"\`\`\`now" in words
    assert r"\[here\]" in words
    assert outcome["message"]["mentions"] == []
