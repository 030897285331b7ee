"""`/memory` and `/settings facts` through the front door: what is held about whom, and what may be done about it."""

import re

from local_guild.state.permissions import Permission
from tests.end_to_end.asking import at_home, give_right
from tests.end_to_end.house import BACK_ROOM, GENERAL, House, Inn, Person, eventually
from tests.end_to_end.screen import Screen, memory_of
from tests.end_to_end.slash import use, words_of

ASKED = "Bot what do you know about gruzilkin?"


async def told_radishes(inn: Inn) -> tuple[Person, Person]:
    """Aylin has told something of gruzilkin."""
    await at_home(inn)
    aylin, gruzilkin = inn.person("aylin"), inn.person("gruzilkin")
    assert "radishes" in await aylin.ask("Bot remember that gruzilkin likes radishes")
    return aylin, gruzilkin


async def test_one_sees_what_is_held_from_whom_since_when_and_where(inn: Inn) -> None:
    aylin, gruzilkin = await told_radishes(inn)
    told = await gruzilkin.say("Bot remember that I grow quinces")
    await gruzilkin.hear_reply(told)
    screen = await memory_of(gruzilkin)
    own, mine = f"<@{gruzilkin.user.id}>", inn.channel(GENERAL).id
    lines = screen.words.splitlines()
    assert lines[0] == "**What I know about you**"
    assert lines[1] == f"**1.** “I grow quinces” – {own}"
    link = rf"\[message\]\(https://discord\.com/channels/{inn.guild.id}/{mine}/{told}\)"
    assert re.fullmatch(rf"-# you said so · since <t:\d+:D> · <#{mine}> · {link}", lines[2])
    assert lines[3] == f"**2.** {own} likes radishes"
    assert lines[4].startswith(f"-# <@{aylin.user.id}> says so · since <t:")
    assert screen.labels() == ["1", "2"]


async def test_of_another_one_sees_what_one_could_hear_and_does_what_one_may(inn: Inn, florent: Person) -> None:
    aylin, gruzilkin = await told_radishes(inn)
    assert "owes" in await florent.ask("Bot remember that gruzilkin owes the cellar a lamp", BACK_ROOM)
    seen = await memory_of(aylin, gruzilkin)
    assert "radishes" in seen.words
    assert "lamp" not in seen.words
    await seen.do("1", "likes radishes")
    assert seen.labels() == ["Forget", "Back"]  # she told it
    assert (await memory_of(inn.person("florent"), gruzilkin)).labels() == ["1"]  # what he told himself
    await seen.do("Back", "as far as you can read it")
    assert seen.labels() == ["1"]


async def test_hearsay_is_put_in_ones_own_words_confirmed_or_denied_and_each_is_undone(inn: Inn) -> None:
    aylin, gruzilkin = await told_radishes(inn)
    screen = await memory_of(gruzilkin)
    await screen.do("1", "says so")
    assert screen.labels() == ["Confirm", "Correct", "Not true", "Forget", "Back"]
    form = await screen.press("Correct")
    assert form["modal"]["components"][0]["component"]["value"] == "@gruzilkin likes radishes"
    await screen.fill_in(form, "@gruzilkin likes turnips")
    await screen.until("Corrected")
    assert f"<@{gruzilkin.user.id}> likes turnips" in screen.words
    heard = await aylin.ask(ASKED)
    assert "turnips" in heard
    assert "radishes" not in heard
    await screen.do("Undo", "Undone")
    assert "radishes" in await aylin.ask(ASKED)

    denied = await memory_of(gruzilkin)
    await denied.do("1", "says so")
    await denied.do("Not true", "Gone.")
    assert "radishes" not in denied.words
    refused = await aylin.ask("Bot remember that gruzilkin likes radishes")
    assert refused == ("I didn't save that. gruzilkin told me it's not true, so only they can tell me otherwise.")
    assert "radishes" not in await aylin.ask(ASKED)
    await denied.do("Undo", "I'm keeping this again")
    assert "radishes" in await aylin.ask(ASKED)

    screen = await memory_of(gruzilkin)
    await screen.do("1", "says so")
    await screen.do("Confirm", "Confirmed")
    assert screen.labels() == ["Undo", "Back"]
    assert "and you confirmed it" in await screen.do("Back", "What I know")
    again = await memory_of(gruzilkin)
    await again.do("1", "and you confirmed it")
    assert "Confirm" not in again.labels()
    assert "confirmed it" in (await memory_of(inn.person("florent"), gruzilkin)).words


async def test_pages_are_turned_and_read_anew(aylin: Person) -> None:
    for dish in ("beets", "chard", "dill", "endives", "fennel", "gherkins", "hops"):
        assert dish in await aylin.ask(f"Bot remember that I like {dish}")
    screen = await memory_of(aylin)
    assert screen.labels() == ["1", "2", "3", "4", "5", "◀", "▶"]
    assert "Page 1 of 2" in screen.words
    assert "beets" in await screen.do("▶", "Page 2 of 2")
    assert screen.labels() == ["6", "7", "◀", "▶"]
    for dish in ("hops", "gherkins", "fennel"):
        assert dish in await aylin.ask(f"Bot forget that I like {dish}")
    # The page that it stands on is gone: what comes nearest is shown.
    await screen.do("◀", "**1.**")
    assert screen.labels() == ["1", "2", "3", "4"]


async def test_moderators_do_what_the_server_lets_them_and_it_is_written_down(inn: Inn) -> None:
    aylin, gruzilkin = await told_radishes(inn)
    maren, florent = inn.person("maren"), inn.person("florent")
    assert (await memory_of(florent, gruzilkin)).labels() == []
    await give_right(florent, Permission.MANAGE_MESSAGES)
    assert "forgotten" in words_of(await use(maren, "settings", "facts", **{"moderators-may": "remove"}))

    async def offered() -> Screen:
        return await memory_of(florent, gruzilkin)

    screen = await eventually(offered, lambda seen: seen.labels() == ["1"])
    await screen.do("1", "says so")
    assert screen.labels() == ["Remove", "Back"]
    await screen.do("Remove", "Forgotten.")
    assert "radishes" not in await aylin.ask(ASKED)
    await screen.do("Undo", "I'm keeping this again")
    decided = words_of(await use(maren, "settings", "facts", **{"moderators-may": "nothing"}))
    assert "• Moderators: Nothing" in decided
    assert (await memory_of(florent, gruzilkin)).labels() == []
    log = (await memory_of(maren, command="audit")).words
    for deed in ("looked", "told me something", "had me forget something", "undid something"):
        assert deed in log
    assert "radishes" not in log
    assert (await memory_of(aylin, command="audit")).words == "Only people who manage this server can see that."
    assert (await memory_of(maren, gruzilkin, "audit")).words.startswith(
        f"**Who looked at or changed what I know about <@{gruzilkin.user.id}>**"
    )


async def test_buttons_and_forms_work_after_a_restart(own_house: House, own_inn: Inn) -> None:
    async with own_house.bot_running():
        _, gruzilkin = await told_radishes(own_inn)
        screen = await memory_of(gruzilkin)
        await screen.do("1", "says so")
        form = await screen.press("Correct")
    async with own_house.bot_running():
        await at_home(own_inn)
        await screen.fill_in(form, "I like turnips")
        await screen.until("Corrected")
    async with own_house.bot_running():
        await at_home(own_inn)
        await screen.do("Back", "like turnips")
        await screen.do("1", "you said so")
        await screen.do("Forget", "Forgotten.")
        assert "turnips" not in screen.words


async def test_a_server_may_want_nothing_told_about_others(inn: Inn) -> None:
    aylin, gruzilkin = await told_radishes(inn)
    maren = inn.person("maren")
    assert "• Hearsay: on" in words_of(await use(maren, "settings", "show"))
    shown = words_of(await use(maren, "settings", "facts", **{"about-others": False}))
    assert "• Hearsay: off" in shown
    assert "radishes" not in await aylin.ask(ASKED)
    refused = await aylin.ask("Bot remember that gruzilkin likes turnips")
    assert "On this server I keep nothing that members say" in refused
    assert "gruzilkin can tell me themselves" in refused
    own = await memory_of(gruzilkin)
    assert "this server doesn't share what members say about others" in own.words
    await own.do("1", "likes radishes")
    await own.do("Confirm", "Confirmed")
    assert "radishes" in await aylin.ask(ASKED)
    assert "Hearsay: on" in words_of(await use(maren, "settings", "facts", **{"about-others": True}))
    assert "turnips" in await aylin.ask("Bot remember that gruzilkin likes turnips")
