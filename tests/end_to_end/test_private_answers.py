"""Answers for one person alone: `/ask`, and the button under every public answer; and what is told in a private
channel, of which no word is told outside unless its teller says so of themselves."""

import asyncio
from pathlib import Path

import pytest

from tests.end_to_end.asking import (
    ask_privately,
    at_home,
    close_to_everyone,
    held_up,
    public_words,
    say_and_hear,
    until_someone_waits,
)
from tests.end_to_end.cable import cable_to
from tests.end_to_end.choosing import message_of
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Person, eventually, open_house, until
from tests.end_to_end.slash import buttons_of, labels_of, press, words_of

ABOUT = "Bot what do you know about gruzilkin?"


async def a_secret(inn: Inn) -> Person:
    """Told and said where Florent may listen, and Aylin not."""
    await at_home(inn)
    florent = inn.person("florent")
    await florent.ask("Bot remember that gruzilkin dreads the surprise party", BACK_ROOM)
    await inn.until_stored(await florent.say("The password is swordfish.", BACK_ROOM))
    return florent


async def test_the_asker_presses_and_alone_hears_what_they_can_read(inn: Inn) -> None:
    florent = await a_secret(inn)
    reply = await say_and_hear(florent, ABOUT)
    assert "dreads" not in reply["content"]
    assert labels_of(reply) == ["Answer only to me"]
    pressed = await press(florent, reply)
    assert "dreads" in words_of(pressed)
    assert pressed["message"]["flags"] & 64
    assert "dreads" not in await public_words(inn)
    password = await say_and_hear(florent, "Bot what is the password?")
    assert "swordfish" not in password["content"]
    assert "swordfish" in words_of(await press(florent, password))


async def test_every_answer_to_whom_more_is_known_alone_has_the_button_and_nothing_else_has(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    for question in ("Bot what do you know about me?", "Bot where is the kettle?", "Bot who is Nobody?", "Bot?"):
        assert labels_of(await say_and_hear(florent, question)) == ["Answer only to me"]
        assert labels_of(await say_and_hear(aylin, question)) == []
    assert labels_of(await say_and_hear(florent, "Bot was weißt du über mich?")) == ["Antworte nur mir"]
    assert labels_of(await say_and_hear(florent, "Bot where is the kettle?", BACK_ROOM)) == []
    for command in ("Bot remember that gruzilkin hums", "Bot forget that gruzilkin hums", "Bot forget me"):
        assert "Answer only to me" not in labels_of(await say_and_hear(florent, command))


async def test_nobody_has_the_question_of_another_asked_again(inn: Inn) -> None:
    florent = await a_secret(inn)
    channel = inn.channel(GENERAL)
    question = await inn.person("aylin").say("What is the password?")
    reply = await say_and_hear(florent, ABOUT)
    kept = inn.house.server.world.message(channel.id, int(reply["id"]))
    assert kept is not None
    (button,) = buttons_of({"components": kept.components})
    button["custom_id"] = f"answer-only-to:{florent.user.id}:{question}"
    forged = {**reply, "components": kept.components}
    assert "can't find your question" in words_of(await press(florent, forged))


async def test_a_public_answer_is_made_anew_if_a_channel_closes_meanwhile(inn: Inn, aylin: Person) -> None:
    await aylin.ask("Bot remember that gruzilkin breeds newts", KITCHEN)
    assert "newts" in await aylin.ask(ABOUT)
    async with held_up(inn.house) as holding:
        asked = await aylin.say(ABOUT)
        # Until it is being seen to, for those who could read it then. Others may wait for the same table.
        noted = "SELECT 1 FROM addressed WHERE guild_id = $1 AND message_id = $2"
        await eventually(lambda: inn.house.rows(noted, inn.guild.id, asked))
        await until_someone_waits(holding)
        await close_to_everyone(inn, KITCHEN)
    assert "newts" not in (await aylin.hear_reply(asked))["content"]


async def test_a_private_answer_is_made_anew_if_the_asker_may_see_less_meanwhile(inn: Inn, maren: Person) -> None:
    florent = await a_secret(inn)
    cellar = next(role for role in inn.guild.roles.values() if role.name == "Cellar")
    general, back_room = inn.channel(GENERAL).id, inn.channel(BACK_ROOM).id

    def sources() -> frozenset[int]:
        return inn.house.memory.places.audience_for(inn.guild.id, general, florent.user.id).sources

    async with held_up(inn.house) as holding:
        asking = asyncio.create_task(ask_privately(florent, ABOUT))
        await until_someone_waits(holding)
        path = f"/guilds/{inn.guild.id}/members/{florent.user.id}/roles/{cellar.id}"
        await maren.call("DELETE", path)
        await until(lambda: back_room not in sources())
    assert "dreads" not in words_of(await asking)
    await maren.call("PUT", path)
    await until(lambda: back_room in sources())
    assert "dreads" in words_of(await ask_privately(florent, ABOUT))


async def test_without_its_database_it_says_so_privately(database_url: str, tmp_path: Path) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        inn = Inn(house, next(house.fresh))
        house.database_url = database_url
        florent = await a_secret(inn)
        await inn.until_stored(await florent.say("The kettle stands on the stove."))
        reply = await say_and_hear(florent, ABOUT)
        assert "stove" in words_of(await ask_privately(florent, "where does the kettle stand?"))
        await cable.cut()
        for outcome in (await ask_privately(florent, ABOUT), await press(florent, reply)):
            assert "can't reach my memory" in words_of(outcome)
        heard = words_of(await ask_privately(florent, "where does the kettle stand?"))
        assert "only from what I heard and read last" in heard
        assert "stove" in heard
        await cable.mend()


ABOUT_FLORENT = "Bot what do you know about florent?"


async def test_the_teller_presses_and_everyone_may_know(florent: Person, maren: Person, aylin: Person) -> None:
    told = await say_and_hear(florent, "Bot merk dir, dass ich heirate", BACK_ROOM)
    assert labels_of(told) == ["Das dürfen alle wissen", "Rückgängig", "Ändern"]
    assert "Only the person who told me" in words_of(await press(maren, told, "alle wissen"))
    assert "heirate" not in await aylin.ask(ABOUT_FLORENT)
    await press(florent, told, "alle wissen")
    opened = await eventually(lambda: message_of(florent, told), lambda seen: len(labels_of(seen)) == 2)
    assert labels_of(opened) == ["Rückgängig", "Ändern"]
    assert opened["content"].endswith("\n-# Das dürfen alle auf diesem Server wissen.")
    assert opened["content"].split("\n")[0] == told["content"].split("\n")[0]
    assert "heirate" in await aylin.ask(ABOUT_FLORENT)
    assert "heirate" in await aylin.ask(ABOUT_FLORENT, KITCHEN)


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
    reply = await say_and_hear(inn.person("florent"), told, BACK_ROOM)
    assert said in reply["content"]
    assert len(labels_of(reply)) == 2  # nothing but undoing and putting it in other words
    assert word in await inn.person("aylin").ask(ABOUT_FLORENT)


async def test_what_is_told_in_private_stays_there_and_says_so(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot remember that I am getting married", BACK_ROOM)
    assert "Only people who can read this channel will hear it." in told["content"]
    assert labels_of(told) == ["Everyone may hear this", "Undo", "Edit"]
    assert "married" not in await aylin.ask(ABOUT_FLORENT)
    assert "married" in await florent.ask("Bot what do you know about me?", BACK_ROOM)
