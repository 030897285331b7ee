"""What was told, and what is known of oneself and of others, from facts, now and then, and from the last days."""

from datetime import timedelta

import pytest

from memory.language.dates import shown_day
from tests.end_to_end.asking import ask_privately
from tests.end_to_end.house import GENERAL, Inn, Person
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
    aylin = inn.person("aylin")
    quiz = await aylin.say(QUIZ)
    await inn.until_stored(quiz)
    known = await aylin.ask(question)
    assert known.startswith(words)
    assert "red team" in known
    assert f"/{inn.channel(GENERAL).id}/{quiz}" in known, "each line has its link"


async def test_facts_come_first_and_nothing_is_said_only_where_there_is_neither(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await inn.until_stored(await aylin.say(QUIZ))
    await aylin.ask("Bot remember that I keep bees")
    known = await florent.ask("Bot what do you know about Aylin?")
    assert 0 < known.find("keep bees") < known.find("From the last few days:") < known.find("red team")
    assert "know anything about you yet" in await florent.ask("Bot what do you know about me?")
    assert "red team" in words_of(await ask_privately(florent, "what do you know about Aylin?"))


async def tell(person: Person, words: str, *, days_ago: int) -> str:
    """Returns the day, as it is in UTC, which is the zone of a new guild."""
    clock = person.inn.house.server.clock
    moment = clock.now() - timedelta(days=days_ago)
    clock.set(moment)
    try:
        said = await person.say(words)
    finally:
        clock.reset()
    await person.hear_reply(said)
    return shown_day(moment.date())


async def test_what_held_then_what_took_its_place_and_since_when(aylin: Person, florent: Person) -> None:
    first = await tell(aylin, "Bot remember that I live in Paris", days_ago=900)
    second = await tell(aylin, "Bot remember that I live in Lyon", days_ago=90)
    was = f"“I live in Paris” – {aylin.mention} ({first} – {second}; since then: “I live in Lyon” – {aylin.mention})"
    assert was in await florent.ask("Bot where did Aylin use to live?")
    assert was in await florent.ask("Bot what did we believe about Aylin last year?")
    assert was in words_of(await ask_privately(florent, "what did you know about Aylin last year?"))
    assert "Paris" not in await florent.ask("Bot where does Aylin live?")
    since = await florent.ask("Bot since when is Aylin in Lyon?")
    assert f"“I live in Lyon” – {aylin.mention} (since {second})" in since
    await aylin.ask("Bot forget that I live in Lyon")
    assert "Paris" not in await florent.ask("Bot what did we believe about Aylin last year?")


async def test_this_is_the_message_replied_to(florent: Person, aylin: Person) -> None:
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
async def test_the_same_in_other_languages(aylin: Person, remember: str, forget: str, about: str, fact: str) -> None:
    told = await aylin.ask(remember)
    assert fact in told
    assert "remember" not in told
    assert fact in await aylin.ask(about)
    assert fact in await aylin.ask(forget)
    assert fact not in await aylin.ask(about)


async def test_what_one_says_in_a_burst_is_answered_in_order(aylin: Person) -> None:
    asked = [await aylin.say(f"Bot remember that gruzilkin owns {number} boats") for number in range(6)]
    replies = [int((await aylin.hear_reply(message_id))["id"]) for message_id in asked]
    assert replies == sorted(replies)
    for message_id in asked:
        assert len(await aylin.replies_to(message_id)) == 1
