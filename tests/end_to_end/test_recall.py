"""`/recall` through the front door: what was said is found, by those who may read it, as it is now."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from local_guild.state.world import Overwrite
from tests.end_to_end.asking import at_home, close_to_everyone, labels_of, open_to_everyone
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, NOON, House, Inn, eventually, open_house
from tests.end_to_end.mirror import READ_BACK
from tests.end_to_end.recalling import offered, recall, turn
from tests.end_to_end.slash import use, words_of

NOTHING = "Nothing found for"
HIDDEN = "no channel like that here that you can read"


@pytest.fixture(scope="module")
def at() -> datetime:
    return NOON


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
    await at_home(inn)
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


async def test_an_answer_is_shown_with_the_question_it_belongs_to(inn: Inn) -> None:
    await at_home(inn)
    await say_all(inn, "aylin", "How shall we name the lanterns for the parade?")
    await say_all(inn, "florent", "Esmeralda.")
    await all_indexed(inn.house)
    words = words_of(await recall(inn.person("maren"), "how are the lanterns for the parade named?"))
    assert "Esmeralda." in words
    assert "How shall we name the lanterns for the parade?" in words
    assert "> -# <@" in words


async def test_limits_narrow_it_down_and_are_said(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
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
    await at_home(inn)
    aylin, kitchen = inn.person("aylin"), inn.channel(KITCHEN).id
    begun = await aylin.call("POST", f"/channels/{kitchen}/threads", {"name": "Marmalade", "type": 11})
    thread = int(begun.json()["id"])
    await inn.until_stored(await aylin.say_in(thread, "The marmalade needs three lemons."))
    await eventually(lambda: offered(aylin, "marma"), lambda names: names == [f"#{KITCHEN} › Marmalade"])
    for typed in (KITCHEN, "marmalade", str(thread)):
        assert "three lemons" in words_of(await recall(aylin, "marmalade lemons", in_=typed))
    assert NOTHING in words_of(await recall(aylin, "marmalade lemons", in_=GENERAL))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"before": "whenever"}, "I don't understand “whenever” as a day. Try 2026-03-01"),
        ({"after": "2026-02-31"}, "I don't understand “2026-02-31” as a day"),
        ({"after": "2026-03-02", "before": "2026-03-01"}, "before 2026-03-01 and since 2026-03-02"),
        ({"in_": "nowhere-at-all"}, HIDDEN),
    ],
)
async def test_what_is_not_understood_is_said(inn: Inn, typed: dict[str, str], said: str) -> None:
    await at_home(inn)
    words = words_of(await recall(inn.person("aylin"), "tea", **typed))
    assert said in words
    assert len(words.splitlines()) == 1


async def test_days_are_those_of_the_guilds_own_zone(inn: Inn) -> None:
    await at_home(inn)
    maren = inn.person("maren")
    await use(maren, "settings", "time-zone", zone="Pacific/Kiritimati")
    [said] = await say_all(inn, "maren", "The lighthouse was painted red.")
    local = (await inn.until_stored(said))["sent_at"].astimezone(UTC) + timedelta(hours=14)
    assert "lighthouse" in words_of(await recall(maren, "lighthouse painted", after=f"{local:%Y-%m-%d}"))
    later = local + timedelta(days=1)
    assert NOTHING in words_of(await recall(maren, "lighthouse painted", after=f"{later:%Y-%m-%d}"))


async def test_pages_are_turned_forth_and_back(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    await say_all(inn, "florent", *(f"Beetle number {number} is green." for number in range(12)))
    await all_indexed(inn.house)
    first = await recall(florent, "green beetle number")
    assert labels_of(first["message"]) == ["◀", "1", "2", "3", "▶"]
    seen = {number for page in (first,) for number in re.findall(r"Beetle number (\d+)", words_of(page))}
    second = await turn(florent, first, "▶")
    third = await turn(florent, second, "3")
    back = await turn(florent, third, "◀")
    assert words_of(back) == words_of(second)
    assert "**6.**" in words_of(second)
    assert words_of(second).splitlines()[0] == words_of(first).splitlines()[0]
    seen |= set(re.findall(r"Beetle number (\d+)", words_of(second) + words_of(third)))
    assert len(seen) == 12
    assert first["message"]["id"] == third["message"]["id"]


async def test_a_page_shows_what_is_there_now(inn: Inn) -> None:
    await at_home(inn)
    florent, general = inn.person("florent"), inn.channel(GENERAL).id
    said = await say_all(inn, "florent", *(f"Beetle number {number} is green." for number in range(8)))
    await all_indexed(inn.house)  # what is in the index is ranked by more than what has just been said
    first = await recall(florent, "green beetle number")
    second = await turn(florent, first, "2")
    [one, two, *_] = [message for message in said if f"/{message}" in words_of(second)]
    await florent.call("DELETE", f"/channels/{general}/messages/{one}")
    await inn.until_gone(one)
    await florent.call("PATCH", f"/channels/{general}/messages/{two}", {"content": "It was a cricket."})
    await inn.until_stored(two, text="It was a cricket.")
    again = words_of(await turn(florent, await turn(florent, second, "◀"), "▶"))
    assert f"/{one}" not in again
    assert "It was a cricket." in again


async def test_what_has_closed_does_not_come_back_with_a_page(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await say_all(inn, "florent", *(f"Beetle number {number} is green." for number in range(8)), channel=KITCHEN)
    await all_indexed(inn.house)
    first = await recall(aylin, "green beetle number")
    await close_to_everyone(inn, KITCHEN)
    closed = await turn(aylin, first, "2")
    assert "Beetle" not in words_of(closed)
    assert "gone, or you can't read it any more" in words_of(closed)
    await open_to_everyone(inn, KITCHEN)
    assert "Beetle" in words_of(await turn(aylin, closed, "1"))


async def test_an_edit_is_found_by_its_new_words_only_and_a_deletion_not_at_all(inn: Inn) -> None:
    """At once, and all the same once it is in the index."""
    await at_home(inn)
    aylin, general = inn.person("aylin"), inn.channel(GENERAL).id
    for index_first in (False, True):
        [said] = await say_all(inn, "aylin", "My umbrella is turquoise.")
        if index_first:
            await all_indexed(inn.house)
        assert f"/{said})" in words_of(await recall(aylin, "turquoise"))
        await aylin.call("PATCH", f"/channels/{general}/messages/{said}", {"content": "My umbrella is crimson."})
        await inn.until_stored(said, text="My umbrella is crimson.")
        assert f"/{said})" not in words_of(await recall(aylin, "turquoise"))
        assert f"/{said})" in words_of(await recall(aylin, "crimson"))
        await aylin.call("DELETE", f"/channels/{general}/messages/{said}")
        await inn.until_gone(said)
        assert f"/{said})" not in words_of(await recall(aylin, "crimson umbrella"))


async def test_neither_our_own_words_nor_what_was_said_to_us_are_found(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that Florent collects thimbles")
    await aylin.ask("Bot, does anybody collect thimbles?")
    assert "thimbles" in await aylin.ask("Bot what do you know about Florent?")
    await all_indexed(inn.house)
    assert NOTHING in words_of(await recall(aylin, "who collects thimbles?"))
    await aylin.ask("Bot forget that Florent collects thimbles")
    assert NOTHING in words_of(await recall(aylin, "thimbles"))
    assert "nothing about that" in await aylin.ask("Bot, who collects thimbles?")


async def test_a_hidden_channel_is_the_same_as_none(inn: Inn) -> None:
    await at_home(inn)
    await say_all(inn, "florent", "The password is swordfish.", channel=BACK_ROOM)
    aylin, florent, back_room = inn.person("aylin"), inn.person("florent"), inn.channel(BACK_ROOM).id
    assert "swordfish" in words_of(await recall(florent, "what is the password?"))
    assert "swordfish" in words_of(await recall(florent, "password", in_=BACK_ROOM))
    hidden = [
        words_of(await recall(aylin, "password", in_=typed)) for typed in (str(back_room), f"<#{back_room}>", BACK_ROOM)
    ]
    nowhere = [words_of(await recall(aylin, "password", in_=typed)) for typed in ("123456789012345678", "attic")]
    assert set(hidden) == set(nowhere)
    assert HIDDEN in hidden[0]
    assert "swordfish" not in words_of(await recall(aylin, "what is the password?"))
    assert f"#{BACK_ROOM}" in await offered(florent, "back")
    assert await offered(aylin, "back") == []
    assert await offered(aylin, "") == [f"#{GENERAL}", f"#{KITCHEN}"]


async def test_quotes_stay_quotes(inn: Inn) -> None:
    await at_home(inn)
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


@pytest.mark.parametrize(
    "query",
    [
        "?!",
        "   ",
        "'; DROP TABLE chat_history; --",
        "cat & dog | !(bird:*) <-> ''",
        "\\ % _ \" ' ` ${x} {query} {0}",
        "مفتاح المطبخ \u202eabc",
        "合鍵はどこ？",
        "👍👍👍",
        "a" * 4_000,
        "who said that the kettle stood on the stove? " * 88,
    ],
)
async def test_absurd_queries_are_answered_like_any_other(inn: Inn, query: str) -> None:
    await at_home(inn)
    await say_all(inn, "florent", "The kettle stood on the stove.")
    words = words_of(await recall(inn.person("aylin"), query))
    assert words.startswith(("What should I look for?", NOTHING, "🔎"))
    assert len(words) <= 2_000
    assert "went wrong" not in words


async def test_other_scripts_are_found(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await say_all(
        inn, "florent", "合鍵は時計の後ろにあります。", "Запасной ключ висит за часами.", "المفتاح خلف الساعة"
    )
    assert "合鍵は時計" in words_of(await recall(aylin, "合鍵"))
    assert "Запасной ключ" in words_of(await recall(aylin, "где запасной ключ?"))
    assert "المفتاح" in words_of(await recall(aylin, "المفتاح"))


async def test_a_full_page_of_long_messages_fits(inn: Inn) -> None:
    await at_home(inn)
    await say_all(inn, "florent", *(f"Beetle {number} **is** `green`. " + "*_[|" * 400 for number in range(6)))
    outcome = await recall(inn.person("florent"), "green beetle")
    assert len(words_of(outcome)) <= 2_000
    assert words_of(outcome).count("[show](") == 5


async def test_pages_can_be_turned_after_a_restart(own_inn: Inn) -> None:
    house = own_inn.house
    async with house.bot_running():
        await at_home(own_inn)
        florent = own_inn.person("florent")
        await say_all(own_inn, "florent", *(f"Beetle number {number} is green." for number in range(8)))
        first = await recall(florent, "green beetle number")
    house.health.part("gateway").initializing()
    async with house.bot_running():
        await at_home(own_inn)
        second = await turn(florent, first, "▶")
        assert "**6.** " in words_of(second)
        assert "green" in words_of(second)


async def test_without_its_database_it_says_so_and_leaves_the_page_open(database_url: str, tmp_path: Path) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        inn = Inn(house, next(house.fresh))
        house.database_url = database_url
        await at_home(inn)
        florent = inn.person("florent")
        await say_all(inn, "florent", *(f"Beetle number {number} is green." for number in range(8)))
        first = await recall(florent, "green beetle number")
        await cable.cut()
        assert "can't reach my memory" in words_of(await recall(florent, "green beetle number"))
        turned = await turn(florent, first, "2")
        assert "can't reach my memory" in words_of(turned)
        assert "**1.**" in words_of(turned)
        await cable.mend()


async def test_what_may_be_seen_but_not_read_back_is_not_recalled(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    kitchen, places = inn.channel(KITCHEN), inn.house.server.places
    await say_all(inn, "florent", "The saffron is under the third tile.", channel=KITCHEN)
    assert "third tile" in words_of(await recall(aylin, "saffron tile", KITCHEN))
    places.put_overwrite(kitchen, Overwrite(aylin.user.id, for_member=True, deny=READ_BACK))
    try:
        assert NOTHING in words_of(await recall(aylin, "saffron tile", KITCHEN))
        assert "third tile" in words_of(await recall(florent, "saffron tile", KITCHEN))
        assert "hums" in await florent.ask("Bot remember that gruzilkin hums", KITCHEN), "what stands there is repeated"
        assert "hums" not in await florent.ask("Bot what do you know about gruzilkin?", KITCHEN)
    finally:
        places.remove_overwrite(kitchen, aylin.user.id)
