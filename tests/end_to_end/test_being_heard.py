"""Whoever mistypes a verb, wants what we cannot do, or speaks another language, sees that they were heard."""

import pytest

from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, press
from tests.end_to_end.house import Inn


async def test_a_mistyped_verb_is_taken(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert (await aylin.ask("hey botttt remmeber that I like TEA")).endswith(f"<@{aylin.user.id}> likes TEA")
    assert (await aylin.ask("bot froget that I like TEA")).startswith("Forgotten:")
    assert await facts_of(inn) == []


async def test_what_may_be_a_verb_is_asked_about_and_then_done(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    reply = await say_and_hear(aylin, "Bot rember my birthday is in May")
    assert reply["content"] == "Did you mean *remember*?"
    assert labels_of(reply) == ["Remember this", "No, I am asking"]
    await press(florent, reply, "Remember this")
    assert await facts_of(inn) == [], "nobody else decides"
    await press(aylin, reply, "Remember this")
    await becomes(aylin, reply, f"<@{aylin.user.id}>'s birthday is in May")
    assert len(await facts_of(inn)) == 1


async def test_what_was_no_verb_is_answered(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that my birthday is in May")
    reply = await say_and_hear(aylin, "Bot rember my birthday in May")
    await press(aylin, reply, "No, I am asking")
    await becomes(aylin, reply, "birthday is in May")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Bot never remember what I say", "I make no note of that"),
        ("Bot merk dir das nicht", "das notiere ich mir nicht"),
        ("Bot ne retiens pas ça", "je n’en prends pas note"),
        ("Bot no recuerdes esto", "no lo apunto"),
        ("Бот, никогда не запоминай, что я говорю", "этого я не запоминаю"),
        ("Bot, forget", "What shall I forget?"),
        ("Bot vergiss", "Was soll ich vergessen?"),
        ("Bot oublie ça", "Que dois-je oublier ?"),
        ("Bot olvida", "¿Qué quieres que olvide?"),
        ("Бот, забудь", "Что мне забыть?"),
    ],
)
async def test_what_is_not_done_is_said_and_nothing_is_kept(inn: Inn, said: str, heard: str) -> None:
    words = await inn.person("aylin").ask(said.replace("Бот", "Bot"))
    assert heard in words
    assert await facts_of(inn) == []


async def test_a_question_that_begins_like_a_reminder_is_a_question(inn: Inn) -> None:
    said = await inn.person("aylin").ask("Bot remind me what Tom said")
    assert "remind you" not in said


@pytest.mark.parametrize(
    ("asked", "answered", "label"),
    [
        ("Bot was isst Carol?", "habe ich nichts dazu gefunden", "Antworte nur mir"),
        ("Bot, cosa mangia Carol?", "nothing about that", "Answer only to me"),
        ("Bot, wat weet je over Carol?", "nothing about that", "Answer only to me"),
        ("Bot, que mange Carol ?", "rien trouvé", "Ne réponds qu’à moi"),
    ],
)
async def test_an_answer_and_its_button_speak_one_language(inn: Inn, asked: str, answered: str, label: str) -> None:
    await at_home(inn)
    reply = await say_and_hear(inn.person("florent"), asked)
    assert answered in reply["content"]
    assert labels_of(reply) == [label]


async def test_where_the_words_tell_no_language_the_last_ones_do(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await inn.until_stored(await aylin.say("ich bin heute nicht so gut gelaunt"))
    assert "nothing about that" in await florent.ask("Bot Carol?")
    assert "habe ich nichts dazu gefunden" in await aylin.ask("Bot Carol?")


async def test_thanks_in_french_are_answered_in_french(inn: Inn) -> None:
    assert await inn.person("florent").ask("Bot merci") == "Avec plaisir !"


async def test_what_somebody_owns_or_likes_is_kept_in_the_third_person(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert (await aylin.ask("Bot merke dir dass meine Schwester Anna heisst")).endswith(
        f"<@{aylin.user.id}>s Schwester heißt Anna"
    )
    assert (await aylin.ask("Bot recuerda que me gusta el te")).endswith(f"a <@{aylin.user.id}> le gusta el té")
