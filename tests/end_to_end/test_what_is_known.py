"""5 and 6: what is known of oneself and of others, from facts and from the last days; of several people at once, of
somebody who has left, and asked by whoever is meant by "I"."""

import pytest

from local_guild.control import Control
from tests.end_to_end.asking import ask_privately, at_home
from tests.end_to_end.choosing import call_by_nickname
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, eventually
from tests.end_to_end.slash import words_of

QUIZ = "The quiz on Tuesday was won by the red team after a long fight"
TABLE = "We found a new kitchen table for the common room of the inn"
TREASURE = "The old treasure was buried under the stairs of the cellar last winter"

ABOUT_ME = [
    ("Bot what do you know about me?", "What I know about you:\nFrom the last few days:"),
    ("Bot was weißt du über mich?", "Was ich über dich weiß:\nAus den letzten Tagen:"),
    ("Bot que sais-tu sur moi ?", "Ce que je sais de toi :\nCes derniers jours :"),
    ("Bot ¿qué sabes de mí?", "Lo que sé de ti:\nDe los últimos días:"),
    ("Bot что ты знаешь обо мне?", "Что я знаю о тебе:\nЗа последние дни:"),
]
ABOUT_THREE = [
    "Bot what do you know about me, Aylin and will?",
    "Bot was weißt du über mich, Aylin und will?",
    "Bot que sais-tu sur moi, Aylin et will ?",
    "Bot ¿qué sabes de mí, Aylin y will?",
    "Bot что ты знаешь обо мне, Aylin и will?",
]
WHERE_I_LIVE = [
    ("Bot remember that I live in Bonn", "Bot where do I live?"),
    ("Bot merk dir, dass ich in Bonn wohne", "Bot wo wohne ich?"),
    ("Bot souviens-toi que j'habite à Bonn", "Bot où j'habite ?"),
    ("Bot recuerda que yo vivo en Bonn", "Bot ¿dónde vivo?"),
    ("Bot запомни, что я живу в Bonn", "Bot где я живу?"),
]


@pytest.mark.parametrize(("question", "words"), ABOUT_ME)
async def test_the_last_days_tell_of_somebody_of_whom_nothing_was_told(inn: Inn, question: str, words: str) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    quiz = await aylin.say(QUIZ)
    await inn.until_stored(quiz)
    known = await aylin.ask(question)
    assert known.startswith(words)
    assert "red team" in known
    assert f"/{inn.channel(GENERAL).id}/{quiz}" in known, "each line has its link"


async def test_facts_come_first_and_nothing_is_said_only_where_there_is_neither(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await inn.until_stored(await aylin.say(QUIZ))
    await aylin.ask("Bot remember that I keep bees")
    known = await florent.ask("Bot what do you know about Aylin?")
    assert 0 < known.find("keep bees") < known.find("From the last few days:") < known.find("red team")
    assert "know anything about you yet" in await florent.ask("Bot what do you know about me?")
    assert "red team" in words_of(await ask_privately(florent, "what do you know about Aylin?"))


async def test_days_of_a_back_room_are_told_in_there_alone(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await inn.until_stored(await florent.say(TREASURE, BACK_ROOM))
    assert "treasure" in await florent.ask("Bot what do you know about me?", BACK_ROOM)
    for asker in (florent, aylin):
        assert "treasure" not in await asker.ask(f"Bot what do you know about {florent.mention}?")
    assert "treasure" not in words_of(await ask_privately(aylin, f"what do you know about {florent.mention}?"))


async def test_what_was_said_of_a_day_is_taken_back_with_it(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    quiz = await aylin.say(QUIZ)
    await inn.until_stored(quiz)
    asked = await aylin.say("Bot what do you know about me?")
    assert "red team" in (await aylin.hear_reply(asked))["content"]
    await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{quiz}")
    await eventually(
        lambda: aylin.replies_to(asked), lambda replies: not replies or "red team" not in replies[0]["content"]
    )


@pytest.mark.parametrize("question", ABOUT_THREE)
async def test_several_are_asked_about_at_once_and_a_word_may_be_a_name(inn: Inn, question: str) -> None:
    await at_home(inn)
    florent, aylin, will = inn.person("florent"), inn.person("aylin"), inn.person("gruzilkin")
    await call_by_nickname(inn, gruzilkin="will")
    await florent.ask("Bot remember that I keep bees")
    await aylin.ask("Bot remember that I play the cello")
    await inn.until_stored(await will.say(TABLE, KITCHEN))
    known = await florent.ask(question)
    places = [known.find(words) for words in ("bees", aylin.mention, "cello", will.mention, "kitchen table")]
    assert -1 not in places
    assert places == sorted(places)


async def test_whoever_has_left_is_named_as_such(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await florent.ask("Bot remember that Aylin is my cousin")
    await aylin.ask("Bot remember that I keep bees")
    await Control(inn.house.server).leave(inn.guild, aylin.user.id)
    left = "SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2"
    await eventually(lambda: inn.house.rows(left, inn.guild.id, aylin.user.id), lambda rows: not rows)
    for question, words in (
        (f"Bot what do you know about {aylin.mention}?", "What I know about someone who has left:"),
        (f"Bot was weißt du über {aylin.mention}?", "Was ich über jemanden weiß, der nicht mehr hier ist:"),
        (f"Bot que sais-tu sur {aylin.mention} ?", "Ce que je sais de quelqu’un qui est parti :"),
        (f"Bot ¿qué sabes de {aylin.mention}?", "Lo que sé de alguien que ya no está aquí:"),
        (f"Bot что ты знаешь о {aylin.mention}?", "Что я знаю о человеке, которого здесь больше нет:"),
    ):
        known = await florent.ask(question)
        assert known.startswith(words)
        assert "keep bees" in known
        assert str(aylin.user.id) not in known.partition("http")[0]
    answered = await florent.ask("Bot, who keeps bees?")
    assert "“I keep bees” – someone who has left" in answered


@pytest.mark.parametrize(("told", "asked"), WHERE_I_LIVE)
async def test_i_am_whoever_asks_in_every_language(inn: Inn, told: str, asked: str) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await aylin.ask(told)
    for other in ("I play the cello", "I collect old maps", "I like chess", "I drive a Skoda"):
        await aylin.ask(f"Bot remember that {other}")
    assert "Bonn" in await aylin.ask(asked)
    assert "Bonn" in await aylin.ask("Bot where do I live?"), "whatever language it was told in"
    assert "Bonn" not in await florent.ask(asked)
