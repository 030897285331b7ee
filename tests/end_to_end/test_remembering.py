"""FEATURES 1.2 to 1.6: told, known, asked and forgotten, by typing in a channel."""

import pytest

from tests.end_to_end.house import Inn


@pytest.mark.parametrize(
    "words",
    [
        "Bot remember that gruzilkin is Sergey",
        "Bot, remember that gruzilkin is Sergey",
        "bot remember: gruzilkin is Sergey",
        "<@{bot}> remember that gruzilkin is Sergey",
    ],
)
async def test_a_fact_is_remembered_and_told(inn: Inn, words: str) -> None:
    aylin = inn.person("aylin")
    said = await aylin.ask(words.format(bot=inn.house.bot.id))
    assert "Sergey" in said
    assert "gruzilkin" in said
    for question in ("Bot what do you know about gruzilkin?", f"<@{inn.house.bot.id}> who is gruzilkin?"):
        assert "Sergey" in await inn.person("florent").ask(question)


async def test_this_is_the_message_replied_to(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    recipe = await florent.say("I always put cardamom into the coffee.")
    said = await aylin.ask("Bot remember this about Florent", reply_to=recipe)
    assert "cardamom" in said
    assert "cardamom" in await aylin.ask(f"Bot what do you know about {florent.mention}?")


async def test_nothing_known_is_said_as_such(inn: Inn) -> None:
    florent = inn.person("florent")
    said = await inn.person("aylin").ask(f"Bot what do you know about {florent.mention}?")
    assert "can't reach my" not in said
    assert said
    assert "cello" not in said


async def test_forgetting_says_what_went(inn: Inn) -> None:
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin likes pizza")
    await aylin.ask("Bot remember that gruzilkin owns a boat")
    assert "pizza" in await aylin.ask("Bot forget that gruzilkin likes pizza")
    known = await aylin.ask("Bot what do you know about gruzilkin?")
    assert "pizza" not in known
    assert "boat" in known
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1 AND text LIKE '%pizza%'", inn.guild.id) == []


async def test_forgetting_what_was_never_told_says_so(inn: Inn) -> None:
    said = await inn.person("aylin").ask("Bot forget that gruzilkin likes submarines")
    assert "nothing" in said.lower()
    assert "submarines" in said


async def test_a_fact_about_nobody_known_is_kept_about_the_server(inn: Inn) -> None:
    aylin = inn.person("aylin")
    said = await aylin.ask("Bot remember that the kitchen closes at ten")
    assert "server" in said
    assert "ten" in await aylin.ask("Bot when does the kitchen close?")


async def test_nothing_to_remember_is_explained(inn: Inn) -> None:
    assert "Bot remember" in await inn.person("aylin").ask("Bot remember")


@pytest.mark.parametrize(
    ("remember", "forget", "about", "fact"),
    [
        ("Bot merk dir, dass gruzilkin gern Pilze sucht", "Bot vergiss, dass gruzilkin gern Pilze sucht",
         "Bot was weißt du über gruzilkin?", "Pilze"),
        ("Bot souviens-toi que gruzilkin adore les crêpes", "Bot oublie que gruzilkin adore les crêpes",
         "Bot que sais-tu sur gruzilkin ?", "crêpes"),
        ("Bot recuerda que gruzilkin toca la guitarra", "Bot olvida que gruzilkin toca la guitarra",
         "Bot ¿qué sabes de gruzilkin?", "guitarra"),
        ("Bot запомни, что gruzilkin любит шахматы", "Bot забудь, что gruzilkin любит шахматы",
         "Bot что ты знаешь о gruzilkin?", "шахматы"),
    ],
    ids=["German", "French", "Spanish", "Russian"],
)  # fmt: skip
async def test_the_same_in_other_languages(inn: Inn, remember: str, forget: str, about: str, fact: str) -> None:
    aylin = inn.person("aylin")
    told = await aylin.ask(remember)
    assert fact in told
    assert "remember" not in told
    assert fact in await aylin.ask(about)
    assert fact in await aylin.ask(forget)
    assert fact not in await aylin.ask(about)


async def test_a_question_is_answered_from_the_conversation(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await inn.until_stored(await florent.say("The bicycle pump is behind the blue door."))
    said = await aylin.ask(f"<@{inn.house.bot.id}> where is the bicycle pump?")
    assert "blue door" in said


async def test_what_one_says_in_a_burst_is_answered_in_order(inn: Inn) -> None:
    aylin = inn.person("aylin")
    asked = [await aylin.say(f"Bot remember that gruzilkin owns {number} boats") for number in range(6)]
    replies = [int((await aylin.hear_reply(message_id))["id"]) for message_id in asked]
    assert replies == sorted(replies)
    for message_id in asked:
        assert len(await aylin.replies_to(message_id)) == 1
