"""Whoever mistypes a verb, wants what we cannot do, or speaks another language, sees that they were heard."""

import pytest

from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.choosing import facts_of
from tests.end_to_end.house import Inn


async def test_a_mistyped_verb_is_taken(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert (await aylin.ask("hey botttt remmeber that I like TEA")).endswith(f"“I like TEA” – <@{aylin.user.id}>")
    assert (await aylin.ask("bot froget that I like TEA")).startswith("Forgotten:")
    assert await facts_of(inn) == []


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Bot never remember what I say", "I won't note that"),
        ("Bot merk dir das nicht", "das notiere ich mir nicht"),
        ("Bot ne retiens pas ça", "je ne note pas ça"),
        ("Bot no recuerdes esto", "no lo apunto"),
        ("Бот, никогда не запоминай, что я говорю", "не записываю"),
        ("Bot, forget", "What should I forget?"),
        ("Bot vergiss", "Was soll ich vergessen?"),
        ("Bot oublie ça", "Qu’est-ce que je dois oublier ?"),
        ("Bot olvida", "¿Qué quieres que olvide?"),
        ("Бот, забудь", "Что забыть?"),
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


async def test_what_somebody_owns_or_likes_is_kept_in_their_words(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert "“meine Schwester Anna heisst”" in await aylin.ask("Bot merke dir dass meine Schwester Anna heisst")
    assert "“me gusta el te”" in await aylin.ask("Bot recuerda que me gusta el te")
