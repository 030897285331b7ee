"""Answers for one person alone: `/ask`, and the button under every public answer."""

from pathlib import Path

from tests.end_to_end.asking import (
    ask_privately,
    at_home,
    begin_asking,
    close_to_everyone,
    held_up,
    public_words,
    say_and_hear,
    until_someone_waits,
)
from tests.end_to_end.cable import cable_to
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


async def test_ask_answers_from_all_that_the_asker_can_read(inn: Inn) -> None:
    florent = await a_secret(inn)
    await inn.person("aylin").ask("Bot remember that gruzilkin juggles", KITCHEN)
    known = words_of(await ask_privately(florent, "what do you know about gruzilkin?"))
    assert "dreads" in known
    assert "juggles" in known
    assert "swordfish" in words_of(await ask_privately(florent, "What is the password?"))
    assert "swordfish" in words_of(await ask_privately(florent, "Bot, what is the password?", KITCHEN))
    assert "weiß" in words_of(await ask_privately(florent, "Was weißt du über gruzilkin?"))
    assert "dreads" not in await public_words(inn)


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


async def test_a_public_answer_is_made_anew_if_a_channel_closes_meanwhile(inn: Inn) -> None:
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin breeds newts", KITCHEN)
    assert "newts" in await aylin.ask(ABOUT)
    async with held_up(inn.house) as holding:
        asked = await aylin.say(ABOUT)
        await until_noted(inn, asked)
        await until_someone_waits(holding)
        await close_to_everyone(inn, KITCHEN)
    assert "newts" not in (await aylin.hear_reply(asked))["content"]


async def until_noted(inn: Inn, asked: int) -> None:
    """Until it is being seen to, for those who could read it then. Others may wait for the same table."""
    noted = "SELECT 1 FROM addressed WHERE guild_id = $1 AND message_id = $2"
    await eventually(lambda: inn.house.rows(noted, inn.guild.id, asked))


async def test_a_private_answer_is_made_anew_if_the_asker_may_see_less_meanwhile(inn: Inn) -> None:
    florent = await a_secret(inn)
    maren = inn.person("maren")
    cellar = next(role for role in inn.guild.roles.values() if role.name == "Cellar")
    general, back_room = inn.channel(GENERAL).id, inn.channel(BACK_ROOM).id

    def sources() -> frozenset[int]:
        return inn.house.memory.places.audience_for(inn.guild.id, general, florent.user.id).sources

    async with held_up(inn.house) as holding:
        asking = begin_asking(florent, ABOUT)
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
