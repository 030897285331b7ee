"""5 and 6: what is known of oneself and of others, from facts and from the last days; of several people at once, of
somebody who has left, and asked by whoever is meant by "I"."""

import pytest

from tests.end_to_end.asking import ask_privately, at_home
from tests.end_to_end.house import GENERAL, Inn, eventually
from tests.end_to_end.slash import words_of

QUIZ = "The quiz on Tuesday was won by the red team after a long fight"
TREASURE = "The old treasure was buried under the stairs of the cellar last winter"

ABOUT_ME = [
    ("Bot what do you know about me?", "What I know about you:\nFrom the last few days:"),
    ("Bot was weißt du über mich?", "Was ich über dich weiß:\nAus den letzten Tagen:"),
    ("Bot que sais-tu sur moi ?", "Ce que je sais de toi :\nCes derniers jours :"),
    ("Bot ¿qué sabes de mí?", "Lo que sé de ti:\nDe los últimos días:"),
    ("Bot что ты знаешь обо мне?", "Что я знаю о тебе:\nЗа последние дни:"),
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
