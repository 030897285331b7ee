"""Whoever asks what we are, or calls us without a word, gets a short answer with things to try, in their language."""

import pytest

from tests.end_to_end.house import Inn

ASKED = {
    "Bot help": "Three things to try",
    "Bot, who are you?": "Three things to try",
    "bot what can you do": "Three things to try",
    "Bot wer bist du?": "Drei Dinge zum Ausprobieren",
    "Bot, Hilfe bitte!": "Drei Dinge zum Ausprobieren",
    "Bot qui es-tu ?": "Trois choses à essayer",
    "Bot ¿qué puedes hacer?": "Tres cosas para probar",
    "Bot что ты умеешь?": "Попробуй, например",
}


@pytest.mark.parametrize(("asked", "said"), ASKED.items())
async def test_who_asks_for_help_is_told_what_to_try(inn: Inn, asked: str, said: str) -> None:
    heard = await inn.person("aylin").ask(asked)
    assert said in heard
    assert "`/privacy show`" in heard
    assert "«Bot " in heard or "“Bot " in heard or "„Bot " in heard or "« Bot " in heard


@pytest.mark.parametrize(("greeting", "again"), [("Hallo Bot!", "Drei Dinge"), ("Bot hello", "Three things")])
async def test_who_greets_us_for_the_first_time_is_told_what_to_try(inn: Inn, greeting: str, again: str) -> None:
    aylin = inn.person("aylin")
    await aylin.say("good morning everyone")
    assert again in await aylin.ask(greeting)
    assert again not in await aylin.ask(greeting)


@pytest.mark.parametrize("called", ["Bot", "bot?", "Bot!"])
async def test_a_bare_call_is_answered_with_what_to_say(inn: Inn, called: str) -> None:
    heard = await inn.person("aylin").ask(called)
    assert heard.startswith("I am here.")
    assert "“what do you know about me?”" in heard
    assert "`/innkeeper about`" in heard


@pytest.mark.parametrize("asked", ["Bot help me find the kettle", "Bot what do you do on Sundays?"])
async def test_a_question_that_begins_so_is_a_question(inn: Inn, asked: str) -> None:
    assert "Three things to try" not in await inn.person("aylin").ask(asked)
