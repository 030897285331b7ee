"""What is told in a private channel lives there: no word of it outside, unless its teller says so of themselves."""

import asyncio
import re

import pytest

from tests.end_to_end.asking import (
    at_home,
    close_to_everyone,
    labels_of,
    open_to_everyone,
    outcome_of,
    say_and_hear,
)
from tests.end_to_end.choosing import press
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import words_of

ABOUT_FLORENT = "Bot what do you know about florent?"


async def reply_now(person: Person, reply: Payload) -> Payload:
    path = f"/channels/{reply['channel_id']}/messages/{reply['id']}"
    message: Payload = (await person.call("GET", path)).json()
    return message


async def test_what_is_told_in_private_stays_there_and_says_so(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot remember that I am getting married", BACK_ROOM)
    assert "Only people who can read this channel will hear it." in told["content"]
    assert labels_of(told) == ["Everyone may hear this", "Undo", "Edit"]
    assert "married" not in await aylin.ask(ABOUT_FLORENT)
    assert "married" in await florent.ask("Bot what do you know about me?", BACK_ROOM)


async def test_in_the_hall_nothing_is_said_of_it(inn: Inn) -> None:
    await at_home(inn)
    told = await say_and_hear(inn.person("florent"), "Bot remember that I am getting married")
    assert "people who can read this channel will hear it" not in told["content"]
    assert labels_of(told) == ["Undo", "Edit"]


async def test_the_teller_presses_and_everyone_may_know(inn: Inn) -> None:
    await at_home(inn)
    florent, maren, aylin = inn.person("florent"), inn.person("maren"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot merk dir, dass ich heirate", BACK_ROOM)
    assert labels_of(told) == ["Das dürfen alle wissen", "Rückgängig", "Ändern"]
    assert "Only the person who told me" in words_of(await press(maren, told, "alle wissen"))
    assert "heirate" not in await aylin.ask(ABOUT_FLORENT)
    await press(florent, told, "alle wissen")
    opened = await eventually(lambda: reply_now(florent, told), lambda seen: len(labels_of(seen)) == 2)
    assert labels_of(opened) == ["Rückgängig", "Ändern"]
    assert opened["content"].endswith("\n-# Das dürfen alle auf diesem Server wissen.")
    assert opened["content"].split("\n")[0] == told["content"].split("\n")[0]
    assert "heirate" in await aylin.ask(ABOUT_FLORENT)
    assert "heirate" in await aylin.ask(ABOUT_FLORENT, KITCHEN)


async def test_a_link_into_a_private_channel_is_never_shown(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await florent.ask("Bot remember everywhere that I am getting married", BACK_ROOM)
    known = await aylin.ask(ABOUT_FLORENT)
    assert "married" in known
    assert str(inn.channel(BACK_ROOM).id) not in known
    assert str(inn.channel(BACK_ROOM).id) in await florent.ask(ABOUT_FLORENT, BACK_ROOM)


async def test_what_is_forgotten_cannot_be_opened_any_more(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    told = await say_and_hear(florent, "Bot remember that I am getting married", BACK_ROOM)
    # As if another process were about to take our line back: it still stands when the button is pressed.
    held = "INSERT INTO claims VALUES ($1, 'taking back', gen_random_uuid(), now() + interval '1 hour') RETURNING 1"
    await inn.house.rows(held, inn.guild.id)
    await florent.ask("Bot forget that I am getting married", BACK_ROOM)
    pressed = await press(florent, told, "Everyone may hear")
    gone = "don't have that any more"
    await eventually(lambda: outcome_of(florent, pressed), lambda outcome: gone in words_of(outcome))
    await eventually(lambda: reply_now(florent, told), lambda seen: "Everyone may hear this" not in labels_of(seen))
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id) == []


async def test_hearsay_cannot_be_opened(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot remember everywhere that aylin hums", BACK_ROOM)
    assert "Only people who can read this channel will hear it. The person it's about can open it" in told["content"]
    assert labels_of(told) == ["Undo", "Edit"]  # whom it is about cannot read it here
    assert "hums" not in await aylin.ask("Bot what do you know about me?")


@pytest.mark.parametrize(
    ("told", "word", "said"),
    [
        ("Bot remember everywhere that I play chess", "chess", "Everyone on this server may hear this."),
        ("Bot merk dir überall, dass ich Schach spiele", "Schach", "Das dürfen alle auf diesem Server wissen."),
        ("Bot souviens-toi partout que je joue aux échecs", "échecs", "Tout le monde sur ce serveur peut le savoir."),
        ("Bot recuerda en todas partes que yo juego al ajedrez", "ajedrez", "Todo el servidor puede oír esto."),
        ("Bot запомни везде, что я играю в шахматы", "шахматы", "Это могут услышать все на этом сервере."),
    ],
    ids=["English", "German", "French", "Spanish", "Russian"],
)
async def test_it_can_be_said_at_once(inn: Inn, told: str, word: str, said: str) -> None:
    await at_home(inn)
    reply = await say_and_hear(inn.person("florent"), told, BACK_ROOM)
    assert said in reply["content"]
    assert len(labels_of(reply)) == 2  # nothing but undoing and putting it in other words
    assert word in await inn.person("aylin").ask(ABOUT_FLORENT)


async def test_a_channel_that_is_opened_and_closed_again_takes_its_facts_along(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await florent.ask("Bot remember that I am getting married", BACK_ROOM)
    assert "married" not in await aylin.ask(ABOUT_FLORENT)
    await open_to_everyone(inn, BACK_ROOM)
    assert "married" in await aylin.ask(ABOUT_FLORENT)
    await close_to_everyone(inn, BACK_ROOM)
    assert "married" not in await aylin.ask(ABOUT_FLORENT)


async def test_a_public_reply_is_the_same_with_and_without_a_secret(inn: Inn) -> None:
    """Two guilds alike, one of which keeps something in its back room: what is said in the hall does not differ."""
    other = Inn(inn.house, next(inn.house.fresh))
    for one in (inn, other):
        await at_home(one)
        await one.person("florent").ask("Bot remember that I like tea")
    secretive = inn.person("florent")
    await secretive.ask("Bot remember that I am getting married", BACK_ROOM)
    await secretive.ask("Bot remember that aylin knows of the wedding", BACK_ROOM)
    await secretive.ask("Bot remember that the wedding is in June", BACK_ROOM)
    await secretive.ask("Bot remember that I like tea", BACK_ROOM)
    for name, words in (
        ("aylin", ABOUT_FLORENT),
        ("aylin", "Bot what do you know about me?"),
        ("aylin", "Bot what do you know about this server?"),
        ("aylin", "Bot what do you know about the wedding?"),
        ("aylin", "Bot when is the wedding?"),
        ("maren", "Bot forget that the wedding is in June"),
        ("maren", "Bot forget everything about aylin"),
        ("aylin", "Bot remember that the wedding is in June"),
        ("florent", "Bot remember that I am getting married"),
        ("florent", "Bot forget that I am getting married"),
        ("aylin", "Bot forget everything about me"),
        ("florent", "Bot forget everything about me"),
        ("florent", "Bot forget me"),
    ):
        replies = await asyncio.gather(*(say_and_hear(one.person(name), words) for one in (inn, other)))
        assert without_ids(replies[0]["content"]) == without_ids(replies[1]["content"]), words
        assert labels_of(replies[0]) == labels_of(replies[1])
    assert "wedding" in await secretive.ask("Bot when is the wedding?", BACK_ROOM)
    left = await inn.house.rows(
        "SELECT 1 FROM facts WHERE guild_id = $1 AND subject_id = $2", inn.guild.id, secretive.user.id
    )
    assert left == []


def without_ids(words: str) -> str:
    """Ids, and the days that the facts were told, which are the same unless midnight passes."""
    return re.sub(r"\d{4}-\d\d-\d\d", "…", re.sub(r"\d{15,20}", "…", words))


async def test_a_reply_in_general_is_not_about_the_place_it_was_told_in(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    await florent.ask("Bot remember that I am getting married", BACK_ROOM)
    said = await florent.ask("Bot remember that I am getting married", GENERAL)
    assert "already" not in said
