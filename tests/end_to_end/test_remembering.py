"""FEATURES 1.2 to 1.6, by typing; `test_conversation.py` plays most of it."""

import pytest

from tests.end_to_end.house import Inn


async def test_this_is_the_message_replied_to(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    recipe = await florent.say("I always put cardamom into the coffee.")
    said = await aylin.ask("Bot remember this about Florent", reply_to=recipe)
    assert "cardamom" in said
    assert "cardamom" in await aylin.ask(f"Bot what do you know about {florent.mention}?")
    never_told = await aylin.ask("Bot forget that gruzilkin likes submarines")
    assert "nothing" in never_told.lower()
    assert "submarines" in never_told
    assert "Bot remember" in await aylin.ask("Bot remember")


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


async def test_what_one_says_in_a_burst_is_answered_in_order(inn: Inn) -> None:
    aylin = inn.person("aylin")
    asked = [await aylin.say(f"Bot remember that gruzilkin owns {number} boats") for number in range(6)]
    replies = [int((await aylin.hear_reply(message_id))["id"]) for message_id in asked]
    assert replies == sorted(replies)
    for message_id in asked:
        assert len(await aylin.replies_to(message_id)) == 1
